#include "agent/loop/run.h"

#include <doctest/doctest.h>

#include <atomic>
#include <fstream>

#include "agent/loop/scripted.h"
#include "agent/support/temporary_folder.h"

using namespace bodkin;
using nlohmann::json;

namespace {

const char kShapes[] =
    "def area(width, height):\n"
    "    if width < 0:\n"
    "        return None\n"
    "    return width + height\n"
    "\n"
    "def volume(width, height, depth):\n"
    "    if width < 0:\n"
    "        return None\n"
    "    return width * height * depth\n";

std::string block(const std::string& path, const std::string& search, const std::string& replace) {
  return path + "\n```\n<<<<<<< SEARCH\n" + search + "\n=======\n" + replace +
         "\n>>>>>>> REPLACE\n```\n";
}

struct World {
  MemoryWorkspace workspace{{{"shapes.py", kShapes}}};
  Conversation conversation;
  Limits limits;
  std::stop_source stop;
  Editor* editor = nullptr;
  Verifier* verifier = nullptr;

  Outcome ask(Model& model, std::string prompt = "Fix the area.") {
    Ask ask;
    ask.prompt = std::move(prompt);
    ask.selection = Selection{"shapes.py", {0, 4}};
    return ask_for(model, ask);
  }
  Outcome ask_for(Model& model, const Ask& ask) {
    return run(conversation, ask,
               {model, workspace, editor, verifier, limits, Task{stop.get_token(), nullptr}});
  }
};

std::string text_of(const Outcome& outcome, const std::string& path) {
  for (const ChangedFile& file : outcome.files) {
    if (file.path == path) return file.after ? file.after->str() : "(removed)";
  }
  return "(not in the draft)";
}

// Every call has exactly one result, in the message after it, and the roles alternate.
void check_well_formed(const Conversation& conversation) {
  for (size_t i = 0; i < conversation.messages.size(); ++i) {
    const Message& message = conversation.messages[i];
    CHECK((message.role == (i % 2 ? Message::Role::assistant : Message::Role::user)));
    for (const Block& block : message.blocks) {
      const auto* call = std::get_if<ToolCall>(&block);
      if (!call) continue;
      REQUIRE(i + 1 < conversation.messages.size());
      size_t results = 0;
      for (const Block& other : conversation.messages[i + 1].blocks) {
        const auto* result = std::get_if<ToolResult>(&other);
        results += result && result->id == call->id;
      }
      CHECK(results == 1);
    }
  }
}

}  // namespace

TEST_CASE("an edit block becomes a draft, and the words around it the answer") {
  World world;
  ScriptedModel model(
      false, {says("The area was a sum.\n\n" +
                   block("shapes.py", "    return width + height", "    return width * height"))});
  const Outcome outcome = world.ask(model);
  CHECK(outcome.end == Outcome::End::done);
  CHECK(outcome.answer == "The area was a sum.");
  CHECK(outcome.title == "Fix the area.");
  CHECK(text_of(outcome, "shapes.py").find("return width * height\n") != std::string::npos);
  REQUIRE(outcome.files.size() == 1);
  CHECK(world.workspace.files["shapes.py"] == kShapes);
  CHECK(world.conversation.spent.usage.input == 100);
}

TEST_CASE("the prompt shows the file, the selection and the function, and how to edit") {
  World world;
  ScriptedModel model(false, {says("Nothing to change.")});
  world.workspace.files["AGENTS.md"] = "Use tabs for {{nothing}}.";
  const Outcome outcome = world.ask(model, "What does it do?");
  CHECK(outcome.end == Outcome::End::done);
  CHECK(outcome.files.empty());
  const ModelRequest& request = model.requests.at(0);
  CHECK(request.tools.empty());
  CHECK(request.system.find("<<<<<<< SEARCH") != std::string::npos);
  CHECK(request.system.find("Use tabs for {{nothing}}.") != std::string::npos);
  CHECK(request.system.find("{{folder}}") == std::string::npos);
  const std::string prompt = words(request.messages.at(0));
  CHECK(prompt.find("    return width + height\n") != std::string::npos);
  CHECK(prompt.find("selected lines 1-4 of shapes.py, in function area") != std::string::npos);
  CHECK(prompt.find("Request: What does it do?") != std::string::npos);
}

TEST_CASE("a badly indented SEARCH block is placed with the file's indentation") {
  World world;
  ScriptedModel model(false,
                      {says(block("shapes.py", "return width + height", "return width * height"))});
  const Outcome outcome = world.ask(model);
  CHECK(outcome.end == Outcome::End::done);
  CHECK(text_of(outcome, "shapes.py").find("\n    return width * height\n") != std::string::npos);
}

TEST_CASE("an ambiguous edit goes back with both lines, and the second one is taken") {
  World world;
  Ask ask;
  ask.prompt = "Return zero.";
  ScriptedModel model(false,
                      {says(block("shapes.py", "        return None", "        return 0")),
                       says(block("shapes.py", "        return None\n    return width + height",
                                  "        return 0\n    return width + height"))});
  const Outcome outcome = world.ask_for(model, ask);
  CHECK(outcome.end == Outcome::End::done);
  CHECK(outcome.turns == 2);
  const std::string feedback = words(model.requests.at(1).messages.back());
  CHECK(feedback.find("Nothing was changed.") != std::string::npos);
  CHECK(feedback.find("3") != std::string::npos);
  CHECK(feedback.find("8") != std::string::npos);
  const std::string text = text_of(outcome, "shapes.py");
  CHECK(text.find("return 0\n    return width + height") != std::string::npos);
  CHECK(text.find("return None\n    return width * height * depth") != std::string::npos);
  check_well_formed(world.conversation);
}

TEST_CASE("the good hunks of a refused reply need not be sent again") {
  World world;
  ScriptedModel model(
      false, {says(block("shapes.py", "    return width + height", "    return width * height") +
                   block("shapes.py", "    return wide * height * depth", "    return 1")),
              says(block("shapes.py", "    return width * height * depth", "    return 1"))});
  const Outcome outcome = world.ask(model);
  CHECK(outcome.end == Outcome::End::done);
  const std::string text = text_of(outcome, "shapes.py");
  CHECK(text.find("    return width * height\n") != std::string::npos);
  CHECK(text.find("    return 1\n") != std::string::npos);
}

TEST_CASE("after two edits in a row that do not fit another way is shown; three more end the ask") {
  World world;
  const ModelReply bad = says(block("shapes.py", "no such line at all", "x"));
  ScriptedModel model(false, {bad, bad, bad, bad, bad, bad});
  const Outcome outcome = world.ask(model);
  CHECK(outcome.end == Outcome::End::failed);
  CHECK(outcome.turns == 5);
  CHECK(words(model.requests[2].messages.back()).find("in another way") != std::string::npos);
  CHECK(outcome.files.empty());
  CHECK(outcome.reason ==
        "5 replies of the model in a row could not be used. Last reason: The edit was refused: the "
        "lines it changes are not in shapes.py.");
}

TEST_CASE("the other way finds a file that the model names by its absolute path") {
  World world;
  world.workspace.folders = {{"work", "/no/work"}};
  const ModelReply bad = says(block("/no/work/shapes.py", "no such line at all", "x"));
  ScriptedModel model(false, {bad, bad, says("I cannot.")});
  world.ask(model);
  const std::string told = words(model.requests.at(2).messages.back());
  CHECK(told.find("These are the exact lines of shapes.py now") != std::string::npos);
}

TEST_CASE(
    "of calls that are refused in a row, the user is told what is wrong and not what to send") {
  const auto last_reason = [](std::vector<ToolCall> wanted) {
    World world;
    std::vector<ModelReply> replies;
    wanted.insert(wanted.begin(), {wanted[0], wanted[1]});  // then it is shown another way
    for (ToolCall& call : wanted) {
      replies.push_back(calls({{call.name, call.arguments}}));
      std::get<ToolCall>(replies.back().message.blocks[0]).malformed = call.malformed;
    }
    ScriptedModel model(true, std::move(replies));
    const Outcome outcome = world.ask(model);
    CHECK(outcome.end == Outcome::End::failed);
    const size_t at = outcome.reason.find("Last reason: ");
    return at == std::string::npos ? outcome.reason : outcome.reason.substr(at + 13);
  };
  const auto malformed = [](const char* name) {
    return ToolCall{"", name, json::object(), nullptr, "{"};
  };
  CHECK(last_reason({malformed("edit"), malformed("write_file"), malformed("delete_file")}) ==
        "The arguments are not a JSON object.");
  const auto removes = [](const char* path) {
    return ToolCall{"", "delete_file", {{"path", path}}, nullptr, ""};
  };
  CHECK(last_reason({removes("a.py"), removes("b.py"), removes("c.py")}) == "c.py does not exist.");
  CHECK(last_reason({removes("x/shapes.py"), removes("b.py"), removes("y/shapes.py")}) ==
        "y/shapes.py does not exist.");
}

TEST_CASE(
    "of a pasted reply that is refused, the person is told what is wrong and not what to send") {
  World world;
  const std::string good = block("shapes.py", "    return width + height", "    return width");
  const std::string bad = block("shapes.py", "no such line at all", "x");
  const auto reason = [&](const std::string& reply) {
    return outcome_of_reply(reply, "", world.workspace, {}).reason;
  };
  CHECK(reason(bad) == "The edit was refused: the lines it changes are not in shapes.py.");
  CHECK(reason(R"({"path": "shapes.py", "old_str": "def are", "new_str": "def ar"})") ==
        "The edit was refused: its text is in shapes.py only as a part of longer words, numbers, "
        "operators, or lines.");
  CHECK(reason(good + bad) ==
        "1 of 2 edits was refused (line 11 of the reply): the lines it changes are not in "
        "shapes.py.");
  CHECK(reason(good + bad + bad).starts_with("2 of 3 edits were refused; the first (line 11 of "));
  const std::string unclosed = good.substr(0, good.find(">>>>>>>"));
  CHECK(reason(unclosed).find("has no >>>>>>> REPLACE line") != std::string::npos);
  CHECK(reason(unclosed).find("send") == std::string::npos);
  CHECK(reason(unclosed).find("truncated: ") == std::string::npos);
}

TEST_CASE("a new syntax error goes back to the model with its line") {
  World world;
  ScriptedModel model(
      false, {says(block("shapes.py", "    return width + height", "    return width )")),
              says(block("shapes.py", "    return width )", "    return width * height"))});
  const Outcome outcome = world.ask(model);
  CHECK(outcome.end == Outcome::End::done);
  REQUIRE(model.requests.size() == 2);
  const std::string feedback = words(model.requests[1].messages.back());
  CHECK(feedback.find("shapes.py, line 4") != std::string::npos);
  CHECK(outcome.syntax_errors.empty());
  CHECK(text_of(outcome, "shapes.py").find("    return width * height\n") != std::string::npos);
}

TEST_CASE("a syntax error that stays is said to the user") {
  World world;
  world.limits.max_repairs = 0;
  ScriptedModel model(
      false, {says(block("shapes.py", "    return width + height", "    return width )"))});
  const Outcome outcome = world.ask(model);
  CHECK(outcome.end == Outcome::End::done);
  REQUIRE(!outcome.syntax_errors.empty());
  CHECK(outcome.syntax_errors[0].find("line 4") != std::string::npos);
}

TEST_CASE("what cannot be parsed is not called checked, and is not sent back as an error") {
  World world;
  ScriptedModel model(false, {says(block("shapes.py", "    return width + height",
                                         "    return \"" + std::string(1'100'000, 'a') + "\""))});
  const Outcome outcome = world.ask(model);
  CHECK(outcome.end == Outcome::End::done);
  CHECK(outcome.syntax_errors.empty());
  CHECK_FALSE(outcome.syntax_checked);
}

TEST_CASE("code that the model only shows below a path overwrites nothing") {
  World world;
  ScriptedModel model(false,
                      {says("It begins like this:\n\nshapes.py\n```python\ndef area():\n```\n")});
  const Outcome outcome = world.ask(model, "How does it begin?");
  CHECK(outcome.end == Outcome::End::done);
  CHECK(outcome.files.empty());
  CHECK(outcome.answer.find("def area()") != std::string::npos);
}

TEST_CASE("one reply edits in several formats, and shows a command") {
  World world;
  world.workspace.files["a.txt"] = "one\n";
  world.workspace.files["b.txt"] = "one\n";
  ScriptedModel model(
      false,
      {says("All of it:\n\n" +
            block("shapes.py", "    return width + height", "    return width * height") +
            "\nThe texts:\n\n```diff\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n```\n\n"
            "*** Begin Patch\n*** Update File: b.txt\n@@\n-one\n+three\n*** End Patch\n\n"
            "And run:\n\n```sh\npython shapes.py\n```\n\nBye.\n")});
  const Outcome outcome = world.ask(model);
  CHECK(outcome.end == Outcome::End::done);
  CHECK(outcome.files.size() == 3);
  CHECK(text_of(outcome, "a.txt") == "two\n");
  CHECK(text_of(outcome, "b.txt") == "three\n");
  CHECK(outcome.answer ==
        "All of it:\n\nThe texts:\n\nAnd run:\n\n```sh\npython shapes.py\n```\n\nBye.");
}

TEST_CASE("a file in a fence beside edits is asked for as an edit") {
  World world;
  const std::string edit =
      block("shapes.py", "    return width + height", "    return width * height");
  ScriptedModel model(false,
                      {says(edit + "\ntests/test_shapes.py\n```python\nassert True\n```\n"),
                       says(edit + "\n" + block("tests/test_shapes.py", "", "assert True"))});
  const Outcome outcome = world.ask(model);
  CHECK(outcome.end == Outcome::End::done);
  CHECK(text_of(outcome, "tests/test_shapes.py") == "assert True\n");
}

TEST_CASE("what a reply shows and quotes is its answer, at once") {
  const char* answers[] = {
      "shapes.py\n```python\n    if width < 0:\n        return None\n```\nThis guards it.",
      "shapes.py\n```python\ndef area(width, height):\n    # ...\ndef volume(width, height, "
      "depth):\n```",
      "shapes.py\n```python\nfrom shapes import area\nprint(area(1, 2))\n```",
      "```1:2:shapes.py\ndef area(width, height):\n    if width <= 0:\n```",
      "**Linux/macOS:**\n```sh\npython shapes.py\n```",
      "Apply it:\n\n```sh\n$ patch -p1 < area.diff\n```\n",
      "`diff` prints:\n\nshapes.py\n\n4c4\n<     return width + height\n---\n>     return 1\n",
      "shapes.py\n```ed\n4d\n.\nw\n```",
      "```ed\n1d\nw\nq\n```\nshapes.py",
      "The request:\n```json\n{\"path\": \"shapes.py\", \"content\": \"x = 1\\n\"}\n```",
      "d2 1\na4 1\nx\n",
      "/etc/hosts.conf\n```\nmulti on\n```",
      "**Node.js:**\n```js\nrequire('fs')\n```",
      "### os.path\n```python\nos.path.join('a', 'b')\n```",
      "run.py:\n```sh\npython run.py\n```",
  };
  for (const std::string answer : answers) {
    CAPTURE(answer);
    World world;
    ScriptedModel model(false, {says(answer)});
    const Outcome outcome = world.ask(model, "How?");
    CHECK(outcome.end == Outcome::End::done);
    CHECK(outcome.files.empty());
    CHECK(outcome.turns == 1);
    CHECK(outcome.answer + "\n" == answer + (answer.ends_with('\n') ? "" : "\n"));
  }
}

TEST_CASE("a whole file or a sketch below a path is an edit, where blocks are taught, too") {
  const std::string file(kShapes);
  std::string changed = file;
  changed.replace(changed.find("width + height"), 14, "width * height");
  const std::string replies[] = {
      "shapes.py\n```python\n" + changed + "```\n",
      "Here it is:\n\n**shapes.py**\n```python\n" + changed + "```\n",
      "shapes.py\n```python\ndef area(width, height):\n    if width < 0:\n        return None\n"
      "    return width * height\n\n# ... existing code ...\n```\n"};
  for (const std::string& reply : replies) {
    CAPTURE(reply);
    World world;
    ScriptedModel model(false, {says(reply)});
    const Outcome outcome = world.ask(model);
    CHECK(outcome.end == Outcome::End::done);
    CHECK(outcome.turns == 1);
    CHECK(text_of(outcome, "shapes.py") == changed);
  }
}

TEST_CASE("code below a file's path that may be meant as an edit is asked about, once") {
  const std::string file(kShapes);
  std::string changed = file;
  changed.replace(changed.find("width + height"), 14, "width * height");
  const std::string replies[] = {
      "shapes.py\n```python\n" + changed.substr(0, changed.find("\ndef volume")) + "```\n",
      "shapes.py\n```python\n# ... existing code ...\n    if width < 0:\n        return None\n"
      "    return width * height\n# ... existing code ...\n```\n",
      "```diff\n@@ -4 +4 @@\n-    return width + height\n+    return width * height\n```\n"};
  for (const std::string& reply : replies) {
    CAPTURE(reply);
    {
      World world;
      const std::string edit =
          block("shapes.py", "    return width + height", "    return width * height");
      ScriptedModel model(false, {says(reply), says(edit)});
      const Outcome outcome = world.ask(model);
      CHECK(outcome.end == Outcome::End::done);
      CHECK(text_of(outcome, "shapes.py") == changed);
      CHECK(words(model.requests.at(1).messages.back()).find("Nothing was changed.") == 0);
    }
    {
      World world;
      ScriptedModel model(false, {says(reply), says("It was only to show.")});
      const Outcome outcome = world.ask(model);
      CHECK(outcome.end == Outcome::End::done);
      CHECK(outcome.files.empty());
      CHECK(outcome.answer == reply + "\n\nIt was only to show.");
    }
    World world;
    ScriptedModel model(false, {says(reply), says(reply)});
    const Outcome outcome = world.ask(model);
    CHECK(outcome.end == Outcome::End::done);
    CHECK(outcome.files.empty());
    CHECK(outcome.answer + "\n" == reply);
  }
}

TEST_CASE("beside edits, code below a file's path is what stands there, or all of it is refused") {
  const std::string edit =
      block("shapes.py", "    return width + height", "    return width * height");
  {
    World world;
    ScriptedModel model(false,
                        {says(edit + "\nNow it is:\n\nshapes.py\n```python\n    return None\n"
                                     "    return width * height\n```\n")});
    const Outcome outcome = world.ask(model);
    CHECK(outcome.turns == 1);
    CHECK(outcome.answer ==
          "Now it is:\n\nshapes.py\n```python\n    return None\n    return width * height\n```");
    CHECK(text_of(outcome, "shapes.py").find("width * height\n\n") != std::string::npos);
  }
  World world;
  world.workspace.files["use.py"] = "print(1)\n";
  ScriptedModel model(false, {says(edit + "\nuse.py\n```python\nprint(2)\nprint(3)\n```\n"),
                              says(edit + block("use.py", "print(1)", "print(2)"))});
  const Outcome outcome = world.ask(model);
  CHECK(outcome.turns == 2);
  CHECK(outcome.files.size() == 2);
  CHECK(text_of(outcome, "use.py") == "print(2)\n");
}

TEST_CASE("a file's bare name that is elsewhere makes no new file") {
  World world;
  world.workspace.files["lib/util.py"] = "x = 1\n";
  ScriptedModel model(false, {says("util.py\n```python\ny = 2\n```\n")});
  CHECK(world.ask(model).files.empty());
}

TEST_CASE("a reply that was cut off changes nothing and is asked for again") {
  World world;
  const std::string edit =
      block("shapes.py", "    return width + height", "    return width * height");
  ScriptedModel model(false, {says(edit, StopReason::max_tokens), says(edit)});
  const Outcome outcome = world.ask(model);
  CHECK(outcome.end == Outcome::End::done);
  CHECK(outcome.turns == 2);

  const ModelReply half =
      says(edit.substr(0, edit.find(">>>>>>>")), StopReason::max_tokens);  // the marker is missing
  ScriptedModel never(false, {half, half, half, half, half, half});
  const Outcome failed = World().ask(never);
  CHECK(failed.end == Outcome::End::failed);
  CHECK(failed.reason.ends_with("Last reason: The reply was cut off at the length limit."));
}

TEST_CASE("the calls of a reply that was cut off are not run, and each has a result") {
  World world;
  ModelReply cut = calls(
      {{"edit",
        {{"path", "shapes.py"}, {"old_str", "width + height"}, {"new_str", "width * height"}}}});
  cut.stop_reason = StopReason::max_tokens;
  ScriptedModel model(true, {cut, says("I give up.")});
  const Outcome outcome = world.ask(model);
  CHECK(outcome.files.empty());
  CHECK(words(model.requests.at(1).messages.back()).find("Not run.") != std::string::npos);
  check_well_formed(world.conversation);
}

TEST_CASE(
    "a reply that was cut off in a call that edits is a failed edit, in one that reads it is "
    "none") {
  const auto ask = [](const char* tool) {
    ModelReply cut = says("I write it:", StopReason::max_tokens);
    cut.cut_call = tool;
    ScriptedModel model(true, {cut, says("It is too long for me.")});
    return World().ask(model);
  };
  const Outcome failed = ask("write_file");
  CHECK(failed.end == Outcome::End::failed);
  CHECK(failed.reason.ends_with("Last reason: The reply was cut off at the length limit."));
  CHECK(ask("read_file").end == Outcome::End::done);
}

TEST_CASE("an answer may show the one line that a call has changed") {
  const std::string shown = "I did it:\n\n" + block("shapes.py", "    return width + height",
                                                    "    return width * height");
  const auto edit = [](const char* after) {
    return calls(
        {{"edit", {{"path", "shapes.py"}, {"old_str", "width + height"}, {"new_str", after}}}});
  };
  World world;
  ScriptedModel model(true, {edit("width * height"), says(shown)});
  const Outcome outcome = world.ask(model);
  CHECK(outcome.end == Outcome::End::done);
  CHECK(outcome.turns == 2);
  CHECK(outcome.notes.empty());
  CHECK(text_of(outcome, "shapes.py").find("return width * height\n") != std::string::npos);

  World other;
  ScriptedModel differs(true, {edit("width - height"), says(shown), says("Done.")});
  const Outcome refused = other.ask(differs);
  CHECK(refused.lacks_edits == false);
  CHECK(refused.turns == 3);
  CHECK(refused.notes == std::vector<std::string>{"1 edit of shapes.py could not be placed"});
}

TEST_CASE("the calls of a reply that a filter stopped are neither run nor sent back") {
  World world;
  ModelReply refused = calls(
      {{"edit",
        {{"path", "shapes.py"}, {"old_str", "width + height"}, {"new_str", "width * height"}}}});
  refused.stop_reason = StopReason::refusal;
  refused.refusal = "It is against the rules.";
  ScriptedModel model(true, {refused});
  const Outcome outcome = world.ask(model);
  CHECK(outcome.end == Outcome::End::failed);
  CHECK(outcome.reason == "The model refused to answer: It is against the rules.");
  CHECK(outcome.files.empty());
  check_well_formed(world.conversation);
}

TEST_CASE("a tool edits what was shown, and reads what it has edited") {
  World world;
  ScriptedModel model(
      true, {calls({{"edit",
                     {{"path", "./shapes.py"},
                      {"old_str", "    return width + height\n\n"},
                      {"new_str", "    return width * height\n\n"}}},
                    {"read_file", {{"path", "shapes.py"}, {"start_line", 4}, {"end_line", "4"}}}}),
             says("Done.")});
  const Outcome outcome = world.ask(model);
  CHECK(outcome.end == Outcome::End::done);
  CHECK(outcome.answer == "Done.");
  const std::string results = words(model.requests.at(1).messages.back());
  CHECK(results.find("4|     return width * height\n") != std::string::npos);
  CHECK(text_of(outcome, "shapes.py").find("return width * height\n\n") != std::string::npos);
  check_well_formed(world.conversation);
}

TEST_CASE("a file that was not read, or has changed since, is not edited") {
  World world;
  world.workspace.files["other.py"] = "x = 1\n";
  const json edit = {{"path", "other.py"}, {"old_str", "x = 1"}, {"new_str", "x = 2"}};
  ScriptedModel model(true,
                      {calls({{"edit", edit}}), calls({{"read_file", {{"path", "other.py"}}}}),
                       calls({{"edit", edit}}), says("I could not.")});
  int turn = 0;
  model.before_reply = [&] {
    if (++turn == 3) world.workspace.files["other.py"] = "y = 0\nx = 1\n";
  };
  const Outcome outcome = world.ask(model);
  CHECK(outcome.files.empty());
  CHECK(words(model.requests.at(1).messages.back()).find("Read it before you edit it") !=
        std::string::npos);
  CHECK(words(model.requests.at(3).messages.back()).find("has changed since") != std::string::npos);
}

TEST_CASE("the reason of a refusal says that the file changed while the model answered") {
  const std::string lines = "    return width + height", better = "    return width * height";
  for (const bool tools : {false, true}) {
    for (const bool has_changed : {false, true}) {
      World world;
      const std::string nowhere = has_changed ? lines : "    return width / height";
      ScriptedModel model(tools, {says(block("shapes.py", nowhere, better)), says("I cannot.")});
      model.before_reply = [&] {
        std::string& text = world.workspace.files["shapes.py"];
        if (const size_t at = text.find(lines); has_changed && at != text.npos)
          text.replace(at, lines.size(), "    return height");
      };
      const Outcome outcome = world.ask(model);
      CHECK(outcome.reason ==
            "The model sent no edit that could be placed. Last reason: The edit was refused: the "
            "lines it changes are not in shapes.py." +
                std::string(has_changed ? " shapes.py changed after the model had read it." : ""));
    }
  }
}

TEST_CASE("unknown tools, missing and wrong arguments are told to the model") {
  World world;
  ModelReply odd = calls({{"rm", {{"path", "/"}}},
                          {"edit", {{"path", "shapes.py"}}},
                          {"read_file", {{"path", 7}}},
                          {"read_file", {{"path", "../../etc/passwd"}}},
                          {"read_file", {{"path", "none.py"}}}});
  std::get<ToolCall>(odd.message.blocks[4]).malformed = "{\"path\": ";
  ScriptedModel model(true, {odd, says("Sorry.")});
  const Outcome outcome = world.ask(model);
  CHECK(outcome.end == Outcome::End::failed);  // its edit never fitted
  CHECK(outcome.answer == "Sorry.");
  const std::string results = words(model.requests.at(1).messages.back());
  for (const char* part :
       {"Unknown tool \"rm\"", "\"old_str\" is missing", "must be of type string",
        "outside the workspace", "not a JSON object"}) {
    CHECK_MESSAGE(results.find(part) != std::string::npos, part);
  }
  check_well_formed(world.conversation);
}

TEST_CASE("the same call with the same result three times ends the ask") {
  World world;
  const ModelReply again = calls({{"read_file", {{"path", "shapes.py"}}}});
  ScriptedModel model(true, {again, again, again, again});
  const Outcome outcome = world.ask(model);
  CHECK(outcome.end == Outcome::End::failed);
  CHECK(outcome.turns == 3);
  CHECK(outcome.reason.find("is stuck") != std::string::npos);
  check_well_formed(world.conversation);
}

TEST_CASE("calls of one reply are no repetition, and malformed ones differ by their text") {
  const auto malformed = [](const std::vector<std::string>& texts) {
    ModelReply reply =
        calls({texts.size(), std::pair<std::string, json>("read_file", json::object())});
    for (size_t i = 0; i < texts.size(); ++i)
      std::get<ToolCall>(reply.message.blocks[i]).malformed = texts[i];
    return reply;
  };
  const std::pair<std::string, json> read("read_file", {{"path", "shapes.py"}});
  World world;
  ScriptedModel model(true, {malformed({"{\"path\": \"a.c", "{path: b.c}", "p.py"}),
                             calls({read, read, read}), calls({read}), says("Done.")});
  CHECK(world.ask(model).end == Outcome::End::done);
  const ModelReply again = malformed({"p.py"});
  ScriptedModel stuck(true, {again, again, again, again});
  CHECK(world.ask(stuck).reason.find("is stuck") != std::string::npos);
}

TEST_CASE("a call that only looks is no failed edit, also when it cannot be read") {
  ModelReply broken = calls({{"str_replace_editor", json::object()}});
  const auto view = [&](const std::string& path) {
    std::get<ToolCall>(broken.message.blocks[0]).malformed =
        "{\"command\": \"view\", \"path\": \"" + path;
    return broken;
  };
  World world;
  ScriptedModel model(true, {view("a"), view("b"), view("c"), view("d"), says("Done.")});
  CHECK(world.ask(model).end == Outcome::End::done);
  // Not for ever, though.
  ScriptedModel lost(true, {view("a"), view("b"), view("c"), view("d"), view("e"), says("Done.")});
  const Outcome outcome = world.ask(lost);
  CHECK(outcome.end == Outcome::End::failed);
  CHECK(outcome.reason ==
        "All tool calls of 5 replies in a row failed. Last reason: The arguments are not a JSON "
        "object.");
}

TEST_CASE("edits that were never placed are named in the end") {
  const auto notes = [](std::vector<ModelReply> replies) {
    World world;
    world.workspace.files["b.py"] = "b = 1\n";
    replies.push_back(says("Changed both."));
    ScriptedModel model(true, std::move(replies));
    return world.ask(model).notes;
  };
  const auto edit = [](const char* path, const char* old_text) {
    return std::pair<std::string, json>(
        "edit", {{"path", path}, {"old_str", old_text}, {"new_str", "    return 5"}});
  };
  const auto good = edit("shapes.py", "    return width + height");
  const std::vector<std::string> both{"2 edits of b.py could not be placed"};
  CHECK(notes({calls({good, edit("b.py", "b = 1"), edit("b.py", "b = 2")})}) == both);
  CHECK(notes({calls({edit("shapes.py", "none"), good})}) ==
        std::vector<std::string>{"1 edit of shapes.py could not be placed"});
  CHECK(notes({calls({edit("b.py", "b = 1"), good}), calls({{"read_file", {{"path", "b.py"}}}}),
               calls({edit("b.py", "b = 1")})}) == std::vector<std::string>());
  CHECK(notes({says(block("shapes.py", "    return width + height", "    return 1") +
                    block("shapes.py", "no such line", "x")),
               says("b.py\n" + block("b.py", "b = 1", "b = 2"))}) == std::vector<std::string>());
  // A new file where there is one, which then got another name; and the same edit twice.
  const auto create = [](const char* path, const char* text) {
    return std::pair<std::string, json>("edit",
                                        {{"path", path}, {"old_str", ""}, {"new_str", text}});
  };
  CHECK(notes({calls({good, create("b.py", "n = 1\n")})}) ==
        std::vector<std::string>{"b.py was not replaced by a new file: it already exists"});
  CHECK(notes({calls({good, create("b.py", "n = 1\n")}), calls({create("n.py", "n = 1\n")})}) ==
        std::vector<std::string>());
  CHECK(notes({calls({good, create("b.py", "b = 1\n")})}) == std::vector<std::string>());
  CHECK(notes({calls({good}), calls({good})}) == std::vector<std::string>());
}

TEST_CASE("what the user types while the model works stays, and the model is told") {
  class Typing : public Editor {
   public:
    explicit Typing(const MemoryWorkspace& workspace) : workspace_(workspace) {}
    Result<Diagnostics> diagnostics(std::string_view, const Task&) override {
      return Diagnostics();
    }
    Result<Snapshot> text_now(std::string_view path, const Task&) override {
      return Snapshot{std::string(path), 2,
                      Text(text.empty() ? workspace_.files.at("shapes.py") : text)};
    }
    std::string text;

   private:
    const MemoryWorkspace& workspace_;
  };
  World world;
  Typing editor(world.workspace);
  world.editor = &editor;
  const auto edit = [](const char* old_text, const char* new_text) {
    return std::pair<std::string, json>(
        "edit", {{"path", "shapes.py"}, {"old_str", old_text}, {"new_str", new_text}});
  };
  ScriptedModel model(true, {calls({edit("    return width + height", "    return width * height"),
                                    edit("    return width * height * depth", "    return 0")}),
                             says("Done.")});
  std::string typed = kShapes;
  typed.replace(typed.find("width + height"), 14, "width - height");
  model.before_reply = [&] {
    if (model.requests.size() == 2) editor.text = typed;
  };
  Outcome outcome = world.ask(model);
  CHECK(outcome.end == Outcome::End::done);
  std::string want = typed;
  want.replace(want.find("width * height * depth"), 22, "0");
  CHECK(text_of(outcome, "shapes.py") == want);
  CHECK(outcome.files.at(0).before->str() == typed);
  CHECK(outcome.notes == std::vector<std::string>{
                             "1 edit of shapes.py was left out: you have changed the text there"});
  CHECK(words(world.conversation.messages.back())
            .find("The user has changed shapes.py while you worked; your edits of line 4 were "
                  "dropped, where it has changed.") != std::string::npos);
}

TEST_CASE("the limit on turns ends the ask before the next request") {
  World world;
  world.limits.max_turns = 2;
  ScriptedModel model(true, {calls({{"list_dir", json::object()}}),
                             calls({{"read_file", {{"path", "shapes.py"}}}}), says("Never.")});
  const Outcome outcome = world.ask(model);
  CHECK(outcome.end == Outcome::End::limit);
  CHECK(model.requests.size() == 2);
}

TEST_CASE("a cancelled ask keeps its draft, and its conversation can go on") {
  World world;
  ScriptedModel model(true, {calls({{"edit",
                                     {{"path", "shapes.py"},
                                      {"old_str", "    return width + height"},
                                      {"new_str", "    return width * height"}}},
                                    {"list_dir", json::object()}}),
                             says("Never.")});
  int turn = 0;
  model.before_reply = [&] {
    if (++turn == 2) world.stop.request_stop();
  };
  const Outcome outcome = world.ask(model);
  CHECK(outcome.end == Outcome::End::cancelled);
  CHECK(outcome.files.size() == 1);
  check_well_formed(world.conversation);

  world.stop = std::stop_source();
  ScriptedModel next(true, {says("Here again.")});
  CHECK(world.ask(next).end == Outcome::End::done);
  check_well_formed(world.conversation);
}

TEST_CASE("a request that fails at once leaves no trace in the conversation") {
  World world;
  ScriptedModel model(false, {});
  const Outcome outcome = world.ask(model);
  CHECK(outcome.end == Outcome::End::failed);
  CHECK(outcome.reason == "the script has no more replies");
  CHECK(world.conversation.messages.empty());
}

TEST_CASE("a repair goes on in the same conversation") {
  World world;
  ScriptedModel model(
      false, {says(block("shapes.py", "    return width + height", "    return wide * height")),
              says(block("shapes.py", "    return wide * height", "    return width * height"))});
  const Outcome first = world.ask(model);
  world.workspace.files["shapes.py"] = text_of(first, "shapes.py");  // the user took it
  Ask repair;
  repair.prompt = "line 4: error: wide is not defined";
  const Outcome second = world.ask_for(model, repair);
  CHECK(second.end == Outcome::End::done);
  CHECK(model.requests.at(1).messages.size() == 3);
  CHECK(text_of(second, "shapes.py").find("return width * height\n") != std::string::npos);
  check_well_formed(world.conversation);
}

TEST_CASE("private files are neither shown, nor searched, nor edited, nor created") {
  World world;
  world.workspace.files[".env"] = "KEY=hush\n";
  world.workspace.files["conf/db.txt"] = "hush\n";
  world.workspace.files[".bodkinignore"] = "conf/\n";
  world.workspace.open = {".env", "conf/db.txt"};
  ScriptedModel model(
      true,
      {calls({{"read_file", {{"path", ".env"}}},
              {"read_file", {{"path", "conf/../conf/db.txt"}}},
              {"grep_search", {{"query", "hush"}}},
              {"list_dir", json::object()},
              {"edit", {{"path", ".env"}, {"old_str", ""}, {"new_str", "KEY=mine\n"}}}}),
       says(block("./.env", "KEY=hush", "KEY=mine")),
       says(".env\n```\n<<<<<<< SEARCH\n=======\nKEY=mine\n>>>>>>> REPLACE\n```\n"), says("No.")});
  Ask ask;
  ask.prompt = "Look at @.env and @conf/db.txt";
  const Outcome outcome = world.ask_for(model, ask);
  CHECK(outcome.files.empty());
  for (const ModelRequest& request : model.requests) {
    for (const Message& message : request.messages) {
      if (message.role == Message::Role::user) {
        CHECK(words(message).find("hush\n") == std::string::npos);
        CHECK(words(message).find("=hush") == std::string::npos);
      }
    }
  }
  check_well_formed(world.conversation);
}

TEST_CASE("an ask about a private file is refused before anything is sent") {
  World world;
  world.workspace.files["id_rsa"] = "secret";
  ScriptedModel model(false, {says("Thanks.")});
  Ask ask;
  ask.prompt = "Explain.";
  ask.selection = Selection{"id_rsa", {0, 1}};
  const Outcome outcome = world.ask_for(model, ask);
  CHECK(outcome.end == Outcome::End::failed);
  CHECK(outcome.reason.find("private") != std::string::npos);
  CHECK(model.requests.empty());
}

TEST_CASE("prompt_for is the whole prompt for any chat, and its answer can be applied") {
  World world;
  Ask ask;
  ask.prompt = "Fix the area.";
  ask.selection = Selection{"shapes.py", {0, 4}};
  const Task task{world.stop.get_token(), nullptr};
  const auto prompt = prompt_for(ask, world.workspace, {}, task);
  REQUIRE(prompt.has_value());
  CHECK(prompt->text.find("<<<<<<< SEARCH") != std::string::npos);
  CHECK(prompt->text.find("def area(width, height):") != std::string::npos);
  // Nothing there keeps a draft, or checks it; and it need not know whose folder it is.
  for (const char* absent : {"draft", "sketch", "are told what fails", "{{", "Environment: folder"})
    CHECK(prompt->text.find(absent) == std::string::npos);
  const Outcome outcome =
      outcome_of_reply(block("shapes.py", "    return width + height", "    return width * height"),
                       "", world.workspace, task);
  CHECK(outcome.end == Outcome::End::done);
  CHECK(outcome.files.size() == 1);
  const Outcome none = outcome_of_reply("Just words.", "", world.workspace, task);
  CHECK(none.end == Outcome::End::done);
  CHECK(none.files.empty());
  CHECK(none.reason == "The text contains no edits.");
  const Outcome shows = outcome_of_reply("See:\n\n```\nx = 1\n```\n", "", world.workspace, task);
  CHECK(shows.reason.starts_with("The text contains code, but no edit"));
  REQUIRE(shows.notes.size() == 1);
  CHECK(shows.notes[0].find("<<<<<<< SEARCH") != std::string::npos);
  const Outcome done = outcome_of_reply(block("shapes.py", "    return width + height",
                                              "        return None\n    return width + height"),
                                        "", world.workspace, task);
  CHECK(done.files.empty());
  CHECK(done.reason == "The changes are already in place; there is nothing to do.");
  const Outcome loose =
      outcome_of_reply(block("shapes.py", "    return width + height  ", "    return width"), "",
                       world.workspace, task);
  REQUIRE(loose.notes.size() == 1);
  CHECK(loose.notes[0].ends_with("of shapes.py after ignoring trailing whitespace."));
  const Outcome bad =
      outcome_of_reply(block("shapes.py", "nowhere", "x"), "", world.workspace, task);
  CHECK(bad.end == Outcome::End::failed);
  CHECK(!bad.reason.empty());
}

namespace {

class OnceAskedEditor : public Editor {
 public:
  explicit OnceAskedEditor(Decision decision) : decision_(decision) {}
  Result<Diagnostics> diagnostics(std::string_view, const Task&) override { return Diagnostics(); }
  Result<Decision> permit(const Permission& permission, const Task&) override {
    asked.push_back(permission);
    return decision_;
  }
  std::vector<Permission> asked;

 private:
  Decision decision_;
};

class ScriptedVerifier : public Verifier {
 public:
  explicit ScriptedVerifier(std::vector<Verdict::State> states) : states_(std::move(states)) {}
  Verdict verify(Workspace& draft, Workspace&, const Task& task) override {
    seen.push_back(draft.read("shapes.py", task)->text.str());
    const Verdict::State state = states_[std::min(seen.size(), states_.size()) - 1];
    return {.state = state,
            .by = "make",
            .reason = "make fails with this edit",
            .output = "shapes.py:4: oh no\n"};
  }
  std::vector<std::string> seen;

 private:
  std::vector<Verdict::State> states_;
};

const char kPlus[] = "    return width + height";

}  // namespace

TEST_CASE("an edit that must be asked for is shown as a diff, and made when it is allowed") {
  for (const bool tools : {false, true}) {
    CAPTURE(tools);
    World world;
    world.limits.permissions = Permissions::parse({{"edit", "ask"}});
    OnceAskedEditor editor(Decision::once);
    world.editor = &editor;
    std::vector<ModelReply> replies{says(block("shapes.py", kPlus, "    return width * height"))};
    if (tools) {
      replies = {
          calls(
              {{"edit", {{"path", "shapes.py"}, {"old_str", kPlus}, {"new_str", "    return 1"}}}}),
          says("Done.")};
    }
    ScriptedModel model(tools, replies);
    const Outcome outcome = world.ask(model);
    CHECK(outcome.end == Outcome::End::done);
    CHECK(outcome.files.size() == 1);
    REQUIRE(editor.asked.size() == 1);
    CHECK(editor.asked[0].kind == "edit");
    CHECK(editor.asked[0].title == "Editing shapes.py (+1 −1)");
    CHECK(editor.asked[0].detail.find("-    return width + height") != std::string::npos);
  }
}

TEST_CASE("a rejection ends the ask; the other calls are not run, and each has a result") {
  World world;
  world.limits.permissions = Permissions::parse({{"read", "ask"}});
  OnceAskedEditor editor(Decision::reject);
  world.editor = &editor;
  ScriptedModel model(
      true,
      {calls({{"read_file", {{"path", "shapes.py"}}}, {"read_file", {{"path", "shapes.py"}}}})});
  const Outcome outcome = world.ask(model);
  CHECK(outcome.end == Outcome::End::refused);
  CHECK(editor.asked.size() == 1);
  check_well_formed(world.conversation);
}

TEST_CASE("what was drafted before a rejection is not thrown away") {
  World world;
  world.limits.permissions = Permissions::parse({{"edit", {{"*.py", "allow"}, {"*", "ask"}}}});
  OnceAskedEditor editor(Decision::reject);
  world.editor = &editor;
  ScriptedModel model(
      true,
      {calls({{"edit", {{"path", "shapes.py"}, {"old_str", kPlus}, {"new_str", "    return 1"}}},
              {"write_file", {{"path", "new.c"}, {"content", "int a;\n"}}}})});
  const Outcome outcome = world.ask(model);
  CHECK(outcome.end == Outcome::End::refused);
  CHECK(outcome.reason == "Stopped: you denied permission for what the model wanted to do.");
  REQUIRE(outcome.files.size() == 1);
  CHECK(outcome.files[0].path == "shapes.py");
  CHECK(outcome.syntax_checked);
  check_well_formed(world.conversation);
}

TEST_CASE("where nobody can be asked, the model is told, and the ask goes on") {
  World world;
  world.limits.permissions = Permissions::parse({{"edit", {{"*.py", "allow"}, {"*", "ask"}}}});
  ScriptedModel model(
      true,
      {calls({{"edit", {{"path", "shapes.py"}, {"old_str", kPlus}, {"new_str", "    return 1"}}}}),
       calls({{"write_file", {{"path", "new.c"}, {"content", "int a;\n"}}}}), says("Done.")});
  const Outcome outcome = world.ask(model);
  CHECK(outcome.end == Outcome::End::done);
  CHECK(outcome.files.size() == 1);
  CHECK(words(model.requests.back().messages.back())
            .starts_with("Creating new.c (+1 \u22120) is not allowed: nobody can be asked"));
}

TEST_CASE("an ask during which the user switches to planning ends with the plan") {
  const auto mode = std::make_shared<std::atomic<Mode>>(Mode::confirm);
  for (const bool tools : {false, true}) {
    CAPTURE(tools);
    *mode = Mode::confirm;
    World world;
    world.limits.mode = mode;
    std::vector<ModelReply> replies{says(block("shapes.py", kPlus, "    return 1")),
                                    says("First this, then that.")};
    if (tools)
      replies[0] = calls(
          {{"edit", {{"path", "shapes.py"}, {"old_str", kPlus}, {"new_str", "    return 1"}}}});
    ScriptedModel model(tools, replies);
    model.before_reply = [&] { *mode = Mode::plan; };
    const Outcome outcome = world.ask(model);
    CHECK(outcome.end == Outcome::End::done);
    CHECK(outcome.answer == "First this, then that.");
    CHECK(outcome.is_plan);
    CHECK(outcome.files.empty());
    CHECK(words(model.requests.back().messages.back()).find("end with the plan") !=
          std::string::npos);
  }
}

TEST_CASE("a reason for the user has nothing of what the model is told") {
  World world;
  world.limits.mode = std::make_shared<std::atomic<Mode>>(Mode::plan);
  const auto reply =
      calls({{"edit", {{"path", "shapes.py"}, {"old_str", kPlus}, {"new_str", "    return 1"}}}});
  ScriptedModel model(true, std::vector<ModelReply>(9, reply));
  const Outcome outcome = world.ask(model);
  CHECK(outcome.end == Outcome::End::failed);
  CHECK(outcome.reason.find("the plan of what is left") == std::string::npos);
}

TEST_CASE("of a reply that broke off, the request counts, at a cost that nobody knows") {
  World world;
  ScriptedModel model(true, {says("Never.")});
  model.before_reply = [&] { world.stop.request_stop(); };
  const Outcome outcome = world.ask(model);
  CHECK(outcome.end == Outcome::End::cancelled);
  CHECK(world.conversation.spent.turns == 1);
  CHECK(!world.conversation.spent.cost_usd);
}

TEST_CASE("a refusal with a reason is told to the model, and the ask goes on") {
  World world;
  world.limits.permissions = Permissions::parse({{"edit", "ask"}});
  OnceAskedEditor editor({Decision::reject, "area must stay as it is"});
  world.editor = &editor;
  ScriptedModel model(
      true,
      {calls({{"edit", {{"path", "shapes.py"}, {"old_str", kPlus}, {"new_str", "    return 1"}}}}),
       says("Then I leave it.")});
  const Outcome outcome = world.ask(model);
  CHECK(outcome.answer == "Then I leave it.");
  CHECK(outcome.files.empty());
  CHECK(words(model.requests.at(1).messages.back()).find("area must stay as it is") !=
        std::string::npos);
}

TEST_CASE("an ask that is switched to planning changes nothing more") {
  World world;
  const auto mode = std::make_shared<std::atomic<Mode>>(Mode::confirm);
  world.limits.mode = mode;
  const auto edit = [](const char* from, const char* to) {
    return calls({{"edit", {{"path", "shapes.py"}, {"old_str", from}, {"new_str", to}}}});
  };
  ScriptedModel model(true, {edit(kPlus, "    return 1"), edit("    return 1", "    return 2"),
                             says("What is left is …")});
  model.before_reply = [&] {
    if (model.requests.size() == 2) *mode = Mode::plan;
  };
  const Outcome outcome = world.ask(model);
  CHECK(text_of(outcome, "shapes.py").find("    return 1\n") != std::string::npos);
  CHECK(words(model.requests.at(2).messages.back()).find("The user has switched to it") !=
        std::string::npos);
}

TEST_CASE(
    "in the mode human the user acts without questions, and the model that still acts does not") {
  class Typing : public OnceAskedEditor {
   public:
    using OnceAskedEditor::OnceAskedEditor;
    Result<std::string> ask_words(const std::string&, const Task&) override {
      return std::exchange(next, "");
    }
    std::string next = block("shapes.py", kPlus, "    return 3");
  };
  World world;
  const auto mode = std::make_shared<std::atomic<Mode>>(Mode::human);
  world.limits.mode = mode;
  world.limits.permissions = Permissions::parse({{"edit", "ask"}});
  Typing typing(Decision::reject);
  world.editor = &typing;
  ScriptedModel unused(true, {});
  const Outcome mine = world.ask(unused);
  CHECK(mine.end == Outcome::End::done);
  CHECK(text_of(mine, "shapes.py").find("    return 3\n") != std::string::npos);
  CHECK(typing.asked.empty());
  CHECK(unused.requests.empty());
  // It is switched while the model writes: its edit is asked for all the same.
  *mode = Mode::confirm;
  ScriptedModel model(
      true, {calls({{"edit",
                     {{"path", "shapes.py"}, {"old_str", kPlus}, {"new_str", "    return 1"}}}})});
  model.before_reply = [&] { *mode = Mode::human; };
  CHECK(world.ask(model).end == Outcome::End::refused);
  CHECK(typing.asked.size() == 1);
}

TEST_CASE("what came in of a reply that breaks off is kept and marked, in the conversation too") {
  class BrokenModel : public ScriptedModel {
   public:
    using ScriptedModel::ScriptedModel;
    std::expected<ModelReply, ModelError> respond(const ModelRequest& request,
                                                  const Task& task) override {
      if (!requests.empty()) return ScriptedModel::respond(request, task);
      requests.push_back(request);
      if (task.report) task.report({Progress::Kind::text, "It begins with"});
      return std::unexpected(ModelError{"server", "The server is gone.", 500});
    }
  };
  World world;
  BrokenModel model(true, {says(""), says("As I said.")});
  const Outcome broken = world.ask(model);
  CHECK(broken.end == Outcome::End::failed);
  CHECK(broken.partial == "It begins with");
  check_well_formed(world.conversation);
  CHECK(words(world.conversation.messages.back()).starts_with("It begins with\n\n[This reply was"));
  CHECK(world.ask(model, "Go on.").answer == "As I said.");
}

TEST_CASE("what the user refused is not told to them as the model is told of it") {
  World world;
  world.limits.permissions = Permissions::parse({{"edit", "ask"}});
  OnceAskedEditor editor(Decision::reject);
  world.editor = &editor;
  std::vector<std::string> told;
  const Task task{{}, [&](const Progress& progress) { told.push_back(progress.text); }};
  ScriptedModel model(false, {says(block("shapes.py", kPlus, "    return 1"))});
  Ask ask;
  ask.prompt = "Fix it.";
  const Outcome outcome = run(world.conversation, ask,
                              {model, world.workspace, world.editor, nullptr, world.limits, task});
  CHECK(outcome.end == Outcome::End::refused);
  for (const std::string& each : told) {
    CAPTURE(each);
    CHECK(each.find("The user") == std::string::npos);
    CHECK(each.find("elling the model") == std::string::npos);
  }
}

TEST_CASE("what was allowed for the session is not asked again") {
  World world;
  world.limits.permissions = Permissions::parse({{"read", "ask"}});
  OnceAskedEditor editor(Decision::session);
  world.editor = &editor;
  for (int i = 0; i < 2; ++i) {
    ScriptedModel model(true, {calls({{"read_file", {{"path", "shapes.py"}}}}), says("Done.")});
    CHECK(world.ask(model).end == Outcome::End::done);
  }
  CHECK(editor.asked.size() == 1);
}

TEST_CASE("the profile of each ask counts: a conversation that began with explaining can edit") {
  World world;
  const auto tools_of = [](const ModelRequest& request) {
    std::vector<std::string> names;
    for (const ToolSpec& tool : request.tools) names.push_back(tool.name);
    return names;
  };
  const auto ask = [&](ScriptedModel& model, const char* profile) {
    Ask wanted;
    wanted.prompt = "Go on.";
    wanted.profile = profile;
    return world.ask_for(model, wanted);
  };
  ScriptedModel first(true, {says("It adds.")});
  CHECK(ask(first, "explain").end == Outcome::End::done);
  const auto reading = tools_of(first.requests[0]);
  CHECK(std::ranges::find(reading, "edit") == reading.end());
  ScriptedModel second(true, {says("Now I could.")});
  CHECK(ask(second, "auto").end == Outcome::End::done);
  const auto editing = tools_of(second.requests[0]);
  CHECK(std::ranges::find(editing, "edit") != editing.end());
  CHECK(second.requests[0].system != first.requests[0].system);
  // What the user or a setting names counts, too, and `auto` goes on with it.
  ScriptedModel third(true, {says("In blocks.")}), fourth(true, {says("Again.")});
  CHECK(ask(third, "blocks").end == Outcome::End::done);
  CHECK(ask(fourth, "auto").end == Outcome::End::done);
  CHECK(third.requests[0].system != second.requests[0].system);
  CHECK(fourth.requests[0].system == third.requests[0].system);
}

TEST_CASE("auto continues with a profile of the user's, whichever tool it edits with") {
  World world;
  const auto own = TemporaryFolder::make(TemporaryFolder::Where::disk);
  REQUIRE(own);
  const auto tools_after = [&](const char* name, const std::string& tools) {
    std::ofstream(own->path() + "/" + name + ".json")
        << R"({"parts": ["role"], "tools": [)" + tools + "]}";
    size_t count = 0;
    for (const char* profile : {name, "auto"}) {
      ScriptedModel model(true, {says("I see.")});
      Ask ask;
      ask.prompt = "Go on.";
      ask.profile = profile;
      AskContext context{.model = model, .workspace = world.workspace};
      context.own_profiles = own->path();
      CHECK(run(world.conversation, ask, context).end == Outcome::End::done);
      count = model.requests.at(0).tools.size();
    }
    return count;
  };
  CHECK(tools_after("lines", R"("read_file", "replace_lines")") == 2);
  CHECK(tools_after("reading", R"("read_file")") > 2);  // the profile `tools`
}

TEST_CASE("a plan of the user's own cannot edit") {
  World world;
  const auto own = TemporaryFolder::make(TemporaryFolder::Where::disk);
  REQUIRE(own);
  std::ofstream(own->path() + "/mine.json") << R"({"like": "tools", "plan": true})";
  ScriptedModel model(true, {says("I see.")});
  Ask ask;
  ask.prompt = "Go on.";
  ask.profile = "mine";
  AskContext context{.model = model, .workspace = world.workspace};
  context.own_profiles = own->path();
  const Outcome outcome = run(world.conversation, ask, context);
  CHECK(outcome.end == Outcome::End::failed);
  CHECK(outcome.reason.starts_with("The profile \"mine\" makes a plan, so it cannot have"));
}

TEST_CASE("what is denied is refused with a reason to the model, without a question") {
  World world;
  world.limits.permissions = Permissions::parse({{"edit", {{"*.py", "deny"}}}});
  OnceAskedEditor editor(Decision::session);
  world.editor = &editor;
  ScriptedModel model(false, {says(block("shapes.py", kPlus, "    return 1")), says("I see.")});
  const Outcome outcome = world.ask(model);
  CHECK(outcome.files.empty());
  CHECK(editor.asked.empty());
  CHECK(words(model.requests[1].messages.back()).find("is not allowed") != std::string::npos);
}

TEST_CASE("a model that may not read files is told nothing of their text") {
  for (const char* access : {"deny", "ask"}) {
    CAPTURE(access);
    World world;
    world.limits.permissions = Permissions::parse({{"read", access}});
    ScriptedVerifier verifier({Verdict::State::failed, Verdict::State::passed});
    world.verifier = &verifier;
    world.limits.max_repairs = 2;
    Ask ask;
    ask.prompt = "Make it return a number.";
    ask.profile = "blocks";
    ScriptedModel model(
        false, {says(block("shapes.py", "    return width * hight * depth", "    return 1")),
                says(block("shapes.py", "    return None", "    return 0")),
                says(block("shapes.py", "    return width + height", "    return (")),
                says(block("shapes.py", "    return (", "    return 7")), says("Done.")});
    const Outcome outcome = world.ask_for(model, ask);
    REQUIRE(model.requests.size() >= 4);
    for (const ModelRequest& request : model.requests) {
      const std::string told = words(request.messages.back());
      CAPTURE(told);
      for (const char* line : {"height * depth", "width < 0", "return None", "oh no"})
        CHECK(told.find(line) == std::string::npos);
    }
    const std::string first = words(model.requests[1].messages.back());
    CHECK(first.find("not_found: hunk 1 (line 3 of your edit)") != std::string::npos);
    CHECK(first.find("shapes.py") != std::string::npos);
    CHECK(text_of(outcome, "shapes.py").find("return 7") != std::string::npos);
  }
}

TEST_CASE("a check that fails goes back to the model, and its mended draft is checked again") {
  World world;
  ScriptedVerifier verifier({Verdict::State::failed, Verdict::State::passed});
  world.verifier = &verifier;
  ScriptedModel model(
      false, {says(block("shapes.py", kPlus, "    return width ** height")),
              says(block("shapes.py", "    return width ** height", "    return width * height"))});
  const Outcome outcome = world.ask(model);
  CHECK(outcome.end == Outcome::End::done);
  CHECK(outcome.verdict.state == Verdict::State::passed);
  REQUIRE(verifier.seen.size() == 2);
  CHECK(verifier.seen[1] == text_of(outcome, "shapes.py"));
  CHECK(words(model.requests[1].messages.back()).find("shapes.py:4: oh no") != std::string::npos);
}

TEST_CASE("a check that still fails is told, and the draft is kept") {
  World world;
  world.limits.max_repairs = 0;
  ScriptedVerifier verifier({Verdict::State::failed});
  world.verifier = &verifier;
  ScriptedModel model(false, {says(block("shapes.py", kPlus, "    return 1"))});
  const Outcome outcome = world.ask(model);
  CHECK(outcome.end == Outcome::End::done);
  CHECK(outcome.verdict.state == Verdict::State::failed);
  CHECK(outcome.files.size() == 1);
}

TEST_CASE("an answer without an edit runs no check") {
  World world;
  ScriptedVerifier verifier({Verdict::State::passed});
  world.verifier = &verifier;
  ScriptedModel model(false, {says("Nothing to do.")});
  CHECK(world.ask(model).verdict.state == Verdict::State::not_checked);
  CHECK(verifier.seen.empty());
}

TEST_CASE("a refinement begins with the proposal, and its draft is compared with the files") {
  World world;
  ScriptedModel first(false, {says(block("shapes.py", kPlus, "    return width * height"))});
  Ask refine;
  refine.prompt = "And a comment.";
  refine.draft = world.ask(first).files;
  refine.attachments = {"shapes.py"};
  ScriptedModel second(false, {says(block("shapes.py", "    return width * height\n",
                                          "    return width * height  # square\n"))});
  const Outcome outcome = world.ask_for(second, refine);
  CHECK(words(second.requests[0].messages.back()).find("width * height\n") != std::string::npos);
  REQUIRE(outcome.files.size() == 1);
  CHECK(outcome.files[0].before->str() == kShapes);
  CHECK(text_of(outcome, "shapes.py").find("# square") != std::string::npos);
}
