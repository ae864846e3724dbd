// A language's own program that reads a text without running any of it: "bash -n", "node --check".
// Used if there is no server, or if the server is more lenient than the language.
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "agent/workspace/workspace.h"
#include "grammars/languages.h"

namespace bodkin {

struct QuickAnswer {
  std::string by;        // "node --check"
  bool is_right = true;  // nothing is wrong with the syntax
  size_t line = 1;       // from 1; of the first error
  std::string message;   // of one line
  // No option of the language, no alias and no newer version of it make the text right.
  bool is_certain = false;
  bool may_be_newer = false;  // the program is too old to tell
  std::string failure;  // why it says nothing: it could not be run, or is too old; usually empty
};

// Whether the text is not in its declared language, but zsh or Flow: neither the program nor
// bodkin's grammar knows these.
bool is_dialect(const Language& language, const std::string& path, const Text& text);

// In the sandbox, if there is one, without the folder `root`, whose programs are not taken. Null:
// the program is not here, or does not read this kind of file. Blocks, at most for some seconds.
std::optional<QuickAnswer> quick_check(const Language& language, const std::string& path,
                                       const Text& text, const std::string& root,
                                       const std::stop_token& stop);

}  // namespace bodkin
