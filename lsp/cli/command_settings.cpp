// bodkin settings: the table of settings, for people and for the clients' tests; and the profiles.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ranges>
#include <set>

#include "agent/context/profile.h"
#include "agent/support/did_you_mean.h"
#include "agent/support/json.h"
#include "agent/support/shown_text.h"
#include "agent/workspace/secrets.h"
#include "edits/text/line_keys.h"
#include "lsp/cli/ask_screen.h"
#include "lsp/cli/commands.h"
#include "lsp/cli/print_refusal.h"
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

// A settings.json, and where it is.
std::string own_server_example() {
  return fmt::format(
      "{}\n{{\n"
      "  \"bodkin.model.provider\": \"openai-compatible\",\n"
      "  \"bodkin.model.endpoint\": \"http://localhost:8080/v1\",\n"
      "  \"bodkin.model.name\": \"qwen3-coder\"\n}}\n",
      wrapped(fmt::format("Your own settings are in {}/settings.json, for example for a model "
                          "server of your own:",
                          lsp::config_folder()),
              text_width(1), 0));
}

// " (did you mean …?)": a setting, or a part of its name.
std::string meant_by(std::string word) {
  if (word.starts_with("bodkin.")) word.erase(0, 7);
  std::set<std::string> names;
  for (const lsp::Setting& setting : lsp::all_settings()) {
    names.insert(std::string(setting.key));
    for (const auto part : std::views::split(setting.key, '.'))
      names.insert(std::string(std::string_view(part)));
  }
  return did_you_mean(word, {names.begin(), names.end()});
}

// The addresses in it without user names and passwords, which are refused but may be there.
lsp::Json without_logins(lsp::Json value) {
  if (value.is_structured())
    for (lsp::Json& each : value) each = without_logins(each);
  if (!value.is_string()) return value;
  std::string text = hide_secrets(value.get<std::string>());
  const size_t scheme = text.find("://");
  const size_t end = scheme == text.npos ? 0 : std::min(text.find('/', scheme + 3), text.size());
  const size_t sign = text.rfind('@', end);
  if (scheme != text.npos && sign != text.npos && sign > scheme)
    text.replace(scheme + 3, sign - scheme - 3, "…");
  return text;
}

}  // namespace

int settings_command(const std::string& word, bool json) {
  lsp::Json all = lsp::Json::array();
  lsp::Settings own = lsp::own_settings();
  if (lsp::user_settings().is_discarded())
    say_as("settings", fmt::format("{}/settings.json {}; these are the defaults, and the model is "
                                   "denied everything until it is fixed",
                                   lsp::config_folder(), lsp::what_is_wrong_with_user_file()));
  bool is_any = false;
  for (const lsp::Setting& setting : lsp::all_settings()) {
    if (lower_case("bodkin." + std::string(setting.key)).find(lower_case(word)) ==
        std::string::npos)
      continue;
    is_any = true;
    const lsp::Json& value = own.value(setting.key);
    const bool is_own = value != lsp::json_of(setting)["default"];
    if (json) {
      all.push_back(lsp::json_of(setting));
    } else {
      fmt::print(
          "{}\n{}\n",
          wrapped(fmt::format("bodkin.{} = {}{}{}", setting.key,
                              is_own ? visible(without_logins(value).dump()) : setting.otherwise,
                              is_own ? fmt::format("   (default: {})", setting.otherwise) : "",
                              own_place_of(setting.scope)),
                  text_width(1), 8),
          wrapped("    " + std::string(setting.sentence), text_width(1), 4));
      if (!setting.values.empty())
        fmt::print("{}\n", wrapped((setting.is_open ? "    Such as: " : "    One of: ") +
                                       spaced(setting.values),
                                   text_width(1), 12));
      const lsp::Json shown = lsp::json_of(setting);
      for (size_t i = 0; shown.contains("meanings") && i < shown["meanings"].size(); ++i)
        fmt::print("{}\n",
                   wrapped(fmt::format("      {}: {}", shown["values"][i].get<std::string>(),
                                       shown["meanings"][i].get<std::string>()),
                           text_width(1), 8));
    }
  }
  if (!is_any) {
    say_as("settings", "none has \"" + visible(word) + "\" in its name" + meant_by(word));
    return 1;
  }
  if (json) {
    fmt::print("{}\n", all.dump(2));
  } else if (word.empty() || lower_case(word) == "model") {
    put(stdout, "\n" + own_server_example());
  }
  return 0;
}

int profiles_command(bool json) {
  const std::string own = lsp::own_profiles_folder();
  lsp::Json all = lsp::Json::array();
  bool is_well = true;
  for (const ProfileName& each : profile_names(own)) {
    const auto profile = load_profile(each.name, own);
    is_well = is_well && profile;
    const std::string sentence = profile ? profile->sentence : profile.error().message;
    if (json) {
      lsp::Json row = {{"name", each.name}, {profile ? "sentence" : "error", sentence}};
      if (!each.file.empty()) row["file"] = each.file;
      all.push_back(std::move(row));
    } else {
      const std::string where = each.file.empty() ? "" : "   (" + each.file + ")";
      put(stdout,
          visible(each.name + where) + "\n" +
              wrapped(visible((profile ? "    " : "    ERROR: ") + sentence), text_width(1), 4) +
              "\n");
    }
  }
  if (json) {
    fmt::print("{}\n", text_of_json(all, 2));
  } else if (!own.empty()) {
    put(stdout, "\n" +
                    wrapped(visible("Your own are NAME.json and NAME.PART.md in " + own),
                            text_width(1), 0) +
                    "\n");
  }
  return is_well ? 0 : 1;
}

}  // namespace bodkin
