// Which of several places a hunk means, by the other hunks of its file.
//
// Equal hunks that have as many places as there are such hunks take one each. Order is a rule of
// patches and diffs: of all ways to give each hunk one of its places, the only one in order is
// meant. Of SEARCH/REPLACE blocks every sixth is out of order, so there it decides only between two
// placed neighbours.
#pragma once

#include <vector>

#include "edits/align/overlaps.h"

namespace bodkin {

// Sets `chosen` where that is decided. The places of a hunk are ascending.
void choose_among_places(std::vector<Placed>& hunks);

}  // namespace bodkin
