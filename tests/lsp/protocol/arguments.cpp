#include "lsp/protocol/arguments.h"

#include <doctest/doctest.h>

namespace bodkin::lsp {
namespace {

TEST_CASE("arguments that are well are decoded") {
  const auto given = arguments_of(
      "m", "textDocument, range?, prompt?, hunks?, attachments?, diagnostics?, proposalId?",
      Json::parse(R"({"textDocument":{"uri":"file:///a","version":3},
                      "range":{"start":{"line":1,"character":0},"end":{"line":2.0,"character":1e300}},
                      "prompt":"","hunks":[2,0],"attachments":["file:///b"],
                      "diagnostics":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},
                                      "message":"m"}],"proposalId":"p1"})"));
  REQUIRE(given.has_value());
  CHECK(given->uri == "file:///a");
  CHECK(given->range->end.line == 2);
  CHECK(given->range->end.character == 4'000'000'000);
  CHECK(given->hunks == std::vector<size_t>{2, 0});
  CHECK(given->attachments.size() == 1);
  CHECK(given->diagnostics->size() == 1);
  CHECK(given->proposal_id == "p1");
  CHECK(arguments_of("m", "hunk?, hunks?", {{"hunk", 7u}})->hunks == std::vector<size_t>{7});
  CHECK(!arguments_of("m", "hunks?", Json::object())->hunks);
  CHECK(!arguments_of("m", "hunks?", nullptr)->hunks);
}

TEST_CASE("arguments that are not are errors, and name the method") {
  const char* takes =
      "textDocument?, range?, prompt?, hunk?, hunks?, attachments?, diagnostics?, proposalId?, "
      "choice?, uri?, name?";
  for (const char* text :
       {R"(7)",
        R"("p1")",
        R"([])",
        R"([{}])",
        R"(true)",
        R"({"hunks":[]})",
        R"({"hunks":["1"]})",
        R"({"hunk":"1"})",
        R"({"hunks":1})",
        R"({"hunks":[-1]})",
        R"({"hunks":[1.5]})",
        R"({"hunks":[1,1]})",
        R"({"hunks":[99999999999999999999]})",
        R"({"hunks":null})",
        R"({"hunks":[null]})",
        R"({"hunks":[[0]]})",
        R"({"hunks":{"0":0}})",
        R"({"hunks":[true]})",
        R"({"hunk":0,"hunks":[1]})",
        R"({"hunk":-1})",
        R"({"hunk":[0]})",
        R"({"hunk":null})",
        R"({"hunkz":[0]})",
        R"({"Hunks":[0]})",
        R"({"proposalId":""})",
        R"({"proposalId":1})",
        R"({"proposalId":null})",
        R"({"proposalId":["p1"]})",
        R"({"textDocument":"file:///a"})",
        R"({"textDocument":{}})",
        R"({"textDocument":{"uri":""}})",
        R"({"textDocument":{"uri":5}})",
        R"({"range":{}})",
        R"({"range":[]})",
        R"({"range":{"start":{"line":0,"character":0}}})",
        R"({"range":{"start":{"line":2,"character":0},"end":{"line":1,"character":0}}})",
        R"({"range":{"start":{"line":1,"character":5},"end":{"line":1,"character":4}}})",
        R"({"range":{"start":{"line":-1,"character":0},"end":{"line":1,"character":0}}})",
        R"({"range":{"start":{"line":0.5,"character":0},"end":{"line":1,"character":0}}})",
        R"({"range":{"start":{"line":"0","character":0},"end":{"line":1,"character":0}}})",
        R"({"attachments":"file:///a"})",
        R"({"attachments":[""]})",
        R"({"attachments":[5]})",
        R"({"diagnostics":[]})",
        R"({"diagnostics":{}})",
        R"({"diagnostics":["x"]})",
        R"({"diagnostics":[{"message":"no range"}]})",
        R"({"prompt":5})",
        R"({"prompt":["x"]})",
        R"({"choice":"yes"})",
        R"({"choice":""})",
        R"({"uri":{}})",
        R"({"name":0})"}) {
    CAPTURE(text);
    const auto given = arguments_of("bodkin.m", takes, Json::parse(text));
    REQUIRE(!given.has_value());
    CHECK(given.error().message.starts_with("bodkin.m"));
    CHECK(given.error().message.ends_with('.'));
  }
  CHECK(!arguments_of("m", "proposalId", nullptr).has_value());
  CHECK(!arguments_of("m", "proposalId", Json::object()).has_value());
  CHECK(!arguments_of("m", "", {{"x", 1}}).has_value());
}

TEST_CASE("a command has one argument, or none") {
  CHECK(argument_in("m", Json::object())->is_null());
  CHECK(argument_in("m", {{"arguments", nullptr}})->is_null());
  CHECK(argument_in("m", {{"arguments", Json::array()}})->is_null());
  CHECK(argument_in("m", {{"arguments", Json::array({nullptr})}})->is_null());
  CHECK(argument_in("m", {{"arguments", Json::array({{{"a", 1}}})}}) == Json{{"a", 1}});
  CHECK(!argument_in("m", {{"arguments", Json::array({1, 2})}}).has_value());
  CHECK(!argument_in("m", {{"arguments", {{"hunks", 1}}}}).has_value());
  CHECK(!argument_in("m", {{"arguments", "p1"}}).has_value());
}

}  // namespace
}  // namespace bodkin::lsp
