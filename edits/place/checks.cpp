#include "edits/place/checks.h"

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

constexpr PlaceDoubt kColumns = {"its new text has the columns of a diff (\"+\")",
                                 "send the lines as they should be in the file"};
constexpr PlaceDoubt kNumbers = {"its new text has line numbers, which its old text does not have",
                                 "send the lines without them"};
constexpr PlaceDoubt kFence = {"its new text is in a fence of its own",
                               "send the lines without the fence"};
constexpr PlaceDoubt kMarks = {"it has marks of an edit (\"@@\", \">>>>>>>\")",
                               "send the lines as they should be in the file"};
constexpr PlaceDoubt kMoved = {"all its lines begin with a blank or \">\"",
                               "send the lines as they should be in the file"};

bool begins_with_plus(std::string_view line) { return line.starts_with('+'); }

// True if `after` is a diff of `before`.
bool is_diff_of(const Lines& before, const Lines& after) {
  Lines old;
  bool changes = false;
  for (const std::string_view line : after) {
    if (line.empty()) {
      old.push_back(line);
    } else if (line[0] == ' ' || line[0] == '-') {
      old.push_back(line.substr(1));
      changes = changes || line[0] == '-';
    } else if (line[0] == '+') {
      changes = true;
    } else {
      return false;
    }
  }
  return changes && !old.empty() && old == before;
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
  const auto is_old = [&](std::string_view text) {
    return has_word(text) &&
           std::ranges::any_of(before, [&](std::string_view old) { return trimmed(old) == text; });
  };
  size_t last = 0;
  bool has_old = false;
  for (const std::string_view line : after) {
    if (is_blank(line)) continue;
    size_t number = 0;
    const std::string_view text = behind_number(line, prose, number);
    if (text.data() == nullptr && trimmed(line).find_first_not_of("0123456789|:") != line.npos)
      return false;
    if (last > 0 && number != last + 1) return false;
    last = number;
    has_old = has_old || (is_old(text) && !is_old(trimmed(line)));
  }
  return has_old;
}

// True if all significant lines begin with one of these characters.
bool all_begin_with(std::string_view text, std::string_view signs) {
  bool any = false;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (is_blank(line)) continue;
    if (signs.find(line[0]) == signs.npos) return false;
    any = true;
  }
  return any;
}

// True if the text has one of these signs in front of a file's line that does not begin with any.
bool has_moved_line(const MappedText& file, std::string_view text, std::string_view signs) {
  std::unordered_set<std::string_view> lines;
  for (size_t i = 0; i < file.line_count(); ++i) {
    const std::string_view line = file.line(i);
    if (has_word(line) && signs.find(line[0]) == signs.npos) lines.insert(trimmed(line));
  }
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!line.empty() && lines.contains(trimmed(line.substr(1)))) return true;
  }
  return false;
}

bool is_computed(const Hunk& hunk) {
  const NumberedEdit* const edit = hunk.as<NumberedEdit>();
  return edit && edit->is_computed;
}

PlaceDoubt is_dressed(const PlacedHunk& it) {
  // Hardly any hunk has such a line.
  const auto may_be_dress = [](const HunkLine& line) {
    const std::string_view text = trimmed(line.text);
    return line.kind == Kind::added && !text.empty() && is_among(text[0], "+-`[L0123456789");
  };
  if (is_computed(it.hunk) || std::ranges::none_of(it.hunk.lines, may_be_dress)) return {};
  const Lines before = old_side(it.hunk), after = new_side(it.hunk);
  const bool prose = it.kind.prose;
  if (!prose && after.size() > 2 && after.front().starts_with("```") &&
      trimmed(after.back()) == "```" && (before.empty() || !before.front().starts_with("```")))
    return kFence;
  if (before.size() > 1 && is_diff_of(before, after)) return kColumns;
  if (!prose && std::ranges::any_of(after, begins_with_plus) &&
      std::ranges::none_of(before, begins_with_plus) && !has_plus_lines(it.file))
    return kColumns;
  return is_numbered(before, after, prose) ? kNumbers : PlaceDoubt{};
}

constexpr size_t kTelling = 6;  // characters of a line that is not repeated by chance
constexpr size_t kFew = 64;     // lines that are alike
constexpr size_t kMostRepeated = 40;

constexpr PlaceDoubt kRestOfLine = {
    "its new text repeats what is beside its old text in that line",
    "quote the whole line, or omit from the new text what the old text does not have"};
constexpr PlaceDoubt kNeighbour = {"its new text repeats a line that is next to its old text",
                                   "omit the lines that stay, or quote them, too"};
// Brackets and quotes that may close, or open, several times.
constexpr std::string_view kClosing = " \t)]}>\"'`", kOpening = " \t([{<\"'`";

// True if these bytes contain more than that.
bool says_more(std::string_view rest, std::string_view brackets) {
  return rest.find_first_not_of(brackets) != rest.npos;
}

// Where a part of a text is cut off, no word is cut in two.
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

PlaceDoubt repeats_neighbours(const PlacedHunk& it) {
  if (it.hunk.places != 1 || is_computed(it.hunk) || it.place.within_lines) return {};
  const Hunk& hunk = it.place.hunk ? *it.place.hunk : it.hunk;
  return repeats_lines(it.file, hunk, it.place, true) ||
                 repeats_lines(it.file, hunk, it.place, false)
             ? kNeighbour
             : PlaceDoubt{};
}

PlaceDoubt repeats_rest(const PlacedHunk& it) {
  if (it.hunk.places != 1 || !it.place.within_lines) return {};
  const Hunk& hunk = it.place.hunk ? *it.place.hunk : it.hunk;
  const Lines before = old_side(hunk), after = new_side(hunk);
  if (before.empty() || after.empty()) return {};
  const size_t begin = it.file.begin_of(it.place.first), end = it.place.offset + it.place.length,
               end_of_last = std::max(end, it.file.end_of(it.place.last - 1));
  const std::string_view bytes = it.file.bytes(),
                         left = trimmed(bytes.substr(begin, it.place.offset - begin)),
                         right = trimmed(bytes.substr(end, end_of_last - end));
  return repeats_rest_of_line(left, right, before, after) ? kRestOfLine : PlaceDoubt{};
}

// True if the bytes from the place on, or up to its end, are the new text already.
PlaceDoubt is_made_already(const PlacedHunk& it) {
  if (!it.place.within_lines) return {};
  const Hunk& hunk = it.place.hunk ? *it.place.hunk : it.hunk;
  const Lines before = old_side(hunk), after = new_side(hunk);
  constexpr PlaceDoubt kMade = {"its new text is there already",
                                "omit the hunk, or quote more around it"};
  if (before.size() == 2 && before[1].empty() && after.size() == 1)
    return trimmed_right(before[0]) == trimmed_right(after[0]) ? kMade : PlaceDoubt{};
  if (before.size() != 1 || after.size() != 1 || after[0].size() <= before[0].size()) return {};
  const std::string_view bytes = it.file.bytes();
  return bytes.substr(it.place.offset).starts_with(after[0]) ||
                 bytes.substr(0, it.place.offset + it.place.length).ends_with(after[0])
             ? kMade
             : PlaceDoubt{};
}

PlaceDoubt leaves_lines_out(const PlacedHunk& it) {
  constexpr PlaceDoubt kElides = {
      "its new text omits lines of {} (\"...\"), but its old text does not",
      "write them, or omit the same lines from both", FailureKind::malformed};
  size_t above = it.place.first;
  while (above > 0 && is_blank(it.file.line(above - 1))) --above;
  const Hunk& hunk = it.place.hunk ? *it.place.hunk : it.hunk;
  return leaves_out(hunk, above > 0 ? it.file.line(above - 1) : "", it.kind, &it.file)
             ? kElides
             : PlaceDoubt{};
}

PlaceDoubt cuts_words(const PlacedHunk& it) { return it.place.doubt; }

// All of them; the first that doubts is told.
constexpr PlaceDoubt (*kChecks[])(const PlacedHunk&) = {
    cuts_words, is_made_already, is_dressed, repeats_neighbours, repeats_rest, leaves_lines_out};

}  // namespace

std::optional<Failure> doubt_of(const PlacedHunk& it, const std::string& path) {
  for (const auto check : kChecks) {
    const PlaceDoubt doubt = check(it);
    if (doubt.empty()) continue;
    const size_t line = it.place.first + 1;
    std::string message =
        doubt.kind == FailureKind::malformed ? fmt::format(fmt::runtime(doubt.message), path)
        : it.hunk.as<NumberedEdit>()
            ? fmt::format("it changes {} at line {}, but {}", path, line, doubt.message)
            : fmt::format("its lines are at line {} of {}, but {}", line, path, doubt.message);
    return Failure{doubt.kind, std::move(message), std::string(doubt.advice), true};
  }
  return std::nullopt;
}

namespace {

// True if the text has a line that only an edit has, and the file has none.
bool has_marks(const MappedText& file, std::string_view text) {
  const auto is_mark = [](std::string_view line) {
    return line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ") ||
           line.starts_with("@@ ") || line.starts_with("\\ No newline at end of file");
  };
  const auto is_among = [&](std::string_view all) {
    for (size_t at = 0; at < all.size(); at = std::min(all.find('\n', at), all.size() - 1) + 1)
      if (is_mark(all.substr(at))) return true;
    return false;
  };
  return is_among(text) && !is_among(file.bytes());
}

}  // namespace

PlaceDoubt doubt_of_dress(const MappedText& file, const FileKind& kind, std::string_view text,
                          bool is_whole) {
  if (!kind.prose && has_marks(file, text)) return kMarks;
  const bool has_plus = text.starts_with('+') || text.find("\n+") != text.npos;
  if (has_plus && !has_plus_lines(file) && (!kind.prose || all_begin_with(text, "+- \t")))
    return kColumns;
  for (const std::string_view signs : {">", " \t"})
    if (is_whole && all_begin_with(text, signs) && has_moved_line(file, text, signs)) return kMoved;
  return {};
}

}  // namespace bodkin
