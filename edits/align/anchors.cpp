#include "edits/align/anchors.h"

#include <algorithm>

#include "edits/align/lines.h"
#include "edits/text/comments.h"
#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

bool ends_in(std::string_view line, std::string_view signs) {
  line = trimmed(line);
  return !line.empty() && signs.find(line.back()) != signs.npos;
}

std::string_view text_at(const MappedText& file, size_t line) {
  return line < file.line_count() ? trimmed(file.line(line)) : std::string_view();
}

bool is_deeper_below(const MappedText& file, size_t line) {
  size_t next = line + 1;
  while (next < file.line_count() && is_blank(file.line(next))) ++next;
  return next < file.line_count() && depth_of(file.line(next)) > depth_of(file.line(line));
}

// "## Heading": 2; else 0.
size_t level_of_heading(std::string_view line) {
  const size_t level = std::min(line.find_first_not_of('#'), line.size());
  return level < line.size() && line[level] == ' ' ? level : 0;
}

// "[a.b]", "[[a]]", perhaps with a comment after it.
bool is_table(std::string_view line) {
  return line.starts_with('[') && line.find(']') != line.npos && has_word(line) &&
         line.find_first_of(",(=") == line.npos;
}

// True if the line heads a section that is no deeper: a Markdown heading, a TOML or INI table.
bool heads_flat_section(std::string_view line) {
  return level_of_heading(line) > 0 || is_table(line);
}

bool is_annotation(std::string_view line) {
  return line.starts_with('@') || line.starts_with("#[");
}

// All lines of a head: from the one that opens its brackets to the one that closes them.
LineRange head_at(const MappedText& file, size_t line) {
  constexpr size_t kMost = 40;
  const auto opened_at = [&](size_t i) {
    const std::string_view text = file.line(i);
    return std::ranges::count(text, '(') + std::ranges::count(text, '[') -
           std::ranges::count(text, ')') - std::ranges::count(text, ']');
  };
  size_t first = line, last = line;
  auto open = opened_at(line);
  while (open < 0 && first > 0 && line - first < kMost) open += opened_at(--first);
  while (open > 0 && last + 1 < file.line_count() && last - line < kMost) open += opened_at(++last);
  return open == 0 ? LineRange{first, last + 1} : LineRange{line, line + 1};
}

// The beginning that lines heading sections of one kind share: signs, and the word behind them.
std::string_view begin_of(std::string_view line) {
  line = trimmed(line);
  size_t end = 0;
  while (end < line.size() && !is_word_char(line[end])) ++end;
  while (end < line.size() && is_word_char(line[end])) ++end;
  return line.substr(0, end);
}

// True if `line` begins another section of the kind that `head` heads.
bool begins_next(std::string_view head, std::string_view line) {
  if (const size_t level = level_of_heading(head))
    return level_of_heading(line) > 0 && level_of_heading(line) <= level;
  return is_table(head) ? is_table(line) : begin_of(head) == begin_of(line);
}

// True for text at a head's depth that still belongs to its block.
bool continues_block(std::string_view text) {
  return is_among(text.front(), "})]{#") || text.starts_with(": ") || text.starts_with("</") ||
         is_one_of(first_word(text), {"public", "private", "protected", "else", "elif", "elseif",
                                      "elsif", "except", "finally", "catch", "rescue", "ensure",
                                      "end", "done", "fi", "then", "do", "begin", "where"});
}

// True if `at` is in code, not in a comment or a string.
bool is_code(std::string_view line, size_t at) {
  if (is_comment(line) || line.starts_with(';')) return false;
  for (const LineToken& token : line_tokens(line)) {
    const auto begin = static_cast<size_t>(token.text.data() - line.data());
    if (begin >= at) return true;
    if (opens_comment(line.substr(begin))) return false;
    if (token.kind == LineToken::Kind::string && at < begin + token.text.size()) return false;
  }
  return true;
}

// Finds the words in the line, from word to word, as code; npos if it has none. ".btn" is not a
// word of ".btn:hover", nor "load" of "load-all" or "load.all".
size_t find_words(std::string_view line, std::string_view words) {
  const auto joins = [&](size_t at) {
    return at + 1 < line.size() && is_among(line[at], "-.:") && is_word_char(line[at + 1]);
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
  constexpr std::string_view kSigns = " \t{:([]#";
  const size_t begin = line.find_first_not_of(kSigns);
  return begin == line.npos ? "" : line.substr(begin, line.find_last_not_of(kSigns) - begin + 1);
}

// How well a line matches the anchor: 4 is equal, 3 is equal but for what opens a block, 2 heads a
// block and has its words, 1 begins with them, 0 is another line.
int match_of(const MappedText& file, size_t i, std::string_view anchor) {
  const std::string_view line = trimmed(file.line(i));
  if (line == anchor || (!is_ascii(line) && same_under(punctuation_key, line, anchor))) return 4;
  const bool opens =
      ends_in(line, ":{([") || is_deeper_below(file, i) || text_at(file, i + 1) == "{";
  const std::string_view bare = bare_head(anchor);
  if (!bare.empty() && bare_head(line) == bare &&
      (heads_flat_section(file.line(i)) || (opens && !is_comment(line))))
    return 3;
  // Such an anchor is the whole name of its section: "[a]" is not "[a.b]", ".btn" not ".btn .icon".
  if (is_among(anchor.front(), "[.#") || heads_flat_section(line)) return 0;
  const size_t at = find_words(line, anchor);
  return at == line.npos ? 0 : opens ? 2 : at == 0 ? 1 : 0;
}

// Every part of the file that the anchors may name.
std::vector<LineRange> ranges_of_anchors(const MappedText& file,
                                         const std::vector<std::string>& anchors) {
  constexpr size_t kMax = 64;
  std::vector<LineRange> ranges = {{0, file.line_count()}};
  for (const std::string& named : anchors) {
    const std::string_view anchor = trimmed(named);
    std::vector<LineRange> inner;
    for (const LineRange& range : ranges) {
      if (anchor.empty() || !file.spend((range.end - range.begin) * 4)) return {};
      int best = 1;
      std::vector<size_t> heads;  // the lines that match best
      for (size_t i = range.begin; i < range.end; ++i) {
        const int match = is_blank(file.line(i)) ? 0 : match_of(file, i, anchor);
        if (match < best) continue;
        if (match > best) heads.clear();
        best = match;
        heads.push_back(i);
      }
      if (inner.size() + heads.size() > kMax) return {};
      for (const size_t head : heads) inner.push_back(section_of(file, head, range.end));
    }
    ranges = std::move(inner);
  }
  return ranges;
}

// Behind a section, blank lines and comments, and what begins there, are in no other.
bool is_in(const MappedText& file, const LineRange& section, const LineRange& place) {
  size_t end = section.end;
  const auto is_gap = [](std::string_view line) {
    return !has_word(line) || is_comment(line) || is_annotation(trimmed(line));
  };
  while (end < place.begin && is_gap(file.line(end)) && !heads_flat_section(file.line(end))) ++end;
  return section.begin < place.end && place.begin <= end;
}

}  // namespace

LineRange section_of(const MappedText& file, size_t head, size_t limit) {
  size_t top = head;  // below decorators and attributes
  while (top + 1 < limit && is_annotation(text_at(file, top)) &&
         depth_of(file.line(top + 1)) == depth_of(file.line(top)))
    ++top;
  const LineRange all = head_at(file, top);
  const std::string_view line = file.line(all.begin);
  const size_t depth = depth_of(line), level = level_of_heading(line), last = all.end - 1;
  const bool opens = all.end > top + 1 || is_deeper_below(file, last) ||
                     ends_in(file.line(last), "{") || text_at(file, all.end) == "{";
  // In YAML a list may be as deep as its key.
  const bool lists = !opens && ends_in(line, ":") && text_at(file, all.end).starts_with("- ");
  const bool is_import = is_one_of(
      begin_of(line), {"import", "from", "use", "using", "#include", "const", "let", "var"});
  bool fenced = false;
  size_t end = std::min(all.end, limit);
  for (size_t i = all.end; i < limit; ++i) {
    const std::string_view text = text_at(file, i);
    fenced ^= level > 0 && text.starts_with("```");
    if (text.empty() || fenced) continue;
    const size_t here = depth_of(file.line(i));
    if (here < depth && !continues_block(text)) break;
    if (here == depth && !(lists && text.starts_with("- "))) {
      if (!is_import && begins_next(line, file.line(i))) break;
      if ((opens || lists) && !continues_block(text) && level == 0) break;
    }
    end = i + 1;
  }
  return {std::min(head, all.begin), end};
}

std::optional<LineRange> range_of_anchors(const MappedText& file,
                                          const std::vector<std::string>& anchors) {
  const std::vector<LineRange> ranges = ranges_of_anchors(file, anchors);
  return ranges.size() == 1 ? std::optional(ranges[0]) : std::nullopt;
}

bool anchors_contradict(const MappedText& file, const Evidence& evidence, const LineRange& place) {
  if (evidence.anchors.empty()) return false;
  return std::ranges::none_of(ranges_of_anchors(file, evidence.anchors),
                              [&](const LineRange& range) { return is_in(file, range, place); });
}

bool heading_contradicts(const MappedText& file, const Evidence& evidence, const LineRange& place) {
  if (evidence.heading.empty() || !evidence.line) return false;
  const std::vector<LineRange> ranges = ranges_of_anchors(file, {evidence.heading});
  return std::ranges::any_of(ranges,
                             [&](const LineRange& range) {
                               return range.begin <= *evidence.line && *evidence.line < range.end;
                             }) &&
         std::ranges::none_of(ranges,
                              [&](const LineRange& range) { return is_in(file, range, place); });
}

std::optional<size_t> insertion_line(const MappedText& file, const Evidence& evidence) {
  if (!evidence.anchors.empty()) return std::nullopt;
  if (evidence.at_end_of_file || file.line_count() == 0) return file.line_count();
  if (evidence.line && *evidence.line <= file.line_count()) return evidence.line;
  return std::nullopt;
}

}  // namespace bodkin
