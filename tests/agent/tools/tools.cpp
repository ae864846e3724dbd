#include "agent/tools/tools.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "agent/loop/scripted.h"
#include "agent/platform/paths.h"
#include "agent/support/temporary_folder.h"

using namespace bodkin;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

const char kPatch[] =
    "*** Begin Patch\n"
    "*** Update File: src/a.py\n"
    "@@\n"
    "-A = 1\n"
    "+A = 2\n"
    "*** Add File: src/new.py\n"
    "+NEW = 1\n"
    "*** Delete File: b.py\n"
    "*** End Patch\n";

struct World {
  MemoryWorkspace workspace{
      {{"src/a.py", "A = 1\n"}, {"b.py", "B = 1\n"}, {"src/shapes.py", "S = 1\n"}}};
  Conversation conversation;
  Task task;
  Outcome outcome;

  // What the calls, one after the other, were answered with.
  std::vector<std::string> call(std::vector<std::pair<std::string, json>> wanted) {
    std::vector<ModelReply> replies;
    for (auto& one : wanted) replies.push_back(calls({one}));
    replies.push_back(says("Done."));
    ScriptedModel model(true, std::move(replies));
    Ask ask;
    ask.prompt = "Go.";
    outcome = run(conversation, ask, {.model = model, .workspace = workspace, .task = task});
    std::vector<std::string> results;
    for (size_t i = 1; i < model.requests.size(); ++i) {
      results.push_back(words(model.requests[i].messages.back()));
    }
    REQUIRE(results.size() == wanted.size());
    return results;
  }
  std::string drafted(const std::string& path) const {
    for (const ChangedFile& file : outcome.files) {
      if (file.path == path) return file.after ? file.after->str() : "(removed)";
    }
    return "(not in the draft)";
  }
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::pair<std::string, json> read(const char* path) { return {"read_file", {{"path", path}}}; }

// A folder on the disk, for rg.
struct Folder {
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((path / name).parent_path());
    std::ofstream(path / name, std::ios::binary) << text;
  }
  TemporaryFolder own = *TemporaryFolder::make(TemporaryFolder::Where::disk);
  fs::path path = own.path();
};

}  // namespace

TEST_CASE("the user is told why the tools' edits failed, without the advice for the model") {
  World world;
  const auto blind = [](const char* path, const char* text) {
    return calls({{"edit", {{"path", path}, {"old_str", "B = 1"}, {"new_str", text}}}});
  };
  ScriptedModel model(
      true, {blind("src/a.py", "B = 1"), blind("src/shapes.py", "B = 1"), blind("b.py", "B = 2"),
             blind("b.py", "B = 3"), blind("b.py", "B = 4")});
  Ask ask;
  ask.prompt = "Go.";
  const Outcome outcome = run(world.conversation, ask,
                              {.model = model, .workspace = world.workspace, .task = world.task});
  CHECK(contains(outcome.reason, "b.py has not been read."));
  CHECK(!contains(outcome.reason, "before you edit it"));
}

TEST_CASE("a patch is taken as a whole, after its files were read") {
  World world;
  const auto results = world.call({{"apply_patch", {{"patch", kPatch}}},
                                   read("src/a.py"),
                                   read("b.py"),
                                   {"apply_patch", {{"patch", kPatch}}}});
  CHECK(contains(results[0], "before you edit it"));
  CHECK(contains(results[3], "Edited src/a.py (at line 1)."));
  CHECK(contains(results[3], "Created src/new.py."));
  CHECK(contains(results[3], "Removed b.py."));
  CHECK(world.drafted("src/a.py") == "A = 2\n");
  CHECK(world.drafted("src/new.py") == "NEW = 1\n");
  CHECK(world.drafted("b.py") == "(removed)");
  CHECK(world.workspace.files["src/a.py"] == "A = 1\n");
}

TEST_CASE("a patch with one bad part changes nothing and says which") {
  World world;
  const std::string bad =
      std::string(kPatch).replace(std::string(kPatch).find("-A = 1"), 6, "-A = 7");
  const auto results = world.call({read("src/a.py"),
                                   read("b.py"),
                                   {"apply_patch", {{"patch", bad}}},
                                   {"apply_patch", {{"patch", "nothing at all"}}}});
  CHECK(contains(results[2], "A = 1"));
  CHECK(contains(results[3], "patch contains no edits"));
  CHECK(world.outcome.files.empty());
}

TEST_CASE("no patch gets out of the workspace or at a private file") {
  World world;
  world.workspace.files[".env"] = "KEY=1\n";
  for (const char* path : {"../x.py", "/etc/passwd", ".env", "src/../../x", ".ssh/id_rsa"}) {
    const std::string patch =
        "*** Begin Patch\n*** Add File: " + std::string(path) + "\n+x\n*** End Patch\n";
    const std::string move =
        "*** Begin Patch\n*** Update File: b.py\n*** Move to: " + std::string(path) +
        "\n@@\n-B = 1\n+B = 2\n*** End Patch\n";
    World fresh;
    fresh.workspace.files[".env"] = "KEY=1\n";
    fresh.call(
        {read("b.py"), {"apply_patch", {{"patch", patch}}}, {"apply_patch", {{"patch", move}}}});
    CHECK_MESSAGE(fresh.outcome.files.empty(), path);
  }
}

TEST_CASE("write_file creates, and writes anew only what was read") {
  World world;
  const json other = {{"path", "b.py"}, {"content", "B = 2\n"}};
  const auto results = world.call({{"write_file", {{"path", "src/c.py"}, {"content", "C = 1\n"}}},
                                   {"write_file", other},
                                   read("b.py"),
                                   {"write_file", other}});
  CHECK(contains(results[0], "Created src/c.py."));
  CHECK(contains(results[1], "b.py has not been read. Read it"));
  CHECK(contains(results[3], "Edited b.py"));
  CHECK(world.drafted("src/c.py") == "C = 1\n");
  CHECK(world.drafted("b.py") == "B = 2\n");
}

TEST_CASE("a new file is not written with the fence around it that an answer has") {
  World world;
  const auto write = [](const char* path, const char* text) {
    return std::pair<std::string, json>("write_file", {{"path", path}, {"content", text}});
  };
  const auto results = world.call({
      write("n.py", "```python\nx = 1\n```\n"),
      write("n.c", "```\nint x;\n```\n\n"),
      write("n.md", "```markdown\n# T\n\ntext\n```\n"),
      write("nested.md", "```markdown\n# T\n\n```sh\nmake\n```\n\nmore\n```\n"),
      write("one.md", "```sh\nmake\n```\n"),
      write("begins.md", "```markdown\n# T\n```\n\nis a title.\n"),
      write("two.md", "```markdown\n# T\n```\n\nor\n\n```html\n<h1>\n```\n"),
  });
  for (size_t i = 0; i < results.size(); ++i)
    CHECK_MESSAGE(
        contains(results[i], "is in a fence of its own. Send the lines without") == (i < 4),
        results[i]);
  CHECK(world.outcome.files.size() == 3);
}

TEST_CASE(
    "delete_file removes only what was read, and what is removed is gone for the other tools") {
  World world;
  const auto results = world.call({{"delete_file", {{"path", "b.py"}}},
                                   read("b.py"),
                                   {"delete_file", {{"path", "./b.py"}}},
                                   read("b.py"),
                                   {"delete_file", {{"path", "none.py"}}}});
  CHECK(contains(results[0], "b.py has not been read. Read it"));
  CHECK(contains(results[2], "Removed b.py."));
  CHECK(contains(results[3], "b.py"));
  CHECK(contains(results[4], "does not exist"));
  CHECK(world.drafted("b.py") == "(removed)");
}

TEST_CASE("find_file takes what one remembers of a name") {
  World world;
  world.workspace.files["src/.env"] = "x";
  const auto results = world.call({{"find_file", {{"name", "shapes"}}},
                                   {"find_file", {{"name", "A.PY"}}},
                                   {"find_file", {{"name", "srcshp"}}},
                                   {"find_file", {{"name", "zzz"}}},
                                   {"find_file", {{"name", ".env"}}}});
  CHECK(results[0] == "src/shapes.py\n");
  CHECK(results[1].starts_with("src/a.py\n"));
  CHECK(results[2] == "src/shapes.py\n");
  CHECK(contains(results[3], "No path contains"));
  CHECK(contains(results[4], "No path contains"));
}

TEST_CASE("a search below a folder is not drowned by what the others match") {
  Folder folder;
  std::string much;
  for (int i = 0; i < 40'000; ++i)
    much += "needle in a very long line of hay, number after number\n";
  for (const char* name : {"hay/a.txt", "hay/b.txt"}) folder.write(name, much);
  folder.write("src/a.py", "x = 1\nneedle = 2\n");
  World world;
  world.workspace.folders = {{"work", folder.path.string()}};
  const auto results = world.call({{"grep_search", {{"query", "needle"}, {"path", "src"}}},
                                   {"grep_search", {{"query", "needle"}}}});
  CHECK(results[0] == "src/a.py:2: needle = 2\n");
  CHECK(contains(results[1], "the list is incomplete"));
}

TEST_CASE("a search leaves nested work trees out, unless they are named, and keeps submodules") {
  Folder folder;
  folder.write(".git/HEAD", "");
  folder.write(".gitmodules", "[submodule \"m\"]\n\tpath = ext/m\n");
  for (const char* nested : {"copy/w", "ext/m"}) {
    folder.write(std::string(nested) + "/.git", "gitdir: elsewhere\n");
    folder.write(std::string(nested) + "/a.py", "needle = 1\n");
  }
  folder.write("src/a.py", "needle = 1\n");
  World world;
  world.workspace.folders = {{"work", folder.path.string()}};
  const auto results = world.call({{"grep_search", {{"query", "needle"}}},
                                   {"grep_search", {{"query", "needle"}, {"path", "copy/w"}}},
                                   {"grep_search", {{"query", "needle"}, {"path", "copy"}}}});
  CHECK(results[0] ==
        "ext/m/a.py:1: needle = 1\nsrc/a.py:1: needle = 1\n"
        "(1 more in nested git work trees, which are not part of this project)\n");
  CHECK(results[1] == "copy/w/a.py:1: needle = 1\n");
  CHECK(contains(results[2], "No matches.\n(1 more in nested"));
}

TEST_CASE("what was read in part is not written anew") {
  World world;
  world.workspace.files["long.py"] = "a = 1\nb = 2\nc = 3\n";
  const auto read = [](int from, int to) {
    return std::pair<std::string, json>(
        "read_file", {{"path", "long.py"}, {"start_line", from}, {"end_line", to}});
  };
  const std::pair<std::string, json> write("write_file",
                                           {{"path", "long.py"}, {"content", "a = 1\nc = 4\n"}});
  const auto results = world.call({read(2, 3), write, read(1, 1), write, {"diff", json::object()}});
  CHECK_MESSAGE(contains(results[1], "long.py has been read only in part. Read the rest of it"),
                results[1]);
  CHECK(contains(results[3], "Edited long.py"));
  CHECK(contains(results[4], "-b = 2\n"));
}

TEST_CASE("a search shows the lines around its matches, of a type, over several lines") {
  Folder folder;
  const std::string key = "AKIA" + std::string("IOSFODNN7EXAMPLE");
  World world;
  world.workspace.files = {{"a.py", "one\ntwo\nhit\nfour\nfive\nsix\nseven\nhit\n"},
                           {"b.js", "hit\n"},
                           {"c.py", "key = \"" + key + "\"\nhit\nend\n"}};
  for (const auto& [path, text] : world.workspace.files) folder.write(path, text);
  world.workspace.folders = {{"work", folder.path.string()}};
  const auto results = world.call(
      {{"grep_search", {{"query", "hit"}, {"path", "a.py"}, {"before", 1}, {"after", 2}}},
       {"grep_search", {{"query", "hit"}, {"type", "js"}}},
       {"grep_search", {{"query", "hit"}, {"type", "nothing"}}},
       {"grep_search", {{"query", "hit"}, {"path", "c.py"}, {"before", 1}}},
       {"grep_search", {{"query", "hit.*seven"}, {"multiline", true}, {"output", "files"}}},
       {"grep_search", {{"query", "AKIA.*hit"}, {"multiline", true}}},
       {"grep_search", {{"query", "hit"}, {"path", "a.py"}, {"line_numbers", false}}},
       {"grep_search", {{"query", "hit"}, {"output", "files"}, {"skip", 1}, {"max_matches", 1}}},
       {"grep_search", {{"query", "o"}, {"path", "a.py"}, {"after", 1}}}});
  CHECK(results[0] ==
        "a.py-2- two\na.py:3: hit\na.py-4- four\na.py-5- five\n--\na.py-7- seven\na.py:8: hit\n");
  CHECK(results[1] == "b.js:1: hit\n");
  CHECK(contains(results[2], "no file type \"nothing\""));
  CHECK(contains(results[3], "c.py:2: hit\n"));
  CHECK(contains(results[3], "c.py-1- key"));
  CHECK(!contains(results[3], key));
  CHECK(results[4] == "a.py\n");
  CHECK(results[5] == "No matches.");
  CHECK(results[6] == "a.py: hit\na.py: hit\n");
  CHECK(results[7].starts_with("b.js\n"));
  CHECK(results[8] == "a.py:1: one\na.py:2: two\na.py-3- hit\na.py:4: four\na.py-5- five\n");
}

TEST_CASE("no search gets out of the workspace, by no path and no link") {
  Folder folder, outside;
  outside.write("secret.txt", "needle\n");
  folder.write("a.txt", "hay\n");
  std::error_code no_links;  // here, as Windows may say
  fs::create_directory_symlink(outside.path, folder.path / "link", no_links);
  fs::create_symlink(outside.path / "secret.txt", folder.path / "file.txt", no_links);
  World world;
  world.workspace.folders = {{"work", folder.path.string()}};
  for (const std::string& result :
       world.call({{"grep_search", {{"query", "needle"}}},
                   {"grep_search", {{"query", "needle"}, {"path", "link"}}},
                   {"grep_search", {{"query", "needle"}, {"path", "link/secret.txt"}}},
                   {"grep_search", {{"query", "needle"}, {"path", "file.txt"}}},
                   {"list_dir", {{"path", "."}}},
                   {"grep_search", {{"query", "needle"}, {"path", "../"}}},
                   {"grep_search", {{"query", "needle"}, {"path", outside.path.string()}}},
                   {"grep_search", {{"query", "needle"}, {"path", "none"}}}})) {
    CHECK(!contains(result, "needle"));
  }
}

TEST_CASE("an argument that looks like an option of rg is none") {
  Folder folder;
  folder.write("a.txt", "--pre=sh\n");
  World world;
  world.workspace.folders = {{"work", folder.path.string()}};
  const auto results = world.call({{"grep_search", {{"query", "--pre=sh"}}},
                                   {"grep_search", {{"query", "sh"}, {"path", "-f"}}},
                                   {"grep_search", {{"query", "("}}}});
  CHECK(results[0] == "a.txt:1: --pre=sh\n");
  CHECK(results[1] == "No matches.");
  CHECK(contains(results[2], "rg refused the query"));
}

// Of how many lines match, and of which there are, nothing may depend on what is not shown.
TEST_CASE("what private files match takes nothing away from a search, and adds nothing") {
  std::vector<std::string> answers;
  for (const bool has_private : {false, true}) {
    Folder folder;
    std::string much;
    for (int i = 0; i < 60'000; ++i)
      much += "needle in a very long line of hay, number after number\n";
    if (has_private) {
      folder.write(".env", much);
      folder.write("a.env", much);
    }
    std::string hay;
    for (int i = 0; i < 500; ++i) hay += "needle " + std::to_string(i) + "\n";
    folder.write("src/a.py", hay);
    World world;
    world.workspace.folders = {{"work", folder.path.string()}};
    answers.push_back(world.call({{"grep_search", {{"query", "needle"}, {"max_matches", 3}}}})[0]);
  }
  CHECK(answers[0] == answers[1]);
  CHECK(contains(answers[0], "(3 of 500 matches"));
}

TEST_CASE("a move is taken back as a whole, and a failed undo is no failed edit") {
  World world;
  const std::string move =
      "*** Begin Patch\n*** Update File: src/a.py\n*** Move to: m.py\n@@\n-A = 1\n+A = 2\n"
      "*** End Patch\n";
  const std::pair<std::string, json> undo{"undo_edit", {{"path", "m.py"}}};
  const auto results = world.call(
      {read("src/a.py"), {"apply_patch", {{"patch", move}}}, undo, read("src/a.py"), undo});
  CHECK(contains(results[2], "Undid the last edit of m.py.\nEdited m.py"));
  CHECK(contains(results[2], "moved to src/a.py"));
  CHECK(contains(results[3], "A = 1"));
  CHECK(contains(results[4], "No edit of m.py in this request is left"));
  CHECK(world.outcome.files.empty());
  CHECK(world.outcome.end == Outcome::End::done);
}

TEST_CASE("what was moved away leaves its path to a new file") {
  World world;
  const auto results = world.call({read("b.py"),
                                   {"apply_patch",
                                    {{"patch",
                                      "*** Begin Patch\n*** Update File: b.py\n*** Move to: "
                                      "c.py\n*** End Patch\n"}}},
                                   {"write_file", {{"path", "b.py"}, {"content", "new\n"}}},
                                   read("c.py")});
  CHECK(contains(results[3], "B = 1"));
  CHECK(world.drafted("b.py") == "new\n");
  CHECK(world.drafted("c.py") == "B = 1\n");
}

TEST_CASE("no path is a file and a folder, in no order of the edits") {
  World world;
  const auto write = [](const char* path) {
    return std::pair<std::string, json>("write_file", {{"path", path}, {"content", "int x;\n"}});
  };
  const auto results = world.call(
      {write("n/x.c"),
       write("n"),
       write("m"),
       write("m/x.c"),
       read("b.py"),
       {"delete_file", {{"path", "b.py"}}},
       write("b.py/x.c"),
       write("b.py2"),
       {"apply_patch",
        {{"patch",
          "*** Begin Patch\n*** Add File: p/q\n+1\n*** Add File: p\n+1\n*** End Patch\n"}}}});
  CHECK(contains(results[1], "n cannot be created: n is a folder, or was one before your edits"));
  CHECK(contains(results[3], "m/x.c cannot be created: m is a file, or was one before your edits"));
  CHECK(contains(results[6], "b.py/x.c cannot be created: b.py is a file"));
  CHECK(contains(results[7], "Created b.py2"));
  CHECK(contains(results[8], "cannot be created"));
  CHECK(world.outcome.files.size() == 4);
}

TEST_CASE("a tool's text must occur once, wherever the user's selection is") {
  const json change{{"old_str", "x"}, {"new_str", "y"}};
  json edit = change, several{{"path", "a.c"}, {"edits", {change}}};
  edit["path"] = "a.c";
  MemoryWorkspace workspace{{{{"a.c", "x\nx\nx\n"}}}};
  Conversation conversation;
  ScriptedModel model(true, {calls({read("a.c"), {"edit", edit}}), calls({{"multi_edit", several}}),
                             says("It is not clear which.")});
  Ask ask;
  ask.prompt = "Go.";
  ask.selection = Selection{"a.c", {1, 2}};
  const Task task;
  const Outcome outcome =
      run(conversation, ask, {.model = model, .workspace = workspace, .task = task});
  CHECK(outcome.files.empty());
  REQUIRE(model.requests.size() >= 3);
  CHECK(contains(words(model.requests[1].messages.back()), "occur at lines 1, 2 and 3"));
  CHECK(contains(words(model.requests[2].messages[4]), "occur at lines 1, 2 and 3"));
}

TEST_CASE("a call changes the file with exactly its path, or none") {
  for (const std::string path : {"(a.c)", "[a.c]", "<a.c>", "_a.c_", "`a.c`", "'a.c'", "*a.c*",
                                 "a.c ", " a.c", "a.c:", "b\\a.c"}) {
    if (os::inner_form(path) != path) continue;  // Windows: a way to write it
    const std::string other = path == "b\\a.c" ? "b/a.c" : "a.c";
    for (const char* tool : {"edit", "write_file", "delete_file", "multi_edit"}) {
      CAPTURE(path);
      CAPTURE(tool);
      World world;
      world.workspace.files[path] = world.workspace.files[other] = "int b;\n";
      const json change = {{"old_str", "int b;"}, {"new_str", "long b;"}};
      json arguments = {{"path", path}};
      if (tool == std::string("edit")) arguments.update(change);
      if (tool == std::string("write_file")) arguments["content"] = "long b;\n";
      if (tool == std::string("multi_edit")) arguments["edits"] = json::array({change});
      world.call(
          {{"read_file", {{"path", path}}}, {"read_file", {{"path", other}}}, {tool, arguments}});
      CHECK(world.drafted(other) == "(not in the draft)");
    }
  }
}
