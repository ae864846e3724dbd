// The form of a recording: one ask with everything that decided it, as a file that `bodkin replay`
// plays again, without secrets:
//   {"version": 2, "name", "root", "ask": {"prompt", "profile", "dialect", "format", "mode",
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
#include "agent/sandbox/sandbox.h"
#include "agent/tools/tools.h"

namespace bodkin {

inline constexpr int kRecordingVersion = 2;
inline constexpr size_t kMaxRecording = 256 << 20;  // bytes

bool is_recording(const nlohmann::json& value);

nlohmann::json recorded(const Error& error);
nlohmann::json recorded(const SandboxOutcome& outcome);
nlohmann::json recorded(const CheckResult& check);
nlohmann::json recorded(const FileReport& report);
nlohmann::json recorded(const Verdict& verdict);
nlohmann::json recorded(const Decision& decision);
nlohmann::json recorded(const ModelFacts& facts);
nlohmann::json recorded(const Tool& tool);
nlohmann::json recorded(const ToolOutcome& outcome);
nlohmann::json recorded(const Conversation& conversation);

int64_t now_ns();  // since 1970

// And back. What is missing or wrong in a file from anywhere is left out.
Error error_in(const nlohmann::json& from);
SandboxOutcome sandbox_outcome_in(const nlohmann::json& from);
CheckResult check_in(const nlohmann::json& from);
FileReport report_in(const nlohmann::json& from);
Verdict verdict_in(const nlohmann::json& from);
Decision decision_in(const nlohmann::json& from);
Tool tool_in(const nlohmann::json& from);
ToolOutcome tool_outcome_in(const nlohmann::json& from);
Conversation conversation_in(const nlohmann::json& from);

template <class Value>
nlohmann::json recorded(const Result<Value>& result) {
  return result ? recorded(*result) : recorded(result.error());
}

// The new text that the model was told since its last reply, with a placeholder for the root and
// for secrets: it is the same in a recording and its replay.
std::string told_in(const ModelRequest& request, const std::string& root);
// The same placeholders in any text.
std::string comparable(std::string text, const std::string& root);

}  // namespace bodkin
