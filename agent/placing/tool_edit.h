// An edit as the arguments of a tool call, in the spellings of the tools models are trained on.
// Decoded from JSON and from calls in a model's own marks by agent/placing/edit_json.
//
// clang-format off
//
//   replacement := path old_str new_str [replace_all]    old_string, oldText, search, …; or, of all
//                                                        places, [expected_replacements] = their number
//   insertion   := path insert_line new_str              after that line; 0: before the first
//                | insert_content: path line content     Roo's: before that line; 0: at the end
//   line edit   := path start_line end_line replacement  from 1, inclusive; to insert before
//                                                        start_line, end_line is one less
//   creation    := path command=create file_text | path old_str="" new_str
//   writing     := path content                          the whole file, whether it exists or not
//   sketch      := path code_edit                        with elisions (edits/lazy/lazy.h)
//   removal     := path command=delete [content]         contents, if given, must equal the file's
//
// clang-format on
//
// Only an explicit call ("write", "overwrite", "save", or no name) replaces an existing file:
// creating, adding or inserting never does. Text under an unknown parameter name is an error, since
// ignoring it would change the edit's meaning. A missing new_str is not treated as empty, since
// that would delete text. A line end at an edge of old_str alone only ends its line: new_str gets
// it, too, unless it is empty.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "edits/plan/failure.h"
#include "edits/plan/plan.h"

namespace bodkin {

struct ToolArguments {
  std::string tool;  // its name, if the call has one: "create_file" says what to do
  std::map<std::string, std::string, std::less<>> values;
  bool whole_lines = false;  // all its texts are whole lines, each with its line ending

  // The value of the first of `names` (separated by spaces) that is present.
  const std::string* find(std::string_view names) const;
};

std::vector<std::string> argument_names();     // all that are known
bool is_text_argument(std::string_view name);  // a part of a file

// The file, cleaned; or empty.
std::string path_of(const ToolArguments& call);
// The file that the call means where it is given for `path` (which may be empty): that path as it
// is, since "(a).c" may be its name, unless the call has another one.
std::string path_of(const ToolArguments& call, const std::string& path);

// Certainly an edit, even if merely found in a reply: it has all arguments of one of the forms
// above. (Path and content alone could be anything: every argument must be known.)
bool is_edit(const ToolArguments& call);

// Adds the edit to the plan; `path` is for a call without one. Errors: `malformed`, in which the
// edit is called `name` ("edit 2", "the call at line 14 of the edit").
FailureOr<void> add_tool_edit(const ToolArguments& call, const std::string& path,
                              const std::string& name, size_t source_line, EditPlan& plan);

}  // namespace bodkin
