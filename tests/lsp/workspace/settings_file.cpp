#include "lsp/workspace/settings_file.h"

#include <doctest/doctest.h>

namespace bodkin::lsp {

TEST_CASE("settings are written beside what is there, which stays as it is") {
  const TextSettings own = {{"model.provider", "ollama"}, {"model.name", "a\"b"}};
  const std::string added = R"(  "bodkin.model.provider": "ollama",)"
                            "\n"
                            R"(  "bodkin.model.name": "a\"b")";
  CHECK(with_texts("{}\n", own) == "{\n" + added + "\n}\n");
  CHECK(with_texts("{ // mine\n  \"bodkin.agent.mode\": \"plan\", // kept\n}", own) ==
        std::nullopt);  // that comma is none of JSON's
  CHECK(with_texts("{\n  \"bodkin.agent.mode\": \"plan\" // kept\n}", own) ==
        "{\n" + added + ",\n  \"bodkin.agent.mode\": \"plan\" // kept\n}");
  CHECK(with_texts(R"({"model.name" : "x\"\\", "bodkin.model.provider":"auto"})", own) ==
        R"({"model.name" : "a\"b", "bodkin.model.provider":"ollama"})");
}

TEST_CASE("settings that only a person can write are left alone") {
  const TextSettings own = {{"model.provider", "ollama"}};
  for (const char* text :
       {"", "[]", "{", R"({"bodkin.model.provider": "auto", "bodkin.model.provider": "openai"})",
        R"({"bodkin.model.provider": 1})", R"({"bodkin.model.provider": {"a": "b"}})",
        R"({/* "bodkin.model.provider": "x" */ "bodkin.model.provider": "auto"})"})
    CHECK_MESSAGE(with_texts(text, own) == std::nullopt, text);
}

}  // namespace bodkin::lsp
