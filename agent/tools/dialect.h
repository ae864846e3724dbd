// A dialect: the tools of another system, which a model may be trained on, mapped onto ours. Data:
// tools/dialects/NAME.json, and NAME.md, which takes the place of the profile's part `tools`.
//
// clang-format off
//
//   {"reads_first": true,            edits need the file's text to have been read (default: true)
//    "replaces": ["edit"],           our tools that are not offered, besides those mapped to
//    "tags": ["chat"],               tags of the reply's text that are not shown
//    "tools": [tool]}
//
//   tool  := {"name", "description", "parameters",      for the model; parameters: a JSON Schema
//             "grammar": "…",        of its only argument `input`, where the API has free-form tools
//             "reason": "explanation",   the argument that tells the user why; need not be offered
//             "says": "message",     the argument that is a part of the answer; likewise
//             "like": "shell",           what is not said here is as in that tool, which is above
//             "offered": false,      honoured, but not in the list that the model sees
//             "hidden": [argument],  likewise
//             "renamed": {"filePath": "file_path"},   other spellings, of the items of lists, too
//             "ignored": [argument], arguments of the original that change nothing here
//             "notes": {argument: "…"},   the same, but where it is true, the result says this
//             "needs": "run_command",    not offered without this tool of ours
//             "observation": true,       the result has the form of a command's
//             "cases": [case]}
//   case  := {"when": {argument: value}, "tool": our tool, "arguments": {argument: value}}
//            with "unneeded": [argument]   arguments that mean nothing in this case
//          | {"when": …, "answer": "Done."}     no tool of ours is called; this is the result
//            with "ends": true                  the ask ends; the reply's text is the answer
//   value := "$name" | "$name?"      the argument; with '?' it may be missing
//          | {"of": "$name", …}      with one or more of:
//              "item": 0             an item of a list
//              "not_given": -1       this value counts as missing
//              "plus": 1             added to a number
//              "times": 1000         likewise
//              "not": true           the opposite of a boolean
//              "or": "$other?"       another argument, if it is missing
//              "map": {value: …}     what it is called here; a value that is not in it stays
//              "default": value      if it is missing
//              "each": {argument: value}   for each item of a list of objects
//              "as": "line"          a shell command, also as a list of words, as one line; none
//                                    that calls apply_patch among other commands
//                    "patch"         what such a command passes to apply_patch; missing if it is
//                                    a different command
//                    "folder"        the folder in which it does so
//              "in": "$name?"        the folder that such a command itself runs in
//          | anything else           itself
//
// clang-format on
//
// The first case that fits is the call's meaning: `when` holds, everything it needs is given, and
// everything given has a use or is unneeded. Nothing else is ignored.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "agent/models/model.h"

namespace bodkin {

struct ForeignCase {
  nlohmann::json when, arguments;  // objects
  std::string tool;                // ours; empty: `answer`
  std::string answer;
  std::vector<std::string> unneeded;
  bool ends = false;  // the ask; the reply's text is the answer
};

struct ForeignTool {
  ToolSpec spec;
  std::string reason, says, needs;
  bool observation = false, is_offered = true;
  std::map<std::string, std::string> renamed, notes;
  std::vector<std::string> ignored, hidden;
  std::vector<ForeignCase> cases;
};

struct ToolDialect {
  std::string name;
  std::string guide;  // how to work, with an example, in its own names
  bool reads_first = true;
  std::vector<std::string> replaces, tags;
  std::vector<ForeignTool> tools;

  const ForeignTool* find(std::string_view tool) const;  // null: none
  bool uses(std::string_view own) const;                 // one of its tools does this one of ours
};

// All that are compiled in. Throws if one cannot be read; a test reads them.
const std::vector<ToolDialect>& dialects();
const ToolDialect* find_dialect(std::string_view name);  // null: none

// The tool as the model sees it.
ToolSpec offered_spec(const ForeignTool& tool);

// Whether a call whose arguments, as JSON or what should be, are this text may have been this case.
bool may_mean(const ForeignCase& one, std::string_view arguments);

// A call, in our terms.
struct OwnCall {
  const ForeignCase* meaning = nullptr;
  nlohmann::json arguments;  // of meaning->tool
  std::string reason;        // for the user; may be empty
  std::string says;          // part of the answer; may be empty
  std::string notes;         // for the model, about what was ignored; whole lines
};
// Error: invalid_input, for the model: what is wrong, with the known arguments.
Result<OwnCall> translate(const ForeignTool& tool, nlohmann::json arguments);

}  // namespace bodkin
