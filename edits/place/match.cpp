// How lines are found by a key. The longest old line is searched for byte by byte and the lines
// around each hit are compared; if it occurs too often, the line hashes are searched with
// Knuth-Morris-Pratt and the hits are verified. So the whole file is covered in linear time.
#include "edits/place/match.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "edits/place/parts_of_lines.h"

namespace bodkin {
namespace {

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

}  // namespace bodkin
