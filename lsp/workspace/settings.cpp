// More than 350 lines: the layers of the settings, what is wrong with them, and where they are.
#include "lsp/workspace/settings.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <ranges>

#include "agent/checkers/server_choice.h"
#include "agent/platform/paths.h"
#include "agent/support/did_you_mean.h"
#include "agent/support/json.h"
#include "agent/support/read_file.h"
#include "agent/support/shown_text.h"
#include "agent/support/user_folders.h"
#include "agent/tools/mcp_settings.h"
#include "edits/text/shortened.h"
#include "lsp/protocol/protocol.h"

namespace bodkin::lsp {

namespace {

using Type = Setting::Type;
using Scope = Setting::Scope;

const Setting* find(std::string_view key) {
  const auto found = std::ranges::find(all_settings(), key, &Setting::key);
  return found == std::end(all_settings()) ? nullptr : &*found;
}

constexpr size_t kMaxUserFile = 16 << 20;  // bytes
constexpr int kMaxParts = 8;               // of a dotted key; what is after them is one part

// Dotted keys become nested objects, but not inside of a setting that is an object itself: there a
// key may be a pattern such as "*.lock".
Json nested(const Json& given, const std::string& above = "") {
  Json result = Json::object();
  if (!given.is_object()) return result;
  for (const auto& [key, value] : given.items()) {
    Json* at = &result;
    size_t begin = 0;
    for (int parts = 1;; ++parts) {
      const size_t dot = parts < kMaxParts ? key.find('.', begin) : std::string::npos;
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
      return value.is_string() &&
             (setting.is_open || is_one_of(setting.values, value.get_ref<const std::string&>()));
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
      return setting.values.empty() || setting.is_open ? "a string"
                                                       : choices_in_words(setting.values);
    case Setting::Type::number:
      return "a number from 0 to 1,000,000,000";
    case Setting::Type::list:
      return "a list of strings";
    case Setting::Type::object:
      return "an object";
  }
  return "";
}

bool is_group_of_settings(const std::string& path) {
  return path.empty() || std::ranges::any_of(all_settings(), [&](const Setting& each) {
           return each.key.starts_with(path + ".");
         });
}

// Values in `above` override those below. A value in place of a group of settings sets nothing.
void merge_over(Json& below, const Json& above, const std::string& path) {
  for (const auto& [key, value] : above.items()) {
    const std::string inside = path.empty() ? key : path + "." + key;
    const bool is_group = is_group_of_settings(inside);
    const Setting* setting = find(inside);
    if (value.is_null() && (is_group || setting)) continue;
    if (is_group && !value.is_object()) continue;
    // An empty Lua table arrives as an array, which also sets nothing.
    if (setting && setting->type == Type::object && value == Json::array()) continue;
    Json& at = below[key];
    if (value.is_object() && at.is_object()) {
      merge_over(at, value, inside);
    } else {
      at = value;
    }
  }
}

Json default_of(const Setting& setting) { return parse_json(setting.otherwise).value_or(Json()); }

// A value in a message: in one line, and cut.
std::string value_in_words(const Json& value) {
  return shortened_to(plain_line(text_of_json(value)), 40);
}

void find_problems(const std::string& path, const Json& value, std::vector<std::string>& found) {
  const Setting* setting = find(path);
  if (setting) {
    if (!value.is_null() && !fits(*setting, value)) {
      found.push_back("bodkin." + path + " takes " + expected(*setting) + ", not " +
                      value_in_words(value) + "; using the default, " +
                      value_in_words(default_of(*setting)) + ".");
    }
    return;
  }
  if (is_group_of_settings(path) && value.is_null()) return;
  if (!is_group_of_settings(path) || !value.is_object()) {
    std::vector<std::string> names;
    for (const Setting& each : all_settings()) names.push_back("bodkin." + std::string(each.key));
    found.push_back("Unknown setting: bodkin." + path + did_you_mean("bodkin." + path, names) +
                    ".");
    return;
  }
  for (const auto& [key, inside] : value.items()) {
    find_problems(path.empty() ? key : path + "." + key, inside, found);
  }
}

}  // namespace

Json json_of(const Setting& setting) {
  constexpr std::string_view kTypes[] = {"text", "number", "list", "object"};
  constexpr std::string_view kScopes[] = {"user", "folder", "client", "file"};
  Json result = {{"key", setting.key},
                 {"type", kTypes[static_cast<size_t>(setting.type)]},
                 {"default", default_of(setting)},
                 {"scope", kScopes[static_cast<size_t>(setting.scope)]},
                 {"sentence", setting.sentence}};
  const auto list = [&](const char* name, std::string_view parts) {
    if (parts.empty()) return;
    for (const auto part : std::views::split(parts, '|'))
      result[name].push_back(std::string_view(part));
  };
  list("values", setting.values);
  list("meanings", setting.meanings);
  if (setting.is_open) result["open"] = true;
  return result;
}

Json extract(Json& tree, std::string_view key) {
  const size_t dot = key.find('.');
  const auto found = tree.is_object() ? tree.find(std::string(key.substr(0, dot))) : tree.end();
  if (found == tree.end()) return nullptr;
  if (dot != key.npos) return extract(*found, key.substr(dot + 1));
  Json value = std::move(*found);
  tree.erase(found);
  return value;
}

// Decides: who may set a setting.
void Settings::set(Layer layer, const Json& given) {
  Json tree = given.is_discarded() ? given : nested(given);
  if (const Json& wrapped = member(tree, "bodkin"); wrapped.is_object()) {
    Json inner = wrapped;
    // The user's own file has nothing else in it: there, the prefix may be missing.
    if (layer == Layer::user_file) {
      tree.erase("bodkin");
      merge_over(tree, inner, "");
    } else {
      tree = std::move(inner);
    }
  }
  auto& misplaced = misplaced_[static_cast<size_t>(layer)];
  misplaced.clear();
  for (const Setting& setting : all_settings()) {
    if (setting.scope != Scope::file || layer == Layer::user_file) continue;
    if (!extract(tree, setting.key).is_null()) misplaced.emplace_back(setting.key);
  }
  if (layer == Layer::initialization) editor_servers_ = extract(tree, "editorServers");
  layers_[static_cast<size_t>(layer)] = std::move(tree);
  tree_ = Json::object();
  for (const Json& each : layers_)
    if (each.is_object()) merge_over(tree_, each, "");
}

const Json& Settings::value(std::string_view key) const {
  const Json& given = member(tree_, key);
  const Setting* setting = find(key);
  if (!given.is_null() && setting && fits(*setting, given)) return given;
  static const std::map<std::string_view, Json> kDefaults = [] {
    std::map<std::string_view, Json> defaults;
    for (const Setting& each : all_settings()) defaults[each.key] = default_of(each);
    return defaults;
  }();
  static const Json kNone;
  const auto found = kDefaults.find(key);
  return found == kDefaults.end() ? kNone : found->second;
}

Json Settings::servers() const {
  Json all = value("verify.servers");
  if (all.is_object() && editor_servers_.is_object()) all[kEditorServers] = editor_servers_;
  return all;
}

bool Settings::is_valid(std::string_view key) const {
  const Json& given = member(tree_, key);
  const Setting* setting = find(key);
  return given.is_null() || (setting && fits(*setting, given));
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

const Json& Settings::in_layer(Layer layer, std::string_view key) const {
  return member(layers_[static_cast<size_t>(layer)], key);
}

std::vector<std::string> Settings::problems() const {
  std::vector<std::string> found;
  for (const Json& each : layers_)
    if (each.is_object()) find_problems("", each, found);
  for (std::string& problem :
       mcp_settings(value("agent.mcpServers"), list("model.insecureHosts")).problems)
    found.push_back(std::move(problem));
  for (const std::string& folder : list("workspace.trusted")) {
    if (os::is_absolute(folder) || folder == "~" || folder.starts_with("~/")) continue;
    found.push_back("bodkin.workspace.trusted: \"" + folder +
                    "\" is ignored; a folder begins with / or ~/.");
  }
  const Permissions rules = permissions();
  found.insert(found.end(), rules.problems().begin(), rules.problems().end());
  std::vector<std::string> result;
  for (const auto& keys : misplaced_) {
    for (const std::string& key : keys)
      found.push_back("bodkin." + key + " is only read from your own settings.json.");
  }
  for (std::string& problem : found) {
    if (std::ranges::find(result, problem) == result.end()) result.push_back(std::move(problem));
  }
  return result;
}

bool Settings::is_unreadable() const {
  return std::ranges::any_of(layers_, [](const Json& each) { return each.is_discarded(); });
}

Permissions Settings::permissions() const {
  if (is_unreadable()) {
    return Permissions::none("The settings file " + config_folder() + "/settings.json " +
                             what_is_wrong_with_user_file() +
                             "; it is ignored, and the model is denied everything until it is "
                             "fixed.");
  }
  return Permissions::parse(value("agent.permissions"));
}

std::string own_profiles_folder() {
  const std::string folder = config_folder();
  return folder.empty() ? "" : folder + "/profiles";
}

std::string own_prompts_folder() {
  const std::string folder = config_folder();
  return folder.empty() ? "" : folder + "/prompts";
}

std::string config_folder() {
  const std::string folder = user_folder("XDG_CONFIG_HOME", ".config");
  return folder.empty() ? "" : folder + "/bodkin";
}

Json json_of_user_file(const std::string& path) {
  const auto text = read_file(path, kMaxUserFile);
  return text ? parse_json(*text, {.comments = true}).value_or(Json()) : Json();
}

std::string what_is_wrong_with_user_file() {
  const auto text = read_file(config_folder() + "/settings.json", kMaxUserFile);
  if (!text) return "cannot be read";
  // Finds only the place of the error, in a file that parse_json() has refused.
  struct Place : nlohmann::json_sax<Json> {
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(int64_t) override { return true; }
    bool number_unsigned(uint64_t) override { return true; }
    bool number_float(double, const std::string&) override { return true; }
    bool string(std::string&) override { return true; }
    bool binary(Json::binary_t&) override { return true; }
    bool start_object(size_t) override { return true; }
    bool key(std::string&) override { return true; }
    bool end_object() override { return true; }
    bool start_array(size_t) override { return true; }
    bool end_array() override { return true; }
    bool parse_error(size_t position, const std::string&, const Json::exception&) override {
      at = position;
      return false;
    }
    size_t at = 0;  // a byte, from 1
  } place;
  if (Json::sax_parse(*text, &place, Json::input_format_t::json, true, true))
    return "is not a JSON object";
  const std::string before = text->substr(0, place.at == 0 ? 0 : place.at - 1);
  const size_t line = std::ranges::count(before, '\n') + 1;
  const size_t column = before.size() - (before.rfind('\n') + 1) + 1;
  return "is not JSON at line " + std::to_string(line) + ", column " + std::to_string(column);
}

Json user_settings() {
  const std::string folder = config_folder();
  std::error_code error;
  if (folder.empty() || !std::filesystem::exists(folder + "/settings.json", error)) return nullptr;
  Json tree = json_of_user_file(folder + "/settings.json");
  return tree.is_object() ? tree : Json(Json::value_t::discarded);
}

Settings own_settings() {
  Settings settings;
  settings.set(Settings::Layer::user_file, user_settings());
  return settings;
}

}  // namespace bodkin::lsp
