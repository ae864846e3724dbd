#include "lsp/workspace/settings.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <string_view>

#include "agent/ask/mode.h"
#include "agent/context/edit_format.h"
#include "agent/context/profile.h"
#include "agent/models/providers/provider_table.h"
#include "agent/tools/dialect.h"

namespace bodkin::lsp {
namespace {

TEST_CASE("settings are read nested, bare and dotted") {
  for (const char* text : {R"({"bodkin":{"model":{"name":"m"},"agent":{"maxTurns":3}}})",
                           R"({"model":{"name":"m"},"agent":{"maxTurns":3}})",
                           R"({"bodkin.model.name":"m","bodkin.agent.maxTurns":3})",
                           R"({"model.name":"m","agent.maxTurns":3})"}) {
    CAPTURE(text);
    Settings settings;
    settings.set(Settings::Layer::initialization, Json::parse(text));
    CHECK(settings.text("model.name") == "m");
    CHECK(settings.count("agent.maxTurns") == 3);
  }
}

TEST_CASE("a later layer wins, and one that comes again replaces what it was") {
  Settings settings;
  settings.set(Settings::Layer::changed, {{"model.name", "late"}});
  settings.set(Settings::Layer::initialization,
               {{"model", {{"name", "early"}, {"provider", "x"}}}});
  CHECK(settings.text("model.name") == "late");
  CHECK(settings.text("model.provider") == "x");
  settings.set(Settings::Layer::changed, Json::object());
  CHECK(settings.text("model.name") == "early");
}

TEST_CASE("a value of the wrong type is reported, and the default is used") {
  Settings settings;
  settings.set(Settings::Layer::changed,
               {{"model", {{"name", 5}}}, {"agent.maxTurns", "many"}, {"agent.repair", "maybe"}});
  CHECK(settings.text("model.name") == "");
  CHECK(settings.count("agent.maxTurns") == 25);
  CHECK(settings.text("agent.repair") == "offer");
  CHECK(settings.problems().size() == 3);
  CHECK(
      settings.problems()[1] ==
      "bodkin.agent.repair takes auto, offer or off, not \"maybe\"; using the default, \"offer\".");
  CHECK(settings.problems()[0] ==
        "bodkin.agent.maxTurns takes a number from 0 to 1,000,000,000, not \"many\"; using the "
        "default, 25.");
  settings.set(Settings::Layer::changed, Json::array({1}));
  CHECK(settings.problems().empty());
}

TEST_CASE("the patterns of permissions are not keys, though they have dots") {
  for (const char* text : {R"({"bodkin":{"agent":{"permissions":{"edit":{"*.lock":"deny"}}}}})",
                           R"({"bodkin.agent.permissions":{"edit":{"*.lock":"deny"}}})",
                           R"({"agent":{"permissions":{"edit":{"*.lock":"deny"}}}})"}) {
    CAPTURE(text);
    Settings settings;
    settings.set(Settings::Layer::initialization, Json::parse(text));
    CHECK(settings.value("agent.permissions") == Json{{"edit", {{"*.lock", "deny"}}}});
    CHECK(settings.problems().empty());
  }
}

TEST_CASE("rules that cannot be read deny: a kind, a null, a file that is no JSON") {
  const auto edits = [](const Json& given) {
    Settings settings;
    settings.set(Settings::Layer::user_file, {{"agent", {{"permissions", {{"edit", "deny"}}}}}});
    settings.set(Settings::Layer::changed, given);
    const Access access = settings.permissions().rule_for("edit", "a.c").access;
    return std::pair(access, settings.problems().size());
  };
  CHECK(edits(Json::object()) == std::pair(Access::deny, size_t{0}));
  CHECK(edits({{"agent.permissions", {{"edit", "ask"}}}}) == std::pair(Access::ask, size_t{0}));
  CHECK(edits({{"agent.permissions", {{"edit", nullptr}}}}) == std::pair(Access::deny, size_t{1}));
  CHECK(edits({{"agent.permissions", {{"edti", "allow"}}}}) == std::pair(Access::deny, size_t{1}));
  CHECK(edits({{"agent.permissions", "allow"}}) == std::pair(Access::deny, size_t{1}));
  // What sets nothing does not take away what was set.
  CHECK(edits({{"agent.permissions", nullptr}}) == std::pair(Access::deny, size_t{0}));
  CHECK(edits({{"agent", nullptr}}) == std::pair(Access::deny, size_t{0}));
  CHECK(edits({{"agent", "fast"}}) == std::pair(Access::deny, size_t{1}));
  CHECK(edits({{"agent.permissions", Json::array()}}) == std::pair(Access::deny, size_t{0}));
  Settings broken;
  broken.set(Settings::Layer::user_file, Json(Json::value_t::discarded));
  broken.set(Settings::Layer::changed, {{"agent.permissions", {{"edit", "allow"}}}});
  CHECK(broken.permissions().rule_for("edit", "a.c").access == Access::deny);
  CHECK(broken.problems().size() == 1);
}

TEST_CASE("a setting that does not exist is reported") {
  Settings settings;
  settings.set(Settings::Layer::changed,
               {{"bodkin", {{"agent", {{"maxTurn", 3}}}, {"models", {{"name", "m"}}}}}});
  REQUIRE(settings.problems().size() == 2);
  CHECK(settings.problems()[0] ==
        "Unknown setting: bodkin.agent.maxTurn (did you mean bodkin.agent.maxTurns?).");
  CHECK(settings.problems()[1] == "Unknown setting: bodkin.models.");
}

TEST_CASE("every setting has a default of its own type, and a sentence") {
  for (const Setting& setting : all_settings()) {
    CAPTURE(setting.key);
    Settings settings;
    const Json value = Json::parse(setting.otherwise);
    const bool is_of_file = setting.scope == Setting::Scope::file;
    settings.set(is_of_file ? Settings::Layer::user_file : Settings::Layer::changed,
                 {{std::string(setting.key), value}});
    CHECK(settings.problems().empty());
    CHECK(settings.value(setting.key) == value);
    CHECK(setting.sentence.ends_with('.'));
  }
}

TEST_CASE("the values of a setting are those that exist, each with its meaning") {
  const auto values_of = [](std::string_view key) {
    const auto setting = std::ranges::find(all_settings(), key, &Setting::key);
    REQUIRE(setting != all_settings().end());
    std::set<std::string> values;
    for (const auto each : std::views::split(setting->values, '|'))
      values.emplace(each.begin(), each.end());
    return values;
  };
  std::set<std::string> profiles{"auto"}, dialect_names{"auto"}, formats{"auto"};
  for (const ProfileName& each : profile_names("")) profiles.insert(each.name);
  for (const ToolDialect& each : dialects()) dialect_names.insert(each.name);
  for (const EditFormat& each : edit_formats()) formats.emplace(each.name);
  std::set<std::string> provider_names{"auto", "editor", "replay"};
  for (const Provider& each : providers()) provider_names.insert(each.name);
  CHECK(values_of("agent.profile") == profiles);
  CHECK(values_of("agent.dialect") == dialect_names);
  CHECK(values_of("agent.editFormat") == formats);
  CHECK(values_of("model.provider") == provider_names);
  for (const std::string& mode : values_of("agent.mode")) CHECK(mode_named(mode).has_value());
  for (const Setting& setting : all_settings()) {
    if (setting.meanings.empty()) continue;
    CAPTURE(setting.key);
    CHECK(std::ranges::count(setting.meanings, '|') == std::ranges::count(setting.values, '|'));
  }
}

// A setting is added here only if no value of it can start a program, name a key or an address,
// give a permission or raise a cost, whatever the repository's author writes.
TEST_CASE("what a folder may set is harmless") {
  const std::map<std::string_view, std::string_view> harmless = {
      {"agent.profile", "permissions and limits are the same in all profiles"},
      {"agent.dialect", "the names of tools, which give no rights"},
      {"agent.editFormat", "how edits are written, which gives no rights either"},
      {"agent.repair", "at most agent.maxRepairs, which is the user's"},
      {"verify.timeoutMs", "how long to wait for the editor's language servers"},
      {"log.level", "how much the user's own log says"},
      {"files.encoding", "what .editorconfig may say as well"},
  };
  std::set<std::string_view> of_folders;
  for (const Setting& setting : all_settings()) {
    if (setting.scope != Setting::Scope::folder) continue;
    CAPTURE(setting.key);
    CHECK(harmless.contains(setting.key));
    CHECK((setting.type == Setting::Type::text || setting.type == Setting::Type::number));
    of_folders.insert(setting.key);
  }
  CHECK(of_folders.size() == harmless.size());
}

TEST_CASE("which folders are trusted is read from the user's own file alone") {
  const Json trusted = {{"workspace", {{"trusted", {"/"}}}}};
  Settings settings;
  using enum Settings::Layer;
  for (const auto layer : {initialization, configuration, changed, chosen}) {
    settings.set(layer, trusted);
    CHECK(settings.list("workspace.trusted").empty());
    REQUIRE(settings.problems().size() == 1);
    CHECK(settings.problems()[0] ==
          "bodkin.workspace.trusted is only read from your own settings.json.");
    settings.set(layer, {{"bodkin.workspace.trusted", {"/"}}});
    CHECK(settings.list("workspace.trusted").empty());
    settings.set(layer, Json::object());
  }
  settings.set(user_file, trusted);
  CHECK(settings.problems().empty());
  CHECK(settings.list("workspace.trusted") == std::vector<std::string>{"/"});
}

TEST_CASE("MCP servers, which are programs, are read from the user's own file alone") {
  const Json server = {{"command", "x"}};
  using enum Settings::Layer;
  for (const auto layer : {initialization, configuration, changed, chosen}) {
    for (const Json& given : {Json{{"agent", {{"mcpServers", {{"docs", server}}}}}},
                              Json{{"bodkin.agent.mcpServers", {{"docs", server}}}},
                              Json{{"bodkin", {{"agent.mcpServers.docs", server}}}},
                              Json{{"agent.mcpServers.docs.command", "x"}}}) {
      CAPTURE(given.dump());
      Settings settings;
      settings.set(layer, given);
      CHECK(settings.value("agent.mcpServers") == Json::object());
      REQUIRE(settings.problems().size() == 1);
      CHECK(settings.problems()[0] ==
            "bodkin.agent.mcpServers is only read from your own settings.json.");
    }
  }
  Settings settings;
  settings.set(user_file, {{"agent", {{"mcpServers", {{"docs", server}, {"bad name", server}}}}}});
  CHECK(settings.value("agent.mcpServers")["docs"] == server);
  REQUIRE(settings.problems().size() == 1);
  CHECK(settings.problems()[0].find("\"bad name\": not a valid name") != std::string::npos);
}

// Each part was an object in the one before, and to copy them is to recurse.
TEST_CASE("a key of many parts is one wrong setting") {
  std::string key = "a";
  for (int i = 0; i < 100'000; ++i) key += ".a";
  Settings settings;
  settings.set(Settings::Layer::changed, {{key, 1}});
  Settings copy = settings;
  CHECK(copy.problems().size() == 1);
}

}  // namespace
}  // namespace bodkin::lsp
