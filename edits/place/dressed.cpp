#include "edits/place/dressed.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "edits/text/find_bytes.h"
#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

using Lines = std::vector<std::string_view>;

constexpr PlaceDoubt kColumns = {"its new text has the columns of a diff (\"+\")",
                                 "send the lines as they should be in the file"};
constexpr PlaceDoubt kNumbers = {"its new text has line numbers, which its old text does not have",
                                 "send the lines without them"};
constexpr PlaceDoubt kFence = {"its new text is in a fence of its own",
                               "send the lines without the fence"};
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

}  // namespace

PlaceDoubt doubt_of_dress(const MappedText& file, const FileKind& kind, std::string_view text,
                          bool is_whole) {
  const bool has_plus = text.starts_with('+') || text.find("\n+") != text.npos;
  if (has_plus && !has_plus_lines(file) && (!kind.prose || all_begin_with(text, "+- \t")))
    return kColumns;
  for (const std::string_view signs : {">", " \t"})
    if (is_whole && all_begin_with(text, signs) && has_moved_line(file, text, signs)) return kMoved;
  return {};
}

PlaceDoubt doubt_of_dress(const MappedText& file, const FileKind& kind, const Hunk& hunk) {
  // Hardly any hunk has such a line.
  const auto may_be_dress = [](const HunkLine& line) {
    const std::string_view text = trimmed(line.text);
    return line.kind == HunkLine::Kind::added && !text.empty() &&
           std::string_view("+-`[L0123456789").find(text[0]) != std::string_view::npos;
  };
  if (hunk.computed || std::ranges::none_of(hunk.lines, may_be_dress)) return {};
  const Lines before = old_side(hunk), after = new_side(hunk);
  if (!kind.prose && after.size() > 2 && after.front().starts_with("```") &&
      trimmed(after.back()) == "```" && (before.empty() || !before.front().starts_with("```")))
    return kFence;
  if (before.size() > 1 && is_diff_of(before, after)) return kColumns;
  if (!kind.prose && std::ranges::any_of(after, begins_with_plus) &&
      std::ranges::none_of(before, begins_with_plus) && !has_plus_lines(file))
    return kColumns;
  return is_numbered(before, after, kind.prose) ? kNumbers : PlaceDoubt{};
}

}  // namespace bodkin
