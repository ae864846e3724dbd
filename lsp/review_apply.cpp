// The apply of a proposal: the last look before the edit leaves, and the watch until the texts say
// what came of it.
#include <fmt/format.h>

#include <algorithm>

#include "lsp/disk.h"
#include "lsp/review.h"
#include "lsp/uri.h"
#include "lsp/workspace_edit.h"

namespace bodkin::lsp {

namespace {

using namespace std::chrono_literals;

// Clients hold changes back (eglot 500 ms after the last command) and split them.
constexpr auto kQuiet = 1200ms;
constexpr auto kDeadline = 5000ms;   // after the answer
constexpr auto kPatience = 10000ms;  // for the answer: some editors ask the person first

}  // namespace

ProposedHunk* Review::hunk_at(Proposal& proposal, size_t index) {
  for (ProposedFile& file : proposal.files) {
    for (ProposedHunk& hunk : file.hunks) {
      if (hunk.index == index) return &hunk;
    }
  }
  return nullptr;
}

// Files that the editor has not open may have changed without a word.
void Review::read_from_disk_again(Proposal& proposal) {
  for (ProposedFile& file : proposal.files) {
    if (documents_.find(file.uri)) continue;
    const auto place = path_of_uri(file.uri);
    if (!place) continue;
    const auto text = read_from_disk(*place, "");
    const Text now = text ? *text : Text();
    if (now == file.text) continue;
    track(file, difference(file.text, now));
    settle(file);
  }
}

Result<void> Review::apply(const std::string& given, const std::vector<size_t>* only) {
  const auto found = chosen(given);
  if (!found) return std::unexpected(found.error());
  if ((*found)->state == Proposal::State::applying) {
    return fail(Error::Code::unavailable, "This proposal is being applied.");
  }
  if ((*found)->state == Proposal::State::discarded) {
    return fail(Error::Code::unavailable, "This proposal was discarded.");
  }
  if (!client_.apply_edit) {
    return fail(Error::Code::unavailable, "This editor cannot apply edits (workspace/applyEdit).");
  }
  if (const auto free = check_in_flight(**found); !free) return free;
  // The command is answered first: some editors do nothing else while they wait for that.
  loop_.post([this, id = (*found)->id, part = only ? std::optional(*only) : std::nullopt] {
    apply_now(id, part ? &*part : nullptr);
  });
  return {};
}

Result<void> Review::check_in_flight(const Proposal& proposal) {
  for (auto flight = in_flight_.begin(); flight != in_flight_.end();) {
    Proposal& other = proposals_.at(flight->first);
    std::erase_if(flight->second, [&](size_t index) {
      return hunk_at(other, index)->state != ProposedHunk::State::pending;
    });
    // What is in the text, or can never be, is not on its way any more.
    if (flight->second.empty() && !watches_.contains(flight->first)) {
      flight = in_flight_.erase(flight);
      continue;
    }
    for (const ProposedFile& file : proposal.files) {
      if (std::ranges::any_of(other.files, [&](const auto& one) { return one.uri == file.uri; })) {
        return fail(Error::Code::unavailable,
                    "The editor has not finished the last edit of " + file.path + " yet.");
      }
    }
    ++flight;
  }
  return {};
}

void Review::apply_now(const std::string& id, const std::vector<size_t>* only) {
  const auto found = proposals_.find(id);
  if (found == proposals_.end()) return;
  Proposal& proposal = found->second;
  if (!check_in_flight(proposal)) return;  // another one was faster
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
                                 "Ask again, or take the other hunks one by one.",
                                 counted(gone, "hunk"))
                           : std::string("There is nothing left to apply in this proposal.");
    if (gone > 0 && !only) proposal.state = Proposal::State::stale;
    publish_all(proposal);
    tell(proposal, true);
    return;
  }
  if (applying) applying(proposal);
  Json edit = workspace_edit(proposal, &targets, documents_, client_);
  Watch watch;
  for (ProposedFile& file : proposal.files) {
    file.offered = offer_of(file, &targets);
    watch.expected[file.moved_to.value_or(file.path)] = file.offered->text;
  }
  watch.targets = std::move(targets);
  send_edit(proposal, std::move(edit), std::move(watch));
}

Result<void> Review::undo(const std::string& id) {
  const auto found = chosen(id);
  if (!found) return std::unexpected(found.error());
  Proposal& proposal = **found;
  if (proposal.state == Proposal::State::applying) {
    return fail(Error::Code::unavailable, "This proposal is being applied.");
  }
  // The reverse edit is the proposal with the sides changed, where the new text still stands.
  Proposal reverse = proposal;
  Watch watch;
  watch.undo = true;
  for (ProposedFile& file : reverse.files) {
    if (file.kind != ProposedFile::Kind::update || file.moved_to) {
      return fail(Error::Code::unavailable,
                  "A file was created, removed or renamed: undo that in the editor.");
    }
    for (ProposedHunk& hunk : file.hunks) {
      const bool is_applied = hunk.state == ProposedHunk::State::applied;
      std::swap(hunk.old_text, hunk.new_text);
      hunk.state = is_applied ? ProposedHunk::State::pending : ProposedHunk::State::discarded;
      if (!is_applied) continue;
      if (file.text.substr(hunk.begin, hunk.end - hunk.begin) != hunk.old_text) {
        return fail(Error::Code::stale, "The text was changed since: undo it in the editor.");
      }
      watch.targets.push_back(hunk.index);
    }
  }
  if (watch.targets.empty()) {
    return fail(Error::Code::unavailable, "Nothing of this proposal was applied.");
  }
  if (const auto free = check_in_flight(proposal); !free) return free;
  send_edit(proposal, workspace_edit(reverse, nullptr, documents_, client_), std::move(watch));
  return {};
}

void Review::send_edit(Proposal& proposal, Json edit, Watch watch) {
  proposal.state = Proposal::State::applying;
  proposal.message.clear();
  tell(proposal, false);
  const std::string id = proposal.id;
  in_flight_[id] = watch.targets;
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
                         found->second.reason = why.empty() ? "no reason was given" : why;
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
  const auto wanted = watch.undo ? ProposedHunk::State::pending : ProposedHunk::State::applied;
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
    if (watch.undo) return finish(id, Proposal::State::ready, "Undone.");
    const bool is_exact = std::ranges::all_of(watch.expected, [&](const auto& entry) {
      const Document* document = documents_.find_path(entry.first);
      return !document || document->text == entry.second;
    });
    return finish(id, Proposal::State::applied,
                  is_exact ? "Applied." : "Applied, and the text was changed besides: look at it.");
  }
  if (!at_the_end || !watch.answered) return;
  if (done > 0) {
    return finish(id, Proposal::State::partly,
                  fmt::format("{} of {} are in place.", done, counted(all, "hunk")));
  }
  if (!reason.empty()) {
    return finish(id, stale > 0 ? Proposal::State::stale : Proposal::State::refused,
                  "The editor did not apply it: " + reason + ".");
  }
  if (stale > 0) {
    return finish(id, Proposal::State::stale,
                  "The text is not as it was proposed: it was changed at the same time, or the "
                  "editor placed the edit elsewhere. Look at it, or undo it.");
  }
  if (unopened) {
    return finish(id, Proposal::State::unknown,
                  "The editor says that it applied the change, but the files are neither open nor "
                  "changed on disk: they may be unsaved.");
  }
  finish(id, Proposal::State::refused,
         "The editor said that it applied the change, but the text did not change.");
}

// Files that the editor has not open: what the disk says, if it saved them at once.
void Review::read_unopened(Proposal& proposal) {
  for (ProposedFile& file : proposal.files) {
    if (!file.offered || documents_.find(file.uri)) continue;
    const auto place = path_of_uri(file.moved_to_uri.value_or(file.uri));
    const auto text =
        place ? read_from_disk(*place, "") : Result<Text>(fail(Error::Code::not_found, ""));
    const bool is_gone = file.kind == ProposedFile::Kind::remove && !text;
    if (!is_gone && !(text && *text == file.offered->text)) continue;
    if (text) file.text = *text;
    if (is_gone) file.text = Text();
    file.offered->text = file.text;
    if (file.moved_to) adopt_new_name(file);
    settle(file);
  }
}

void Review::finish(const std::string& id, Proposal::State state, const std::string& message) {
  if (watches_.at(id).answered) in_flight_.erase(id);
  watches_.erase(id);
  Proposal& proposal = proposals_.at(id);
  proposal.state = state;
  proposal.message = message;
  for (ProposedFile& file : proposal.files) file.offered.reset();
  // Taking a part of it: the rest can still be taken.
  if (state == Proposal::State::applied && proposal.count(ProposedHunk::State::pending) > 0) {
    proposal.state = Proposal::State::partly;
  }
  publish_all(proposal);
  tell(proposal, true);
  if (state == Proposal::State::applied && applied) applied(proposal);
}

void Review::look_soon() {
  std::vector<std::string> ids;
  for (const auto& [id, watch] : watches_) ids.push_back(id);
  for (const std::string& id : ids) stir(id);
}

}  // namespace bodkin::lsp
