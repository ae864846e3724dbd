// The language servers that check a draft, one row each (agent/README.md, "Checkers"): how each is
// started, and how it can be known that its results are about the draft's text. The facts were
// measured; the results of a server that is not in the table count only if they are verified.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bodkin {

// How a server's answer is matched to the current texts.
enum class Reporting {
  versions,  // publishes for a changed text, with its version, and for the same text sent again
  clangd,    // publishes with the version; an unchanged text only if a rebuild is asked for
  pull,      // answers textDocument/diagnostic
  tsserver,  // answers tsserver's own diagnostics requests, passed through as a command
};

// How a file of the language names the files that it depends on (agent/checkers/dependents.h).
enum class Imports { none, include, python, script, go };

struct ServerKind {
  std::string_view name;       // for the user: "clangd"
  std::string_view languages;  // LSP's identifiers, separated by spaces
  std::string_view commands;   // separated by '|', the first that is found is taken
  // Where extensions of VS Code and its relatives keep it, in the folder of the extensions; like
  // `commands`, with "*" for the version. A path that ends in .js runs in node.
  std::string_view extensions;
  Reporting reporting = Reporting::versions;
  Imports imports = Imports::none;
  // Files that it only sees on the disk: a draft with such files is checked by a server that runs
  // on a view of the folder with the draft in it.
  bool needs_created_on_disk = false, needs_removed_on_disk = true;
  size_t most_dependents = 40;       // that are checked for one edit
  std::string_view needs;            // a program without which it says nothing
  std::string_view options = "{}";   // initializationOptions
  std::string_view settings = "{}";  // the answer to workspace/configuration, by section
  std::string_view variables;        // of our environment that it gets, separated by spaces
  std::string_view readable;         // of the user's own configuration, separated by spaces
  std::string_view fixed_variables;  // "NAME=value", separated by spaces
};

std::span<const ServerKind> server_kinds();

// By the name, or by the program of a command ("/usr/bin/clangd-14"); else the row of an unknown
// server. Never null.
const ServerKind& server_kind(std::string_view name);

// The program of `commands` that is the easiest to install.
std::string usual_program(const ServerKind& kind);

std::vector<std::string> words_of_list(std::string_view text, char separator = ' ');

}  // namespace bodkin
