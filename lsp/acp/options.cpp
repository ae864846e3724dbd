#include "lsp/acp/options.h"

#include "agent/context/slash_commands.h"
#include "agent/support/shown_text.h"

namespace bodkin::acp {

using rpc::Json;

namespace {

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

}  // namespace

std::string id_of(const ModelChoice& choice) { return choice.provider + "/" + choice.name; }

std::optional<Mode> mode_to_choose(std::string_view id) {
  const auto mode = mode_named(id);
  return mode && *mode != Mode::human ? mode : std::nullopt;
}

Json modes_of(const SessionOptions& options) {
  Json modes = Json::array();
  for (const ChosenMode& each : kModes) {
    modes.push_back(
        {{"id", name_of(each.mode)}, {"name", each.name}, {"description", each.description}});
  }
  return {{"currentModeId", id_of_mode(options.mode)}, {"availableModes", std::move(modes)}};
}

Json config_of(const SessionOptions& options) {
  Json modes = Json::array(), models = Json::array();
  for (const ChosenMode& each : kModes) {
    modes.push_back(
        {{"value", name_of(each.mode)}, {"name", each.name}, {"description", each.description}});
  }
  for (const SessionOptions::Model& each : options.models) {
    models.push_back({{"value", each.id},
                      {"name", plain_line(each.name)},
                      {"description", plain_line(each.description)}});
  }
  Json config = Json::array({{{"id", "mode"},
                              {"name", "Mode"},
                              {"category", "mode"},
                              {"type", "select"},
                              {"currentValue", id_of_mode(options.mode)},
                              {"options", std::move(modes)}}});
  Json efforts = Json::array();
  for (const char* each : kEfforts) efforts.push_back({{"value", each}, {"name", each}});
  config.push_back({{"id", "effort"},
                    {"name", "Effort"},
                    {"category", "thought_level"},
                    {"type", "select"},
                    {"currentValue", options.effort},
                    {"options", std::move(efforts)}});
  if (!models.empty()) {
    config.push_back({{"id", "model"},
                      {"name", "Model"},
                      {"category", "model"},
                      {"type", "select"},
                      {"currentValue", options.model},
                      {"options", std::move(models)}});
  }
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

}  // namespace bodkin::acp
