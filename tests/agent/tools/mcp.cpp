#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>

#include "agent/tools/mcp_messages.h"
#include "agent/tools/mcp_settings.h"
#include "agent/tools/tool_schema.h"

using namespace bodkin;
using nlohmann::json;

namespace {

json schema_of(json properties) {
  return {{"type", "object"}, {"properties", std::move(properties)}};
}

McpToolList list_of(const json& tools) {
  McpToolList list;
  for (const json& tool : tools) list.add("docs", tool);
  return list;
}

// Why a tool is left out; empty: it is offered.
std::string why_not(const json& tool) {
  const McpToolList list = list_of(json::array({tool}));
  REQUIRE(list.tools.size() + list.left_out.size() == 1);
  return list.left_out.empty() ? "" : list.left_out[0];
}

}  // namespace

TEST_CASE("a server's settings are read, and what it is given is no more than they say") {
  const McpSettings read = mcp_settings(json::parse(R"({
    "docs": {"command": "docs-mcp", "args": ["--stdio", ""], "env": {"A": "1"},
             "environment": ["TOKEN"], "network": true, "readable": ["~/docs"], "timeoutMs": 500},
    "own": {"type": "stdio", "command": "/opt/own", "sandbox": false},
    "web": {"type": "http", "url": "https://x.y/mcp", "headers": {"A": "Bearer ${B}"}},
    "off": {"command": "x", "disabled": true}})"));
  CHECK(read.problems.empty());
  REQUIRE(read.servers.size() == 3);
  const McpServer& docs = read.servers[0];
  CHECK(docs.command == std::vector<std::string>{"docs-mcp", "--stdio", ""});
  CHECK(docs.set_variables == std::vector<std::string>{"A=1"});
  CHECK(docs.also_variables == std::vector<std::string>{"TOKEN"});
  CHECK((docs.is_confined && docs.network && docs.timeout.count() == 500));
  CHECK_FALSE(read.servers[1].is_confined);
  CHECK_FALSE(read.servers[1].network);
  const McpServer& web = read.servers[2];
  CHECK((web.url == "https://x.y/mcp" && web.command.empty() && !web.is_confined));
}

TEST_CASE("a header's variables are ours, and what no header can have is refused") {
  static char token[] = "BODKIN_TEST_TOKEN=t1", lines[] = "BODKIN_TEST_LINES=a\r\nHost: b";
  ::putenv(token);
  ::putenv(lines);
  const auto headers_of = [](const char* value) {
    McpServer server;
    server.name = "a";
    server.url = "https://x.y";
    server.headers = {{"X", value}};
    return expanded_headers(server);
  };
  for (const auto& [value, wanted] : std::initializer_list<std::pair<const char*, const char*>>{
           {"plain", "X: plain"},
           {"Bearer ${BODKIN_TEST_TOKEN}", "X: Bearer t1"},
           {"${BODKIN_TEST_TOKEN}-${BODKIN_TEST_TOKEN}", "X: t1-t1"},
           {"$BODKIN_TEST_TOKEN ${", "X: $BODKIN_TEST_TOKEN ${"}}) {
    const auto headers = headers_of(value);
    REQUIRE(headers);
    CHECK(*headers == std::vector<std::string>{wanted});
  }
  CHECK(headers_of("${BODKIN_TEST_UNSET}").error().message.contains("BODKIN_TEST_UNSET"));
  CHECK(headers_of("${}").error().message.contains("is not set"));
  CHECK(headers_of("${BODKIN_TEST_LINES}").error().message.contains("no HTTP header"));
  McpServer of_editor;  // whose values are meant as they are
  of_editor.headers = {{"X", "${BODKIN_TEST_TOKEN}"}};
  of_editor.has_variables = false;
  CHECK(*expanded_headers(of_editor) == std::vector<std::string>{"X: ${BODKIN_TEST_TOKEN}"});
}

TEST_CASE("a server with an invalid setting is not used, and the user is told why") {
  for (const auto& [given, why] : std::initializer_list<std::pair<const char*, const char*>>{
           {R"({"a": 1})", "must be an object"},
           {R"({"a": {}})", "has no \"command\""},
           {R"({"a": {"command": ""}})", "\"command\" is empty"},
           {R"({"a": {"command": ["x"]}})", "\"command\" must be a string"},
           {R"({"a": {"command": "x\u0000y"}})", "\"command\" must be a string"},
           {R"({"a": {"command": "x", "args": "y"}})", "\"args\" must be a list of strings"},
           {R"({"a": {"command": "x", "env": ["A=1"]}})", "\"env\" must be an object of strings"},
           {R"({"a": {"command": "x", "env": {"A=B": "1"}}})", "invalid variable name"},
           {R"({"a": {"command": "x", "sandbox": "no"}})", "\"sandbox\" must be true or false"},
           {R"({"a": {"command": "x", "timeoutMs": 0}})", "timeoutMs"},
           {R"({"a": {"command": "x", "cwd": "/"}})", "unknown member \"cwd\""},
           {R"({"a": {"type": "http"}})", "has no \"url\""},
           {R"({"a": {"type": "sse", "url": "https://x"}})", "others are not supported"},
           {R"({"a": {"url": ""}})", "\"url\" is empty"},
           {R"({"a": {"url": "x"}})", "must begin with http"},
           {R"({"a": {"url": "file:///etc/passwd"}})", "must begin with http"},
           {R"({"a": {"url": "https://me:pw@x"}})", "must not contain a user name"},
           {R"({"a": {"url": "https://x", "command": "y"}})", "\"command\" is for a program"},
           {R"({"a": {"url": "https://x", "sandbox": true}})", "\"sandbox\" is for a program"},
           {R"({"a": {"command": "x", "headers": {"A": "b"}}})", "are for a server with a"},
           {R"({"a": {"url": "https://x", "headers": ["A: b"]}})", "must be an object of strings"},
           {R"({"a": {"url": "https://x", "headers": {"A b": "c"}}})", "invalid name or value"},
           {R"({"a": {"url": "https://x", "headers": {"A": "b\r\nC: d"}}})", "invalid name or"},
           {R"({"a": {"url": "https://x", "headers": {"Content-Type": "b"}}})", "bodkin sets"},
           {R"({"a": {"url": "https://x", "headers": {"mcp-session-id": "b"}}})", "bodkin sets"},
           {R"({"a": {"url": "http://x.y:8080", "headers": {"A": "b"}}})",
            "not sent to http://x.y:8080 unencrypted"},
           {R"({"a__b": {"command": "x"}})", "not a valid name"},
           {R"({"a/b": {"command": "x"}})", "not a valid name"},
           {R"({"": {"command": "x"}})", "not a valid name"},
           {R"([1])", "must be an object of servers"}}) {
    CAPTURE(given);
    const McpSettings read = mcp_settings(json::parse(given));
    CHECK(read.servers.empty());
    REQUIRE(read.problems.size() == 1);
    CHECK(read.problems[0].find(why) != std::string::npos);
  }
  CHECK(mcp_settings(json::array()).problems.empty());  // an empty table of Lua
  for (const char* url : {"http://localhost:1", "http://127.0.0.1/mcp", "http://insecure.net"}) {
    const json web = {{"a", {{"url", url}, {"headers", {{"A", "b"}}}}}};
    CHECK(mcp_settings(web, {"insecure.net"}).servers.size() == 1);
  }
}

TEST_CASE("a server's tools have names that every model's API accepts, and no two the same") {
  const McpToolList list =
      list_of({{{"name", "a.b"}, {"inputSchema", schema_of({})}},
               {{"name", "a/b"}, {"inputSchema", schema_of({})}},
               {{"name", std::string(100, 'x')}, {"inputSchema", schema_of({})}},
               {{"name", std::string(101, 'x')}, {"inputSchema", schema_of({})}},
               {{"name", "a_b"}, {"inputSchema", schema_of({})}},
               {{"name", "look up"}, {"inputSchema", schema_of({})}},
               {{"name", "docs:largo_año"}, {"inputSchema", schema_of({})}},
               {{"name", "検索"}, {"inputSchema", schema_of({})}},
               {{"name", "索引"}, {"inputSchema", schema_of({})}}});
  REQUIRE(list.tools.size() == 9);
  CHECK(list.tools[0].spec.name == "docs__a_b");
  CHECK(list.tools[5].spec.name == "docs__look_up");
  CHECK(list.tools[6].spec.name == "docs__docs_largo_a_o");
  CHECK(list.tools[7].name == "検索");
  std::vector<std::string> names;
  for (const McpTool& tool : list.tools) {
    names.push_back(tool.spec.name);
    CHECK(tool.spec.name.size() <= 64);
    CHECK(tool.spec.name.starts_with("docs__"));
    CHECK(std::ranges::all_of(tool.spec.name, [](char c) {
      return (std::isalnum(static_cast<unsigned char>(c)) != 0) || c == '_' || c == '-';
    }));
  }
  std::ranges::sort(names);
  CHECK(std::ranges::adjacent_find(names) == names.end());
}

TEST_CASE(
    "the tools of two servers have two names, also where a server's name ends like a tool's") {
  const auto is_free = [](const std::string&) { return false; };
  const std::string first = name_for_model("a_", "b", is_free);
  CHECK(name_for_model("a", "_b", is_free) == first);
  const auto is_first = [&](const std::string& name) { return name == first; };
  const std::string second = name_for_model("a", "_b", is_first);
  CHECK(second != first);
  CHECK(second.starts_with("a___b_"));
  CHECK(name_for_model(std::string(32, 'a'), std::string(60, 'b'), is_first).size() == 64);
}

TEST_CASE("a tool that could not be called, or would hide something, is left out with the reason") {
  const auto named = [](const json& name, const json& schema) {
    return json{{"name", name}, {"inputSchema", schema}};
  };
  json deep = json::object();
  for (int i = 0; i < 40; ++i) deep = {{"items", deep}};
  CHECK(why_not(json("no tool")) == " (its name is not valid)");
  CHECK(why_not(named("a\nb", schema_of({}))) == "a b (its name is not valid)");
  CHECK(why_not(named(std::string(129, 'x'), schema_of({}))).ends_with("(its name is not valid)"));
  CHECK(why_not(named("a", nullptr)) == "a (it has no schema)");
  CHECK(why_not(named("a", {{"type", "array"}})) == "a (its arguments are not an object)");
  CHECK(why_not(named("a", schema_of({{"x y", json::object()}}))) ==
        "a (an argument's name is not accepted by models)");
  CHECK(why_not(named("a", schema_of({{"x", 1}}))) == "a (its schema is not valid)");
  CHECK(why_not(named("a", schema_of({{"x", deep}}))).find("too deeply") != std::string::npos);
  CHECK(why_not(named("a", schema_of({{"x", {{"description", std::string(50'000, 'x')}}}}))) ==
        "a (its schema is too long)");
  CHECK(why_not(named("a", {{"properties", {{"x", {{"enum", {"\x1b[0m"}}}}}}})).empty());
  json wrong = schema_of({});
  wrong["required"] = "x";
  CHECK(why_not(named("a", wrong)) == "a (its schema is not valid)");

  json many = json::array();
  for (int i = 0; i < 100; ++i) many.push_back(named("t" + std::to_string(i), schema_of({})));
  CHECK(list_of(many).tools.size() == McpToolList::kMax);
}

TEST_CASE(
    "what acts in a description is made visible, and what APIs refuse is taken from a schema") {
  json schema = schema_of({{"x", {{"type", "string"}, {"description", "\x1b[31mred"}}}});
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  const McpToolList list = list_of({{{"name", "a"},
                                     {"description", "Reads.\xF3\xA0\x81\x81 \xE2\x80\xAE"},
                                     {"inputSchema", schema}}});
  REQUIRE(list.tools.size() == 1);
  const ToolSpec& spec = list.tools[0].spec;
  CHECK(spec.description == "Reads.<U+E0041> <U+202E>");
  CHECK(spec.parameters.dump().find("\\u001b") == std::string::npos);
  CHECK(spec.parameters.size() == 2);  // type, properties
  schema["oneOf"] = {{{"required", {"x"}}}, {{"required", {"y"}}}};
  CHECK(list_of({{{"name", "a"}, {"inputSchema", schema}}}).tools[0].spec.description ==
        "a\nThe arguments must also match this JSON Schema: "
        R"({"oneOf":[{"required":["x"]},{"required":["y"]}]})");
  schema["properties"]["x"]["description"] = "other";
  const McpToolList changed = list_of({{{"name", "a"}, {"inputSchema", schema}}});
  CHECK(changed.tools[0].version != list.tools[0].version);
}

TEST_CASE("a schema becomes one that every model's API accepts, and what that leaves out is told") {
  std::ifstream file(BODKIN_TESTS_DIR "/agent/tools/tool_schemas.json");
  const json cases = json::parse(file);
  REQUIRE_FALSE(cases.empty());
  for (const json& one : cases) {
    CAPTURE(one["name"].get<std::string>());
    const ToolSchema made = tool_schema(one["given"]);
    CHECK(made.reason == one.value("refused", ""));
    if (one.contains("refused")) continue;
    CHECK(made.schema == one["schema"]);
    CHECK((made.rule.empty() ? json() : json::parse(made.rule)) == one.value("rule", json()));
  }
}

TEST_CASE("references that multiply make a schema too long, in no time") {
  json schema = {{"$ref", "#/$defs/s0"}};
  for (int i = 0; i < 20; ++i) {
    const json next = {{"$ref", "#/$defs/s" + std::to_string(i + 1)}};
    schema["$defs"]["s" + std::to_string(i)] = schema_of({{"a", next}, {"b", next}, {"c", next}});
  }
  CHECK(tool_schema(schema).reason == "its schema is too long");
}

TEST_CASE("a result is its texts; structured content counts only if there is none") {
  const auto text = [](const char* words) { return json{{"type", "text"}, {"text", words}}; };
  CHECK(read_mcp_result({{"content", {text("a"), text("b")}}, {"structuredContent", {{"x", 1}}}},
                        false)
            .text == "a\nb\n");
  CHECK(read_mcp_result({{"content", json::array()}, {"structuredContent", {{"x", 1}}}}, false)
            .text == "{\n \"x\": 1\n}\n");
  CHECK(read_mcp_result({{"content", {text("no")}}, {"isError", true}}, false).is_error);
  for (const char* odd : {"{}", R"({"content": 5})", R"({"content": [null, 1, "x", {}, []]})",
                          R"({"content": {"type": 1}, "isError": "yes"})"}) {
    CAPTURE(odd);
    const McpResult result = read_mcp_result(json::parse(odd), true);
    CHECK_FALSE(result.text.empty());
    CHECK_FALSE(result.is_error);
  }
  CHECK(read_mcp_result(5, false).is_error);
  CHECK(read_mcp_result({{"resultType", "input_required"}}, false).is_error);
}

TEST_CASE("what is left out of a result for its size is told") {
  const json text = {{"type", "text"}, {"text", std::string(3'000'000, 'x')}};
  const auto result = read_mcp_result({{"content", json::array({text, text})}}, false);
  CHECK(result.text.size() < 4'001'000);
  CHECK(result.text.ends_with(
      "[2000001 more bytes, which bodkin does not keep: the limit of a result is 4000000]\n"));
}

TEST_CASE("an image is passed on only if the model takes it and it is one") {
  const auto image = [](const char* type, std::string data) {
    return json{{"content", {{{"type", "image"}, {"mimeType", type}, {"data", std::move(data)}}}}};
  };
  CHECK(read_mcp_result(image("image/png", "iVBORw0K"), true).images.size() == 1);
  CHECK(read_mcp_result(image("image/png", "iVBORw0K"), false).images.empty());
  CHECK(read_mcp_result(image("image/png", "no base64!"), true).images.empty());
  CHECK(read_mcp_result(image("image/svg+xml", "iVBORw0K"), true).images.empty());
  CHECK(read_mcp_result(image("image/png", std::string(8'000'000, 'A')), true).images.empty());
}
