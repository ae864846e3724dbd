// The tools' functions, by file, and shared helpers. Only for tools*.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agent/tools/tools.h"

namespace bodkin {

using ToolFunction = ToolOutcome(ToolBench& bench, const nlohmann::json& arguments,
                                 const Task& task);
ToolFunction read_file, list_dir, find_file, glob;                   // tools_read.cpp
ToolFunction grep_search;                                            // tools_search.cpp
ToolFunction outline_of, read_symbol;                                // tools_symbols.cpp
ToolFunction diagnostics;                                            // tools_diagnostics.cpp
ToolFunction edit, apply_patch, write_file, delete_file;             // tools_edit.cpp
ToolFunction multi_edit, insert_lines, replace_lines, remove_lines;  // tools_lines.cpp
ToolFunction edit_file;                                              // tools_sketch.cpp
ToolFunction undo_edit, diff;                                        // tools_changes.cpp
ToolFunction run_command;                                            // tools_command.cpp
bool can_run_commands(const ToolBench& bench);

// tools_edit.cpp, for all that edit.
constexpr size_t kMaxEditBytes = 1'000'000;  // of one call
// Applies all of the plan to the draft, or none of it with every reason. The user's selection
// decides nothing unless the options name it: a tool's text "must occur exactly once".
ToolOutcome take_edits(ToolBench& bench, const EditPlan& plan, const Task& task,
                       const ApplyOptions& options = {});
// Creates, overwrites or removes the file, by the kind.
ToolOutcome take_whole(ToolBench& bench, FileChange::Kind kind, const std::string& path,
                       std::string contents, const Task& task);
// Takes files whose texts are the real ones, after asking for permission.
ToolOutcome take_files(ToolBench& bench, const std::vector<ChangedFile>& files, const Task& task);
// Returns the language servers' report on the draft as it is now, for the model; empty: nobody has
// checked it.
std::string check_words(ToolBench& bench, const Task& task);
// The path of a file that may be edited, from the argument `path`.
Result<std::string> path_to_edit(ToolBench& bench, const nlohmann::json& arguments,
                                 const Task& task);
// Why the text may not be edited yet: it has not been read, or has changed since. Empty: it may.
std::optional<Error> not_as_seen(const ToolBench& bench, const std::string& path, const Text& now);

// tools_lines.cpp, for edits of an existing file.
struct FileToEdit {
  std::string path;
  Text text;  // as the model sees it
};
// The existing file of the argument `path`, which must have been read; else the failed call.
std::expected<FileToEdit, ToolOutcome> file_to_edit(ToolBench& bench,
                                                    const nlohmann::json& arguments,
                                                    const Task& task);
// Why lines start..end (from 1, inclusive) are not in the file; empty: they are.
std::string outside(const FileToEdit& file, int64_t start, int64_t end);
// Takes an edit in the form of agent/placing/edit_json.h, with its path.
ToolOutcome take_json(ToolBench& bench, const nlohmann::json& edit, const Task& task);
// The failed call that was to create it.
ToolOutcome already_exists(const std::string& path);

// A failed call. Its reason, for the user, is the first line of the message; the model is also told
// the advice. Sentences.
ToolOutcome failed(std::string message, const std::string& advice = {});
ToolOutcome failed(const Error& error);
ToolOutcome failed(const Failure& failure);
// … whose edits could not be placed.
ToolOutcome failed(const ApplyReport& report);
// … because the file is not there, is not read, has changed, or is not what the edit says it is:
// the file's lines would help.
ToolOutcome misplaced(ToolOutcome failed, const std::string& path,
                      FailureKind kind = FailureKind::not_found);

// A string argument; empty if it was not given.
std::string string_of(const nlohmann::json& arguments, const char* name);

// Models write absolute paths, "./a" and "a/../b": normalizes them, or refuses what leads outside.
Result<std::string> path_in_workspace(std::string_view raw, const Roots& roots);

// The folder that a command or a patch names: the same, but "/" is not the workspace.
Result<std::string> folder_in_workspace(std::string_view raw, const Roots& roots);

// Why a file cannot be read, with files of the same name: "a.cpp does not exist." "Similar paths:
// src/a.cpp."
Error missing(const std::string& path, const Error& error, Draft& draft, const Task& task);

// Notes that the model has read these lines of a file, and how many lines it has.
void note_read(ToolBench& bench, const std::string& path, const Text& text, LineRange lines,
               size_t count);

// Lines [begin, end) with their numbers, at most 2,000 and 100 kB of them. `shown` is the line
// after the last one; begin, if that line alone is too long.
struct NumberedLines {
  std::string text;
  size_t shown = 0;
};
NumberedLines numbered(const Text& text, size_t begin, size_t end);

}  // namespace bodkin
