#include "agent/context/check_feedback.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "agent/context/diagnostics.h"
#include "agent/context/symbols.h"
#include "agent/support/shown_text.h"
#include "grammars/context.h"

namespace bodkin {

namespace {

constexpr size_t kMaxErrors = 20;             // in one message to the model
constexpr size_t kMaxCodePlaces = 6;          // whose code is shown
constexpr size_t kPlaceBudget = 2'000;        // bytes of one place
constexpr size_t kDeclarationBudget = 3'000;  // bytes of the declarations in all
constexpr size_t kMaxMessage = 1'000;         // bytes of a message

Diagnostic diagnostic_of(const CheckedProblem& problem) {
  const size_t line = std::max<size_t>(problem.line, 1) - 1;
  Diagnostic diagnostic;
  diagnostic.lines = {line, line + 1};
  diagnostic.severity = problem.severity;
  diagnostic.message = plain(problem.message).substr(0, kMaxMessage);
  diagnostic.code = problem.code;
  diagnostic.source = problem.source;
  return diagnostic;
}

struct Told {
  std::string lines;
  std::vector<const CheckedProblem*> places;  // in files that the model may read
};

Told told_lines(std::span<const CheckedProblem> problems, Workspace& shown, const Task& task) {
  Told told;
  size_t count = 0, hidden = 0;
  std::map<std::string, bool> readable;
  for (const CheckedProblem& problem : problems) {
    if (problem.severity != Severity::error) continue;
    if (!readable.contains(problem.path))
      readable[problem.path] = shown.read(problem.path, task).has_value();
    if (!readable[problem.path]) {
      ++hidden;
      continue;
    }
    if (++count > kMaxErrors) continue;
    told.lines += shown_name(problem.path) + ", " + describe(diagnostic_of(problem)) + "\n";
    told.places.push_back(&problem);
  }
  if (count > kMaxErrors) told.lines += fmt::format("… and {} more.\n", count - kMaxErrors);
  if (hidden > 0) told.lines += fmt::format("{} in files that you cannot read.\n", hidden);
  return told;
}

}  // namespace

std::string in_words(const CheckedProblem& problem) {
  std::string by = problem.source;
  if (!problem.code.empty() && problem.code != problem.source)
    by += (by.empty() ? "" : " ") + problem.code;
  return plain_line(fmt::format("{}, line {}: {}{}", problem.path, problem.line,
                                problem.message.substr(0, problem.message.find('\n')),
                                by.empty() ? "" : " (" + by + ")"));
}

std::string listed_errors(std::span<const CheckedProblem> problems, Workspace& shown,
                          const Task& task) {
  return told_lines(problems, shown, task).lines;
}

// Decides: what the model is told of new errors.
std::string errors_for_model(std::span<const CheckedProblem> problems, Workspace& shown,
                             const Task& task) {
  Told told = told_lines(problems, shown, task);
  std::string code, declarations;
  std::vector<std::pair<std::string, LineRange>> seen;
  for (const CheckedProblem* problem : told.places) {
    if (seen.size() >= kMaxCodePlaces || task.stop.stop_requested()) break;
    auto file = shown.read(problem->path, task);
    if (!file) continue;
    const ParsedFile source = parsed(*std::move(file), task);
    const LineRange line = diagnostic_of(*problem).lines;
    const Symbol* symbol = enclosing(source.outline, line);
    const LineRange around = symbol ? symbol->lines : line;
    const auto place = std::pair(problem->path, around);
    if (std::ranges::find(seen, place) == seen.end()) {
      seen.push_back(place);
      const Context context = source.tree
                                  ? context_of(*source.tree, source.outline, line, kPlaceBudget)
                                  : context_of(source.file.text, line, kPlaceBudget);
      code += fmt::format("\n{}, around {}:\n{}", shown_name(problem->path), line_words(line),
                          fenced(render(source.file.text, context)));
    }
    if (declarations.size() < kDeclarationBudget) {
      const std::string more = declarations_text(shown, source, line, problem->message,
                                                 kDeclarationBudget - declarations.size(), task);
      if (declarations.find(more) == std::string::npos) declarations += more;
    }
  }
  return told.lines + code + (declarations.empty() ? "" : "\n" + declarations);
}

}  // namespace bodkin
