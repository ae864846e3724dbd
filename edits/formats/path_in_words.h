// The file of a block or a fence, where people write it: on a line of its own, or in the words
// above.
//
//   "src/b.py"  "### `b.py`"  "**2. b.py**"  "[b.py](src/b.py)"  "b.py (lines 1-9)"  "git-x"
//   "In `b.py`:"  "Update b.py:"  "Now the change in bin/foo, which calls it:"
//
// The nearest line that names a file decides, but only the line right above the block, or one that
// is a heading; a line of prose further up that names another file than the block before it has
// makes it open which is meant, and so do two files in one line. Then the reply is refused: a block
// never goes into the file of the block before it when another file was named for it. A name
// without an extension is a file's if there is one.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "edits/formats/reply.h"

namespace bodkin {

using IsFile = std::function<bool(std::string_view path)>;  // ParseOptions::is_file

// The files that a line names, each once.
std::vector<std::string> files_named_in(std::string_view line, const IsFile& is_file);

// The path for what begins at `line`, or empty: none is named. `inherited`: of the block before.
// `begin` becomes the first line that belongs to the edit. Errors: "malformed: …".
Result<std::string> path_for(const Reply& reply, size_t line, std::string_view inherited,
                             const IsFile& is_file, size_t& begin);

}  // namespace bodkin
