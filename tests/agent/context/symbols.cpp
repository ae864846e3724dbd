#include "agent/context/symbols.h"

#include <doctest/doctest.h>

#include "agent/loop/scripted.h"
#include "agent/tools/tools.h"

using namespace bodkin;
using nlohmann::json;

namespace {

const char kShapes[] =
    "// Something with an area.\n"
    "struct Shape {\n"
    "  double area() const;\n"
    "  double width = 0;\n"
    "};\n"
    "struct Circle {\n"
    "  double area() const { return 3; }\n"
    "};\n";
const char kShapesSource[] =
    "#include \"shapes.h\"\n"
    "\n"
    "double Shape::area() const {\n"
    "  return width * width;\n"
    "}\n";
const char kMain[] =
    "#include \"shapes.h\"\n"
    "\n"
    "int main() {\n"
    "  Shape shape;\n"
    "  return round_up(shape.area());\n"
    "}\n";
const char kRound[] = "// Rounds.\nint round_up(double number) {\n  return number + 0.5;\n}\n";

struct World {
  MemoryWorkspace workspace{{{"src/shapes.h", kShapes},
                             {"src/shapes.cpp", kShapesSource},
                             {"src/round.cpp", kRound},
                             {"main.cpp", kMain}}};
  Conversation conversation;
  Task task;

  World() { workspace.make_index(); }

  // What the model is given back for one call.
  std::string call(const std::string& tool, json arguments) {
    ScriptedModel model(true, {calls({{tool, std::move(arguments)}}), says("Done.")});
    Ask ask;
    ask.prompt = "Look.";
    run(conversation, ask, {.model = model, .workspace = workspace, .task = task});
    REQUIRE(model.requests.size() == 2);
    return words(model.requests[1].messages.back());
  }
  std::string prompt(const Ask& ask) {
    ScriptedModel model(true, {says("Done.")});
    run(conversation, ask, {.model = model, .workspace = workspace, .task = task});
    REQUIRE(model.requests.size() == 1);
    return model.requests[0].system + "\n---\n" + words(model.requests[0].messages.back());
  }
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("read_symbol shows the declaration whole, with its lines and where else it is declared") {
  World world;
  CHECK(world.call("read_symbol", {{"name", "round_up"}}) ==
        "src/round.cpp, lines 2-4: function round_up\n"
        "1| // Rounds.\n2| int round_up(double number) {\n3|   return number + 0.5;\n4| }\n");
  const std::string area = world.call("read_symbol", {{"name", "Shape::area"}});
  CHECK(contains(area, "src/shapes.cpp, lines 3-5: function Shape::area\n3| double"));
  CHECK(contains(area, "Also declared at:\nsrc/shapes.h, line 3: method Shape::area"));
  CHECK(contains(world.call("read_symbol", {{"name", "Circle.area"}}), "7|   double area()"));
}

TEST_CASE("read_symbol lists the places of an ambiguous name, and takes one by its line") {
  World world;
  const std::string several = world.call("read_symbol", {{"name", "area"}});
  CHECK(contains(several, "declared in 3 places"));
  CHECK(contains(several, "src/shapes.h, line 7: method Circle::area"));
  CHECK(contains(several, "src/shapes.cpp, lines 3-5: function Shape::area"));
  CHECK(!contains(several, "return"));
  CHECK(
      contains(world.call("read_symbol", {{"name", "area"}, {"path", "src/shapes.h"}, {"line", 7}}),
               "7|   double area() const { return 3; }"));
  CHECK(contains(world.call("read_symbol", {{"path", "./src/shapes.cpp"}, {"line", 4}}),
                 "4|   return width * width;"));
}

TEST_CASE("read_symbol says what to do when there is no such name") {
  World world;
  const std::string slip = world.call("read_symbol", {{"name", "roundup"}});
  CHECK(contains(slip, "No declaration named roundup"));
  CHECK(contains(slip, "Similar: src/round.cpp, lines 2-4: function round_up"));
  CHECK(contains(world.call("read_symbol", {{"name", "zzz"}}), "Search for the name"));
  CHECK(contains(world.call("read_symbol", json::object()), "Give a name"));
  CHECK(contains(world.call("read_symbol", {{"path", "main.cpp"}, {"line", 99}}), "only 6 lines"));
  CHECK(contains(world.call("read_symbol", {{"path", "main.cpp"}, {"line", 1}}),
                 "not in a function"));
  CHECK(contains(world.call("read_symbol", {{"name", "x"}, {"path", "../x.cpp"}}), "outside"));
  world.workspace.index = nullptr;
  CHECK(contains(world.call("read_symbol", {{"name", "round_up"}}), "Search for the name"));
}

TEST_CASE("what the index knows is looked up in the text as it is now") {
  World world;
  world.workspace.files["src/round.cpp"] = "int other;\n\nint round_up(double n) { return 1; }\n";
  CHECK(contains(world.call("read_symbol", {{"name", "round_up"}}), "3| int round_up(double n)"));
  world.workspace.files.erase("src/round.cpp");
  CHECK(contains(world.call("read_symbol", {{"name", "round_up"}}), "No declaration named"));
  // The draft counts, too; it is newer than any index.
  ScriptedModel model(
      true,
      {calls({{"edit",
               {{"path", "new.cpp"}, {"old_str", ""}, {"new_str", "int fresh() { return 1; }\n"}}},
              {"read_symbol", {{"name", "fresh"}}}}),
       says("Done.")});
  Ask ask;
  ask.prompt = "Go.";
  run(world.conversation, ask, {.model = model, .workspace = world.workspace, .task = world.task});
  CHECK(contains(words(model.requests.at(1).messages.back()), "1| int fresh()"));
}

TEST_CASE("a private file's declarations are in no result, whatever the index knows") {
  World world;
  world.workspace.files[".bodkinignore"] = "src/round.cpp\n";
  CHECK(!contains(world.call("read_symbol", {{"name", "round_up"}}), "src/round.cpp"));
  CHECK(!contains(world.call("read_symbol", {{"name", "roundup"}}), "round_up"));
  CHECK(!contains(world.call("outline", {{"path", "src"}}), "round"));
  Ask ask;
  ask.prompt = "Fix it, see @round_up.";
  ask.selection = Selection{"main.cpp", {4, 5}};
  const std::string prompt = world.prompt(ask);
  CHECK(!contains(prompt, "src/round.cpp"));
  CHECK(!contains(prompt, "Rounds."));
}

TEST_CASE("outline shows what a file and a folder declare") {
  World world;
  CHECK(world.call("outline", {{"path", "src/shapes.h"}}) ==
        "src/shapes.h (8 lines)\n"
        "struct Shape (lines 2-5)\n  method area (line 3)\n"
        "struct Circle (lines 6-8)\n  method area (line 7)\n");
  const std::string folder = world.call("outline", {{"path", "src"}});
  CHECK(contains(folder, "src/round.cpp\n  function round_up (lines 2-4)\n"));
  CHECK(contains(folder, "  struct Circle (lines 6-8)\n"));
  CHECK(!contains(folder, "method area"));
  CHECK(contains(world.call("outline", {{"path", "nowhere"}}), "does not exist"));
  world.workspace.files["notes.unknown"] = "x\n";
  CHECK(contains(world.call("outline", {{"path", "notes.unknown"}}), "Read the file"));
}

TEST_CASE("a long outline lists the outer declarations first, and those near the place") {
  Outline outline;
  const auto add = [&](const char* name, SymbolKind kind, size_t begin, size_t end,
                       std::optional<size_t> parent) {
    Symbol symbol;
    symbol.name = name;
    symbol.kind = kind;
    symbol.lines = {begin, end};
    symbol.parent = parent;
    outline.symbols.push_back(symbol);
  };
  add("A", SymbolKind::class_, 0, 10, std::nullopt);
  add("far", SymbolKind::method, 1, 3, 0);
  add("B", SymbolKind::class_, 10, 20, std::nullopt);
  add("near", SymbolKind::method, 11, 13, 2);
  add("next", SymbolKind::method, 13, 15, 2);
  CHECK(outline_text(outline, 3, 14) ==
        "class A (lines 1-10)\nclass B (lines 11-20)\n  method next (lines 14-15)\n"
        "(2 more are not listed)\n");
}

TEST_CASE("the declarations of other files do not explain names that the file declares itself") {
  World world;
  world.workspace.files["main.cpp"] =
      "int round_up(int number) { return number; }\n\nint main() {\n  return round_up(1);\n}\n";
  world.workspace.make_index();
  Ask ask;
  ask.prompt = "Why?";
  ask.selection = Selection{"main.cpp", {3, 4}};
  CHECK(!contains(world.prompt(ask), "src/round.cpp, lines 2-4"));
  ask.prompt = "Why not the other round_up()?";
  CHECK(contains(world.prompt(ask), "src/round.cpp, lines 2-4"));
}

TEST_CASE("the prompt has the declarations that the place uses, and those that are mentioned") {
  World world;
  Ask ask;
  ask.prompt = "Why does it fail? Look at @Circle too.";
  ask.selection = Selection{"main.cpp", {4, 5}};
  const std::string prompt = world.prompt(ask);
  CHECK(contains(prompt, "Declared in other files"));
  CHECK(contains(prompt, "src/round.cpp, lines 2-4:\nint round_up(double number) {\n"));
  CHECK(contains(prompt, "src/shapes.h, lines 2-5:\nstruct Shape {\n"));
  CHECK(contains(prompt, "src/shapes.h, lines 6-8: struct Circle:\n"));
  // The map is in the system prompt, the part that stays; what the place's own file declares is
  // not.
  const std::string system = prompt.substr(0, prompt.find("\n---\n"));
  CHECK(contains(system, "src/round.cpp:\n  int round_up(double number)\n"));
  CHECK(!contains(system, "main.cpp:"));
  ask.prompt = "Look at @area.";
  CHECK(contains(world.prompt(ask), "@area may be one of:\n- src/shapes.cpp, lines 3-5"));
}

TEST_CASE("the map keeps within its budget, and is the same each time") {
  World world;
  for (int i = 0; i < 300; ++i) {
    const std::string n = std::to_string(i);
    world.workspace.files["lib/f" + n + ".py"] = "def function_" + n + "(a, b):\n    pass\n";
    world.workspace.files["use/u" + n + ".py"] = "function_" + n + "(1, 2)\n";
  }
  world.workspace.make_index();
  const std::string map = repository_map(world.workspace, {}, 1000, world.task);
  CHECK(map.size() <= 1000);
  CHECK(map.size() > 800);
  CHECK(map == repository_map(world.workspace, {}, 1000, world.task));
  CHECK(contains(repository_map(world.workspace, {"use/u299.py"}, 1000, world.task),
                 "lib/f299.py:\n  def function_299(a, b):\n"));
  world.workspace.index->set_complete(false);
  CHECK(repository_map(world.workspace, {}, 1000, world.task).empty());
}
