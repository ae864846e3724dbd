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
    CHECK(settings.number("agent.maxTurns", 0) == 3);
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

TEST_CASE("values of the wrong type are as if they were not there") {
  Settings settings;
  settings.set(Settings::Layer::changed, {{"model", {{"name", 5}}}, {"agent.maxTurns", "many"}});
  CHECK(settings.text("model.name", "none") == "none");
  CHECK(settings.number("agent.maxTurns", 25) == 25);
  settings.set(Settings::Layer::changed, Json::array({1}));
  CHECK(settings.text("model.name", "none") == "none");
}

}  // namespace
}  // namespace bodkin::lsp
