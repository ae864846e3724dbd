#include "lsp/review/proposal_applier.h"

#include <fmt/format.h>

#include <algorithm>

#include "lsp/review/landing.h"
#include "lsp/review/workspace_edit.h"
#include "lsp/sessions/hunk_tracking.h"
#include "lsp/sessions/proposal_record.h"
#include "lsp/workspace/disk.h"

namespace bodkin::lsp {

namespace {

using namespace std::chrono_literals;

constexpr auto kDeadline = 5000ms;   // after the answer
constexpr auto kPatience = 10000ms;  // for the answer: some editors ask the user first

bool is_pending(const ProposedHunk& hunk) { return hunk.state == ProposedHunk::State::pending; }

// Does a file stand where one is to be created, or moved to?
bool is_occupied(const ProposedFile& file, const Documents& documents) {
  const bool creates = file.kind == ProposedFile::Kind::create;
  if (!creates && !file.moved_to) return false;
  const ProposedName& name = creates ? file.name : *file.moved_to;
  const Document* document = documents.find(name.file);
  if (document && document->text.size() > 0) return true;
  if (name.file.is_buffer()) return false;
  const auto found = read_from_disk(name.file.full(), "");
  return found || found.error().code != Error::Code::not_found;
}

// A file that stands where one of the listed hunks creates one, or moves one to; or "".
std::string occupied_path(const Proposal& proposal, const std::vector<size_t>& only,
                          const Documents& documents) {
  for (const ProposedFile& file : proposal.files) {
    const bool is_taken = std::ranges::any_of(file.hunks, [&](const ProposedHunk& hunk) {
      return is_pending(hunk) && is_listed(hunk, &only);
    });
    if (is_taken && is_occupied(file, documents))
      return file.kind == ProposedFile::Kind::create ? file.name.path : file.moved_to->path;
  }
  return "";
}

}  // namespace

ProposalApplier::ProposalApplier(EventLoop& loop, Client& editor, const Documents& documents,
                                 const Capabilities& client, Proposals& proposals,
                                 ProposalPresenter& presenter)
    : loop_(loop),
      editor_(editor),
      documents_(documents),
      client_(client),
      proposals_(proposals),
      presenter_(presenter) {
  proposals_.adding = [this](Proposal& proposal) { rebase(proposal); };
  proposals_.forgotten = [this](const std::string& id) {
    in_flight_.erase(id);
    if (not_applied) not_applied(id);
  };
}

// The user may have typed since the model was asked.
void ProposalApplier::rebase(Proposal& proposal) {
  record_landings(proposal);
  for (ProposedFile& file : proposal.files) {
    const Document* document = documents_.find(file.name.file);
    if (!document || document->text == file.text) continue;
    track(file, difference(file.text, document->text));
    update_hunks(file);
    forget_verification(proposal);
  }
}

// Files that are not open in the editor may have changed without notification.
void ProposalApplier::read_from_disk_again(Proposal& proposal) {
  for (ProposedFile& file : proposal.files) {
    if (documents_.find(file.name.file)) continue;
    if (file.name.file.is_buffer()) continue;
    const auto text = read_from_disk(file.name.file.full(), file.name.file.folder);
    const Text now = text ? *text : Text();
    if (now == file.text) continue;
    track(file, difference(file.text, now));
    update_hunks(file);
  }
}

Result<void> ProposalApplier::apply(const std::string& given, const std::vector<size_t>* only) {
  const auto found = proposals_.chosen(given, only);
  if (!found) return std::unexpected(found.error());
  Proposal& proposal = **found;
  if (!client_.apply_edit) {
    return fail(Error::Code::unavailable, "This editor cannot apply edits (workspace/applyEdit).");
  }
  if (const auto free = check_in_flight(proposal); !free) return free;
  if (!given.empty()) make_pending_again(proposal, only);
  if (const auto why = why_not_applicable(proposal, only))
    return fail(Error::Code::unavailable, *why);
  // The command is answered first: some editors do nothing else while they wait for that.
  loop_.post([this, id = proposal.id, part = only ? std::optional(*only) : std::nullopt] {
    apply_now(id, part ? &*part : nullptr);
  });
  return {};
}

Result<void> ProposalApplier::check_in_flight(const Proposal& proposal) {
  for (auto flight = in_flight_.begin(); flight != in_flight_.end();) {
    Proposal& other = proposals_.all().at(flight->first);
    const auto from =
        flight->second.undo ? ProposedHunk::State::applied : ProposedHunk::State::pending;
    std::erase_if(flight->second.hunks,
                  [&](size_t index) { return hunk_at(other, index)->state != from; });
    // An edit that is in the text, or can no longer be, is not in flight any more.
    if (flight->second.hunks.empty() && !watches_.contains(flight->first)) {
      flight = in_flight_.erase(flight);
      continue;
    }
    for (const ProposedFile& file : proposal.files) {
      if (std::ranges::any_of(other.files,
                              [&](const auto& one) { return one.name.file == file.name.file; })) {
        return fail(Error::Code::unavailable,
                    "The editor has not yet finished the previous edit of " + file.name.path + ".");
      }
    }
    ++flight;
  }
  return {};
}

void ProposalApplier::apply_now(const std::string& id, const std::vector<size_t>* only) {
  const auto found = proposals_.find(id);
  if (!found) return;
  Proposal& proposal = *found;
  if (const auto free = check_in_flight(proposal); !free) {  // another one was faster
    proposal.message = "Not applied: " + free.error().message;
    return presenter_.notify_user(proposal);
  }
  read_from_disk_again(proposal);
  std::vector<size_t> targets;
  size_t gone = 0;
  for (ProposedFile& file : proposal.files) {
    const Document* document = documents_.find(file.name.file);
    const bool lost = document && (document->lost || !(document->text == file.text));
    for (ProposedHunk& hunk : file.hunks) {
      if (!is_listed(hunk, only)) continue;
      // The final check before the edit is sent: the region must contain what the model saw.
      const bool is_part =
          file.kind == ProposedFile::Kind::remove && hunk.end - hunk.begin != file.text.size();
      const bool holds =
          !is_part && file.text.substr(hunk.begin, hunk.end - hunk.begin) == hunk.old_text;
      if (hunk.state == ProposedHunk::State::pending && (lost || !holds)) {
        hunk.state = ProposedHunk::State::stale;
      }
      if (hunk.state == ProposedHunk::State::pending) targets.push_back(hunk.index);
      if (hunk.state == ProposedHunk::State::stale) ++gone;
    }
  }
  // All or nothing, unless the user chose hunks: what was proposed belongs together.
  if (gone > 0 || targets.empty()) {
    update_state(proposal);
    proposal.message = gone > 0
                           ? fmt::format(
                                 "Not applied: the text of {} changed since the proposal was made. "
                                 "Ask again, or apply the other hunks one by one.",
                                 counted(gone, "hunk"))
                           : std::string("This proposal has nothing left to apply.");
    if (gone > 0 && !only) proposal.state = Proposal::State::stale;
    presenter_.publish(proposal);
    presenter_.notify_user(proposal);
    return;
  }
  if (const auto place = occupied_path(proposal, targets, documents_); !place.empty()) {
    proposal.state = Proposal::State::stale;
    proposal.message = "Not applied: " + place + " exists by now. Ask again.";
    presenter_.publish(proposal);
    presenter_.notify_user(proposal);
    return;
  }
  if (const auto may = check_landings(proposal, &targets); !may) {
    proposal.state = Proposal::State::refused;
    proposal.message = "Not applied: " + may.error().message;
    presenter_.publish(proposal);
    presenter_.notify_user(proposal);
    return;
  }
  // A user who applies single hunks has seen them in their current context.
  if (const std::string place = only ? "" : changed_surroundings(proposal); !place.empty()) {
    proposal.state = Proposal::State::stale;
    proposal.message =
        "Not applied: the text around " + place +
        " has changed since the proposal was made. Ask again, or apply the hunks one by one.";
    presenter_.publish(proposal);
    presenter_.notify_user(proposal);
    return;
  }
  if (applying) applying(proposal);
  Json edit = workspace_edit(proposal, &targets, documents_, client_);
  Watch watch;
  for (ProposedFile& file : proposal.files) {
    file.offered = offer_of(file, &targets);
    watch.expected.emplace_back(file.last_name().file, file.offered->text);
  }
  watch.targets = std::move(targets);
  send_edit(proposal, std::move(edit), std::move(watch));
}

void ProposalApplier::restore(Proposal proposal, bool shown) {
  for (ProposedFile& file : proposal.files) {
    if (const Document* document = documents_.find(file.name.file)) {
      compare_with_now(file, document->text);
    } else if (!file.name.file.is_buffer()) {
      const auto text = read_from_disk(file.name.file.full(), file.name.file.folder);
      compare_with_now(file, text ? *text : Text());
    }
  }
  forget_verification(proposal);
  if (proposal.state == Proposal::State::applying) proposal.state = Proposal::State::ready;
  proposals_.restore(std::move(proposal), shown);
}

Result<std::vector<std::string>> ProposalApplier::undo(const std::string& given) {
  const std::string id = given.empty() ? proposals_.last_applied() : given;
  if (id.empty()) return fail(Error::Code::not_found, "Nothing to undo.");
  const auto found = proposals_.chosen(id, nullptr);
  if (!found) return std::unexpected(found.error());
  Proposal& proposal = **found;
  if (!client_.apply_edit) {
    return fail(Error::Code::unavailable, "This editor cannot apply edits (workspace/applyEdit).");
  }
  if (const auto free = check_in_flight(proposal); !free) return std::unexpected(free.error());
  read_from_disk_again(proposal);
  const auto reverse =
      reverse_of(proposal, [&](const ProposedFile& file) { return is_occupied(file, documents_); });
  if (!reverse) return std::unexpected(reverse.error());
  if (reverse->moves_files && !client_.resource_operations) {
    return fail(Error::Code::unavailable,
                named(proposal) +
                    " cannot be undone: it created, deleted or renamed a file, and this editor "
                    "does not let a server do that (resourceOperations). Undo it by hand.");
  }
  Watch watch;
  watch.undo = true;
  watch.targets = reverse->hunks;
  watch.left_out = reverse->left_out;
  if (auto may = check_landings(reverse->proposal, &watch.targets); !may)
    return std::unexpected(may.error());
  for (size_t i = 0; i < proposal.files.size(); ++i) {
    const ProposedFile& back = reverse->proposal.files[i];
    if (std::ranges::none_of(back.hunks, is_pending)) continue;
    proposal.files[i].offered = offer_of(back, nullptr);
    proposal.files[i].offered->undo = true;
  }
  Json edit = workspace_edit(reverse->proposal, &watch.targets, documents_, client_);
  send_edit(proposal, std::move(edit), std::move(watch));
  return reverse->left_out;
}

void ProposalApplier::send_edit(Proposal& proposal, Json edit, Watch watch) {
  proposal.state = Proposal::State::applying;
  proposal.message.clear();
  presenter_.update(proposal);
  const std::string id = proposal.id;
  in_flight_[id] = {watch.targets, watch.undo};
  watches_[id] = std::move(watch);
  loop_.post_after(kPatience, [this, id, sent = ++sent_] {
    const auto found = watches_.find(id);
    if (found == watches_.end() || found->second.answered || sent != found->second.sent) return;
    decide(id, true);
    if (!watches_.contains(id)) return;
    finish(id, Proposal::State::unknown,
           "The editor has not answered; it may still apply the change.");
  });
  watches_[id].sent = sent_;
  editor_.apply_edit("bodkin: " + proposal.title, std::move(edit),
                     [this, id](const Result<Json>& answer) {
                       const auto found = watches_.find(id);
                       if (found == watches_.end()) {
                         in_flight_.erase(id);
                         return;
                       }
                       found->second.answered = true;
                       found->second.deadline = EventLoop::Clock::now() + kDeadline;
                       if (!answer) {
                         found->second.reason = answer.error().message;
                       } else if (!flag_member(*answer, "applied")) {
                         const std::string why = text_member(*answer, "failureReason");
                         found->second.reason = why.empty() ? "no reason given" : why;
                       }
                       reconsider(id);
                     });
}

}  // namespace bodkin::lsp
