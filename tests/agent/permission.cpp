#include "agent/permission.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace bodkin;
using nlohmann::json;

namespace {

Access decided(const json& rules, const char* kind, const char* subject) {
  const auto parsed = Permissions::parse(rules);
  REQUIRE(parsed.has_value());
  return parsed->rule_for(kind, subject).access;
}

}  // namespace

TEST_CASE("what no rule names is allowed") {
  CHECK(decided(nullptr, "edit", "a.c") == Access::allow);
  CHECK(decided(json::object(), "read", "") == Access::allow);
  CHECK(decided({{"read", "deny"}}, "edit", "a.c") == Access::allow);
}

TEST_CASE("the special pattern counts over the general one") {
  const json rules = {{"edit", {{"*", "ask"}, {"db/**", "deny"}, {"*.md", "allow"}}}};
  CHECK(decided(rules, "edit", "a.c") == Access::ask);
  CHECK(decided(rules, "edit", "src/deep/a.c") == Access::ask);
  CHECK(decided(rules, "edit", "db/schema/1.sql") == Access::deny);
  CHECK(decided(rules, "edit", "doc/a.md") == Access::allow);
}

TEST_CASE("rules that cannot be understood are refused, not ignored") {
  for (const json& rules :
       {json("deny"), json{{"run", "ask"}}, json{{"edit", "no"}}, json{{"edit", {{"*", true}}}},
        json{{"read", {{"*.c", "ask"}}}}, json{{"edit", nullptr}}}) {
    CAPTURE(rules.dump());
    const auto parsed = Permissions::parse(rules);
    REQUIRE(!parsed.has_value());
    CHECK(parsed.error().message.starts_with("agent.permissions"));
  }
}
