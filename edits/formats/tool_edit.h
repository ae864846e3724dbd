// An edit as the arguments of a tool call, in the spellings of the tools that models were trained
// on. Decoded from JSON by agent/edit_json, from tags by edits/parse_tags.
//
//   replacement := path old_str new_str [replace_all]    old_string, oldText, search, …
//   insertion   := path insert_line new_str              behind that line; 0: before the first
//   line edit   := path start_line end_line replacement  from 1, inclusive; end_line = start_line -
//   1
//                                                        inserts before start_line
//   creation    := path command=create file_text | path old_str="" new_str
//   writing     := path content                          the whole file, whether it exists or not
//   sketch      := path code_edit                        with elisions (edits/lazy/lazy.h)
//   removal     := path command=delete [content]         with contents only if they are the file's
//
// Only a call that says so ("write", "overwrite", "save", or nothing) takes the place of a file
// that exists: what creates, adds or inserts never does. A text under a name that is not known is
// not left out: without it the edit would be another one. A new_str that is not there is no empty
// one: the text would be lost.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "edits/plan/plan.h"
#include "edits/text/result.h"

namespace bodkin {

struct ToolArguments {
  std::string tool;  // its name, if the call has one: "create_file" says what to do
  std::map<std::string, std::string, std::less<>> values;
  bool whole_lines = false;  // all its texts are whole lines, each with its line end

  // The value of the first of `names` (separated by spaces) that is there.
  const std::string* find(std::string_view names) const;
};

// The file, cleaned; or empty.
std::string path_of(const ToolArguments& call);

// Beyond doubt an edit, also where it is only found in a reply: it has all the arguments of one of
// the forms above. (A path and a content alone could be anything: every argument must be known.)
bool is_edit(const ToolArguments& call);

// Adds the edit to the plan; `path` is for a call that has none. Errors: "malformed: …", which call
// the edit `name` ("edit 2", "the call at line 14 of the edit").
Result<void> add_tool_edit(const ToolArguments& call, const std::string& path,
                           const std::string& name, size_t source_line, EditPlan& plan);

}  // namespace bodkin
