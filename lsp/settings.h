// Settings: one tree `bodkin.*`, laid together from layers (editor.md, "Settings"). A layer that
// comes again replaces what it was: a key that is missing now is unset. Main thread only.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "lsp/connection.h"

namespace bodkin::lsp {

class Settings {
 public:
  enum class Layer { user_file, initialization, configuration, changed };
  // `given`: {"bodkin":{"model":{…}}}, {"model":{…}}, or dotted keys ("bodkin.model.name").
  void set(Layer layer, const Json& given);

  std::string text(std::string_view path, std::string_view otherwise = "") const;  // "model.name"
  int number(std::string_view path, int otherwise) const;
  bool flag(std::string_view path, bool otherwise) const;
  const Json& tree() const { return tree_; }

 private:
  std::array<Json, 4> layers_;
  Json tree_ = Json::object();
};

// The person's own file, or null: $XDG_CONFIG_HOME/bodkin/settings.json.
Json user_settings();

}  // namespace bodkin::lsp
