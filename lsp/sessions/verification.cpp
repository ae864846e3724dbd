#include "lsp/sessions/verification.h"

namespace bodkin {

std::string_view name_of(Verification::State state) {
  switch (state) {
    case Verification::State::verified:
      return "verified";
    case Verification::State::failed:
      return "failed";
    case Verification::State::unknown:
      return "unknown";
  }
  return "unknown";
}

std::string in_words(const Verification& verification) {
  switch (verification.state) {
    case Verification::State::verified:
      return verification.by.empty() ? "checked" : "checked by " + verification.by;
    case Verification::State::failed:
      return "has problems";
    case Verification::State::unknown:
      break;
  }
  return verification.by.empty() ? "not checked" : "only " + verification.by + " was checked";
}

Verification verification_of(const Outcome& outcome) {
  using State = Verification::State;
  if (!outcome.syntax_errors.empty()) {
    return {State::failed, static_cast<int>(outcome.syntax_errors.size()), kSyntax};
  }
  const Verdict& verdict = outcome.verdict;
  if (verdict.state == Verdict::State::failed) return {State::failed, 0, verdict.by};
  if (verdict.state == Verdict::State::passed) {
    return {State::verified, 0, verdict.by + " " + verdict.where};
  }
  return {State::unknown, 0, outcome.syntax_checked ? kSyntax : ""};
}

std::vector<std::string> notes_of(const Outcome& outcome) {
  std::vector<std::string> notes = outcome.syntax_errors;
  notes.insert(notes.end(), outcome.notes.begin(), outcome.notes.end());
  notes.insert(notes.end(), outcome.cautions.begin(), outcome.cautions.end());
  const Verdict& verdict = outcome.verdict;
  if (verdict.state == Verdict::State::failed) notes.push_back(verdict.reason);
  if (verdict.state == Verdict::State::not_checked && !verdict.reason.empty()) {
    notes.push_back("not checked: " + verdict.reason);
  }
  return notes;
}

std::vector<std::string> objections_of(const Outcome& outcome) {
  std::vector<std::string> notes = notes_of(outcome);
  return notes.empty() ? outcome.unfit_for_direct : notes;
}

}  // namespace bodkin
