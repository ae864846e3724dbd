#include "edits/formats/hunk_lines.h"

#include <charconv>

#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

constexpr size_t kMostLines = size_t{1} << 40;

// "12,3" or "12", which is one line: reads it from the beginning of `s`.
std::optional<std::pair<size_t, size_t>> range_at(std::string_view& s) {
  const auto number = [&s](size_t& value) {
    const auto [rest, error] = std::from_chars(s.data(), s.data() + s.size(), value);
    s.remove_prefix(static_cast<size_t>(rest - s.data()));
    return error == std::errc() && value <= kMostLines;
  };
  size_t start = 0, count = 1;
  if (!number(start)) return std::nullopt;
  if (s.starts_with(',')) {
    s.remove_prefix(1);
    if (!number(count)) return std::nullopt;
  }
  return std::pair(start, count);
}

}  // namespace

HunkHeader hunk_header(std::string_view line) {
  HunkHeader header;
  if (!line.starts_with("@@")) return header;
  if (const size_t close = line.find("@@", 2); close != line.npos)
    header.heading = trimmed(line.substr(close + 2));
  std::string_view s = trimmed(line.substr(2));
  if (!s.starts_with('-')) return header;
  s.remove_prefix(1);
  const auto before = range_at(s);
  const size_t plus = s.find('+');
  if (!before || plus == s.npos) return header;
  const auto [start, count] = *before;
  // An empty range is after the line that it names.
  header.line = count == 0 || start == 0 ? start : start - 1;
  s.remove_prefix(plus + 1);
  if (const auto after = range_at(s)) header.counts = std::pair(count, after->second);
  return header;
}

HunkLine hunk_line(std::string_view s) {
  const char column = s.empty() ? '\0' : s.front();
  const auto kind = column == '+'   ? HunkLine::Kind::added
                    : column == '-' ? HunkLine::Kind::removed
                                    : HunkLine::Kind::context;
  const bool has_column = kind != HunkLine::Kind::context || column == ' ';
  return {kind, std::string(s.substr(has_column))};
}

}  // namespace bodkin
