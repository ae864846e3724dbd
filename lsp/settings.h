// Settings: one tree `bodkin.*`, laid together from layers (editor.md, "Settings"). A layer that
// comes again replaces what it was: a key that is missing now is unset. Main thread only.
//
// What there is to set stands in one table, with type, default and one sentence: `bodkin settings`
// prints it, the clients' own lists are tested against it.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/connection.h"

namespace bodkin::lsp {

struct Setting {
  enum class Type { text, number, list, object };  // list: of texts
  // user: the person's own settings alone; what comes with a repository may not set it (it names
  // programs, keys, addresses, or what may be done and spent). folder: a repository may.
  // client: the server does not read it.
  enum class Scope { user, folder, client };
  std::string_view key;  // without "bodkin."
  Type type = Type::text;
  std::string_view otherwise;  // the default, as JSON
  Scope scope = Scope::user;
  std::string_view sentence;
  std::string_view values = "";  // of a text: "auto|offer|off"; "": any
};
std::span<const Setting> all_settings();
Json json_of(const Setting& setting);  // {"key","type","default","scope","sentence","values"?}

class Settings {
 public:
  // chosen: by the person while the server runs.
  enum class Layer { user_file, initialization, configuration, changed, chosen };
  // `given`: {"bodkin":{"model":{…}}}, {"model":{…}}, or dotted keys ("bodkin.model.name").
  void set(Layer layer, const Json& given);

  // `key` is in the table; a value of another type counts as the default.
  std::string text(std::string_view key) const;
  double number(std::string_view key) const;
  int count(std::string_view key) const { return static_cast<int>(number(key)); }
  std::vector<std::string> list(std::string_view key) const;
  const Json& value(std::string_view key) const;

  // One sentence for each key that does not exist or has a value that cannot be, for the person.
  std::vector<std::string> problems() const;

 private:
  std::array<Json, 5> layers_;
  Json tree_ = Json::object();
};

// Where the person's own files are, or "": $XDG_CONFIG_HOME/bodkin.
std::string config_folder();
// The person's own file there, settings.json, or null.
Json user_settings();

}  // namespace bodkin::lsp
