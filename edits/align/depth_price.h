// Prices a quote whose depth differs from that of the file's lines.
#pragma once

#include "edits/align/align.h"

namespace bodkin {

// True if the line does no more than end a block: "}", "end". Without blanks at its ends.
bool only_ends_block(std::string_view bare);

// One price for a quote at another depth, one for a scaled quote, and one for each line that does
// not follow the rest. Lines that are shifted against each other are a different text.
void charge_depth(const MappedText& file, Alignment& alignment);

}  // namespace bodkin
