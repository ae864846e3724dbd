// Lists of files in a reply: the last item of one is above what follows, but not named for it.
#pragma once

#include "edits/formats/path_in_words.h"

namespace bodkin {

// The file that an item above names in the list whose item `line` names `name`: "- a.py", a tree, a
// line of `git status`; or "". Then neither of them is named for what follows.
std::string item_above(const ReplyLines& reply, size_t line, std::string_view name,
                       const IsFile& is_file);

}  // namespace bodkin
