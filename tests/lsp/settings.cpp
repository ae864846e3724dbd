#include "lsp/settings.h"

#include <doctest/doctest.h>

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
  CHECK(settings.text("agent.repair") == "auto");
  CHECK(settings.problems().size() == 3);
  CHECK(settings.problems()[1] ==
        "bodkin.agent.repair must be one of auto|offer|off; the default is used.");
  settings.set(Settings::Layer::changed, Json::array({1}));
  CHECK(settings.problems().empty());
}

TEST_CASE("the patterns of permissions are not keys, though they have dots") {
  for (const char* text :
       {R"({"bodkin":{"agent":{"permissions":{"edit":{"*.lock":"deny"}}}}})",
        R"({"bodkin.agent.permissions":{"edit":{"*.lock":"deny"}}})",
        R"({"agent":{"permissions":{"edit":{"*.lock":"deny"}}}})"}) {
    CAPTURE(text);
    Settings settings;
    settings.set(Settings::Layer::initialization, Json::parse(text));
    CHECK(settings.value("agent.permissions") == Json{{"edit", {{"*.lock", "deny"}}}});
    CHECK(settings.problems().empty());
  }
}

TEST_CASE("a setting that does not exist is reported") {
  Settings settings;
  settings.set(Settings::Layer::changed,
               {{"bodkin", {{"agent", {{"maxTurn", 3}}}, {"models", {{"name", "m"}}}}}});
  REQUIRE(settings.problems().size() == 2);
  CHECK(settings.problems()[0] == "There is no setting bodkin.agent.maxTurn.");
  CHECK(settings.problems()[1] == "There is no setting bodkin.models.");
}

TEST_CASE("every setting has a default of its own type, and what a folder may set is harmless") {
  for (const Setting& setting : all_settings()) {
    CAPTURE(setting.key);
    Settings settings;
    const Json value = Json::parse(setting.otherwise);
    settings.set(Settings::Layer::changed, {{std::string(setting.key), value}});
    CHECK(settings.problems().empty());
    CHECK(settings.value(setting.key) == value);
    CHECK(setting.sentence.ends_with('.'));
    const bool is_harmless = setting.key.starts_with("agent.") ||
                             setting.key.starts_with("verify.") || setting.key.starts_with("log.");
    if (setting.scope == Setting::Scope::folder) CHECK(is_harmless);
    if (setting.type == Setting::Type::list) CHECK(setting.scope == Setting::Scope::user);
  }
}

}  // namespace
}  // namespace bodkin::lsp
