// Repairs: when the model is asked, or offered, to repair the problems that an applied edit caused
// (bodkin.agent.repair). Main thread only.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "lsp/editor/questions.h"
#include "lsp/review/editor_checker.h"
#include "lsp/sessions/asks.h"
#include "lsp/sessions/proposals.h"
#include "lsp/workspace/settings.h"

namespace bodkin::lsp {

class Repairs {
 public:
  Repairs(const Settings& settings, Client& client, Questions& questions, Proposals& proposals,
          Asks& asks)
      : settings_(settings),
        client_(client),
        questions_(questions),
        proposals_(proposals),
        asks_(asks) {}

  std::function<void(const std::string& ask_id, const std::string& title)> began;  // must be set

  // Takes the report of the editor's language servers on an applied edit.
  void take_verdict(EditorVerdict verdict);
  void undone(const Proposal& proposal);

 private:
  bool start(const std::string& ask_id, Ask repair);  // false: its session is busy or forgotten

  const Settings& settings_;
  Client& client_;
  Questions& questions_;
  Proposals& proposals_;
  Asks& asks_;
  std::map<std::string, int> started_;         // how many, by ask
  std::map<std::string, std::string> offers_;  // question ids, by proposal
};

}  // namespace bodkin::lsp
