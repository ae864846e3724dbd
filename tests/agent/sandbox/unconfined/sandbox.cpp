#include "agent/sandbox/sandbox.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "agent/platform/paths.h"
#include "agent/support/temporary_folder.h"

using namespace bodkin;

namespace {

// A line for sh, or words for Windows' own shell.
SandboxRun run_of(const std::string& line, const std::vector<std::string>& arguments) {
  SandboxRun run;
  run.command = {"sh", "-c", line};
  if (os::kListSeparator == ';') {
    run.command = {os::inner_form(os::getenv("COMSPEC")), "/c"};
    run.command.insert(run.command.end(), arguments.begin(), arguments.end());
  }
  run.may_be_unconfined = true;
  run.wants_changes = true;
  run.folders.push_back(
      {.folder = "/nowhere", .drafts = {{.path = "b/draft.txt", .text = "draft"}}});
  run.copy = [](const std::string&) -> Result<std::vector<SandboxFolder::File>> {
    return std::vector<SandboxFolder::File>{{.path = "a.txt", .text = "one\r\n"},
                                            {.path = "gone.txt", .text = "x"}};
  };
  return run;
}

}  // namespace

TEST_CASE("where there is no sandbox, nothing runs unless the user allows it without") {
  CHECK(sandbox_ability().kind == Confinement::none);
  SandboxRun run = run_of("echo x", {"echo", "x"});
  run.may_be_unconfined = false;
  const auto outcome = run_in_sandbox(run, {});
  REQUIRE(!outcome);
  CHECK(outcome.error().code == Error::Code::unavailable);
  CHECK(!sandboxed_server({"x"}, {}, {}, {}));
}

TEST_CASE("a command runs on a copy with the drafts, and what it changes is told") {
  const auto outcome = run_in_sandbox(
      run_of("cat b/draft.txt; printf new > made.txt; echo two >> a.txt; rm gone.txt",
             {"type", "b\\draft.txt", "&", "echo", "new>", "made.txt", "&", "echo", "two>>",
              "a.txt", "&", "del", "gone.txt"}),
      {});
  REQUIRE(outcome);
  CHECK(outcome->ended == "");
  CHECK(outcome->output.contains("draft"));
  std::vector<std::string> told;
  for (const SandboxChange& change : outcome->changes.list)
    told.push_back(change.path +
                   (change.state == SandboxChange::State::removed ? " -" : " " + change.text));
  std::ranges::sort(told);
  CHECK(told.size() == 3);
  const auto has = [&](const char* begin) {
    return std::ranges::any_of(told, [&](const auto& each) { return each.starts_with(begin); });
  };
  CHECK(has("a.txt one\r\ntwo"));
  CHECK(has("gone.txt -"));
  CHECK(has("made.txt new"));
}

TEST_CASE("a command that does not end is ended with its exit code unknown") {
  SandboxRun run =
      run_of("while :; do :; done", {"for", "/l", "%i", "in", "(1,0,2)", "do", "@rem"});
  run.timeout = std::chrono::milliseconds(300);
  const auto outcome = run_in_sandbox(run, {});
  REQUIRE(outcome);
  CHECK(outcome->ended.contains("did not finish within 0.3 s"));
}

TEST_CASE(
    "a copy has programs and links as the folder has them, but no link that leads out of it") {
  if (os::kListSeparator == ';') return;
  SandboxRun run = run_of("./tool; ls -l; test -e b/out || echo none", {});
  run.copy = [](const std::string&) -> Result<std::vector<SandboxFolder::File>> {
    return std::vector<SandboxFolder::File>{
        {.path = "tool", .text = "#!/bin/sh\necho ran\n", .mode = 0755},
        {.path = "link", .text = "b/draft.txt", .is_link = true},
        {.path = "b/out", .text = "../../other", .is_link = true}};
  };
  const auto outcome = run_in_sandbox(run, {});
  REQUIRE(outcome);
  CHECK(outcome->output.starts_with("ran\n"));
  CHECK(outcome->output.contains("link -> b/draft.txt"));
  CHECK(outcome->output.ends_with("none\n"));
  CHECK(outcome->changes.list.empty());
}

TEST_CASE("a draft of a program can be run like the program on the disk") {
  if (os::kListSeparator == ';') return;
  SandboxRun run = run_of("./tool", {});
  run.folders[0].drafts = {{.path = "tool", .text = "#!/bin/sh\necho draft\n"}};
  run.copy = [](const std::string&) -> Result<std::vector<SandboxFolder::File>> {
    return std::vector<SandboxFolder::File>{
        {.path = "tool", .text = "#!/bin/sh\necho disk\n", .mode = 0755}};
  };
  const auto outcome = run_in_sandbox(run, {});
  REQUIRE(outcome);
  CHECK(outcome->output == "draft\n");
}
