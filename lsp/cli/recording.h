// The form of a recording: one ask with everything that decided it, as a file that `bodkin replay`
// plays again, without secrets:
//   {"version": 3, "name", "root", "ask": {"prompt", "profile", "dialect", "format", "mode",
//   "files"},
//    "files": {PATH: TEXT}, "unreadable": {PATH: ERROR}, "lists": [{"folder", "limit", "paths"}],
//    "model", "turns": as in agent/models/replay.h, each turn with "told",
//    "second": the same of the model that finishes sketches, or null,
//    "limits": {SETTING: VALUE}, "granted": [GRANT], "profiles": {FILE: TEXT} (the user's own),
//    "conversation": null, or what was said before, "seen": {PATH: whether it is as it was read},
//    "shell": null, or {"confined", "network", "timeout_ms"}, "commands": [{"line", "begun_ns",
//    "outcome"}], "answers": [{"title", …}], "words": [TEXT], "mcp_tools", "mcp_calls", "checks",
//    "quick_checks", "reports", "verdicts", "end": {"end", "reason", "diff"}}
// An error is {"error": {"code", "message"}}.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "agent/ask/ask.h"
#include "agent/history/message_json.h"
#include "agent/rpc/lsp_structs.h"
#include "agent/sandbox/sandbox.h"
#include "agent/tools/tools.h"

namespace bodkin {

inline constexpr int kRecordingVersion = 3;
inline constexpr size_t kMaxRecording = 256 << 20;  // bytes

bool is_recording(const nlohmann::json& value);

// A name that is not known means the first of its list.
NLOHMANN_JSON_SERIALIZE_ENUM(Error::Code, {{Error::Code::internal, "internal"},
                                           {Error::Code::not_found, "not_found"},
                                           {Error::Code::stale, "stale"},
                                           {Error::Code::invalid_input, "invalid_input"},
                                           {Error::Code::cancelled, "cancelled"},
                                           {Error::Code::unavailable, "unavailable"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Severity, {{Severity::error, 1},
                                        {Severity::warning, 2},
                                        {Severity::information, 3},
                                        {Severity::hint, 4}})
NLOHMANN_JSON_SERIALIZE_ENUM(CheckResult::State, {{CheckResult::State::not_checked, "not_checked"},
                                                  {CheckResult::State::clean, "clean"},
                                                  {CheckResult::State::problems, "problems"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Verdict::State, {{Verdict::State::not_checked, "not_checked"},
                                              {Verdict::State::passed, "passed"},
                                              {Verdict::State::failed, "failed"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Decision::Choice, {{Decision::reject, "reject"},
                                                {Decision::once, "once"},
                                                {Decision::session, "session"},
                                                {Decision::workspace, "workspace"}})
NLOHMANN_JSON_SERIALIZE_ENUM(SandboxChange::State,
                             {{SandboxChange::State::other, "other"},
                              {SandboxChange::State::text, "text"},
                              {SandboxChange::State::removed, "removed"},
                              {SandboxChange::State::binary, "binary"},
                              {SandboxChange::State::large, "large"},
                              {SandboxChange::State::git, "git"},
                              {SandboxChange::State::mode, "mode"},
                              {SandboxChange::State::folder, "folder"},
                              {SandboxChange::State::folder_gone, "folder_gone"},
                              {SandboxChange::State::deep, "deep"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Error, code, message)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(LineRange, begin, end)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Diagnostic, lines, severity, message, source, code)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(FileReport, by, problems)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(CheckedProblem, path, line, severity, code, message,
                                                source)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(CheckResult, state, by, reason, added, fixed,
                                                remaining)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Verdict, state, by, where, reason, output, problems)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Decision, choice, reason)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(ImageBlock, media_type, base64)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(ToolOutcome, content, is_error, reason, images)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(MessagePart, kind, text, content, data)
// Without the folder: a replay has one.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(SandboxChange, path, state, text, is_ignored,
                                                has_text, is_link, moves_work, mode, time_ns)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(SandboxChanges, list, left_out, are_all)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(SandboxOutcome, exit_code, output, hidden, ended,
                                                changes)

nlohmann::json recorded(const Error& error);
nlohmann::json recorded(const ModelFacts& facts);
nlohmann::json recorded(const Tool& tool);
nlohmann::json recorded(const Conversation& conversation);
template <class Value>
nlohmann::json recorded(const Result<Value>& result) {
  return result ? nlohmann::json(*result) : recorded(result.error());
}
int64_t now_ns();  // since 1970

// And back. A value from anywhere that has another form counts as missing.
template <class Value>
Value read_as(const nlohmann::json& from) {
  return rpc::decode<Value>(from).value_or(Value());
}
Error error_in(const nlohmann::json& from);
Tool tool_in(const nlohmann::json& from);
Conversation conversation_in(const nlohmann::json& from);

// The new text that the model was told since its last reply, with a placeholder for the root and
// for secrets: it is the same in a recording and its replay.
std::string told_in(const ModelRequest& request, const std::string& root);
// The same placeholders in any text.
std::string comparable(std::string text, const std::string& root);

// The same, but each secret in its texts and in the names of its members is replaced by stars: what
// looks like one, and the values of the environment's variables that hold keys.
nlohmann::json recording_without_secrets(const nlohmann::json& recording);

}  // namespace bodkin
