#include "agent/context/edit_format.h"

#include <doctest/doctest.h>

#include "agent/loop/scripted.h"

using namespace bodkin;

namespace {

const char kShapes[] = "def area(width, height):\n    return width + height\n";
const char kFind[] =
    "def find_all(words, text):\n"
    "    \"\"\"The words that occur in the text.\"\"\"\n"
    "    matches = [word for word in words if word in text]\n"
    "    if not matches:\n"
    "        return None\n"
    "    return matches\n";

std::string replaced(std::string text, std::string_view old_text, std::string_view new_text) {
  return text.replace(text.find(old_text), old_text.size(), new_text);
}

struct World {
  MemoryWorkspace workspace{{{"src/shapes.py", kShapes}, {"src/find.py", kFind}}};
  Conversation conversation;
  Ask ask;
  Outcome outcome;

  std::string drafted(const std::string& path) const {
    for (const ChangedFile& file : outcome.files) {
      if (file.path == path) return file.after ? file.after->str() : "(removed)";
    }
    return "(not in the draft)";
  }
};

}  // namespace

TEST_CASE("each edit format's examples are applied as they are written") {
  CHECK(find_edit_format(kDefaultEditFormat) != nullptr);
  for (const EditFormat& format : edit_formats()) {
    CAPTURE(format.name);
    World world;
    world.ask.prompt = "Change @src/shapes.py and @src/find.py.";
    world.ask.edit_format = format.name;
    // A model that repeats the whole guide: its own text is no edit.
    ScriptedModel model(false, {says(std::string(format.guide))});
    world.outcome =
        run(world.conversation, world.ask, {.model = model, .workspace = world.workspace});
    CHECK_MESSAGE(world.outcome.end == Outcome::End::done, world.outcome.reason);
    REQUIRE(!model.requests.empty());
    CHECK(model.requests[0].system.find(format.guide) != std::string::npos);
    CHECK(world.drafted("src/find.py") == replaced(kFind, "None", "[]"));
    CHECK(world.drafted("src/shapes.py") == replaced(kShapes, "+", "*"));
  }
}

TEST_CASE(
    "a fence below a path replaces a file that was read, in every format, and only a whole one") {
  const std::string whole = "src/shapes.py\n```\ndef area(w, h):\n    return w * h\n```\n";
  const std::string part = "src/find.py\n```\n    if not matches:\n        return []\n```\n";
  const std::string named = "Change @src/shapes.py and @src/find.py.";
  for (const auto& [format, prompt, reply, changes] :
       {std::tuple("whole", named, whole, true), std::tuple("editor-whole", named, whole, true),
        std::tuple("diff", named, whole, true), std::tuple("whole", named, part, false),
        std::tuple("whole", std::string("Go."), whole, false)}) {  // it was never read
    CAPTURE(format);
    World world;
    world.ask.prompt = prompt;
    world.ask.edit_format = format;
    ScriptedModel model(false, {says(reply), says("No."), says("No.")});
    world.outcome =
        run(world.conversation, world.ask, {.model = model, .workspace = world.workspace});
    CHECK(!world.outcome.files.empty() == changes);
  }
}

TEST_CASE(
    "a format that is chosen makes a model with tools write blocks, and an unknown one is an "
    "error") {
  World world;
  world.ask.prompt = "Go.";
  world.ask.edit_format = "udiff";
  ScriptedModel model(true, {says("Nothing.")});
  run(world.conversation, world.ask, {.model = model, .workspace = world.workspace});
  REQUIRE(model.requests.size() == 1);
  CHECK(model.requests[0].tools.empty());
  CHECK(model.requests[0].system.find("unified diff") != std::string::npos);
  world.ask.edit_format = "sdiff";
  CHECK(run(world.conversation, world.ask, {.model = model, .workspace = world.workspace}).reason ==
        "There is no edit format \"sdiff\".");
}
