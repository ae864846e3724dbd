// The functions that a text of C or C++ declares, those that it defines, and the names that it
// uses.
#pragma once

#include <map>
#include <set>
#include <string>

#include "edits/text/text.h"

namespace bodkin {

struct FunctionNames {
  // Name without its scope, and the number of parameters: overloads with the same number are one.
  using Function = std::pair<std::string, size_t>;
  std::map<Function, size_t> declared;  // the line, from 0; not those that are pure
  std::set<Function> defined;
  std::set<std::string> used;  // identifiers beside those declarations and definitions

  bool defines(std::string_view name) const;
};

// Both branches of an #if count. Also empty for a text that is not parsed (kParsedAtOnce).
FunctionNames function_names(const Text& text);

}  // namespace bodkin
