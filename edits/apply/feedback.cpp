#include "edits/apply/feedback.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "edits/align/align.h"
#include "edits/place/tokens.h"
#include "edits/text/find_bytes.h"
#include "edits/text/shortened.h"

namespace bodkin {
namespace {

constexpr size_t kShownBytes = 200;  // of a line
constexpr size_t kShownLines = 14;   // of the nearest lines

// Blanks at the ends, and all tabs and returns, as signs.
std::string with_visible_whitespace(std::string_view line) {
  const size_t indentation = indentation_of(line).size();
  const size_t last = line.find_last_not_of(" \t\r");
  const std::string shown = shortened_to(line, kShownBytes);
  std::string out;
  for (size_t i = 0; i < shown.size(); ++i) {
    const bool edge = i < indentation || last == std::string_view::npos || i > last;
    if (edge && shown[i] == ' ') {
      out += "·";
    } else if (shown[i] == '\t') {
      out += "→";
    } else if (shown[i] == '\r') {
      out += "␍";
    } else {
      out += shown[i];
    }
  }
  return out;
}

// The lines most like the old side: [first, last), and the old line that differs first.
struct NearMiss {
  LineRange lines;
  size_t old_line = 0;
  size_t file_line = 0;
};

// No line is the same: the one most like the first old line that says something.
std::optional<NearMiss> closest_window(const MappedText& file,
                                       const std::vector<std::string_view>& old) {
  constexpr size_t kMaxTokens = 4, kMaxLines = 5000, kMaxBytes = 400;
  size_t old_line = 0;
  while (old_line < old.size() && is_blank(old[old_line])) ++old_line;
  if (old_line == old.size() || old[old_line].size() > kMaxBytes) return std::nullopt;
  const size_t count = file.line_count();
  size_t best_line = 0, best = std::min(kMaxTokens, tokens_of(old[old_line]).size() / 2 + 1);
  const size_t worst = best;
  if (!file.spend(std::min(count, kMaxLines) * 100)) return std::nullopt;
  for (size_t i = 0; i < std::min(count, kMaxLines); ++i) {
    const std::string_view line = file.line(i);
    if (is_blank(line) || line.size() > kMaxBytes) continue;
    const size_t distance = token_distance(old[old_line], line);
    if (distance < best) best = distance, best_line = i;
  }
  if (best == worst) return std::nullopt;
  return NearMiss{{best_line, std::min(count, best_line + old.size())}, old_line, best_line};
}

// Where most old lines that stand in few places agree to begin; may lie before the file.
std::optional<long> begin_by_vote(const MappedText& file,
                                  const std::vector<std::string_view>& old) {
  constexpr size_t kMaxHits = 64;
  std::map<long, size_t> votes;
  for (size_t i = 0; i < old.size(); ++i) {
    if (is_blank(old[i])) continue;
    for (const size_t line : lines_like(file, old[i], kMaxHits).value_or(std::vector<size_t>()))
      ++votes[static_cast<long>(line) - static_cast<long>(i)];
  }
  const auto most =
      std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; });
  return most == votes.end() ? std::nullopt : std::optional(most->first);
}

std::optional<NearMiss> nearest_lines(const MappedText& file,
                                      const std::vector<std::string_view>& old) {
  const std::optional<long> begins = begin_by_vote(file, old);
  if (!begins) return closest_window(file, old);
  const long first = *begins;
  const size_t count = file.line_count(), size = old.size();
  const size_t begin = first < 0 ? 0 : static_cast<size_t>(first);
  const size_t end = static_cast<size_t>(std::max(0L, first + static_cast<long>(size)));
  NearMiss miss{{begin, std::min(count, end)}, 0, begin};
  // The first old line that differs at all; one that differs in more than white space is preferred.
  for (const LineKey key : {whitespace_key, trailing_key}) {
    for (size_t i = 0; i < size; ++i) {
      const long at = first + static_cast<long>(i);
      const bool inside = at >= 0 && at < static_cast<long>(count);
      if (inside && same_under(key, old[i], file.line(static_cast<size_t>(at)))) continue;
      miss.old_line = i;
      miss.file_line = at < 0 ? 0 : static_cast<size_t>(at);
      return miss;
    }
  }
  return miss;
}

}  // namespace

std::string listed(const std::vector<size_t>& numbers) {
  constexpr size_t kMax = 12;
  std::string out;
  const size_t shown = std::min(numbers.size(), kMax);
  for (size_t i = 0; i < shown; ++i)
    out += fmt::format("{}{}", i == 0 ? "" : i + 1 == numbers.size() ? " and " : ", ", numbers[i]);
  if (shown < numbers.size()) out += fmt::format(" and {} more", numbers.size() - shown);
  return out;
}

namespace {

// The lines that have the old text with more around it, so that it is not whole lines; or "".
std::string part_of_lines_feedback(const MappedText& file,
                                   const std::vector<std::string_view>& old) {
  std::string wanted;
  for (const std::string_view line : old) wanted.append(wanted.empty() ? "" : "\n").append(line);
  const std::string_view bytes = file.bytes();
  if (is_blank(wanted) || !file.spend(bytes.size() / 4)) return "";
  const size_t at = find_bytes(bytes, wanted, 0);
  if (at == bytes.npos) return "";
  const size_t first = file.line_at(at) + 1, last = file.line_at(at + wanted.size() - 1) + 1;
  const std::string lines =
      first == last ? fmt::format("line {}", first) : fmt::format("lines {} to {}", first, last);
  return fmt::format("The old text is only part of {}: quote whole lines.\n", lines);
}

}  // namespace

std::string nearest_feedback(const MappedText& file, const Hunk& hunk) {
  const std::vector<std::string_view> old = old_side(hunk);
  if (std::string part = part_of_lines_feedback(file, old); !part.empty()) return part;
  const std::optional<NearMiss> miss = nearest_lines(file, old);
  if (!miss) return "No lines of the file are close enough.\n";
  std::string out = fmt::format("The first line that differs:\n  yours: {}\n",
                                with_visible_whitespace(old[miss->old_line]));
  if (miss->file_line < file.line_count())
    out += fmt::format("  file {}: {}\n", miss->file_line + 1,
                       with_visible_whitespace(file.line(miss->file_line)));
  else
    out += "  file: (end of file)\n";
  out += fmt::format("The closest lines, {} to {}:\n", miss->lines.begin + 1, miss->lines.end);
  const size_t begin = miss->file_line > miss->lines.begin + kShownLines / 2
                           ? miss->file_line - kShownLines / 2
                           : miss->lines.begin;
  for (size_t i = begin; i < std::min(miss->lines.end, begin + kShownLines); ++i)
    out += fmt::format("{:>5} | {}\n", i + 1, shortened_to(file.line(i), kShownBytes));
  return out;
}

std::string places_feedback(const MappedText& file, const std::vector<Place>& places) {
  constexpr size_t kMax = 6;
  std::string out = "The matches, each with the line above it:\n";
  for (size_t i = 0; i < std::min(places.size(), kMax); ++i) {
    const size_t first = places[i].first;
    if (i > 0) out += "   --\n";
    if (first > 0)
      out += fmt::format("{:>5} | {}\n", first, shortened_to(file.line(first - 1), kShownBytes));
    out += fmt::format("{:>5} | {}\n", first + 1, shortened_to(file.line(first), kShownBytes));
  }
  if (places.size() > kMax) out += fmt::format("   … and {} more\n", places.size() - kMax);
  return out;
}

}  // namespace bodkin
