#include "lsp/sessions/formatting.h"

#include <algorithm>

namespace bodkin {

namespace {

constexpr std::string_view kBlanks = " \t\r\n\f";

// Whether a formatter may drop or add the byte: `rest` is what follows it.
bool is_optional(char c, std::string_view rest) {
  if (kBlanks.contains(c)) return true;
  if (c != ',' && c != ';') return false;
  const size_t next = rest.find_first_not_of(c == ',' ? kBlanks : std::string_view(" \t\r"));
  return next == rest.npos || std::string_view(c == ',' ? ")]}>" : "\n}").contains(rest[next]);
}

}  // namespace

Formatting::Letters Formatting::letters_of(std::string_view text) {
  Letters letters;
  for (size_t i = 0; i < text.size(); ++i) {
    if (is_optional(text[i], text.substr(i + 1))) continue;
    letters.text += text[i] == '\'' ? '"' : text[i];
    letters.at.push_back(i);
  }
  return letters;
}

std::optional<Formatting> Formatting::between(std::string_view from, std::string_view to) {
  Formatting made;
  made.before_ = letters_of(from);
  made.after_ = letters_of(to);
  if (made.before_.text != made.after_.text) return std::nullopt;
  made.from_ = from;
  made.to_ = to;
  return made;
}

size_t Formatting::place(size_t offset) const {
  if (offset >= from_.size()) return to_.size();
  const auto next = std::ranges::lower_bound(before_.at, offset);
  const size_t letter = static_cast<size_t>(next - before_.at.begin());
  const size_t last = letter > 0 ? before_.at[letter - 1] + 1 : 0;
  const auto begin = from_.begin();
  auto lines = std::count(begin + static_cast<ptrdiff_t>(last),
                          begin + static_cast<ptrdiff_t>(offset), '\n');
  size_t place = letter > 0 ? after_.at[letter - 1] + 1 : 0;
  const size_t end = letter < after_.at.size() ? after_.at[letter] : to_.size();
  for (size_t at = place; at < end && lines > 0; ++at) {
    if (to_[at] != '\n') continue;
    place = at + 1;
    --lines;
  }
  return place;
}

}  // namespace bodkin
