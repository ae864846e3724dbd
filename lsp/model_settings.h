// The settings model.* and models as ModelSettings: for the server and the command line.
#pragma once

#include "agent/providers.h"
#include "lsp/settings.h"

namespace bodkin::lsp {

ModelSettings model_settings(const Settings& settings);
// Without an editor: the person's own file alone.
ModelSettings user_model_settings();

}  // namespace bodkin::lsp
