#include "agent/rpc/child.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "agent/started_processes.h"
#include "agent/support/program.h"
#include "agent/support/temporary_folder.h"

namespace bodkin::rpc {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

// Longer than any test may take.
Child::Clock::time_point late() { return Child::Clock::now() + 60s; }

std::unique_ptr<Child> start(std::vector<std::string> arguments) {
  Command command;
  command.arguments = std::move(arguments);
  command.environment = environment_for(Variables::basic, {}, {});
  auto child = Child::start(command);
  REQUIRE(child);
  return *std::move(child);
}

std::unique_ptr<Child> shell(const std::string& script) { return start({"sh", "-c", script}); }

struct Read {
  std::string output;
  Error end;  // what came instead of more output
};

Read read_all(Child& child) {
  Read result;
  for (;;) {
    const auto output = child.exchange({}, late());
    if (!output) {
      result.end = output.error();
      return result;
    }
    result.output += *output;
  }
}

void read_until(Child& child, const std::string& end) {
  for (std::string all; !all.ends_with(end);) {
    const auto output = child.exchange({}, late());
    REQUIRE(output);
    all += *output;
  }
}

TemporaryFolder folder() { return *TemporaryFolder::make(TemporaryFolder::Where::disk); }

// A script: starts something that leaves the group and the session, and holds the pipes.
std::string daemon(const std::string& file) {
  return "setsid sh -c 'echo $$ end >\"" + file + "\"; exec sleep 1000' &\n" + "until [ -s '" +
         file + "' ]; do sleep 0.01; done\n";
}

TEST_CASE("a child has the arguments, the folder and the environment that it is given") {
  Command command;
  command.arguments = {"env"};
  command.environment = {"ONE=1", "TWO=a b"};
  CHECK(read_all(**Child::start(command)).output == "ONE=1\nTWO=a b\n");
  const TemporaryFolder place = folder();
  command.arguments = {"sh", "-c", "pwd -P; echo \"$1\"", "sh", "x  y"};
  command.folder = place.path();
  CHECK(read_all(**Child::start(command)).output ==
        fs::canonical(place.path()).string() + "\nx  y\n");
  command.folder = "not/absolute";
  CHECK(read_all(**Child::start(command)).output == "/\nx  y\n");
}

TEST_CASE("a child holds nothing that this process has open, and not another child's pipes") {
  const auto other = start({"cat"});
  CHECK(read_all(*shell("ls /dev/fd/")).output == "0\n1\n2\n3\n");  // 3: what ls reads
}

TEST_CASE("a program that is not there, or does not start, is said to") {
  Command command;
  command.arguments = {"bodkin-no-such-program"};
  CHECK(Child::start(command).error().code == Error::Code::unavailable);
  CHECK(Child::start(Command{}).error().code == Error::Code::unavailable);
  command.arguments = {"true"};
  command.folder = "/no/such/folder";
  const auto child = Child::start(command);
  REQUIRE(child);
  const Error end = read_all(**child).end;
  CHECK(end.code == Error::Code::unavailable);
  CHECK(end.message == "true did not start: No such file or directory.");
  CHECK(!(*child)->write("x"));
}

TEST_CASE("more than a pipe holds goes in and comes out") {
  const auto child = start({"cat"});
  const std::string all(3'000'000, 'x');
  REQUIRE(child->write(all));
  CHECK(child->has_unwritten());
  std::string output;
  while (output.size() < all.size()) {
    const auto more = child->exchange({}, late());
    REQUIRE(more);
    CHECK(more->size() <= 65536);
    output += *more;
  }
  CHECK(output == all);
  CHECK(!child->has_unwritten());
  CHECK(child->stop(60s) == 0);
}

TEST_CASE("a child that floods its output is read in portions, until it is stopped") {
  const auto child = start({"yes"});
  for (int i = 0; i < 100; ++i) {
    const auto some = child->exchange({}, late());
    REQUIRE(some);
    CHECK(!some->empty());
    CHECK(some->size() <= 65536);
  }
  std::stop_source stop;
  stop.request_stop();
  CHECK(child->exchange(stop.get_token(), late()).error().code == Error::Code::cancelled);
  CHECK(child->exchange({}, late()));  // another ask goes on with it
}

TEST_CASE("who waits for a child that hangs is released by the time and by a stop") {
  const auto child = start({"sleep", "1000"});
  const auto nothing = child->exchange({}, Child::Clock::now() + 20ms);
  REQUIRE(nothing);
  CHECK(nothing->empty());
  std::stop_source stop;
  std::jthread other([&] { stop.request_stop(); });
  const auto stopped = child->exchange(stop.get_token(), late());
  REQUIRE(!stopped);
  CHECK(stopped.error().code == Error::Code::cancelled);
}

TEST_CASE("for a child that does not read only so much is kept") {
  const auto child = shell("echo what now >&2; exec sleep 1000");
  while (child->errors().empty()) REQUIRE(child->exchange({}, Child::Clock::now() + 10ms));
  const std::string megabyte(1 << 20, 'x');
  size_t taken = 0;
  Result<void> last;
  while ((last = child->write(megabyte))) ++taken;
  CHECK(taken >= 63);
  CHECK(taken <= 66);
  CHECK(last.error().code == Error::Code::unavailable);
  CHECK(last.error().message == "sh has stopped reading its input. It wrote: what now");
}

TEST_CASE("how a child ended is told after its last output") {
  const Read one = read_all(*shell("echo half; echo no flag >&2; echo such >&2; exit 3"));
  CHECK(one.output == "half\n");
  CHECK(one.end.code == Error::Code::unavailable);
  CHECK(one.end.message == "sh ended with exit code 3. It wrote: such");
  CHECK(read_all(*shell("kill -9 $$")).end.message == "sh was ended by signal 9.");
  const auto quick = start({"true"});
  read_all(*quick);
  CHECK(!quick->write("late"));
}

TEST_CASE("a child that closes its output, or its input, is of no use") {
  CHECK(read_all(*shell("echo last; exec >&-; exec sleep 1000")).end.message ==
        "sh has closed its output.");
  const auto deaf = shell("exec <&-; echo ready; exec sleep 1000");
  read_until(*deaf, "ready\n");
  // Whoever started it may have the other end of the pipe for a moment longer.
  while (deaf->write("x") && deaf->exchange({}, Child::Clock::now() + 10ms)) {
  }
  CHECK(read_all(*deaf).end.message == "sh has closed its input.");
}

TEST_CASE("of what a child writes to its standard error the end is kept") {
  const auto child = shell(
      "i=0; while [ $i -lt 4000 ]; do echo line $i >&2; i=$((i+1)); done; printf '\\033[2Jlast' "
      ">&2");
  const Error end = read_all(*child).end;
  CHECK(child->errors().size() == 8192);
  CHECK(child->errors().ends_with("line 3999\n\033[2Jlast"));
  CHECK(end.message == "sh ended with exit code 0. It wrote: ^[[2Jlast");
}

TEST_CASE("in order a child is told by the end of its input, and has read all before it") {
  const TemporaryFolder place = folder();
  const std::string file = place.path() + "/copy", all(1'000'000, 'x');
  const auto child = shell("cat >'" + file + "'; exit 4");
  REQUIRE(child->write(all));
  CHECK(child->stop(60s) == 4);
  CHECK(fs::file_size(file) == all.size());
  CHECK(!child->exchange({}, late()));
  CHECK(!child->write("late"));
}

TEST_CASE("a child that does not end with its input is told by SIGTERM, and then ended") {
  const auto obeys = shell("trap 'exit 5' TERM; echo ready; while :; do sleep 0.01; done");
  read_until(*obeys, "ready\n");
  CHECK(obeys->stop(2s) == 5);
  const auto ignores = shell("trap '' TERM; echo ready; exec sleep 1000");
  read_until(*ignores, "ready\n");
  CHECK(ignores->stop(20ms) == 128 + SIGKILL);
  const auto floods = start({"yes"});
  CHECK(floods->stop(20ms) >= 128);
}

TEST_CASE("a child that is stopped twice, or after its end, does no harm") {
  const auto child = start({"true"});
  read_all(*child);
  CHECK(child->stop(60s) == 0);
  CHECK(child->stop(60s) == 0);
}

TEST_CASE("what a child has started is ended with it, wherever it went") {
  const TemporaryFolder place = folder();
  const std::string file = place.path() + "/pid";
  auto child = shell(daemon(file) + "echo done");
  const Read read = read_all(*child);  // the pipes are held open
  CHECK(read.output == "done\n");
  CHECK(read.end.message == "sh ended with exit code 0.");
  CHECK(::kill(pid_in(file), 0) == 0);
  child.reset();
  CHECK(is_gone(pid_in(file)));

  const std::string again = place.path() + "/again";
  const auto stopped = shell(daemon(again) + "exec cat");
  pid_in(again);
  CHECK(stopped->stop(60s) == 0);
  CHECK(is_gone(pid_in(again)));
}

TEST_CASE("if this process is killed, so is a child and all that it has started") {
  const TemporaryFolder place = folder();
  const std::string file = place.path() + "/pid", direct = place.path() + "/direct";
  const pid_t killed = ::fork();
  if (killed == 0) {
    Command command;
    command.arguments = {"sh", "-c",
                         daemon(file) + "echo $$ end >'" + direct + "'; exec sleep 1000"};
    command.environment = environment_for(Variables::basic, {}, {});
    const auto child = Child::start(command);
    if (child) (void)(*child)->exchange({}, late());
    ::_exit(0);
  }
  const pid_t child = pid_in(direct), grandchild = pid_in(file);
  CHECK(::kill(child, 0) == 0);
  ::kill(killed, SIGKILL);
  ::waitpid(killed, nullptr, 0);
  CHECK(is_gone(child));
  CHECK(is_gone(grandchild));
}

}  // namespace
}  // namespace bodkin::rpc
