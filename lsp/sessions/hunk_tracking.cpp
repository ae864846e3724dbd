// More than 350 lines: each way in which a change may meet hunks, and what they are then.
#include "lsp/sessions/hunk_tracking.h"

#include <algorithm>
#include <utility>

#include "lsp/sessions/formatting.h"

namespace bodkin {

namespace {

// An editor may report an insertion some equal lines away from where it was asked for.
constexpr size_t kSlide = 1 << 16;

bool is_line_begin(const Text& text, size_t offset) {
  if (offset == 0) return true;
  const std::string before = text.substr(offset - 1, 1);
  return before == "\n" || before == "\r";
}

// How far a change may slide and still have the same effect: as far as the text goes on as the
// change's own text does.
struct Reach {
  size_t ahead = 0, back = 0;  // bytes
};

Reach reach_of(const Text& text, const Replacement& change) {
  const size_t end = change.offset + change.length;
  Reach reach;
  // Nearly always the first few bytes differ.
  for (size_t most : {size_t{64}, kSlide}) {
    const std::string now = change.text + text.substr(end, most);
    const std::string then = text.substr(change.offset, most);
    const auto differs = std::ranges::mismatch(now, then);
    reach.ahead = static_cast<size_t>(differs.in1 - now.begin());
    if (reach.ahead < 64) break;
  }
  for (size_t most : {size_t{64}, kSlide}) {
    const size_t before = std::min(most, change.offset), all = std::min(most, end);
    const std::string now = text.substr(change.offset - before, before) + change.text;
    const std::string then = text.substr(end - all, all);
    const auto differs = std::mismatch(now.rbegin(), now.rend(), then.rbegin(), then.rend());
    reach.back = static_cast<size_t>(differs.first - now.rbegin());
    if (reach.back < 64) break;
  }
  return reach;
}

// True if the change has the same effect as replacing the hunk's region by `with`.
bool is_the_same(const Text& text, const Replacement& change, const Reach& reach,
                 const ProposedHunk& hunk, const std::string& with) {
  const size_t change_end = change.offset + change.length;
  if (hunk.begin > change.offset + reach.ahead || hunk.end + reach.back < change_end) return false;
  if (change.text.size() + (hunk.end - hunk.begin) != with.size() + change.length) return false;
  const size_t low = std::min(change.offset, hunk.begin);
  const size_t high = std::max(change_end, hunk.end);
  if (high - low > kSlide + (hunk.end - hunk.begin) + change.length) return false;
  const std::string by_change = text.substr(low, change.offset - low) + change.text +
                                text.substr(change_end, high - change_end);
  const std::string by_hunk =
      text.substr(low, hunk.begin - low) + with + text.substr(hunk.end, high - hunk.end);
  return by_change == by_hunk;
}

void shift(ProposedHunk& hunk, size_t taken, size_t given) {
  hunk.begin = hunk.begin - taken + given;
  hunk.end = hunk.end - taken + given;
}

// The region grows over a change of [begin, end) that touches it.
void cover(ProposedHunk& hunk, size_t begin, size_t end, size_t given) {
  hunk.end = std::max(end, hunk.end) - (end - begin) + given;
  hunk.begin = std::min(begin, hunk.begin);
  hunk.touched = true;
}

// The hunks first … last, flipped: those that are applied get their old text, or (`undo` is false)
// those that have it get their new one. Nothing: the change does something else.
bool flip_run(ProposedFile& file, const Text& before, const Replacement& change, size_t first,
              size_t last, bool undo) {
  const auto flips = [&](const ProposedHunk& hunk) {
    return undo ? hunk.state == ProposedHunk::State::applied : hunk.has_old_text();
  };
  if (!flips(file.hunks[first]) || !flips(file.hunks[last])) return false;
  size_t taken = 0, given = 0;
  for (size_t i = first; i <= last; ++i) {
    const ProposedHunk& hunk = file.hunks[i];
    if (i > first && hunk.begin < file.hunks[i - 1].end) return false;
    if (!flips(hunk)) continue;
    taken += hunk.end - hunk.begin;
    given += (undo ? hunk.old_text : hunk.new_text).size();
  }
  if (change.text.size() + taken != given + change.length) return false;
  const size_t change_end = change.offset + change.length;
  const size_t low = std::min(change.offset, file.hunks[first].begin);
  const size_t high = std::max(change_end, file.hunks[last].end);
  if (high - low > kSlide + change.length + taken) return false;
  std::string by_hunks;
  size_t at = low;
  for (size_t i = first; i <= last; ++i) {
    const ProposedHunk& hunk = file.hunks[i];
    if (!flips(hunk)) continue;
    by_hunks += before.substr(at, hunk.begin - at) + (undo ? hunk.old_text : hunk.new_text);
    at = hunk.end;
  }
  by_hunks += before.substr(at, high - at);
  if (by_hunks != before.substr(low, change.offset - low) + change.text +
                      before.substr(change_end, high - change_end)) {
    return false;
  }
  size_t shrunk = 0, grown = 0;
  for (size_t i = first; i < file.hunks.size(); ++i) {
    ProposedHunk& hunk = file.hunks[i];
    const size_t size = hunk.end - hunk.begin;
    const bool flipped = i <= last && flips(hunk);
    const size_t now = flipped ? (undo ? hunk.old_text : hunk.new_text).size() : size;
    hunk.begin = hunk.begin + grown - shrunk;
    hunk.end = hunk.begin + now;
    hunk.touched = hunk.touched || flipped;
    shrunk += size;
    grown += now;
  }
  return true;
}

// One change that flips several hunks: the editor's own undo, or an edit that came as one piece.
bool flip_several(ProposedFile& file, const Text& before, const Replacement& change) {
  const size_t count = file.hunks.size();
  size_t first = 0, last = count;
  while (first < count && file.hunks[first].end < change.offset) ++first;
  while (last > 0 && file.hunks[last - 1].begin > change.offset + change.length) --last;
  // The change may begin or end some equal lines away from a hunk.
  const size_t earliest = first > 0 ? first - 1 : 0, latest = std::min(last, count - 1);
  if (count < 2 || latest <= earliest) return false;
  for (const bool undo : {true, false}) {
    for (size_t i = earliest; i <= std::min(first, latest); ++i) {
      for (size_t j = latest; j > i && j + 1 >= last; --j) {
        if (flip_run(file, before, change, i, j, undo)) return true;
      }
    }
  }
  return false;
}

// One that replaces no line and is not in the text.
bool is_insertion(const ProposedFile& file, const ProposedHunk& hunk) {
  using State = ProposedHunk::State;
  return file.kind == ProposedFile::Kind::update && hunk.old_text.empty() && !hunk.was_applied &&
         (hunk.state == State::pending || hunk.state == State::stale);
}

// What insertions are beside, where the text is as they were proposed for.
void set_anchors(ProposedFile& file, const Text& text) {
  for (ProposedHunk& hunk : file.hunks) {
    if (!is_insertion(file, hunk) || hunk.state != ProposedHunk::State::pending || hunk.is_adrift ||
        hunk.begin != hunk.end)
      continue;
    hunk.is_adrift = !is_line_begin(text, hunk.begin) && hunk.begin < text.size();
    if (!hunk.is_adrift) hunk.anchor = anchor_at(text, hunk.begin);
  }
}

// Where lines beside an insertion go, or the text around it comes anew, its offset says nothing.
void set_adrift(ProposedFile& file, const Text& before, const Replacement& change) {
  const size_t begin = change.offset, end = change.offset + change.length;
  const std::string gone = before.substr(begin, change.length);
  const bool loses_lines = std::ranges::count(gone, '\n') > std::ranges::count(change.text, '\n');
  for (ProposedHunk& hunk : file.hunks) {
    if (!is_insertion(file, hunk) || !hunk.anchor) continue;
    const bool is_around = begin < hunk.begin && hunk.end < end;
    const bool is_beside = begin < hunk.end + hunk.anchor->below.size() &&
                           hunk.begin < end + hunk.anchor->above.size();
    hunk.is_adrift |= is_around || (loses_lines && is_beside);
  }
}

// Those that are adrift go where the text beside them is now, if there is one such place, in order
// with the others; else they are stale, until there is. Returns whether a state has changed.
bool moor(ProposedFile& file) {
  using State = ProposedHunk::State;
  bool changed = false;
  for (size_t i = 0; i < file.hunks.size(); ++i) {
    ProposedHunk& hunk = file.hunks[i];
    if (!hunk.is_adrift) continue;
    if (!is_insertion(file, hunk)) {
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

// A change over the borders of hunks that only lays the text out anew moves them with it.
bool follow_formatting(ProposedFile& file, const Text& before, const Replacement& change) {
  const size_t begin = change.offset, end = change.offset + change.length;
  const auto is_inside = [&](size_t border) { return begin < border && border < end; };
  if (std::ranges::none_of(file.hunks, [&](const ProposedHunk& hunk) {
        return is_inside(hunk.begin) || is_inside(hunk.end);
      }))
    return false;
  // Whole lines: what may be a comma too many depends on what follows it.
  const size_t low = before.line_begin(before.line_of(begin));
  const size_t next = before.line_of(end) + 1;
  const size_t high = next < before.line_count() ? before.line_begin(next) : before.size();
  const auto formatting = Formatting::between(
      before.substr(low, high - low),
      before.substr(low, begin - low) + change.text + before.substr(end, high - end));
  if (!formatting) return false;
  const auto place = [&](size_t border) {
    if (border < low) return border;
    if (border >= high) return border - change.length + change.text.size();
    return low + formatting->place(border - low);
  };
  for (ProposedHunk& hunk : file.hunks) {
    hunk.touched = hunk.touched || (hunk.begin < end && hunk.end > begin);
    hunk.begin = place(hunk.begin);
    hunk.end = place(hunk.end);
  }
  return true;
}

}  // namespace

void track(ProposedFile& file, const Replacement& change) {
  using State = ProposedHunk::State;
  const Text before = file.text;
  for (ProposedHunk& hunk : file.hunks)
    if (is_insertion(file, hunk) && !hunk.anchor && hunk.begin == hunk.end)
      hunk.anchor = anchor_at(before, hunk.begin);
  file.text = before.replace(change.offset, change.length, change.text);
  const size_t begin = change.offset, end = change.offset + change.length;

  const Reach reach = reach_of(before, change);
  for (ProposedHunk& taken : file.hunks) {
    if (!taken.has_old_text() && taken.state != State::applied) continue;
    const std::string& with = taken.state == State::applied ? taken.old_text : taken.new_text;
    if (!is_the_same(before, change, reach, taken, with)) continue;
    const size_t old_end = taken.end, old_size = taken.end - taken.begin;
    for (ProposedHunk& other : file.hunks) {
      if (other.index == taken.index) continue;
      if (other.index > taken.index && other.begin >= old_end) {
        shift(other, old_size, with.size());
      } else if (other.index > taken.index || other.end > taken.begin) {
        cover(other, taken.begin, old_end, with.size());
      }
    }
    taken.end = taken.begin + with.size();
    taken.touched = true;
    return set_anchors(file, file.text);
  }
  if (flip_several(file, before, change) || follow_formatting(file, before, change))
    return set_anchors(file, file.text);
  set_adrift(file, before, change);
  for (ProposedHunk& hunk : file.hunks) {
    // At the border a change is outside only if it leaves the hunk's lines whole.
    if (begin > hunk.end || (begin == hunk.end && is_line_begin(before, hunk.end))) continue;
    const bool whole_lines =
        change.text.empty() ? is_line_begin(before, begin) : change.text.back() == '\n';
    if (end < hunk.begin || (end == hunk.begin && whole_lines)) {
      shift(hunk, change.length, change.text.size());
      continue;
    }
    cover(hunk, begin, end, change.text.size());
  }
  set_anchors(file, file.text);
}

namespace {

// The state of a hunk by the text of its region.
ProposedHunk::State state_now(const ProposedHunk& hunk, bool holds_new, bool holds_old) {
  using State = ProposedHunk::State;
  if (holds_new) return State::applied;
  if (holds_old) return hunk.was_applied ? State::discarded : State::pending;
  return hunk.state == State::discarded ? State::discarded : State::stale;
}

// Neovim reports a change of a file's last line as if its newline were another one.
bool lost_its_newline(const Text& text, const ProposedHunk& hunk) {
  return hunk.end > hunk.begin && !is_line_begin(text, hunk.end) &&
         text.substr(hunk.end, 1) == "\n";
}

// Returns whether the state has changed.
bool set_state(ProposedHunk& hunk, ProposedHunk::State now) {
  if (now == ProposedHunk::State::applied) {
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

// The whole as it was offered, and formatted by whoever applied it.
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
bool update_new_file(ProposedFile& file) {
  using State = ProposedHunk::State;
  ProposedHunk& hunk = whole_of(file);
  if (hunk.state == State::discarded && !hunk.was_applied) return false;
  const std::string text = file.text.str();
  // Some editors keep the empty line that a new buffer begins with.
  const bool is_there = text == hunk.new_text || text == hunk.new_text + "\n" ||
                        (hunk.state == State::applied && take_formatted(hunk, text));
  return set_state(hunk, state_now(hunk, !text.empty() && is_there, text.empty()));
}

// A file that is to be removed goes as a whole: what came to it since, even after its end, was
// never proposed to go.
bool update_removed_file(ProposedFile& file) {
  using State = ProposedHunk::State;
  ProposedHunk& hunk = whole_of(file);
  if (hunk.state == State::discarded && !hunk.was_applied) return false;
  const bool is_whole = file.text.str() == hunk.old_text;
  if (hunk.state == State::applied && !is_whole) return false;  // another file in its place
  if (hunk.state == State::pending && is_whole) return false;   // which may be an empty one
  return set_state(hunk, state_now(hunk, hunk.end == 0 && !is_whole, is_whole));
}

}  // namespace

// Decides: when a change is stale.
bool update_hunks(ProposedFile& file) {
  using State = ProposedHunk::State;
  bool changed = false;
  // The whole as it was offered: however the editor cut it into changes, it is our edit.
  if (file.offered && file.offered->text == file.text) {
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
  if (file.kind == ProposedFile::Kind::create) return update_new_file(file);
  if (file.kind == ProposedFile::Kind::remove) return update_removed_file(file);
  changed |= moor(file);
  for (size_t i = 0; i < file.hunks.size(); ++i) {
    ProposedHunk& hunk = file.hunks[i];
    if (!std::exchange(hunk.touched, false)) continue;
    if (hunk.state == State::discarded && !hunk.was_applied) continue;
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
    changed |= set_state(hunk, state_now(hunk, holds_new, holds_old));
  }
  return changed;
}

}  // namespace bodkin
