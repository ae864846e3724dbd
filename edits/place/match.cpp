// How the ladder keeps its promise. Most rungs compare lines by a key. The longest old line is
// searched for byte by byte and the lines around each hit are compared; if it occurs too often, the
// line hashes are searched with Knuth-Morris-Pratt and the hits are verified. So every rung covers
// the whole file in linear time.
#include "edits/place/match.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "edits/place/rungs.h"
#include "edits/place/tokens.h"

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

// Comment delimiters: their indentation is not significant.
bool is_comment_frame(std::string_view line) {
  const std::string_view text = trimmed(line);
  for (const std::string_view sign :
       {"*/", "**/", "*", "/*", "/**", "-->", "<!--", "//", "///", "#"})
    if (text == sign) return true;
  return false;
}

// True if the line does more than end a block, as "}" and "end" do.
bool says_where(std::string_view line) {
  static constexpr std::string_view kEnds[] = {"end", "fi", "done", "esac", "endif"};
  return std::ranges::any_of(tokens_of(line), [](std::string_view token) {
    return has_word(token) && std::ranges::count(kEnds, token) == 0;
  });
}

// A line that only ends a block ("}", "end") is identified by its indentation alone. If the lines
// are not all shifted equally, such a line that is removed, or that borders an addition, must be
// shifted like a line with words.
bool punctuation_misaligned(const Search& search, const Place& place) {
  const std::vector<HunkLine>& lines = search.hunk.lines;
  std::set<long> shifts;
  std::set<std::pair<size_t, long>>
      depths;  // a quote in another unit is moved more where it is deeper
  const auto depth_of = [&](size_t i) { return indentation_of(search.old[i]).size(); };
  for (size_t i = 0; i < search.old.size(); ++i)
    if (place.line_for(i) != kNoLine && says_where(search.old[i])) {
      shifts.insert(shift_of(search, place, i));
      depths.insert({depth_of(i), shift_of(search, place, i)});
    }
  if (shifts.empty()) shifts.insert(0);  // of a piece beside an elision, which is where it says
  const auto adds = [&](size_t k) {
    return k < lines.size() && lines[k].kind == HunkLine::Kind::added;
  };
  size_t old = 0;
  for (size_t k = 0; k < lines.size(); ++k) {
    if (adds(k)) continue;
    const size_t i = old++;
    const bool changes = lines[k].kind == HunkLine::Kind::removed || adds(k + 1) ||
                         adds(k - 1);  // nothing is added before the first
    if (!changes || place.line_for(i) == kNoLine || is_blank(lines[k].text) ||
        is_comment_frame(lines[k].text))
      continue;
    if (!shifts.contains(shift_of(search, place, i)) ||
        (!depths.contains({depth_of(i), shift_of(search, place, i)}) &&
         std::ranges::any_of(depths,
                             [&](const auto& depth) { return depth.first == depth_of(i); })))
      return true;
  }
  return false;
}

// To a string replacement whole lines are no more than a part of one: both are counted together.
std::vector<Place> find_exact(const Search& search) {
  return search.hunk.within_lines ? find_in_bytes(search) : find_by_key(search, exact_key);
}

struct Row {
  MatchQuality quality;
  Rung* find;
};

// A new rung: its file, and one row here. Strictest first; the first with a hit ends the search.
// Decides: which differences between a quote and the file are tolerated (the rungs).
constexpr Row kLadder[] = {
    {MatchQuality::exact, find_exact},
    {MatchQuality::trailing_space, equal_under<trailing_key>},
    {MatchQuality::punctuation, find_punctuated},
    {MatchQuality::indentation, find_indented},
    {MatchQuality::trimmed, equal_under<trimmed_key>},
    {MatchQuality::whitespace, equal_under<whitespace_key>},
    {MatchQuality::cosmetic, find_cosmetic},
    {MatchQuality::elision, find_elided},
    {MatchQuality::gaps, find_with_gaps},
    {MatchQuality::fuzzy, find_fuzzy},
};

std::vector<Place> places_on(const Row& row, const Search& search) {
  std::vector<Place> places = row.find(search);
  if (row.quality >= MatchQuality::trimmed && row.quality != MatchQuality::cosmetic)
    std::erase_if(places,
                  [&](const Place& p) { return !p.indented && punctuation_misaligned(search, p); });
  if (!places.empty() && row.quality >= MatchQuality::indentation &&
      row.quality != MatchQuality::cosmetic && std::ranges::none_of(search.old, says_where))
    places.clear();
  for (Place& place : places) {
    const bool part = place.within_lines && row.quality == MatchQuality::exact;
    place.quality = part ? MatchQuality::substring : row.quality;
  }
  return places;
}

// A string replacement that begins and ends at line boundaries, as a whole-line hunk; else nothing.
std::shared_ptr<const Hunk> as_whole_lines(const Hunk& hunk) {
  if (!hunk.within_lines) return nullptr;
  const auto is_edge = [](const HunkLine& line) {
    return line.kind == HunkLine::Kind::context && line.text.empty();
  };
  auto out = std::make_shared<Hunk>(hunk);
  out->within_lines = false;
  if (!out->lines.empty() && is_edge(out->lines.back())) out->lines.pop_back();
  if (!out->lines.empty() && is_edge(out->lines.front())) out->lines.erase(out->lines.begin());
  if (out->lines.size() == hunk.lines.size() || old_side(*out).empty()) return nullptr;
  return out;
}

// On the rungs from trailing space on.
std::vector<Place> places_of_lines(const MappedText& file, const std::shared_ptr<const Hunk>& hunk,
                                   MatchQuality loosest) {
  const Search search{file, *hunk, old_side(*hunk)};
  for (const Row& row : kLadder) {
    if (row.quality < MatchQuality::trailing_space) continue;
    if (row.quality > loosest) break;
    std::vector<Place> places = places_on(row, search);
    for (Place& place : places)
      if (!place.hunk) place.hunk = hunk;
    if (!places.empty()) return places;
  }
  return {};
}

std::vector<std::string_view> side(const Hunk& hunk, HunkLine::Kind without) {
  std::vector<std::string_view> lines;
  lines.reserve(hunk.lines.size());
  for (const HunkLine& line : hunk.lines)
    if (line.kind != without) lines.push_back(line.text);
  return lines;
}

// All lines of `lines` at which `pattern` begins, also where it overlaps itself.
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

// Where the hashes of the keys are in a row, or may be.
std::vector<size_t> run_starts(const MappedText& file, LineKey key,
                               const std::vector<std::string_view>& wanted) {
  constexpr size_t kMaxHits = 64;
  if (file.is_indexed(key) && file.spend(kMaxHits)) {
    const auto longest = std::max_element(wanted.begin(), wanted.end(),
                                          [](auto& a, auto& b) { return a.size() < b.size(); });
    const size_t anchor = static_cast<size_t>(longest - wanted.begin());
    if (auto lines = file.lines_hashed(key, MappedText::hash(*longest), kMaxHits)) {
      std::erase_if(*lines, [&](size_t line) {
        return line < anchor || line - anchor + wanted.size() > file.line_count();
      });
      for (size_t& line : *lines) line -= anchor;
      return *lines;
    }
  }
  if (!file.spend(file.line_count() + wanted.size())) return {};
  std::vector<uint32_t> pattern;
  for (const std::string_view line : wanted) pattern.push_back(MappedText::hash(line));
  return find_run(file.hashes(key), pattern);
}

const Starts& candidate_starts(const Search& search) {
  constexpr size_t kMaxHits = 64;
  if (search.starts) return *search.starts;
  size_t anchor = 0, longest = 0;
  for (size_t i = 0; i < search.old.size(); ++i)
    if (const size_t size = trimmed(search.old[i]).size(); size > longest)
      anchor = i, longest = size;
  Starts& starts = search.starts.emplace();
  if (!search.file.spend(search.file.cost_of_search())) return starts;
  starts.too_many = !search.file.lines_with(trimmed(search.old[anchor]), kMaxHits, starts.lines);
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

bool all_blank(const std::vector<std::string_view>& lines) {
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
  std::vector<std::string_view> wanted;
  std::vector<std::string> written;  // the keys that are not part of their line
  wanted.reserve(search.old.size());
  for (const std::string_view line : search.old) {
    wanted.push_back(key(line, buffer));
    if (wanted.back().data() != buffer.data()) continue;
    if (written.empty()) written.reserve(search.old.size());
    wanted.back() = written.emplace_back(std::exchange(buffer, {}));
  }
  const Starts* starts = nullptr;
  Starts run;
  if (keeps_stripped_text(key)) starts = &candidate_starts(search);
  if (!starts || starts->too_many) {
    run.lines = run_starts(file, key, wanted);
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
  for (const Row& row : kLadder) {
    if (row.quality > loosest) break;
    if (row.quality == MatchQuality::trailing_space)
      if (const auto lines = as_whole_lines(hunk)) return places_of_lines(file, lines, loosest);
    std::vector<Place> places = places_on(row, search);
    if (!places.empty()) return places;
  }
  return {};
}

}  // namespace bodkin
