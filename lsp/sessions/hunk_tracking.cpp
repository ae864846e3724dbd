#include "lsp/sessions/hunk_tracking.h"

#include <algorithm>
#include <tuple>

#include "lsp/sessions/formatting.h"

namespace bodkin {

namespace {

// An editor may report an insertion some equal lines away from where it was asked for.
constexpr size_t kSlide = 1 << 16;

// How far a change may slide and still have the same effect: as far as the text goes on like the
// change's own text.
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
    hunk.flipped = flipped && !undo;
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

// Remembers the text around each insertion, while the text is the one it was proposed for.
void set_anchors(ProposedFile& file, const Text& text) {
  for (ProposedHunk& hunk : file.hunks) {
    if (!file.is_insertion(hunk) || hunk.state != ProposedHunk::State::pending || hunk.is_adrift ||
        hunk.begin != hunk.end)
      continue;
    hunk.is_adrift = !is_line_begin(text, hunk.begin) && hunk.begin < text.size();
    if (!hunk.is_adrift) hunk.anchor = anchor_at(text, hunk.begin);
  }
}

// If lines next to an insertion go, or the text around it is replaced, its offset says nothing.
void set_adrift(ProposedFile& file, const Text& before, const Replacement& change) {
  const size_t begin = change.offset, end = change.offset + change.length;
  const std::string gone = before.substr(begin, change.length);
  const bool loses_lines = std::ranges::count(gone, '\n') > std::ranges::count(change.text, '\n');
  for (ProposedHunk& hunk : file.hunks) {
    if (!file.is_insertion(hunk) || !hunk.anchor) continue;
    const bool is_around = begin < hunk.begin && hunk.end < end;
    const bool is_beside = begin < hunk.end + hunk.anchor->below.size() &&
                           hunk.begin < end + hunk.anchor->above.size();
    hunk.is_adrift |= is_around || (loses_lines && is_beside);
  }
}

// A change across the borders of hunks that only changes the layout moves them with it.
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

// Notes where the hunks are, if that is known of all of them.
void settle(ProposedFile& file) {
  constexpr size_t kMost = 30;
  using State = ProposedHunk::State;
  if (file.kind != ProposedFile::Kind::update ||
      std::ranges::any_of(file.hunks, [](const ProposedHunk& hunk) {
        return hunk.state == State::stale || hunk.touched || hunk.is_adrift;
      }))
    return;
  Settled now{file.text, {}};
  for (const ProposedHunk& hunk : file.hunks) now.regions.emplace_back(hunk.begin, hunk.end);
  if (file.settled.size() == kMost) file.settled.erase(file.settled.begin() + 1);
  file.settled.push_back(std::move(now));
}

// Editors compare bytes from the front: that "int c;\n" went, or came, above "int d;\n" is told as
// "c;\nint ", which is in both lines. Such a change is one of whole lines.
Replacement in_whole_lines(const Text& before, Replacement change) {
  if (change.length > 0 && !change.text.empty()) return change;
  const std::string all = before.substr(change.offset, change.length) + change.text;
  const size_t back = change.offset - before.line_begin(before.line_of(change.offset));
  if (back == 0 || back >= all.size() || all[all.size() - back - 1] != '\n' ||
      !all.ends_with(before.substr(change.offset - back, back)))
    return change;
  change.offset -= back;
  if (change.length == 0)
    change.text = all.substr(all.size() - back) + all.substr(0, all.size() - back);
  return change;
}

}  // namespace

bool settle_again(ProposedFile& file) {
  using State = ProposedHunk::State;
  const auto is_lost = [](const ProposedHunk& hunk) { return hunk.state == State::stale; };
  if (std::ranges::none_of(file.hunks, is_lost)) return false;
  const auto known = std::ranges::find(file.settled, file.text, &Settled::text);
  if (known == file.settled.end()) return false;
  for (size_t i = 0; i < file.hunks.size(); ++i) {
    ProposedHunk& hunk = file.hunks[i];
    std::tie(hunk.begin, hunk.end) = known->regions[i];
    hunk.is_adrift = false;
    const bool is_back = file.text.substr(hunk.begin, hunk.end - hunk.begin) == hunk.old_text;
    if (!is_lost(hunk) || !is_back || hunk.has_secret) continue;
    hunk.state = hunk.was_applied ? State::discarded : State::pending;
  }
  return true;
}

void track(ProposedFile& file, const Replacement& reported) {
  using State = ProposedHunk::State;
  settle(file);
  const Text before = file.text;
  const Replacement change = in_whole_lines(before, reported);
  for (ProposedHunk& hunk : file.hunks)
    if (file.is_insertion(hunk) && !hunk.anchor && hunk.begin == hunk.end)
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
    taken.flipped = taken.state != State::applied;
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

}  // namespace bodkin
