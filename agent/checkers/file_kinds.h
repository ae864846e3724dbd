// The kinds of checking that a file can have, by its name.
#pragma once

#include <string_view>

#include "grammars/languages.h"

namespace bodkin {

// Files that say how the others are checked, or what they are built from: a server reads them when
// it starts, from the disk.
bool configures_checks(std::string_view path);
// Files from which the commands that compile C and C++ are made, or that list them.
bool configures_compilation(std::string_view path);

// Prose and data: only their syntax can be checked.
bool is_data(const Language* language, std::string_view path);

}  // namespace bodkin
