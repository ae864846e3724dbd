// AskSession: one conversation and the models that answer in it. Every door (the language server,
// ACP, the terminal) runs its asks through one. One thread at a time.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "agent/history/ask_record.h"
#include "agent/loop/run.h"
#include "agent/models/providers/providers.h"

namespace bodkin {

// The model, limits and checks of one ask, by the settings.
struct AskSetup {
  ModelSettings model = {};
  DraftModelSettings draft_model = {};
  std::optional<ModelSettings> title_model = {};  // of new sessions; nothing: they get no title
  Limits limits = {};
  std::unique_ptr<Verifier> verifier = nullptr;  // null: there is none

  bool is_human() const { return limits.mode && *limits.mode == Mode::human; }
};

// Shared by all asks of a process; outlives them.
struct AskCommons {
  History* history = nullptr;             // null: nothing is kept
  Editor* editor = nullptr;               // safe on any thread; null: nobody can be asked
  EditorModels* editor_models = nullptr;  // null: there are none
  std::string own_profiles = {};          // the user's folder of them, or empty
  bool keeps_mode = true;                 // a session that goes on elsewhere has its last mode
};

class AskSession {
 public:
  explicit AskSession(AskCommons commons) : commons_(std::move(commons)) {}

  std::string id = {};
  Conversation conversation = {};

  // Chooses the model unless there is one: that may take a while (a local server, a command for the
  // key). Returns the choice; nullopt: none was necessary, since there is one, or the user answers.
  // Error, for the user: no model can be asked.
  Result<std::optional<ModelChoice>> choose_model(const ModelSettings& settings, bool is_human,
                                                  const Task& task);
  void forget_models() { model_.reset(), draft_model_.reset(); }
  void rest();  // their connections are closed

  // Runs the ask, for which a model was chosen, and records it. Blocks. `around`: changes the
  // context that the ask works in, whose model lives until the next run; may be empty.
  using Around = std::function<AskContext(const AskContext&)>;
  Outcome run(const std::string& ask_id, const Ask& ask, Workspace& workspace,
              const AskSetup& setup, const Task& task, const Around& around = {});

  // Tokens, of the model's window. 0: not known.
  int64_t window() const { return model_ ? model_->facts().window.value_or(0) : 0; }

 private:
  AskCommons commons_;
  std::unique_ptr<Model> model_, draft_model_;  // draft_model_: null until it is needed
  std::unique_ptr<Model> no_model_;             // says why there is none
  std::unique_ptr<AskRecord> record_;           // of the last run
};

// A title for a session, by its first request; nullopt: there is no model for that, or it gave
// none. Blocks. Any thread. `spent` gets what it cost; only the day's limit counts.
std::optional<std::string> session_title(const ModelSettings& settings, const std::string& prompt,
                                         const Limits& limits, EditorModels* editor_models,
                                         Spent& spent, const Task& task);

}  // namespace bodkin
