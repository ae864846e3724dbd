#include "agent/tools/sketch_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <unordered_map>

#include "agent/context/symbols.h"
#include "edits/plan/diff.h"
#include "edits/plan/elision.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

using Lines = std::vector<std::string>;

Lines all_trimmed(const Lines& lines) {
  Lines result;
  for (const std::string& line : lines) result.emplace_back(trimmed(line));
  return result;
}

// Marks the lines that certainly stand for others.
std::vector<char> placeholders_in(const Lines& lines) {
  return elisions_of(std::vector<std::string_view>(lines.begin(), lines.end()), true);
}

bool holds_line(const Lines& lines, std::string_view line) {
  return std::ranges::find(lines, line) != lines.end();
}

bool has_words(std::string_view line) {
  return std::ranges::any_of(line,
                             [](unsigned char c) { return std::isalnum(c) != 0 || c >= 128; });
}

// True if part of the line is left out.
bool is_open(std::string_view line) {
  return elides_in_line(line, true) || !comment_that_elides(line).empty();
}

// One head, and lines that are deeper, or close it.
bool is_block(const Lines& lines, size_t begin, size_t end) {
  if (begin == end) return false;
  const size_t depth = indentation_of(lines[begin]).size();
  size_t deeper = 0;
  for (size_t i = begin + 1; i < end; ++i) {
    const size_t own = indentation_of(lines[i]).size();
    if (own > depth && has_words(lines[i])) ++deeper;
    if (own < depth || (own == depth && has_words(lines[i]))) return false;
  }
  return deeper > 0;
}

// The number in the region of the first line that a placeholder of the sketch stands for and that
// is missing in the new text. A run of lines may go only where the sketch shows, without a
// placeholder in between, what is around it, or what replaces it: as many lines, or a block for a
// block. A sketch without a placeholder may be a part of the region: something may be left out at
// both ends.
std::optional<size_t> lost_line(const Lines& old_lines, const Lines& new_lines, Lines sketch) {
  std::vector<char> elides = placeholders_in(sketch);
  const bool is_open_ended = std::ranges::none_of(elides, [](char one) { return one != 0; });
  if (is_open_ended) {
    constexpr char kLeftOut[] = "\1";  // no line of a text
    sketch.insert(sketch.begin(), kLeftOut);
    sketch.push_back(kLeftOut);
    elides.assign(sketch.size(), 0);
    elides.front() = elides.back() = 1;
  }
  constexpr size_t kNone = static_cast<size_t>(-1);
  std::vector<size_t> in_sketch(new_lines.size(), kNone);
  size_t s = 0, n = 0;
  for (const HunkLine& line : line_diff(all_trimmed(sketch), all_trimmed(new_lines))) {
    if (line.kind == HunkLine::Kind::context) in_sketch[n] = s;
    if (line.kind != HunkLine::Kind::added) ++s;
    if (line.kind != HunkLine::Kind::removed) ++n;
  }
  const auto elides_between = [&](size_t begin, size_t end) {
    return std::any_of(elides.begin() + static_cast<std::ptrdiff_t>(begin),
                       elides.begin() + static_cast<std::ptrdiff_t>(end),
                       [](char one) { return one != 0; });
  };
  const std::vector<HunkLine> diff = line_diff(old_lines, new_lines);
  size_t o = 0;
  n = 0;
  for (size_t i = 0; i < diff.size();) {
    if (diff[i].kind == HunkLine::Kind::context) {
      ++i, ++o, ++n;
      continue;
    }
    const size_t first_old = o, first_new = n;
    for (; i < diff.size() && diff[i].kind != HunkLine::Kind::context; ++i)
      ++(diff[i].kind == HunkLine::Kind::removed ? o : n);
    const size_t gone = o - first_old, come = n - first_new;
    if (gone == 0) continue;
    size_t begin = kNone, end = kNone;  // in the sketch: what takes their place
    size_t shown = 0;
    for (size_t at = first_new; at < n; ++at) {
      if (in_sketch[at] == kNone) continue;
      ++shown;
      if (begin == kNone) begin = in_sketch[at];
      end = in_sketch[at] + 1;
    }
    // At the ends of the region a placeholder often stands for nothing.
    const bool is_replaced =
        gone <= shown || (is_block(old_lines, first_old, o) && is_block(new_lines, first_new, n));
    const bool counts_ends = is_open_ended || (come < gone && !is_replaced);
    bool is_between = true;  // lines that are shown, or the ends
    if (first_new > 0 && in_sketch[first_new - 1] != kNone) {
      begin = in_sketch[first_new - 1];
    } else if (first_new == 0 && (counts_ends || begin == kNone)) {
      begin = 0;
    } else {
      is_between = false;
    }
    if (n < new_lines.size() && in_sketch[n] != kNone) {
      end = in_sketch[n] + 1;
    } else if (n == new_lines.size() && (counts_ends || end == kNone)) {
      end = sketch.size();
    } else {
      is_between = false;
    }
    if (begin == kNone || end == kNone || begin >= end || elides_between(begin, end))
      return first_old;
    if (!is_between && !is_replaced) return first_old + shown;
  }
  return std::nullopt;
}

std::string without_blanks(std::string_view line) {
  std::string result;
  for (const char c : line)
    if (std::isspace(static_cast<unsigned char>(c)) == 0) result += c;
  return result;
}

// The first line of the new text that is neither the next one of the region nor of the sketch: it
// is invented, or repeated, or out of order. Spacing is ignored; lines without words may be
// anywhere. A line of the sketch that leaves out a part of itself may be any line.
std::optional<size_t> stray_line(const Lines& old_lines, const Lines& new_lines,
                                 const Lines& sketch) {
  constexpr size_t kNone = static_cast<size_t>(-1);
  const std::vector<char> elides = placeholders_in(sketch);
  std::unordered_map<std::string, std::vector<size_t>> places;  // in the region
  for (size_t i = 0; i < old_lines.size(); ++i) places[without_blanks(old_lines[i])].push_back(i);
  Lines sketched;
  for (const std::string& line : sketch) sketched.push_back(without_blanks(line));
  const auto may_be_absent = [&](size_t s) {
    return elides[s] != 0 || !has_words(sketch[s]) || is_open(sketch[s]);
  };
  // The fewest lines of the region that are passed after a number of the sketch's.
  std::vector<size_t> passed(sketch.size() + 1, kNone);
  passed[0] = 0;
  for (size_t n = 0; n < new_lines.size(); ++n) {
    for (size_t s = 0; s < sketch.size(); ++s)
      if (may_be_absent(s)) passed[s + 1] = std::min(passed[s + 1], passed[s]);
    if (!has_words(new_lines[n])) continue;
    const std::string line = without_blanks(new_lines[n]);
    const auto found = places.find(line);
    std::vector<size_t> next(passed.size(), kNone);
    for (size_t s = 0; s < passed.size(); ++s) {
      if (passed[s] == kNone) continue;
      if (found != places.end()) {
        const auto at = std::ranges::lower_bound(found->second, passed[s]);
        if (at != found->second.end()) next[s] = std::min(next[s], *at + 1);
      }
      const bool is_sketched =
          s < sketch.size() && elides[s] == 0 && (sketched[s] == line || is_open(sketch[s]));
      if (is_sketched) next[s + 1] = std::min(next[s + 1], passed[s]);
    }
    if (std::ranges::all_of(next, [](size_t one) { return one == kNone; })) return n;
    passed = std::move(next);
  }
  return std::nullopt;
}

// A line that the new text alone has twice in a row.
std::optional<size_t> doubled_line(const Lines& old_lines, const Lines& new_lines,
                                   const Lines& sketch) {
  const auto is_doubled_in = [](const Lines& lines, std::string_view line) {
    for (size_t i = 0; i + 1 < lines.size(); ++i)
      if (trimmed(lines[i]) == line && trimmed(lines[i + 1]) == line) return true;
    return false;
  };
  for (size_t n = 0; n + 1 < new_lines.size(); ++n) {
    const std::string_view line = trimmed(new_lines[n]);
    if (line != trimmed(new_lines[n + 1]) || !has_words(line)) continue;
    if (!is_doubled_in(old_lines, line) && !is_doubled_in(sketch, line)) return n + 1;
  }
  return std::nullopt;
}

// The first line of the sketch that the new text does not have, in the sketch's order and however
// it is spaced; empty: none. Placeholders, and lines with one in them, need not be there.
std::string missing_line(const Lines& new_lines, const Lines& sketch) {
  const std::vector<char> elides = placeholders_in(sketch);
  Lines written;
  for (const std::string& line : new_lines) written.push_back(without_blanks(line));
  auto at = written.begin();
  for (size_t i = 0; i < sketch.size(); ++i) {
    const std::string line = without_blanks(sketch[i]);
    if (line.empty() || elides[i] != 0 || is_open(sketch[i])) continue;
    at = std::find(at, written.end(), line);
    if (at == written.end()) return std::string(trimmed(sketch[i]));
    ++at;
  }
  return "";
}

}  // namespace

std::vector<std::string> lines_of_range(const Text& text, LineRange range) {
  Lines lines;
  for (size_t i = range.begin; i < range.end; ++i) lines.push_back(text.line(i));
  return lines;
}

std::vector<std::string> lines_in(std::string_view text) {
  const Text whole{std::string(text)};
  Lines lines;
  for (size_t i = 0; i < line_count_of(whole); ++i) lines.push_back(whole.line(i));
  return lines;
}

std::string placeholder_left(const SketchedRegion& region, const Lines& written) {
  const Lines old_lines = lines_of_range(region.file, region.lines);
  const Lines sketch = lines_in(region.sketch);
  const std::vector<char> elides = placeholders_in(written), sketched = placeholders_in(sketch);
  Lines placeholders;
  for (size_t i = 0; i < sketch.size(); ++i)
    if (sketched[i] != 0) placeholders.emplace_back(trimmed(sketch[i]));
  for (size_t i = 0; i < written.size(); ++i) {
    if (holds_line(old_lines, written[i])) continue;
    if (elides[i] != 0 || holds_line(placeholders, trimmed(written[i])) || is_open(written[i]))
      return std::string(trimmed(written[i]));
  }
  return "";
}

std::optional<Error> wrong_with(const SketchedRegion& region, const Lines& finished) {
  const auto wrong = [](std::string what, std::string advice = {}) {
    return Error{Error::Code::invalid_input, std::move(what), {}, std::move(advice)};
  };
  const Lines old_lines = lines_of_range(region.file, region.lines);
  const Lines sketch = lines_in(region.sketch);
  const bool has_placeholders = has_placeholder(region.sketch);
  if (const auto lost = lost_line(old_lines, finished, sketch))
    return wrong(
        fmt::format("Line {} of the file (\"{}\") is changed or gone, where the sketch {}.",
                    region.lines.begin + *lost + 1, trimmed(old_lines[*lost]),
                    has_placeholders ? "has a placeholder" : "does not show that it goes"),
        "Write the original lines there.");
  if (std::string missing = missing_line(finished, sketch); !missing.empty())
    return wrong(
        fmt::format("The line \"{}\" of the sketch is missing, or not in its place.", missing));
  auto stray = stray_line(old_lines, finished, sketch);
  if (!stray) stray = doubled_line(old_lines, finished, sketch);
  if (!stray) return std::nullopt;
  const auto is_known = [&](const Lines& lines) {
    return std::ranges::any_of(lines, [&](const std::string& line) {
      return without_blanks(line) == without_blanks(finished[*stray]);
    });
  };
  const std::string_view line = trimmed(finished[*stray]);
  if (is_known(old_lines) || is_known(sketch))
    return wrong(
        fmt::format("The line \"{}\" is not where the file and the sketch have it, or occurs once "
                    "too often.",
                    line),
        "Write the original lines in their order.");
  return wrong(fmt::format("The line \"{}\" is neither in the region nor in the sketch.", line),
               "Write only what the sketch changes.");
}

bool has_placeholder(std::string_view text) {
  return std::ranges::any_of(placeholders_in(lines_in(text)),
                             [](char elides) { return elides != 0; });
}

}  // namespace bodkin
