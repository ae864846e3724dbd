// How ProposalApplier learns the outcome of an edit: from the texts that the editor sends back, and
// for files that it has not open from the disk. `applied: true` alone is not believed
// (lsp/README.md, "Facts").
//
// More than 350 lines: reading a text and what that means for an apply are one decision.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <tuple>

#include "agent/support/shown_text.h"
#include "lsp/review/made_folders.h"
#include "lsp/review/proposal_applier.h"
#include "lsp/sessions/formatting.h"
#include "lsp/sessions/hunk_tracking.h"
#include "lsp/sessions/proposal_record.h"
#include "lsp/workspace/disk.h"

namespace bodkin::lsp {

namespace {

using namespace std::chrono_literals;

// Clients delay changes (eglot: 500 ms after the last command) and split them.
constexpr auto kQuiet = 1200ms;

// The editor's own undo took back the changes of this file: says what is in place elsewhere.
std::string undone_in_words(const Proposal& proposal, const ProposedFile& here) {
  using State = ProposedHunk::State;
  std::vector<std::string> others;
  for (const ProposedFile& file : proposal.files) {
    const bool is_changed = std::ranges::any_of(
        file.hunks, [](const ProposedHunk& hunk) { return hunk.state == State::applied; });
    if (is_changed && &file == &here) return "";
    if (is_changed) others.push_back(file.name.path + " is still changed");
    if (file.moved_from && &file == &here)
      others.push_back("it is still renamed from " + file.moved_from->path);
  }
  if (others.empty()) return "";
  return "Undone only in " + here.name.path + "; " + in_words(others) + ".";
}

// True if nothing is left under the old name of a file that is removed or renamed. VS Code keeps
// its text open as long as a diff shows it: then the disk tells.
bool has_left(const ProposedFile& file, const Documents& documents) {
  return !documents.find(file.name.file) ||
         (!file.name.file.is_buffer() && !stamp_of(file.name.file.full()));
}

// After an undo the editor's own redo is still noticed, and so is what another program has applied
// to a file before the editor reads it again.
bool is_followed(const Proposal& proposal) {
  return proposal.state != Proposal::State::discarded || proposal.applied_at > 0 ||
         proposal.any_hunk(
             [](const ProposedHunk& hunk) { return hunk.was_applied || hunk.is_offered; });
}

// What the texts say of an edit when they are looked at for the last time.
struct LastLook {
  size_t done = 0, stale = 0, all = 0;  // hunks
  bool is_undo = false;
  bool is_any_unopened = false;  // of its files
  std::string reason;            // the editor's, if it refused
};

// Of an edit that is not in the texts, or not all of it. No state: that of the hunks.
std::pair<std::optional<Proposal::State>, std::string> outcome_of(const LastLook& seen) {
  using State = Proposal::State;
  const std::string part =
      fmt::format("Only {} of {} were", seen.done, counted(seen.all, "change"));
  if (seen.is_undo) {
    if (seen.done > 0) return {std::nullopt, part + " undone."};
    if (seen.reason.empty())
      return {std::nullopt,
              "Not undone: the text does not match its state before the edit. Please check it."};
    return {std::nullopt, "The editor did not undo the edit: " + seen.reason + "."};
  }
  if (seen.done > 0) return {State::partly, part + " applied."};
  if (!seen.reason.empty())
    return {seen.stale > 0 ? State::stale : State::refused,
            "The editor did not apply the edit: " + seen.reason + "."};
  if (seen.stale > 0)
    return {State::stale,
            "The text is not what was proposed: it was changed at the same time, or the editor "
            "placed the edit elsewhere. Check it, or undo it."};
  if (seen.is_any_unopened)
    return {State::unknown,
            "The editor reported success, but the files are neither open nor changed on disk; they "
            "may be unsaved."};
  return {State::refused, "The editor reported success, but the text did not change."};
}

}  // namespace

void ProposalApplier::document_changed(const std::string& uri,
                                       const std::vector<Replacement>& changes) {
  const Document* document = documents_.find(uri);
  if (!document || proposals_.all().empty()) return;
  std::vector<std::pair<Proposal*, ProposedFile*>> about;
  for (auto& [id, proposal] : proposals_.all()) {
    for (ProposedFile& file : proposal.files) {
      if (!documents_.is_uri_of(uri, file.name.file) || !is_followed(proposal)) continue;
      for (const Replacement& change : changes) track(file, change);
      about.emplace_back(&proposal, &file);
    }
  }
  // The first one whose change this is takes it: one that is offered, or was applied last.
  std::ranges::stable_sort(about, std::greater(), [&](const auto& each) {
    const auto& offered = each.second->offered;
    return std::tuple(offered && offered->text == document->text, each.first->applied_at);
  });
  for (const auto& [proposal, file] : about) follow(*proposal, *file, !changes.empty());
  reconsider_all();
}

// Whether a hunk that has its new text now has it from its proposal, and not from another one, or
// from somebody who typed the same.
bool ProposalApplier::is_own(const Proposal& proposal, const ProposedFile& file,
                             const ProposedHunk& hunk) const {
  using State = ProposedHunk::State;
  if (watches_.contains(proposal.id)) return true;
  for (const auto& [id, other] : proposals_.all()) {
    if (&other == &proposal) continue;
    for (const ProposedFile& one : other.files) {
      if (one.name.file != file.name.file) continue;
      const auto watch = watches_.find(id);
      const bool undoes = !other.is_kept || (watch != watches_.end() && watch->second.undo);
      if (undoes || watch != watches_.end()) {
        // Text that another one's undo brings back was applied once, or is not ours.
        if (!undoes || hunk.state != State::stale || !hunk.was_applied) return false;
      }
      if (!other.is_kept) continue;
      const auto holds = [&](const ProposedHunk& its) {
        return its.state == State::applied && ((its.begin == hunk.begin && its.end == hunk.end) ||
                                               (its.begin < hunk.end && hunk.begin < its.end));
      };
      if (std::ranges::any_of(one.hunks, holds)) return false;
    }
  }
  return file.offered || was_seen(hunk);
}

// The old name is there again: by our undo, or the editor's, which leaves nothing at the new one.
bool ProposalApplier::is_renamed_back(const std::string& id, const ProposedFile& file) const {
  if (const auto watch = watches_.find(id); watch != watches_.end()) return watch->second.undo;
  return !file.name.file.is_buffer() && !stamp_of(file.name.file.full());
}

void ProposalApplier::document_opened(const std::string& uri) {
  const Document* document = documents_.find(uri);
  if (!document || proposals_.all().empty()) return;
  const auto is_this = [&](const ProposedName& name) {
    return documents_.is_uri_of(uri, name.file);
  };
  for (auto& [id, proposal] : proposals_.all()) {
    for (ProposedFile& file : proposal.files) {
      if (watches_.contains(id) && file.moved_to && is_this(*file.moved_to) &&
          has_left(file, documents_)) {
        adopt_new_name(file);
      } else if (file.moved_from && is_this(*file.moved_from) && has_left(file, documents_) &&
                 is_renamed_back(id, file)) {
        adopt_old_name(file);
      }
      if (!is_this(file.name)) continue;
      if (!is_followed(proposal)) continue;
      const bool has_changed = !(file.text == document->text);
      // Text offered before a restart may be in a buffer.
      const bool was_offered =
          proposal.is_restored && std::ranges::any_of(file.hunks, &ProposedHunk::is_offered);
      if (has_changed && !was_offered) track(file, difference(file.text, document->text));
      for (ProposedHunk& hunk : file.hunks) hunk.flipped = false;  // nobody has seen it happen
      follow(proposal, file, has_changed, was_offered ? &document->text : nullptr);
      if (!was_offered) continue;
      for (ProposedHunk& hunk : file.hunks) hunk.is_offered = false;
    }
  }
  reconsider_all();
}

// A file may come back, as it does when a branch is: until then what waits for it cannot be
// applied.
void ProposalApplier::files_changed(const std::vector<std::string>& uris) {
  for (auto& [id, proposal] : proposals_.all()) {
    if (!proposal.is_open() || watches_.contains(id)) continue;
    bool changed = false;
    for (ProposedFile& file : proposal.files) {
      const auto is_this = [&](const std::string& uri) {
        return documents_.is_uri_of(uri, file.name.file);
      };
      if (file.kind == ProposedFile::Kind::create || documents_.find(file.name.file) ||
          std::ranges::none_of(uris, is_this))
        continue;
      const bool is_gone = !stamp_of(file.name.file.full());
      changed |= is_gone != file.is_gone;
      file.is_gone = is_gone;
    }
    if (!changed) continue;
    proposal.message.clear();
    presenter_.update(proposal);
  }
}

void ProposalApplier::follow(Proposal& proposal, ProposedFile& file, bool has_changed,
                             const Text* unseen) {
  const auto before = proposal.state;
  using HunkState = ProposedHunk::State;
  const bool was_in_place = proposal.is_in_place();
  const bool had_applied = proposal.count(HunkState::applied) > 0;
  std::vector<HunkState> states;
  for (const ProposedHunk& hunk : file.hunks) states.push_back(hunk.state);
  if (unseen) compare_with_now(file, *unseen);
  const bool changed =
      update_hunks(file, [&](const ProposedHunk& hunk) { return is_own(proposal, file, hunk); }) ||
      !std::ranges::equal(states, file.hunks, {}, {}, &ProposedHunk::state);
  if (watches_.contains(proposal.id)) return;
  std::vector<size_t> taken_back;
  for (size_t i = 0; i < file.hunks.size(); ++i) {
    if (file.hunks[i].state == HunkState::discarded && states[i] != HunkState::discarded)
      taken_back.push_back(file.hunks[i].index);
  }
  take_back(proposal, taken_back);
  const std::string checked = in_words(proposal.verification);
  if (has_changed && proposal.is_open()) reconsider_verification(proposal, "the text changed");
  update_state(proposal);
  const bool is_undone = was_in_place && !proposal.is_in_place();
  if (!changed && proposal.state == before) {
    if (proposal.is_open()) presenter_.publish_soon(file.name.file);
    if (proposal.is_open() && in_words(proposal.verification) != checked)
      presenter_.update(proposal);
    return;
  }
  reconsider_verification(proposal, is_undone ? "it was undone" : "the text changed");
  if (is_undone) proposals_.note_put_aside(proposal, nullptr);  // bodkin.redo has it, too
  proposal.message = proposal.state == Proposal::State::stale
                         ? "The text that " + named(proposal) + " would replace has changed."
                     : is_undone           ? "Undone."
                     : !taken_back.empty() ? undone_in_words(proposal, file)
                                           : "";
  presenter_.publish_now_or_soon(proposal);
  presenter_.update(proposal);
  if (is_undone && undone) undone(proposal);
  if (!had_applied && proposal.count(HunkState::applied) > 0) proposals_.count_applied(proposal);
  // Taken through a code action, which has no answer of its own.
  if (proposal.state == Proposal::State::applied && before != proposal.state) {
    if (applying) applying(proposal);
    if (applied) applied(proposal);
  }
}

std::string ProposalApplier::which(const Proposal& proposal, bool is_newest) const {
  const bool is_last_here =
      !proposal.is_restored && std::ranges::all_of(proposals_.all(), [&](const auto& each) {
        return each.second.applied_at <= proposal.applied_at;
      });
  return is_newest && !is_last_here ? ": " + named(proposal) : "";
}

// Something happened that may decide an apply: looks now, and once more when it was quiet.
void ProposalApplier::reconsider(const std::string& id) {
  const auto found = watches_.find(id);
  if (found == watches_.end()) return;
  Watch& watch = found->second;
  const uint64_t now = ++watch.events;
  decide(id, !watch.reason.empty());
  if (!watches_.contains(id)) return;
  const auto left = watch.answered ? std::chrono::duration_cast<std::chrono::milliseconds>(
                                         watch.deadline - EventLoop::Clock::now())
                                   : std::chrono::milliseconds(kQuiet);
  loop_.post_after(std::clamp(left, 0ms, std::chrono::milliseconds(kQuiet)), [this, id, now] {
    const auto again = watches_.find(id);
    if (again != watches_.end() && again->second.events == now) decide(id, true);
  });
}

// Decides: the outcome of an apply.
void ProposalApplier::decide(const std::string& id, bool is_last_look) {
  Proposal& proposal = proposals_.all().at(id);
  const Watch& watch = watches_.at(id);
  const auto wanted = watch.undo ? ProposedHunk::State::discarded : ProposedHunk::State::applied;
  if (watch.answered) read_unopened_result(proposal, watch.reason.empty());
  LastLook seen{.all = watch.targets.size(), .is_undo = watch.undo, .reason = watch.reason};
  for (const size_t index : watch.targets) {
    const ProposedHunk* hunk = hunk_at(proposal, index);
    seen.done += hunk->state == wanted;
    seen.stale += hunk->state == ProposedHunk::State::stale;
  }
  for (const ProposedFile& file : proposal.files)
    seen.is_any_unopened |= file.offered && !documents_.find(file.name.file);
  if (seen.done == seen.all && (watch.answered || is_last_look)) {
    const auto is_exact = [&](const auto& expected) {
      const Document* document = documents_.find(expected.first);
      return !document || document->text == expected.second;
    };
    // Editors send an edit in pieces, the last ones behind their answer (Neovim 0.12).
    if (!watch.undo && !is_last_look && !std::ranges::all_of(watch.expected, is_exact)) return;
    finish(id, watch.undo ? std::nullopt : std::optional(Proposal::State::applied),
           done_in_words(proposal, watch));
  } else if (is_last_look && watch.answered) {
    const auto [state, words] = outcome_of(seen);
    finish(id, state, words);
  }
}

// Of an edit that is in the texts, all of it.
std::string ProposalApplier::done_in_words(const Proposal& proposal, const Watch& watch) const {
  const bool is_part = !watch.why_left_out.empty();
  const std::string end = is_part ? ", but not everywhere: " + watch.why_left_out + "." : ".";
  if (watch.undo)
    return "Undone" + watch.which + end + (is_part ? " Undo the rest in the editor." : "");
  bool is_exact = true, is_formatted = true;
  for (const auto& [file, text] : watch.expected) {
    const Document* document = documents_.find(file);
    if (!document || document->text == text) continue;
    is_exact = false;
    is_formatted &= Formatting::between(text.str(), document->text.str()).has_value();
  }
  if (is_exact && is_part) return "Applied" + watch.which + end;
  return applied_in_words(proposal) + watch.which +
         (is_exact       ? "."
          : is_formatted ? ", and formatted."
                         : ", but the text has other changes too. Check it.");
}

// Files that the editor has not open, or has removed: what the disk says, if it saved them at once.
void ProposalApplier::read_unopened_result(Proposal& proposal, bool did_apply) {
  using Kind = ProposedFile::Kind;
  for (ProposedFile& file : proposal.files) {
    if (!file.offered) continue;
    const bool is_removed = did_apply && !file.offered->undo && file.kind == Kind::remove;
    if (documents_.find(file.name.file) && !(is_removed && has_left(file, documents_))) continue;
    const bool undo = file.offered->undo;
    const auto& other = undo ? file.moved_from : file.moved_to;
    const FileInFolder& place = (other ? *other : file.name).file;
    const auto text = place.is_buffer() ? Result<Text>(fail(Error::Code::not_found, ""))
                                        : read_from_disk(place.full(), file.name.file.folder);
    const bool is_gone = file.kind == (undo ? Kind::create : Kind::remove) && !text;
    const bool is_there =
        text && (*text == file.offered->text ||
                 (!undo && Formatting::between(file.offered->text.str(), text->str())));
    if (!is_gone && !is_there) continue;
    file.text = is_gone ? Text() : *text;
    if (is_gone) file.offered->text = file.text;
    if (!undo && file.moved_to) adopt_new_name(file);
    if (undo && file.moved_from) adopt_old_name(file);
    update_hunks(file, [](const ProposedHunk&) { return true; });
  }
}

void ProposalApplier::finish(const std::string& id, std::optional<Proposal::State> state,
                             const std::string& message) {
  const Watch watch = std::move(watches_.at(id));
  watches_.erase(id);
  Proposal& proposal = proposals_.all().at(id);
  if (watch.answered) {
    in_flight_.erase(id);
    set_offered(proposal, nullptr, false);
  }
  for (ProposedFile& file : proposal.files) {
    file.offered.reset();
    if (watch.undo || state == Proposal::State::applied) continue;
    // A change that the editor itself reverted is not a rejection by the user.
    for (ProposedHunk& hunk : file.hunks) {
      if (hunk.state != ProposedHunk::State::discarded || !hunk.was_applied) continue;
      if (std::ranges::find(watch.targets, hunk.index) == watch.targets.end()) continue;
      hunk.state = ProposedHunk::State::pending;
      hunk.was_applied = false;
    }
  }
  if (watch.undo) remove_made_folders(proposal);
  if (watch.undo && proposal.count(ProposedHunk::State::applied) == 0) discard_undone(proposal);
  if (watch.undo) proposals_.note_put_aside(proposal, &watch.targets);
  proposal.state = state.value_or(Proposal::State::ready);
  if (!state) update_state(proposal);
  if (proposal.state != Proposal::State::discarded)
    reconsider_verification(proposal, watch.undo ? "a part of it was undone" : "the text changed");
  proposal.message = message;
  // Taking a part of it: the rest can still be taken.
  if (state == Proposal::State::applied && proposal.count(ProposedHunk::State::pending) > 0) {
    proposal.state = Proposal::State::partly;
  }
  const bool is_in_place = proposal.count(ProposedHunk::State::applied) > 0;
  if (!watch.undo && is_in_place) proposals_.count_applied(proposal);
  presenter_.publish(proposal);
  presenter_.notify_user(proposal);
  if (watch.undo && !is_in_place && undone) undone(proposal);
  if (state == Proposal::State::applied) {
    if (applied) applied(proposal);
  } else if (not_applied) {
    not_applied(id);
  }
}

void ProposalApplier::reconsider_all() {
  std::vector<std::string> ids;
  for (const auto& [id, watch] : watches_) ids.push_back(id);
  for (const std::string& id : ids) reconsider(id);
}

}  // namespace bodkin::lsp
