// Python's own rule of blocks, which its grammar here does not check: a block has a statement, its
// statements begin in one column, deeper than its head, and "else" is below its "if". (The
// Python Language Reference, 2.1.8.)
#pragma once

#include <vector>

#include "grammars/syntax_tree.h"

namespace bodkin {

// In the order of the text, at most `limit`: each is one character or none, at a head without a
// block or at a statement in the wrong column. Code near another syntax error is not checked. A tab
// counts up to the next multiple of eight, so that code which any Python accepts is not an error.
std::vector<SyntaxError> indentation_errors(const SyntaxTree& tree, size_t limit);

}  // namespace bodkin
