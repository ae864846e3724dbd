// A shell command as a dialect has it: one line, or a list of words.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "edits/text/result.h"

namespace bodkin {

// The line that runs it. Of ["bash", "-lc", "make"] that is "make"; other words are quoted.
std::string shell_line(const nlohmann::json& command);

struct PatchInShell {
  std::string patch, folder;  // folder: of a `cd` before it; or empty
};
// ["apply_patch", "*** Begin Patch…"], or a line that gives a here-document or a quoted text to
// apply_patch, if that is all that it does.
std::optional<PatchInShell> patch_in(const nlohmann::json& command);
// Why a command that is not of that form must not run although it involves a patch: there is no
// program apply_patch, so the patch would be lost. Nullopt: it may run.
std::optional<Error> patch_beside_others(const nlohmann::json& command);

}  // namespace bodkin
