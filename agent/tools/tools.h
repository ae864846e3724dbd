// The tools that a model can call. The descriptions for the model and the JSON Schemas are in
// tools/<name>.md.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/models/model.h"
#include "agent/placing/placing.h"

namespace bodkin {

struct CommandFiles;

// The state that one ask's tools work on. All of it outlives the tools.
struct ToolBench : EditContext {
  Workspace& shown;                       // the draft as the model sees it
  Editor* editor;                         // may be null
  Conversation& conversation;             // `seen`
  const Shell* shell = nullptr;           // null: no commands run
  CommandFiles* command_files = nullptr;  // left for later commands; null: nothing is kept
  bool drops_changes = false;             // what a command changes is dropped, all of it
  // Whether a file must have been read before it is edited. The dialect of the call decides.
  bool reads_first = true;
  std::vector<ChangedFile> taken = {};  // by each edit of this ask, for undo_edit
  // The lines of files that the model has read in part in this ask. Other files that it has seen,
  // it has seen whole.
  std::map<std::string, std::vector<LineRange>> read_lines = {};
  // Asks the model that finishes sketches (agent/loop/requests.h); empty if there is none.
  std::function<Result<std::string>(const std::vector<Message>&, const Task&)> ask_second = {};
  // Returns the language servers' report on the draft, if they are quick; nullopt: it is not known
  // yet. Empty: nobody checks it.
  std::function<std::optional<CheckResult>(const Task&)> check_soon = {};
  // Returns a language server's report on a file without the draft; empty as above. Error: why it
  // is not known, the end of a sentence.
  std::function<Result<FileReport>(const std::string& path, const Task&)> report_of = {};
  std::string way_to_trust = {};  // Limits::way_to_trust
};

// The outcome of a call. Always text: a failed call is a result, not an Error.
struct ToolOutcome {
  std::string content;
  bool is_error = false;
  bool edited = false;    // the draft has changed
  std::string reason;     // of an error, for the user; empty: the first line of the content, which
                          // is then for both
  bool ends = false;      // the model has finished
  std::string says = {};  // the rest of its answer, then
  std::vector<Unplaced> unplaced = {};  // of an error: the edits that could not be placed
  std::vector<ImageBlock> images = {};  // part of the result, for a model that takes them
  bool unreadable = false;              // of an error: the arguments or the patch cannot be parsed
  bool denied = false;                  // of an error: it was not permitted
  std::optional<Step::Command> command = {};  // for the user
};

// Why it failed, for the user.
std::string reason_of(const ToolOutcome& outcome);

struct Tool {
  ToolSpec spec;
  bool edits = false;        // a failure of it is a failed edit
  bool asks_itself = false;  // for the permission that it needs
  std::function<std::string(const nlohmann::json& arguments)> title;  // one line for the user
  std::function<ToolOutcome(const nlohmann::json& arguments, const Task&)> run;
  bool checks_arguments = false;  // itself: its schema may be any
};

// The named tools, in that order; a name without a row in tools.cpp is skipped, and so is a tool
// that cannot work here. load_profile only checks that each has its description.
std::vector<Tool> make_tools(std::span<const std::string> names, ToolBench& bench);

// The names of all rows.
std::vector<std::string> tool_names();
// Whether the tool of this name edits files.
bool is_editing_tool(std::string_view name);

// The spec of tools/<name>.md. Error: not_found, invalid_input.
Result<ToolSpec> load_tool_spec(std::string_view name);

// Reports what is wrong with a call's arguments; nullopt if they fit the schema. An unknown
// argument is wrong. Null counts as not given; numbers, booleans and lists that are given as
// strings are converted.
std::optional<Error> coerce_arguments(const ToolSpec& spec, nlohmann::json& arguments);

// "The arguments are path, old_str.", of a schema.
std::string known_arguments(const nlohmann::json& schema);

}  // namespace bodkin
