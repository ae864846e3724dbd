#include "lsp/sessions/verification.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "agent/context/check_feedback.h"
#include "agent/support/shown_text.h"

namespace bodkin {

namespace {

constexpr size_t kMaxNotes = 20;      // of problems
constexpr size_t kMaxProblems = 100;  // that are kept

std::string counts_of(const CheckResult& check) {
  return counts_in_words(check.new_errors(), check.fixed.size());
}

}  // namespace

std::string counts_in_words(size_t added, size_t fixed, std::string_view what) {
  if (added > 0) return counted(added, fmt::format("new {}", what));
  return fixed > 0 ? fmt::format("{} fixed", fixed) : fmt::format("no new {}s", what);
}

std::string_view wire_name(Severity severity) {
  constexpr std::string_view kNames[] = {"error", "warning", "info", "hint"};
  return kNames[std::clamp(static_cast<int>(severity), 1, 4) - 1];
}

std::string not_checked_in_words(bool has_syntax, std::string_view reason) {
  return fmt::format("{}{}{}", has_syntax ? "? only the syntax was checked" : "? not checked",
                     reason.empty() ? "" : ": ", reason);
}

// Decides: the verdict's words.
std::string in_words(const Verification& verification) {
  using State = Verification::State;
  const std::string& found = verification.found;
  if (!verification.outdated.empty() && verification.state != State::not_checked)
    return fmt::format("? checked before {} ({})", verification.outdated, found);
  if (verification.state == State::clean) return "✓ " + (found.empty() ? "checked" : found);
  if (verification.state == State::problems) return "✗ " + (found.empty() ? "has problems" : found);
  if (verification.is_checking) return "? checking…";
  const bool has_syntax =
      verification.syntax_checked && verification.outdated.empty() && !verification.by_servers;
  return not_checked_in_words(has_syntax, found);
}

Verification::State state_now(const Verification& verification) {
  return verification.outdated.empty() ? verification.state : Verification::State::not_checked;
}

Verification verification_of(const CheckResult& check) {
  using State = Verification::State;
  Verification result;
  result.state = check.state;
  result.by = fmt::format("{}", fmt::join(check.by, ", "));
  result.by_servers =
      std::ranges::any_of(check.by, [](const auto& name) { return name != kBySyntax; });
  for (const CheckedProblem& problem : check.added)
    if (problem.severity <= Severity::warning && result.problems.size() < kMaxProblems)
      result.problems.push_back(problem);
  if (check.state == State::not_checked) {
    result.found = plain_line(check.reason);
  } else if (check.state == State::clean && result.by.empty()) {
    result.found = "nothing to check";
  } else if (check.state == State::clean && result.by == kByTokens) {
    result.found = kByTokens;
  } else {
    result.found = result.by + ": " + counts_of(check);
  }
  if (check.state == State::problems) result.new_problems = static_cast<int>(check.new_errors());
  return result;
}

Verification verification_of(const Outcome& outcome) {
  using State = Verification::State;
  Verification result;
  if (outcome.check) result = verification_of(*outcome.check);
  const Verdict& verdict = outcome.verdict;
  const std::string command = verdict.by + (verdict.where.empty() ? "" : " " + verdict.where);
  if (!outcome.syntax_errors.empty()) {
    const size_t count = outcome.syntax_errors.size();
    result.state = State::problems;
    result.new_problems = std::max(result.new_problems, static_cast<int>(count));
    result.by = kBySyntax;
    result.found = "syntax: " + counts_in_words(count, 0);
    return result;
  }
  const bool has_found = result.state == State::problems;
  if (verdict.state == Verdict::State::failed) {
    result.found = (has_found ? result.found + "; " : "") + verdict.by + " fails";
    result.by = (has_found ? result.by + ", " : "") + verdict.by;
    result.state = State::problems;
    for (const CheckedProblem& problem : verdict.problems)
      if (result.problems.size() < kMaxProblems) result.problems.push_back(problem);
  } else if (verdict.state == Verdict::State::passed && !has_found) {
    // The user's own check decides; what the servers could not see is not claimed.
    const bool is_clean = result.state == State::clean && !result.by.empty();
    result.found = (is_clean ? result.found + "; " : "") + command;
    result.by = (is_clean ? result.by + ", " : "") + command;
    result.state = State::clean;
  } else if (verdict.state == Verdict::State::not_checked && !verdict.by.empty() && !has_found) {
    const std::string others = result.state == State::clean ? " (" + result.found + ")" : "";
    result.state = State::not_checked;
    result.found = plain_line(verdict.reason) + others;
  }
  result.syntax_checked = outcome.syntax_checked;
  if (result.state == State::not_checked && outcome.syntax_checked && result.by.empty())
    result.by = kBySyntax;
  return result;
}

std::vector<std::string> notes_of(const Outcome& outcome) {
  std::vector<std::string> notes = outcome.syntax_errors;
  const Verification verification = verification_of(outcome);
  size_t count = 0;
  for (const CheckedProblem& problem : verification.problems) {
    if (problem.severity == Severity::error && ++count <= kMaxNotes)
      notes.push_back(in_words(problem));
  }
  if (count > kMaxNotes) notes.push_back(counted(count - kMaxNotes, "more error"));
  notes.insert(notes.end(), outcome.notes.begin(), outcome.notes.end());
  notes.insert(notes.end(), outcome.cautions.begin(), outcome.cautions.end());
  const Verdict& verdict = outcome.verdict;
  if (verdict.state == Verdict::State::failed) notes.push_back(verdict.reason);
  if (verdict.state == Verdict::State::not_checked && !verdict.reason.empty()) {
    const bool is_all = verification.state == Verification::State::not_checked;
    notes.push_back(
        not_checked_in_words(is_all && outcome.syntax_checked && !verification.by_servers,
                             verdict.reason)
            .substr(std::string_view("? ").size()));
  }
  return notes;
}

std::vector<std::string> objections_of(const Outcome& outcome) {
  std::vector<std::string> notes = notes_of(outcome);
  return notes.empty() ? outcome.needs_review : notes;
}

namespace {

nlohmann::json json_of(const std::vector<CheckedProblem>& problems) {
  auto list = nlohmann::json::array();
  for (const CheckedProblem& problem : problems) {
    list.push_back({{"path", problem.path},
                    {"line", problem.line},
                    {"severity", wire_name(problem.severity)},
                    {"code", problem.code},
                    {"message", problem.message},
                    {"source", problem.source}});
  }
  return list;
}

}  // namespace

nlohmann::json json_of(const CheckResult& check) {
  return {{"state", name_of(check.state)}, {"by", check.by},
          {"reason", check.reason},        {"doubt", check.doubt},
          {"new", json_of(check.added)},   {"fixed", json_of(check.fixed)},
          {"remaining", check.remaining}};
}

}  // namespace bodkin
