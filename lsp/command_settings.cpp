// bodkin settings: the table of settings, for people and for the clients' tests.
#include <fmt/format.h>

#include <cstdio>

#include "lsp/commands.h"
#include "lsp/settings.h"

namespace bodkin {

namespace {

const char* own_place_of(lsp::Setting::Scope scope) {
  using enum lsp::Setting::Scope;
  return scope == user   ? "   (your own settings alone)"
         : scope == file ? "   (your own settings.json alone)"
                         : "";
}

}  // namespace

int settings_command(bool json) {
  lsp::Json all = lsp::Json::array();
  for (const lsp::Setting& setting : lsp::all_settings()) {
    if (json) {
      all.push_back(lsp::json_of(setting));
    } else {
      fmt::print("bodkin.{} = {}{}\n    {}\n", setting.key, setting.otherwise,
                 own_place_of(setting.scope), setting.sentence);
      if (!setting.values.empty()) fmt::print("    One of: {}\n", setting.values);
    }
  }
  if (json) fmt::print("{}\n", all.dump(2));
  return 0;
}

}  // namespace bodkin
