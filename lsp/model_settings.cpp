#include "lsp/model_settings.h"

#include <fstream>

namespace bodkin::lsp {

namespace {

// The person's own entries of the table of models, beside the settings: models' names have dots,
// which divide the names of settings.
Json user_models() {
  const std::string folder = config_folder();
  std::ifstream file(folder + "/models.json");
  if (folder.empty() || !file) return nullptr;
  Json given = Json::parse(file, nullptr, /*allow_exceptions=*/false, /*ignore_comments=*/true);
  if (given.is_discarded()) return nullptr;
  return given.is_object() && given.contains("models") ? given["models"] : given;
}

}  // namespace

ModelSettings model_settings(const Settings& settings) {
  ModelSettings result;
  result.provider = settings.text("model.provider");
  result.name = settings.text("model.name");
  result.endpoint = settings.text("model.endpoint");
  result.api_version = settings.text("model.apiVersion");
  result.api_key_env = settings.text("model.apiKeyEnv");
  if (const std::string command = settings.text("model.apiKeyCommand"); !command.empty())
    result.api_key_command = {"/bin/sh", "-c", command};
  result.models = user_models();
  return result;
}

ModelSettings user_model_settings() {
  Settings settings;
  settings.set(Settings::Layer::user_file, user_settings());
  return model_settings(settings);
}

}  // namespace bodkin::lsp
