#include "agent/models/model_facts.h"

#include <doctest/doctest.h>

using namespace bodkin;

TEST_CASE("a model is found by its name with a date, a vendor or nothing more") {
  CHECK(facts_of("claude-opus-5-5").price.input == 4);
  CHECK(facts_of("claude-opus-5-20260724").price.input == 5);
  CHECK(facts_of("anthropic/claude-opus-5").price.input == 5);
  CHECK_FALSE(facts_of("claude-opus-5-6").price.input);
  CHECK_FALSE(facts_of("claude-opus").window);
  CHECK_FALSE(facts_of("").window);
}

TEST_CASE("a price counts cached tokens apart, and is unknown where one part is") {
  const Usage usage{1'000'000, 500'000, 100'000, 200'000, 0};
  const auto cost = cost_of(facts_of("claude-opus-5"), usage);
  REQUIRE(cost.has_value());
  CHECK(*cost == doctest::Approx(0.4 * 5 + 0.5 * 0.5 + 0.1 * 6.25 + 0.2 * 25));
  CHECK(*cost_of(facts_of("claude-opus-5"), {1'000'000, 0, 1'000'000, 0, 0, 400'000}) ==
        doctest::Approx(0.6 * 6.25 + 0.4 * 10));
  CHECK_FALSE(cost_of(facts_of("gemini-3.8-flash"), usage));  // no price for the cache
  CHECK_FALSE(cost_of(facts_of("a-model-that-nobody-knows"), usage));
  CHECK_FALSE(cost_of(facts_of("gpt-6-luna"), {300'000, 0, 0, 1, 0}));  // long prompts cost more
  CHECK(cost_of(facts_of("claude-haiku-5-5"), {100'000, 0, 0, 0, 0}) == doctest::Approx(0.01));
  CHECK(cost_of(facts_of("claude-haiku-5-5"), {200'000, 0, 0, 0, 0}) == doctest::Approx(0.1));
  CHECK(cost_of(facts_of("gpt-6-luna"), {1'000'000 / 10, 0, 0, 0, 0}) == doctest::Approx(0.01));
}

TEST_CASE("a price counts from its day") {
  CHECK(facts_of("gemini-4-argon", nullptr, "2026-11-30").price.output == 10);
  CHECK(facts_of("gemini-4-argon", nullptr, "2026-12-01").price.output == 20);
}

TEST_CASE("the edit format is Aider's choice for the model, or the user's own") {
  CHECK(facts_of("gemini-2.5-pro").edit_format == "diff-fenced");
  CHECK(facts_of("google/gemini-2.5-pro-preview-06-05").edit_format == "diff-fenced");
  CHECK(facts_of("gpt-4-turbo-2024-04-09").edit_format == "udiff");
  CHECK(facts_of("gpt-4o").edit_format == "diff");
  CHECK(facts_of("gpt-4o-mini").edit_format == "whole");
  CHECK(facts_of("o1-mini").edit_format == "whole");
  CHECK(facts_of("claude-3-5-sonnet-20241022").edit_format == "diff");
  CHECK(facts_of("a-model-that-nobody-knows").edit_format == "");
  const nlohmann::json own = {{"gpt-4o", {{"edit_format", "patch"}}}};
  CHECK(facts_of("gpt-4o", own).edit_format == "patch");
}

TEST_CASE("the user's own entry stands above the table, field by field") {
  const nlohmann::json own = {{"claude-opus-5", {{"window", 5}, {"price", {{"input", 1}}}}},
                              {"vendor/mine-1.5", {{"tools", false}}}};
  CHECK(facts_of("claude-opus-5-20260724", own).window == 5);
  CHECK(facts_of("claude-opus-5", own).price.input == 1);
  CHECK(facts_of("claude-opus-5", own).price.output == 25);
  CHECK(facts_of("vendor/mine-1.5", own).has_tools == false);
  CHECK(facts_of("claude-opus-5-5", own).window == 1'000'000);
  CHECK(facts_of("claude-opus-7", own).dialect == "anthropic");  // by a pattern
  CHECK(facts_of("openai/gpt-5.3-codex-max").dialect == "codex");
  CHECK(facts_of("gpt-4o").dialect == "");
  CHECK(facts_of("claude-opus-5").price.input == 5);  // a name before a pattern
  const nlohmann::json patterns = {{"local-*", {{"window", 7}}}, {"local-*-big", {{"window", 8}}}};
  CHECK(facts_of("local-a", patterns).window == 7);
  CHECK(facts_of("local-a-big", patterns).window == 8);
  CHECK_FALSE(facts_of("a-local-a", patterns).window);
}
