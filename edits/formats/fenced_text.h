// What a fence holds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "edits/formats/reply_lines.h"

namespace bodkin {

// The line that closes the fence which opens at `open`; fences with an info string nest. Nullopt:
// it is not closed, or holds a line that is taken.
std::optional<size_t> closing_fence(const ReplyLines& reply, size_t open);

// The lines between. A fence in a list is indented, and its contents by as much more, which goes.
std::vector<std::string> lines_in_fence(const ReplyLines& reply, size_t open, size_t close);

}  // namespace bodkin
