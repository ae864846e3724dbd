// Changed calls: what a changed signature implies for the calls of its function in the same file,
// without a model.
//
//   a parameter is gone   calls lose its argument, unless that does something itself
//   one more is needed    calls with as many arguments as it had lack one, whose value is unknown;
//                         not in Lua, where arguments are left out
//
// Only functions at the top level of the file whose name nothing else in it binds.
//
// In the histories of public repositories 60 of 69 calls lost that argument in the same commit, and
// 186 of 203 got one more. Not shown unasked: the change to a first call, which often became
// another call, too, and anything in JavaScript, where neither is an error. Not done, since such
// calls stayed as they were: calls of methods, which other classes have, too (69 of 113 got one
// more), and a new name for a keyword (none of 70). Nor is a new order of the parameters, which is
// rare.
#pragma once

#include <vector>

#include "edits/suggest/next_edits.h"
#include "grammars/syntax_tree.h"

namespace bodkin {

// The signature is that of the last edit, or of one before it if all since then were of its calls.
// `earlier`: the newest first.
NextEdits changed_calls(const SyntaxTree& file, const EditedLines& edit,
                        const std::vector<EditedLines>& earlier);

}  // namespace bodkin
