#include "lsp/settings.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <ranges>

#include "lsp/protocol.h"

namespace bodkin::lsp {

namespace {

using Type = Setting::Type;
using Scope = Setting::Scope;

constexpr Setting kSettings[] = {
    {"model.provider", Type::text, R"("auto")", Scope::user,
     "Who answers: the name of a provider (on Azure `azure-responses` for newer models, which take "
     "tools only there), `editor` for the editor's own model, `replay` for a recording; `auto` "
     "takes a key in the environment, else a model server on this machine, else "
     "the editor's model."},
    {"model.name", Type::text, R"("")", Scope::user,
     "The model's name as its provider writes it; empty: the provider's usual one; for `replay`: "
     "the recording's file."},
    {"model.endpoint", Type::text, R"("")", Scope::user,
     "The base URL of the model's server, if it is not the provider's usual one: your code is sent "
     "there."},
    {"model.apiVersion", Type::text, R"("")", Scope::user,
     "The version of the provider's interface, where it has several: Anthropic's header, Gemini's "
     "v1 or v1beta, Azure's date; empty: the usual one."},
    {"model.apiKeyEnv", Type::text, R"("")", Scope::user,
     "The NAME of the environment variable that holds the key, never the key itself."},
    {"model.apiKeyCommand", Type::text, R"("")", Scope::user,
     "A shell command that prints the key, for example `pass show openai`."},
    {"agent.profile", Type::text, R"("auto")", Scope::folder,
     "How the model works: with tools, or with edit blocks in its text; `auto`: with tools if it "
     "has them; `explain` edits nothing.",
     "auto|tools|blocks|explain"},
    {"agent.maxTurns", Type::number, "25", Scope::user,
     "The most requests to the model in one ask; 0: no limit."},
    {"agent.maxTokens", Type::number, "0", Scope::user,
     "The most tokens, in and out, in one ask; 0: no limit."},
    {"agent.maxCostUsd", Type::number, "0", Scope::user,
     "The most that one ask may cost, in US dollars; a model whose price is not known is not asked "
     "then; 0: no limit."},
    {"agent.maxMinutes", Type::number, "0", Scope::user,
     "The most minutes that one ask may take before the model is asked once more; 0: no limit."},
    {"agent.maxRepairs", Type::number, "2", Scope::user,
     "How often the model may mend new problems that its own edits brought."},
    {"agent.repair", Type::text, R"("auto")", Scope::folder,
     "When an applied edit brings new problems: send them to the model, offer to, or leave them.",
     "auto|offer|off"},
    {"agent.permissions", Type::object, "{}", Scope::user,
     "What the model may do: {\"read\": \"ask\", \"edit\": {\"*\": \"allow\", \"db/**\": \"ask\", "
     "\"*.lock\": \"deny\"}}; what is not named is allowed (an edit is a proposal until you take "
     "it)."},
    {"edits.review", Type::text, R"("proposal")", Scope::user,
     "`proposal`: an edit waits until you take it; `direct`: it is applied at once, unless a check "
     "found something.",
     "proposal|direct"},
    {"verify.command", Type::list, "[]", Scope::user,
     "A program with its arguments, for example [\"make\", \"-j2\"], that checks every edit before "
     "you see it, in a view of the folder that is thrown away; it runs the proposed code."},
    {"verify.commandTimeoutMs", Type::number, "60000", Scope::user,
     "How long verify.command may take; an edit that was not checked in time says so."},
    {"verify.timeoutMs", Type::number, "5000", Scope::folder,
     "How long the editor's language servers are waited for after an edit was applied."},
    {"log.level", Type::text, R"("info")", Scope::folder, "How much is logged.",
     "error|warning|info|debug"},
    {"server.path", Type::text, R"("")", Scope::client,
     "The bodkin program; empty: the one on PATH."},
    {"trace.server", Type::text, R"("off")", Scope::client,
     "Writes the messages between the editor and bodkin to the editor's log.",
     "off|messages|verbose"},
};

const Setting* find(std::string_view key) {
  const auto found = std::ranges::find(kSettings, key, &Setting::key);
  return found == std::end(kSettings) ? nullptr : &*found;
}

// Dotted keys become nested objects, but not inside of a setting that is an object itself: there a
// key may be a pattern such as "*.lock".
Json nested(const Json& given, const std::string& above = "") {
  Json result = Json::object();
  if (!given.is_object()) return result;
  for (const auto& [key, value] : given.items()) {
    Json* at = &result;
    size_t begin = 0;
    for (;;) {
      const size_t dot = key.find('.', begin);
      if (!at->is_object()) *at = Json::object();
      at = &(*at)[key.substr(begin, dot == std::string::npos ? dot : dot - begin)];
      if (dot == std::string::npos) break;
      begin = dot + 1;
    }
    std::string path = above.empty() ? key : above + "." + key;
    if (path.starts_with("bodkin.")) path.erase(0, 7);
    const Setting* setting = find(path);
    const bool is_whole = setting && setting->type == Setting::Type::object;
    Json inside = value.is_object() && !is_whole ? nested(value, path) : value;
    if (at->is_object() && inside.is_object() && !is_whole) {
      at->merge_patch(inside);
    } else {
      *at = std::move(inside);
    }
  }
  return result;
}

bool is_one_of(std::string_view values, const std::string& value) {
  if (values.empty()) return true;
  for (const auto part : std::views::split(values, '|')) {
    if (std::string_view(part) == value) return true;
  }
  return false;
}

bool fits(const Setting& setting, const Json& value) {
  switch (setting.type) {
    case Setting::Type::text:
      return value.is_string() && is_one_of(setting.values, value.get_ref<const std::string&>());
    case Setting::Type::number:
      return value.is_number() && value.get<double>() >= 0 && value.get<double>() <= 1e9;
    case Setting::Type::list:
      return value.is_array() &&
             std::ranges::all_of(value, [](const Json& each) { return each.is_string(); });
    case Setting::Type::object:
      return true;  // who reads it says what is wrong with it
  }
  return false;
}

std::string expected(const Setting& setting) {
  switch (setting.type) {
    case Setting::Type::text:
      return setting.values.empty() ? "a text" : "one of " + std::string(setting.values);
    case Setting::Type::number:
      return "a number that is not negative";
    case Setting::Type::list:
      return "a list of texts";
    case Setting::Type::object:
      return "an object";
  }
  return "";
}

void find_problems(const std::string& path, const Json& value, std::vector<std::string>& found) {
  const Setting* setting = find(path);
  if (setting) {
    if (!value.is_null() && !fits(*setting, value)) {
      found.push_back("bodkin." + path + " must be " + expected(*setting) +
                      "; the default is used.");
    }
    return;
  }
  const bool is_group = path.empty() || std::ranges::any_of(kSettings, [&](const Setting& each) {
                          return each.key.starts_with(path + ".");
                        });
  if (!is_group || !value.is_object()) {
    found.push_back("There is no setting bodkin." + path + ".");
    return;
  }
  for (const auto& [key, inside] : value.items()) {
    find_problems(path.empty() ? key : path + "." + key, inside, found);
  }
}

}  // namespace

std::span<const Setting> all_settings() { return kSettings; }

Json json_of(const Setting& setting) {
  constexpr std::string_view kTypes[] = {"text", "number", "list", "object"};
  constexpr std::string_view kScopes[] = {"user", "folder", "client"};
  Json result = {{"key", setting.key},
                 {"type", kTypes[static_cast<size_t>(setting.type)]},
                 {"default", Json::parse(setting.otherwise)},
                 {"scope", kScopes[static_cast<size_t>(setting.scope)]},
                 {"sentence", setting.sentence}};
  if (!setting.values.empty()) {
    for (const auto part : std::views::split(setting.values, '|')) {
      result["values"].push_back(std::string_view(part));
    }
  }
  return result;
}

void Settings::set(Layer layer, const Json& given) {
  Json tree = nested(given);
  if (const Json& wrapped = member(tree, "bodkin"); wrapped.is_object()) {
    Json inner = wrapped;
    tree = std::move(inner);
  }
  layers_[static_cast<size_t>(layer)] = std::move(tree);
  tree_ = Json::object();
  for (const Json& each : layers_) {
    if (each.is_object()) tree_.merge_patch(each);
  }
}

const Json& Settings::value(std::string_view key) const {
  const Json& given = member(tree_, key);
  const Setting* setting = find(key);
  if (!given.is_null() && setting && fits(*setting, given)) return given;
  static const std::map<std::string_view, Json> kDefaults = [] {
    std::map<std::string_view, Json> defaults;
    for (const Setting& each : kSettings) defaults[each.key] = Json::parse(each.otherwise);
    return defaults;
  }();
  static const Json kNone;
  const auto found = kDefaults.find(key);
  return found == kDefaults.end() ? kNone : found->second;
}

std::string Settings::text(std::string_view key) const {
  const Json& found = value(key);
  return found.is_string() ? found.get<std::string>() : std::string();
}

double Settings::number(std::string_view key) const {
  const Json& found = value(key);
  return found.is_number() ? found.get<double>() : 0;
}

std::vector<std::string> Settings::list(std::string_view key) const {
  const Json& found = value(key);
  return found.is_array() ? found.get<std::vector<std::string>>() : std::vector<std::string>();
}

std::vector<std::string> Settings::problems() const {
  std::vector<std::string> result;
  find_problems("", tree_, result);
  return result;
}

std::string config_folder() {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  const char* home = std::getenv("HOME");
  std::string folder = config && *config ? config : home ? std::string(home) + "/.config" : "";
  return folder.empty() ? folder : folder + "/bodkin";
}

Json user_settings() {
  const std::string folder = config_folder();
  std::ifstream file(folder + "/settings.json");
  if (folder.empty() || !file) return nullptr;
  Json tree = Json::parse(file, nullptr, /*allow_exceptions=*/false, /*ignore_comments=*/true);
  return tree.is_discarded() ? Json() : tree;
}

}  // namespace bodkin::lsp
