// EditPlan: what a model's edit text says, whatever its format was. Every parser makes one of
// these; nothing here knows a file's contents yet.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
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

struct Hunk {
  std::vector<HunkLine> lines;  // SEARCH/REPLACE: the line diff of its two halves
  bool all_places = false;      // replaceAll: every exact match, else one
  size_t places = 0;            // … which must be this many; 0: any number
  // A string replacement: may begin and end inside a line; its halves are the lines joined by \n.
  bool within_lines = false;
  // … and the new one lacked the line end that the old one begins with: it is kept where it ends a
  // line with text, and goes where it is a blank line.
  bool line_end_added = false;
  std::vector<std::string> anchors;  // "@@ class Foo", outermost first
  std::optional<size_t> line_hint;   // from 0; evidence only among equals
  std::string
      heading;  // the text after a diff's line numbers: a line above the hunk, usually its function
  std::optional<LineRange> at_lines;  // of line edits: exactly these lines (empty: insert before)
  bool computed = false;              // its numbers are no model's, but ours
  // What the text says about the new file's last line end ("\\ No newline at end of file").
  std::optional<bool> final_newline;
  bool at_end_of_file = false;
  bool literal = false;  // of a diff: at an exact place its added lines are written as they are
  bool shares_context =
      false;               // of a diff or patch: a context line is written once, for both halves
  size_t source_line = 0;  // in the edit text, from 1, for messages
  // Other readings of the same edit text (a line of '=' may be a divider or content). The engine
  // takes the only reading that exists in the file; if several do, the hunk is ambiguous.
  std::vector<Hunk> alternatives;
};

struct FileChange {
  // A lazy change's contents are a sketch that elides what stays (edits/lazy/lazy.h merges it).
  enum class Kind { create, update, remove, overwrite, lazy };
  Kind kind = Kind::update;
  std::string path;  // as the model wrote it, without quotes and markers
  std::optional<std::string> rename_to;
  std::vector<Hunk> hunks;  // for an update; for a removal: the contents it claims the file has
  // Of a removal: it is a diff, whose hunks must show all of the file; else it is a command.
  bool is_quoted = false;
  std::string contents;  // of a create, overwrite or lazy
  // Of an overwrite by an empty SEARCH half. In the dash family it replaces the whole file; in the
  // other one the text decides: it has the file's lines, or is added at the file's end.
  bool has_empty_search = false, text_decides = false;
  // Of an overwrite: the edit deletes the file and adds it again.
  bool is_removed_first = false;
  // The first line of the contents is a comment that names the file: it is no line of it, unless
  // the file begins with this very line.
  bool begins_with_path = false;
  size_t source_line = 0;  // in the edit text, from 1
  // Not empty: only a fence below a path says that these lines (of the edit text, from 0) are the
  // file. They may be a part of it that the model shows.
  LineRange shown;
  // … and the path is all of the line right above the fence, as where whole files are asked for.
  bool has_bare_path = false;
};

// A fence of which no edit was made (edits/formats/plain_fences.h).
struct PlainFence {
  std::string contents;
  std::string path;            // of the file that it is, if the reply says so; or empty
  size_t source_line = 0;      // in the edit text, from 1
  size_t line_count = 0;       // of the contents
  bool is_for_reader = false;  // commands or output, if the named file has no such lines
};

struct EditPlan {
  std::vector<FileChange> changes;
  std::vector<PlainFence> plain_fences;
  // For a chat reply without changes: text that may be meant as an edit but cannot be parsed.
  std::optional<Failure> doubt;
};

// Sorts the changes by their lines in the edit text and merges all updates of the same file.
void merge_and_sort_changes(EditPlan& plan);

}  // namespace bodkin
