#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <thread>

#include "agent/context/profile.h"
#include "agent/loop/scripted.h"
#include "agent/process_list.h"
#include "agent/sandbox/shell.h"
#include "agent/tools/command_changes.h"
#include "agent/tools/command_run.h"
#include "agent/tools/tools.h"

using namespace bodkin;
using nlohmann::json;
namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

// The person: what they were asked, and what they answer.
class Asked : public Editor {
 public:
  Result<Diagnostics> diagnostics(std::string_view, const Task&) override { return Diagnostics{}; }
  Result<Decision> permit(const Permission& permission, const Task&) override {
    // Only where there is no sandbox.
    if (permission.title.ends_with("without a sandbox?")) return Decision::session;
    questions.push_back(permission);
    return decision;
  }
  std::vector<Permission> questions;
  Decision decision = Decision::once;
};

// A folder on disk, a workspace over it, and one ask whose model makes calls.
struct World {
  World() {
    std::string name = (fs::temp_directory_path() / "bodkin-run-test-XXXXXX").string();
    folder = fs::canonical(::mkdtemp(name.data()));
    workspace.folders = {{"work", folder.string()}};
    put("a.txt", "one\ntwo\n");
    put("b.txt", "b\n");
    put("sub/c.txt", "c\n");
    limits.permissions = Permissions::parse({{"run", "allow"}});
    auto made = std::make_shared<Shell>();
    made->consent = std::make_shared<UnconfinedConsent>();
    limits.shell = shell = made;
  }
  ~World() { fs::remove_all(folder); }

  void put(const std::string& path, const std::string& text) {
    fs::create_directories((folder / path).parent_path());
    std::ofstream(folder / path, std::ios::binary) << text;
    workspace.files[path] = text;
  }
  std::map<std::string, std::string> on_disk() const {
    std::map<std::string, std::string> all;
    for (const auto& each : fs::recursive_directory_iterator(folder)) {
      if (!each.is_regular_file()) continue;
      std::ifstream in(each.path(), std::ios::binary);
      all[each.path().lexically_relative(folder)] = {std::istreambuf_iterator<char>(in), {}};
    }
    return all;
  }

  // What the calls, one after the other, were answered with; the disk keeps its bytes.
  std::vector<std::string> call(std::vector<std::pair<std::string, json>> wanted,
                                bool may_be_unanswered = false) {
    const auto before = on_disk();
    std::vector<ModelReply> replies;
    const size_t count = wanted.size();
    for (auto& one : wanted) replies.push_back(calls({std::move(one)}));
    replies.push_back(says("Done."));
    ScriptedModel model(true, std::move(replies));
    Ask ask;
    ask.prompt = "Go.";
    outcome = ::bodkin::run(conversation, ask, {model, workspace, &person, nullptr, limits, task});
    CHECK(on_disk() == before);
    offered.clear();
    for (const ToolSpec& each : model.requests[0].tools) offered[each.name] = each.description;
    std::vector<std::string> results;
    for (const Message& message : conversation.messages) {
      for (const Block& block : message.blocks) {
        if (const auto* result = std::get_if<ToolResult>(&block))
          results.push_back(result->content);
      }
    }
    if (!may_be_unanswered) REQUIRE(results.size() == count);
    return results;
  }
  std::string run(const std::string& command) {
    return call({{"run_command", {{"command", command}}}}).back();
  }
  std::string drafted() const {
    std::string all;
    for (const ChangedFile& file : outcome.files)
      all += file.path + ": " + (file.after ? file.after->str() : "(removed)\n");
    return all;
  }

  fs::path folder;
  MemoryWorkspace workspace{{}};
  Limits limits;
  std::shared_ptr<Shell> shell;
  Asked person;
  Conversation conversation;
  Outcome outcome;
  Task task;
  std::map<std::string, std::string> offered;  // tools, with their descriptions
};

std::pair<std::string, json> line(const std::string& command) {
  return {"run_command", {{"command", command}}};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a command has an exit code and one output, and what it changed is drafted") {
  World world;
  const std::string result = world.run(
      "cat a.txt; echo wrong >&2; sed -i s/two/2/ a.txt; echo n >new.txt; rm b.txt; exit 3");
  CHECK(result ==
        "<returncode>3</returncode>\n<output>\none\ntwo\nwrong\n</output>\nThe command changed "
        "these files, which are now part of your edits: a.txt (edited), b.txt (removed), new.txt "
        "(new).\n");
  CHECK(world.drafted() == "a.txt: one\n2\nb.txt: (removed)\nnew.txt: n\n");
  CHECK(world.outcome.end == Outcome::End::done);
}

TEST_CASE("all of a command runs in its folder, or nothing of it") {
  World world;
  world.limits.permissions = Permissions();
  const auto in = [&](const std::string& folder, const std::string& command) {
    return world.call({{"run_command", {{"command", command}, {"folder", folder}}}}, true).back();
  };
  CHECK(contains(in("sub", "true & wait; cat c.txt"), "\nc\n"));
  REQUIRE(world.person.questions.size() == 1);
  CHECK(world.person.questions[0].subject == "cd 'sub'\ntrue & wait; cat c.txt");
  CHECK(world.person.questions[0].title.find("cd 'sub' ⏎ true & wait; cat c.txt") !=
        std::string::npos);
  for (const char* command : {"true\nrm a.txt", "ls || rm a.txt", "true & rm a.txt; wait"}) {
    CAPTURE(command);
    CHECK(contains(in("nosuch", command), "No such file or directory"));
    CHECK(world.drafted().empty());
  }
  world.put("it's here/d.txt", "quoted\n");
  CHECK(contains(in("it's here", "cat d.txt"), "quoted"));
}

TEST_CASE("blanks do not push a part of a command out of its title") {
  CHECK(title_of_command("echo hi" + std::string(400, ' ') + "; rm x") == "echo hi    …; rm x");
  CHECK(title_of_command("a  b\nc") == "a  b ⏎ c");
}

TEST_CASE("a command sees the draft and the open buffers, and the next tool what it made") {
  World world;
  world.workspace.files["sub/c.txt"] = "typed\n";
  world.workspace.open = {"sub/c.txt"};
  const auto results =
      world.call({{"read_file", {{"path", "a.txt"}}},
                  {"edit", {{"path", "a.txt"}, {"old_str", "one"}, {"new_str", "1"}}},
                  {"run_command", {{"command", "cat a.txt sub/c.txt; echo 3 >>a.txt"}}},
                  {"edit", {{"path", "a.txt"}, {"old_str", "3"}, {"new_str", "x"}}},
                  {"read_file", {{"path", "a.txt"}}},
                  {"edit", {{"path", "a.txt"}, {"old_str", "3"}, {"new_str", "x"}}},
                  {"run_command", {{"command", "cat a.txt"}}}});
  CHECK(contains(results[2], "<output>\n1\ntwo\ntyped\n</output>"));
  CHECK(contains(results[3], "a.txt has changed since it was read"));
  CHECK(contains(results[6], "<output>\n1\ntwo\nx\n</output>"));
  CHECK(world.drafted() == "a.txt: 1\ntwo\nx\n");
}

TEST_CASE("of a command that moves work into git no change is taken") {
  World world;
  world.put(".git/config", "x\n");
  world.put("work.txt", "mine\n");
  const std::string result =
      world.run("mkdir -p .git/refs; mv work.txt .git/refs/stash; echo x >new.txt");
  CHECK(world.drafted().empty());
  CHECK(contains(result, "git's own files are not kept"));
  CHECK(contains(result, "stashes"));
}

TEST_CASE("what no edit may do no command does, and each is named") {
  World world;
  world.put(".bodkinignore", "hidden/\n");
  world.put("hidden/h.txt", "h\n");
  world.put(".env", "KEY=1\n");
  const std::string result = world.run(
      "echo x >>.env; mkdir -p hidden .git; echo y >hidden/y; echo z >.git/config; printf "
      "'\\0' >bin; ln -s /etc/passwd link; head -c 2000000 /dev/zero | tr '\\0' a >big; "
      "echo '[secret 1 removed by bodkin]' >marker; printf x >\"$(printf 'a\\033b')\"; "
      "cd ..; echo out >outside; echo fine >work.txt; cd - >/dev/null; echo fine >fine.txt");
  CHECK(world.drafted() == "fine.txt: fine\n");
  for (const std::string part :
       {".env (it is private)", "hidden/y (it is private)", ".git (git's own",
        "bin (it is not UTF-8", "link (a link, pipe or device)", "big (it is larger than 1 MB)",
        "a\\u{001B}b (edits may not use this path)"}) {
    CAPTURE(part);
    CAPTURE(result);
    CHECK(contains(result, part));
  }
  CHECK(!fs::exists(world.folder.parent_path() / "outside"));
  // The user is told, too, and none of it is applied without review.
  const std::string notes = json(world.outcome.notes).dump();
  CAPTURE(notes);
  CHECK(contains(notes,
                 ".env was changed by a command and is not part of the proposal: it is private."));
  CHECK(contains(notes, "hidden/y was changed by a command"));
  CHECK(!contains(notes, ".git was"));
  CHECK(contains(json(world.outcome.needs_review).dump(), ".env was changed by a command"));
}

TEST_CASE("a command edits a file in the encoding that the project names") {
  World world;
  const std::string write = "printf '// na\\357ve\\n' >l.txt";
  CHECK(contains(world.run(write),
                 "l.txt (it is not UTF-8 text; .editorconfig (charset) or bodkin.files.encoding "
                 "can name its encoding)"));
  World named;
  named.put(".editorconfig", "[*.txt]\ncharset = latin1\n");
  CHECK(contains(named.run(write), "now part of your edits: l.txt (new)"));
  CHECK(named.drafted() == "l.txt: // na\u00efve\n");
}

TEST_CASE("a file that a command only moves keeps its mode, and a private one says what it loses") {
  World world;
  world.put("tool.txt", "#!/bin/sh\n");
  fs::permissions(world.folder / "tool.txt", fs::perms(0755));
  world.put("key.txt", "k\n");
  fs::permissions(world.folder / "key.txt", fs::perms(0600));
  world.run("mv tool.txt moved.txt; mv key.txt kept.txt; echo x >own.txt; chmod 600 own.txt");
  CHECK(world.outcome.notes ==
        std::vector<std::string>{
            "A command set the mode of own.txt to 600, which a proposal cannot carry; "
            "after applying it, run `chmod 600 own.txt`."});
}

TEST_CASE("what no edit carries is there for later commands of the same ask") {
  World world;
  world.put(".gitignore", "*.o\nout/\n");
  world.put("old.o", "old\n");
  world.workspace.files.erase("old.o");  // it is on the disk, but git does not list it
  const auto results = world.call(
      {line("mkdir -p out bare; echo x >out/x; echo y >y.o; printf 'a\\0b' >bin; ln -s a.txt link; "
            "rm old.o; printf 'echo ran\\n' >go; chmod +x go a.txt; touch -d 2001-01-01 go"),
       line("cat out/x y.o link; wc -c <bin; ls -d bare; ls old.o; ./go; test -x a.txt && echo "
            "program; date -r go +%Y"),
       // What the other tools write counts more.
       {"write_file", {{"path", "y.o"}, {"content", "mine\n"}}},
       line("cat y.o; rm -r out bin link; echo old again >old.o; chmod -x go"),
       line("cat old.o; ls out bin link; test -x go || echo no program"),
       line("mkdir bin; echo b >bin/b; rm go"),
       line("cat bin/b; ls go")});
  CHECK(
      contains(results[0],
               "Not part of your edits, but there for later commands: bin (it is not UTF-8 text), "
               "link (a link, pipe or device), a.txt (executable), go (executable).\n3 files that "
               "git ignores or a build made"));
  CHECK(contains(results[1], "x\ny\none\ntwo\n3\nbare\nls: cannot access 'old.o'"));
  CHECK(contains(results[1], "\nran\nprogram\n2001\n"));
  CHECK(contains(results[3], "<output>\nmine\n</output>"));
  CHECK(contains(results[4], "old again\n"));
  for (const std::string gone : {"out", "bin", "link"})
    CHECK(contains(results[4], "cannot access '" + gone + "'"));
  CHECK(contains(results[4], "no program\n"));
  CHECK(contains(results[6], "<output>\nb\nls: cannot access 'go'"));
  CHECK(world.drafted() == "bin/b: b\ny.o: mine\n");
  CHECK(world.outcome.notes ==
        std::vector<std::string>{"A command made a.txt executable, which a proposal cannot do; "
                                 "after applying it, run `chmod +x a.txt`."});
  World without_edits;
  without_edits.run("printf 'a\\0b' >bin");
  CHECK(without_edits.outcome.answer ==
        "Done.\nbin was changed by a command and is not part of the proposal: it is not UTF-8 "
        "text.");
  // Only of the same ask.
  CHECK(
      contains(world.call({line("ls out/x y.o; cat old.o")}, true).back(), "cannot access 'y.o'"));
}

TEST_CASE("a folder that a command removed is gone for the later ones, until it is there again") {
  World world;
  const auto put = [&](const std::string& path) { world.put(path, path + "\n"); };
  put("lib/a.py");
  put("lib/deep/c.py");
  put("new/b.py");
  put("bare/x.py");
  const auto results = world.call({
      line("mv lib old"),
      line("mv new lib; ls lib"),
      line("ls lib"),
      line("rm bare/x.py"),
      line("ls -d bare; rmdir bare"),
      line("mkdir bare; mkdir bare/in; ls bare"),
      line("ls bare; rm -r old; chmod 600 a.txt"),
      line("mkdir old && ls old; stat -c %a a.txt"),
  });
  CHECK(contains(results[1], "<output>\nb.py\n</output>"));
  CHECK(contains(results[2], "<output>\nb.py\n</output>"));
  CHECK(contains(results[4], "<returncode>0</returncode>\n<output>\nbare\n</output>"));
  CHECK(contains(results[5], "<returncode>0</returncode>\n<output>\nin\n</output>"));
  CHECK(contains(results[6], "<output>\nin\n</output>"));
  CHECK(contains(results[7], "<returncode>0</returncode>\n<output>\n600\n</output>"));
  CHECK(world.drafted() ==
        "bare/x.py: (removed)\nlib/a.py: (removed)\nlib/b.py: new/b.py\n"
        "lib/deep/c.py: (removed)\nnew/b.py: (removed)\n");
}

TEST_CASE("a folder that comes back is there for later commands, with what is in it") {
  const auto world = [](World& made) {
    for (const char* path : {"d/x.c", "d/y.c", "d/e/z.c"}) made.put(path, std::string(path) + "\n");
  };
  World there_and_back;
  world(there_and_back);
  auto told = there_and_back.call({line("mv d n"), line("mv n d"), line("find d -type f | sort"),
                                   line("rm d/x.c; echo new >d/e/n.c")});
  CHECK(contains(told[2], "<output>\nd/e/z.c\nd/x.c\nd/y.c\n</output>"));
  CHECK(there_and_back.drafted() == "d/e/n.c: new\nd/x.c: (removed)\n");
  World edited;
  world(edited);
  told = edited.call({line("mv d n"), line("sed -i s/x/X/ n/x.c"), line("mv n d"),
                      line("find d -type f | sort"), line("cat d/x.c")});
  CHECK(contains(told[3], "<output>\nd/e/z.c\nd/x.c\nd/y.c\n</output>"));
  CHECK(edited.drafted() == "d/x.c: d/X.c\n");
  World one;  // the others stay gone
  world(one);
  told = one.call({line("rm -r d"),
                   {"write_file", {{"path", "d/x.c"}, {"content", "d/x.c\n"}}},
                   line("find d -type f | sort")});
  CHECK(contains(told[2], "<output>\nd/x.c\n</output>"));
  World again;
  world(again);
  told =
      again.call({line("rm -r d"), line("mkdir d"), line("rmdir d; echo k >k.c"), line("ls -d d")});
  CHECK(contains(told[3], "cannot access 'd'"));
  CHECK(again.outcome.notes.empty());
  CHECK(again.drafted() == "d/e/z.c: (removed)\nd/x.c: (removed)\nd/y.c: (removed)\nk.c: k\n");
}

TEST_CASE("what moves to where it is refused stays where it was") {
  World world;
  world.put("src/m.c", "int m;\nint n;\nint o;\n");
  const auto told = world.call(
      {line("rm b.txt"), line("mkdir b.txt && mv src b.txt/src"), line("cat src/m.c"),
       line("sed -i s/o/p/ src/m.c && mv src/m.c id_rsa"), line("rm -r src; echo x >.env")});
  CHECK(contains(told[1], "src/m.c (its apparent new location was not accepted)"));
  CHECK(contains(told[2], "int n;"));
  CHECK(contains(told[3], "src/m.c (its apparent new location"));
  CHECK(contains(told[4], "src/m.c (removed)"));
  CHECK(world.drafted() == "b.txt: (removed)\nsrc/m.c: (removed)\n");
}

TEST_CASE("what moves to where git ignores it or nothing is taken stays where it was") {
  for (const std::vector<std::string>& commands : std::vector<std::vector<std::string>>{
           {"mkdir build && mv src/m.c build/"},
           {"mv src/m.c src/m.log"},
           {"mv src build"},
           {"mkdir build; cp src/m.c build/k.c", "rm src/m.c"},
           {"mkdir build; sed s/m/M/ src/m.c >build/b.c; rm src/m.c"},
           {"mkdir build; tr a-z A-Z <src/m.c >build/m.c; rm src/m.c"},
           {"gzip src/m.c"}}) {
    World world;
    world.put(".gitignore", "build/\n*.log\n");
    world.put("src/m.c", "int m;\nint n;\nint o;\n");
    std::vector<std::pair<std::string, json>> lines;
    for (const std::string& command : commands) lines.push_back(line(command));
    const std::string told = world.call(lines).back();
    CAPTURE(told);
    CHECK(contains(told, "src/m.c (it seems to have moved to "));
    CHECK(world.drafted() == "");
    CHECK(contains(world.outcome.answer, "is not part of the proposal: it seems to have moved"));
  }
  World world;  // what was built from another file, or was there before, does not count
  world.put(".gitignore", "build/\n");
  world.put("src/m.c", "int m;\nint n;\nint o;\n");
  world.run("mkdir build; echo 'int k;' >build/k.c; rm src/m.c");
  CHECK(world.drafted() == "src/m.c: (removed)\n");
}

TEST_CASE("a command's folder is in the workspace, and \"/\" is not") {
  World world;
  for (const char* folder : {"/", "//", "/tmp/..", "/tmp"}) {
    CAPTURE(folder);
    const auto told = world.call({{"run_command", {{"command", "rm b.txt"}, {"folder", folder}}},
                                  {"apply_patch",
                                   {{"patch",
                                     "*** Begin Patch\n*** Delete File: b.txt\n"
                                     "*** End Patch\n"},
                                    {"folder", folder}}}});
    CHECK(contains(told[0], "outside the workspace"));
    CHECK(contains(told[1], "outside the workspace"));
    CHECK(world.drafted() == "");
    world.conversation = {};
  }
}

TEST_CASE("what took the place of a link is not taken, and where it led stays") {
  World world;
  fs::create_symlink("sub", world.folder / "lnk");
  fs::create_symlink("a.txt", world.folder / "l.txt");
  world.workspace.files["l.txt"] = "one\ntwo\n";  // read through the links
  world.workspace.files["lnk/c.txt"] = "c\n";
  const auto results =
      world.call({line("sed -i s/one/1/ l.txt; rm lnk; mkdir lnk; echo n >lnk/c.txt"),
                  line("cat l.txt lnk/c.txt a.txt sub/c.txt; chmod +x l.txt; echo 3 >>l.txt"),
                  line("cat l.txt; rm lnk/c.txt l.txt"),
                  line("cat a.txt sub/c.txt; cat lnk/c.txt; cat l.txt")});
  CHECK(contains(results[0], "l.txt (it took the place of a link)"));
  CHECK(contains(results[0], "lnk/c.txt (it took the place of a link)"));
  CHECK(contains(results[1], "<output>\n1\ntwo\nn\none\ntwo\nc\n</output>"));
  CHECK(contains(results[2], "<output>\n1\ntwo\n3\n</output>"));
  CHECK(contains(results[3], "<output>\none\ntwo\nc\ncat: "));
  CHECK(world.drafted() == "");
  World other;
  fs::create_symlink("a.txt", other.folder / "l.txt");
  other.workspace.files["l.txt"] = "one\ntwo\n";
  other.run("rm l.txt; echo x >l.txt; echo y >b.txt");
  CHECK(other.drafted() == "b.txt: y\n");
  CHECK(other.outcome.notes ==
        std::vector<std::string>{"l.txt was changed by a command and is not part of the proposal: "
                                 "it took the place of a link."});
}

TEST_CASE("where a file and a folder change places all of it is taken or nothing") {
  World world;
  const auto results =
      world.call({line("mv sub d2 && ln -s d2 sub"), line("cat sub/c.txt"), line("rm sub"),
                  line("ls sub; mkdir sub && echo z >sub/c.txt"), line("cat sub/c.txt d2/c.txt")});
  CHECK(contains(results[0], "d2/c.txt (new).\n"));
  CHECK(contains(results[0], "sub (a link, pipe or device), sub/c.txt (a file and a folder"));
  CHECK(results[1] == "<returncode>0</returncode>\n<output>\nc\n</output>\n");
  CHECK(contains(results[3], "cannot access 'sub'"));
  CHECK(contains(results[4], "<output>\nz\nc\n</output>"));
  CHECK(world.drafted() == "d2/c.txt: c\nsub/c.txt: z\n");
  World other;
  const auto more = other.call({line("rm a.txt; mkdir a.txt; printf 'a\\0b' >a.txt/x"),
                                line("wc -c <a.txt/x; rm -r a.txt; echo new >a.txt")});
  CHECK(contains(more[0], "a.txt (a file and a folder"));
  CHECK(contains(more[1], "<output>\n3\n</output>"));
  CHECK(other.drafted() == "a.txt: new\n");
  World third;  // a part of it is refused
  third.limits.permissions =
      Permissions::parse({{"run", "allow"}, {"edit", {{"sub", "deny"}, {"*", "allow"}}}});
  const auto told = third.run("rm -r sub; echo x >sub");
  CHECK(contains(told, "sub/c.txt (sub cannot be created: sub is a folder"));
  CHECK(contains(told, "sub (a file and a folder swapped places"));
  CHECK(third.drafted() == "");
}

TEST_CASE("what a command puts in the place of what the draft removed stays there") {
  World world;
  const auto results = world.call({line("rm b.txt"), line("printf 'a\\0b' >b.txt"),
                                   line("wc -c <b.txt"), line("rm b.txt; ls"), line("ls b.txt")});
  CHECK(contains(results[1], "b.txt (it is not UTF-8 text)"));
  CHECK(results[2] == "<returncode>0</returncode>\n<output>\n3\n</output>\n");
  CHECK(contains(results[4], "cannot access"));
  CHECK(world.drafted() == "b.txt: (removed)\n");
  CHECK(world.outcome.notes.empty());
  World other;  // what the tools write counts, also in the notes
  other.call({line("rm b.txt; ln -s a.txt b.txt"),
              {"read_file", {{"path", "b.txt"}}},
              {"edit", {{"path", "b.txt"}, {"old_str", "b"}, {"new_str", "c"}}}});
  CHECK(other.drafted() == "b.txt: c\n");
  CHECK(other.outcome.notes.empty());
}

TEST_CASE("a document that the disk contradicts is not laid over it") {
  World world;
  world.workspace.files["sub"] = "once a file\n";
  world.workspace.files["a.txt/x"] = "once in a folder\n";
  world.workspace.open = {"sub", "a.txt/x"};
  CHECK(world.run("cat a.txt sub/c.txt") ==
        "<returncode>0</returncode>\n<output>\none\ntwo\nc\n</output>\n");
  CHECK(world.drafted() == "");
}

TEST_CASE("what lies too deep is named, and the rest is taken") {
  World world;
  const std::string result = world.run(
      "p=x; for i in $(seq 260); do p=$p/x; done; mkdir -p $p; echo h >$p/f; echo x >a.txt");
  CHECK(contains(result, "(it is nested too deeply)"));
  CHECK(world.drafted() == "a.txt: x\n");
}

TEST_CASE("what git ignores is named to the model and to the person") {
  World world;
  world.put(".gitignore", "*.log\n");
  CHECK(contains(world.run("echo x >x.log; echo y >b.txt"),
                 "1 file that git ignores or a build made: not part of your edits, but there for "
                 "later commands: x.log.\n"));
  CHECK(world.outcome.answer ==
        "Done.\nNot part of the proposal, because git ignores it or a "
        "build made it: x.log.");
}

TEST_CASE("everything that was shown can be removed, and nothing else") {
  World world;
  world.put(".env", "KEY=1\n");
  world.put("sub/.env", "KEY=2\n");
  world.run("rm -rf ./* ./.[a-z]*; ls -A");
  CHECK(world.drafted() == "a.txt: (removed)\nb.txt: (removed)\nsub/c.txt: (removed)\n");
}

TEST_CASE("too many changed files are not taken") {
  World world;
  const std::string result = world.run("for i in $(seq 600); do echo x >f$i; done");
  CHECK(contains(result, "<returncode>0</returncode>"));
  CHECK(contains(result, "none of its changes were added"));
  CHECK(world.drafted() == "");
}

TEST_CASE("a long output loses its middle, and no byte of it acts") {
  World world;
  std::string result =
      world.run("printf 'BEGIN'; head -c 30000 /dev/zero | tr '\\0' x; printf 'END'");
  CHECK(contains(result, "<output>\nBEGINxxx"));
  CHECK(contains(result, "xxxEND\n</output>"));
  CHECK(contains(result, "… 20008 characters omitted"));
  CHECK(result.size() < 10'500);
  World other;
  result = other.run("printf 'a\\033[31m\\377\\000z\\n'");
  CHECK(contains(result, "<output>\na^[[31m\xEF\xBF\xBD^@z\n</output>"));
  World third;
  result = third.run("for i in $(seq 6000); do printf 'ää'; done");
  CHECK(contains(result, "… 2000 characters omitted"));
}

TEST_CASE("what does not end by itself is ended with a sentence, and changes nothing") {
  struct Case {
    std::string command, wanted;
  };
  const Case cases[] = {
      {"echo begun; echo x >a.txt; sleep 600",
       "The command did not finish within 0.4 s. It and everything"},
      {"trap '' TERM INT HUP; echo begun; rm -rf *; while :; do :; done",
       "did not finish within 0.4 s"},
      {"echo begun; echo x >a.txt; setsid sleep 600 & setsid sleep 600",
       "did not finish within 0.4 s"},
  };
  for (const Case& each : cases) {
    CAPTURE(each.command);
    World world;
    const auto results =
        world.call({{"run_command", {{"command", each.command}, {"timeout_ms", 400}}}});
    CHECK(contains(results[0], each.wanted));
    CHECK(contains(results[0], "Try a different command"));
    CHECK(contains(results[0], "begun"));
    CHECK(world.drafted() == "");
    CHECK(world.outcome.end == Outcome::End::done);
  }
  World world;
  world.shell->timeout = 300ms;  // the most, whatever the model asks for
  CHECK(
      contains(world.call({{"run_command", {{"command", "sleep 600"}, {"timeout_ms", 600000}}}})[0],
               "did not finish within 0.3 s"));
  World flooded;
  const std::string result = flooded.run("echo x >a.txt; yes");
  CHECK(contains(result, "wrote more than 32 MB"));
  CHECK(flooded.drafted() == "");
  CHECK(result.size() < 11'000);
}

TEST_CASE("a command that kills what it finds ends as one that was killed") {
  World world;
  // Without walls these would be the processes of who runs the test.
  const bool is_confined = sandbox_ability().kind != Confinement::none;
  const std::string result = world.run(std::string("echo x >a.txt; kill -9 $PPID; ") +
                                       (is_confined ? "kill -9 -1; " : "") + "kill -9 $$");
  CHECK((contains(result, "<returncode>137</returncode>") || contains(result, "did not run")));
  CHECK(world.outcome.end == Outcome::End::done);
}

TEST_CASE("background jobs end with their command") {
  World world;
  const auto begun = std::chrono::steady_clock::now();
  const std::string result = world.run("(sleep 60; echo late >a.txt) & echo now");
  CHECK(result == "<returncode>0</returncode>\n<output>\nnow\n</output>\n");
  CHECK(std::chrono::steady_clock::now() - begun < 20s);
}

TEST_CASE("arguments that make no command are told") {
  World world;
  const auto results = world.call({{"run_command", {{"command", "  "}}},
                                   {"run_command", {{"command", std::string("a\0b", 3)}}},
                                   {"run_command", {{"command", std::string(200'000, 'a')}}},
                                   {"run_command", {{"command", "true"}, {"timeout_ms", 0}}},
                                   {"run_command", {{"command", "-c; echo $0; echo done"}}}});
  CHECK(contains(results[0], "is empty"));
  CHECK(contains(results[1], "NUL"));
  CHECK(contains(results[2], "100 kB"));
  CHECK(contains(results[3], "at least 1"));
  CHECK(contains(results[4], "done"));
}

TEST_CASE("who asks nobody runs nothing: deny, ask and refuse") {
  World world;
  world.limits.permissions = Permissions::parse({{"run", {{"cat *", "allow"}, {"rm *", "deny"}}}});
  const auto results = world.call({{"run_command", {{"command", "cat a.txt"}}},
                                   {"run_command", {{"command", "cat a.txt; rm a.txt"}}},
                                   {"run_command", {{"command", "cat a.txt > b.txt"}}}});
  CHECK(contains(results[0], "one\ntwo"));
  CHECK(contains(results[1], "is not allowed: bodkin.agent.permissions denies it."));
  REQUIRE(world.person.questions.size() == 1);
  CHECK(world.person.questions[0].kind == "run");
  CHECK(world.person.questions[0].detail == "cat a.txt > b.txt");
  CHECK(world.drafted() == "b.txt: one\ntwo\n");

  World other;
  other.limits.permissions = {};
  other.person.decision = Decision::reject;
  const auto refused = other.call({{"run_command", {{"command", "echo x >a.txt"}}}}, true);
  CHECK(contains(refused.at(0), "Permission denied"));
  CHECK(other.outcome.end == Outcome::End::refused);
  CHECK(other.drafted() == "");

  World third;  // the rules of edits are about what commands change, too
  third.limits.permissions =
      Permissions::parse({{"run", "allow"}, {"edit", {{"a.txt", "deny"}, {"*", "allow"}}}});
  const std::string result = third.run("echo x >a.txt; echo y >b.txt");
  CHECK(contains(result, "a.txt (Editing a.txt is not allowed"));
  CHECK(third.drafted() == "b.txt: y\n");
}

TEST_CASE("the tool is offered only where commands may run") {
  World world;
  world.run("true");
  CHECK(world.offered.contains("run_command"));
  World untrusted;
  untrusted.limits.shell = nullptr;
  CHECK(contains(untrusted.run("echo x"), "Commands cannot run here: this folder is not trusted."));
  CHECK(!untrusted.offered.contains("run_command"));
  const auto explain = load_profile("explain");
  REQUIRE(explain.has_value());
  CHECK(std::ranges::find(explain->tools, "run_command") == explain->tools.end());
}

TEST_CASE("the model is told whether its commands can reach the network") {
  World world;
  world.call({});
  CHECK(contains(world.offered["run_command"], "there is no network,"));
  world.shell->sandbox.network = true;
  world.call({});
  CHECK(contains(world.offered["run_command"], "the network can be reached,"));
  CHECK(!contains(world.offered["run_command"], "{{"));
}

TEST_CASE("what was written on the disk meanwhile is not overwritten") {
  World world;
  const GuardedWorkspace guard(world.workspace, world.task);
  for (const bool meanwhile : {false, true}) {
    CAPTURE(meanwhile);
    GuardedWorkspace below(world.workspace, world.task);
    Draft draft(below);
    Gate gate(world.limits, world.conversation, &world.person);
    ToolBench bench{{draft, guard, nullptr, &gate, {}}, draft, &world.person, world.conversation};
    const SandboxChanges changes{{{0, "b.txt", SandboxChange::State::text, "x\n"}}};
    const auto begun =
        meanwhile ? std::chrono::system_clock::time_point() : std::chrono::system_clock::now();
    const TakenChanges taken = take_changes(bench, changes, begun, world.task);
    CHECK(taken.edited == !meanwhile);
    CHECK(contains(taken.told, "changed on disk in the meantime") == meanwhile);
  }
}

TEST_CASE("what no sandbox would say is not believed") {
  World world;
  GuardedWorkspace guard(world.workspace, world.task);
  Draft draft(guard);
  Gate gate(world.limits, world.conversation, &world.person);
  ToolBench bench{{draft, guard, nullptr, &gate, {}}, draft, &world.person, world.conversation};
  SandboxChanges changes;
  for (const char* path :
       {"../x", "/etc/passwd", "a/../../x", "", ".", ".env", ".git/config", "a//b"})
    changes.list.push_back({0, path, SandboxChange::State::text, "x\n"});
  changes.list.push_back({7, "a.txt", SandboxChange::State::text, "x\n"});
  const TakenChanges taken =
      take_changes(bench, changes, std::chrono::system_clock::now(), world.task);
  CHECK(!taken.edited);
  CHECK(draft.files().empty());
}

TEST_CASE("a secret in an output does not reach the model") {
  World world;
  world.put("config.txt", "token = ghp_0123456789abcdefghijABCDEFGHIJ012345\n");
  ScriptedModel model(true,
                      {calls({{"run_command", {{"command", "cat config.txt"}}}}), says("Done.")});
  Ask ask;
  ask.prompt = "Go.";
  (void)::bodkin::run(world.conversation, ask,
                      {model, world.workspace, &world.person, nullptr, world.limits, world.task});
  const std::string seen = words(model.requests.at(1).messages.back());
  CHECK(contains(seen, "removed by bodkin"));
  CHECK(!contains(seen, "ghp_0123456789"));
}

TEST_CASE("a cancelled ask ends its command and keeps the draft whole") {
  World world;
  std::stop_source stop;
  world.task.stop = stop.get_token();
  std::chrono::steady_clock::time_point stopped;
  // It is stopped when the command's own process is there.
  std::jthread stopper([&] {
    const std::string mark = "sleep 61" + std::to_string(::getpid());
    for (;;) {
      for (const std::string& line : command_lines()) {
        if (!line.starts_with(mark)) continue;
        stopped = std::chrono::steady_clock::now();
        stop.request_stop();
        return;
      }
      std::this_thread::sleep_for(2ms);
    }
  });
  const auto results = world.call(
      {{"run_command", {{"command", "echo x >b.txt"}}},
       {"run_command",
        {{"command", "echo y >a.txt; rm b.txt; sleep 61" + std::to_string(::getpid())}}}},
      true);
  const auto took = std::chrono::steady_clock::now() - stopped;
  CHECK(contains(results.back(), "the user cancelled"));
  CHECK(world.outcome.end == Outcome::End::cancelled);
  CHECK(world.drafted() == "b.txt: x\n");
  MESSAGE("ended after ", std::chrono::duration_cast<std::chrono::milliseconds>(took).count(),
          " ms");
  CHECK(took < 30s);  // the command takes 61
}
