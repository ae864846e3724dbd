#include "agent/rpc/lsp_structs.h"

#include <doctest/doctest.h>

namespace bodkin::rpc {
namespace {

TEST_CASE("diagnostics are read as servers write them, and what has no range is left out") {
  const auto params = decode<PublishDiagnosticsParams>(Json::parse(R"({
    "uri": "file:///a.cpp", "version": 3, "diagnostics": [
      {"range": {"start": {"line": 1, "character": 2}, "end": {"line": 1, "character": 5}},
       "severity": 2, "message": "unused", "source": "clang", "code": "unused-variable"},
      {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 9e99, "character": -1}},
       "severity": 18446744073709551615, "message": 7, "code": 1234},
      {"message": "nowhere"}, null, [], {"range": {"start": 1}}]})"));
  REQUIRE(params);
  CHECK(params->uri == "file:///a.cpp");
  CHECK(params->version == 3);
  REQUIRE(params->diagnostics.size() == 2);
  const PublishedDiagnostic& first = params->diagnostics[0];
  CHECK(first.range == Range{{1, 2}, {1, 5}});
  CHECK(first.severity == 2);
  CHECK(first.message + "/" + first.source + "/" + first.code == "unused/clang/unused-variable");
  const PublishedDiagnostic& second = params->diagnostics[1];
  CHECK(second.range.end.character == 0);
  CHECK(second.severity >= 1);
  CHECK(second.severity <= 4);
  CHECK(second.message.empty());
  CHECK(second.code == "1234");
}

TEST_CASE("params of another form are an error, never an exception") {
  for (const char* json :
       {"null", "[]", "7", "{}", R"({"uri": 1, "diagnostics": []})", R"({"uri": "file:///a"})"}) {
    CAPTURE(json);
    CHECK(!decode<PublishDiagnosticsParams>(Json::parse(json)));
  }
  CHECK(!decode<PublishDiagnosticsParams>(Json::parse(R"({"uri": "u", "diagnostics": []})"))
             ->version);
  CHECK(version_at({{"version", 1e300}}, "version"));
  CHECK(version_at({{"version", 3.0}}, "version") == 3);
  CHECK(!version_at({{"version", 3.5}}, "version"));
}

TEST_CASE("a text document item is written as it is read") {
  const TextDocumentItem item{"file:///a.py", "python", "x = 1\n", 4};
  const auto read = decode<TextDocumentItem>(Json(item));
  REQUIRE(read);
  CHECK(read->uri == item.uri);
  CHECK(read->language_id == item.language_id);
  CHECK(read->text == item.text);
  CHECK(read->version == 4);
}

}  // namespace
}  // namespace bodkin::rpc
