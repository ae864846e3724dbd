#include "lsp/workspace/model_settings.h"

#include <doctest/doctest.h>

namespace bodkin::lsp {
namespace {

using Layer = Settings::Layer;

TEST_CASE("an endpoint and a key hold for the provider that is named beside them") {
  Settings settings;
  settings.set(
      Layer::user_file,
      {{"model",
        {{"provider", "openai-chat"}, {"endpoint", "https://one.example"}, {"apiKeyEnv", "ONE"}}}});
  ModelSettings given = model_settings(settings);
  CHECK(given.own.endpoint == "https://one.example");
  CHECK(given.own.api_key_env == "ONE");
  settings.set(Layer::chosen, {{"model", {{"provider", "openai"}}}});
  given = model_settings(settings);
  CHECK(given.own.endpoint.empty());
  CHECK(given.own.api_key_env.empty());
  // The same again, with another endpoint: the key was not given for that.
  settings.set(Layer::chosen,
               {{"model", {{"provider", "openai-chat"}, {"endpoint", "https://two.example"}}}});
  given = model_settings(settings);
  CHECK(given.own.endpoint == "https://two.example");
  CHECK(given.own.api_key_env.empty());
}

TEST_CASE("an endpoint without a provider is of nobody but auto") {
  Settings settings;
  settings.set(Layer::user_file, {{"model", {{"endpoint", "https://one.example"}}}});
  CHECK(model_settings(settings).own.endpoint == "https://one.example");
  CHECK(model_problems(settings).empty());
  settings.set(Layer::configuration, {{"model", {{"provider", "openai"}}}});
  CHECK(model_settings(settings).own.endpoint.empty());
  CHECK(model_problems(settings).size() == 1);
}

TEST_CASE("what belongs to a provider is found when it is chosen later") {
  Settings settings;
  settings.set(Layer::user_file,
               {{"model.providers",
                 {{"openai", {{"endpoint", "https://p.example"}, {"apiKeyEnv", "P"}}},
                  {"llama.cpp", {{"endpoint", "http://127.0.0.1:1"}}}}}});
  ModelSettings given = model_settings(settings);
  CHECK(given.own.endpoint.empty());
  CHECK(given.providers.at("openai").api_key_env == "P");
  CHECK(given.providers.at("llama.cpp").endpoint == "http://127.0.0.1:1");
  settings.set(Layer::chosen, {{"model", {{"provider", "openai"}}}});
  given = model_settings(settings);
  CHECK(given.own.endpoint == "https://p.example");
  CHECK(given.own.api_key_env == "P");
  // An endpoint above does not take the key from below.
  settings.set(Layer::configuration,
               {{"model.providers", {{"openai", {{"endpoint", "https://q.example"}}}}}});
  given = model_settings(settings);
  CHECK(given.own.endpoint == "https://q.example");
  CHECK(given.own.api_key_env.empty());
}

TEST_CASE("the second model is the main one but for what model.draft says") {
  const auto draft = [](const Json& given) {
    Settings settings;
    settings.set(Layer::user_file, {{"model",
                                     {{"provider", "openai-chat"},
                                      {"endpoint", "https://one.example/v1"},
                                      {"apiKeyEnv", "ONE"},
                                      {"name", "big"},
                                      {"draft", given}}},
                                    {"model.providers", {{"groq", {{"apiKeyEnv", "G"}}}}}});
    CHECK(model_settings(settings).name == "big");
    return draft_model_settings(settings);
  };
  CHECK_FALSE(draft(Json::object()).model);
  const DraftModelSettings plain = draft({{"temperature", 0.5}, {"prompt", "Merge."}});
  CHECK_FALSE(plain.model);
  CHECK(plain.temperature == 0.5);
  CHECK(plain.prompt == "Merge.");
  const auto small = draft({{"name", "small"}}).model;
  REQUIRE(small);
  CHECK(small->name == "small");
  CHECK(small->own.api_key_env == "ONE");
  CHECK(small->owns_key);
  const auto groq = draft({{"provider", "groq"}}).model;
  REQUIRE(groq);
  CHECK(groq->provider == "groq");
  CHECK(groq->name == "big");
  CHECK(groq->own.endpoint.empty());
  CHECK(groq->own.api_key_env == "G");
}

TEST_CASE("the main model's keys go to no other host of the second one") {
  const auto keys = [](const Json& given) {
    Settings settings;
    settings.set(Layer::user_file, {{"model",
                                     {{"provider", "openai-chat"},
                                      {"endpoint", "https://one.example/v1"},
                                      {"apiKeyEnv", "ONE"},
                                      {"draft", given}}}});
    const auto model = draft_model_settings(settings).model;
    REQUIRE(model);
    return std::pair(model->own.api_key_env, model->owns_key);
  };
  CHECK(keys({{"endpoint", "https://one.example/v2"}}) == std::pair(std::string("ONE"), true));
  CHECK(keys({{"endpoint", "https://two.example/v1"}}) == std::pair(std::string(), false));
  CHECK(keys({{"endpoint", "two.example"}}) == std::pair(std::string(), false));
  CHECK(keys({{"endpoint", "https://one.example:8443/v1"}}) == std::pair(std::string(), false));
  // Next to its provider it is as with the main model: that provider's own variable is meant.
  CHECK(keys({{"provider", "openai-chat"}, {"endpoint", "https://two.example"}}) ==
        std::pair(std::string(), true));
}

TEST_CASE("a second model that cannot be read is told") {
  for (const char* text :
       {R"({"model":{"draft":{"temperature":"hot"}}})", R"({"model":{"draft":{"name":5}}})",
        R"({"model":{"draft":{"key":"x"}}})", R"({"model":{"draft":{"provider":"nobody"}}})"}) {
    CAPTURE(text);
    Settings settings;
    settings.set(Layer::user_file, Json::parse(text));
    CHECK(model_problems(settings).size() == 1);
  }
}

TEST_CASE("providers that cannot be read are told") {
  for (const char* text :
       {R"({"model":{"providers":[]}})", R"({"model":{"providers":{"nobody":{}}}})",
        R"({"model":{"providers":{"openai":5}}})",
        R"({"model":{"providers":{"openai":{"apiKey":"x"}}}})",
        R"({"model":{"providers":{"openai":{"endpoint":5}}}})"}) {
    CAPTURE(text);
    Settings settings;
    settings.set(Layer::user_file, Json::parse(text));
    CHECK(model_problems(settings).size() == 1);
    (void)model_settings(settings);
  }
}

}  // namespace
}  // namespace bodkin::lsp
