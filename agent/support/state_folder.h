// The folder where bodkin keeps what belongs to the user and to no workspace.
#pragma once

#include <filesystem>

namespace bodkin {

// $XDG_STATE_HOME/bodkin, by default below ~/.local/state; empty if there is none.
std::filesystem::path state_folder();
// Creates a folder and its missing parents, for the user alone. False: see errno.
bool make_private_folder(const std::filesystem::path& folder);

}  // namespace bodkin
