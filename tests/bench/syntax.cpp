// bench_syntax [FILE]: what parsing costs, in milliseconds of this thread's CPU time (other
// programs on the machine do not count). Without a file: a made-up one of 100,000 lines in C++ and
// in Python.
#include <fmt/core.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include "grammars/outline.h"

using namespace bodkin;

namespace {

double cpu_micros() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

double micros_of(auto&& work) {
  double begin = cpu_micros();
  work();
  return cpu_micros() - begin;
}

double percentile(std::vector<double>& values, size_t percent) {
  std::ranges::sort(values);
  return values[std::min(values.size() * percent / 100, values.size() - 1)];
}

std::string made_up(bool python, size_t lines) {
  std::string text;
  for (size_t i = 0; i < lines / 10; ++i) {
    text +=
        python
            ? fmt::format(
                  "class C{0}:\n    size = {0}\n\n    # Adds.\n    def add(self, a, b):\n"
                  "        if a > b:\n            return [a, b, \"text {0}\"]\n"
                  "        return a + b * {0}\n\n\n",
                  i)
            : fmt::format(
                  "// Number {0}.\nstruct C{0} {{\n  int size = {0};\n  int add(int a, int b) {{\n"
                  "    if (a > b) {{\n      return f(a, \"text {0}\");\n    }}\n"
                  "    return a + b * {0};\n  }}\n}};\n",
                  i);
  }
  return text;
}

void measure(std::string_view name, const Language& language, std::string bytes) {
  Text text(std::move(bytes));
  std::optional<SyntaxTree> tree;
  auto parse = [&](const SyntaxTree* previous) {
    auto result = SyntaxTree::parse(language, text, {std::chrono::seconds(60), {}}, previous);
    if (result)
      tree = *result;
    else
      fmt::print("{}: {}\n", name, result.error().message);
  };
  double whole = micros_of([&] { parse(nullptr); });
  if (!tree) return;
  Outline all;
  double outlining = micros_of([&] { all = outline(*tree); });
  std::vector<double> asking;
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    size_t line = random() % text.line_count();
    asking.push_back(micros_of([&] { enclosing(all, {line, line + 1}); }));
  }
  fmt::print(
      "{}: {} lines, {:.1f} MB: parse {:.0f} ms, outline of {} symbols {:.1f} ms, enclosing p99 "
      "{:.0f} us\n",
      name, text.line_count(), text.size() / 1e6, whole / 1e3, all.symbols.size(), outlining / 1e3,
      percentile(asking, 99));
  // Typed and taken back: a digit in a number, a letter, and what opens or closes something.
  for (std::string_view typed : {"7", "x", "{", "\"", ")", "/*", "\"\"\""}) {
    std::vector<double> typing;
    double spent = 0;
    for (int i = 0; i < 200 && spent < 5e6; ++i) {
      size_t at = text.line_begin(random() % text.line_count());
      auto is_digit = [&] { return text.chunk_at(at)[0] >= '0' && text.chunk_at(at)[0] <= '9'; };
      while (typed == "7" && at < text.size() && !is_digit()) ++at;
      const Text before = text;
      for (const Text& next : {text.replace(at, 0, typed), before}) {
        text = next;
        typing.push_back(micros_of([&] { parse(&*tree); }));
        spent += typing.back();
      }
    }
    fmt::print(
        "  typing {} and taking it back, {} times: p50 {:.2f} ms, p99 {:.2f} ms, max {:.2f} ms\n",
        typed, typing.size() / 2, percentile(typing, 50) / 1e3, percentile(typing, 99) / 1e3,
        percentile(typing, 100) / 1e3);
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    if (const Language* language = language_of(argv[i]))
      measure(argv[i], *language, std::string(std::istreambuf_iterator<char>(file), {}));
  }
  if (argc > 1) return 0;
  for (size_t lines : {5'000, 100'000}) {
    measure("C++", *language_with_id("cpp"), made_up(false, lines));
    measure("Python", *language_with_id("python"), made_up(true, lines));
  }
}
