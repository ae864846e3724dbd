#include "agent/replies/calls.h"

#include <doctest/doctest.h>

#include "agent/support/json.h"

using namespace bodkin;
using nlohmann::json;

namespace {

const json kEdit = *parse_json(
    R"({"type":"object","properties":{"path":{"type":"string"},"old":{"type":"string"},
        "new":{"type":"string"},"all":{"type":"boolean"}},"required":["path","old","new"]})");
const json kLook = *parse_json(
    R"({"type":"object","properties":{"path":{"type":"string"},"first":{"type":"integer"},
        "names":{"type":"array"}},"required":["path"]})");
const OfferedTool kTools[] = {{"edit", &kEdit}, {"look", &kLook}};

// Of the call edit{path: lamp.py, old: "a\n  b", new: "c"}.
const std::string_view kForms[] = {
    "<tool_call>\n{\"name\": \"edit\", \"arguments\": {\"path\": \"lamp.py\", \"old\": \"a\\n  "
    "b\", "
    "\"new\": \"c\"}}\n</tool_call>",
    "<tool_call>\n{\"name\": \"edit\", \"arguments\": {\"path\": \"lamp.py\", \"old\": \"a\n  b\", "
    "\"new\": \"c\",}}\n</tool_call>",
    "<tool_call>\n<function=edit>\n<parameter=path>\nlamp.py\n</parameter>\n<parameter=old>\na\n  "
    "b\n</parameter>\n<parameter=new>\nc\n</parameter>\n</function>\n</tool_call>",
    "<function=edit>\n<parameter=path>\nlamp.py\n</parameter>\n<parameter=old>\na\n  "
    "b\n</parameter>\n<parameter=new>\nc\n</parameter>\n</function>\n</tool_call>",
    "<function=edit>{\"path\": \"lamp.py\", \"old\": \"a\\n  b\", \"new\": \"c\"}</function>",
    "<seed:tool_call>\n<function=edit>\n<parameter=path>lamp.py</parameter>\n<parameter=old>a\n  "
    "b</parameter>\n<parameter=new>c</parameter>\n</function>\n</seed:tool_call>",
    "<function_calls>\n<invoke name=\"edit\">\n<parameter name=\"path\">lamp.py</parameter>\n"
    "<parameter name=\"old\">a\n  b</parameter>\n<parameter name=\"new\">c</parameter>\n</invoke>\n"
    "</function_calls>",
    "<minimax:tool_call>\n<invoke name=\"edit\">\n<parameter name=\"path\">lamp.py</parameter>\n"
    "<parameter name=\"old\">a\n  b</parameter>\n<parameter name=\"new\">c</parameter>\n</invoke>\n"
    "</minimax:tool_call>",
    "<\uff5cDSML\uff5cfunction_calls>\n<\uff5cDSML\uff5cinvoke name=\"edit\">\n<\uff5cDSML\uff5c"
    "parameter name=\"path\" string=\"true\">lamp.py</\uff5cDSML\uff5cparameter>\n<\uff5cDSML\uff5c"
    "parameter name=\"old\" string=\"true\">a\n  b</\uff5cDSML\uff5cparameter>\n<\uff5cDSML\uff5c"
    "parameter name=\"new\" "
    "string=\"true\">c</\uff5cDSML\uff5cparameter>\n</\uff5cDSML\uff5cinvoke>\n"
    "</\uff5cDSML\uff5cfunction_calls>",
    "<\uff5ctool\u2581calls\u2581begin\uff5c><\uff5ctool\u2581call\u2581begin\uff5c>function"
    "<\uff5ctool\u2581sep\uff5c>edit\n```json\n{\"path\": \"lamp.py\", \"old\": \"a\\n  b\", "
    "\"new\": "
    "\"c\"}\n```<\uff5ctool\u2581call\u2581end\uff5c><\uff5ctool\u2581calls\u2581end\uff5c>",
    "<\uff5ctool\u2581call\u2581begin\uff5c>edit<\uff5ctool\u2581sep\uff5c>{\"path\": \"lamp.py\", "
    "\"old\": \"a\\n  b\", \"new\": \"c\"}<\uff5ctool\u2581call\u2581end\uff5c>",
    "<|tool_calls_section_begin|><|tool_call_begin|>functions.edit:0<|tool_call_argument_begin|>"
    "{\"path\": \"lamp.py\", \"old\": \"a\\n  b\", \"new\": \"c\"}<|tool_call_end|>"
    "<|tool_calls_section_end|>",
    "<tool_call>edit\n<arg_key>path</arg_key>\n<arg_value>lamp.py</arg_value>\n<arg_key>old</"
    "arg_key>"
    "\n<arg_value>a\n  "
    "b</arg_value>\n<arg_key>new</arg_key>\n<arg_value>c</arg_value>\n</tool_call>",
    "[TOOL_CALLS]edit[ARGS]{\"path\": \"lamp.py\", \"old\": \"a\\n  b\", \"new\": \"c\"}",
    "[TOOL_CALLS]edit[CALL_ID]a1b2c3d4e[ARGS]{\"path\": \"lamp.py\", \"old\": \"a\\n  b\", "
    "\"new\": "
    "\"c\"}",
    "[TOOL_CALLS] [{\"name\": \"edit\", \"arguments\": {\"path\": \"lamp.py\", \"old\": \"a\\n  "
    "b\", "
    "\"new\": \"c\"}}]",
    "<|channel|>commentary to=functions.edit <|constrain|>json<|message|>{\"path\": \"lamp.py\", "
    "\"old\": \"a\\n  b\", \"new\": \"c\"}<|call|>",
    "<|start|>assistant<|channel|>commentary to=functions.edit "
    "<|constrain|>json<|message|>{\"path\": "
    "\"lamp.py\", \"old\": \"a\\n  b\", \"new\": \"c\"}<|call|>",
    "commentary to=functions.edit json{\"path\": \"lamp.py\", \"old\": \"a\\n  b\", \"new\": "
    "\"c\"}",
    "<|python_tag|>{\"name\": \"edit\", \"parameters\": {\"path\": \"lamp.py\", \"old\": \"a\\n  "
    "b\", "
    "\"new\": \"c\"}}",
    "{\"name\": \"edit\", \"parameters\": {\"path\": \"lamp.py\", \"old\": \"a\\n  b\", \"new\": "
    "\"c\"}}",
    "```json\n{\"name\": \"edit\", \"arguments\": {\"path\": \"lamp.py\", \"old\": \"a\\n  b\", "
    "\"new\": \"c\"}}\n```",
    "{\"tool_calls\": [{\"id\": \"1\", \"type\": \"function\", \"function\": {\"name\": \"edit\", "
    "\"arguments\": \"{\\\"path\\\": \\\"lamp.py\\\", \\\"old\\\": \\\"a\\\\n  b\\\", \\\"new\\\": "
    "\\\"c\\\"}\"}}]}",
    "```tool_code\nprint(default_api.edit(path=\"lamp.py\", old='a\\n  b', "
    "new=\"\"\"c\"\"\"))\n```",
    "<start_function_call>call:edit{path:<escape>lamp.py<escape>,old:<escape>a\n  b<escape>,new:"
    "<escape>c<escape>}<end_function_call>",
    "<|tool_call>call:edit{path:<|\"|>lamp.py<|\"|>,old:<|\"|>a\n  b<|\"|>,new:<|\"|>c<|\"|>}"
    "<tool_call|>",
    "[edit(path=\"lamp.py\", old=\"a\\n  b\", new=\"c\")]",
    "<edit>\n<path>lamp.py</path>\n<old>a\n  b</old>\n<new>c</new>\n</edit>",
    "<TOOLCALL>[{\"name\": \"edit\", \"arguments\": {\"path\": \"lamp.py\", \"old\": \"a\\n  b\", "
    "\"new\": \"c\"}}]</TOOLCALL>",
    "<|tool_call|>[{\"name\": \"edit\", \"arguments\": {\"path\": \"lamp.py\", \"old\": \"a\\n  "
    "b\", "
    "\"new\": \"c\"}}]",
    "functools[{\"name\": \"edit\", \"arguments\": {\"path\": \"lamp.py\", \"old\": \"a\\n  b\", "
    "\"new\": \"c\"}}]",
    "<|START_ACTION|>[{\"tool_call_id\": \"0\", \"tool_name\": \"edit\", \"parameters\": "
    "{\"path\": "
    "\"lamp.py\", \"old\": \"a\\n  b\", \"new\": \"c\"}}]<|END_ACTION|>",
    "<tool_call>\n{\"name\": \"edit\", \"arguments\": {\"path\": \"lamp.py\", \"old\": \"a\\n  "
    "b\", \"new\": \"c\"}}}\n</tool_call>",
    "<tool_call>\n{\"name\": \"edit\", \"arguments\": {\"path\": \"lamp.py\", \"old\": \"a\\n  "
    "b\", \"new\": \"c\"}\n</tool_call>",
    "<tool_call>\n{{\"name\": \"edit\", \"arguments\": {\"path\": \"lamp.py\", \"old\": \"a\\n  "
    "b\", \"new\": \"c\"}}}\n</tool_call>",
    "<tool_call name=\"edit\">\n{\"path\": \"lamp.py\", \"old\": \"a\\n  b\", \"new\": "
    "\"c\"}\n</tool_call>",
    "<tool_call>\n{'name': 'edit', 'arguments': {'path': 'lamp.py', 'old': 'a\\n  b', 'new': "
    "'c'}}\n</tool_call>",
    "<tool_call>\n<function=edit>\n<parameter=path>\nlamp.py\n<parameter=old>\na\n  "
    "b\n<parameter=new>\nc\n</function>\n</tool_call>",
    "<function name=\"edit\"><param name=\"path\"><![CDATA[lamp.py]]></param><param "
    "name=\"old\"><![CDATA[a\n  b]]></param><param name=\"new\"><![CDATA[c]]></param></function>",
    "<function_calls>\n<invoke>\n<tool_name>edit</tool_name>\n<parameters>\n<path>lamp.py</"
    "path>\n<old>a\n  b</old>\n<new>c</new>\n</parameters>\n</invoke>\n</function_calls>",
    "]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke "
    "name=\"edit\">]<]minimax[>[<path>lamp.py]<]minimax[>[</path>]<]minimax[>[<old>a\n  "
    "b]<]minimax[>[</old>]<]minimax[>[<new>c]<]minimax[>[</new>]<]minimax[>[</"
    "invoke>\n]<]minimax[>[</tool_call>",
    "<\uff5c"
    "DSML\uff5c"
    " calls>\n<\uff5c"
    "DSML\uff5c"
    " invoke name=\"edit\">\n<\uff5c"
    "DSML\uff5c"
    " parameter name=\"path\" string=\"true\">lamp.py</\uff5c"
    "DSML\uff5c"
    " parameter>\n<\uff5c"
    "DSML\uff5c"
    " parameter name=\"old\" string=\"true\">a\n  b</\uff5c"
    "DSML\uff5c"
    " parameter>\n<\uff5c"
    "DSML\uff5c"
    " parameter name=\"new\" string=\"true\">c</\uff5c"
    "DSML\uff5c"
    " parameter>\n</\uff5c"
    "DSML\uff5c"
    " invoke>\n</\uff5c"
    "DSML\uff5c"
    " calls>",
    "<|open|>tools<|sep|><|open|>call tool=\"edit\" index=\"1\"<|sep|><|open|>argument "
    "key=\"path\" type=\"string\"<|sep|>lamp.py<|close|>argument<|sep|><|open|>argument "
    "key=\"old\" type=\"string\"<|sep|>a\n  b<|close|>argument<|sep|><|open|>argument key=\"new\" "
    "type=\"string\"<|sep|>c<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>",
    "functions.edit:0{\"path\": \"lamp.py\", \"old\": \"a\\n  b\", \"new\": \"c\"}",
    "edit[ARGS]{\"path\": \"lamp.py\", \"old\": \"a\\n  b\", \"new\": \"c\"}",
    "<tool_call>edit>{\"path\": \"lamp.py\", \"old\": \"a\\n  b\", \"new\": \"c\"}</tool_call>",
    "[TOOL_REQUEST]\n{\"name\": \"edit\", \"arguments\": {\"path\": \"lamp.py\", \"old\": \"a\\n  "
    "b\", \"new\": \"c\"}}\n[END_TOOL_REQUEST]",
    "<|tool_call_start|>[edit(path=\"lamp.py\", old=\"a\\n  b\", new=\"c\")]<|tool_call_end|>",
    "assistantcommentary to=functions.edit json{\"path\": \"lamp.py\", \"old\": \"a\\n  b\", "
    "\"new\": \"c\"}",
    "```json\n{\"name\": \"edit\", \"arguments\": {\"path\": \"lamp.py\", \"old\": \"a\\n  b\", "
    "\"new\": \"c\"}\n```",
    "<function=edit>\n<parameter=path>\nlamp.py\n</parameter>\n<parameter=old>\na\n  "
    "b\n</parameter>\n<parameter=new>\nc\n</parameter>\n",
    "```json\n{\"name\": \"edit\", \"arguments\": {\"path\": \"lamp.py\", \"old\": \"a\\n  b\", "
    "\"new\": \"c\"}}",
};

}  // namespace

TEST_CASE("a call in the text is a call, in every form") {
  const json wanted = {{"path", "lamp.py"}, {"old", "a\n  b"}, {"new", "c"}};
  for (const std::string_view form : kForms) {
    for (const std::string before :
         {"", "I shorten it.\n\n",
          "The syntax is wrong in the JSON template. I will fix the format:\n\n",
          "Let me edit the example server.\n"}) {
      const std::string reply = before + std::string(form);
      CAPTURE(reply);
      const TextCalls found = calls_in(reply, kTools);
      CHECK(found.told == "");
      REQUIRE(found.calls.size() == 1);
      CHECK(found.calls[0].name == "edit");
      CHECK(found.calls[0].arguments == wanted);
      CHECK(without_calls(reply, found) == before.substr(0, before.find_last_not_of('\n') + 1));
    }
  }
}

TEST_CASE("several calls, and values of other types than text") {
  const TextCalls found = calls_in(
      "I look at both.\n<tool_call>\n<function=look>\n<parameter=path>\na.py\n</parameter>\n"
      "<parameter=first>\n3\n</parameter>\n<parameter=names>\n[\"x\"]\n</parameter>\n</function>\n"
      "</tool_call>\n<tool_call>\n{\"name\": \"look\", \"arguments\": {\"path\": \"b.py\"}}\n"
      "</tool_call>\n",
      kTools);
  REQUIRE(found.calls.size() == 2);
  CHECK(found.calls[0].arguments == json{{"path", "a.py"}, {"first", 3}, {"names", {"x"}}});
  CHECK(found.calls[1].arguments == json{{"path", "b.py"}});
}

TEST_CASE("several fenced calls at the end are all made, and nothing of them is left") {
  const std::string reply =
      "I look at both.\n\n```json\n{\"name\": \"look\", \"arguments\": {\"path\": \"a\"}}\n```\n\n"
      "```json\n{\"name\": \"look\", \"arguments\": {\"path\": \"b\"}}\n```\n";
  const TextCalls found = calls_in(reply, kTools);
  REQUIRE(found.calls.size() == 2);
  CHECK(found.calls[1].arguments == json{{"path", "b"}});
  CHECK(without_calls(reply, found) == "I look at both.");
}

TEST_CASE("values in values without end cost no stack") {
  for (const std::string_view open : {"{'a': ", "[", "{\"a\": ", "edit(a={'b': "}) {
    std::string deep = "<tool_call>\n";
    for (int i = 0; i < 100'000; ++i) deep += open;
    CHECK(calls_in(deep, kTools).calls.empty());
  }
}

TEST_CASE("what looks like a call and cannot be one is told") {
  for (const std::string_view reply : {
           "<tool_call>\n{\"name\": \"walk\", \"arguments\": {\"path\": \"a\"}}\n</tool_call>",
           "<tool_call>\n{\"name\": \"edit\", \"arguments\": {\"path\": \"a",
           "I look.\n<function=look>\n<parameter=path>\na.py\n",
           "[TOOL_CALLS]edit[ARGS]{\"path\": nothing}",
           "<invoke name=\"look\">\nwords\n</invoke>",
           "notes.txt has\n\n<tool_call>\n{\"name\": \"look\", \"arguments\": {\"path\": "
           "\"a\"}}\n</tool_call>\n\nI would remove it.",
       }) {
    CAPTURE(reply);
    const TextCalls found = calls_in(reply, kTools);
    CHECK(found.calls.empty());
    CHECK(found.told != "");
    CHECK(found.reason.find('\n') == std::string::npos);
  }
  CHECK(calls_in("<tool_call>\n{\"name\": \"edit\", \"arguments\": {}}\n</tool_call>", {}).told !=
        "");
}

TEST_CASE("prose that explains calls stays prose") {
  for (const std::string_view form : kForms) {
    for (const std::string& reply : {
             "For example:\n\n" + std::string(form),
             "The model writes a call like this:\n\n" + std::string(form) +
                 "\n\nThe server parses it.",
             "Some servers leave tool calls in the text:\n\n```text\n" + std::string(form) +
                 "\n```\n\nA parser turns them into calls.",
             "The syntax is:\n" + std::string(form),
             "Qwen writes it so:\n" + std::string(form),
             "It has this form:\n\n" + std::string(form) + "\n",
             "A tool call as the server sends it\n\n" + std::string(form),
             std::string(form) + "\n\nHere `edit` is the tool's name; the rest are its arguments.",
             std::string(form) + "\n\nThis is what the model emits when its template is missing.",
             "I'd expect, for example:\n\n" + std::string(form),
             "```python\n" + std::string(form) + "\n```\n",
         }) {
      CAPTURE(reply);
      const TextCalls found = calls_in(reply, kTools);
      CHECK(found.calls.empty());
      CHECK(found.told == "");
    }
  }
  for (const std::string_view reply : {
           "Use `<tool_call>` for it.",
           "<tool_call> opens a call,\n</tool_call> closes it. The tags are the template's.",
           "[TOOL_CALLS] comes first; then the name and the arguments.",
           "A call begins with `[TOOL_CALLS]` and ends with the line.",
           "The tags are <tool_call> and </tool_call>.",
           "The line\n\n> <tool_call>\n\nis where it begins.",
           "The line\n\n<tool_call>\n\nis where it begins.",
           "```json\n{\"name\": \"lamp\", \"arguments\": {\"path\": \"a\"}}\n```",
           "{\"name\": \"edit\", \"version\": \"1.0\"}",
           "```json\n{\"name\": \"edit\", \"arguments\": {\"colour\": \"red\"}}\n```",
           "The list is\n[1, 2]\n",
           "p.md\n<<<<<<< SEARCH\nx\n=======\n<tool_call>\n{\"name\": \"edit\"}\n</tool_call>\n"
           ">>>>>>> REPLACE\n",
       }) {
    CAPTURE(reply);
    const TextCalls found = calls_in(reply, kTools);
    CHECK(found.calls.empty());
    CHECK(found.told == "");
  }
}
