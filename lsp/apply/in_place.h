// Files that cannot be replaced by another file: write_files writes over their text.
#pragma once

#include <string>
#include <string_view>

#include "lsp/workspace/confined_folder.h"

namespace bodkin {

// Whether another file can replace it, with its owner: not if it belongs to someone else, its
// folder is not writable, or it is itself a mount. If it cannot be looked at: yes.
bool can_be_replaced(const ConfinedFolder& folder, const std::string& path);

// Whether the text is a stage of writing `after` over `before`.
bool is_half_written(std::string_view text, std::string_view before, std::string_view after);

}  // namespace bodkin
