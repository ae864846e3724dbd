#include "agent/sandbox/scratch.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <thread>

#include "agent/ask/draft.h"
#include "agent/loop/scripted.h"
#include "agent/sandbox/linux/sandbox_ways.h"
#include "agent/sandbox/verifier.h"
#include "agent/workspace/privacy.h"

using namespace bodkin;
namespace fs = std::filesystem;

namespace {

// A folder on disk and a workspace over it, whose texts in `files` are those of open buffers.
struct World {
  World() {
    std::string name = (fs::temp_directory_path() / "bodkin-scratch-test-XXXXXX").string();
    folder = fs::canonical(::mkdtemp(name.data()));
    workspace.folders = {{"work", folder.string()}};
    put("a.txt", "disk\n");
    put("sub/b.txt", "b\n");
  }
  ~World() { fs::remove_all(folder); }

  void put(const std::string& path, const std::string& text) {
    fs::create_directories((folder / path).parent_path());
    std::ofstream(folder / path) << text;
    workspace.files[path] = text;
  }
  std::string on_disk(const std::string& path) {
    std::ifstream in(folder / path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void type(const std::string& path, const std::string& text) {
    workspace.files[path] = text;
    workspace.open.push_back(path);
  }
  Result<SandboxOutcome> run(const std::string& script, SandboxPlan::Isolation way) {
    SandboxRun run;
    run.command = {"sh", "-c", script};
    run.timeout = std::chrono::seconds(20);
    auto with = with_folders_of(workspace, std::move(run), Task{});
    if (!with) return std::unexpected(with.error());
    return run_with(*with, way, {});
  }

  fs::path folder;
  MemoryWorkspace workspace{{}};
};

class Willing : public Editor {
 public:
  Result<Diagnostics> diagnostics(std::string_view, const Task&) override { return Diagnostics{}; }
  Result<Decision> permit(const Permission&, const Task&) override { return Decision::session; }
};

}  // namespace

TEST_CASE("a program sees the texts of the buffers, and nothing that it writes stays") {
  for (const SandboxPlan::Isolation way : ways_here()) {
    CAPTURE(way);
    World world;
    world.type("a.txt", "typed\n");
    world.type("new/c.txt", "new\n");
    const auto outcome = world.run(
        "cat a.txt sub/b.txt new/c.txt; echo out >made.txt; echo changed >sub/b.txt; rm a.txt; "
        "echo to stderr >&2; exit 3",
        way);
    REQUIRE(outcome.has_value());
    CHECK(outcome->exit_code == 3);
    CHECK(outcome->output == "typed\nb\nnew\nto stderr\n");
    CHECK(world.on_disk("a.txt") == "disk\n");
    CHECK(world.on_disk("sub/b.txt") == "b\n");
    CHECK(!fs::exists(world.folder / "made.txt"));
    CHECK(!fs::exists(world.folder / "new"));
  }
}

TEST_CASE("a file that the draft removes is not there") {
  for (const SandboxPlan::Isolation way : ways_here()) {
    CAPTURE(way);
    World world;
    world.workspace.open.push_back("a.txt");
    world.workspace.files.erase("a.txt");
    const auto outcome = world.run("ls", way);
    REQUIRE(outcome.has_value());
    CHECK(outcome->output == "sub\n");
    CHECK(fs::exists(world.folder / "a.txt"));
  }
}

TEST_CASE("a private file is not there by another name of its") {
  World world;
  world.put(".env", "KEY=SECRET\n");
  fs::create_hard_link(world.folder / ".env", world.folder / "notes.txt");
  fs::create_symlink(".env", world.folder / "link.txt");
  world.workspace.files["notes.txt"] = world.workspace.files["link.txt"] = "KEY=SECRET\n";
  GuardedWorkspace guard(world.workspace, {});
  CHECK(!guard.read("notes.txt", {}));
  CHECK(!guard.read("link.txt", {}));
  CHECK(guard.read("a.txt", {}));
  for (const SandboxPlan::Isolation way : ways_here()) {
    CAPTURE(way);
    SandboxRun run;
    run.command = {"sh", "-c", "cat a.txt notes.txt link.txt .env"};
    const auto with = with_folders_of(guard, std::move(run), Task{});
    REQUIRE(with.has_value());
    const auto outcome = run_with(*with, way, {});
    REQUIRE_MESSAGE(outcome.has_value(), outcome.error().message);
    CHECK(outcome->output.starts_with("disk\n"));
    CHECK(outcome->output.find("SECRET") == std::string::npos);
  }
}

TEST_CASE("an unchanged buffer keeps its file's time, so that nothing is built again for it") {
  World world;
  world.type("a.txt", "disk\n");
  const auto before = fs::last_write_time(world.folder / "a.txt");
  fs::last_write_time(world.folder / "a.txt", before - std::chrono::hours(1));
  for (const SandboxPlan::Isolation way : ways_here()) {
    const auto outcome = world.run("test sub/b.txt -nt a.txt", way);
    REQUIRE(outcome.has_value());
    CHECK(outcome->exit_code == 0);
  }
}

TEST_CASE("a link that leads out of the folder is refused before anything runs") {
  World world;
  World other;
  fs::create_directory_symlink(other.folder, world.folder / "link");
  world.type("link/a.txt", "overwritten\n");
  for (const SandboxPlan::Isolation way : ways_here()) {
    const auto outcome = world.run("true", way);
    REQUIRE(!outcome.has_value());
    CHECK(outcome.error().message == "link/a.txt is a link to outside the workspace");
  }
  CHECK(other.on_disk("a.txt") == "disk\n");
}

TEST_CASE("keys are not in the environment of a program that runs proposed code") {
  ::setenv("SOME_API_KEY", "secret", 1);
  World world;
  for (const SandboxPlan::Isolation way : ways_here()) {
    const auto outcome = world.run("echo \"[$SOME_API_KEY][${HOME:+home}]\"", way);
    REQUIRE(outcome.has_value());
    CHECK(outcome->output == (std::getenv("HOME") ? "[][home]\n" : "[][]\n"));
  }
  ::unsetenv("SOME_API_KEY");
}

TEST_CASE("what was not checked is never called clean") {
  World world;
  Willing editor;
  const auto verdict = [&](std::vector<std::string> command, std::chrono::milliseconds timeout) {
    CommandVerifier verifier({std::move(command), timeout}, &editor,
                             std::make_shared<UnconfinedConsent>());
    return verifier.verify(world.workspace, world.workspace, Task{});
  };
  using namespace std::chrono_literals;
  CHECK(verdict({"true"}, 20s).state == Verdict::State::passed);
  Verdict not_there = verdict({"no-such-program-here"}, 20s);
  CHECK(not_there.state == Verdict::State::not_checked);
  CHECK(not_there.reason.find("cannot be run") != std::string::npos);
  Verdict slow = verdict({"sleep", "600"}, 50ms);
  CHECK(slow.state == Verdict::State::not_checked);
  CHECK(slow.reason == "sleep 600 did not finish within 0.05 s");
  Verdict broken_before = verdict({"false"}, 20s);
  CHECK(broken_before.state == Verdict::State::not_checked);
  CHECK(broken_before.reason == "false also fails without the edit");
  world.workspace.folders = {world.workspace.folders[0], {"other", "/elsewhere"}};
  CHECK(verdict({"true"}, 20s).reason == "/elsewhere does not exist");
}

TEST_CASE("a check that fails with the edit alone has failed, with the program's last words") {
  World world;
  MemoryWorkspace edited = world.workspace;
  edited.files["a.txt"] = "broken\n";
  edited.open.push_back("a.txt");
  Willing editor;
  CommandVerifier verifier({{"sh", "-c", "echo first; cat a.txt; grep -q disk a.txt"}}, &editor,
                           std::make_shared<UnconfinedConsent>());
  const Verdict verdict = verifier.verify(edited, world.workspace, Task{});
  CHECK(verdict.state == Verdict::State::failed);
  CHECK(verdict.output == "first\nbroken\n");
  CHECK(verdict.reason.ends_with("fails with this edit (exit code 1, " + verdict.where +
                                 "): broken"));
}

TEST_CASE("with several folders the command runs in the one that is edited") {
  World one, two;
  const std::string first = one.folder.filename().string() + "/";
  const std::string second = two.folder.filename().string() + "/";
  MemoryWorkspace both{{}};
  both.folders = {{one.folder.filename().string(), one.folder.string()},
                  {two.folder.filename().string(), two.folder.string()}};
  for (const std::string& name : {first, second}) both.files[name + "a.txt"] = "disk\n";
  MemoryWorkspace edited = both;
  edited.files[second + "a.txt"] = "edited\n";
  edited.open = {second + "a.txt"};
  Willing editor;
  CommandVerifier verifier({{"sh", "-c", "grep -q disk a.txt"}}, &editor,
                           std::make_shared<UnconfinedConsent>());
  CHECK(verifier.verify(edited, both, Task{}).state == Verdict::State::failed);
  edited.files[first + "a.txt"] = "edited\n";
  edited.open.push_back(first + "a.txt");
  CHECK(verifier.verify(edited, both, Task{}).reason ==
        "the edit spans several workspace folders; only one can be checked");
}

TEST_CASE("where there is no sandbox the user is asked once, and a no holds") {
  struct Asked : Willing {
    int times = 0;
    Decision answer = Decision::reject;
    Result<Decision> permit(const Permission& permission, const Task&) override {
      ++times;
      CHECK(permission.kind == "run");
      return answer;
    }
  };
  Asked editor;
  UnconfinedConsent no, yes, once;
  for (int i = 0; i < 2; ++i) CHECK(no.ask(&editor, "make", Task{}) == false);
  CHECK(editor.times == 1);
  editor.answer = Decision::session;
  for (int i = 0; i < 2; ++i) CHECK(yes.ask(&editor, "make", Task{}) == true);
  CHECK(editor.times == 2);
  editor.answer = Decision::once;
  for (int i = 0; i < 2; ++i) CHECK(once.ask(&editor, "make", Task{}) == true);
  CHECK(editor.times == 4);
  CHECK(UnconfinedConsent().ask(nullptr, "make", Task{}) == false);
}

TEST_CASE("where there is no sandbox, what one command may do another may not") {
  struct Asked : Willing {
    std::vector<Permission> questions;
    Result<Decision> permit(const Permission& permission, const Task&) override {
      questions.push_back(permission);
      return permission.subject == "make" ? Decision::session : Decision::reject;
    }
  };
  Asked editor;
  UnconfinedConsent consent;
  const std::string line = "cat ~/.ssh/id_rsa\n" + std::string(500, 'x');
  for (int i = 0; i < 2; ++i) {
    CHECK(consent.ask(&editor, "make", Task{}) == true);
    CHECK(consent.ask(&editor, line, Task{}) == false);
  }
  REQUIRE(editor.questions.size() == 2);
  CHECK(editor.questions[0].title == "Run make without a sandbox?");
  CHECK(editor.questions[0].detail.starts_with("It runs"));
  // A title is one line; all of the command is in the detail.
  CHECK(editor.questions[1].title == "Run cat ~/.ssh/id_rsa… without a sandbox?");
  CHECK(editor.questions[1].detail.starts_with(line + "\n\nIt runs"));
}

TEST_CASE("an ask that is stopped does not wait for the answer to another ask's question") {
  struct Asked : Willing {
    std::promise<void> asked, answer;
    Result<Decision> permit(const Permission&, const Task&) override {
      asked.set_value();
      answer.get_future().wait();
      return Decision::session;
    }
  };
  Asked editor;
  UnconfinedConsent consent;
  std::jthread first([&] { CHECK(consent.ask(&editor, "make", Task{}) == true); });
  editor.asked.get_future().wait();
  std::stop_source stop;
  auto second = std::async(std::launch::async, [&] {
    return consent.ask(&editor, "make", Task{stop.get_token(), nullptr});
  });
  stop.request_stop();
  const bool is_over = second.wait_for(std::chrono::seconds(20)) == std::future_status::ready;
  CHECK(is_over);
  editor.answer.set_value();
  const auto stopped = second.get();
  if (is_over) {
    REQUIRE(!stopped.has_value());
    CHECK(stopped.error().code == Error::Code::cancelled);
  }
  first.join();
  CHECK(consent.ask(&editor, "make", Task{}) == true);
}

TEST_CASE("a stop request ends the program at once") {
  std::stop_source stop;
  stop.request_stop();
  SandboxRun run;
  run.command = {"sleep", "600"};
  const auto outcome = run_with(run, ways_here().front(), stop.get_token());
  REQUIRE(!outcome.has_value());
  CHECK(outcome.error().code == Error::Code::cancelled);
}
