// Settings: one tree `bodkin.*`, merged from layers (lsp/README.md, "Settings"). A layer that is
// sent again replaces its old content: a missing key is unset. Main thread only.
//
// All settings are in one table, with type, default and description: `bodkin settings` prints it,
// and VS Code's manifest is tested against it.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/workspace/permission.h"
#include "lsp/protocol/rpc.h"

namespace bodkin::lsp {

struct Setting {
  enum class Type { text, number, list, object };  // list: of texts
  // user: only the user's own settings, not those that come with a repository (it names programs,
  // keys, addresses, permissions or costs). folder: a repository may set it, too. client: the
  // server does not read it. file: only the user's own settings.json, not the editor's
  // configuration, into which some editors mix files of the repository.
  enum class Scope { user, folder, client, file };
  std::string_view key;  // without "bodkin."
  Type type = Type::text;
  std::string_view otherwise;  // the default, as JSON
  Scope scope = Scope::user;
  std::string_view sentence;
  std::string_view values = "";  // of a text: "auto|offer|off"; "": any
  // The meaning of each choice: "Send them.|Ask first.|Do nothing."; "": the sentence says it.
  std::string_view meanings = "";
  bool is_open = false;  // values that are not listed are taken, too
};
std::span<const Setting> all_settings();
Json json_of(const Setting& setting);  // {"key","type","default","scope","sentence",
                                       //  "values"?,"meanings"?,"open"?:true}

class Settings {
 public:
  // chosen: by the user while the server runs.
  enum class Layer { user_file, initialization, configuration, changed, chosen };
  static constexpr Layer kFromTheTop[] = {Layer::chosen, Layer::changed, Layer::configuration,
                                          Layer::initialization, Layer::user_file};
  // `given`: {"bodkin":{"model":{…}}}, {"model":{…}}, or dotted keys ("bodkin.model.name"). Null
  // members are unset. A discarded value: the layer exists but cannot be read.
  void set(Layer layer, const Json& given);

  // `key` is in the table; a value of another type counts as the default.
  std::string text(std::string_view key) const;
  double number(std::string_view key) const;
  int count(std::string_view key) const { return static_cast<int>(number(key)); }
  std::vector<std::string> list(std::string_view key) const;
  const Json& value(std::string_view key) const;
  // verify.servers, and with them what the editor has brought for languages without a server: a
  // member of initializationOptions, "editorServers" (agent/checkers/server_choice.h).
  Json servers() const;
  bool is_valid(std::string_view key) const;  // nothing is given, or what may be
  // The model's permissions, by agent.permissions; none if a layer cannot be read.
  Permissions permissions() const;
  // A layer could not be read, so that nothing is permitted.
  bool is_unreadable() const;

  // The raw value in one layer; null: none.
  const Json& in_layer(Layer layer, std::string_view key) const;

  // One sentence per unknown key or invalid value, for the user.
  std::vector<std::string> problems() const;

 private:
  std::array<Json, 5> layers_;
  std::array<std::vector<std::string>, 5> misplaced_;  // keys, by layer
  Json tree_ = Json::object();
  Json editor_servers_;
};

// Removes and returns the value at "a.b" of a tree; null: there was none.
Json extract(Json& tree, std::string_view key);

// The folder of the user's own files, or "": $XDG_CONFIG_HOME/bodkin.
std::string config_folder();
// The folder of the user's own profiles (agent/context/profile.h), or "".
std::string own_profiles_folder();
// The folder of the user's own prompts (agent/context/own_prompts.h), or "".
std::string own_prompts_folder();
// Why the user's settings.json cannot be used: "is not JSON at line 3, column 8".
std::string what_is_wrong_with_user_file();
// A file that the user wrote, comments and all; null if there is none, or it is not JSON.
Json json_of_user_file(const std::string& path);
// The user's settings.json in that folder; null: none; discarded: it cannot be read.
Json user_settings();
// The settings of that file alone.
Settings own_settings();

}  // namespace bodkin::lsp
