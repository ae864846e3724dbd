#include "agent/platform/keeper.h"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "agent/platform/paths.h"
#include "agent/platform/processes.h"

using namespace bodkin;

namespace {

// Windows' own program for it.
std::string shell() { return os::inner_form(os::getenv("COMSPEC")); }

struct Ran {
  int start_error = 0, status = -1;
  std::string output;
};

Ran run(std::vector<std::string> arguments, const std::string& input = "",
        std::vector<std::string> variables = {}) {
  const std::string program = arguments[0];
  std::vector<std::string> environment = os::environment();
  environment.insert(environment.end(), variables.begin(), variables.end());
  const auto argv = pointers_to(arguments), envp = pointers_to(environment);
  Pipe in, out;
  const std::string folder = os::temporary_folder();
  Keeper keeper({.program = program.c_str(),
                 .arguments = argv.data(),
                 .environment = envp.data(),
                 .folder = folder.c_str(),
                 .input = in.ends[0],
                 .output = out.ends[1],
                 .errors = out.ends[1]});
  if (keeper.start_error()) return {keeper.start_error()};
  in.close_end(0), out.close_end(1);
  os::write(in.ends[1], input.data(), input.size());
  in.close_end(1);
  Ran ran;
  char buffer[4096];
  for (ssize_t size; (size = os::read(out.ends[0], buffer, sizeof buffer)) > 0;)
    ran.output.append(buffer, static_cast<size_t>(size));
  const auto report = keeper.next_report();
  CHECK(report.kind == Keeper::Report::Kind::ended);
  ran.status = report.value;
  return ran;
}

}  // namespace

TEST_CASE("keeper: a program runs with its arguments, and its output and exit code are known") {
  const Ran ran = run({shell(), "/c", "echo", "some words"});
  CHECK(ran.start_error == 0);
  CHECK(ran.output.contains("some words"));
  CHECK(os::has_exited(ran.status));
  CHECK(os::exit_code(ran.status) == 0);
  CHECK(os::exit_code(run({shell(), "/c", "exit", "7"}).status) == 7);
}

TEST_CASE("keeper: what a program reads is written to it whole") {
  // One line each: Wine's shell reads no more of a pipe.
  CHECK(run({shell(), "/q"}, "echo two words\r\n").output.contains("two words"));
  CHECK(os::exit_code(run({shell(), "/q"}, "exit 3\r\n").status) == 3);
}

TEST_CASE("keeper: a program that is not there is ENOENT") {
  CHECK(run({os::temporary_folder() + "/none.exe"}).start_error == ENOENT);
}

TEST_CASE("keeper: a script gets no argument that cmd.exe could take for something else") {
  CHECK(run({os::temporary_folder() + "/none.cmd", "a&b"}).start_error == EINVAL);
  CHECK(run({os::temporary_folder() + "/none.bat", "%PATH%"}).start_error == EINVAL);
}

TEST_CASE("keeper: poll waits for the end of a program, and end() ends one that does not") {
  std::vector<std::string> arguments{shell(), "/c", "pause"};
  std::vector<std::string> environment = os::environment();
  const auto argv = pointers_to(arguments), envp = pointers_to(environment);
  Pipe in, out;
  Keeper keeper({.program = arguments[0].c_str(),
                 .arguments = argv.data(),
                 .environment = envp.data(),
                 .folder = "C:/",
                 .input = in.ends[0],
                 .output = out.ends[1],
                 .errors = out.ends[1]});
  REQUIRE(keeper.start_error() == 0);
  os::PollEntry entry{keeper.report_fd(), POLLIN, 0};
  CHECK(os::poll(&entry, 1, 0) == 0);
  keeper.terminate();
  CHECK(os::poll(&entry, 1, 20'000) == 1);
  CHECK(keeper.next_report().kind == Keeper::Report::Kind::ended);
}
