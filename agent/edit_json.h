// Edits written as JSON, by tools or in a reply: decoded here, because edits/ knows no JSON.
//
//   replacement := {path, old_str, new_str, replace_all?}       also
//   old_string/oldString/old/old_text … insertion   := {path, insert_line, new_str} behind that
//   line; 0: before the first creation    := {path, command: "create", file_text} | {path, old_str:
//   "", new_str} writing     := {path, content}                              the whole file,
//   whether it exists or not several     := [edit*] | {path, edits: [edit*]} line edit   := {path?,
//   start_line, end_line, replacement}   lines from 1, inclusive; end_line =
//                                                               start_line - 1 inserts before it
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "edits/parse.h"

namespace bodkin {

// The arguments of one tool call, or one of the shapes above. `default_path` names the file where
// the JSON does not. Errors begin with "malformed: ".
Result<EditPlan> plan_of_json(const nlohmann::json& edits, const std::string& default_path);

// parse_edits for all formats: `str_replace` and `line_edits` are found in the text (in a fence,
// after prose) and decoded, everything else goes to edits/.
Result<EditPlan> parse_reply(std::string_view reply, const ParseOptions& options);

}  // namespace bodkin
