#include "lsp/server/early_proposals.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "lsp/sessions/proposal_draft.h"

namespace bodkin::lsp {

namespace {

bool is_same_draft(const std::vector<ChangedFile>& a, const std::vector<ChangedFile>& b) {
  return std::ranges::is_permutation(a, b, [](const ChangedFile& x, const ChangedFile& y) {
    return x.path == y.path && x.after == y.after && x.rename_to == y.rename_to;
  });
}

}  // namespace

void EarlyProposals::drafted(const std::string& ask_id, const std::string& refined,
                             std::shared_ptr<EarlyDraft> draft) {
  if (!can_.proposals) return;  // others are shown it once, with its verdict
  Shown& shown = by_ask_[ask_id];
  if (!shown.draft) shown.refined = refined;
  shown.draft = draft;
  if (draft->outcome.check) {
    if (is_same_draft(shown.files, draft->outcome.files))
      set_verdict(shown, verification_of(draft->outcome));
    return;
  }
  const std::chrono::milliseconds patience(settings_.count("verify.showAfterMs"));
  loop_.post_after(patience, [this, ask_id, draft = std::move(draft)] { show(ask_id, draft); });
}

void EarlyProposals::show(const std::string& ask_id, const std::shared_ptr<EarlyDraft>& draft) {
  const auto found = by_ask_.find(ask_id);
  if (found == by_ask_.end() || found->second.draft != draft || policy_.applies_at_once()) return;
  Shown& shown = found->second;
  const Proposal* const before = proposals_.find(shown.id);
  if (before && !before->is_open()) return;
  const Outcome& outcome = draft->outcome;
  NewProposal made = NewProposal::of(outcome, draft->roots);
  made.ask_id = ask_id;
  made.replaces = shown.id.empty() ? shown.refined : shown.id;
  made.verification.is_checking = made.verification.state == Verification::State::not_checked;
  shown.id.clear();  // that the one of before is discarded is not the user's doing
  shown.id = proposals_.add(outcome.files, std::move(made));
  shown.files = outcome.files;
  // It is shown as it is checked: somebody may have typed between the draft and now.
  Proposal drafted;
  drafted.files = proposed_files(outcome.files, draft->roots);
  shown.content = content_of(drafted);
}

void EarlyProposals::set_verdict(const Shown& shown, Verification verification) {
  Proposal* const proposal = proposals_.find(shown.id);
  if (!proposal) return;
  // The editor's own servers have reported on the applied text since then.
  if (proposal->state == Proposal::State::applied && !proposal->verification.is_checking) return;
  const bool is_whole = content_of(*proposal) == shown.content;
  bodkin::set_verification(*proposal, std::move(verification));
  // It does not cover what was applied if that is only a part, or if somebody has typed since.
  proposal->verified_content = shown.content;
  if (!is_whole && proposal->state != Proposal::State::discarded)
    proposal->verification.outdated = "the text changed";
  if (proposal->state == Proposal::State::applied)
    proposal->message = "Applied. " + in_words(proposal->verification) + ".";
  if (proposals_.changed) proposals_.changed(*proposal);
}

std::optional<std::string> EarlyProposals::ended(const AskEnd& end, std::string& refined) {
  const auto entry = by_ask_.extract(end.ask_id);
  if (entry.empty() || entry.mapped().id.empty()) return std::nullopt;
  const Shown& shown = entry.mapped();
  if (end.outcome.end == Outcome::End::cancelled) {
    Verification known = verification_of(shown.draft->outcome);
    if (!shown.draft->outcome.check) known.found = "the check was cancelled";
    set_verdict(shown, std::move(known));
    return shown.id;
  }
  if (is_same_draft(shown.files, end.outcome.files)) {
    set_verdict(shown, verification_of(end.outcome));
    return shown.id;
  }
  const Proposal* const proposal = proposals_.find(shown.id);
  refined = proposal && proposal->is_open() ? shown.id : "";
  return std::nullopt;
}

void EarlyProposals::changed(const Proposal& proposal) {
  const auto found =
      std::ranges::find(by_ask_, proposal.id, [](const auto& entry) { return entry.second.id; });
  if (found == by_ask_.end()) return;
  using State = ProposedHunk::State;
  if (proposal.count(State::applied) + proposal.count(State::discarded) == 0) return;
  EarlyDraft& draft = *found->second.draft;
  if (draft.is_decided.exchange(true)) return;
  const bool is_repairing = draft.outcome.check.has_value();
  if (is_repairing || proposal.state == Proposal::State::discarded) cancel(found->first);
}

}  // namespace bodkin::lsp
