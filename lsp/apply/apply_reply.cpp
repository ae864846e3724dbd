#include "lsp/apply/apply_reply.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "agent/placing/edit_json.h"
#include "agent/placing/known_files.h"
#include "agent/placing/new_files.h"
#include "edits/apply/named_files.h"
#include "edits/plan/paths.h"
#include "edits/text/line_keys.h"
#include "edits/text/pieces.h"
#include "lsp/apply/folder_changes.h"
#include "lsp/sessions/changed_files.h"

namespace bodkin {

using nlohmann::json;

namespace {

std::string_view name_of(HunkReport::State state) {
  constexpr std::string_view kNames[] = {"applied", "already_applied", "no_change", "failed"};
  return kNames[static_cast<size_t>(state)];
}

json json_of(const Failure& failure) {
  json error = {{"kind", bodkin::name_of(failure.kind)}, {"message", failure.message}};
  if (!failure.advice.empty()) error["advice"] = failure.advice;
  return error;
}

// Why none of the fences of a reply without edits is a file.
std::string why_no_file(const std::vector<PlainFence>& fences, const Files& files) {
  const auto find = [&](bool named) {
    return std::ranges::find_if(fences, [&](const PlainFence& fence) {
      return !fence.is_for_reader && fence.path.empty() != named;
    });
  };
  const auto named = find(true), other = find(false);
  if (named == fences.end())
    return "no SEARCH/REPLACE block, no diff, and no whole file below its path";
  if (other != fences.end())
    return fmt::format("the fence at line {} may be {}, but that at line {} is no file",
                       named->source_line, named->path, other->source_line);
  const auto first_line = [](std::string_view text) {
    text = trimmed(text);
    return std::string(text.substr(0, text.find('\n')));
  };
  const auto file = files.read(named->path);
  const bool may_be_all = file && first_line(file->str()) == first_line(named->contents);
  return fmt::format("it is not clear {} the fence at line {} {} {}",
                     may_be_all ? "whether" : "where", named->source_line,
                     may_be_all ? "is all of" : "belongs in", named->path);
}

}  // namespace

FailureOr<EditPlan> plan_of_reply(std::string_view reply, const ParseOptions& options,
                                  const Files& files) {
  FailureOr<EditPlan> plan = parse_reply(reply, with_files(options, files));
  if (!plan) return plan;
  if (!plan->changes.empty()) return plan;
  const bool only_modes = !modes_left_alone(reply).empty();
  if (!only_modes && reply.find("```") != reply.npos)
    return failure(
        FailureKind::malformed,
        "the reply contains code, but no edit: " + why_no_file(plan->plain_fences, files),
        "send SEARCH/REPLACE blocks or a diff");
  return failure(FailureKind::malformed,
                 only_modes
                     ? "the diff changes only modes of files; bodkin changes their texts, not modes"
                     : "the text contains no edits: no SEARCH/REPLACE block, no diff, no *** Begin "
                       "Patch");
}

std::string modes_left_alone(std::string_view reply) {
  constexpr std::string_view kUsual = "100644";
  std::string modes;
  bool is_in_header = false;
  for (const std::string_view line : split_lines(reply, Returns::dropped)) {
    if (line.starts_with("diff --git ")) is_in_header = true;
    if (line.starts_with("@@")) is_in_header = false;
    for (const std::string_view key : {"new mode ", "new file mode "}) {
      if (!is_in_header || !line.starts_with(key)) continue;
      const std::string_view mode = line.substr(key.size());
      const bool is_mode =
          mode.size() == kUsual.size() && mode.find_first_not_of("01234567") == mode.npos;
      if (!is_mode || (mode == kUsual && key != "new mode ") || modes.contains(mode)) continue;
      modes += (modes.empty() ? "" : ", ") + std::string(mode);
    }
  }
  if (modes.empty()) return "";
  return "The modes in the diff (" + modes + ") are not set: only texts are changed.\n";
}

ApplyReport apply_reply(std::string_view reply, const ParseOptions& parse, const Files& files,
                        const Syntax& syntax, const ApplyOptions& options) {
  const KnownFiles known(files, nullptr, options.stop);
  const auto plan = plan_of_reply(reply, parse, known);
  if (plan) {
    ApplyReport report = apply(*plan, known, &syntax, options);
    fit_new_files(report, known);
    return report;
  }
  ApplyReport report;
  report.failure = plan.error();
  return report;
}

json json_of(const ApplyReport& report) {
  json out = {{"ok", report.ok}, {"error", nullptr}, {"hunks", json::array()}};
  if (report.failure) out["error"] = json_of(*report.failure);
  for (const HunkReport& hunk : report.hunks) {
    json entry = {{"path", hunk.path}, {"state", name_of(hunk.state)}};
    if (hunk.match) {
      entry["line"] = hunk.match->lines.begin + 1;
      entry["quality"] = name_of(hunk.match->quality);
    }
    if (hunk.failure) entry["error"] = json_of(*hunk.failure);
    out["hunks"].push_back(std::move(entry));
  }
  for (const NotApplied& shown : report.shown)
    out["shown"].push_back({{"line", shown.source_line}, {"lines", shown.line_count}});
  return out;
}

json json_of(const ChangedFile& file, bool has_diff) {
  json out = {{"path", file.path}, {"state", state_of(file)}};
  if (file.rename_to) out["to"] = *file.rename_to;
  if (has_diff) out["diff"] = diff_of(file);
  return out;
}

}  // namespace bodkin
