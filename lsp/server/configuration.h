// Configuration: the settings as the editor says them, and what the user hears of those that are
// wrong. Main thread only.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "lsp/editor/client.h"
#include "lsp/editor/log.h"
#include "lsp/server/router.h"
#include "lsp/workspace/settings.h"

namespace bodkin::lsp {

class Configuration {
 public:
  // Begins with the user's own file.
  Configuration(Client& client, Log& log);
  void serve(Router& router);

  // After each set(). `model_changed`: one of the settings model.* is another now.
  std::function<void(bool model_changed)> changed;

  // initializationOptions; what is wrong in them is told by the next set().
  void initialize(const Json& given);
  void set(Settings::Layer layer, const Json& given);
  void pull();  // asks the editor

  const Settings& settings() const { return settings_; }

 private:
  void tell_problems();

  Client& client_;
  Log& log_;
  Settings settings_;
  std::set<std::string> told_;  // problems
};

}  // namespace bodkin::lsp
