// Lazy edits: a sketch of a file in which `// ... existing code ...` stands for lines that stay.
#pragma once

#include <string_view>
#include <vector>

#include "edits/result.h"
#include "edits/text.h"

namespace bodkin {

// What the sketch changes in the file, in bytes of the file, ascending and disjoint.
//
// Each run of lines between two elisions belongs to one region of the file: the region begins where
// the run's first lines stand and ends where its last lines stand. Both must be beyond doubt, and
// the regions in order. A run at an end of the sketch reaches to that end of the file. What lies
// between two regions is what an elision stands for, and stays.
// Errors: "ambiguous: …", "not_found: …", for the model.
Result<std::vector<Replacement>> merge_lazy(std::string_view sketch, const Text& file);

}  // namespace bodkin
