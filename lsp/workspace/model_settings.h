// The settings model.* and models as ModelSettings, for the server and the command line.
#pragma once

#include "agent/models/providers/providers.h"
#include "lsp/workspace/settings.h"

namespace bodkin::lsp {

ModelSettings model_settings(const Settings& settings);
// model.draft; what it does not set is the main model's. An endpoint on another host gets no
// configured key; if a provider is named with it, that provider's own environment variable is used.
DraftModelSettings draft_model_settings(const Settings& settings);
// model.small, likewise; nullopt if there is none.
std::optional<ModelSettings> small_model_settings(const Settings& settings);
// suggest.model, likewise; nullopt: next edits are not predicted.
std::optional<ModelSettings> suggest_model_settings(const Settings& settings);
// The model that predicts next edits, and where it is: "zeta-2.1 at http://…".
std::string predicting_model(const ModelChoice& choice);
// The same for suggest.model, and what is sent there, or why none predicts; "": none is set. May
// take as long as preview_choice().
std::string predicting_words(const Settings& settings, EditorModels* editor, const Task& task);
// Settings of model.* that are invalid or ignored; one sentence each, for the user.
std::vector<std::string> model_problems(const Settings& settings);
// The settings without an editor: only the user's own file. A provider, endpoint or name from the
// command line, if not empty, is chosen as by bodkin.selectModel.
ModelSettings user_model_settings(const std::string& provider = "",
                                  const std::string& endpoint = "", const std::string& name = "");

}  // namespace bodkin::lsp
