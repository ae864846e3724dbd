// Configuration: the settings as the editor sends them, and telling the user about invalid ones.
// Main thread only.
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
  // Starts with the user's own file.
  Configuration(Client& client, Log& log);
  void serve(Router& router);

  // Called after each set(). `model_changed`: one of the settings model.* has changed.
  std::function<void(bool model_changed)> changed;

  // initializationOptions; the next set() reports what is invalid in them.
  void initialize(const Json& given);
  void set(Settings::Layer layer, const Json& given);
  // Sets the user's choice while the server runs: one member of the settings, such as "model" or
  // "agent.mode". The other choices stay.
  void choose(const std::string& key, Json value);
  void pull();  // requests them from the editor

  const Settings& settings() const { return settings_; }

 private:
  void report_problems();

  Client& client_;
  Log& log_;
  Settings settings_;
  Json chosen_ = Json::object();  // by key
  std::set<std::string> told_;    // problems
};

}  // namespace bodkin::lsp
