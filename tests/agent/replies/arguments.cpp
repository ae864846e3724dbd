#include "agent/replies/arguments.h"

#include <doctest/doctest.h>

using namespace bodkin;

TEST_CASE("arguments with one reading are repaired, and it is said what") {
  const struct {
    std::string_view text, value, repaired;
  } cases[] = {
      {R"({"a":"b"})", R"({"a":"b"})", ""},
      {"{\"a\":\"x\ny\"}", R"({"a":"x\ny"})", "raw line ends or tabs in strings"},
      {R"({"a":[1,2,],})", R"({"a":[1,2]})", "a comma before a closing bracket"},
      {"```json\n{\"a\":1}\n```", R"({"a":1})", "a fence"},
      {R"({}{"a":1})", R"({"a":1})", "an empty object before it"},
      {R"({"a":1}{"a":1})", R"({"a":1})", "the same object twice"},
      {R"({"a":{"b":1}}})", R"({"a":{"b":1}})", "brackets or tags behind it"},
      {"{\"a\":1}\n</tool_call><|im_end|>", R"({"a":1})", "brackets or tags behind it"},
      {R"({"a":"b")", R"({"a":"b"})", "a missing bracket at its end"},
      {"{\"a\":{\"b\":\"c\nd\"", R"({"a":{"b":"c\nd"}})",
       "raw line ends or tabs in strings, a missing bracket at its end"},
  };
  for (const auto& one : cases) {
    CAPTURE(one.text);
    const auto read = read_arguments(one.text);
    REQUIRE(read);
    CHECK(read->value.dump() == one.value);
    CHECK(read->repaired == one.repaired);
  }
}

TEST_CASE("arguments with several readings, or none, are left alone") {
  for (const char* text : {"", "x", "[1]", R"({"a":1}{"a":2})", R"({"a":1,"a":2})", R"({"a":1)",
                           R"({"a":"b)", R"({"a":"b"} and more)", R"({"a":)", R"({"a":"b",)"}) {
    CAPTURE(text);
    CHECK_FALSE(read_arguments(text));
  }
}

TEST_CASE("names lose what templates leave on them, if a tool is meant") {
  const auto is_tool = [](std::string_view name) { return name == "edit" || name == "docs:2"; };
  for (const char* name : {"edit", "edit<|channel|>commentary", "functions.edit", "edit:0",
                           " edit ", "functions.edit:12", "assistant to=functions.edit", "\"edit\"",
                           "edit</tool_call>", "default_api.edit"})
    CHECK_MESSAGE(cleaned_name(name, is_tool) == "edit", name);
  CHECK(cleaned_name("docs:2", is_tool) == "docs:2");
  CHECK(cleaned_name("functions.walk", is_tool) == "functions.walk");
}
