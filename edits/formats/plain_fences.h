// Decides which fences without marks of their own are edits: one rule, whoever reads the reply.
//
// In a reply with other edits, such a fence only shows something: a command, a sample of use,
// output, a tree. It is listed as not applied (`ApplyReport::shown`), and costs nothing. In a reply
// without, a fence below a path is that file, unless it shows commands or quotes a part of the file
// as it is (`apply`). For any other fence, a conversation asks the model (agent/placing). Next to
// edits, only a fence that the reply says is a file may be an edit that was missed:
//
//   src/a.py            "### `src/a.py`"        the path alone, on the line above
//   ```python src/a.py                          … or in the fence's info
//   # src/a.py                                  … or as a comment in its first line
//   "And in `src/a.py`:"                        a heading that names one existing file
//
// `apply` refuses the reply if no other edit changes that file and the fence does not quote it.
#pragma once

#include "edits/formats/path_in_words.h"
#include "edits/formats/reply_lines.h"

namespace bodkin {

// The path that is alone on the line above the fence; empty: there is none, it is only the last of
// a list, or the heading above it says that it is the file as it was. `begin` as below.
std::string path_above_fence(const ReplyLines& reply, size_t open, const IsFile& is_file,
                             size_t& begin);

// The path in a line that is a comment and says nothing else ("# src/a.py"); or empty.
std::string path_in_comment(std::string_view line);

// The file that the line above a fence says is new: "Create `src/a.py`:", "Now create a new file
// called `a.py` with this content:", "Save this as `a.py`:". Empty: it says more, there is such a
// file, or the fence holds commands. `open`: the fence's line; `begin` becomes that of the line
// above.
std::string new_path_above(const ReplyLines& reply, size_t open, const IsFile& is_file,
                           size_t& begin);

// True if the fence that opens there has commands or their output, and no file of this path does.
bool shows_commands(const ReplyLines& reply, size_t open, std::string_view path);

// Adds the fences without any taken line to the plan.
void find_plain_fences(const ReplyLines& reply, const ParseOptions& options, EditPlan& plan);

// True if an edit of the plan has marks of its own: it is not just a fence below a path.
bool has_marked_edits(const EditPlan& plan);

// Next to such edits, the fences below a path are not files, except one that the line above it says
// is new (new_path_above()): takes them out of the plan.
void give_back_unmarked_files(ReplyLines& reply, const ParseOptions& options, EditPlan& plan);

// In a reply without marked edits, the code below words that name an existing file may be that
// file, or a part of it: if all of the reply's code is, each of another file. Beside whole files
// there may be other code.
void take_named_files(const ParseOptions& options, EditPlan& plan);

}  // namespace bodkin
