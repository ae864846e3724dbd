// The settings model.* and models as ModelSettings: for the server and the command line.
#pragma once

#include "agent/models/providers/providers.h"
#include "lsp/workspace/settings.h"

namespace bodkin::lsp {

ModelSettings model_settings(const Settings& settings);
// What of model.* cannot be, or is not used; one sentence each, for the person.
std::vector<std::string> model_problems(const Settings& settings);
// Without an editor: the person's own file alone. A provider or endpoint of the command line, if
// not empty, is chosen as bodkin.selectModel would.
ModelSettings user_model_settings(const std::string& provider = "",
                                  const std::string& endpoint = "");

}  // namespace bodkin::lsp
