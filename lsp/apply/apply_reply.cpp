#include "lsp/apply/apply_reply.h"

#include <nlohmann/json.hpp>

#include "agent/placing/edit_json.h"
#include "edits/plan/paths.h"

namespace bodkin {

using nlohmann::json;

namespace {

// Of a reply whose text could not be parsed at all.
Failure unparsed(const Error& error) {
  for (const FailureKind kind : {FailureKind::truncated, FailureKind::malformed})
    if (error.message.starts_with(std::string(name_of(kind)) + ": "))
      return {kind, error.message.substr(name_of(kind).size() + 2)};
  return {FailureKind::malformed, error.message};
}

std::string_view name_of(HunkReport::State state) {
  switch (state) {
    case HunkReport::State::applied:
      return "applied";
    case HunkReport::State::already_applied:
      return "already_applied";
    case HunkReport::State::no_change:
      return "no_change";
    case HunkReport::State::failed:
      return "failed";
  }
  return "failed";
}

json json_of(const Failure& failure) {
  return {{"kind", bodkin::name_of(failure.kind)}, {"message", failure.message}};
}

}  // namespace

std::expected<EditPlan, Failure> plan_of_reply(std::string_view reply, const ParseOptions& options,
                                               const Files& files) {
  ParseOptions parse = options;
  parse.is_file = [&](std::string_view path) { return is_file(files, path); };
  Result<EditPlan> plan = parse_reply(reply, parse);
  if (!plan) return std::unexpected(unparsed(plan.error()));
  if (plan->changes.empty()) {
    return std::unexpected(
        Failure{FailureKind::malformed,
                reply.find("```") != reply.npos
                    ? "the reply contains code but does not say which lines it replaces; ask for "
                      "SEARCH/REPLACE blocks or a diff"
                    : "the text contains no edits: no SEARCH/REPLACE block, no diff, no *** Begin "
                      "Patch"});
  }
  return *std::move(plan);
}

ApplyReport apply_reply(std::string_view reply, const ParseOptions& parse, const Files& files,
                        const Syntax& syntax, const ApplyOptions& options) {
  const auto plan = plan_of_reply(reply, parse, files);
  if (plan) return apply(*plan, files, &syntax, options);
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
  return out;
}

std::string text_of_json(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace bodkin
