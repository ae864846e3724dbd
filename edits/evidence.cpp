#include "edits/evidence.h"

#include <algorithm>
#include <cctype>

#include "edits/tokens.h"

namespace bodkin {
namespace {

bool is_word_char(char c) {
  return c == '_' || static_cast<unsigned char>(c) >= 0x80 ||
         std::isalnum(static_cast<unsigned char>(c));
}

bool ends_in_opener(std::string_view line) {
  const std::string_view text = stripped(line);
  return !text.empty() && std::string_view(":{([").find(text.back()) != std::string_view::npos;
}

// Is what begins at `at` code, neither in a comment nor in a string?
bool is_code(std::string_view line, size_t at) {
  char quote = 0;
  for (size_t i = 0; i < at; ++i) {
    if (quote) {
      if (line[i] == '\\')
        ++i;
      else if (line[i] == quote)
        quote = 0;
    } else if (line[i] == '"' || line[i] == '`' ||
               (line[i] == '\'' && (i == 0 || !is_word_char(line[i - 1])))) {
      quote = line[i];
    } else {
      const std::string_view rest = line.substr(i);
      for (const std::string_view sign : {"//", "# ", "/*", "-- ", "<!--"})
        if (rest.starts_with(sign)) return false;
      if (i == 0 && (rest.starts_with("* ") || rest.starts_with(';'))) return false;
    }
  }
  return quote == 0;
}

// Where the line holds the words, from word to word, as code; npos: nowhere.
size_t find_words(std::string_view line, std::string_view words) {
  for (size_t at = line.find(words); at != line.npos; at = line.find(words, at + 1)) {
    const size_t end = at + words.size();
    const bool begins = at == 0 || !is_word_char(line[at - 1]) || !is_word_char(words.front());
    const bool ends = end == line.size() || !is_word_char(line[end]) || !is_word_char(words.back());
    if (begins && ends && is_code(line, at)) return at;
  }
  return line.npos;
}

bool is_deeper_below(const MappedText& file, size_t line) {
  size_t next = line + 1;
  while (next < file.line_count() && is_blank(file.line(next))) ++next;
  return next < file.line_count() &&
         indentation_of(file.line(next)).size() > indentation_of(file.line(line)).size();
}

// The lines in the range that are the anchor; if none is, those that begin with it; else those that
// hold it and open a block; else those that declare its name.
std::vector<size_t> lines_of_anchor(const MappedText& file, std::string_view anchor,
                                    const LineRange& range) {
  std::string_view wanted = stripped(anchor);
  std::vector<size_t> lines;
  if (wanted.empty()) return lines;
  const std::string_view name = declared_name(wanted);
  for (int tier = 0; tier < 4 && lines.empty(); ++tier) {
    for (size_t i = range.begin; i < range.end; ++i) {
      const std::string_view line = stripped(file.line(i));
      if (line.empty()) continue;
      bool is = false;
      switch (tier) {
        case 0:
          is = line == wanted || same_under(punctuation_key, line, wanted);
          break;
        case 1:
          is = find_words(line, wanted) == 0;
          break;
        case 2:
          is = find_words(line, wanted) != line.npos &&
               (ends_in_opener(line) || is_deeper_below(file, i) ||
                (i + 1 < file.line_count() && stripped(file.line(i + 1)) == "{"));
          break;
        default:
          is = !name.empty() && declared_name(line) == name && is_code(line, line.find(name));
      }
      if (is) lines.push_back(i);
    }
  }
  return lines;
}

// What stands at a head's depth and still belongs to its block.
bool goes_on(std::string_view line) {
  const std::string_view text = stripped(line);
  if (std::string_view("})]{:#").find(text.front()) != std::string_view::npos) return true;
  if (text == "public:" || text == "private:" || text == "protected:") return true;
  const std::string_view word = text.substr(0, text.find_first_of(" \t:;({"));
  for (const std::string_view known :
       {"else", "elif", "elseif", "elsif", "except", "finally", "catch", "rescue", "ensure", "end",
        "END", "done", "fi", "esac", "then", "do", "begin", "BEGIN"})
    if (word == known) return true;
  return text.starts_with("</");
}

size_t end_of_block(const MappedText& file, size_t head, size_t limit) {
  const size_t depth = indentation_of(file.line(head)).size();
  const bool opens = is_deeper_below(file, head) || stripped(file.line(head)).ends_with('{') ||
                     (head + 1 < limit && stripped(file.line(head + 1)) == "{");
  size_t end = head + 1;
  for (size_t i = head + 1; i < limit; ++i) {
    if (is_blank(file.line(i))) continue;
    const size_t here = indentation_of(file.line(i)).size();
    if ((opens ? here <= depth : here < depth) && !goes_on(file.line(i))) break;
    end = i + 1;
  }
  return end;
}

// Every part of the file that the anchors may name.
std::vector<LineRange> ranges_of_anchors(const MappedText& file,
                                         const std::vector<std::string>& anchors) {
  constexpr size_t kMost = 64;
  std::vector<LineRange> ranges = {{0, file.line_count()}};
  for (const std::string& anchor : anchors) {
    std::vector<LineRange> inner;
    for (const LineRange& range : ranges) {
      if (!file.spend((range.end - range.begin) * 4)) return {};
      for (const size_t line : lines_of_anchor(file, anchor, range)) {
        if (inner.size() == kMost) return {};
        const LineRange found{line, end_of_block(file, line, range.end)};
        if (std::find(inner.begin(), inner.end(), found) == inner.end()) inner.push_back(found);
      }
    }
    ranges = std::move(inner);
  }
  return ranges;
}

// Does the anchor declare a function or the like, and does the line stand in a later one?
bool is_in_later_block(const MappedText& file, const LineRange& anchor, size_t line) {
  const auto declares = [&](size_t i) {
    const std::string_view text = file.line(i);
    return !declared_name(text).empty() ||
           (text.find('(') != text.npos && i + 1 < file.line_count() &&
            stripped(file.line(i + 1)) == "{");
  };
  if (!declares(anchor.begin)) return false;
  size_t depth = indentation_of(file.line(line)).size();
  for (size_t i = line; i-- > anchor.end;) {
    if (is_blank(file.line(i))) continue;
    const size_t here = indentation_of(file.line(i)).size();
    if (here < depth && declares(i)) return true;
    depth = std::min(depth, here);
  }
  return declares(line);
}

// Are these lines, but for a few, in the file from line `first` on, outside the place?
bool is_mostly_at(const MappedText& file, const std::vector<std::string_view>& old, size_t first,
                  const Place& place) {
  if (first + old.size() > file.line_count() || !file.spend(old.size())) return false;
  if (first < place.last && place.first < first + old.size()) return false;
  size_t equal = 0, solid = 0;
  for (size_t i = 0; i < old.size(); ++i) {
    if (!has_word(old[i])) continue;
    ++solid;
    equal += same_under(whitespace_key, old[i], file.line(first + i));
  }
  return equal >= 3 && equal * 10 >= solid * 7;
}

size_t open_brackets(std::string_view line) {
  size_t open = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    if (!is_code(line, i)) continue;
    if (line[i] == '(' || line[i] == '[') ++open;
    if ((line[i] == ')' || line[i] == ']') && open > 0) --open;
  }
  return open;
}

// Where the body below an anchor's line begins, if what is added fits there.
std::optional<size_t> line_below(const MappedText& file, size_t head, const Hunk& hunk) {
  constexpr size_t kLongest = 2000;  // bytes of a head
  const std::string_view line = file.line(head), text = stripped(line);
  if (text.size() > kLongest || open_brackets(text) > 0 || text.starts_with('@') ||
      text.starts_with("#[") || text.ends_with(',') || text.ends_with('\\') || text.ends_with('='))
    return std::nullopt;
  size_t below = head + 1;
  const bool brace = below < file.line_count() && stripped(file.line(below)) == "{";
  if (brace) ++below;
  const bool opens = brace || ends_in_opener(text) || is_deeper_below(file, head);
  size_t first = below;
  while (first < file.line_count() && is_blank(file.line(first))) ++first;
  if (opens && first < file.line_count())
    for (const std::string_view sign : {"\"\"\"", "'''", "r\"\"\""})
      if (stripped(file.line(first)).starts_with(sign))
        return std::nullopt;  // a docstring comes first
  for (const HunkLine& added : hunk.lines) {
    if (is_blank(added.text)) continue;
    const size_t depth = indentation_of(added.text).size(), own = indentation_of(line).size();
    if (opens ? depth <= own : depth != own) return std::nullopt;
    break;
  }
  return below;
}

// The only place whose line above (blank lines aside) is the anchor; else, if the anchor stands
// only once, the only place behind it.
std::optional<size_t> only_behind_anchor(const MappedText& file, const std::string& anchor,
                                         const std::vector<Place>& places) {
  const std::string_view wanted = stripped(anchor);
  std::optional<size_t> only;
  size_t adjacent = 0;
  for (size_t i = 0; i < places.size(); ++i) {
    size_t above = places[i].first;
    while (above > 0 && is_blank(file.line(above - 1))) --above;
    if (above > 0 && stripped(file.line(above - 1)) == wanted) only = i, ++adjacent;
  }
  if (adjacent > 0) return adjacent == 1 ? only : std::nullopt;
  std::optional<size_t> at;
  for (size_t i = 0; i < file.line_count(); ++i) {
    if (stripped(file.line(i)) != wanted) continue;
    if (at) return std::nullopt;
    at = i;
  }
  return at ? only_within(places, *at, file.line_count()) : std::nullopt;
}

constexpr size_t kNear = 20;  // lines: a number that is further off says nothing

// The nearest place, if it is near and the second is at least twice as far.
std::optional<size_t> nearest_to(size_t hint, const std::vector<Place>& places) {
  constexpr size_t kFar = static_cast<size_t>(-1);
  size_t nearest = kFar, second = kFar, chosen = 0;
  for (size_t i = 0; i < places.size(); ++i) {
    const size_t first = places[i].first;
    const size_t distance = first > hint ? first - hint : hint - first;
    if (distance < nearest) {
      second = nearest;
      nearest = distance;
      chosen = i;
    } else {
      second = std::min(second, distance);
    }
  }
  if (nearest <= kNear && second > 0 && second / 2 >= nearest) return chosen;
  return std::nullopt;
}

}  // namespace

std::optional<LineRange> range_of_anchors(const MappedText& file,
                                          const std::vector<std::string>& anchors) {
  const std::vector<LineRange> ranges = ranges_of_anchors(file, anchors);
  return ranges.size() == 1 ? std::optional(ranges[0]) : std::nullopt;
}

std::optional<LineRange> range_of_heading(const MappedText& file, const std::string& heading) {
  if (const auto range = range_of_anchors(file, {heading})) return range;
  // git cuts a heading at 80 bytes.
  std::optional<size_t> only;
  const std::string_view wanted = stripped(heading);
  if (wanted.size() < 40 || !file.spend(file.line_count())) return std::nullopt;
  for (size_t i = 0; i < file.line_count(); ++i) {
    if (!stripped(file.line(i)).starts_with(wanted)) continue;
    if (only) return std::nullopt;
    only = i;
  }
  if (!only) return std::nullopt;
  return LineRange{*only, end_of_block(file, *only, file.line_count())};
}

std::optional<size_t> only_within(const std::vector<Place>& places, size_t begin, size_t end) {
  std::optional<size_t> only;
  for (size_t i = 0; i < places.size(); ++i) {
    if (places[i].first < begin || places[i].last > end) continue;
    if (only) return std::nullopt;
    only = i;
  }
  return only;
}

std::optional<size_t> chosen_by_evidence(const MappedText& file, const Hunk& hunk,
                                         const std::vector<Place>& places,
                                         const std::optional<LineRange>& selection) {
  if (!file.spend(places.size())) return std::nullopt;
  if (!hunk.anchors.empty()) {
    if (const auto range = range_of_anchors(file, hunk.anchors))
      if (const auto only = only_within(places, range->begin, range->end)) return only;
    if (const auto only = only_behind_anchor(file, hunk.anchors.back(), places)) return only;
  }
  if (hunk.at_end_of_file)
    for (size_t i = 0; i < places.size(); ++i)
      if (places[i].last == file.line_count()) return i;
  if (hunk.line_hint || !hunk.heading.empty()) {
    const auto nearest = hunk.line_hint ? nearest_to(*hunk.line_hint, places) : std::nullopt;
    if (nearest && places[*nearest].first == *hunk.line_hint) return nearest;
    // A number that is off is believed unless the heading names another place.
    const auto range = hunk.heading.empty() ? std::nullopt : range_of_heading(file, hunk.heading);
    const auto below = range ? only_within(places, range->begin, range->end) : std::nullopt;
    if (nearest && below && *nearest != *below) return std::nullopt;
    const auto selected =
        selection ? only_within(places, selection->begin, selection->end) : std::nullopt;
    if (selected && (nearest || below) && *selected != (nearest ? *nearest : *below))
      return std::nullopt;
    if (nearest || below) return nearest ? nearest : below;
  }
  if (selection) return only_within(places, selection->begin, selection->end);
  return std::nullopt;
}

bool anchors_contradict(const MappedText& file, const Hunk& hunk, const Place& place) {
  if (hunk.anchors.empty()) return false;
  const std::vector<LineRange> ranges = ranges_of_anchors(file, hunk.anchors);
  return std::none_of(ranges.begin(), ranges.end(), [&](const LineRange& range) {
    if (place.last <= range.begin) return false;
    return place.first < range.end || !is_in_later_block(file, range, place.first);
  });
}

std::optional<size_t> contradicting_line(const MappedText& file, const Hunk& hunk,
                                         const Place& place,
                                         const std::optional<LineRange>& selection) {
  std::vector<std::string_view> old = old_side(hunk);
  const size_t count = file.line_count();
  // The ends of a string replacement that are line ends are no lines.
  if (hunk.within_lines && old.size() > 1 && old.back().empty()) old.pop_back();
  if (hunk.within_lines && old.size() > 1 && old.front().empty()) old.erase(old.begin());
  if (old.empty() || old.size() > count) return std::nullopt;
  const auto stands_at = [&](size_t first) {
    if (first + old.size() > count || (first < place.last && place.first < first + old.size()))
      return false;
    for (size_t i = 0; i < old.size(); ++i)
      if (!same_under(whitespace_key, old[i], file.line(first + i))) return false;
    return true;
  };
  if (hunk.line_hint && *hunk.line_hint < count &&
      (stands_at(*hunk.line_hint) || (place.quality > MatchQuality::substring &&
                                      is_mostly_at(file, old, *hunk.line_hint, place))))
    return hunk.line_hint;
  if (!selection || selection->begin >= selection->end) return std::nullopt;
  if (place.first < selection->end && selection->begin < place.last) return std::nullopt;
  // Within the selection, or round it.
  const size_t last = selection->end > old.size() ? selection->end - old.size() : 0;
  const size_t begin = std::min(selection->begin, last), end = std::max(selection->begin, last);
  if (!file.spend(end - begin + old.size())) return std::nullopt;
  for (size_t first = begin; first <= end && first < count; ++first)
    if (stands_at(first)) return first;
  return std::nullopt;
}

std::optional<size_t> insertion_line(const MappedText& file, const Hunk& hunk) {
  if (!hunk.anchors.empty()) {
    const auto range = range_of_anchors(file, hunk.anchors);
    return range ? line_below(file, range->begin, hunk) : std::nullopt;
  }
  if (hunk.at_end_of_file || file.line_count() == 0) return file.line_count();
  if (hunk.line_hint && *hunk.line_hint <= file.line_count()) return *hunk.line_hint;
  return std::nullopt;
}

}  // namespace bodkin
