// Chooses which of several places a hunk means, by the other hunks of its file.
//
// Equal hunks that have as many places as there are such hunks take one each. Patches and diffs
// must be in order: if only one way of giving each hunk one of its places is, that one is meant.
// Every sixth SEARCH/REPLACE block is out of order, so there order decides only between two placed
// neighbours.
#pragma once

#include <vector>

#include "edits/align/overlaps.h"

namespace bodkin {

// Sets `chosen` where that is certain. The places of a hunk are ascending.
void choose_among_places(std::vector<Placed>& hunks);

}  // namespace bodkin
