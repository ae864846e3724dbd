// Is a hunk's change made already? Then a neighbour that looks like the old text is not what was
// meant.
#pragma once

#include <vector>

#include "edits/match.h"

namespace bodkin {

enum class NewText {
  absent,
  there,         // the change is made: nothing is to be done
  perhaps_there  // lines much like it: the hunk is neither applied nor called applied
};

// `places`: of the old side. Exact places are believed, unless the very same addition stands there,
// or a line hint points to the new text and not to the old.
NewText look_for_new_text(const MappedText& file, const Hunk& hunk,
                          const std::vector<Place>& places);

}  // namespace bodkin
