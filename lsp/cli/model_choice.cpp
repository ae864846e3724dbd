#include "lsp/cli/model_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "agent/models/providers/local_servers.h"
#include "agent/models/providers/provider_table.h"
#include "agent/models/providers/served_models.h"
#include "agent/models/providers/wire_setup.h"
#include "agent/platform/paths.h"
#include "agent/platform/terminal.h"
#include "agent/support/install_commands.h"
#include "agent/support/program.h"
#include "agent/support/shown_text.h"
#include "edits/text/line_keys.h"
#include "edits/text/pieces.h"
#include "lsp/cli/ask_screen.h"
#include "lsp/cli/terminal_editor.h"
#include "lsp/workspace/model_settings.h"
#include "lsp/workspace/settings.h"
#include "lsp/workspace/settings_file.h"

namespace bodkin {

namespace {

using nlohmann::json;

constexpr size_t kMostNames = 20;  // of a server's models; of the others the name can be typed

// Offered with a key; of an address of its own.
bool needs_only_key(const Provider& provider) {
  return provider.title && !provider.is_local && *provider.endpoint;
}

struct Row {
  std::string title, detail;
  enum class Kind { model, provider, in_use, without_key, ollama, own_server } kind = Kind::model;
  std::string provider = {}, name = {};  // name: of a model, or of the variable that is missing
};

// The model of the next request.
struct InUse {
  ModelSettings settings;  // with its provider
  ModelChoice choice;
  std::string words;
  bool is_kept = false;  // the user's settings say which provider or endpoint it is
};

std::optional<InUse> in_use_of(const ModelSettings& settings) {
  auto choice = preview_choice(settings, nullptr, {});
  if (!choice) return std::nullopt;
  const ModelSettings kept = lsp::user_model_settings("", "");
  InUse found{settings, *std::move(choice), model_in_words(settings),
              kept.provider == settings.provider && kept.own.endpoint == settings.own.endpoint};
  found.settings.provider = found.choice.provider;
  return found;
}

// Says which row is in use, or adds one for the models of its server.
void mark(std::vector<Row>& rows, const InUse& in_use) {
  const Provider* const provider = find_provider(in_use.choice.provider);
  bool is_there = !provider || in_use.choice.endpoint.empty();
  for (Row& row : rows) {
    if (row.provider != in_use.choice.provider || !in_use.settings.own.endpoint.empty()) continue;
    is_there = true;
    if (row.kind == Row::Kind::provider || row.name == in_use.choice.name) row.detail += "; in use";
  }
  if (!is_there)
    rows.insert(rows.begin(), {"The server in use", in_use.choice.endpoint + ": its models",
                               Row::Kind::in_use, in_use.choice.provider});
}

std::vector<Row> rows_of(const ModelSettings& settings, const Task& task) {
  std::vector<Row> rows;
  const auto choices = model_choices(settings, nullptr, task);
  for (const ModelChoice& choice : choices) {
    const Provider& provider = *find_provider(choice.provider);
    const bool is_here = provider.is_local;
    const auto count = std::ranges::count(choices, choice.provider, &ModelChoice::provider);
    if (static_cast<size_t>(count) > kMostNames) {  // they are listed when it is chosen
      if (rows.empty() || rows.back().provider != choice.provider)
        rows.push_back({choice.provider, fmt::format("{}, {} models", choice.reason, count),
                        Row::Kind::provider, choice.provider});
      continue;
    }
    const std::string title = is_here          ? choice.provider + ": " + choice.name
                              : provider.title ? provider.title
                                               : choice.provider;
    rows.push_back({title, choice.reason, is_here ? Row::Kind::model : Row::Kind::provider,
                    choice.provider, choice.name});
  }
  rows.push_back({"Ollama", "on this machine, no key: your code stays here", Row::Kind::ollama});
  for (const Provider& each : providers()) {
    if (needs_only_key(each) &&
        std::ranges::find(choices, each.name, &ModelChoice::provider) == choices.end())
      rows.push_back({each.title, fmt::format("needs its key in {}", key_variable(each)),
                      Row::Kind::without_key, each.name, key_variable(each)});
  }
  rows.push_back({"Your own server", "you type its address", Row::Kind::own_server});
  return rows;
}

void show(const std::string& words, size_t indent = 0) {
  put(stderr, folded(words, indent) + "\n");
}

void show_rows(const std::vector<Row>& rows) {
  for (size_t i = 0; i < rows.size(); ++i)
    show(fmt::format("{:>4}  {:<17}  {}", i + 1, plain_line(rows[i].title),
                     plain_line(rows[i].detail)),
         25);
}

// The line without the blanks around it; nullopt: as ask_for_line().
std::optional<std::string> ask_for_words(const std::string& question) {
  while (auto line = ask_for_line(question)) {
    const size_t first = line->find_first_not_of(" \t"), last = line->find_last_not_of(" \t");
    if (first == line->npos) return "";
    std::string words = line->substr(first, last + 1 - first);
    if (plain_line(words) == words) return words;
    show("There are characters in it that cannot be shown; type it again.");
  }
  return std::nullopt;
}

// 1 to `most`; 0 if it is not such a number.
size_t number_in(const std::string& words, size_t most) {
  const size_t number = whole_number(words).value_or(0);
  return number <= most ? number : 0;
}

bool is_variable_name(std::string_view name) {
  return !name.empty() && !is_digit(name[0]) &&
         std::ranges::all_of(name, [](char c) { return is_name_char(c) && c != '-'; });
}

// One of the models that the server of `its` provider lists, or what the user types; "": the
// provider's default. Nullopt: none.
std::optional<std::string> choose_name(const ModelSettings& its, const Task& task) {
  const Provider& provider = *find_provider(its.provider);
  const std::string usual = its.own.endpoint.empty() ? provider.model : "";
  const auto names = served_models(its, its.provider, "", nullptr, task);
  if (task.stop.stop_requested()) return std::nullopt;
  if (!names) {
    show(plain_line(names.error().message));
    const auto typed = ask_for_words("Name of the model (just Enter: back): ");
    return typed && !typed->empty() ? typed : std::nullopt;
  }
  const size_t shown = std::min(names->size(), kMostNames);
  for (size_t i = 0; i < shown; ++i) show(fmt::format("{:>4}  {}", i + 1, plain_line((*names)[i])));
  if (names->size() > shown) show(fmt::format("      and {} more, by name", names->size() - shown));
  const std::string otherwise = usual.empty() ? "back" : "its default, " + usual;
  for (;;) {
    const auto typed =
        ask_for_words(fmt::format("Number or name of the model (just Enter: {}): ", otherwise));
    if (!typed || (typed->empty() && usual.empty())) return std::nullopt;
    if (typed->empty() || std::ranges::find(*names, *typed) != names->end()) return typed;
    if (const size_t number = number_in(*typed, shown)) return (*names)[number - 1];
    if (typed->find_first_not_of("0123456789") == typed->npos) {
      show("There is no number " + *typed + ".");
      continue;
    }
    show("The server does not list " + *typed + ".");
    const auto is_meant = ask_for_words("Use it all the same? (y; just Enter: no) ");
    if (!is_meant) return std::nullopt;
    if (*is_meant == "y" || *is_meant == "yes") return typed;
  }
}

// The new values of the settings model.*. Nullopt: none was chosen.
std::optional<json> choose_of(const ModelSettings& its, const Task& task) {
  const auto name = choose_name(its, task);
  if (!name) return std::nullopt;
  return json{{"provider", its.provider},
              {"name", *name},
              {"endpoint", its.own.endpoint},
              {"apiKeyEnv", its.own.api_key_env}};
}

std::optional<json> choose_own_server(const ModelSettings& settings, const Task& task) {
  const auto address = ask_for_words(
      "Its address, such as localhost:8080/v1 or https://host/v1 (just Enter: back): ");
  if (!address || address->empty()) return std::nullopt;
  ModelSettings its = settings;
  its.provider = "openai-compatible";
  its.own = {.endpoint = *address};
  const auto base = endpoint_for(its, *find_provider(its.provider));
  if (!base) return show(base.error().message), std::nullopt;
  its.own.endpoint = *base;
  const auto variable =
      ask_for_words("Environment variable that holds its key (just Enter: it needs none): ");
  if (!variable) return std::nullopt;
  // A text that is not a name may be a key: it is not repeated.
  if (!variable->empty() && !is_variable_name(*variable))
    return show("A variable's name has letters, digits and _ only."), std::nullopt;
  if (!variable->empty() && environment(variable->c_str()).empty())
    return show(
               "There is no such variable. Leave with Enter, set it (export NAME=…), and ask "
               "again."),
           std::nullopt;
  its.own.api_key_env = *variable;
  return choose_of(its, task);
}

// Follows a row. Nullopt: back to the rows, unless `done`.
std::optional<json> choose_row(const Row& row, const ModelSettings& settings,
                               const std::optional<InUse>& in_use, const Task& task, bool& done) {
  ModelSettings its = settings_for(settings, row.provider);
  const Provider* provider = find_provider(row.provider);
  // The server that was found, not one that the settings have under this name.
  if (provider && provider->is_local && !its.own.endpoint.empty())
    its.own = {.endpoint = provider->endpoint};
  switch (row.kind) {
    case Row::Kind::model:
      return json{{"provider", row.provider}, {"name", row.name}, {"endpoint", its.own.endpoint}};
    case Row::Kind::provider: {
      auto model = choose_of(its, task);
      // The rest is in model.providers, with its key.
      if (model && !provider->is_local) model->erase("endpoint"), model->erase("apiKeyEnv");
      return model;
    }
    case Row::Kind::in_use: {
      auto model = choose_of(in_use->settings, task);
      if (model && in_use->is_kept) model = json{{"name", (*model)["name"]}};
      return model;
    }
    case Row::Kind::without_key:
      done = true;
      show(
          fmt::format("Set the variable in this shell, and ask again; to keep it, add the line to "
                      "~/.profile:\n\n    export {}=…\n\nNothing was written.",
                      row.name));
      return std::nullopt;
    case Row::Kind::ollama: {
      done = true;
      std::string commands = commands_for_local_model();
      for (size_t at = 0; (at = commands.find('\n', at)) != commands.npos; ++at)
        commands.insert(at + 1, 4, ' ');
      show(
          fmt::format("Install a model, and ask again; bodkin finds it by itself:\n\n    {}\n\n"
                      "Any other that Ollama has will do. Nothing was written.",
                      commands));
      return std::nullopt;
    }
    case Row::Kind::own_server:
      return choose_own_server(settings, task);
  }
  return std::nullopt;
}

// The bodkin.model.* of a settings.json; null: none.
json model_in(const json& tree) {
  lsp::Settings settings;
  settings.set(lsp::Settings::Layer::user_file, tree);
  return settings.in_layer(lsp::Settings::Layer::user_file, "model");
}

// Sets what `model` says, and clears settings that would mean something else next to it; a name
// alone leaves the rest.
Result<void> keep(const json& model, const json& before) {
  return lsp::edit_own_settings([&](const std::string& text) -> Result<std::string> {
    const json present = model_in(lsp::object_in(text).value_or(json::object()));
    if (present != model_in(before))
      return fail(Error::Code::stale,
                  "The settings bodkin.model.* were changed while you chose, so nothing was "
                  "written; ask again");
    lsp::TextSettings changes;
    std::string by_hand;
    for (const char* key :
         {"provider", "endpoint", "name", "apiKeyEnv", "apiKeyCommand", "apiVersion"}) {
      if (!model.contains("provider") && std::string_view(key) != "name") continue;
      const auto& [name, value] =
          changes.emplace_back(std::string("model.") + key, model.value(key, ""));
      if (!value.empty() || (present.is_object() && !present.value(key, json()).is_null()))
        by_hand +=
            fmt::format("{} bodkin.{} to \"{}\"", by_hand.empty() ? "Set" : ",", name, value);
    }
    if (auto after = lsp::with_texts(text, changes)) return *std::move(after);
    return lsp::left_to_the_user(by_hand);
  });
}

}  // namespace

std::string model_in_words(const ModelSettings& settings) {
  const auto choice = preview_choice(settings, nullptr, {});
  if (!choice) return "";
  const bool is_file = choice->provider == "replay";
  const std::string name = plain_line(
      is_file ? os::text_of(std::filesystem::path(choice->name).filename()) : choice->name);
  return name.empty() ? choice->provider : fmt::format("{} ({})", name, choice->provider);
}

std::optional<json> choose_model_in_terminal(const json& own, const ModelSettings& settings,
                                             const ModelSettings& in_use_now, const Task& task,
                                             bool in_conversation) {
  if (const auto can = lsp::can_edit_own_settings(); !can)
    return say("No model can be chosen here. " + can.error().message), std::nullopt;
  auto rows = rows_of(settings, task);
  const auto in_use = in_use_of(in_use_now);
  if (in_use) mark(rows, *in_use);
  say("Which model gets your requests, and the code that they are about?");
  if (in_use) show("In use: " + in_use->words);
  put(stderr, "\n");
  show_rows(rows);
  os::discard_typed();  // what was typed before the question is no answer
  for (;;) {
    put(stderr, "\n");
    const auto typed = ask_for_words("Number (just Enter: nothing is changed): ");
    if (task.stop.stop_requested()) return std::nullopt;
    if ((!typed || typed->empty()) && in_use) {
      say_sentence(in_use->words + " stays in use");
      return typed ? std::optional(json::object()) : std::nullopt;
    }
    if (!typed || typed->empty()) {
      say("No model was chosen; bodkin apply takes the answer of any chat");
      return std::nullopt;
    }
    const size_t number = number_in(*typed, rows.size());
    if (number == 0) {
      show(fmt::format("Type a number from 1 to {}.", rows.size()));
      continue;
    }
    bool done = false;
    auto model = choose_row(rows[number - 1], settings, in_use, task, done);
    if (task.stop.stop_requested() || done) return std::nullopt;
    if (!model) continue;
    if (const auto written = keep(*model, own); !written)
      return say(written.error().message), std::nullopt;
    const std::string name = plain_line(model->value("name", ""));
    show(fmt::format("{}{} is saved in {}/settings.json; {} chooses again.",
                     model->value("provider", in_use ? in_use->choice.provider : ""),
                     name.empty() ? "" : ", " + name, lsp::config_folder(),
                     in_conversation ? "/model" : "bodkin ask --choose"));
    return model;
  }
}

}  // namespace bodkin
