// How the ladder keeps its promise. Most rungs are a line key: equal keys, equal lines. The longest
// old line is looked for at memory speed and the lines round each hit are compared; where it stands
// too often, the lines' hashes are searched with Knuth, Morris and Pratt's algorithm, and what is
// found is compared. So every rung answers for the whole file in linear time.
#include "edits/match.h"

#include <algorithm>
#include <optional>
#include <set>

#include "edits/rungs.h"

namespace bodkin {
namespace {

template <LineKey key>
std::vector<Place> equal_under(const Search& search) {
  return find_by_key(search, key);
}

long shift_of(const Search& search, const Place& place, size_t old) {
  return static_cast<long>(indentation_of(search.file.line(place.line_for(old))).size()) -
         static_cast<long>(indentation_of(search.old[old]).size());
}

// A line of signs alone ("}") is known by its indentation only. Where the lines are not moved as
// one, such a line that is removed, or that an addition hangs on, must be shifted as a line with
// words is.
bool hangs_on_odd_signs(const Search& search, const Place& place) {
  const std::vector<HunkLine>& lines = search.hunk.lines;
  std::set<long> shifts;
  for (size_t i = 0; i < search.old.size(); ++i)
    if (place.line_for(i) != kNoLine && has_word(search.old[i]))
      shifts.insert(shift_of(search, place, i));
  if (shifts.empty()) return false;
  const auto adds = [&](size_t k) {
    return k < lines.size() && lines[k].kind == HunkLine::Kind::added;
  };
  size_t old = 0;
  for (size_t k = 0; k < lines.size(); ++k) {
    if (adds(k)) continue;
    const size_t i = old++;
    const bool changes = lines[k].kind == HunkLine::Kind::removed || adds(k + 1) ||
                         (k > 0 && adds(k - 1));
    if (!changes || place.line_for(i) == kNoLine || is_blank(lines[k].text) ||
        has_word(lines[k].text))
      continue;
    if (!shifts.contains(shift_of(search, place, i))) return true;
  }
  return false;
}

struct Row {
  MatchQuality quality;
  Rung* find;
};

// A new rung: its file, and one row here. Strictest first; the first with a hit ends the search.
constexpr Row kLadder[] = {
    {MatchQuality::exact, equal_under<exact_key>},
    {MatchQuality::substring, find_substring},
    {MatchQuality::trailing_space, equal_under<trailing_key>},
    {MatchQuality::punctuation, equal_under<punctuation_key>},
    {MatchQuality::indentation, find_indented},
    {MatchQuality::trimmed, equal_under<trimmed_key>},
    {MatchQuality::whitespace, equal_under<whitespace_key>},
    {MatchQuality::cosmetic, find_cosmetic},
    {MatchQuality::elision, find_elided},
    {MatchQuality::gaps, find_with_gaps},
    {MatchQuality::fuzzy, find_fuzzy},
};

std::vector<std::string_view> side(const Hunk& hunk, HunkLine::Kind without) {
  std::vector<std::string_view> lines;
  for (const HunkLine& line : hunk.lines)
    if (line.kind != without) lines.push_back(line.text);
  return lines;
}

// All first lines at which `pattern` stands in `lines`, overlapping ones too.
std::vector<size_t> find_run(const std::vector<uint32_t>& lines,
                             const std::vector<uint32_t>& pattern) {
  std::vector<size_t> hits;
  std::vector<size_t> border(pattern.size(), 0);
  for (size_t i = 1, k = 0; i < pattern.size(); ++i) {
    while (k > 0 && pattern[i] != pattern[k]) k = border[k - 1];
    if (pattern[i] == pattern[k]) ++k;
    border[i] = k;
  }
  for (size_t i = 0, k = 0; i < lines.size(); ++i) {
    while (k > 0 && lines[i] != pattern[k]) k = border[k - 1];
    if (lines[i] == pattern[k]) ++k;
    if (k == pattern.size()) {
      hits.push_back(i + 1 - k);
      k = border[k - 1];
    }
  }
  return hits;
}

const Starts& likely_starts(const Search& search) {
  constexpr size_t kMostHits = 64;
  if (search.starts) return *search.starts;
  size_t anchor = 0, longest = 0;
  for (size_t i = 0; i < search.old.size(); ++i)
    if (const size_t size = stripped(search.old[i]).size(); size > longest)
      anchor = i, longest = size;
  Starts& starts = search.starts.emplace();
  starts.too_many =
      !search.file.lines_with(stripped(search.old[anchor]), kMostHits, starts.lines);
  std::erase_if(starts.lines, [&](size_t line) {
    return line < anchor || line - anchor + search.old.size() > search.file.line_count();
  });
  for (size_t& start : starts.lines) start -= anchor;
  return starts;
}

bool keeps_stripped_text(LineKey key) {
  return key == exact_key || key == trailing_key || key == trimmed_key;
}

}  // namespace

std::vector<std::string_view> old_side(const Hunk& hunk) {
  return side(hunk, HunkLine::Kind::added);
}

std::vector<std::string_view> new_side(const Hunk& hunk) {
  return side(hunk, HunkLine::Kind::removed);
}

bool says_nothing(const std::vector<std::string_view>& lines) {
  return std::all_of(lines.begin(), lines.end(), is_blank);
}

Place place_at(const MappedText& file, size_t first, size_t count) {
  Place place;
  place.first = first;
  place.last = first + count;
  place.offset = file.begin_of(first);
  place.length = file.begin_of(first + count) - place.offset;
  return place;
}

std::vector<Place> find_by_key(const Search& search, LineKey key) {
  const MappedText& file = search.file;
  std::vector<Place> places;
  if (search.old.empty() || search.old.size() > file.line_count()) return places;
  if (key == punctuation_key && !file.has_non_ascii()) {
    if (std::all_of(search.old.begin(), search.old.end(), is_ascii)) return places;
  }
  std::string buffer;
  std::vector<std::string> wanted;
  for (const std::string_view line : search.old) wanted.emplace_back(key(line, buffer));
  const Starts* starts = nullptr;
  Starts run;
  if (keeps_stripped_text(key)) {
    if (!file.spend(file.bytes().size() / 16)) return places;
    starts = &likely_starts(search);
  }
  if (!starts || starts->too_many) {
    if (!file.spend(file.line_count() + search.old.size())) return places;
    std::vector<uint32_t> pattern;
    for (const std::string& line : wanted) pattern.push_back(MappedText::hash(line));
    run.lines = find_run(file.hashes(key), pattern);
    starts = &run;
  }
  for (const size_t first : starts->lines) {
    if (!file.spend(search.old.size() * 10)) return {};
    bool same = true;
    for (size_t i = 0; i < wanted.size() && same; ++i)
      same = key(file.line(first + i), buffer) == wanted[i];
    if (same) places.push_back(place_at(file, first, wanted.size()));
  }
  return places;
}

std::vector<Place> find_places(const MappedText& file, const Hunk& hunk, MatchQuality loosest) {
  const Search search{file, hunk, old_side(hunk)};
  if (search.old.empty()) return {};
  // Blank lines alone name a place only as they are.
  if (says_nothing(search.old)) loosest = std::min(loosest, MatchQuality::trailing_space);
  for (const Row& row : kLadder) {
    if (row.quality > loosest) break;
    std::vector<Place> places = row.find(search);
    if (row.quality >= MatchQuality::trimmed && row.quality != MatchQuality::cosmetic)
      std::erase_if(places, [&](const Place& p) { return hangs_on_odd_signs(search, p); });
    if (places.empty()) continue;
    for (Place& place : places) place.quality = row.quality;
    return places;
  }
  return {};
}

}  // namespace bodkin
