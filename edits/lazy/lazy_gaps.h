// What the elisions of a level stand for, once its runs are placed, and where that is doubtful.
#pragma once

#include <string_view>
#include <vector>

#include "edits/lazy/lazy_runs.h"

namespace bodkin {

// The items of the file that an elision stands for.
LineRange elided_items(size_t elision, const std::vector<LazyItem>& file,
                       const std::vector<ItemPair>& pairs);

// True if an elision that forms the body of a block keeps lines outside the block, or one after a
// block keeps the block's last lines.
bool is_outside(size_t elision, LineRange gap, const std::vector<LazyItem>& sketch,
                const std::vector<LazyItem>& file);

// True if the elision line itself is in the file, and possibly quoted so as to delete others.
bool is_quoted(const LazyItem& elision, LineRange gap, const std::vector<LazyItem>& file);

// Pairs that only add or drop blank lines where nothing else changes: this is the sketch's layout.
// A sketch without any blank line has also lost those next to a change.
std::vector<char> only_layout(const std::vector<LazyItem>& sketch,
                              const std::vector<LazyItem>& file,
                              const std::vector<ItemPair>& pairs);

bool opens_block(std::string_view line);  // its last character is a bracket or a colon

}  // namespace bodkin
