// The files and declarations that a request names in its own words, without an @.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agent/context/symbols.h"
#include "agent/workspace/workspace.h"

namespace bodkin {

struct Named {
  std::vector<std::string> files;    // paths that can be read
  std::vector<FoundSymbol> symbols;  // those in `files` too
};

// Only names that can mean just one thing: a path, the end of one ("parser.cpp"), a name in
// backticks or spelled like code, a plain word that is declared once ("resize"), or words that make
// up one name ("the parser's error type" is ParserError, or Parser::Error, or Error in parser.cpp).
// In the order of the request; then the functions in which a program's output in the request (of a
// compiler, a test) names a problem. Blocks while files are read.
Named named_in(std::string_view request, Workspace& workspace, const Task& task);

}  // namespace bodkin
