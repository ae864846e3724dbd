// The states of hunks, by the text that their regions hold now.
#include <algorithm>
#include <utility>

#include "lsp/sessions/formatting.h"
#include "lsp/sessions/hunk_tracking.h"

namespace bodkin {

namespace {

// Hunks that are adrift go where the text around them is now, if there is one such place, in order
// with the others; else they are stale, until there is. Returns whether a state has changed.
bool moor(ProposedFile& file) {
  using State = ProposedHunk::State;
  bool changed = false;
  for (size_t i = 0; i < file.hunks.size(); ++i) {
    ProposedHunk& hunk = file.hunks[i];
    if (!hunk.is_adrift) continue;
    if (!file.is_insertion(hunk)) {
      hunk.is_adrift = false;
      continue;
    }
    const size_t least = i > 0 ? file.hunks[i - 1].end : 0;
    const size_t most = i + 1 < file.hunks.size() ? file.hunks[i + 1].begin : file.text.size();
    const auto place = place_of(*hunk.anchor, file.text);
    hunk.touched = false;
    hunk.is_adrift = !place || *place < least || most < *place;
    if (!hunk.is_adrift) hunk.begin = hunk.end = *place;
    const State now = hunk.is_adrift ? State::stale : State::pending;
    changed |= now != std::exchange(hunk.state, now);
  }
  return changed;
}

// The state of a hunk by the text of its region.
// Decides: whether a proposal has made a text that equals its own.
ProposedHunk::State state_by_text(const ProposedHunk& hunk, bool holds_new, bool holds_old,
                                  const IsOwn& is_own) {
  using State = ProposedHunk::State;
  if (holds_new && (hunk.state == State::applied || is_own(hunk))) return State::applied;
  if (hunk.state == State::discarded) return State::discarded;
  if (holds_old) return hunk.was_applied ? State::discarded : State::pending;
  return State::stale;
}

// Neovim reports a change of a file's last line as if its newline were another one.
bool lost_its_newline(const Text& text, const ProposedHunk& hunk) {
  return hunk.end > hunk.begin && !is_line_begin(text, hunk.end) &&
         text.substr(hunk.end, 1) == "\n";
}

// Returns whether the state has changed.
bool set_state(ProposedHunk& hunk, ProposedHunk::State now) {
  hunk.flipped = false;
  if (now == ProposedHunk::State::applied) {
    if (hunk.state != now) hunk.is_offered = false;
    hunk.was_applied = true;
    hunk.put_aside = 0;
  }
  return now != std::exchange(hunk.state, now);
}

// Whether the text is the hunk's new one as a formatter has laid it out, which is then its new
// text: that is what is in place, and what an undo takes back.
bool take_formatted(ProposedHunk& hunk, const std::string& text) {
  if (!Formatting::between(hunk.new_text, text)) return false;
  if (Formatting::between(hunk.old_text, hunk.new_text)) return false;  // it cannot be told
  hunk.new_text = text;
  return true;
}

// The whole as it was offered, formatted by the editor that applied it.
bool take_formatted_offer(ProposedFile& file, bool* changed) {
  using State = ProposedHunk::State;
  if (!file.offered || file.offered->undo || file.text.size() == 0) return false;
  const auto& regions = file.offered->regions;
  const auto formatting = Formatting::between(file.offered->text.str(), file.text.str());
  if (!formatting) return false;
  for (const ProposedHunk& hunk : file.hunks) {
    const auto region = regions.find(hunk.index);
    if (region != regions.end() && region->second.taken &&
        Formatting::between(hunk.old_text, hunk.new_text))
      return false;
  }
  for (ProposedHunk& hunk : file.hunks) {
    hunk.touched = false;
    const auto region = regions.find(hunk.index);
    if (region == regions.end()) continue;
    hunk.begin = formatting->place(region->second.begin);
    hunk.end = formatting->place(region->second.end);
    if (!region->second.taken) continue;
    hunk.new_text = file.text.substr(hunk.begin, hunk.end - hunk.begin);
    *changed |= set_state(hunk, State::applied);
  }
  file.offered.reset();
  return true;
}

// Whether the hunk is discarded for good, whatever the text.
bool is_over(const ProposedHunk& hunk) {
  return hunk.state == ProposedHunk::State::discarded && !hunk.was_applied && !hunk.is_offered;
}

// The one hunk of a file that comes or goes as a whole: now all of its text.
ProposedHunk& whole_of(ProposedFile& file) {
  ProposedHunk& hunk = file.hunks[0];
  hunk.touched = false;
  hunk.begin = 0;
  hunk.end = file.text.size();
  return hunk;
}

// A file that is to be created is there or not, as a whole: what somebody else put in its place is
// never added to.
bool update_new_file(ProposedFile& file, const IsOwn& is_own) {
  using State = ProposedHunk::State;
  ProposedHunk& hunk = whole_of(file);
  if (is_over(hunk)) return false;
  const std::string text = file.text.str();
  // Some editors keep the empty line that a new buffer begins with.
  const bool is_there = text == hunk.new_text || text == hunk.new_text + "\n" ||
                        (hunk.state == State::applied && take_formatted(hunk, text));
  return set_state(hunk, state_by_text(hunk, !text.empty() && is_there, text.empty(), is_own));
}

// A file that is to be removed goes as a whole: what came to it since, even after its end, was
// never proposed to go.
bool update_removed_file(ProposedFile& file, const IsOwn& is_own) {
  using State = ProposedHunk::State;
  ProposedHunk& hunk = whole_of(file);
  if (is_over(hunk)) return false;
  const bool is_whole = file.text.str() == hunk.old_text;
  if (hunk.state == State::applied && !is_whole) return false;  // another file in its place
  if (hunk.state == State::pending && is_whole) return false;   // which may be an empty one
  return set_state(hunk, state_by_text(hunk, hunk.end == 0 && !is_whole, is_whole, is_own));
}

}  // namespace

bool was_seen(const ProposedHunk& hunk) { return hunk.flipped || hunk.was_applied; }

// Decides: when a change is stale.
bool update_hunks(ProposedFile& file, const IsOwn& is_own) {
  using State = ProposedHunk::State;
  bool changed = false;
  // The whole as it was offered: however the editor cut it into changes, it is our edit.
  const auto is_left_to_others = [&](const ProposedHunk& hunk) {
    const auto region = file.offered->regions.find(hunk.index);
    return !file.offered->undo && region != file.offered->regions.end() && region->second.taken &&
           hunk.state != State::applied && !is_own(hunk);
  };
  if (file.offered && file.offered->text == file.text &&
      std::ranges::none_of(file.hunks, is_left_to_others)) {
    for (ProposedHunk& hunk : file.hunks) {
      hunk.touched = false;
      const auto region = file.offered->regions.find(hunk.index);
      if (region == file.offered->regions.end()) continue;
      hunk.begin = region->second.begin;
      hunk.end = region->second.end;
      if (!region->second.taken) continue;
      changed |= set_state(hunk, file.offered->undo ? State::discarded : State::applied);
    }
    file.offered.reset();
    return changed;
  }
  if (take_formatted_offer(file, &changed)) return changed;
  if (file.kind == ProposedFile::Kind::create) return update_new_file(file, is_own);
  if (file.kind == ProposedFile::Kind::remove) return update_removed_file(file, is_own);
  changed |= moor(file);
  for (size_t i = 0; i < file.hunks.size(); ++i) {
    ProposedHunk& hunk = file.hunks[i];
    if (!std::exchange(hunk.touched, false)) continue;
    if (is_over(hunk)) continue;
    const auto holds = [&](const std::string& text) {
      const size_t size = hunk.end - hunk.begin;
      // Whole lines: "b" at the end of "ab" is not the line "b".
      return size == text.size() && is_line_begin(file.text, hunk.begin) &&
             (hunk.end == file.text.size() || is_line_begin(file.text, hunk.end)) &&
             file.text.substr(hunk.begin, size) == text;
    };
    const size_t next = i + 1 < file.hunks.size() ? file.hunks[i + 1].begin : file.text.size();
    if (lost_its_newline(file.text, hunk) && hunk.end < next) {
      ++hunk.end;
      if (!holds(hunk.new_text) && !holds(hunk.old_text)) --hunk.end;
    }
    const bool holds_old = holds(hunk.old_text);
    const bool holds_new =
        holds(hunk.new_text) ||
        (!holds_old && hunk.state == State::applied &&
         take_formatted(hunk, file.text.substr(hunk.begin, hunk.end - hunk.begin)));
    changed |= set_state(hunk, state_by_text(hunk, holds_new, holds_old, is_own));
  }
  changed |= settle_again(file);
  return changed;
}

}  // namespace bodkin
