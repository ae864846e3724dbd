#include "agent/tools/sketch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "agent/context/symbols.h"
#include "agent/placing/edit_json.h"
#include "agent/support/json.h"
#include "agent/tools/tool_functions.h"
#include "edits/apply/apply.h"
#include "edits/formats/reply_lines.h"
#include "edits/plan/diff.h"
#include "edits/plan/elision.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

using nlohmann::json;
using Lines = std::vector<std::string>;

std::unexpected<Error> wrong(std::string what) {
  return fail(Error::Code::invalid_input, std::move(what));
}

Lines split_lines(std::string_view text) {
  const Text whole{std::string(text)};
  Lines lines;
  for (size_t i = 0; i < line_count_of(whole); ++i) lines.push_back(whole.line(i));
  return lines;
}

Lines lines_of_range(const Text& text, LineRange range) {
  Lines lines;
  for (size_t i = range.begin; i < range.end; ++i) lines.push_back(text.line(i));
  return lines;
}

Lines all_trimmed(const Lines& lines) {
  Lines result;
  for (const std::string& line : lines) result.emplace_back(trimmed(line));
  return result;
}

// Which lines stand for others, beyond doubt.
std::vector<char> placeholders_in(const Lines& lines) {
  return elisions_of(std::vector<std::string_view>(lines.begin(), lines.end()), true);
}

bool holds_line(const Lines& lines, std::string_view line) {
  return std::ranges::find(lines, line) != lines.end();
}

bool holds_run(const Lines& lines, const Lines& run) {
  return !std::ranges::search(lines, run).empty();
}

// The contents of the only fenced block; nothing: there is none.
Result<std::optional<std::string>> only_fence(std::string_view answer) {
  const Lines lines = split_lines(answer);
  std::optional<std::string> contents;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!fence_info(lines[i])) continue;
    if (contents)
      return wrong(
          "The answer has several fenced blocks, or a fence within the block; send one block, in a "
          "fence that is longer than any in it.");
    contents.emplace();
    const size_t open = i;
    while (++i < lines.size() && !closes_fence(lines[open], lines[i])) *contents += lines[i] + "\n";
    if (i == lines.size()) return wrong("The fenced block is not closed.");
  }
  return contents;
}

// A list of line edits; nothing: it is something else.
std::optional<json> line_plan_in(std::string_view text) {
  const auto parsed = parse_json(text);
  if (!parsed || !parsed->is_array() || parsed->empty()) return std::nullopt;
  for (const json& one : *parsed)
    if (!one.is_object() || !one.contains("start_line") || !one.contains("replacement"))
      return std::nullopt;
  return *parsed;
}

// Why a line plan cannot be used for these lines; empty: it can.
std::string wrong_in(const json& plan, LineRange lines) {
  for (const json& one : plan) {
    if (one.size() != 3 || !one.contains("end_line") || !one["start_line"].is_number_integer() ||
        !one["end_line"].is_number_integer() || !one["replacement"].is_string())
      return "Each edit needs the numbers start_line and end_line and the text replacement, and "
             "nothing else.";
    const int64_t start = one["start_line"].get<int64_t>(), end = one["end_line"].get<int64_t>();
    if (start < static_cast<int64_t>(lines.begin) + 1 || end < start ||
        end > static_cast<int64_t>(lines.end))
      return fmt::format(
          "Lines {} to {} are outside of the region, which is lines {} to {} of the file.", start,
          end, lines.begin + 1, lines.end);
  }
  return "";
}

// The lines next to the region, up to one with words; empty: there is none.
Lines neighbours(const Text& file, LineRange lines, bool above) {
  constexpr size_t kMax = 4;
  const auto has_words = [](const std::string& line) {
    return std::ranges::count_if(line, [](unsigned char c) { return std::isalnum(c) != 0; }) >= 3;
  };
  Lines found;
  const size_t count = line_count_of(file);
  for (size_t i = 0; i < kMax; ++i) {
    if (above ? i >= lines.begin : lines.end + i >= count) break;
    std::string line(trimmed(file.line(above ? lines.begin - 1 - i : lines.end + i)));
    const bool is_last = has_words(line);
    found.insert(above ? found.begin() : found.end(), std::move(line));
    if (is_last) return found;
  }
  return {};
}

// Lines that a placeholder of the sketch stands for, and that are gone from the new text: the
// number of the first in the region. A run of lines may go only where the sketch shows, without a
// placeholder in between, what takes its place or what stands around it. A sketch that has none may
// be a part of the region: something may be left out at both of its ends.
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
    for (size_t at = first_new; at < n; ++at) {
      if (in_sketch[at] == kNone) continue;
      if (begin == kNone) begin = in_sketch[at];
      end = in_sketch[at] + 1;
    }
    // At the ends of the region a placeholder often stands for nothing.
    const bool counts_ends = is_open_ended || come < gone;
    if (first_new > 0 && in_sketch[first_new - 1] != kNone) {
      begin = in_sketch[first_new - 1];
    } else if (first_new == 0 && (counts_ends || begin == kNone)) {
      begin = 0;
    }
    if (n < new_lines.size() && in_sketch[n] != kNone) {
      end = in_sketch[n] + 1;
    } else if (n == new_lines.size() && (counts_ends || end == kNone)) {
      end = sketch.size();
    }
    if (begin == kNone || end == kNone || begin >= end || elides_between(begin, end))
      return first_old;
  }
  return std::nullopt;
}

std::string without_blanks(std::string_view line) {
  std::string result;
  for (const char c : line)
    if (std::isspace(static_cast<unsigned char>(c)) == 0) result += c;
  return result;
}

// A line of the new text that neither the region nor the sketch has, however it is spaced; empty:
// none. A sketch may leave out a part of a line: for each of these another line may come.
std::string invented_line(const Lines& old_lines, const Lines& new_lines, const Lines& sketch) {
  Lines known;
  size_t open = 0;
  for (const Lines* lines : {&old_lines, &sketch}) {
    for (const std::string& line : *lines) known.push_back(without_blanks(line));
  }
  for (const std::string& line : sketch)
    if (elides_in_line(line, true) || elides_behind_code(line)) ++open;
  for (const std::string& line : new_lines) {
    const bool has_words =
        std::ranges::any_of(line, [](unsigned char c) { return std::isalnum(c) != 0 || c >= 128; });
    if (!has_words || holds_line(known, without_blanks(line))) continue;
    if (open == 0) return std::string(trimmed(line));
    --open;
  }
  return "";
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
    if (line.empty() || elides[i] != 0 || elides_in_line(sketch[i], true) ||
        elides_behind_code(sketch[i]))
      continue;
    at = std::find(at, written.end(), line);
    if (at == written.end()) return std::string(trimmed(sketch[i]));
    ++at;
  }
  return "";
}

// A line of the new text that is no line of the region, and stands for others; empty: none.
std::string placeholder_left(const SketchedRegion& region, const Lines& written) {
  const Lines old_lines = lines_of_range(region.file, region.lines);
  const Lines sketch = split_lines(region.sketch);
  const std::vector<char> elides = placeholders_in(written), sketched = placeholders_in(sketch);
  Lines placeholders;
  for (size_t i = 0; i < sketch.size(); ++i)
    if (sketched[i] != 0) placeholders.emplace_back(trimmed(sketch[i]));
  for (size_t i = 0; i < written.size(); ++i) {
    if (holds_line(old_lines, written[i])) continue;
    if (elides[i] != 0 || holds_line(placeholders, trimmed(written[i])) ||
        elides_in_line(written[i], true) || elides_behind_code(written[i]))
      return std::string(trimmed(written[i]));
  }
  return "";
}

// Why the finished lines cannot be used; empty: they can.
std::string wrong_with(const SketchedRegion& region, const Lines& finished) {
  const Lines old_lines = lines_of_range(region.file, region.lines);
  const Lines sketch = split_lines(region.sketch);
  for (const bool above : {true, false}) {
    const Lines next = neighbours(region.file, region.lines, above);
    if (next.empty() || !holds_run(all_trimmed(finished), next)) continue;
    if (holds_run(all_trimmed(old_lines), next) || holds_run(all_trimmed(sketch), next)) continue;
    return "The answer has lines from outside of the region (\"" +
           next[above ? next.size() - 1 : 0] + "\"); send the region alone.";
  }
  const bool has_placeholders = has_placeholder(region.sketch);
  if (const auto lost = lost_line(old_lines, finished, sketch))
    return fmt::format(
        "Line {} of the file (\"{}\") is changed or gone, where the sketch {}; write the original "
        "lines there.",
        region.lines.begin + *lost + 1, trimmed(old_lines[*lost]),
        has_placeholders ? "has a placeholder" : "does not show that it goes");
  if (std::string missing = missing_line(finished, sketch); !missing.empty())
    return fmt::format("The line \"{}\" of the sketch is missing, or not in its place.", missing);
  const std::string invented = invented_line(old_lines, finished, sketch);
  if (invented.empty()) return "";
  return fmt::format(
      "The line \"{}\" is neither in the region nor in the sketch; write only what the sketch "
      "changes.",
      invented);
}

}  // namespace

std::string text_of(const SketchedRegion& region) {
  const size_t begin = region.file.line_begin(region.lines.begin);
  const size_t end = region.lines.end < region.file.line_count()
                         ? region.file.line_begin(region.lines.end)
                         : region.file.size();
  return region.file.substr(begin, end - begin);
}

bool has_placeholder(std::string_view text) {
  return std::ranges::any_of(placeholders_in(split_lines(text)),
                             [](char elides) { return elides != 0; });
}

Result<EditPlan> plan_of_answer(const SketchedRegion& region, std::string_view answer,
                                const Syntax* syntax) {
  auto fence = only_fence(answer);
  if (!fence) return std::unexpected(fence.error());
  // A file that is itself such a list is only changed by a region.
  std::optional<json> edits;
  if (!line_plan_in(text_of(region))) edits = line_plan_in(*fence ? **fence : answer);
  if (!edits && !*fence)
    return wrong(
        "The answer is neither one fenced block with the region nor a list of line edits.");
  if (!edits && (*fence)->empty()) return wrong("The fenced block is empty.");
  if (edits) {
    if (std::string why = wrong_in(*edits, region.lines); !why.empty())
      return wrong(std::move(why));
  } else {
    edits = json::array({{{"start_line", region.lines.begin + 1},
                          {"end_line", region.lines.end},
                          {"replacement", **fence}}});
  }
  Lines written;
  for (json& one : *edits) {
    std::ranges::copy(split_lines(one["replacement"].get<std::string>()),
                      std::back_inserter(written));
    one["path"] = region.path;
  }
  if (const std::string left = placeholder_left(region, written); !left.empty())
    return wrong("A placeholder is left: \"" + left + "\"; write the original lines in its place.");
  auto plan = plan_of_json(*edits, region.path);
  if (!plan) return wrong(plan.error().message);
  const ApplyReport report = apply(*plan, OneFile(region.path, region.file), nullptr, {});
  if (!report.ok) return wrong(why_refused(report));
  if (report.files.empty())
    return wrong("The answer changes nothing; write the lines as the sketch wants them.");
  if (!report.files[0].after) return plan;
  const Text& after = *report.files[0].after;
  const size_t behind = line_count_of(region.file) - region.lines.end;
  const LineRange finished{region.lines.begin, line_count_of(after) - behind};
  if (std::string why = wrong_with(region, lines_of_range(after, finished)); !why.empty())
    return wrong(std::move(why));
  if (!syntax) return plan;
  const auto errors = syntax->new_errors(region.path, region.file, after);
  if (!errors || errors->empty()) return plan;
  return wrong(fmt::format("The result has a syntax error at line {} of the file: \"{}\".",
                           errors->front() + 1, trimmed(after.line(errors->front()))));
}

}  // namespace bodkin
