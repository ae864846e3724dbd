// The choices of a session: its MCP servers, its mode, its model.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "agent/context/slash_commands.h"
#include "agent/support/shown_text.h"
#include "agent/tools/mcp_settings.h"
#include "edits/text/line_keys.h"
#include "lsp/acp/acp_protocol.h"
#include "lsp/acp/session.h"
#include "lsp/apply/folder_changes.h"
#include "lsp/workspace/model_settings.h"

namespace bodkin::acp {

namespace {

bool has_server(const std::vector<McpServer>& servers, const std::string& name) {
  return std::ranges::find(servers, name, &McpServer::name) != servers.end();
}

// "GitHub MCP (work)" becomes GitHub-MCP-work.
std::string usable_name(const std::string& name) {
  std::string made;
  for (const char c : name) {
    const char next = is_name_char(c) ? c : '-';
    const bool is_double = !made.empty() && made.back() == next && (next == '-' || next == '_');
    if (!is_double) made += next;
  }
  const size_t begin = made.find_first_not_of("-_"), end = made.find_last_not_of("-_");
  made = begin == made.npos ? "" : made.substr(begin, end - begin + 1);
  if (made.empty() || is_digit(made[0])) made = made.empty() ? "editor" : "m" + made;
  return made;
}

std::string unique_name(const std::string& name, const std::vector<McpServer>& known,
                        const std::vector<McpServer>& made) {
  constexpr size_t kLongest = 32;
  const std::string base = usable_name(name);
  for (size_t number = 1;; ++number) {
    const std::string end = number == 1 ? "" : fmt::format("-{}", number);
    std::string tried = base.substr(0, kLongest - end.size()) + end;
    if (!has_server(known, tried) && !has_server(made, tried)) return tried;
  }
}

bool is_list_of_texts(const Json& list) {
  return list.is_null() ||
         (list.is_array() && std::ranges::all_of(list, [](const Json& each) {
            return each.is_string() && !each.get_ref<const std::string&>().contains('\0');
          }));
}

// Nullopt: `problem` says what is wrong, the end of a sentence.
std::optional<McpServer> read_editors_server(const Json& given,
                                             const std::vector<std::string>& insecure_hosts,
                                             std::string& problem) {
  const std::string type = text_member(given, "type");
  McpServer server;
  server.is_confined = false;
  if (type == "http") {
    server.url = text_member(given, "url");
    server.has_variables = false;
    for (const Json& header : member(given, "headers"))
      server.headers.emplace_back(text_member(header, "name"), text_member(header, "value"));
    problem = why_not_reachable(server, insecure_hosts);
    return problem.empty() ? std::optional(std::move(server)) : std::nullopt;
  }
  if ((!type.empty() && type != "stdio") || member(given, "command").is_null()) {
    problem = "it is neither a program nor reached by streamable HTTP";
    return {};
  }
  server.command = {text_member(given, "command")};
  const Json &args = member(given, "args"), &env = member(given, "env");
  if (server.command[0].empty() || server.command[0].contains('\0') || !is_list_of_texts(args)) {
    problem = "its command or one of its args is not a string";
    return {};
  }
  for (const Json& word : args) server.command.push_back(word.get<std::string>());
  for (const Json& variable : env) {
    const std::string name = text_member(variable, "name"), value = text_member(variable, "value");
    if (name.empty() || name.find_first_of(std::string_view("=\0", 2)) != name.npos ||
        value.contains('\0')) {
      problem = "one of the variables in its env has no valid name or value";
      return {};
    }
    server.set_variables.push_back(fmt::format("{}={}", name, value));
  }
  return server;
}

// `given`: [{"name", "command", "args", "env": [{"name", "value"}]}] or, of each, {"type": "http",
// "name", "url", "headers": [{"name", "value"}]}, as the protocol has them.
// `known`: the user's own ones. A name becomes one that ours may have, and differs from all others.
// They run outside of the sandbox, as the editor would start them. `problems`: those on other
// transports, and the malformed and superfluous ones.
McpSettings servers_of_editor(const Json& given, const std::vector<McpServer>& known,
                              const std::vector<std::string>& insecure_hosts) {
  constexpr size_t kMax = 20;
  McpSettings made;
  for (const Json& each : given.is_array() ? given : Json::array()) {
    const std::string name = text_member(each, "name");
    std::string problem;
    auto server = read_editors_server(each, insecure_hosts, problem);
    if (server && known.size() + made.servers.size() >= kMax) {
      problem = fmt::format("at most {} are started", kMax);
      server.reset();
    }
    if (server) {
      server->name = unique_name(name, known, made.servers);
      made.servers.push_back(*std::move(server));
    } else {
      made.problems.push_back(fmt::format("The editor's MCP server \"{}\" is not used: {}.",
                                          plain_line(name.substr(0, 100)), problem));
    }
  }
  return made;
}

struct ChosenMode {
  Mode mode;
  const char *name, *description;
};
constexpr ChosenMode kModes[] = {
    {Mode::confirm, "Confirm", "Edits wait for your approval; commands ask first"},
    {Mode::automatic, "Auto", "Applies edits in which no check found a problem"},
    {Mode::plan, "Plan", "Changes nothing; ends with a plan"},
};

std::string id_of_mode(Mode mode) {
  return std::string(name_of(mode_to_choose(name_of(mode)).value_or(Mode::confirm)));
}

// "provider/name".
std::string id_of(const ModelChoice& choice) { return choice.provider + "/" + choice.name; }

Json modes_of(const SessionOptions& options) {
  Json modes = Json::array();
  for (const ChosenMode& each : kModes) {
    modes.push_back(
        {{"id", name_of(each.mode)}, {"name", each.name}, {"description", each.description}});
  }
  return {{"currentModeId", id_of_mode(options.mode)}, {"availableModes", std::move(modes)}};
}

Json config_of(const SessionOptions& options) {
  Json config = Json::array();
  const auto add = [&](const char* id, const char* name, const char* category,
                       const std::string& current, Json values) {
    config.push_back({{"id", id},
                      {"name", name},
                      {"category", category},
                      {"type", "select"},
                      {"currentValue", current},
                      {"options", std::move(values)}});
  };
  Json modes = Json::array(), efforts = Json::array(), models = Json::array();
  for (const ChosenMode& each : kModes)
    modes.push_back(
        {{"value", name_of(each.mode)}, {"name", each.name}, {"description", each.description}});
  for (const char* each : kEfforts) efforts.push_back({{"value", each}, {"name", each}});
  for (const SessionOptions::Model& each : options.models)
    models.push_back({{"value", each.id},
                      {"name", plain_line(each.name)},
                      {"description", plain_line(each.description)}});
  add("mode", "Mode", "mode", id_of_mode(options.mode), std::move(modes));
  add("effort", "Effort", "thought_level", options.effort, std::move(efforts));
  if (!models.empty()) add("model", "Model", "model", options.model, std::move(models));
  return config;
}

Json commands() {
  Json list = Json::array();
  const auto add = [&](std::string_view name, std::string_view what, const char* hint) {
    Json command = {{"name", name}, {"description", what}};
    if (hint) command["input"] = {{"hint", hint}};
    list.push_back(std::move(command));
  };
  // The editor's problems are not known here.
  for (const SlashCommand& each : slash_commands())
    add(each.name, each.is_fix ? "Find the problems in what you name, and fix them" : each.summary,
        "what, where");
  add("apply", "Place the edits of a reply that you paste", "the reply");
  add("undo", "Undo the last applied edit", nullptr);
  add("context", "Show what the model would be sent", "a request");
  return list;
}

}  // namespace

std::optional<Mode> mode_to_choose(std::string_view id) {
  const auto mode = mode_named(id);
  return mode && *mode != Mode::human ? mode : std::nullopt;
}

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
      // A session that goes on keeps its model; if that no longer exists, the settings' one is
      // used.
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
