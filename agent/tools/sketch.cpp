#include "agent/tools/sketch.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "agent/context/symbols.h"
#include "agent/placing/edit_json.h"
#include "agent/placing/known_files.h"
#include "agent/support/json.h"
#include "agent/tools/sketch_check.h"
#include "agent/tools/tool_functions.h"
#include "edits/apply/apply.h"
#include "edits/apply/explain.h"
#include "edits/formats/reply_lines.h"
#include "grammars/certain_errors.h"

namespace bodkin {

namespace {

using nlohmann::json;
using Lines = std::vector<std::string>;

std::unexpected<Error> wrong(std::string what, std::string advice = {}) {
  return fail_with_advice(Error::Code::invalid_input, std::move(what), std::move(advice));
}

// The contents of the only fenced block; nullopt if there is none.
Result<std::optional<std::string>> only_fence(std::string_view answer) {
  const Lines lines = lines_in(answer);
  std::optional<std::string> contents;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!fence_info(lines[i])) continue;
    if (contents)
      return wrong("The answer has several fenced blocks, or a fence within the block.",
                   "Send one block, in a fence that is longer than any in it.");
    contents.emplace();
    const size_t open = i;
    while (++i < lines.size() && !closes_fence(lines[open], lines[i])) *contents += lines[i] + "\n";
    if (i == lines.size()) return wrong("The fenced block is not closed.");
  }
  return contents;
}

// A list of line edits; nullopt: it is something else.
std::optional<json> line_plan_in(std::string_view text) {
  auto parsed = parse_json(text);
  if (!parsed || !parsed->is_array() || parsed->empty()) return std::nullopt;
  for (const json& one : *parsed)
    if (!one.is_object() || !one.contains("start_line") || !one.contains("replacement"))
      return std::nullopt;
  return parsed;
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

}  // namespace

std::string text_of(const SketchedRegion& region) {
  const size_t begin = region.file.line_begin(region.lines.begin);
  const size_t end = region.lines.end < region.file.line_count()
                         ? region.file.line_begin(region.lines.end)
                         : region.file.size();
  return region.file.substr(begin, end - begin);
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
  const bool is_whole = !edits;
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
    std::ranges::copy(lines_in(one["replacement"].get<std::string>()), std::back_inserter(written));
    one["path"] = region.path;
  }
  if (const std::string left = placeholder_left(region, written); !left.empty())
    return wrong("A placeholder is left: \"" + left + "\".",
                 "Write the original lines in its place.");
  auto plan = plan_of_json(*edits, region.path);
  if (!plan) return wrong(plan.error().message + ".", plan.error().advice);
  // For a whole region the numbers are ours, and lines from outside are noticed below.
  if (is_whole)
    for (FileChange& change : plan->changes)
      for (Hunk& hunk : change.hunks) std::get<NumberedEdit>(hunk.format).is_computed = true;
  const ApplyReport report = apply(*plan, OneFile(region.path, region.file), nullptr, {});
  if (!report.ok) return wrong(reason_for_user(report), explain(report));
  if (report.files.empty())
    return wrong("The answer changes nothing.", "Write the lines as the sketch wants them.");
  if (!report.files[0].after) return *std::move(plan);
  const Text& after = *report.files[0].after;
  const size_t behind = line_count_of(region.file) - region.lines.end;
  const LineRange finished{region.lines.begin, line_count_of(after) - behind};
  if (auto why = wrong_with(region, lines_of_range(after, finished)))
    return std::unexpected(*std::move(why));
  if (!syntax) return *std::move(plan);
  const auto errors = certain_errors(*syntax, region.path, region.file, after);
  if (!errors || errors->empty()) return *std::move(plan);
  return wrong(fmt::format("The result has a syntax error at line {} of the file: \"{}\".",
                           errors->front() + 1, trimmed(after.line(errors->front()))));
}

}  // namespace bodkin
