#include "edits/apply/check_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>
#include <unordered_set>

#include "edits/text/find_bytes.h"
#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

using Kind = HunkLine::Kind;
using Lines = std::vector<std::string_view>;
using Shows = EditResult::Shows;
using Answer = std::optional<Failure>;

// The hunk's lines, or the file's text, and why they may have a different meaning.
Failure doubt(const EditResult& it, std::string_view why, std::string_view advice) {
  if (it.shows != Shows::part)
    return {FailureKind::malformed, fmt::format("{} cannot be written as sent: {}", it.path, why),
            std::string(advice)};
  const size_t line = it.place.first + 1;
  return {FailureKind::not_found,
          it.hunk.as<NumberedEdit>()
              ? fmt::format("it changes {} at line {}, but {}", it.path, line, why)
              : fmt::format("its lines are at line {} of {}, but {}", line, it.path, why),
          std::string(advice), true};
}

bool is_computed(const Hunk& hunk) {
  const NumberedEdit* const edit = hunk.as<NumberedEdit>();
  return edit && edit->is_computed;
}

bool begins_with_plus(std::string_view line) { return line.starts_with('+'); }

// True if `after` is a diff of `before`.
bool is_diff_of(const Lines& before, const Lines& after) {
  Lines old;
  bool changes = false;
  for (const std::string_view line : after) {
    if (!line.empty() && !is_among(line[0], " -+")) return false;
    changes |= line.starts_with('+') || line.starts_with('-');
    if (!line.starts_with('+')) old.push_back(line.substr(std::min<size_t>(1, line.size())));
  }
  return changes && before.size() > 1 && old == before;
}

bool has_plus_lines(const MappedText& file) {
  return file.bytes().starts_with('+') ||
         find_bytes(file.bytes(), "\n+", 0) != std::string_view::npos;
}

// The text after the number that the line begins with; nothing: it has none. In prose, items of a
// list are numbered, too.
std::string_view behind_number(std::string_view line, bool prose, size_t& number) {
  std::string_view text = trimmed(line);
  if (text.starts_with('[') || text.starts_with('L')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return {};
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  for (const std::string_view sign : {"]", ")", ":", "|", "│", "→", "\t", " "}) {
    if (!text.starts_with(sign) || (prose && (sign == ")" || sign == ":" || sign == " "))) continue;
    text.remove_prefix(sign.size());
    return trimmed(text.starts_with('|') ? text.substr(1) : text);
  }
  return {};
}

bool is_numbered(const Lines& before, const Lines& after, bool prose) {
  size_t last = 0;
  Lines texts;  // without the numbers
  for (const std::string_view line : after) {
    size_t number = 0;
    texts.push_back(is_blank(line) ? line : behind_number(line, prose, number));
    if (is_blank(line)) continue;
    if (texts.back().data() == nullptr &&
        trimmed(line).find_first_not_of("0123456789|:") != line.npos)
      return false;
    if (last > 0 && number != last + 1) return false;
    last = number;
  }
  std::unordered_set<std::string_view> old;
  for (const std::string_view line : before)
    if (has_word(line)) old.insert(trimmed(line));
  for (size_t i = 0; i < after.size(); ++i)
    if (old.contains(texts[i]) && !old.contains(trimmed(after[i]))) return true;
  return false;
}

// True if all of these lines that have text begin with one of the signs.
bool all_begin_with(const Lines& lines, std::string_view signs) {
  bool any = false;
  for (const std::string_view line : lines) {
    if (is_blank(line)) continue;
    if (signs.find(line[0]) == signs.npos) return false;
    any = true;
  }
  return any;
}

// A line that only an edit has.
bool is_mark(std::string_view line) {
  return line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ") || line.starts_with("@@ ") ||
         line.starts_with("\\ No newline at end of file");
}
bool has_marks(const MappedText& file) {
  for (size_t i = 0; i < file.line_count(); ++i)
    if (is_mark(file.line(i))) return true;
  return false;
}

Answer is_dressed(const EditResult& it) {
  // Few hunks have such a line.
  const auto may_be_dress = [](const HunkLine& line) {
    const std::string_view text = trimmed(line.text);
    return line.kind == Kind::added && !text.empty() && is_among(text[0], "+-`[L0123456789<>@\\");
  };
  const bool prose = it.kind.prose;
  if (is_computed(it.hunk) || it.file.line_count() == 0 ||
      std::ranges::none_of(it.hunk.lines, may_be_dress))
    return {};
  const Lines before = old_side(it.hunk), after = new_side(it.hunk);
  constexpr std::string_view kWrite = "send the lines as they should be in the file";
  if (it.shows != Shows::part && !prose && std::ranges::any_of(after, is_mark) &&
      !has_marks(it.file))
    return doubt(it, "it has marks of an edit (\"@@\", \">>>>>>>\")", kWrite);
  if (!prose && after.size() > 2 && after.front().starts_with("```") &&
      trimmed(after.back()) == "```" && (before.empty() || !before.front().starts_with("```")))
    return doubt(it, "its new text is in a fence of its own", "send the lines without the fence");
  const bool may_have_columns =
      !prose || (it.shows != Shows::part && all_begin_with(after, "+- \t"));
  if (is_diff_of(before, after) ||
      (may_have_columns && std::ranges::any_of(after, begins_with_plus) &&
       !has_plus_lines(it.file)))
    return doubt(it, "its new text has the columns of a diff (\"+\")", kWrite);
  if (is_numbered(before, after, prose))
    return doubt(it, "its new text has line numbers, which its old text does not have",
                 "send the lines without them");
  return {};
}

constexpr size_t kTelling = 6;  // characters of a line that is not repeated by chance
constexpr size_t kFew = 64;     // lines that are alike
constexpr size_t kMostRepeated = 40;

// Brackets and quotes that may close, or open, several times.
constexpr std::string_view kClosing = " \t)]}>\"'`", kOpening = " \t([{<\"'`";

// True if these bytes contain more than that.
bool says_more(std::string_view rest, std::string_view brackets) {
  return rest.find_first_not_of(brackets) != rest.npos;
}

// True if cutting the text off there does not cut a word in two.
bool is_cut_between(std::string_view text, size_t at) {
  return at == 0 || at >= text.size() || !is_word_char(text[at - 1]) || !is_word_char(text[at]);
}

bool ends_in(std::string_view text, std::string_view rest) {
  return text.ends_with(rest) && is_cut_between(text, text.size() - rest.size());
}
bool begins_with(std::string_view text, std::string_view rest) {
  return text.starts_with(rest) && is_cut_between(text, rest.size());
}

bool repeats_rest_of_line(std::string_view left, std::string_view right,
                          const std::vector<std::string_view>& before,
                          const std::vector<std::string_view>& after) {
  if (says_more(right, kClosing) && ends_in(trimmed(after.back()), right) &&
      !ends_in(trimmed(before.back()), right))
    return true;
  return says_more(left, kOpening) && begins_with(trimmed(after.front()), left) &&
         !begins_with(trimmed(before.front()), left);
}

// True if the line was duplicated by mistake, `distance` lines from its twin. Not if the file has
// such lines so far apart.
bool is_told(const MappedText& file, std::string_view line, size_t distance) {
  const std::string_view text = trimmed(line);
  if (text.size() < kTelling || !has_word(text)) return false;
  std::vector<size_t> found;
  if (!file.spend(file.cost_of_search()) || !file.lines_with(text, kFew, found)) return false;
  return std::ranges::none_of(
      found, [&](size_t at) { return std::ranges::binary_search(found, at + distance); });
}

// True if the first (last) lines that the hunk adds equal the file's lines above (below) the place.
bool repeats_lines(const MappedText& file, const Hunk& hunk, const Place& place, bool above) {
  if (hunk.lines.empty() || (above ? hunk.lines.front() : hunk.lines.back()).kind == Kind::context)
    return false;
  std::vector<std::string_view> added;  // at that edge
  const auto add_from = [&](auto begin, const auto& end) {
    for (; begin != end && begin->kind != Kind::context; ++begin)
      if (begin->kind == Kind::added) added.push_back(begin->text);
  };
  if (above)
    add_from(hunk.lines.begin(), hunk.lines.end());
  else
    add_from(hunk.lines.rbegin(), hunk.lines.rend());
  if (!above) std::ranges::reverse(added);
  const size_t room = above ? place.first : file.line_count() - place.last;
  for (size_t count = 1; count <= std::min({added.size(), room, kMostRepeated}); ++count) {
    const auto again = std::span(added).subspan(above ? 0 : added.size() - count, count);
    const size_t first = above ? place.first - count : place.last;
    bool same = true;
    for (size_t k = 0; k < count && same; ++k) same = again[k] == file.line(first + k);
    if (same && std::ranges::any_of(
                    again, [&](std::string_view line) { return is_told(file, line, count); }))
      return true;
  }
  return false;
}

Answer repeats_neighbours(const EditResult& it) {
  if (it.hunk.places != 1 || is_computed(it.hunk) || it.place.within_lines) return {};
  if (!repeats_lines(it.file, it.written(), it.place, true) &&
      !repeats_lines(it.file, it.written(), it.place, false))
    return {};
  return doubt(it, "its new text repeats a line that is next to its old text",
               "omit the lines that stay, or quote them, too");
}

Answer repeats_rest(const EditResult& it) {
  if (it.hunk.places != 1 || !it.place.within_lines) return {};
  const Lines before = old_side(it.written()), after = new_side(it.written());
  if (before.empty() || after.empty()) return {};
  const size_t begin = it.file.begin_of(it.place.first), end = it.place.offset + it.place.length,
               end_of_last = std::max(end, it.file.end_of(it.place.last - 1));
  const std::string_view bytes = it.file.bytes(),
                         left = trimmed(bytes.substr(begin, it.place.offset - begin)),
                         right = trimmed(bytes.substr(end, end_of_last - end));
  if (!repeats_rest_of_line(left, right, before, after)) return {};
  return doubt(it, "its new text repeats what is beside its old text in that line",
               "quote the whole line, or omit from the new text what the old text does not have");
}

// True if the bytes from the place on, or up to its end, are the new text already.
bool is_made(const EditResult& it) {
  const Lines before = old_side(it.written()), after = new_side(it.written());
  if (before.size() == 2 && before[1].empty() && after.size() == 1)
    return trimmed_right(before[0]) == trimmed_right(after[0]);
  if (before.size() != 1 || after.size() != 1 || after[0].size() <= before[0].size()) return false;
  const std::string_view bytes = it.file.bytes();
  return bytes.substr(it.place.offset).starts_with(after[0]) ||
         bytes.substr(0, it.place.offset + it.place.length).ends_with(after[0]);
}

Answer is_made_already(const EditResult& it) {
  if (!it.place.within_lines || !is_made(it)) return {};
  return doubt(it, "its new text is there already", "omit the hunk, or quote more around it");
}

Answer leaves_lines_out(const EditResult& it) {
  size_t above = it.place.first;
  while (above > 0 && is_blank(it.file.line(above - 1))) --above;
  const bool is_part = it.shows == Shows::part;
  if (it.shows == Shows::sketch ||
      (!leaves_out(it.written(), above > 0 ? it.file.line(above - 1) : "", it.kind, &it.file) &&
       (is_part || !remark_replaces_edge(it.hunk.lines))))
    return {};
  if (is_part)
    return Failure{
        FailureKind::malformed,
        fmt::format("its new text omits lines of {} (\"...\"), but its old text does not", it.path),
        "write them, or omit the same lines from both", true};
  return Failure{
      FailureKind::malformed,
      fmt::format("the new text of {} omits lines (\"... existing code ...\" or similar)", it.path),
      "write all of it, or send what changes as SEARCH/REPLACE blocks"};
}

Answer cuts_words(const EditResult& it) {
  if (!it.place.is_among_cut_words) return {};
  return doubt(it,
               "its text is also a part of longer words, numbers, or operators, which would "
               "change, too",
               "quote more around it, or send one edit for each place");
}

Answer is_binary(const EditResult& it) {
  const auto has_nul = [](std::string_view text) { return text.find('\0') != text.npos; };
  if (std::ranges::none_of(
          it.written().lines,
          [&](const HunkLine& line) { return line.kind == Kind::added && has_nul(line.text); }) ||
      has_nul(it.file.bytes()))
    return {};
  const bool is_part = it.shows == Shows::part;
  return Failure{FailureKind::malformed,
                 fmt::format("{} has a NUL byte, which would make {} a binary file",
                             is_part ? "its new text" : "the new text", it.path),
                 "write the escape of the language, as in \"\\0\"", is_part};
}

// All of them; the first that doubts is told.
constexpr Answer (*kChecks[])(const EditResult&) = {
    cuts_words,   is_made_already,  is_dressed, repeats_neighbours,
    repeats_rest, leaves_lines_out, is_binary};

}  // namespace

std::optional<Failure> check_result(const EditResult& it) {
  for (const auto check : kChecks)
    if (Answer found = check(it)) return found;
  return std::nullopt;
}

bool repeats_neighbour(const EditResult& it) {
  const auto first_solid = [](auto begin, const auto& end) {
    while (begin != end && (begin->kind == Kind::removed || is_blank(begin->text))) ++begin;
    return begin != end && begin->kind == Kind::added ? &*begin : nullptr;
  };
  size_t above = it.place.first, below = it.place.last;
  while (above > 0 && is_blank(it.file.line(above - 1))) --above;
  while (below < it.file.line_count() && is_blank(it.file.line(below))) ++below;
  const std::vector<HunkLine>& lines = it.written().lines;
  const HunkLine* const top = first_solid(lines.begin(), lines.end());
  const HunkLine* const bottom = first_solid(lines.rbegin(), lines.rend());
  return (top && above > 0 && it.file.line(above - 1) == top->text) ||
         (bottom && below < it.file.line_count() && it.file.line(below) == bottom->text);
}

}  // namespace bodkin
