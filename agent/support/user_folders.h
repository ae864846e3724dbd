// The folders of the user's, and those where bodkin keeps what belongs to the user and to no
// workspace. Thread: any.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace bodkin {

// An environment variable that names an absolute path, in the inner form; "" otherwise: a relative
// one is to be ignored (XDG Base Directory Specification).
std::string absolute_variable(const char* name);
// $HOME; "": there is none.
std::string home_folder();
// The folder that an XDG variable names, by default the one of this name in the home; "": none.
std::string user_folder(const char* variable, std::string_view in_home);

// $XDG_STATE_HOME/bodkin, by default below ~/.local/state; empty if there is none.
std::filesystem::path state_folder();
// Creates a folder and its missing parents, for the user alone. False: see errno.
bool make_private_folder(const std::filesystem::path& folder);

}  // namespace bodkin
