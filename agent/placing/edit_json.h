// Edits written as JSON or tool calls, by tools or in a reply: read here, as edits/ knows no JSON.
//
//   edit    := the arguments of agent/placing/tool_edit.h as an object
//   several := [edit*] | {path, edits: [edit*]}
//   call    := {name, arguments: edit} | {type: "tool_use", name, input: edit}
//            | {function: {name, arguments: "edit as a string"}} | {tool_calls: [call*]}
//   patch   := {patch | diff | input: text in another format} | {command: ["apply_patch", text]}
//
// In a reply they begin a line outside of code: in prose, or alone in a fence; or they are the
// arguments of a call in any form (agent/replies/calls.h). What arguments.h repairs is accepted.
// JSON that is not clearly an edit is left alone, unless the format was named; unclosed JSON is a
// truncated edit. Thoughts (agent/replies/thoughts.h) hold no edits.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "edits/formats/parse.h"

namespace bodkin {

// The arguments of one tool call, or one of the shapes above. `default_path`: the file, if the JSON
// names none. Errors: `malformed`.
FailureOr<EditPlan> plan_of_json(const nlohmann::json& edits, const std::string& default_path);

// parse_edits and prose_of with JSON among the formats.
FailureOr<EditPlan> parse_reply(std::string_view reply, const ParseOptions& options);
std::string prose_of_reply(std::string_view reply, const ParseOptions& options = {},
                           std::span<const LineRange> shown = {});

}  // namespace bodkin
