// A shell command as a dialect has it: one line, or a list of words.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace bodkin {

// The line that runs it. Of ["bash", "-lc", "make"] that is "make"; other words are quoted.
std::string shell_line(const nlohmann::json& command);

struct PatchInShell {
  std::string patch, folder;  // folder: of a `cd` before it; or empty
};
// ["apply_patch", "*** Begin Patch…"], or a line that gives a here-document to apply_patch, if that
// is all that it does.
std::optional<PatchInShell> patch_in(const nlohmann::json& command);

}  // namespace bodkin
