// What a text shares with a file, whatever it is meant to be.
#include <algorithm>
#include <unordered_set>

#include "edits/lazy/part_of_file.h"
#include "edits/plan/elision.h"
#include "edits/text/mapped_text.h"

namespace bodkin {

namespace {

// The lines that are not blank, trimmed.
std::vector<std::string> solid_lines(const Text& text) {
  std::vector<std::string> lines;
  const MappedText mapped(text);
  for (size_t i = 0; i < mapped.line_count(); ++i)
    if (!is_blank(mapped.line(i))) lines.emplace_back(trimmed(mapped.line(i)));
  return lines;
}

size_t shared_lines(const std::vector<std::string>& file, const std::vector<std::string>& lines) {
  const std::unordered_set<std::string_view> known(file.begin(), file.end());
  return static_cast<size_t>(
      std::ranges::count_if(lines, [&](const std::string& line) { return known.contains(line); }));
}

}  // namespace

bool has_most_of(const Text& file, const std::string& text) {
  std::vector<std::string> lines = solid_lines(Text(text));
  std::erase_if(lines, [](const std::string& line) { return !has_word(line); });
  const size_t shared = shared_lines(solid_lines(file), lines);
  return shared > 0 && 2 * shared >= lines.size();
}

bool shares_outer_line(const Text& file, const std::string& text) {
  const auto outer_lines = [](const Text& of) {
    std::vector<std::string> out;
    const MappedText mapped(of);
    for (size_t i = 0; i < mapped.line_count(); ++i)
      if (has_word(mapped.line(i)) && indentation_of(mapped.line(i)).empty())
        out.emplace_back(trimmed_right(mapped.line(i)));
    return out;
  };
  const std::vector<std::string> known = outer_lines(file);
  const std::unordered_set<std::string_view> lines(known.begin(), known.end());
  return std::ranges::any_of(outer_lines(Text(text)),
                             [&](const std::string& line) { return lines.contains(line); });
}

bool resembles(const Text& file, const std::string& contents) {
  const std::vector<std::string> before = solid_lines(file);
  std::vector<std::string> after = solid_lines(Text(contents));
  std::erase_if(after, is_elision);
  const std::unordered_set<std::string_view> known(before.begin(), before.end());
  const size_t shared = shared_lines(before, after);
  return shared > 0 && 2 * shared >= std::min(after.size(), known.size());
}

bool removes_whole_file(const std::vector<Hunk>& hunks, const Text& file) {
  std::vector<std::string_view> gone;
  for (const Hunk& hunk : hunks)
    for (const HunkLine& line : hunk.lines) {
      if (is_blank(line.text)) continue;
      if (line.kind != HunkLine::Kind::removed) return false;
      gone.push_back(line.text);
    }
  return std::ranges::equal(gone, solid_lines(file), [](auto a, const std::string& b) {
    return same_under(whitespace_key, a, b);
  });
}

}  // namespace bodkin
