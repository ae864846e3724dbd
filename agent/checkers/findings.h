// Findings: what a check has found so far, and why it cannot be sure.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "agent/ask/verdict.h"
#include "agent/checkers/doubts.h"
#include "agent/support/shown_text.h"

namespace bodkin {

// A value: to look again in another way, a check goes back to a copy.
class Findings {
 public:
  // The first reason for "not checked" is the one reported.
  template <const Doubt& kDoubt, class... Arguments>
  void doubt(const Arguments&... arguments) {
    static constexpr std::string_view kWords = kDoubt.words;
    if (!result_.reason.empty()) return;
    result_.doubt = kDoubt.name;
    result_.reason =
        plain_line(fmt::format(fmt::format_string<const Arguments&...>(kWords), arguments...));
  }
  // The same, but told before an earlier reason: what was found in the draft itself.
  template <const Doubt& kDoubt, class... Arguments>
  void doubt_first(const Arguments&... arguments) {
    if (result_.doubt == kDoubt.name) return;
    const std::string earlier = std::exchange(result_.reason, {});
    doubt<kDoubt>(arguments...);
    if (!earlier.empty()) result_.reason += "; " + earlier;
  }
  // Counts it if it is an error.
  void add(CheckedProblem problem) {
    if (problem.severity == Severity::error) ++errors_;
    if (result_.added.size() < kMaxReported) result_.added.push_back(std::move(problem));
  }
  // Adds it unless it is known already, as a header's problem is for each file that includes it.
  void add_new(CheckedProblem problem) {
    if (reported_.insert({problem.path, problem.line, problem.message}).second)
      add(std::move(problem));
  }
  void add_fixed(CheckedProblem problem) {
    if (result_.fixed.size() < kMaxReported) result_.fixed.push_back(std::move(problem));
  }
  void judged_by(const std::string& name) {
    if (!is_judged_by(name)) result_.by.push_back(name);
  }
  bool is_judged_by(const std::string& name) const {
    return std::ranges::find(result_.by, name) != result_.by.end();
  }
  bool has_error_at(const std::string& path, size_t line) const {
    return std::ranges::any_of(result_.added, [&](const CheckedProblem& one) {
      return one.severity == Severity::error && one.path == path && one.line == line;
    });
  }
  size_t errors() const { return errors_; }
  std::vector<CheckedProblem>& added() { return result_.added; }
  CheckResult& result() { return result_; }

  struct Mark {  // how much was found
    size_t errors = 0, listed = 0;
    std::string reason;
    std::string_view doubt;
  };
  Mark mark() const { return {errors_, result_.added.size(), result_.reason, result_.doubt}; }
  // Turns the errors that were found since then into warnings.
  void weaken(const Mark& since) {
    errors_ = since.errors;
    for (size_t i = since.listed; i < result_.added.size(); ++i)
      if (result_.added[i].severity == Severity::error)
        result_.added[i].severity = Severity::warning;
  }
  void weaken(CheckedProblem& error) {
    error.severity = Severity::warning;
    --errors_;
  }
  void forget_doubts(const Mark& since) {
    result_.reason = since.reason;
    result_.doubt = since.doubt;
  }

 private:
  static constexpr size_t kMaxReported = 500;

  CheckResult result_;
  size_t errors_ = 0;
  std::set<std::tuple<std::string, size_t, std::string>> reported_;
};

}  // namespace bodkin
