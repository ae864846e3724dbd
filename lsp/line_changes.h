// changed_lines: what differs between two texts, as whole lines.
#pragma once

#include <vector>

#include "edits/text.h"

namespace bodkin::lsp {

// One replacement for each run of changed lines, line ends included, in bytes of `before`:
// ascending, disjoint, with an unchanged line between each two.
std::vector<Replacement> changed_lines(const Text& before, const Text& after);

}  // namespace bodkin::lsp
