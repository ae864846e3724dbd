// The file of a block or fence, where it is usually written: on a separate line, or in the prose
// above.
//
//   "src/b.py"  "### `b.py`"  "**2. b.py**"  "[b.py](src/b.py)"  "b.py (lines 1-9)"  "git-x"
//   "In `b.py`:"  "Update b.py:"  "Now the change in bin/foo, which calls it:"
//   "In LICENSE:"  "Update app/[id]/page.tsx:"  "In `my file.py`:"  "修改b.py："
//
// The nearest line that names a file decides, if it is directly above the block or a heading. But a
// sentence there may only mention its file: a path that is alone or in a heading above it, with
// no other block between, comes first, and where the block fits both files, nothing is written. A
// line of prose further up that names a different file than that of the previous block makes it
// ambiguous, and so do two files on one line. Then the reply is refused: a block is never applied
// to the previous block's file when another file was named for it. A name that is spelled as a
// word or with blanks counts if there is such a file and the line shows that it is meant: by
// backticks, by capitals, or as the last word before the colon.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "edits/formats/reply_lines.h"

namespace bodkin {

using IsFile = std::function<bool(std::string_view path)>;  // ParseOptions::is_file

constexpr std::string_view kWideColon = "\xEF\xBC\x9A";  // of Chinese and Japanese

// A line in lower case, without what is in backticks, and with plain apostrophes; and the words in
// it.
std::string talk_of(std::string_view line);
std::vector<std::string> words_of_talk(std::string_view talk);

// True if files that people edit have such names, even if there is none yet.
bool has_known_extension(std::string_view path);

// The files that a line names, each once.
std::vector<std::string> files_named_in(std::string_view line, const IsFile& is_file);

// True for a line that is above a part of the reply, not a sentence in it.
bool is_heading(std::string_view line);

// The refusal of a block for which the line `line` names several files.
std::unexpected<Failure> several_files_error(size_t line, const std::vector<std::string>& names);

// The path for the block that begins at `line`; empty if none is named. `inherited`: that of the
// previous block. `begin` becomes the first line that belongs to the edit. Errors: "malformed: …".
FailureOr<std::string> path_for(const ReplyLines& reply, size_t line, std::string_view inherited,
                                const IsFile& is_file, size_t& begin);

}  // namespace bodkin
