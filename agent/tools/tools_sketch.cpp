// Sketches: merged by syntax, or else written out by a second model.
#include <fmt/format.h>

#include "agent/context/symbols.h"
#include "agent/placing/edit_json.h"
#include "agent/placing/known_files.h"
#include "agent/tools/sketch.h"
#include "agent/tools/tool_functions.h"

namespace bodkin {

namespace {

using nlohmann::json;

constexpr size_t kMaxForSecond = 200'000;  // bytes of a region and of its sketch
constexpr int kMaxRequests = 2;            // to the second model in one call

// The edit by which the sketch changes the region. `is_named`: the call names the region's lines,
// so that a sketch which leaves nothing out is all of them. Error, for the model: it is not clear.
std::expected<json, ToolOutcome> merged_by_syntax(const SketchedRegion& region, bool is_named,
                                                  const ToolBench& bench) {
  const std::string before = text_of(region);
  json edit = {{"path", region.path},
               {"start_line", region.lines.begin + 1},
               {"end_line", region.lines.end},
               {"replacement", region.sketch}};
  const bool is_whole = region.lines.begin == 0 && region.lines.end == line_count_of(region.file);
  if ((is_named || !is_whole) && !has_placeholder(region.sketch)) return edit;
  const json sketch = {{"path", region.path}, {"code_edit", region.sketch}};
  const auto plan = plan_of_json(sketch, region.path);
  if (!plan) return std::unexpected(failed(plan.error()));
  const ApplyReport report = apply(*plan, OneFile(region.path, Text(before)), bench.syntax, {});
  if (!report.ok) return std::unexpected(failed(report));
  if (is_whole) return sketch;
  const bool is_same = report.files.empty() || !report.files[0].after;
  edit["replacement"] = is_same ? before : report.files[0].after->str();
  return edit;
}

std::string request_for(const SketchedRegion& region, const std::string& instructions) {
  std::string text;
  if (!instructions.empty()) text += "Instructions: " + instructions + "\n\n";
  text += "Sketch:\n" + fenced(region.sketch) + "\n";
  text += fmt::format("Region (lines {} to {} of {}):\n", region.lines.begin + 1, region.lines.end,
                      region.path);
  return text + fenced(text_of(region));
}

// `refused`: the merge by syntax.
ToolOutcome finish_by_second(ToolBench& bench, const SketchedRegion& region,
                             const std::string& instructions, ToolOutcome refused,
                             const Task& task) {
  if (text_of(region).size() + region.sketch.size() > kMaxForSecond)
    return misplaced(std::move(refused), region.path);
  std::vector<Message> messages;
  const auto say = [&](Message::Role role, std::string text) {
    messages.push_back({role, {TextBlock{std::move(text)}}});
  };
  say(Message::Role::user, request_for(region, instructions));
  std::string last;
  for (int i = 0; i < kMaxRequests; ++i) {
    auto answer = bench.ask_second(messages, task);
    if (!answer) {
      last = answer.error().message;
      break;
    }
    const auto plan = plan_of_answer(region, *answer, bench.syntax);
    if (plan) {
      ToolOutcome outcome = take_edits(bench, *plan, task);
      if (!outcome.is_error) outcome.content += "A second model wrote the edit out.\n";
      return outcome;
    }
    last = plan.error().message;
    say(Message::Role::assistant, answer->empty() ? "(nothing)" : *std::move(answer));
    say(Message::Role::user, "This answer cannot be used, and nothing was changed. " +
                                 with_advice(plan.error()) + " Answer once more.");
  }
  refused.content = fmt::format(
      "The edit could not be merged: {}\nA second model could not finish it either: "
      "{}\nNothing was changed. Repeat more of the unchanged lines around each change, or give "
      "the exact text with another tool.",
      refused.content, last);
  refused.reason = "The edit could not be merged, and a second model could not finish it: " + last;
  return misplaced(std::move(refused), region.path);
}

}  // namespace

ToolOutcome edit_file(ToolBench& bench, const json& arguments, const Task& task) {
  const auto path = path_to_edit(bench, arguments, task);
  if (!path) return failed(path.error());
  const std::string sketch = string_of(arguments, "code_edit");
  if (sketch.size() > kMaxEditBytes) return failed("The edit is larger than 1 MB.");
  const auto there = bench.draft.read(*path, task);
  if (!there && there.error().code != Error::Code::not_found) return failed(there.error());
  if (!there) {
    if (has_placeholder(sketch))
      return misplaced(
          failed(*path + " does not exist, so nothing of it can be left out.", "Give all of it."),
          *path);
    return take_whole(bench, FileChange::Kind::create, *path, sketch, task);
  }
  const auto file = file_to_edit(bench, arguments, task);
  if (!file) return file.error();
  if (arguments.value("at_end", false)) {
    if (has_placeholder(sketch))
      return misplaced(
          failed("Text added at the end cannot leave anything out.", "Give only new lines."),
          *path);
    return take_json(
        bench, {{"path", *path}, {"insert_line", line_count_of(file->text)}, {"new_str", sketch}},
        task);
  }
  const auto count = static_cast<int64_t>(line_count_of(file->text));
  const bool is_part = arguments.contains("start_line") || arguments.contains("end_line");
  const int64_t start = arguments.value("start_line", int64_t{1});
  const int64_t end = arguments.value("end_line", count);
  if (!is_part && count == 0)
    return take_json(bench, {{"path", *path}, {"code_edit", sketch}}, task);
  if (std::string reason = outside(*file, start, end); !reason.empty())
    return misplaced(failed(std::move(reason)), *path);
  const SketchedRegion region{
      *path, file->text, {static_cast<size_t>(start - 1), static_cast<size_t>(end)}, sketch};
  auto edit = merged_by_syntax(region, is_part, bench);
  if (edit) return take_json(bench, *edit, task);
  if (!bench.ask_second) return misplaced(std::move(edit.error()), *path);
  return finish_by_second(bench, region, string_of(arguments, "instructions"),
                          std::move(edit.error()), task);
}

}  // namespace bodkin
