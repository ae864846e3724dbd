// bench_hostile_syntax [LANGUAGE…]: files made to take time or memory, in every language: how many
// milliseconds (of the thread: the limit is the thread's) a parse, its outline and the freeing of
// it took, and how many megabytes the process has then, some 70 of them for the files themselves.
#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammars/context.h"
#include "grammars/outline.h"

using namespace bodkin;

namespace {

std::string repeated(std::string_view part, size_t bytes) {
  std::string all;
  while (all.size() < bytes) all += part;
  return all;
}

struct Spent {
  double parse = 0, outline = 0, free = 0;  // ms
};

double millis_of(auto&& work) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
  };
  const double begin = now();
  work();
  return now() - begin;
}

Spent spend(const Language& language, const Text& text) {
  Spent spent;
  std::optional<Result<SyntaxTree>> tree;
  spent.parse = millis_of([&] { tree = SyntaxTree::parse(language, text); });
  if (*tree)
    spent.outline = millis_of([&] {
      Outline all = outline(**tree);
      context_of(**tree, all, {text.line_count() / 2, text.line_count() / 2 + 1}, 10'000);
    });
  spent.free = millis_of([&] { tree.reset(); });
  return spent;
}

// In a child, so that a crash and the memory are seen.
void measure(const Language& language, std::string_view name, const std::string& bytes) {
  int ends[2];
  if (pipe(ends) != 0) return;
  pid_t child = fork();
  if (child == 0) {
    Spent spent = spend(language, Text(bytes));
    _exit(write(ends[1], &spent, sizeof spent) == sizeof spent ? 0 : 1);
  }
  close(ends[1]);
  Spent spent;
  bool answered = read(ends[0], &spent, sizeof spent) == sizeof spent;
  close(ends[0]);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  fmt::print(
      "{:16} {:28} {}parse {:5.0f} ms, outline and context {:5.0f} ms, free {:4.0f} ms, {:5} MB\n",
      language.id, name, answered ? "" : "CRASHED ", spent.parse, spent.outline, spent.free,
      usage.ru_maxrss / 1024);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::pair<std::string_view, std::string>> hostile = {
      {"10 MB on one line", std::string(10 << 20, 'a')},
      {"10 MB of calls on one line", repeated("f(1);", 10 << 20)},
      {"a million open brackets", std::string(1'000'000, '(')},
      {"a million open braces", std::string(1'000'000, '{')},
      {"a million [", std::string(1'000'000, '[')},
      {"a million <", std::string(1'000'000, '<')},
      {"100,000 nested blocks", repeated("{", 100'000) + repeated("}", 100'000)},
      {"100,000 nested parentheses", repeated("(", 100'000) + "1" + repeated(")", 100'000)},
      {"100,000 nested elements", repeated("<a>", 300'000)},
      {"100,000 indents",
       [] {
         std::string s;
         for (size_t i = 0; i < 3000; ++i) s += std::string(i, ' ') + "if x:\n";
         return s;
       }()},
      {"ten million NULs", std::string(10'000'000, '\0')},
      {"a million quotes and hashes", repeated("\"#", 1'000'000)},
      {"a million newlines", std::string(1'000'000, '\n')},
      {"a million backquotes", std::string(1'000'000, '`')},
      {"a million dashes", repeated("- ", 1'000'000)},
      {"a million minus", std::string(1'000'000, '-')},
      {"1 MB of bytes 255", std::string(1'000'000, '\xff')},
      {"class class class", repeated("class ", 1'000'000)},
      {"a macro of comments", "#define A " + repeated("/* a */ \\\n", 500'000) + "b\n}"},
      {"a macro on each line", repeated("EXPORT(int) f (int);\n", 1'000'000) + "}"},
      {"conditionals in conditionals", repeated("#if A\n{\n#else\n", 500'000) + "}"},
      {"if if if", repeated("if ", 1'000'000)},
  };
  for (const Language& language : languages()) {
    bool wanted = argc == 1;
    for (int i = 1; i < argc; ++i) wanted = wanted || language.id == argv[i];
    if (!wanted) continue;
    for (const auto& [name, bytes] : hostile) measure(language, name, bytes);
  }
}
