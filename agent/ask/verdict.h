// The verdict on a draft: a Verdict of the user's own command, a CheckResult of language servers
// (agent/checkers/checkers.h).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "agent/workspace/workspace.h"

namespace bodkin {

struct CheckedProblem {
  std::string path;  // of the workspace
  size_t line = 0;   // from 1; of the new text, of `fixed` of the old one
  Severity severity = Severity::error;
  std::string code, message, source;
};

// In CheckResult::by and the source of a problem: no server and no compiler.
inline constexpr char kBySyntax[] = "the syntax";
// In CheckResult::by, where an edit changes no code.
inline constexpr char kByTokens[] = "only comments and blanks change";

struct CheckResult {
  // By precedence: problems, if there is a new error; not_checked, if something was not checked.
  enum class State { clean, problems, not_checked };
  State state = State::not_checked;
  std::vector<std::string> by;  // who has checked: "clangd", "the syntax"
  std::string reason;           // not_checked: one sentence for the user, without its period
  std::vector<CheckedProblem> added, fixed;
  size_t remaining = 0;  // old errors that are still there
  // The draft silences its checker ("# type: ignore"): it is not applied without review.
  bool is_silenced = false;
  // Set for CheckRequest::Purpose::report alone: the problems of the files, by path.
  std::map<std::string, std::vector<Diagnostic>> now;
  std::string_view doubt;  // the name of the reason (agent/checkers/doubts.h), or empty

  size_t new_errors() const;  // of `added`
};
// One language server's report on one file.
struct FileReport {
  std::string by;  // "clangd"
  std::vector<Diagnostic> problems;
};

std::string_view name_of(CheckResult::State state);  // "clean", "problems", "not_checked"

// "Not checked" is never "clean": if a check gave no result, for any reason, the verdict is
// not_checked.
struct Verdict {
  enum class State { not_checked, passed, failed };
  State state = State::not_checked;
  std::string by;      // "make -j2"; empty: there is no checker
  std::string where;   // "in a sandbox", "not confined"; empty: it did not run
  std::string reason;  // not_checked, failed: for the user, continues "Not checked: "
  std::string output;  // failed: the end of the program's output, for the model
  std::vector<CheckedProblem> problems;  // failed: those that its output names in the draft's files
};

}  // namespace bodkin
