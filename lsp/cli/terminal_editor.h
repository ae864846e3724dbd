// TerminalEditor: the Editor of `bodkin ask`. Without an editor nobody reports problems;
// permissions are asked for on the terminal.
#pragma once

#include <string>

#include "agent/workspace/workspace.h"
#include "lsp/cli/ask_screen.h"

namespace bodkin {

class TerminalEditor : public Editor {
 public:
  // `screen` outlives this. `may_ask`: there is a terminal.
  TerminalEditor(AskScreen& screen, bool may_ask) : screen_(screen), may_ask_(may_ask) {}

  Result<Diagnostics> diagnostics(std::string_view, const Task&) override { return Diagnostics(); }
  Result<Decision> permit(const Permission& permission, const Task& task) override;
  Result<std::string> ask_words(const std::string& question, const Task& task) override;

 private:
  void print_question(const Permission& permission, bool is_shown) const;
  void explain_choices(const Permission& permission) const;

  AskScreen& screen_;
  const bool may_ask_;
};

// "bodkin ask: MESSAGE" on standard error.
void say(std::string_view message);
// … of a whole sentence, which may begin with a file's name.
void say_sentence(std::string_view sentence);

}  // namespace bodkin
