// Renamed places: where a person who has renamed some occurrences of a name meant the others, too.
#pragma once

#include "edits/suggest/next_edits.h"
#include "grammars/syntax_tree.h"

namespace bodkin {

// `next`, of a new name, with the places that the syntax is certain of (grammars/same_name.h).
// Where it is not certain, or `tree` is null, only what is shown unasked is left. Linear in the
// file.
NextEdits renamed_places(const Text& file, const SyntaxTree* tree, const EditedLines& edit,
                         NextEdits next);

}  // namespace bodkin
