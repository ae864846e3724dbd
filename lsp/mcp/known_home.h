#pragma once

#include <string>

namespace bodkin::mcp {

// The user's home folder, as the system knows it whatever the environment says; empty: unknown.
std::string known_home();

}  // namespace bodkin::mcp
