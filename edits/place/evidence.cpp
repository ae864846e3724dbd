#include "edits/place/evidence.h"

#include <algorithm>
#include <cctype>

#include "edits/place/sections.h"
#include "edits/text/comments.h"

namespace bodkin {
namespace {

// Where the line holds the words, from word to word, as code; npos: nowhere. ".btn" is not a word
// of ".btn:hover", nor "load" of "load-all" or "load.all".
size_t find_words(std::string_view line, std::string_view words) {
  const auto joins = [&](size_t at) {
    return at + 1 < line.size() && std::string_view("-.:").find(line[at]) != line.npos &&
           is_word_char(line[at + 1]);
  };
  for (size_t at = line.find(words); at != line.npos; at = line.find(words, at + 1)) {
    const size_t end = at + words.size();
    const bool begins =
        at == 0 || !is_word_char(words.front()) ||
        (!is_word_char(line[at - 1]) && !(line[at - 1] == '-' && at > 1 && joins(at - 1)));
    const bool ends = end == line.size() || !is_word_char(words.back()) ||
                      (!is_word_char(line[end]) && !joins(end));
    if (begins && ends && is_code(line, at)) return at;
  }
  return line.npos;
}

// Without what opens a block, and without the signs of a table or a heading.
std::string_view bare_head(std::string_view line) {
  line = trimmed(line);
  if (const std::string_view name = flat_section_name(line); !name.empty()) line = name;
  const auto is_sign = [](char c) {
    return std::string_view(" \t{:([]#").find(c) != std::string_view::npos;
  };
  while (!line.empty() && is_sign(line.back())) line.remove_suffix(1);
  while (!line.empty() && is_sign(line.front())) line.remove_prefix(1);
  return line;
}

// How a line may match an anchor, the strictest first.
enum class AnchorMatch { equal, equal_head, heads, begins };

class AnchorSearch {
 public:
  AnchorSearch(const MappedText& file, std::string_view anchor)
      : file_(file),
        wanted_(trimmed(anchor)),
        bare_(bare_head(wanted_)),
        is_ascii_(is_ascii(wanted_)),
        // What is the whole name of its section: "[a]" is not "[a.b]", ".btn" not ".btn .icon".
        is_whole_(!flat_section_name(wanted_).empty() || wanted_.starts_with('.') ||
                  wanted_.starts_with('#')) {}

  // The lines in the range that are the anchor, by the strictest match that any has.
  std::vector<size_t> lines_in(const LineRange& range) const {
    std::vector<size_t> lines;
    if (wanted_.empty()) return lines;
    for (const AnchorMatch match :
         {AnchorMatch::equal, AnchorMatch::equal_head, AnchorMatch::heads, AnchorMatch::begins}) {
      for (size_t i = range.begin; i < range.end; ++i)
        if (!is_blank(file_.line(i)) && is(i, match)) lines.push_back(i);
      if (!lines.empty()) break;
    }
    return lines;
  }

 private:
  bool is(size_t i, AnchorMatch match) const {
    const std::string_view line = trimmed(file_.line(i));
    switch (match) {
      case AnchorMatch::equal:
        return line == wanted_ ||
               (!(is_ascii(line) && is_ascii_) && same_under(punctuation_key, line, wanted_));
      case AnchorMatch::equal_head:
        return !bare_.empty() && bare_head(line) == bare_ &&
               (heads_flat_section(file_, i) || (opens(i) && is_code(line, line.find(bare_))));
      case AnchorMatch::heads:
        return !is_whole_ && !heads_flat_section(file_, i) &&
               find_words(line, wanted_) != line.npos && opens(i);
      case AnchorMatch::begins:
        return !is_whole_ && !heads_flat_section(file_, i) && find_words(line, wanted_) == 0;
    }
    return false;
  }

  bool opens(size_t i) const {
    return ends_in_opener(file_.line(i)) || is_deeper_below(file_, i) ||
           (i + 1 < file_.line_count() && trimmed(file_.line(i + 1)) == "{");
  }

  const MappedText& file_;
  const std::string_view wanted_, bare_;
  const bool is_ascii_, is_whole_;
};

// Every part of the file that the anchors may name.
std::vector<LineRange> ranges_of_anchors(const MappedText& file,
                                         const std::vector<std::string>& anchors) {
  constexpr size_t kMax = 64;
  std::vector<LineRange> ranges = {{0, file.line_count()}};
  for (const std::string& anchor : anchors) {
    std::vector<LineRange> inner;
    for (const LineRange& range : ranges) {
      if (!file.spend((range.end - range.begin) * 4)) return {};
      for (size_t line : AnchorSearch(file, anchor).lines_in(range)) {
        line = begin_of_head(file, line);
        if (inner.size() == kMax) return {};
        const LineRange found = section_of(file, line, range.end);
        if (std::find(inner.begin(), inner.end(), found) == inner.end()) inner.push_back(found);
      }
    }
    ranges = std::move(inner);
  }
  return ranges;
}

// Behind a section, blank lines and comments, and what begins there, are in no other.
size_t end_with_gap(const MappedText& file, const LineRange& section, size_t limit) {
  size_t end = section.end;
  const auto is_gap = [](std::string_view line) {
    line = trimmed(line);
    return !has_word(line) || is_comment(line) || line.starts_with('@') || line.starts_with("#[");
  };
  while (end < limit && is_gap(file.line(end)) && !heads_flat_section(file, end)) ++end;
  return end + 1;
}

// Where the body below an anchor's line begins, if what is added fits there.
std::optional<size_t> line_below(const MappedText& file, size_t head, const Hunk& hunk) {
  constexpr size_t kLongest = 2000;  // bytes of a head
  const std::string_view line = file.line(head), text = trimmed(line);
  if (text.size() > kLongest || open_brackets(text) > 0 || lines_of_head(file, head) > 1 ||
      text.starts_with('@') || text.starts_with("#[") || text.ends_with(',') ||
      text.ends_with('\\') || text.ends_with('='))
    return std::nullopt;
  size_t below = head + 1;
  const bool brace = below < file.line_count() && trimmed(file.line(below)) == "{";
  if (brace) ++below;
  const bool opens = brace || ends_in_opener(text);
  if (!opens && is_deeper_below(file, head)) return std::nullopt;  // the head may go on
  size_t first = below;
  while (first < file.line_count() && is_blank(file.line(first))) ++first;
  if (opens && first < file.line_count())
    for (const std::string_view sign : {"\"\"\"", "'''", "r\"\"\""})
      if (trimmed(file.line(first)).starts_with(sign))
        return std::nullopt;  // a docstring comes first
  for (const HunkLine& added : hunk.lines) {
    if (is_blank(added.text)) continue;
    const size_t depth = indentation_of(added.text).size(), own = indentation_of(line).size();
    if (opens ? depth <= own : depth != own) return std::nullopt;
    break;
  }
  return below;
}

}  // namespace

std::optional<LineRange> range_of_anchors(const MappedText& file,
                                          const std::vector<std::string>& anchors) {
  const std::vector<LineRange> ranges = ranges_of_anchors(file, anchors);
  return ranges.size() == 1 ? std::optional(ranges[0]) : std::nullopt;
}

std::optional<LineRange> range_of_heading(const MappedText& file, const std::string& heading) {
  return range_of_anchors(file, {heading});
}

bool anchors_contradict(const MappedText& file, const Hunk& hunk, const Place& place) {
  if (hunk.anchors.empty()) return false;
  const std::vector<LineRange> ranges = ranges_of_anchors(file, hunk.anchors);
  return std::none_of(ranges.begin(), ranges.end(), [&](const LineRange& range) {
    return range.begin < place.last && place.first < end_with_gap(file, range, place.first);
  });
}

bool heading_contradicts(const MappedText& file, const Hunk& hunk, const Place& place) {
  if (hunk.heading.empty() || !hunk.line_hint) return false;
  const std::vector<LineRange> ranges = ranges_of_anchors(file, {hunk.heading});
  const auto holds_hint = [&](const LineRange& range) {
    return range.begin <= *hunk.line_hint && *hunk.line_hint < range.end;
  };
  return std::any_of(ranges.begin(), ranges.end(), holds_hint) &&
         std::none_of(ranges.begin(), ranges.end(), [&](const LineRange& range) {
           return range.begin < place.last && place.first < end_with_gap(file, range, place.first);
         });
}

std::optional<size_t> insertion_line(const MappedText& file, const Hunk& hunk) {
  if (!hunk.anchors.empty()) {
    const auto range = range_of_anchors(file, hunk.anchors);
    return range ? line_below(file, range->begin, hunk) : std::nullopt;
  }
  if (hunk.at_end_of_file || file.line_count() == 0) return file.line_count();
  if (hunk.line_hint && *hunk.line_hint <= file.line_count()) return hunk.line_hint;
  return std::nullopt;
}

}  // namespace bodkin
