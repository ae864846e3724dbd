#include "agent/edit_json.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace bodkin;

namespace {
Result<EditPlan> decoded(std::string_view text, Format format = Format::str_replace) {
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
    CHECK(hunk.within_lines);
    CHECK(hunk.lines.size() == 3);
    CHECK(hunk.lines[0] == HunkLine{HunkLine::Kind::context, "x"});
    CHECK(hunk.lines[2] == HunkLine{HunkLine::Kind::added, "z"});
  }
}

TEST_CASE("insert, create and write are told apart") {
  auto plan = decoded(R"({"command":"insert","path":"a","insert_line":2,"new_str":"n\n"})");
  REQUIRE(plan);
  CHECK(plan->changes.at(0).hunks.at(0).at_lines == LineRange{2, 2});
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
          {"start_line":7,"end_line":7,"replacement":""}])",
      Format::line_edits);
  REQUIRE(plan);
  const auto& hunks = plan->changes.at(0).hunks;
  REQUIRE(hunks.size() == 3);
  CHECK(hunks[0].at_lines == LineRange{2, 4});
  CHECK(hunks[0].lines.at(0).text == "  a");
  CHECK(hunks[1].at_lines == LineRange{8, 8});
  CHECK(hunks[2].at_lines == LineRange{6, 7});
  CHECK(hunks[2].lines.empty());
}

TEST_CASE("JSON that is cut off or says no edit is refused") {
  CHECK(decoded(R"([{"path":"a","old_str":"x)").error().message.starts_with("truncated"));
  CHECK(decoded(R"([{"path":"a","old_str":"x"},{"p)").error().message.starts_with("truncated"));
  for (const char* text :
       {"words", "[1]", R"({"path":"a","new_str":"x"})", "{]}", R"({"command":"view","path":"a"})",
        R"({"start_line":0,"end_line":3,"replacement":""})",
        R"({"start_line":5,"end_line":3,"replacement":""})"}) {
    CHECK_MESSAGE(decoded(text).error().message.starts_with("malformed"), text);
  }
}
