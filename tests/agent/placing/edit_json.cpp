#include "agent/placing/edit_json.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace bodkin;

namespace {
FailureOr<EditPlan> decoded(std::string_view text, Format format = Format::str_replace) {
  return parse_reply(text, {format, "f.py", false});
}
}  // namespace

TEST_CASE("a string replacement is read in every tool's spelling, in a fence and after prose") {
  for (const char* text : {
           R"([{"path":"a.py","old_str":"x\ny","new_str":"x\nz"}])",
           R"({"filePath":"a.py","oldString":"x\ny","newString":"x\nz","replaceAll":false})",
           R"({"file_path":"a.py","edits":[{"old_string":"x\ny","new_string":"x\nz"}]})",
           "Here:\n```json\n{\"command\":\"str_replace\",\"path\":\"a.py\",\"old_str\":\"x\ny\","
           "\"new_str\":\"x\nz\",\"insert_line\":null}\n```\n",
       }) {
    CAPTURE(text);
    const auto plan = decoded(text);
    REQUIRE(plan);
    REQUIRE(plan->changes.size() == 1);
    CHECK(plan->changes[0].path == "a.py");
    const Hunk& hunk = plan->changes[0].hunks.at(0);
    CHECK(hunk.as<StringReplacement>());
    CHECK(hunk.lines.size() == 3);
    CHECK(hunk.lines[0] == HunkLine{HunkLine::Kind::context, "x"});
    CHECK(hunk.lines[2] == HunkLine{HunkLine::Kind::added, "z"});
  }
}

TEST_CASE("insert, create and write are told apart") {
  auto plan = decoded(R"({"command":"insert","path":"a","insert_line":2,"new_str":"n\n"})");
  REQUIRE(plan);
  CHECK(plan->changes.at(0).hunks.at(0).as<NumberedEdit>()->lines == LineRange{2, 2});
  CHECK(plan->changes.at(0).hunks.at(0).lines.size() == 1);
  plan = decoded(R"({"command":"create","path":"a","file_text":"n"})");
  REQUIRE(plan);
  CHECK(plan->changes.at(0).kind == FileChange::Kind::create);
  plan = decoded(R"({"path":"a","old_str":"","new_str":"n"})");
  REQUIRE(plan);
  CHECK(plan->changes.at(0).kind == FileChange::Kind::create);
  plan = decoded(R"({"path":"a","content":"n"})");
  REQUIRE(plan);
  CHECK(plan->changes.at(0).kind == FileChange::Kind::overwrite);
}

TEST_CASE("line edits count from 1 and lose the numbers of a listing") {
  const auto plan = decoded(
      R"([{"start_line":3,"end_line":4,"replacement":"3 |   a\n4 | b"},
          {"start_line":9,"end_line":8,"replacement":"new"},
          {"start_line":7,"end_line":7,"replacement":""},
          {"start_line":12,"end_line":13,"replacement":"    12\tc\n    13\t\n"}])",
      Format::line_edits);
  REQUIRE(plan);
  const auto& hunks = plan->changes.at(0).hunks;
  REQUIRE(hunks.size() == 4);
  CHECK(hunks[0].as<NumberedEdit>()->lines == LineRange{2, 4});
  CHECK(hunks[0].lines.at(0).text == "  a");
  CHECK(hunks[1].as<NumberedEdit>()->lines == LineRange{8, 8});
  CHECK(hunks[2].as<NumberedEdit>()->lines == LineRange{6, 7});
  CHECK(hunks[2].lines.empty());
  REQUIRE(hunks[3].lines.size() == 2);
  CHECK(hunks[3].lines[0].text == "c");
  CHECK(hunks[3].lines[1].text == "");
}

TEST_CASE("JSON that is cut off or says no edit is refused") {
  CHECK(decoded(R"([{"path":"a","old_str":"x)").error().kind == FailureKind::truncated);
  CHECK(decoded(R"([{"path":"a","old_str":"x"},{"p)").error().kind == FailureKind::truncated);
  for (const char* text :
       {"[1]", R"({"path":"a","new_str":"x"})", "{]}", R"({"command":"view","path":"a"})",
        R"({"start_line":0,"end_line":3,"replacement":""})",
        R"({"start_line":5,"end_line":3,"replacement":""})"}) {
    CHECK_MESSAGE(decoded(text).error().kind == FailureKind::malformed, text);
  }
}

TEST_CASE("JSON edits are found among prose, code and other formats") {
  const char* edit = R"({"path": "a.py", "old_str": "x", "new_str": "y"})";
  for (const std::string& reply : std::vector<std::string>{
           std::string(edit),
           "I change it:\n\n" + std::string(edit) + "\n\nDone.\n",
           "```json\n" + std::string(edit) + "\n```\n",
           "<tool_call>\n" + std::string(edit) + "\n</tool_call>\n",
           "<tool_call>{\"name\": \"str_replace\", \"arguments\": " + std::string(edit) +
               "}</tool_call>",
           "```\n{\n  \"edits\": [\n    " + std::string(edit) + ",\n  ],\n}\n```\n",
           R"({"tool_calls": [{"id": "1", "type": "function", "function": {"name": "edit",
             "arguments": "{\"path\": \"a.py\", \"old_str\": \"x\", \"new_str\": \"y\"}"}}]})",
           R"([TOOL_CALLS][{"name": "edit", "arguments": {"filePath": "a.py", "oldString": "x",
             "newString": "y", "replaceAll": false}}])",
           R"({"type": "tool_use", "name": "str_replace_based_edit_tool", "input":
             {"command": "str_replace", "path": "a.py", "old_str": "x", "new_str": "y"}})",
           "`a.py`\n\n```json\n{\"old_string\": \"x\", \"new_string\": \"y\"}\n```\n",
       }) {
    CAPTURE(reply);
    const auto plan = parse_reply(reply, {});
    REQUIRE_MESSAGE(plan, plan.error().message);
    REQUIRE(plan->changes.size() == 1);
    CHECK(plan->changes[0].path == "a.py");
    CHECK(plan->changes[0].kind == FileChange::Kind::update);
    CHECK(plan->changes[0].hunks.at(0).lines.size() == 2);
    CHECK(prose_of_reply(reply).find('{') == std::string::npos);
  }
  const auto mixed = parse_reply(
      "b.py\n<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE\n\n```json\n" + std::string(edit) +
          "\n" + std::string(edit) + "\n```\n\nc.py\n```python\nnew\n```\n",
      {});
  REQUIRE(mixed);
  REQUIRE(mixed->changes.size() == 2);
  REQUIRE(mixed->plain_fences.size() == 1);
  CHECK(mixed->plain_fences[0].path == "c.py");
  CHECK(mixed->changes[1].path == "a.py");
  CHECK(mixed->changes[1].hunks.size() == 2);
}

TEST_CASE("a patch within JSON is a patch") {
  for (
      const char* reply :
      {R"({"command": ["apply_patch", "*** Begin Patch\n*** Update File: a.py\n-x\n+y\n*** End Patch\n"]})",
       R"({"name": "apply_patch", "arguments": {"input": "*** Begin Patch\n*** Update File: a.py\n-x\n+y\n*** End Patch"}})",
       R"({"path": "a.py", "diff": "<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE"})"}) {
    CAPTURE(reply);
    const auto plan = parse_reply(reply, {});
    REQUIRE(plan);
    REQUIRE(plan->changes.size() == 1);
    CHECK(plan->changes[0].path == "a.py");
    CHECK(plan->changes[0].hunks.at(0).lines.size() == 2);
  }
}

TEST_CASE("JSON that is not an edit beyond doubt is left to the user, or to the file that it is") {
  for (const char* reply : {
           "```json\n{\"path\": \"/api\", \"content\": \"x\"}\n```\n",
           "{\"path\": \"a.py\", \"content\": \"x\", \"status\": 200}\n",
           "{\"start_line\": 1, \"end_line\": 2, \"text\": \"which file?\"}\n",
           "{\"name\": \"read_file\", \"arguments\": {\"path\": \"a.py\", \"start_line\": 1}}\n",
           "```cpp\nint a[] =\n{\"old_str\", \"new\"};\n```\n",
           "```python\nedit = f(\n{\"path\": \"a\", \"old_str\": \"x\", \"new_str\": "
           "\"y\"})\n```\n",
           "{ [ { words\n[1]\n{\"a\n",
       }) {
    CAPTURE(reply);
    const auto plan = parse_reply(reply, {});
    REQUIRE_MESSAGE(plan, plan.error().message);
    CHECK(plan->changes.empty());
    CHECK(parse_reply(reply, {}).has_value());
  }
  const auto file = parse_reply(
      "tests/edit.json\n```json\n{\"path\": \"a\", \"old_str\": \"x\", \"new_str\": \"y\"}\n```\n",
      {});
  REQUIRE(file);
  REQUIRE(file->changes.size() == 1);
  CHECK(file->changes[0].kind == FileChange::Kind::overwrite);
  CHECK(parse_reply("{\"path\": \"a\", \"old_str\": \"x\", \"new_s", {}).error().kind ==
        FailureKind::truncated);
  CHECK(parse_reply("{\"path\": \"a\", \"old_str\": \"x\" \"new_str\": 1}", {}).error().kind ==
        FailureKind::malformed);
}

TEST_CASE("brackets in brackets without end cost no stack") {
  for (const char* piece : {"[", "{\"edits\":[", "{\"a\":"}) {
    std::string text;
    while (text.size() < 1'000'000) text += piece;
    CHECK(!parse_reply(text, {Format::str_replace, "f.py", false}).has_value());
    CHECK(parse_reply(text, {}).has_value());
  }
}

TEST_CASE("of several edits in JSON none is dropped because it lacks a part") {
  const auto plan = parse_reply(
      "[{\"path\":\"a\",\"old_str\":\"x\",\"new_str\":\"y\"},\n "
      "{\"path\":\"b\",\"old_str\":\"x\"}]\n",
      {});
  REQUIRE(!plan);
  CHECK(plan.error().kind == FailureKind::malformed);
  CHECK(plan.error().message == "the JSON at line 1 of the edit contains 1 incomplete edits");
}
