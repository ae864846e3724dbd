// bench_syntax [FILE]: what parsing costs. Without a file: a made-up one of 100,000 lines in C++
// and in Python.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include "grammars/outline.h"

using namespace bodkin;

namespace {

double micros_of(auto&& work) {
  auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin)
      .count();
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
  std::vector<double> asking, typing;
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    size_t line = random() % text.line_count();
    asking.push_back(micros_of([&] { enclosing(all, {line, line + 1}); }));
  }
  for (int i = 0; i < 400; ++i) {  // a character typed in a number, and taken back
    size_t at = text.line_begin(random() % text.line_count());
    while (at < text.size() && (text.chunk_at(at)[0] < '0' || text.chunk_at(at)[0] > '9')) ++at;
    for (Text next : {text.replace(at, 0, "7"), text}) {
      text = next;
      typing.push_back(micros_of([&] { parse(&*tree); }));
    }
  }
  std::ranges::sort(asking);
  std::ranges::sort(typing);
  fmt::print(
      "{}: {} lines, {:.1f} MB: parse {:.0f} ms, outline of {} symbols {:.1f} ms, enclosing p99 "
      "{:.0f} us, "
      "parse after a character p50 {:.2f} ms, p99 {:.2f} ms, max {:.2f} ms\n",
      name, text.line_count(), text.size() / 1e6, whole / 1e3, all.symbols.size(), outlining / 1e3,
      asking[asking.size() * 99 / 100], typing[typing.size() / 2] / 1e3,
      typing[typing.size() * 99 / 100] / 1e3, typing.back() / 1e3);
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
  // Hostile: the time limit must hold.
  std::pair<std::string_view, std::string> hostile[] = {
      {"10 MB on one line", std::string(10 << 20, 'a')},
      {"10 MB of calls on one line",
       [] {
         std::string s;
         while (s.size() < 10 << 20) s += "f(1);";
         return s;
       }()},
      {"a million open brackets", std::string(1'000'000, '(')},
      {"a million open braces", std::string(1'000'000, '{')},
      {"ten million NULs", std::string(10'000'000, '\0')},
      {"a million quotes and hashes",
       [] {
         std::string s;
         for (int i = 0; i < 500'000; ++i) s += "\"#";
         return s;
       }()},
  };
  for (const auto& [name, bytes] : hostile) {
    Text text(bytes);
    double worst = 0, outlining = 0;
    std::string_view slowest;
    for (const Language& language : languages()) {
      std::optional<Result<SyntaxTree>> tree;
      double spent = micros_of([&] { tree = SyntaxTree::parse(language, text); });
      if (*tree) outlining = std::max(outlining, micros_of([&] { outline(**tree); }));
      spent += micros_of([&] { tree.reset(); });
      if (spent > worst) worst = spent, slowest = language.id;
    }
    fmt::print("{}: at most {:.0f} ms ({}), outline {:.0f} ms\n", name, worst / 1e3, slowest,
               outlining / 1e3);
  }
}
