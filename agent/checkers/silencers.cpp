#include "agent/checkers/silencers.h"

#include <algorithm>

#include "edits/plan/diff.h"
#include "edits/text/line_keys.h"
#include "edits/text/pieces.h"

namespace bodkin {

namespace {

struct Row {
  std::string_view languages;  // how their identifiers begin
  std::string_view marker;     // blanks do not count, nor upper case
  std::string_view rest = "";  // what must follow somewhere in the line
  bool is_below = false;       // it is about the line below it
};

// What silences a checker that gives a verdict.
constexpr Row kRows[] = {
    {"python", "# type:", "ignore"},
    {"python", "# pyright:"},
    {"python", "no_type_check"},
    {"python", "not TYPE_CHECKING"},
    {"typescript javascript", "@ts-ignore", "", true},
    {"typescript javascript", "@ts-expect-error", "", true},
    {"typescript javascript", "@ts-nocheck"},
    {"typescript javascript", "no-default-lib"},
    // Warnings, which an option or bodkin makes errors.
    {"c objective", "pragma", "diagnostic"},
    {"c objective", "pragma", "system_header"},
    {"c objective", "diagnostic ignored"},
    {"shellscript", "# shellcheck disable"},
    // Where a program would end.
    {"rust", "arithmetic_overflow"},
    {"rust", "overflowing_literals"},
    {"rust", "unconditional_panic"},
};

bool is_for(const Row& row, std::string_view language) {
  return std::ranges::any_of(split(row.languages, ' '),
                             [&](std::string_view one) { return language.starts_with(one); });
}

// Visible ASCII characters alone, in lower case: a blank may be any of Unicode's.
std::string squeezed(std::string_view line) {
  std::string result;
  for (const char c : line)
    if (c > ' ' && c < '\x7f') result += c;
  return lower_case(result);
}

const Row* row_in(std::string_view line, std::string_view language, bool only_below) {
  const std::string text = squeezed(line);
  for (const Row& row : kRows) {
    if ((only_below && !row.is_below) || !is_for(row, language)) continue;
    const size_t at = text.find(squeezed(row.marker));
    if (at != text.npos && text.find(row.rest, at) != text.npos) return &row;
  }
  return nullptr;
}

std::string shown(const Row& row) {
  return std::string(row.marker) + (row.rest.empty() ? "" : " ") + std::string(row.rest);
}

}  // namespace

std::optional<Silencer> silencer_of(const ChangedFile& file, std::string_view language) {
  if (!file.after) return std::nullopt;
  const Text& text = *file.after;
  for (const LineChange& edit : line_changes(file.before.value_or(Text()), text)) {
    if (edit.text.empty()) continue;
    const size_t first = text.line_of(edit.new_offset);
    const size_t last = text.line_of(edit.new_offset + edit.text.size() - 1);
    // TypeScript looks for it above blank lines and comments.
    for (size_t line = first; line-- > 0;) {
      const std::string above = text.line(line);
      if (const Row* row = row_in(above, language, true)) return Silencer{line + 1, shown(*row)};
      if (!trimmed(above).empty() && !trimmed(above).starts_with("//")) break;
    }
    for (size_t line = first; line <= last; ++line)
      if (const Row* row = row_in(text.line(line), language, false))
        return Silencer{line + 1, shown(*row)};
  }
  return std::nullopt;
}

}  // namespace bodkin
