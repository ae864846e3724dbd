#include "lsp/server/repairs.h"

namespace bodkin::lsp {

// Decides: whether a repair is offered.
void Repairs::take_verdict(EditorVerdict verdict) {
  const Proposal* proposal = proposals_.find(verdict.proposal_id);
  if (!proposal) return;
  // Nothing new: the check that was under way when it was applied has already ended and reported.
  if (verdict.verification.is_checking && !proposal->verification.is_checking) return;
  // The check's words begin with what was applied.
  constexpr std::string_view kApplied = "Applied";
  if (verdict.message.starts_with(kApplied))
    verdict.message.replace(0, kApplied.size(), applied_in_words(*proposal));
  const std::string ask_id = proposal->ask_id;
  const std::string when = settings_.text("agent.repair");
  const bool can_repair = verdict.repair && !ask_id.empty() && when != "off" &&
                          started_[ask_id] < settings_.count("agent.maxRepairs");
  if (can_repair && when != "offer" && start(ask_id, *verdict.repair)) {
    verdict.message += " — asking the model to repair it.";
  }
  proposals_.set_verification(verdict.proposal_id, verdict.verification, verdict.message);
  if (!can_repair || when != "offer") return;
  const std::string title = verdict.repair->title;
  offers_[verdict.proposal_id] = questions_.ask(
      {"repair", verdict.proposal_id, title, verdict.message, "", Decision::once},
      [this, id = verdict.proposal_id, ask_id,
       repair = std::move(*verdict.repair)](const Decision& decision) {
        offers_.erase(id);
        if (!decision.allows() || start(ask_id, repair)) return;
        client_.say(MessageType::warning,
                    "bodkin: The model was not asked to repair it: it is busy with another ask.");
      });
}

void Repairs::undone(const Proposal& proposal) {
  const auto offer = offers_.find(proposal.id);
  if (offer == offers_.end()) return;
  questions_.withdraw(offer->second);
  offers_.erase(offer);
}

bool Repairs::start(const std::string& ask_id, Ask repair) {
  const std::string title = repair.title;
  if (!asks_.repair(ask_id, std::move(repair))) return false;
  std::erase_if(started_, [&](const auto& each) { return asks_.session_of(each.first).empty(); });
  ++started_[ask_id];
  began(ask_id, title);
  return true;
}

}  // namespace bodkin::lsp
