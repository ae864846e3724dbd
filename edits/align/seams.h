// A quote that leaves out lines in its middle without saying so. The model remembers two blocks of
// a file as if they were next to each other:
//
//   .menu {            in the file there are other rules between the two; what the hunk changes is
//     color: red;      inside of its pieces, and so each of them is placed by itself. The lines
//   }                  between them stay.
//
//   .menu:hover {
#pragma once

#include <vector>

#include "edits/plan/plan.h"
#include "edits/text/mapped_text.h"

namespace bodkin {

// Cuts the hunk at each seam: between two kept lines of which the lower one occurs once in the
// file, below a different line. Empty if there is no seam, or a piece has fewer than two lines that
// say something.
std::vector<Hunk> cut_at_seams(const MappedText& file, const Hunk& hunk);

// True if the file's lines from `first` on belong to the block in which `below` is, so that no part
// of another block is taken for the rest of the upper piece. `is_parted`: the quote has a blank
// line between its pieces; else they must be deeper than `below`.
bool stays_in_block(const MappedText& file, size_t first, size_t below, bool is_parted);

}  // namespace bodkin
