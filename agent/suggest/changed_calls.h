// Changed calls: what a changed signature implies for the calls of its function in the same file,
// without a model.
//
//   a parameter is gone   calls lose its argument, unless that does something itself
//   one more is needed    calls with as many arguments as it had lack one: what it is is not known;
//                         not in Lua, where arguments are left out
//
// Of functions at the top of the file whose name nothing else in it binds.
//
// Of 69 such calls in the histories of public repositories 60 lost that argument in the same
// commit, and of 203 186 got one more. Shown unasked is not what becomes of a first call, since it
// was often another one, too (3 of 24), nor anything in JavaScript, where neither is an error (5 of
// 36); all others that lacked one got it (67). Not done, since such calls stayed as they were:
// those of methods, which other classes have, too (69 of 113 got one more), and a new name for a
// keyword (none of 70). Nor is another order of the parameters, which hardly comes.
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
