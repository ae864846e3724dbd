// Files that no other file can take the place of: write_files writes over their text.
#pragma once

#include <string>
#include <string_view>

#include "lsp/workspace/confined_folder.h"

namespace bodkin {

// Whether another file can take its place, with its owner: not of a file of someone else, in a
// folder that is not writable, or that is itself a mount. Of what cannot be looked at: yes.
bool can_be_replaced(const ConfinedFolder& folder, const std::string& path);

// Whether the text is what is there while `after` is written over `before`.
bool is_half_written(std::string_view text, std::string_view before, std::string_view after);

}  // namespace bodkin
