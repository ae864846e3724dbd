// The names that a text uses: what it calls, and the types that it names.
#pragma once

#include <string>
#include <vector>

#include "grammars/syntax.h"

namespace bodkin {

struct Reference {
  std::string name;      // the last part: "add" of `shop.Cart.add(…)`
  size_t begin = 0;      // byte of the name
  bool is_call = false;  // else a type
};

// Those whose names lie in the bytes [begin, end), in the order of the text. Empty if the language has no
// queries/<id>/references.scm. Bounded: stops after a second or a million references.
std::vector<Reference> references(const SyntaxTree& tree, size_t begin = 0, size_t end = SIZE_MAX);

}  // namespace bodkin
