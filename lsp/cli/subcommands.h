// The tables of the command line: every subcommand with its options and the text of its help.
// --help, the manual and the shells' completions (manual.h) are made from them.
#pragma once

#include <string>
#include <string_view>

#include "lsp/cli/commands.h"

namespace CLI {
class App;
}  // namespace CLI

namespace bodkin {

struct ParsedOptions {  // what was given
  bool stdio = false;
  ApplyCommand apply;
  VerifyCommand verify;
  AskCommand ask;
  McpCommand mcp;
  ReplayCommand replay;
  HistoryCommand history;
  UndoCommand undo;
  ContextCommand context;
  CompleteCommand complete;
  CheckCommand check;
  std::string trusted;  // the folder of bodkin trust
  std::string settings_word;
  bool settings_json = false, profiles = false;
  std::string shell;  // of bodkin completion
  std::string page;   // of bodkin manual: a subcommand; empty: bodkin itself
};

// `app` writes into `line` when it parses: keep both. `only`: the subcommand whose options are
// needed;
// "": all are.
void declare_options(CLI::App& app, ParsedOptions& line, std::string_view only = {});

// Sets the placeholder for each option's value, such as FILE or NAME, for help and manual.
// values_of() knows nothing afterwards.
void name_values(CLI::App& app);

// Wraps the --help text for 80 columns, that of the subcommand that was given, if one was; CLI11
// does not.
void fold_help(CLI::App& app);

}  // namespace bodkin
