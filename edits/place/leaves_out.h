// Detects a new half that leaves out lines of its old half.
//
// An elision is never written: the model did not mean the file to contain "// rest unchanged", and
// the lines it stands for would be lost. A certain elision is always refused. A line that may be an
// ordinary comment is an elision if more lines are removed than added, and one that says nothing
// but that something stays, if its run loses code. So is a comment in any other words that is the
// last of what comes for several more lines of code. Lines that the file itself has, prose, a
// comment that takes the place of a comment, and Python's "..." are not elisions; in a diff, "..."
// is code below a head of Python, or where nothing is removed.
#pragma once

#include <string_view>
#include <vector>

#include "edits/plan/plan.h"
#include "edits/text/mapped_text.h"

namespace bodkin {

// What a file's name says about its text.
struct FileKind {
  bool prose = false, python = false, yaml = false;
  bool needs_tabs =
      false;  // tabs are significant, or are what the language's standard formatter writes
};
FileKind kind_of(std::string_view path);

// `above`: the file's line above the hunk. `file` may be null: it is created.
bool leaves_out(const Hunk& hunk, std::string_view above, const FileKind& kind,
                const MappedText* file);

// A comment, or several words without the characters of code. Of a trimmed line.
bool is_comment_or_prose(std::string_view line);

// `diff`: the line diff of a file and the text that replaces all of it. True if a remark, with
// almost nothing else, replaces many lines at the file's beginning or end without being one of
// them, changed. It was probably meant to represent them.
bool remark_replaces_edge(const std::vector<HunkLine>& diff);

}  // namespace bodkin
