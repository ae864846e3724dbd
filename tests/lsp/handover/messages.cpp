#include <doctest/doctest.h>

#include "lsp/handover/handover_messages.h"

namespace bodkin::handover {

TEST_CASE("requests and answers come back as they were sent") {
  const auto request = request_of(line_of(Request{
      "/r",
      {{{.path = "a", .rename_to = "b", .before = Text("old\n"), .after = Text("new \xC3\xA4")},
        {.path = "c", .before = Text("x")}}}}));
  REQUIRE(request);
  REQUIRE(request->files);
  CHECK(request->root == "/r");
  CHECK(request->files->at(0).rename_to == "b");
  CHECK(request->files->at(0).after == Text("new \xC3\xA4"));
  CHECK_FALSE(request->files->at(1).rename_to);
  CHECK_FALSE(request->files->at(1).after);
  CHECK_FALSE(request_of(line_of(Request{"/r", {}}))->files);
  CHECK(request->change.empty());
  const auto undo =
      request_of(line_of(Request{"/r", {{{.path = "a", .before = Text("x")}}}, "p0-1", true}));
  CHECK(undo->change == "p0-1");
  CHECK(undo->undoes);

  const auto seen = seen_of(line_of(Seen{{{"a", "text", false}, {"b", {}, true}}, true}));
  REQUIRE(seen);
  CHECK(seen->open.at(0).unsaved == "text");
  CHECK_FALSE(seen->open.at(1).unsaved);
  CHECK(seen->open.at(1).lost);
  CHECK(seen->moves_files);

  for (const auto state :
       {Answer::State::applied, Answer::State::refused, Answer::State::unknown}) {
    const auto answer = answer_of(line_of(Answer{state, "why", true, false}));
    REQUIRE(answer);
    CHECK(answer->state == state);
    CHECK(answer->words == "why");
    CHECK(answer->is_saved);
    CHECK_FALSE(answer->is_exact);
  }
}

TEST_CASE("what is no message is none") {
  for (const char* wrong :
       {"", "[]", "{", "null", R"({"open": 1})", R"({"state": "done"})", R"({"files": {}})",
        R"({"files": []})", R"({"files": [1]})", R"({"files": [{"path": "a", "after": "x"}]})",
        R"({"files": [{"before": "x"}]})"}) {
    CAPTURE(wrong);
    const auto request = request_of(wrong);
    CHECK((!request || (request->root.empty() && !request->files)));
    CHECK_FALSE(seen_of(wrong));
    CHECK_FALSE(answer_of(wrong));
  }
}

}  // namespace bodkin::handover
