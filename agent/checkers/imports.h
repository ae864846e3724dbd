// Imports, as far as the text of a file shows them. Pure.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "agent/checkers/server_table.h"

namespace bodkin {

// The names in the text's imports, as keys: the last part of an included path, the parts of a
// module's name, a script's name without its extension.
std::set<std::string> imported_keys(Imports imports, std::string_view text);
// Those paths in its imports that begin at the root of the disk or lead upwards.
std::vector<std::string> far_imports(Imports imports, std::string_view text);
// The keys under which this file may be imported.
std::set<std::string> keys_of(Imports imports, std::string_view path);

// Whether a script declares names that others use without importing it.
bool declares_globals(std::string_view text);

// Whether a file may be a source: C++ has headers with any extension, or none.
bool is_source(std::string_view path);
// Whether its language has such imports.
bool is_of(Imports imports, std::string_view path);
// Files that are compiled by themselves, as opposed to headers.
bool is_unit(std::string_view path);

// The words and lines of a text, for uses that do not need a parser.
void each_line(std::string_view text, const std::function<void(std::string_view)>& visit);
void each_word(std::string_view text, const std::function<void(std::string_view)>& visit);

}  // namespace bodkin
