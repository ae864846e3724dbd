#include "lsp/settings.h"

#include <cstdlib>
#include <fstream>

#include "lsp/protocol.h"

namespace bodkin::lsp {

namespace {

// Dotted keys become nested objects.
Json nested(const Json& given) {
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
    Json inside = value.is_object() ? nested(value) : value;
    if (at->is_object() && inside.is_object()) {
      at->merge_patch(inside);
    } else {
      *at = std::move(inside);
    }
  }
  return result;
}

}  // namespace

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

std::string Settings::text(std::string_view path, std::string_view otherwise) const {
  const Json& value = member(tree_, path);
  return value.is_string() ? value.get<std::string>() : std::string(otherwise);
}

int Settings::number(std::string_view path, int otherwise) const {
  const Json& value = member(tree_, path);
  if (!value.is_number()) return otherwise;
  const double number = value.get<double>();
  return number > -1e9 && number < 1e9 ? static_cast<int>(number) : otherwise;
}

bool Settings::flag(std::string_view path, bool otherwise) const {
  const Json& value = member(tree_, path);
  return value.is_boolean() ? value.get<bool>() : otherwise;
}

Json user_settings() {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  const char* home = std::getenv("HOME");
  std::string folder = config && *config ? config : home ? std::string(home) + "/.config" : "";
  if (folder.empty()) return nullptr;
  std::ifstream file(folder + "/bodkin/settings.json");
  if (!file) return nullptr;
  Json tree = Json::parse(file, nullptr, /*allow_exceptions=*/false, /*ignore_comments=*/true);
  return tree.is_discarded() ? Json() : tree;
}

}  // namespace bodkin::lsp
