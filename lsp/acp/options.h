// The options that the user can choose in the editor for a session: the mode, the effort and the
// model, as the protocol shows them (configOptions, and `modes` for older editors). Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agent/ask/mode.h"
#include "agent/models/providers/providers.h"
#include "agent/rpc/connection.h"

namespace bodkin::acp {

struct SessionOptions {
  Mode mode = Mode::confirm;
  std::string effort = "auto";  // of model.effort
  std::string model;            // "provider/name"
  struct Model {
    std::string id, name, description;
  };
  std::vector<Model> models;  // to choose from, with the current one
};

std::string id_of(const ModelChoice& choice);  // "provider/name"

rpc::Json modes_of(const SessionOptions& options);
rpc::Json config_of(const SessionOptions& options);
rpc::Json commands();  // availableCommands

// A mode that can be chosen here: of agent.mode, but for "human".
std::optional<Mode> mode_to_choose(std::string_view id);

}  // namespace bodkin::acp
