// What a request names: by @, and in its own words.
#include "agent/context/mentions.h"

#include <doctest/doctest.h>

#include "agent/context/completion.h"
#include "agent/context/guidance.h"
#include "agent/context/named.h"
#include "agent/context/slash_commands.h"
#include "agent/loop/scripted.h"

using namespace bodkin;

namespace {

using Kind = Mention::Kind;

struct World {
  MemoryWorkspace workspace{{
      {"src/parse/parser.cpp",
       "struct ParseError { int line; };\nstruct Parser {\n  void advance();\n};\n"},
      {"src/render/theme_table.cpp", "int color_of(int role) {\n  return role;\n}\n"},
      {"src/render/canvas.h", "struct Canvas {\n  void resize(int width);\n};\n"},
      {"src/render/canvas.cpp",
       "#include \"canvas.h\"\nvoid Canvas::resize(int width) {\n  width_ = width;\n}\n"},
      {"src/net/retry.py",
       "class RetryPolicy:\n    def delay(self):\n        return 1\n\ndef backoff():\n    return "
       "2\n"},
      {"src/net/session.py", "class Session:\n    def close(self):\n        pass\n"},
      {"tools/a/setup.py", "def main():\n    pass\n"},
      {"tools/b/setup.py", "def main():\n    pass\n"},
      {"Makefile", "all:\n\ttrue\n"},
      {"docs/two words.md", "# Title\n"},
  }};
  Task task;
  World() { workspace.make_index(); }

  // What the request names: files, then declarations.
  std::string named(const std::string& request) {
    const Named named = named_in(request, workspace, task);
    std::string result;
    for (const std::string& path : named.files) result += (result.empty() ? "" : " ") + path;
    for (const FoundSymbol& symbol : named.symbols) {
      result += (result.empty() ? "" : " ") + symbol.path_in_outline;
    }
    return result;
  }
  std::string completed(const std::string& text) {
    const Completions found = complete_request(text, text.size(), "", workspace, task);
    std::string result = std::to_string(found.begin) + ":";
    for (size_t i = 0; i < std::min<size_t>(found.items.size(), 3); ++i)
      result += " " + found.items[i].insert;
    return result;
  }
};

}  // namespace

TEST_CASE("mentions are read with their kinds, in quotes, and without the punctuation after them") {
  const auto mentions = mentions_in(
      "See @src/a.cpp, (@Widget::resize) and @file:b.c; @folder:src/ @symbol:run. @\"two "
      "words.txt\" "
      "@diagnostics @selection @diff! mail a@b.c 请看@src/a.cpp里的");
  CHECK(mentions == std::vector<Mention>{{Kind::any, "src/a.cpp"},
                                         {Kind::any, "Widget::resize"},
                                         {Kind::file, "b.c"},
                                         {Kind::folder, "src/"},
                                         {Kind::symbol, "run"},
                                         {Kind::any, "two words.txt"},
                                         {Kind::diagnostics, ""},
                                         {Kind::selection, ""},
                                         {Kind::diff, ""}});
}

TEST_CASE("a program's output names the functions at its places") {
  World world;
  CHECK(
      world.named("Why?\n```\nsrc/render/canvas.cpp:3:3: error: no member width_\n"
                  "src/render/canvas.cpp:2:6: error: again\n/usr/include/x.h:3:1: error: y\n```") ==
      "Canvas::resize");
  CHECK(world.named(
            "Why?\n```\n  File \"src/net/retry.py\", line 6, in backoff\nTypeError: x\n```") ==
        "backoff");
  // As a compiler names it that ran in a folder; not if it may be one of several.
  CHECK(world.named("Why?\n```\nrender/canvas.cpp:3:3: error: x\n```") == "Canvas::resize");
  CHECK(world.named("Why?\n```\nsetup.py:1: error: x\n```") == "");
  // A place outside of any function names the file.
  CHECK(world.named("Why?\n```\nsrc/render/canvas.cpp:1:10: fatal error: canvas.h: none\n```") ==
        "src/render/canvas.cpp");
}

TEST_CASE("what a fence quotes mentions nothing") {
  CHECK(mentions_in("@a.c\n```\n@b.c\n```\nand ``` @c.c\n```py\n@d.c") ==
        std::vector<Mention>{{Mention::Kind::any, "a.c"}, {Mention::Kind::any, "c.c"}});
  CHECK(mentions_in("```\n@a.c\n```\n").empty());
}

TEST_CASE("a request names files and declarations in its own words") {
  for (const char* word : {"test", "Test", "ERROR"}) CHECK_MESSAGE(is_common_word(word), word);
  World world;
  const std::pair<std::string, std::string> cases[] = {
      {"Make `resize` return early.", "Canvas::resize"},
      {"Make resize return early.", "Canvas::resize"},
      {"Add a field to the parser's error type.", "ParseError"},
      {"The error type of the parser needs a column.", "ParseError"},
      {"Use the retry policy in the session.", "RetryPolicy Session"},
      {"Why is the theme table so slow?", "src/render/theme_table.cpp"},
      {"Change canvas.h to hold its size.", "src/render/canvas.h"},
      {"Look at src/net/retry.py.", "src/net/retry.py"},
      {"Look at ./Makefile and render/canvas.cpp", "Makefile src/render/canvas.cpp"},
      {"color_of() is wrong", "color_of"},
      {"Canvas::resize is wrong", "Canvas::resize"},
      {"请修复resize函数", "Canvas::resize"},
      {"parserのerror型に列を追加して", "ParseError"},
      {"`backoff` と RetryPolicy を直して", "backoff RetryPolicy"},
      // Nobody knows which, or nothing is meant.
      {"Change setup.py and main.", ""},
      {"Please fix the error in this function and add a test.", ""},
      {"e.g. 3.14 is not a file, nor is and/or", ""},
      {"```\nresize\n```\nExplain.", ""},
  };
  for (const auto& [request, wanted] : cases) {
    CAPTURE(request);
    CHECK(world.named(request) == wanted);
  }
}

TEST_CASE("what a request names is shown as exact code, once, and a repair names nothing") {
  World world;
  const auto prompt = [&](Ask ask) {
    ScriptedModel model(true, {says("Done.")});
    Conversation conversation;
    run(conversation, ask, {.model = model, .workspace = world.workspace, .task = world.task});
    REQUIRE(model.requests.size() == 1);
    return words(model.requests[0].messages.back());
  };
  Ask ask;
  ask.prompt = "Explain the retry policy and @src/render/.";
  const std::string text = prompt(ask);
  CHECK(text.find("src/net/retry.py, lines 1-3: class RetryPolicy:\n```\nclass RetryPolicy:\n    "
                  "def delay(self):\n"
                  "        return 1\n```\n") != std::string::npos);
  CHECK(text.find("src/render/:\nsrc/render/canvas.cpp\n") != std::string::npos);
  ask.prompt = "Explain @file:retry.rs";
  CHECK(prompt(ask).find("@retry.rs is not in the workspace.") != std::string::npos);
  ask.prompt = "Explain the retry policy.";
  ask.resolves_names = false;
  CHECK(prompt(ask) == "Explain the retry policy.");
}

TEST_CASE("where reading is asked for or denied, only what the user gave is shown") {
  World world;
  Ask ask;
  ask.prompt = "Explain the retry policy in retry.py, and @src/render/canvas.h.";
  for (const char* access : {"ask", "deny"}) {
    ScriptedModel model(true, {says("Done.")});
    Conversation conversation;
    Limits limits;
    limits.permissions = Permissions::parse({{"read", access}});
    run(conversation, ask,
        {.model = model, .workspace = world.workspace, .limits = limits, .task = world.task});
    REQUIRE(model.requests.size() == 1);
    const std::string text = words(model.requests[0].messages.back());
    CHECK(text.find("RetryPolicy") == std::string::npos);
    CHECK(text.find("struct Canvas") != std::string::npos);
    CHECK(text.find("width_") == std::string::npos);
  }
}

TEST_CASE("guidance is taken from the top and from the folders on the way to a file, once") {
  World world;
  world.workspace.files["AGENTS.md"] = "Top.";
  world.workspace.files["CLAUDE.md"] = "Top.\n";
  world.workspace.files[".clinerules"] = "And this one.";
  world.workspace.files[".cursor/rules/all.mdc"] = "---\nalwaysApply: true\n---\nAlways.";
  world.workspace.files[".cursor/rules/c.mdc"] =
      "---\nglobs: *.c, *.h\nalwaysApply: false\n---\nIn C.";
  world.workspace.files[".cursor/rules/python.mdc"] = "---\nglobs: [\"src/**/*.py\"]\n---\nPython.";
  world.workspace.files[".cursor/rules/asked.mdc"] = "---\ndescription: x\n---\nNot unasked.";
  world.workspace.files["src/CLAUDE.md"] = "Source.";
  world.workspace.files["src/net/.cursorrules"] = "Net.";
  world.workspace.files["docs/AGENTS.md"] = "Docs.";
  std::set<std::string> shown;
  const std::string text = guidance_text({"src/net/retry.py"}, shown, world.workspace, world.task);
  const char* const order[] = {"AGENTS.md", "Top.",    "And this one.", "Always.",
                               "Python.",   "Source.", "Net."};
  for (size_t i = 1; i < std::size(order); ++i) {
    CAPTURE(order[i]);
    CHECK(text.find(order[i - 1]) < text.find(order[i]));
    CHECK(text.find(order[i]) != std::string::npos);
  }
  CHECK(text.find("alwaysApply") == std::string::npos);
  CHECK(text.find("Docs.") == std::string::npos);
  for (const char* absent : {"CLAUDE.md (guidance for the task;", "In C.", "Not unasked."})
    CHECK(text.find(absent) == std::string::npos);
  CHECK(guidance_text({"src/net/retry.py"}, shown, world.workspace, world.task).empty());
  const std::string more = guidance_text({"docs/two words.md"}, shown, world.workspace, world.task);
  CHECK(more.find("Docs.") != std::string::npos);
  CHECK(more.find("Top.") == std::string::npos);
}

TEST_CASE("skills are listed by name, path and description") {
  World world;
  world.workspace.files[".agents/skills/release/SKILL.md"] =
      "---\nname: release-it\ndescription: How a release is made\n---\nTag it.";
  world.workspace.files[".agents/skills/release/more/SKILL.md"] =
      "---\nname: below\ndescription: Not one itself\n---\n";
  world.workspace.files[".agents/skills/none/SKILL.md"] = "No front matter.";
  world.workspace.files[".agents/skills/open/SKILL.md"] = "---\ndescription: It does not end\n";
  const std::string text = skills_text(world.workspace, world.task);
  CHECK(text.ends_with(
      "rules above:\n- release-it (.agents/skills/release/SKILL.md): How a release is made\n"));
  CHECK(text.find("Tag it.") == std::string::npos);
}

TEST_CASE("guidance comes with the first file of its folder, also one that the model reads") {
  const auto told = [](const std::string& request, std::vector<ModelReply> replies) {
    World world;
    world.workspace.files["src/net/AGENTS.md"] = "Back off twice.";
    replies.push_back(says("Done."));
    ScriptedModel model(true, std::move(replies));
    Conversation conversation;
    Ask ask;
    ask.prompt = request;
    run(conversation, ask, {.model = model, .workspace = world.workspace, .task = world.task});
    std::string all;
    for (const ModelRequest& request : model.requests) {
      size_t count = 0;
      std::string text = request.system;
      for (const Message& message : request.messages) text += words(message);
      for (size_t at = 0; (at = text.find("Back off twice.", at)) != text.npos; ++at) ++count;
      all += std::to_string(count);
    }
    return all;
  };
  const auto read = calls({{"read_file", {{"path", "src/net/retry.py"}}}});
  CHECK(told("Explain src/net/retry.py.", {}) == "1");
  CHECK(told("Explain @src/net/retry.py.", {read}) == "11");
  CHECK(told("Explain @src/net/ and @folder:src/net.", {read}) == "11");
  CHECK(told("Explain it.", {read, read}) == "011");
  CHECK(told("Add one.",
             {calls({{"write_file", {{"path", "src/net/n.py"}, {"content", "x\n"}}}})}) == "01");
}

TEST_CASE("slash commands begin a request, paths do not") {
  std::string rest = "unchanged";
  const auto name_in = [&](const char* request) {
    const SlashCommand* command = slash_command_in(request, rest);
    return command ? std::string(command->name) : std::string();
  };
  CHECK(name_in(" /fix  the second one\n") == "fix");
  CHECK(rest == "the second one\n");
  CHECK(name_in("/explain") == "explain");
  CHECK(rest.empty());
  CHECK(name_in("/fixes") == "");
  CHECK(name_in("/usr/lib is missing") == "");
  CHECK(name_in("Use /fix") == "");
  CHECK(prompt_of(slash_commands()[3], "Only `resize`.").ends_with("tests.\n\nOnly `resize`."));
}

TEST_CASE("a request is completed: commands, files, folders, declarations") {
  World world;
  CHECK(world.completed("/") == "0: /fix  /explain  /plan ");
  CHECK(world.completed("  /ex") == "2: /explain ");
  CHECK(world.completed("Look at @canv") ==
        "8: @src/render/canvas.h @src/render/canvas.cpp @Canvas");
  CHECK(world.completed("@render/") ==
        "0: @src/render/ @src/render/canvas.h @src/render/canvas.cpp");
  CHECK(world.completed("@two") == "0: @\"docs/two words.md\"");
  CHECK(world.completed("@symbol:res") == "0: @symbol:Canvas::resize");
  CHECK(world.completed("@folder:ren") == "0: @folder:src/render/");
  CHECK(world.completed("@dia") == "0: @diagnostics");
  CHECK(world.completed("@nothing that") == "13:");
  CHECK(world.completed("No mention") == "10:");
}
