// The apply of a proposal: the last look before the edit leaves, and the watch until the texts say
// what came of it.
#include <fmt/format.h>

#include <algorithm>

#include "agent/rpc/uri.h"
#include "lsp/review/review.h"
#include "lsp/review/workspace_edit.h"
#include "lsp/workspace/disk.h"
#include "lsp/workspace/edit_place.h"

namespace bodkin::lsp {

namespace {

using namespace std::chrono_literals;

// Clients hold changes back (eglot 500 ms after the last command) and split them.
constexpr auto kQuiet = 1200ms;
constexpr auto kDeadline = 5000ms;   // after the answer
constexpr auto kPatience = 10000ms;  // for the answer: some editors ask the person first

// Why nothing of it, or of these hunks, can be applied, for the person. Nothing: it can.
std::optional<std::string> why_not(const Proposal& proposal, const std::vector<size_t>* only) {
  using State = ProposedHunk::State;
  size_t pending = 0, applied = 0, stale = 0, undone = 0;
  for (const ProposedFile& file : proposal.files) {
    for (const ProposedHunk& hunk : file.hunks) {
      if (only && std::ranges::find(*only, hunk.index) == only->end()) continue;
      pending += hunk.state == State::pending;
      applied += hunk.state == State::applied;
      stale += hunk.state == State::stale;
      undone += hunk.state == State::discarded && hunk.was_applied;
    }
  }
  const std::string it = (only ? "This part of " : "") + named(proposal);
  if (stale > 0) {
    return it + " was not applied: the text it would replace has changed. Ask again" +
           (pending > 0 ? ", or apply the other hunks one by one." : ".");
  }
  if (pending > 0) return std::nullopt;
  if (applied > 0) return it + " was already applied.";
  if (undone > 0) return it + " was undone; to apply it again, give its id, " + proposal.id + ".";
  return it + " was discarded" +
         (proposal.message.starts_with("Replaced") ? ": " + proposal.message : ".");
}

// The first pending hunk that no longer stands in the block that the model saw: its new text is made
// for that ("def area(r):"). Or "".
std::string changed_round(const Proposal& proposal) {
  for (const ProposedFile& file : proposal.files) {
    if (file.kind != ProposedFile::Kind::update) continue;
    for (const ProposedHunk& hunk : file.hunks) {
      if (hunk.state != ProposedHunk::State::pending || hunk.is_between(file.text)) continue;
      return fmt::format("line {} of {}", file.text.line_of(hunk.begin) + 1, file.path);
    }
  }
  return "";
}

bool is_pending(const ProposedHunk& hunk) { return hunk.state == ProposedHunk::State::pending; }

// A file that stands where one is to be created, or renamed to; or "".
std::string taken_place(const Proposal& proposal, const Documents& documents) {
  for (const ProposedFile& file : proposal.files) {
    if (std::ranges::none_of(file.hunks, is_pending)) continue;
    const bool creates = file.kind == ProposedFile::Kind::create;
    if (!creates && !file.moved_to) continue;
    const std::string& uri = creates ? file.uri : *file.moved_to_uri;
    const Document* document = documents.find(uri);
    const auto place = path_of_uri(uri);
    const bool is_there = place && read_from_disk(*place, "").has_value();
    if (is_there || (document && document->text.size() > 0)) {
      return creates ? file.path : *file.moved_to;
    }
  }
  return "";
}

}  // namespace

// Files that the editor has not open may have changed without a word.
void Review::read_from_disk_again(Proposal& proposal) {
  for (ProposedFile& file : proposal.files) {
    if (documents_.find(file.uri)) continue;
    const auto place = path_of_uri(file.uri);
    if (!place) continue;
    const auto text = read_from_disk(*place, file.folder);
    const Text now = text ? *text : Text();
    if (now == file.text) continue;
    track(file, difference(file.text, now));
    settle(file);
  }
}

Result<void> Review::apply(const std::string& given, const std::vector<size_t>* only) {
  const auto found = chosen(given, only);
  if (!found) return std::unexpected(found.error());
  Proposal& proposal = **found;
  if (!client_.apply_edit) {
    return fail(Error::Code::unavailable, "This editor cannot apply edits (workspace/applyEdit).");
  }
  if (const auto free = check_in_flight(proposal); !free) return free;
  if (!given.empty()) revive(proposal, only);
  if (const auto why = why_not(proposal, only)) return fail(Error::Code::unavailable, *why);
  // The command is answered first: some editors do nothing else while they wait for that.
  loop_.post([this, id = proposal.id, part = only ? std::optional(*only) : std::nullopt] {
    apply_now(id, part ? &*part : nullptr);
  });
  return {};
}

void Review::revive(Proposal& proposal, const std::vector<size_t>* only) {
  if (!only && proposal.state != Proposal::State::discarded) return;
  bool revived = false;
  for (ProposedFile& file : proposal.files) {
    for (ProposedHunk& hunk : file.hunks) {
      if (only && std::ranges::find(*only, hunk.index) == only->end()) continue;
      if (hunk.state != ProposedHunk::State::discarded || !hunk.was_applied) continue;
      hunk.state = ProposedHunk::State::pending;  // apply_now looks whether it holds its old text
      hunk.was_applied = false;
      revived = true;
    }
  }
  if (!revived) return;
  proposal.state = Proposal::State::ready;
  update_state(proposal);
}

Result<void> Review::check_in_flight(const Proposal& proposal) {
  for (auto flight = in_flight_.begin(); flight != in_flight_.end();) {
    Proposal& other = proposals_.at(flight->first);
    const auto from =
        flight->second.undo ? ProposedHunk::State::applied : ProposedHunk::State::pending;
    std::erase_if(flight->second.hunks,
                  [&](size_t index) { return hunk_at(other, index)->state != from; });
    // What is in the text, or can never be, is not on its way any more.
    if (flight->second.hunks.empty() && !watches_.contains(flight->first)) {
      flight = in_flight_.erase(flight);
      continue;
    }
    for (const ProposedFile& file : proposal.files) {
      if (std::ranges::any_of(other.files, [&](const auto& one) { return one.uri == file.uri; })) {
        return fail(Error::Code::unavailable,
                    "The editor has not yet finished the previous edit of " + file.path + ".");
      }
    }
    ++flight;
  }
  return {};
}

// Where an edit of the file lands now, below its folder.
Result<std::string> Review::landing(const ProposedFile& file, const std::string& uri) const {
  const auto absolute = path_of_uri(uri);
  const std::string below = file.folder == "/" ? "/" : file.folder + "/";
  if (file.folder.empty() || !absolute || !absolute->starts_with(below)) {
    return fail(Error::Code::invalid_input, file.path + " is not in a workspace folder.");
  }
  const bool in_place = file.kind == ProposedFile::Kind::update && !file.moved_to_uri;
  auto place = edit_place(file.folder, absolute->substr(below.size()), in_place);
  if (!place) return std::unexpected(place.error());
  return std::move(place->resolved);
}

Result<void> Review::check_places(const Proposal& proposal, const std::vector<size_t>* only) const {
  for (const ProposedFile& file : proposal.files) {
    if (is_untitled(file.uri)) continue;
    const bool is_taken = std::ranges::any_of(file.hunks, [&](const ProposedHunk& hunk) {
      return !only || std::ranges::find(*only, hunk.index) != only->end();
    });
    if (!is_taken) continue;
    const auto now = landing(file, file.uri);
    if (!now) return std::unexpected(now.error());
    if (*now != file.lands) {
      return fail(Error::Code::invalid_input,
                  file.path + " no longer points to the file that the edit was proposed for.");
    }
    if (!file.moved_to_uri) continue;
    const auto target = landing(file, *file.moved_to_uri);
    if (!target) return std::unexpected(target.error());
    if (*target != file.other_lands) {
      return fail(Error::Code::invalid_input,
                  *file.moved_to + " no longer points to the file that the edit was proposed for.");
    }
  }
  return {};
}

void Review::apply_now(const std::string& id, const std::vector<size_t>* only) {
  const auto found = proposals_.find(id);
  if (found == proposals_.end()) return;
  Proposal& proposal = found->second;
  if (const auto free = check_in_flight(proposal); !free) {  // another one was faster
    proposal.message = "Not applied: " + free.error().message;
    return tell(proposal, true);
  }
  read_from_disk_again(proposal);
  std::vector<size_t> targets;
  size_t gone = 0;
  for (ProposedFile& file : proposal.files) {
    const Document* document = documents_.find(file.uri);
    const bool lost = document && (document->lost || !(document->text == file.text));
    for (ProposedHunk& hunk : file.hunks) {
      if (only && std::ranges::find(*only, hunk.index) == only->end()) continue;
      // The last look before the edit leaves: the region must hold what the model saw.
      const bool holds = file.text.substr(hunk.begin, hunk.end - hunk.begin) == hunk.old_text;
      if (hunk.state == ProposedHunk::State::pending && (lost || !holds)) {
        hunk.state = ProposedHunk::State::stale;
      }
      if (hunk.state == ProposedHunk::State::pending) targets.push_back(hunk.index);
      if (hunk.state == ProposedHunk::State::stale) ++gone;
    }
  }
  // All or nothing, unless the person chose hunks: what was proposed belongs together.
  if (gone > 0 || targets.empty()) {
    update_state(proposal);
    proposal.message = gone > 0
                           ? fmt::format(
                                 "Not applied: the text of {} changed since the proposal was made. "
                                 "Ask again, or apply the other hunks one by one.",
                                 counted(gone, "hunk"))
                           : std::string("This proposal has nothing left to apply.");
    if (gone > 0 && !only) proposal.state = Proposal::State::stale;
    publish_all(proposal);
    tell(proposal, true);
    return;
  }
  if (const auto may = check_places(proposal, &targets); !may) {
    proposal.state = Proposal::State::refused;
    proposal.message = "Not applied: " + may.error().message;
    publish_all(proposal);
    tell(proposal, true);
    return;
  }
  // Who takes single hunks has looked at them as they are now.
  if (const std::string place = only ? "" : changed_round(proposal); !place.empty()) {
    proposal.state = Proposal::State::stale;
    proposal.message =
        "Not applied: the text around " + place +
        " has changed since the proposal was made. Ask again, or apply the hunks one by one.";
    publish_all(proposal);
    tell(proposal, true);
    return;
  }
  if (applying) applying(proposal);
  Json edit = workspace_edit(proposal, &targets, documents_, client_);
  Watch watch;
  for (ProposedFile& file : proposal.files) {
    file.offered = offer_of(file, &targets);
    watch.expected[file.moved_to_uri.value_or(file.uri)] = file.offered->text;
  }
  watch.targets = std::move(targets);
  send_edit(proposal, std::move(edit), std::move(watch));
}

Result<void> Review::undo(const std::string& given) {
  std::string id = given;
  if (id.empty()) {
    uint64_t last = 0;
    for (const auto& [each, proposal] : proposals_) {
      if (proposal.applied_at <= last || proposal.count(ProposedHunk::State::applied) == 0)
        continue;
      last = proposal.applied_at;
      id = each;
    }
    if (id.empty()) return fail(Error::Code::not_found, "Nothing to undo.");
  }
  const auto found = chosen(id, nullptr);
  if (!found) return std::unexpected(found.error());
  Proposal& proposal = **found;
  if (!client_.apply_edit) {
    return fail(Error::Code::unavailable, "This editor cannot apply edits (workspace/applyEdit).");
  }
  if (const auto free = check_in_flight(proposal); !free) return free;
  read_from_disk_again(proposal);
  const auto reverse = reverse_of(proposal);
  if (!reverse) return std::unexpected(reverse.error());
  if (reverse->moves_files && !client_.resource_operations) {
    return fail(Error::Code::unavailable,
                named(proposal) +
                    " cannot be undone: it created, deleted or renamed a file, and this editor "
                    "does not let a server do that (resourceOperations). Undo it by hand.");
  }
  if (const auto place = taken_place(reverse->proposal, documents_); !place.empty()) {
    return fail(Error::Code::stale,
                named(proposal) + " cannot be undone: " + place + " exists again.");
  }
  Watch watch;
  watch.undo = true;
  watch.targets = reverse->hunks;
  if (auto may = check_places(reverse->proposal, &watch.targets); !may) return may;
  for (size_t i = 0; i < proposal.files.size(); ++i) {
    const ProposedFile& back = reverse->proposal.files[i];
    if (std::ranges::none_of(back.hunks, is_pending)) continue;
    proposal.files[i].offered = offer_of(back, nullptr);
    proposal.files[i].offered->undo = true;
  }
  Json edit = workspace_edit(reverse->proposal, &watch.targets, documents_, client_);
  send_edit(proposal, std::move(edit), std::move(watch));
  return {};
}

void Review::send_edit(Proposal& proposal, Json edit, Watch watch) {
  proposal.state = Proposal::State::applying;
  proposal.message.clear();
  tell(proposal, false);
  const std::string id = proposal.id;
  in_flight_[id] = {watch.targets, watch.undo};
  watches_[id] = std::move(watch);
  loop_.post_after(kPatience, [this, id, sent = ++sent_] {
    const auto found = watches_.find(id);
    if (found == watches_.end() || found->second.answered || sent != found->second.sent) return;
    look(id, true);
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
                       stir(id);
                     });
}

// Something happened that may decide an apply: looks now, and once more when it was quiet.
void Review::stir(const std::string& id) {
  const auto found = watches_.find(id);
  if (found == watches_.end()) return;
  Watch& watch = found->second;
  const uint64_t now = ++watch.stirred;
  look(id, !watch.reason.empty());
  if (!watches_.contains(id)) return;
  const auto left = watch.answered ? std::chrono::duration_cast<std::chrono::milliseconds>(
                                         watch.deadline - EventLoop::Clock::now())
                                   : std::chrono::milliseconds(kQuiet);
  loop_.post_after(std::clamp(left, 0ms, std::chrono::milliseconds(kQuiet)), [this, id, now] {
    const auto again = watches_.find(id);
    if (again != watches_.end() && again->second.stirred == now) look(id, true);
  });
}

void Review::look(const std::string& id, bool at_the_end) {
  Proposal& proposal = proposals_.at(id);
  Watch& watch = watches_.at(id);
  const auto wanted = watch.undo ? ProposedHunk::State::discarded : ProposedHunk::State::applied;
  if (watch.answered) read_unopened(proposal);
  size_t done = 0, stale = 0;
  bool unopened = false;
  for (const size_t index : watch.targets) {
    const ProposedHunk* hunk = hunk_at(proposal, index);
    if (hunk->state == wanted) ++done;
    if (hunk->state == ProposedHunk::State::stale) ++stale;
  }
  for (const ProposedFile& file : proposal.files) {
    if (file.offered && !documents_.find(file.uri)) unopened = true;
  }
  const size_t all = watch.targets.size();
  const std::string reason = watch.reason;
  if (done == all && (watch.answered || at_the_end)) {
    if (watch.undo) return finish(id, std::nullopt, "Undone.");
    const bool is_exact = std::ranges::all_of(watch.expected, [&](const auto& entry) {
      const Document* document = documents_.find(entry.first);
      return !document || document->text == entry.second;
    });
    return finish(id, Proposal::State::applied,
                  is_exact ? "Applied." : "Applied, but the text has other changes too. Check it.");
  }
  if (!at_the_end || !watch.answered) return;
  if (watch.undo) {
    return finish(id, std::nullopt,
                  done > 0 ? fmt::format("Only {} of {} were undone.", done, counted(all, "hunk"))
                  : !reason.empty() ? "The editor did not undo the edit: " + reason + "."
                                    : "Not undone: the text is not what it was before. Check it.");
  }
  if (done > 0) {
    return finish(id, Proposal::State::partly,
                  fmt::format("Only {} of {} were applied.", done, counted(all, "hunk")));
  }
  if (!reason.empty()) {
    return finish(id, stale > 0 ? Proposal::State::stale : Proposal::State::refused,
                  "The editor did not apply the edit: " + reason + ".");
  }
  if (stale > 0) {
    return finish(id, Proposal::State::stale,
                  "The text is not what was proposed: it was changed at the same time, or the "
                  "editor placed the edit elsewhere. Check it, or undo it.");
  }
  if (unopened) {
    return finish(id, Proposal::State::unknown,
                  "The editor reported success, but the files are neither open nor changed on "
                  "disk; they may be unsaved.");
  }
  finish(id, Proposal::State::refused, "The editor reported success, but the text did not change.");
}

// Files that the editor has not open: what the disk says, if it saved them at once.
void Review::read_unopened(Proposal& proposal) {
  using Kind = ProposedFile::Kind;
  for (ProposedFile& file : proposal.files) {
    if (!file.offered || documents_.find(file.uri)) continue;
    const bool undo = file.offered->undo;
    const auto& other_uri = undo ? file.moved_from_uri : file.moved_to_uri;
    const auto place = path_of_uri(other_uri.value_or(file.uri));
    const auto text = place ? read_from_disk(*place, file.folder)
                            : Result<Text>(fail(Error::Code::not_found, ""));
    const bool is_gone = file.kind == (undo ? Kind::create : Kind::remove) && !text;
    if (!is_gone && !(text && *text == file.offered->text)) continue;
    if (text) file.text = *text;
    if (is_gone) file.text = Text();
    file.offered->text = file.text;
    if (!undo && file.moved_to) adopt_new_name(file);
    if (undo && file.moved_from) adopt_old_name(file);
    settle(file);
  }
}

void Review::finish(const std::string& id, std::optional<Proposal::State> state,
                    const std::string& message) {
  const Watch watch = std::move(watches_.at(id));
  if (watch.answered) in_flight_.erase(id);
  watches_.erase(id);
  Proposal& proposal = proposals_.at(id);
  for (ProposedFile& file : proposal.files) {
    file.offered.reset();
    if (watch.undo || state == Proposal::State::applied) continue;
    // What the editor itself took back is no refusal of the person's.
    for (ProposedHunk& hunk : file.hunks) {
      if (hunk.state != ProposedHunk::State::discarded || !hunk.was_applied) continue;
      if (std::ranges::find(watch.targets, hunk.index) == watch.targets.end()) continue;
      hunk.state = ProposedHunk::State::pending;
      hunk.was_applied = false;
    }
  }
  proposal.state = state.value_or(Proposal::State::ready);
  if (!state) update_state(proposal);
  proposal.message = message;
  // Taking a part of it: the rest can still be taken.
  if (state == Proposal::State::applied && proposal.count(ProposedHunk::State::pending) > 0) {
    proposal.state = Proposal::State::partly;
  }
  const bool is_in_place = proposal.count(ProposedHunk::State::applied) > 0;
  if (!watch.undo && is_in_place) proposal.applied_at = ++applied_count_;
  publish_all(proposal);
  tell(proposal, true);
  if (watch.undo && !is_in_place && undone) undone(proposal);
  if (state == Proposal::State::applied) {
    if (applied) applied(proposal);
  } else if (not_applied) {
    not_applied(id);
  }
}

void Review::look_soon() {
  std::vector<std::string> ids;
  for (const auto& [id, watch] : watches_) ids.push_back(id);
  for (const std::string& id : ids) stir(id);
}

}  // namespace bodkin::lsp
