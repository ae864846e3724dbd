// bodkin settings: the table of settings, for people and for the clients' tests.
#include <fmt/format.h>

#include <cstdio>

#include "agent/support/shown_text.h"
#include "lsp/cli/commands.h"
#include "lsp/workspace/settings.h"

namespace bodkin {

namespace {

const char* own_place_of(lsp::Setting::Scope scope) {
  using enum lsp::Setting::Scope;
  return scope == user   ? "   (user settings only)"
         : scope == file ? "   (your settings.json only)"
                         : "";
}

// "a|b" as "a | b", which can be broken into lines.
std::string spaced(std::string_view values) {
  std::string result;
  for (const char c : values) result += c == '|' ? std::string(" | ") : std::string(1, c);
  return result;
}

}  // namespace

int settings_command(bool json) {
  lsp::Json all = lsp::Json::array();
  for (const lsp::Setting& setting : lsp::all_settings()) {
    if (json) {
      all.push_back(lsp::json_of(setting));
    } else {
      fmt::print("{}\n{}\n",
                 folded(fmt::format("bodkin.{} = {}{}", setting.key, setting.otherwise,
                                    own_place_of(setting.scope)),
                        79, 8),
                 folded("    " + std::string(setting.sentence), 79, 4));
      if (!setting.values.empty())
        fmt::print("{}\n", folded("    One of: " + spaced(setting.values), 79, 12));
    }
  }
  if (json) fmt::print("{}\n", all.dump(2));
  return 0;
}

}  // namespace bodkin
