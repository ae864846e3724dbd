// What is hidden from proposed code although the user could read it: secrets, other users' files,
// sockets. One maintained table, in sandbox_hidden.cpp.
#pragma once

#include <string>
#include <vector>

namespace bodkin {

// Canonical paths that exist: files, sockets and folders. `home`: the user's, canonical.
std::vector<std::string> hidden_places(const std::string& home);

// True if it contains "://user:password@" or "://token@".
bool has_address_with_login(const std::string& text);
// True if a `.git/config` with this text contains a password or a token.
bool has_git_credentials(const std::string& config);

}  // namespace bodkin
