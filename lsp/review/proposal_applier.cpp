// More than 350 lines: the commands on proposals and what an edit that leaves needs are one class.
#include "lsp/review/proposal_applier.h"

#include <algorithm>

#include "lsp/review/landing.h"
#include "lsp/review/made_folders.h"
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
// Text from before the proposal was offered was not made by it (IsOwn).
bool is_nobodys(const ProposedHunk&) { return false; }

// The versions of the documents that these hunks are about, by URI.
Json versions_of(const Proposal& proposal, const std::vector<size_t>& hunks,
                 const Documents& documents) {
  Json versions = Json::object();
  for (const ProposedFile& file : proposal.files) {
    const bool is_taken = has_listed(file, &hunks);
    const Document* document = documents.find(file.name.file);
    if (is_taken && document) versions[documents.uri_of(file.name.file)] = document->version;
  }
  return versions;
}

// Its folder was open when the proposal was made, and is not now.
bool is_elsewhere(const ProposedFile& file, const Documents& documents) {
  const FileInFolder& name = file.name.file;
  return !name.folder.empty() && !documents.find(name) &&
         !documents.roots().find_absolute(name.full());
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
// Decides: how a proposal follows typing.
void ProposalApplier::rebase(Proposal& proposal) {
  record_landings(proposal);
  for (ProposedFile& file : proposal.files) {
    const Document* document = documents_.find(file.name.file);
    if (!document || document->text == file.text) continue;
    track(file, difference(file.text, document->text));
    update_hunks(file, is_nobodys);
    reconsider_verification(proposal, "the text changed");
  }
}

Result<Proposal*> ProposalApplier::editable(const std::string& id,
                                            const std::vector<size_t>* only) {
  auto found = proposals_.chosen(id, only);
  if (found && !client_.apply_edit)
    return fail(Error::Code::unavailable, "This editor cannot apply edits (workspace/applyEdit).");
  if (found)
    if (const auto free = check_in_flight(**found); !free) return std::unexpected(free.error());
  return found;
}

Result<std::vector<std::string>> ProposalApplier::apply(const std::string& given,
                                                        const std::vector<size_t>* only,
                                                        bool is_newest) {
  const auto found = editable(given, only);
  if (!found) return std::unexpected(found.error());
  Proposal& proposal = **found;
  Redo redo;
  const bool is_again = !given.empty() && make_pending_again(proposal, only);
  if (is_again) reconsider_verification(proposal, "other parts of it were chosen");
  if (is_again && !only) {
    read_from_disk_again(proposal, documents_);
    redo = redo_of(
        proposal, [&](const ProposedFile& file) { return is_occupied(file, documents_); },
        [&](const ProposedFile& file) { return is_elsewhere(file, documents_); });
    if (redo.hunks.empty()) redo = {};  // what follows says why
    if (!redo.left_out.empty()) only = &redo.hunks;
  }
  if (const auto why = why_not_applicable(proposal, only))
    return fail(Error::Code::unavailable, *why);
  for (const ProposedFile& file : proposal.files) {
    if (is_elsewhere(file, documents_) && std::ranges::any_of(file.hunks, [&](const auto& hunk) {
          return is_pending(hunk) && is_listed(hunk, only);
        }))
      return fail(Error::Code::unavailable, named(proposal) +
                                                " was not applied: " + file.name.path +
                                                " is in a folder that is not open.");
  }
  // The command is answered first: some editors do nothing else while they wait for that.
  loop_.post([this, id = proposal.id, part = only ? std::optional(*only) : std::nullopt,
              why = redo.why_left_out, which = which(proposal, is_newest)] {
    apply_now(id, part ? &*part : nullptr, why, which);
  });
  return redo.left_out;
}

Result<ProposalApplier::Redone> ProposalApplier::redo(const std::string& given) {
  const std::string id = given.empty() ? proposals_.last_put_aside() : given;
  if (id.empty()) return fail(Error::Code::unavailable, "Nothing to redo.");
  const auto found = proposals_.chosen(id, nullptr);
  if (!found) return std::unexpected(found.error());
  Proposal& proposal = **found;
  using State = ProposedHunk::State;
  // Without an id, only what was put aside last; with one, all of the proposal.
  const std::vector<size_t> last = put_aside_at(proposal, last_put_aside(proposal));
  const std::vector<size_t>* const only = given.empty() ? &last : nullptr;
  std::vector<size_t> undone;
  bool is_all = proposal.count(State::pending) == 0;
  for (const ProposedFile& file : proposal.files) {
    for (const ProposedHunk& hunk : file.hunks) {
      if (hunk.state != State::discarded || !hunk.was_applied) continue;
      is_listed(hunk, only) ? undone.push_back(hunk.index) : void(is_all = false);
    }
  }
  if (!undone.empty()) {
    auto left_out = apply(id, is_all ? nullptr : &undone, given.empty());
    if (!left_out) return std::unexpected(left_out.error());
    return Redone{id, true, *std::move(left_out)};
  }
  const auto is_discarded = [&](size_t index) {
    return hunk_at(proposal, index)->state == State::discarded;
  };
  if (only && std::ranges::none_of(last, is_discarded))  // its text has changed since
    return fail(Error::Code::unavailable, *why_not_applicable(proposal, only));
  if (proposal.count(State::discarded) == 0)
    return fail(
        Error::Code::unavailable,
        named(proposal) +
            (is_undone_on_disk(proposal, documents_)
                 ? " was undone on the disk by another program; the editor's text still has "
                   "it, and brings it back when it is saved."
                 : " was neither undone nor discarded."));
  if (proposal.is_replaced())
    return fail(Error::Code::unavailable, *why_not_applicable(proposal, nullptr));
  for (ProposedFile& file : proposal.files) {
    for (ProposedHunk& hunk : file.hunks) {
      if (hunk.state != State::discarded || !is_listed(hunk, only)) continue;
      hunk.state = State::pending;  // unless its text has changed since
      hunk.touched = true;
      hunk.put_aside = 0;
    }
  }
  read_from_disk_again(proposal, documents_);
  for (ProposedFile& file : proposal.files) {  // which were not followed meanwhile
    const Document* document = documents_.find(file.name.file);
    if (document && !(document->text == file.text))
      track(file, difference(file.text, document->text));
    update_hunks(file, is_nobodys);
  }
  reconsider_verification(proposal, "a part of it was proposed again");
  proposal.state = Proposal::State::ready;
  update_state(proposal);
  proposal.message = proposal.is_open() ? "Proposed again." : "";
  if (proposals_.changed) proposals_.changed(proposal);
  if (const auto why = why_not_applicable(proposal, nullptr); why && !proposal.is_open())
    return fail(Error::Code::unavailable, *why);
  return Redone{.id = id};
}

bool ProposalApplier::is_in_open_file(const Proposal& proposal) const {
  return std::ranges::any_of(proposal.files, [&](const ProposedFile& file) {
    return documents_.find(file.name.file) &&
           std::ranges::count(file.hunks, ProposedHunk::State::applied, &ProposedHunk::state) > 0;
  });
}

void ProposalApplier::bring_up_to_date(const std::string& id, const Proposal* kept) {
  using State = ProposedHunk::State;
  Proposal* const proposal = proposals_.find(id);
  if (!proposal || proposal->state == Proposal::State::applying || !proposal->is_kept) return;
  const auto counts = [&] {
    return std::pair(proposal->count(State::applied), proposal->count(State::discarded));
  };
  const auto before = counts();
  const bool was_in_place = proposal->is_in_place();
  const auto each_undone = [&](const auto& take) {
    for (const ProposedFile& file : kept ? kept->files : std::vector<ProposedFile>())
      for (const ProposedHunk& then : file.hunks)
        if (ProposedHunk* const now = hunk_at(*proposal, then.index);
            now && now->state == State::discarded && now->was_applied)
          take(then, *now);
  };
  each_undone([](const ProposedHunk& then, ProposedHunk& now) {
    if (then.state == State::applied) now.put_aside = 0;  // done again, if the text says so, too
  });
  read_from_disk_again(*proposal, documents_);
  each_undone([](const ProposedHunk& then, ProposedHunk& now) {
    if (now.put_aside == 0) now.put_aside = then.put_aside;
  });
  if (counts() == before) return;
  reconsider_verification(*proposal, "the text changed");
  update_state(*proposal);
  const bool is_undone = was_in_place && !proposal->is_in_place();
  proposal->message = is_undone ? "Undone by another program." : "";
  presenter_.update(*proposal);
  if (is_undone && undone) undone(*proposal);
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

void ProposalApplier::apply_now(const std::string& id, const std::vector<size_t>* only,
                                const std::string& why_left_out, const std::string& which) {
  const auto found = proposals_.find(id);
  if (!found) return;
  Proposal& proposal = *found;
  if (const auto free = check_in_flight(proposal); !free) {  // another one was faster
    proposal.message = "Not applied: " + free.error().message;
    return presenter_.notify_user(proposal);
  }
  auto targets = final_check(proposal, only, documents_);
  if (!targets) {
    take(proposal, targets.error());
    return presenter_.notify_user(proposal);
  }
  note_made_folders(proposal, *targets);
  if (applying) applying(proposal);
  Json edit = workspace_edit(proposal, &*targets, documents_, client_);
  Watch watch;
  for (ProposedFile& file : proposal.files) {
    file.offered = offer_of(file, &*targets);
    // An editor may close a file that it has deleted only later, and until then has its old text.
    const bool is_going = file.kind == ProposedFile::Kind::remove && file.offered->text == Text();
    if (!is_going) watch.expected.emplace_back(file.last_name().file, file.offered->text);
  }
  watch.targets = *std::move(targets);
  watch.why_left_out = why_left_out;
  watch.which = which;
  send_edit(proposal, std::move(edit), std::move(watch));
}

void ProposalApplier::take(Proposal& proposal, const NotSent& why) {
  update_state(proposal);
  if (why.state) proposal.state = *why.state;
  proposal.message = why.message;
  presenter_.publish(proposal);
}

Result<Json> ProposalApplier::edit_of(const std::string& id, const std::vector<size_t>* only) {
  Proposal* const proposal = proposals_.find(id);
  if (!proposal || !proposal->is_open())
    return fail(Error::Code::unavailable, "This proposal has nothing left to apply.");
  if (const auto free = check_in_flight(*proposal); !free) return std::unexpected(free.error());
  const auto hunks = final_check(*proposal, only, documents_);
  if (!hunks) {
    take(*proposal, hunks.error());
    presenter_.update(*proposal);
    return fail(Error::Code::stale, hunks.error().message);
  }
  note_made_folders(*proposal, *hunks);
  return workspace_edit(*proposal, &*hunks, documents_, client_);
}

void ProposalApplier::restore(Proposal proposal, bool shown) {
  // The text that was kept is the one that was verified, unless that was outdated by then. What
  // servers found depends on files that nobody has watched meanwhile.
  if (proposal.verification.by_servers && proposal.verification.outdated.empty())
    proposal.verification.outdated = "a restart";
  if (proposal.verification.outdated.empty()) proposal.verified_content = content_of(proposal);
  for (ProposedFile& file : proposal.files) {
    const std::vector<ProposedHunk> then = file.hunks;
    if (const Document* document = documents_.find(file.name.file))
      compare_with_now(file, document->text);
    else if (!file.name.file.is_buffer())
      compare_with_now(
          file, read_from_disk(file.name.file.full(), file.name.file.folder).value_or(Text()));
    for (size_t i = 0; i < then.size(); ++i)  // what was on its way has come
      file.hunks[i].is_offered &= file.hunks[i].state == then[i].state;
  }
  reconsider_verification(proposal, "the text changed");
  proposals_.restore(std::move(proposal), shown);
}

Result<std::vector<std::string>> ProposalApplier::undo(const std::string& given, bool is_newest) {
  const std::string id = given.empty() ? proposals_.last_applied() : given;
  if (id.empty()) return fail(Error::Code::not_found, "Nothing to undo.");
  const auto found = editable(id, nullptr);
  if (!found) return std::unexpected(found.error());
  Proposal& proposal = **found;
  read_from_disk_again(proposal, documents_);
  const auto reverse = reverse_of(
      proposal, [&](const ProposedFile& file) { return is_occupied(file, documents_); },
      [&](const ProposedFile& file) { return is_elsewhere(file, documents_); });
  if (!reverse) return std::unexpected(reverse.error());
  if (reverse->moves_files && !client_.resource_operations) {
    std::vector<std::string> moved;
    for (const ProposedFile& file : reverse->proposal.files)
      if (file.kind != ProposedFile::Kind::update || file.moved_to) moved.push_back(file.name.path);
    return fail(Error::Code::unavailable,
                "Cannot undo “" + proposal.title + "”: " + in_words(moved) +
                    (moved.size() == 1 ? " was" : " were") +
                    " created, deleted or renamed, which this editor does not let a server do "
                    "(resourceOperations). Undo it by hand.");
  }
  Watch watch;
  watch.undo = true;
  watch.targets = reverse->hunks;
  watch.why_left_out = reverse->why_left_out;
  watch.which = which(proposal, is_newest);
  if (auto may = check_landings(reverse->proposal, &watch.targets); !may)
    return std::unexpected(may.error());
  if (auto why = why_no_places(reverse->proposal, watch.targets, documents_); !why.empty())
    return fail(Error::Code::stale, "Cannot undo “" + proposal.title + "”: " + why + ".");
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
  set_offered(proposal, &watch.targets, true);
  if (offering) offering(proposal);
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
                     versions_of(proposal, watches_[id].targets, documents_),
                     [this, id](const Result<Json>& answer) {
                       const auto found = watches_.find(id);
                       if (found == watches_.end()) {
                         in_flight_.erase(id);
                         if (Proposal* const late = proposals_.find(id))
                           set_offered(*late, nullptr, false);
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
