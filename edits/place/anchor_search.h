// Which lines of a file an anchor ("@@ def load") names.
//
// A line of code, whole or on word boundaries: "def load" is neither "def load_all" nor a word of a
// comment, and in data it must be the whole name of a section.
#pragma once

#include <string_view>
#include <vector>

#include "edits/text/mapped_text.h"

namespace bodkin {

// The lines in the range that the anchor names, by the strictest comparison that any of them
// passes: the same line, the same head of a block, a part of a head, the beginning of a line.
std::vector<size_t> lines_of_anchor(const MappedText& file, std::string_view anchor,
                                    const LineRange& range);

}  // namespace bodkin
