#include "agent/support/json.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "agent/models/replay.h"
#include "agent/placing/edit_json.h"
#include "agent/support/wire_json.h"

using namespace bodkin;
using nlohmann::json;

namespace {

std::string nested(size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

}  // namespace

TEST_CASE("JSON has one value, whatever its shape") {
  const auto value = parse_json(R"({"a": [1, -2, 2.5, "x\n", null, true, {}], "b": {"c": []}})");
  REQUIRE(value);
  CHECK(*value == json{{"a", {1, -2, 2.5, "x\n", nullptr, true, json::object()}},
                       {"b", {{"c", json::array()}}}});
  CHECK(parse_json("7") == json(7));
  CHECK(parse_json(R"({"a": 1, "a": 2})") == json{{"a", 2}});
  for (const char* wrong :
       {"", " ", "{", "[1,]", "{} {}", "nul", "\"\xff\"", "1e999", "{\"a\" 1}"}) {
    CHECK_FALSE(parse_json(wrong));
  }
}

TEST_CASE("JSON nested deeper than the limit is no JSON, however long it is") {
  CHECK(parse_json(nested(256)));
  CHECK_FALSE(parse_json(nested(257)));
  CHECK_FALSE(parse_json(std::string(20'000'000, '[')));
  CHECK_FALSE(parse_json("[\"]\", " + nested(256) + "]"));
  std::string objects;
  for (int i = 0; i < 300; ++i) objects += "{\"a\":";
  CHECK_FALSE(parse_json(objects + "1" + std::string(300, '}')));
  CHECK_FALSE(parse_json("/* \" */" + nested(257), {.comments = true}));
  CHECK(parse_json("/* [[[[ */ [1] // {{", {.comments = true}) == json{1});
  CHECK_FALSE(parse_json("[1] // no", {}));
}

TEST_CASE("A short text does not become a large tree") {
  std::string many = "[";
  for (int i = 0; i < 1000; ++i) many += "{},";
  many += "1]";
  CHECK(parse_json(many, {.values = 2000}));
  CHECK_FALSE(parse_json(many, {.values = 1000}));
}

// 100 kB of brackets went through a copy, a comparison or a print, each of which recurses.
TEST_CASE("Deep JSON of a model, in a reply, an argument or a recording, is refused") {
  const std::string deep = nested(100'000);
  CHECK_FALSE(parse_wire_json(deep));
  CHECK_FALSE(parse_wire_json("{\"error\": " + deep + "}"));
  CHECK_FALSE(parse_replay("{\"turns\": [{\"reply\": {\"tool_calls\": " + deep + "}}]}", "r.json"));
  const json call = {{"name", "str_replace"}, {"arguments", "{\"path\": " + deep + "}"}};
  const auto plan = plan_of_json(call, "a.c");
  CHECK_FALSE(plan);
}

// The rule that keeps the limit: nowhere else does text become JSON.
TEST_CASE("JSON is parsed in one place") {
  namespace fs = std::filesystem;
  const fs::path top = fs::path(BODKIN_TESTS_DIR).parent_path();
  for (const char* folder : {"agent", "lsp"}) {
    for (const auto& file : fs::directory_iterator(top / folder)) {
      if (file.path().extension() != ".cpp" && file.path().extension() != ".h") continue;
      std::ifstream in(file.path());
      const std::string text(std::istreambuf_iterator<char>(in), {});
      const bool may = file.path().filename() == "json.cpp";
      for (const char* way : {"son::parse(", "son::sax_parse(", "son::accept(", "_json;"}) {
        INFO(file.path().string(), ": ", way);
        CHECK((may || text.find(way) == std::string::npos));
      }
    }
  }
}

TEST_CASE("a parse ends when it is stopped") {
  std::string text = "[0";
  for (int i = 0; i < 1000; ++i) text += ",0";
  text += "]";
  std::stop_source stop;
  CHECK(parse_json(text, {}, stop.get_token()).has_value());
  stop.request_stop();
  CHECK(!parse_json(text, {}, stop.get_token()).has_value());
}
