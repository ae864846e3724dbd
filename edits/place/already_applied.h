// Detects a hunk whose change is already in place. Then a neighbour that looks like the old text is
// not meant. But this needs proof, since a sibling may also contain the new text: the new text must
// be where the old one would have been. Proof is an anchor, a diff's heading, the exact line
// number, the end of the file, or the head of its section, on the outermost level, that is in the
// quote and once in the file. The lines above and below may be a sibling's too.
#pragma once

#include <vector>

#include "edits/place/match.h"

namespace bodkin {

enum class NewText {
  absent,
  there,            // the change is already in place: nothing to do
  possibly_present  // in place, but not provably at the right location, or only something similar
                    // is: the hunk is neither applied nor reported as applied
};

// `places`: of the old side. Exact places are accepted, unless the same addition is already there,
// or a line hint points to the new text and not to the old.
NewText find_new_text(const MappedText& file, const Hunk& hunk, const std::vector<Place>& places);

}  // namespace bodkin
