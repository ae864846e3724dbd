// What an elision of a level stands for, once its runs are placed, and where that is doubtful.
#pragma once

#include <string_view>
#include <vector>

#include "edits/lazy/lazy_runs.h"

namespace bodkin {

// The items of the file that an elision stands for.
LineRange elided_items(size_t elision, const std::vector<LazyItem>& file,
                       const std::vector<ItemPair>& pairs);

// Does an elision that is the body of a block keep what is not in the block, or one that is behind
// a block its last lines?
bool is_outside(size_t elision, LineRange gap, const std::vector<LazyItem>& sketch,
                const std::vector<LazyItem>& file);

// Is the elision a line of the file, which may be quoted to say that others go?
bool is_quoted(const LazyItem& elision, LineRange gap, const std::vector<LazyItem>& file);

// Which pairs only add or drop blank lines where nothing else changes: that is how a sketch is laid
// out. One without any blank line has lost those next to a change, too.
std::vector<char> only_layout(const std::vector<LazyItem>& sketch, const std::vector<LazyItem>& file,
                              const std::vector<ItemPair>& pairs);

bool opens_block(std::string_view line);  // its last sign is a bracket or a colon

}  // namespace bodkin
