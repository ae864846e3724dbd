#pragma once

#include <string>

namespace bodkin::mcp {

// The user's home folder by the system's records, not the environment; empty: unknown.
std::string known_home();

}  // namespace bodkin::mcp
