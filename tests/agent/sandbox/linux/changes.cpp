#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "agent/loop/scripted.h"
#include "agent/sandbox/linux/sandbox_ways.h"
#include "agent/sandbox/scratch.h"

using namespace bodkin;
namespace fs = std::filesystem;

namespace {

using State = SandboxChange::State;

// A folder on disk and a workspace over it that lists all of it.
struct World {
  World() {
    std::string name = (fs::temp_directory_path() / "bodkin-changes-test-XXXXXX").string();
    folder = fs::canonical(::mkdtemp(name.data()));
    workspace.folders = {{"work", folder.string()}};
    put("a.txt", "disk\n");
    put("sub/b.txt", "b\n");
    put("sub/deep/c.txt", "c\n");
    put(".gitignore", "*.log\nout/\n!keep.log\n");
  }
  ~World() { fs::remove_all(folder); }

  void put(const std::string& path, const std::string& text) {
    fs::create_directories((folder / path).parent_path());
    std::ofstream(folder / path, std::ios::binary) << text;
    workspace.files[path] = text;
  }
  SandboxOutcome run(const std::string& script, SandboxPlan::Isolation way) {
    SandboxRun run;
    run.command = {"sh", "-c", script};
    run.timeout = std::chrono::seconds(20);
    run.wants_changes = true;
    auto with = with_folders_of(workspace, std::move(run), Task{});
    REQUIRE(with.has_value());
    auto outcome = run_with(*with, way, {});
    REQUIRE_MESSAGE(outcome.has_value(), outcome.error().message);
    CHECK(outcome->ended.empty());
    return std::move(*outcome);
  }
  // "+ path text" for each, sorted.
  std::string changes(const std::string& script, SandboxPlan::Isolation way) {
    const SandboxOutcome outcome = run(script, way);
    INFO(outcome.output);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.changes.are_all);
    std::map<std::string, std::string> lines;
    for (const SandboxChange& each : outcome.changes.list) {
      CHECK(each.folder == 0);
      constexpr const char* kSigns[] = {"=",   "-",    "binary", "large", "other",
                                        "git", "mode", "folder", "gone",  "deep"};
      lines[each.path] = std::string(kSigns[static_cast<size_t>(each.state)]) +
                         (each.is_ignored ? " ignored " : " ") + each.path +
                         (each.state == State::text ? " " + each.text : "\n");
    }
    std::string all;
    for (const auto& [path, line] : lines) all += line;
    left_out = outcome.changes.left_out;
    return all;
  }

  fs::path folder;
  MemoryWorkspace workspace{{}};
  uint64_t left_out = 0;
};

}  // namespace

TEST_CASE("what a command made, changed and removed is found in each kind of sandbox") {
  struct Case {
    std::string script, wanted;
  };
  const Case cases[] = {
      {"cat a.txt sub/b.txt", ""},
      {"echo new >a.txt; echo n >sub/new.txt", "= a.txt new\n= sub/new.txt n\n"},
      {"printf 'disk\\n' >a.txt; touch sub/b.txt; chmod 755 sub/b.txt", "mode sub/b.txt\n"},
      {"chmod 600 a.txt; mkdir -p new/empty; mkdir gone; rmdir gone",
       "mode a.txt\nfolder new/empty\n"},
      {"cp a.txt t; echo x >a.txt; mv t a.txt", ""},
      {"rm a.txt", "- a.txt\n"},
      {"rm -rf sub", "gone sub\n- sub/b.txt\ngone sub/deep\n- sub/deep/c.txt\n"},
      {"rm -rf sub; mkdir sub; echo b >sub/b.txt", "gone sub/deep\n- sub/deep/c.txt\n"},
      {"rm -rf sub; mkdir -p sub/deep; echo z >sub/deep/c.txt",
       "- sub/b.txt\n= sub/deep/c.txt z\n"},
      {"mv a.txt z.txt", "- a.txt\n= z.txt disk\n"},
      {"mv sub moved",
       "= moved/b.txt b\n= moved/deep/c.txt c\ngone sub\n- sub/b.txt\ngone sub/deep\n"
       "- sub/deep/c.txt\n"},
      {"rm a.txt; mkdir a.txt; echo x >a.txt/x", "- a.txt\n= a.txt/x x\n"},
      {"rm -rf sub; echo x >sub", "= sub x\n- sub/b.txt\ngone sub/deep\n- sub/deep/c.txt\n"},
      {"echo x >a.txt; chmod 000 a.txt; mkdir shut; echo y >shut/y; chmod 000 shut",
       "= a.txt x\n= shut/y y\n"},
      {"printf 'a\\000b' >bin; printf '\\377' >latin; head -c 2000000 /dev/zero >big",
       "large big\nbinary bin\nbinary latin\n"},
      {"ln -s /etc/passwd link; mkfifo pipe", "other link\nother pipe\n"},
      {"rm a.txt; ln -s sub/b.txt a.txt", "other a.txt\n"},
      {"mkdir -p .git/hooks x/.GIT; echo x >.git/hooks/post-commit; echo y >x/.GIT/config",
       "git .git\ngit x/.GIT\n"},
      {"echo x >\"$(printf 'odd\\nname')\"", "= odd\nname x\n"},
      {"sleep 100 & (setsid sleep 100 &) ; echo x >a.txt", "= a.txt x\n"},
  };
  for (const SandboxPlan::Isolation way : ways_here()) {
    for (const Case& each : cases) {
      CAPTURE(way);
      CAPTURE(each.script);
      World world;
      CHECK(world.changes(each.script, way) == each.wanted);
      CHECK(world.left_out == 0);
    }
  }
}

TEST_CASE("a link is not what it leads to") {
  const std::pair<std::string, std::string> cases[] = {
      {"cat lnk/b.txt", ""},
      {"rm lnk; mkdir lnk; echo b >lnk/b.txt", "- lnk\n= lnk/b.txt b\n"},
      {"rm lnk; echo b >lnk", "= lnk b\n"},
      {"rm one.txt; echo disk >one.txt", "= one.txt disk\n"},
      {"rm -r sub; ln -s lnk sub", "other sub\n- sub/b.txt\ngone sub/deep\n- sub/deep/c.txt\n"},
      {"rm lnk; ln -s sub lnk", ""},
  };
  for (const SandboxPlan::Isolation way : ways_here()) {
    for (const auto& [script, wanted] : cases) {
      CAPTURE(way);
      CAPTURE(script);
      World world;
      fs::create_symlink("sub", world.folder / "lnk");
      fs::create_symlink("a.txt", world.folder / "one.txt");
      world.workspace.files["lnk"] = world.workspace.files["one.txt"] = "";  // they are listed
      CHECK(world.changes(script, way) == wanted);
    }
  }
}

TEST_CASE("what a draft hides was not there for a command") {
  for (const SandboxPlan::Isolation way : ways_here()) {
    CAPTURE(way);
    World world;
    const auto changes = [&](const std::string& script, std::vector<SandboxFolder::File> drafts,
                             std::vector<std::string> gone) {
      SandboxRun run;
      run.command = {"sh", "-c", script};
      run.wants_changes = true;
      auto with = with_folders_of(world.workspace, std::move(run), Task{});
      REQUIRE(with.has_value());
      with->folders[0].drafts = std::move(drafts);
      with->folders[0].absent = std::move(gone);
      const auto outcome = run_with(*with, way, {});
      REQUIRE_MESSAGE(outcome.has_value(), outcome.error().message);
      std::string all = std::to_string(outcome->exit_code);
      for (const SandboxChange& each : outcome->changes.list) all += " " + each.path;
      return all;
    };
    const SandboxFolder::File file{.path = "sub", .text = "file\n"};
    const SandboxFolder::File inside{.path = "a.txt/x", .text = "x\n"};
    const SandboxFolder::File link{.path = "sub", .text = "other", .is_link = true};
    CHECK(changes("grep file sub", {file}, {}) == "0");
    CHECK(changes("rm sub", {file}, {}) == "0 sub");
    CHECK(changes("rm sub; mkdir sub; echo b >sub/b.txt", {file}, {}) == "0 sub sub/b.txt");
    CHECK(changes("cat a.txt/x", {inside}, {}) == "0");
    CHECK(changes("rm -r a.txt", {inside}, {}) == "0 a.txt a.txt/x");
    const SandboxFolder::File target{.path = "other/b.txt", .text = "b\n"};
    CHECK(changes("cat sub/b.txt", {link, target}, {"sub/b.txt"}) == "0");
    CHECK(changes("test ! -e sub && mkdir sub && echo b >sub/b.txt", {}, {"sub"}) == "0 sub/b.txt");
  }
}

TEST_CASE("what git ignores and what a build made is found as that") {
  for (const SandboxPlan::Isolation way : ways_here()) {
    CAPTURE(way);
    World world;
    world.put("kept.log", "tracked\n");
    CHECK(world.changes("echo x >x.log; mkdir -p out/a node_modules/m sub/__pycache__ target; echo "
                        "y >out/a/y; echo z >node_modules/m/z; echo p >sub/__pycache__/p; echo t "
                        ">target/t; echo >target/CACHEDIR.TAG; echo k >keep.log; echo v >kept.log; "
                        "mkdir own; echo '*' >own/.gitignore; echo o >own/o",
                        way) ==
          "= keep.log k\n= ignored kept.log v\n= ignored node_modules/m/z z\n= ignored out/a/y y\n"
          "= ignored own/.gitignore *\n= ignored own/o o\n= ignored sub/__pycache__/p p\n"
          "= ignored target/CACHEDIR.TAG \n= ignored target/t t\n= ignored x.log x\n");
    CHECK(world.left_out == 0);
    CHECK(world.changes("for i in 1 2 3; do head -c 40000000 /dev/zero >$i.log; done", way) ==
          "large ignored 1.log\n");
    CHECK(world.left_out == 2);
  }
}

TEST_CASE("a draft is no change, and what became of it is") {
  for (const SandboxPlan::Isolation way : ways_here()) {
    CAPTURE(way);
    World world;
    world.workspace.files["a.txt"] = "typed\n";
    world.workspace.files["new/d.txt"] = "d\n";
    world.workspace.files["new/e.txt"] = "e\n";
    world.workspace.open = {"a.txt", "new/d.txt", "new/e.txt", "sub/b.txt"};
    world.workspace.files.erase("sub/b.txt");
    CHECK(world.changes("cat a.txt new/d.txt; test ! -e sub/b.txt", way) == "");
    CHECK(world.changes("echo disk >a.txt; rm new/d.txt; echo again >sub/b.txt", way) ==
          "= a.txt disk\n- new/d.txt\n= sub/b.txt again\n");
    CHECK(
        world.changes("rm -rf *", way) ==
        "- a.txt\ngone new\n- new/d.txt\n- new/e.txt\ngone sub\ngone sub/deep\n- sub/deep/c.txt\n");
  }
}

TEST_CASE("private files are no change, whatever the command does") {
  for (const SandboxPlan::Isolation way : ways_here()) {
    CAPTURE(way);
    World world;
    std::ofstream(world.folder / ".env") << "KEY=1\n";
    fs::create_directories(world.folder / "keys/.ssh");
    std::ofstream(world.folder / "keys/.ssh/id_rsa") << "key\n";
    std::ofstream(world.folder / "keys/.env") << "KEY=2\n";
    // A copy does not even have the folder of the private ones.
    std::string changes = world.changes("rm -rf keys sub/deep", way);
    for (const std::string folder : {"gone keys\n", "gone keys/.ssh\n"})
      if (const size_t at = changes.find(folder); at != changes.npos)
        changes.erase(at, folder.size());
    CHECK(changes == "gone sub/deep\n- sub/deep/c.txt\n");
  }
}

TEST_CASE("too many changes are told") {
  for (const SandboxPlan::Isolation way : ways_here()) {
    CAPTURE(way);
    World world;
    const SandboxOutcome outcome =
        world.run("i=0; while [ $i -lt 2100 ]; do : >f$i; i=$((i+1)); done", way);
    CHECK(!outcome.changes.are_all);
  }
}
