// What is chosen for a session: its MCP servers, its mode, its model.
#include <algorithm>
#include <utility>

#include "agent/support/shown_text.h"
#include "lsp/acp/session.h"
#include "lsp/apply/folder_changes.h"
#include "lsp/workspace/model_settings.h"

namespace bodkin::acp {

void Session::set_mcp_servers(const Json& servers) {
  Json known = folder_.settings().value("agent.mcpServers");
  if (!known.is_object()) known = Json::object();
  bool has_more = false;
  for (const Json& server : servers.is_array() ? servers : Json::array()) {
    const std::string name = text_member(server, "name"), command = text_member(server, "command");
    if (name.empty() || command.empty()) continue;  // not on stdio
    Json made = {{"command", Json::array({command})}, {"env", Json::object()}, {"sandbox", false}};
    for (const Json& word : member(server, "args"))
      if (word.is_string()) made["command"].push_back(word);
    for (const Json& variable : member(server, "env"))
      if (const std::string key = text_member(variable, "name"); !key.empty())
        made["env"][key] = text_member(variable, "value");
    known[name] = std::move(made);
    has_more = true;
  }
  if (has_more) folder_.set({{"agent", {{"mcpServers", std::move(known)}}}});
}

void Session::look_up_models(std::function<void()> then) {
  host_.work.start([self = shared_from_this(), settings = lsp::model_settings(folder_.settings()),
                    then = std::move(then)](const Task& task) {
    const ConfinedFolder& folder = self->folder_.folder();
    if (needs_recovery(folder)) (void)Writing::begin(folder, "acp", task.stop);  // before a model
    SessionOptions found;
    const auto add = [&](const ModelChoice& choice) {
      const std::string id = id_of(choice);
      if (std::ranges::find(found.models, id, &SessionOptions::Model::id) == found.models.end())
        found.models.push_back({id, choice.provider + ": " + choice.name, choice.reason});
    };
    if (const auto chosen = preview_choice(settings, nullptr, task)) {
      add(*chosen);
      found.model = id_of(*chosen);
    }
    for (const ModelChoice& choice : model_choices(settings, nullptr, task))
      if (!choice.name.empty()) add(choice);
    self->host_.loop.post([self, found = std::move(found), then] {
      self->options_.model = found.model;
      if (!found.model.empty()) self->options_.models = found.models;
      then();
    });
  });
}

Json Session::options() const {
  return {{"modes", modes_of(options_)}, {"configOptions", config_of(options_)}};
}

void Session::announce() {
  host_.client.update(
      id_, {{"sessionUpdate", "available_commands_update"}, {"availableCommands", commands()}});
}

Result<void> Session::set_mode(const std::string& id) {
  const auto mode = mode_to_choose(id);
  if (!mode) {
    return fail(Error::Code::invalid_input,
                "There is no mode " + id.substr(0, 100) + "; choose one of availableModes.");
  }
  folder_.set_mode(*mode);
  options_.mode = *mode;
  takes_edits_ = false;  // in "confirm", every edit waits again
  return {};
}

Result<void> Session::set_option(const std::string& id, const Json& value) {
  const std::string chosen = value.is_string() ? value.get<std::string>() : "";
  if (id == "mode") return set_mode(chosen);
  const bool is_known = std::ranges::find(options_.models, chosen, &SessionOptions::Model::id) !=
                        options_.models.end();
  if (id != "model" || !is_known)
    return fail(Error::Code::invalid_input, "There is no such option or value.");
  if (chosen == options_.model) return {};
  const size_t slash = chosen.find('/');
  folder_.set(
      {{"model", {{"provider", chosen.substr(0, slash)}, {"name", chosen.substr(slash + 1)}}}});
  options_.model = chosen;
  asks_->forget_models();
  return {};
}

}  // namespace bodkin::acp
