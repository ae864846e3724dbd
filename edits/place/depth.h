// Depth: how deep to indent new lines whose own indentation says nothing.
//
// A reply may have lost all indentation. Then the old half is flat where the file is not, or the
// new half has a line that opens a block with nothing indented below it. The file has the depth of
// the old lines: a new line that replaces one gets its depth. One that replaces none gets its
// neighbours' depth, if they agree, or one level more below a line that opens a block. Otherwise
// the depth is unknown, and in some languages it determines what the line does: nothing is written.
#pragma once

#include "edits/place/match.h"

namespace bodkin {

// The place with the hunk's new lines indented for it (`Place::indented`), or with a doubt;
// unchanged if the new half has its own indentation.
Place with_depths(const MappedText& file, const Hunk& hunk, Place place);

}  // namespace bodkin
