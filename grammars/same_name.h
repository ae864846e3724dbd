// Where a name of a file means the same, as far as its syntax alone can say so.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "grammars/syntax_tree.h"

namespace bodkin {

// A name of which some occurrences were renamed.
struct HalfRenamed {
  size_t offset = 0;          // of one that was, in bytes
  std::string_view old, now;  // its names; the file had no `now` before
};

// The offsets of all occurrences that still have the old name, in order: none is a keyword, a key,
// a member, an import or what another scope declares. Nullopt if that is not certain: the language
// is not known so exactly, the name is a member or an imported one, or one occurrence where it is
// known may be it or not. Linear in the file.
std::optional<std::vector<size_t>> same_name(const SyntaxTree& tree, const HalfRenamed& name);

}  // namespace bodkin
