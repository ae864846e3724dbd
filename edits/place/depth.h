// Depth: how deep new lines stand whose own indentation says nothing.
//
// A reply may have lost all indentation. Then the old half is flat where the file is not, or the
// new half has a line that opens a block and nothing deeper below it. The file knows how deep the
// old lines stand: a new line that takes the place of one is as deep as that one. One that takes no
// line's place is as deep as its neighbours, if these agree, or one level deeper below a line that
// opens a block. Otherwise its depth is open, and in some languages that is what it does: nothing
// is written.
#pragma once

#include "edits/place/match.h"

namespace bodkin {

// The place with the hunk's new lines indented for it (`Place::indented`), or with a doubt; as it
// was where the new half's indentation is its own.
Place with_depths(const MappedText& file, const Hunk& hunk, Place place);

}  // namespace bodkin
