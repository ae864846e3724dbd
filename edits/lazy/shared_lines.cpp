// What a text has in common with a file, whatever the text is meant to be.
#include <algorithm>
#include <charconv>
#include <unordered_set>

#include "edits/lazy/part_of_file.h"
#include "edits/lazy/solid_lines.h"
#include "edits/plan/diff.h"
#include "edits/plan/elision.h"
#include "edits/text/find_bytes.h"

namespace bodkin {

namespace {

// "12 | " or "12: ", "13 | ", … before every line that is not blank, in their order, as they are
// shown; or a number and a blank before each, none left out.
bool are_numbered(const std::vector<std::string_view>& lines) {
  constexpr size_t kFewest = 5;  // lines that only blanks part from their numbers
  size_t last = 0;
  bool gapless = lines.size() >= kFewest;
  for (const std::string_view line : lines) {
    size_t number = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
    const std::string_view behind = line.substr(static_cast<size_t>(end - line.data())),
                           rest = trimmed(behind);
    const bool is_shown =
        rest.starts_with('|') || rest.starts_with(':') || behind.starts_with('\t');
    gapless =
        gapless && (number == last + 1 || last == 0) && (rest.empty() || behind.starts_with(' '));
    if (error != std::errc() || !(is_shown || gapless) || number <= last) return false;
    last = number;
  }
  return lines.size() > 1;
}

size_t shared_lines(const std::unordered_set<std::string_view>& file,
                    const std::vector<std::string_view>& lines) {
  return static_cast<size_t>(
      std::ranges::count_if(lines, [&](std::string_view line) { return file.contains(line); }));
}

std::unordered_set<std::string_view> set_of(const std::vector<std::string_view>& lines) {
  return {lines.begin(), lines.end()};
}

}  // namespace

bool is_quote(const std::string& contents, const Text& file) {
  // Most are one run of whole lines: then no line is looked at alone.
  if (contents.ends_with('\n') &&
      find_bytes("\n" + file.str(), "\n" + contents, 0) != std::string::npos)
    return true;
  const SolidLines quote((Text(contents))), lines(file);
  const auto elided = elisions_of(quote.lines);
  std::string text = "\n";
  for (const std::string_view line : lines.lines) text.append(line).push_back('\n');
  size_t at = 0;
  for (size_t i = 0; i < quote.lines.size(); ++i) {
    std::string piece = "\n";
    for (; i < quote.lines.size() && !elided[i]; ++i) piece.append(quote.lines[i]).push_back('\n');
    at = find_bytes(text, piece, at);
    if (at == text.npos) return false;
    at += piece.size() - 1;
  }
  return true;
}

bool is_partial_quote(const std::string& contents, const Text& file) {
  const SolidLines quote((Text(contents))), lines(file);
  if (are_numbered(quote.lines) && !are_numbered(lines.lines)) return true;
  if (quote.lines.size() == lines.lines.size()) return false;
  if (quote.lines.empty()) return !contents.empty();
  if (!is_quote(contents, file)) return false;
  const auto& part = quote.lines;
  const auto& all = lines.lines;
  constexpr size_t kFewLines = 8;  // files this short are not shown in part
  if (all.size() < kFewLines) return false;
  return 2 * part.size() < all.size() || !(std::equal(part.begin(), part.end(), all.begin()) ||
                                           std::equal(part.rbegin(), part.rend(), all.rbegin()));
}

bool keeps_most(const std::string& contents, const Text& file) {
  const SolidLines before(file), after((Text(contents)));
  const size_t count = before.lines.size();
  if (count == 0 || after.lines.empty()) return count == 0;
  const std::vector<HunkLine::Kind> diff = diff_of(before.lines, after.lines);
  return 2 * std::ranges::count(diff, HunkLine::Kind::removed) <= static_cast<long>(count) &&
         (before.lines.front() == after.lines.front() || before.lines.back() == after.lines.back());
}

bool has_most_of(const Text& file, const std::string& text) {
  const SolidLines known(file);
  SolidLines own((Text(text)));
  std::erase_if(own.lines, [](std::string_view line) { return !has_word(line); });
  const size_t shared = shared_lines(set_of(known.lines), own.lines);
  return shared > 0 && 2 * shared >= own.lines.size();
}

bool shares_outer_line(const Text& file, const std::string& text) {
  const auto outer_lines = [](const MappedText& of) {
    std::vector<std::string_view> out;
    for (size_t i = 0; i < of.line_count(); ++i)
      if (has_word(of.line(i)) && indentation_of(of.line(i)).empty())
        out.push_back(trimmed_right(of.line(i)));
    return out;
  };
  const MappedText known(file), own((Text(text)));
  return shared_lines(set_of(outer_lines(known)), outer_lines(own)) > 0;
}

bool resembles(const Text& file, const std::string& contents) {
  const SolidLines before(file);
  SolidLines after((Text(contents)));
  std::erase_if(after.lines, is_elision);
  const std::unordered_set<std::string_view> known = set_of(before.lines);
  const size_t shared = shared_lines(known, after.lines);
  return shared > 0 && 2 * shared >= std::min(after.lines.size(), known.size());
}

bool removes_whole_file(const std::vector<Hunk>& hunks, const Text& file) {
  std::vector<std::string_view> gone;
  for (const Hunk& hunk : hunks)
    for (const HunkLine& line : hunk.lines) {
      if (is_blank(line.text)) continue;
      if (line.kind != HunkLine::Kind::removed) return false;
      gone.push_back(line.text);
    }
  return std::ranges::equal(gone, SolidLines(file).lines,
                            [](auto a, auto b) { return same_under(whitespace_key, a, b); });
}

}  // namespace bodkin
