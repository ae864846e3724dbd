// The import of a name that the last edit brought into a file, if exactly one file of the project
// declares it. Without a model, for Python, JavaScript and TypeScript.
//
//   from app.rooms import Room          becomes  from app.rooms import Room, open_room
//   import { Room } from "./rooms";     is followed by  import { openDoor } from "./doors";
//
// Of 199 such names in the commits of public repositories 186 were imported from that file in
// Python, and of 525 in JavaScript and TypeScript 336; the others came from another package, for
// which nothing is offered, or were never imported. Not done in C, C++ and Rust, where few were (9
// of 60 and 6 of 16), nor in Go, where tools do it already.
#pragma once

#include <string>

#include "agent/suggest/module_path.h"
#include "edits/suggest/next_edits.h"

namespace bodkin {

// `path`: the file's, as the index has it. `earlier`: the edits before that one, the newest first:
// an import that was just made may leave another one to make.
NextEdits missing_import(const std::string& path, const SyntaxTree& tree, EditedLines edit,
                         const std::vector<EditedLines>& earlier, const ImportWorld& world);

}  // namespace bodkin
