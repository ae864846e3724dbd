// Completion of a request while it is being typed: slash commands, and files, folders and
// declarations after an @.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "agent/workspace/workspace.h"

namespace bodkin {

struct Completions {
  struct Item {
    enum class Kind { command, file, folder, symbol, keyword };
    std::string label;
    std::string insert;  // replaces the bytes from `begin` to the cursor
    std::string detail;  // for the user, or empty
    Kind kind = Kind::keyword;
  };
  size_t begin = 0;         // byte
  std::vector<Item> items;  // the best first, at most 50
};
std::string_view name_of(Completions::Item::Kind kind);

// `cursor`: a byte of `text`. Blocks while the workspace is listed. Private files are the caller's
// to hide. `own_prompts`: the user's folder of them (agent/context/own_prompts.h), or empty.
Completions complete_request(std::string_view text, size_t cursor, const std::string& own_prompts,
                             Workspace& workspace, const Task& task);

}  // namespace bodkin
