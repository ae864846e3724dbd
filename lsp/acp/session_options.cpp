// The choices of a session: its MCP servers, its mode, its model.
#include <algorithm>
#include <iterator>
#include <utility>

#include "agent/support/shown_text.h"
#include "lsp/acp/mcp_servers.h"
#include "lsp/acp/session.h"
#include "lsp/apply/folder_changes.h"
#include "lsp/workspace/model_settings.h"

namespace bodkin::acp {

void Session::set_mcp_servers(const Json& servers) {
  const auto insecure_hosts = folder_.settings().list("model.insecureHosts");
  auto made = servers_of_editor(
      servers, mcp_settings(folder_.settings().value("agent.mcpServers"), insecure_hosts).servers,
      insecure_hosts);
  std::ranges::move(made.problems, std::back_inserter(notes_));
  if (!made.servers.empty() && !folder_.is_trusted())
    notes_.emplace_back("The editor's MCP servers are not used: this folder is not trusted.");
  folder_.rules().set_more_servers(std::move(made.servers));
}

void Session::look_up_models(std::function<void()> then) {
  host_.work.start([self = shared_from_this(), settings = lsp::model_settings(folder_.settings()),
                    then = std::move(then)](const Task& task) {
    const ConfinedFolder& folder = self->folder_.folder();
    std::string recovered;
    if (needs_recovery(folder)) {  // before a model sees the files
      const auto writing = Writing::begin(folder, task.stop);
      recovered = writing ? recovered_words(**writing)
                          : "An interrupted change may have left files half changed: " +
                                writing.error().message;
    }
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
    self->host_.loop.post([self, found = std::move(found), recovered, then] {
      if (!recovered.empty()) self->notes_.push_back(recovered + ".");
      const std::string chosen = std::exchange(self->options_.model, found.model);
      if (!found.model.empty()) self->options_.models = found.models;
      // A session that goes on keeps its model; if there is no such model any more, the settings'
      // one is used.
      if (!chosen.empty()) (void)self->set_option("model", chosen);
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
                "Unknown mode " + id.substr(0, 100) + "; choose one of availableModes.");
  }
  folder_.rules().set_mode(*mode);
  options_.mode = *mode;
  takes_edits_ = false;  // in "confirm", every edit waits again
  keep_choices(id, "");
  return {};
}

Result<void> Session::set_option(const std::string& id, const Json& value) {
  const std::string chosen = value.is_string() ? value.get<std::string>() : "";
  if (id == "mode") return set_mode(chosen);
  if (id == "effort" && std::ranges::find(kEfforts, chosen) != std::end(kEfforts)) {
    folder_.set({{"model", {{"effort", chosen}}}});
    options_.effort = chosen;
    return {};
  }
  const bool is_known = std::ranges::find(options_.models, chosen, &SessionOptions::Model::id) !=
                        options_.models.end();
  if (id != "model" || !is_known)
    return fail(Error::Code::invalid_input, "No such option or value.");
  if (chosen == options_.model) return {};
  const size_t slash = chosen.find('/');
  folder_.set(
      {{"model", {{"provider", chosen.substr(0, slash)}, {"name", chosen.substr(slash + 1)}}}});
  options_.model = chosen;
  asks_->forget_models();
  keep_choices("", chosen);
  return {};
}

void Session::keep_choices(const std::string& mode, const std::string& model) {
  if (!model.empty()) chosen_model_ = model;
  host_.history.write(
      100, [id = id_, mode, model](HistoryStore& store) { store.set_choices(id, mode, model); });
}

}  // namespace bodkin::acp
