// The facts that decide whether node can load a JavaScript file as the kind of module that it is.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "edits/text/text.h"

namespace bodkin {

struct ScriptModule {
  // By the words of the text: the first line, from 0.
  std::map<std::string, size_t> syntax;    // "import", "export"
  std::map<std::string, size_t> sources;   // what is imported, without quotes
  std::map<std::string, size_t> commonjs;  // `require` and the like, unless it declares them
};

// Also empty for a text that is not parsed (kParsedAtOnce).
ScriptModule script_module(std::string_view path, const Text& text);

}  // namespace bodkin
