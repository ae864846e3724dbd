// EditPlace: where an edit of a file of the workspace lands. The editor applies the server's edits
// and follows links, so what `bodkin apply` refuses (confined_folder.h) is refused here before an
// edit is sent. Any thread.
#pragma once

#include <string>

#include "edits/text/result.h"

namespace bodkin::lsp {

struct EditPlace {
  std::string resolved;     // below the folder, every link followed
  bool executable = false;  // for anybody
};

// `folder`: absolute. `in_place`: only the text of a file changes; else it is created, removed or
// renamed, which is not allowed for a link. Errors, with a sentence: invalid_input (it leaves the
// folder, is in a folder of git, is below a file, is not a regular file), not_found (no such
// folder), unavailable.
Result<EditPlace> edit_place(const std::string& folder, const std::string& inside, bool in_place);

}  // namespace bodkin::lsp
