// EditPlan: what a model's edit text says, in any format. Every parser makes one; nothing here
// knows a file's contents yet.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "edits/plan/failure.h"
#include "edits/text/text.h"

namespace bodkin {

struct HunkLine {
  enum class Kind { context, removed, added };
  Kind kind = Kind::context;
  std::string text;  // no line ending
  friend bool operator==(const HunkLine&, const HunkLine&) = default;
};

// What a hunk says about its place besides its lines, in any format (edits/align/weigh.h).
struct Evidence {
  std::vector<std::string> anchors;  // "@@ class Foo", outermost first
  std::optional<size_t> line;        // from 0
  std::string heading;  // behind a diff's line numbers: a line above, usually the function's
  bool at_end_of_file = false;
};

struct Hunk;

// Two halves, of which `lines` is the line diff; a line of both may be indented differently in
// each.
struct SearchReplace {
  // Other readings of the same text (a line of '=' may be a divider or content). The engine takes
  // the only reading that exists in the file; if several do, the hunk is ambiguous.
  std::vector<Hunk> alternatives;
};

// Two strings, which may begin and end inside a line: the halves' lines, joined by \n.
struct StringReplacement {
  // The new one lacked the line end that the old one begins with: it is kept if it ends a line with
  // text, and goes if it is a blank line.
  bool line_end_added = false;
};

// A context line is written once, for both halves; so it is in a patch.
struct DiffHunk {
  // What it says about the new file's last line end ("\\ No newline at end of file").
  std::optional<bool> final_newline;
};
struct PatchHunk {};

// Replaces exactly these lines, of which nothing is quoted (empty: inserts before).
struct NumberedEdit {
  LineRange lines;
  bool is_computed = false;  // the numbers are no model's, but ours
};

struct Hunk {
  std::vector<HunkLine> lines;
  size_t source_line = 0;  // in the edit text, from 1, for messages
  size_t places = 1;       // at how many exact places it is meant; 0: at all there are
  Evidence evidence;
  std::variant<SearchReplace, StringReplacement, DiffHunk, PatchHunk, NumberedEdit> format;

  template <class Format>
  const Format* as() const {
    return std::get_if<Format>(&format);
  }
  bool shares_context() const { return as<DiffHunk>() || as<PatchHunk>(); }
};

// Why a text counts as a file, where that leaves a question (edits/apply/whole_file.h).
//
// An empty SEARCH half. In the dash family it replaces the whole file; in the other one the text
// decides: it has the file's lines, or is added at the file's end.
struct EmptySearch {
  bool text_decides = false;
};
// A fence below a path.
struct FileFence {
  // In the edit text, from 0; empty if whole files were asked for. Otherwise only the path says
  // that they are the file, and the model may show only a part of it.
  LineRange lines;
  bool has_bare_path = false;  // all of the line right above it, as where whole files are asked for
  bool names_existing = false;  // in words above it that were read so because there is such a file
  // The first line is a comment that names the file. It is not part of it, unless the file begins
  // with this very line.
  bool begins_with_path = false;
};
// The edit deletes the file and adds it again.
struct Readded {};

struct FileChange {
  // A lazy change's contents are a sketch that elides what stays (edits/lazy/lazy.h merges it).
  enum class Kind { create, update, remove, overwrite, lazy };
  Kind kind = Kind::update;
  std::string path;  // as the model wrote it, without quotes and markers
  std::optional<std::string> rename_to;
  // For an update; for a removal: the contents that it claims the file has. A removal without them
  // is a command, which need not show the file.
  std::vector<Hunk> hunks;
  std::string contents;  // of a create, overwrite or lazy
  std::variant<std::monostate, EmptySearch, FileFence, Readded> said_by;
  size_t source_line = 0;  // in the edit text, from 1

  template <class Way>
  const Way* as() const {
    return std::get_if<Way>(&said_by);
  }
  // The lines of a fence that may show only a part of the file; empty if it is not one.
  LineRange shown() const { return as<FileFence>() ? as<FileFence>()->lines : LineRange{}; }
  bool is_shown() const { return shown().begin < shown().end; }
};

// A fence of which no edit was made (edits/formats/plain_fences.h).
struct PlainFence {
  std::string contents;
  std::string path;            // of the file that it is, if the reply says so; or empty
  size_t source_line = 0;      // in the edit text, from 1
  size_t line_count = 0;       // of the contents
  bool is_for_reader = false;  // commands or output, if the named file has no such lines
  bool is_doubtful = false;    // the words that name the file may say that it is otherwise
};

struct EditPlan {
  std::vector<FileChange> changes;
  std::vector<PlainFence> plain_fences;
  // Some edits are told as to a person (edits/formats/parse_find_replace.h).
  bool tells_a_person = false;
  // For a chat reply without changes: text that may be meant as an edit but cannot be parsed.
  std::optional<Failure> doubt;
};

// Sorts the changes by their lines in the edit text and merges all updates of the same file.
void merge_and_sort_changes(EditPlan& plan);

}  // namespace bodkin
