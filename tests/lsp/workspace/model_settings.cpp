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
