#include "grammars/function_names.h"

#include <doctest/doctest.h>

#include <string>

using namespace bodkin;

namespace {

std::string shown(const auto& functions) {
  std::string words;
  for (const auto& one : functions) {
    const auto& function = [&]() -> const FunctionNames::Function& {
      if constexpr (requires { one.first.first; })
        return one.first;
      else
        return one;
    }();
    words += (words.empty() ? "" : ", ") + function.first + " " + std::to_string(function.second);
  }
  return words;
}

}  // namespace

TEST_CASE("function_names: what C declares, defines and uses") {
  const FunctionNames names = function_names(
      Text("int one(int n);\nint *two(void);\nint (*pointer)(int) = one;\nstatic int one(int n) {\n"
           "  Box box(n);\n  return three(n) + two;\n}\n"));
  CHECK(shown(names.declared) == "one 1, two 0");
  CHECK(shown(names.defined) == "one 1");
  CHECK(names.used.contains("one"));
  CHECK(names.used.contains("three"));
  CHECK(names.used.contains("two"));
}

TEST_CASE("function_names: members, constructors and operators of C++, not those that are pure") {
  const FunctionNames names = function_names(
      Text("class Box {\n  Box(int n, int m = 1);\n  ~Box();\n  virtual int pure() const = 0;\n"
           "  int size() const { return 1; }\n  Box& operator=(const Box&);\n};\n"
           "Box::Box(int n, int m) : n_(n) {}\ntemplate <class T> int a::b::depth(T t) { return 1; "
           "}\n"));
  CHECK(shown(names.declared) == "Box 2, operator= 1, ~Box 0");
  CHECK(shown(names.defined) == "Box 2, depth 1, size 0");
}
