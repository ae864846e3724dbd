// Is a hunk's change made already? Then a neighbour that looks like the old text is not what was
// meant. But that it is made is a claim, and a sibling may hold the new text, too: it is made only
// where the new text stands where the old one would have stood. What says so is an anchor, a diff's
// heading, the exact line number, the file's end, or the head of its section, on the outermost
// level, that the quote has and the file has once. Lines above and below are a sibling's, too.
#pragma once

#include <vector>

#include "edits/place/match.h"

namespace bodkin {

enum class NewText {
  absent,
  there,         // the change is made: nothing is to be done
  perhaps_there  // in a place that nothing shows to be the one, or much like it: neither applied
                 // nor called applied
};

// `places`: of the old side. Exact places are believed, unless the very same addition stands there,
// or a line hint points to the new text and not to the old.
NewText look_for_new_text(const MappedText& file, const Hunk& hunk,
                          const std::vector<Place>& places);

}  // namespace bodkin
