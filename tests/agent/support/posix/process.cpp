#include "agent/support/process.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "agent/started_processes.h"
#include "agent/support/program.h"

using namespace bodkin;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

ProcessRequest request(std::vector<std::string> arguments) {
  ProcessRequest result;
  result.arguments = std::move(arguments);
  return result;
}

ProcessRequest shell(std::string script) { return request({"sh", "-c", std::move(script)}); }

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "bodkin-process-XXXXXX").string();
    path_ = fs::canonical(::mkdtemp(name.data()));
  }
  ~TemporaryFolder() { fs::remove_all(path_); }
  std::string operator/(const char* name) const { return (path_ / name).string(); }
  std::string text() const { return path_.string(); }

 private:
  fs::path path_;
};

// A shell script: starts something that leaves the group and the session and writes its number
// there.
std::string daemon(const std::string& file, const char* to = "") {
  return "setsid sh -c 'echo $$ end >\"" + file + "\"; exec sleep 1000' " + to + " &\n" +
         "until [ -s '" + file + "' ]; do sleep 0.01; done\n";
}

class ScopedVariable {
 public:
  ScopedVariable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    had_ = std::getenv(name) != nullptr;
    ::setenv(name, value.c_str(), 1);
  }
  ~ScopedVariable() { had_ ? ::setenv(name_, before_.c_str(), 1) : ::unsetenv(name_); }

 private:
  const char* name_;
  std::string before_;
  bool had_ = false;
};

void make_program(const std::string& path, const std::string& says) {
  std::ofstream(path) << "#!/bin/sh\necho " << says << "\n";
  fs::permissions(path, fs::perms::owner_all);
}

}  // namespace

TEST_CASE("a process is given its input and its output is read to the end") {
  auto cat = request({"cat"});
  cat.input = std::string(3'000'000, 'x');
  const auto outcome = run_process(cat, {});
  REQUIRE(outcome.has_value());
  CHECK(outcome->exit_code == 0);
  CHECK(outcome->output == cat.input);
}

TEST_CASE("a process that does not read its input does no harm") {
  auto quick = request({"true"});
  quick.input = std::string(3'000'000, 'x');
  CHECK(run_process(quick, {})->exit_code == 0);
}

TEST_CASE("how a process ended is told") {
  CHECK(run_process(shell("exit 7"), {})->exit_code == 7);
  CHECK(run_process(shell("kill -TERM $$"), {})->exit_code == 128 + SIGTERM);
  CHECK(run_process(shell("echo no >&2; exit 1"), {})->errors == "no\n");
}

TEST_CASE("a program that does not exist, or cannot be run, is unavailable") {
  const TemporaryFolder folder;
  std::ofstream(folder / "plain") << "text";
  const std::string text = folder.text(), plain = folder / "plain";
  for (const std::string& name : {std::string("bodkin-no-such-program"), std::string(),
                                  std::string("./sh"), std::string("bin/sh"), text, plain}) {
    CAPTURE(name);
    const auto outcome = run_process(request({name}), {});
    REQUIRE(!outcome.has_value());
    CHECK(outcome.error().code == Error::Code::unavailable);
  }
  auto nowhere = request({"true"});
  nowhere.folder = folder / "no";
  const auto outcome = run_process(nowhere, {});
  REQUIRE(!outcome.has_value());
  CHECK(outcome.error().message == "true did not start: No such file or directory.");
}

TEST_CASE("a process ends when it writes too much, and when it is told to stop") {
  auto noisy = request({"yes"});
  noisy.max_output = 10'000;
  const auto cut = run_process(noisy, {});
  REQUIRE(cut.has_value());
  CHECK(cut->cut);
  CHECK(cut->output.size() == 10'000);

  std::stop_source stop;
  std::jthread other([&] { stop.request_stop(); });
  const auto stopped = run_process(request({"sleep", "1000"}), stop.get_token());
  REQUIRE(!stopped.has_value());
  CHECK(stopped.error().code == Error::Code::cancelled);
}

TEST_CASE("a process that takes too long is said to, also when it has closed its output") {
  for (const char* script : {"sleep 1000", "exec >&- 2>&-; sleep 1000"}) {
    CAPTURE(script);
    auto slow = shell(script);
    slow.timeout = 50ms;
    slow.name = "make -j2";
    const auto outcome = run_process(slow, {});
    REQUIRE(!outcome.has_value());
    CHECK(outcome.error().code == Error::Code::internal);
    CHECK(outcome.error().message == "make -j2 did not finish within 0.05 s.");
  }
}

TEST_CASE("what a process leaves behind neither delays its end nor survives it") {
  const TemporaryFolder folder;
  for (const char* to : {"", ">/dev/null 2>&1 </dev/null"}) {
    CAPTURE(to);
    const std::string file = folder / (*to ? "quiet" : "holding");
    const auto outcome = run_process(shell(daemon(file, to) + "echo done"), {});
    REQUIRE(outcome.has_value());
    CHECK(outcome->exit_code == 0);
    CHECK(outcome->output == "done\n");
    CHECK(is_gone(pid_in(file)));
  }
}

TEST_CASE("what a process has started is ended with it, wherever it went") {
  const TemporaryFolder folder;
  std::stop_source stop;
  const std::string file = folder / "pid";
  std::jthread other([&] {
    pid_in(file);
    stop.request_stop();
  });
  const auto outcome = run_process(shell(daemon(file) + "sleep 1000"), stop.get_token());
  REQUIRE(!outcome.has_value());
  CHECK(outcome.error().code == Error::Code::cancelled);
  CHECK(is_gone(pid_in(file)));
}

TEST_CASE("a program that leaves an agent behind on purpose is let") {
  const TemporaryFolder folder;
  const std::string file = folder / "pid";
  auto store = shell(daemon(file, ">/dev/null 2>&1") + "echo key");
  store.may_leave_processes = true;
  const auto outcome = run_process(store, {});
  REQUIRE(outcome.has_value());
  CHECK(outcome->output == "key\n");
  const pid_t agent = pid_in(file);
  CHECK(::kill(agent, 0) == 0);
  ::kill(agent, SIGKILL);
}

TEST_CASE("if this process is killed, so is all that it has started") {
  const TemporaryFolder folder;
  const std::string file = folder / "pid", direct = folder / "direct";
  const pid_t killed = ::fork();
  if (killed == 0) {
    (void)run_process(shell(daemon(file) + "echo $$ end >'" + direct + "'; exec sleep 1000"), {});
    ::_exit(0);
  }
  const pid_t child = pid_in(direct), grandchild = pid_in(file);
  CHECK(::kill(child, 0) == 0);
  ::kill(killed, SIGKILL);
  ::waitpid(killed, nullptr, 0);
  CHECK(is_gone(child));
  CHECK(is_gone(grandchild));
}

TEST_CASE("the process that makes keepers may be killed, too") {
  REQUIRE(run_process(request({"true"}), {}));
  std::error_code error;
  for (fs::directory_iterator each("/proc", error), end; !error && each != end;
       each.increment(error)) {  // Linux alone
    std::ifstream state(each->path() / "stat");
    std::string number, name, letter;
    pid_t parent = 0;
    if (state >> number >> name >> letter >> parent;
        parent == ::getpid() && name == "(bodkin-keeper)") {
      ::kill(std::stoi(number), SIGKILL);
      ::waitpid(std::stoi(number), nullptr, 0);
    }
  }
  CHECK(run_process(shell("exit 4"), {})->exit_code == 4);
}

TEST_CASE("a program does not hold what this process has open") {
  const auto outcome = run_process(shell("ls /dev/fd/"), {});
  CHECK(outcome->output == "0\n1\n2\n3\n");  // 3: the folder that ls reads
}

TEST_CASE("it works also where the ends of children are ignored, and without 0, 1 and 2") {
  const TemporaryFolder folder;
  const std::string file = folder / "output";
  const pid_t other = ::fork();
  if (other == 0) {
    ::signal(SIGCHLD, SIG_IGN);
    for (const int fd : {0, 1, 2}) ::close(fd);
    auto cat = shell("cat; exit 3");
    cat.input = "text";
    const auto outcome = run_process(cat, {});
    const bool is_right = outcome && outcome->exit_code == 3 && outcome->output == "text";
    std::ofstream(file) << (is_right ? "right" : "wrong");
    ::_exit(0);
  }
  ::waitpid(other, nullptr, 0);
  std::ifstream in(file);
  std::string word;
  in >> word;
  CHECK(word == "right");
}

TEST_CASE("of our environment a program is told only what is named") {
  const ScopedVariable key("SOME_API_KEY", "planted"), own("MY_OWN", "named"), git("GIT_DIR", "/x"),
      loaded("LD_PRELOAD_NOT", "x"), language("LC_TIME", "C");
  const std::string script =
      "echo \"[$SOME_API_KEY][$MY_OWN][$GIT_DIR][$LC_TIME][${PATH:+path}][${HOME:+home}]\"";
  auto told = shell(script);
  CHECK(run_process(told, {})->output == "[][][][C][path][home]\n");
  told.also_variables = {"MY_OWN"};
  told.set_variables = {"GIT_DIR=/y", "LC_TIME=D"};
  CHECK(run_process(told, {})->output == "[][named][/y][D][path][home]\n");
  told = shell(script);
  told.variables = Variables::all;
  CHECK(run_process(told, {})->output == "[planted][named][/x][C][path][home]\n");
}

TEST_CASE("no place that a program is told of depends on where it happens to run") {
  const ScopedVariable home("HOME", "."), config("XDG_CONFIG_HOME", "config"),
      libraries("LD_LIBRARY_PATH", ":lib:/opt/lib:"), data("XDG_DATA_DIRS", "");
  CHECK(
      run_process(
          shell("echo \"[$HOME][$XDG_CONFIG_HOME][$LD_LIBRARY_PATH][${XDG_DATA_DIRS-none}]\""), {})
          ->output == "[][][/opt/lib][none]\n");
}

TEST_CASE(
    "no program is found where it happens to run, nor in a folder that is not to be trusted") {
  const TemporaryFolder here, elsewhere;
  fs::create_directories(here / "bin");
  make_program(here / "bodkin-tool", "stranger");
  make_program(here / "bin/bodkin-tool", "stranger");
  make_program(elsewhere / "bodkin-tool", "own");
  fs::create_symlink(here / "bin/bodkin-tool", elsewhere / "bodkin-link");
  fs::create_directory_symlink(here / "bin", elsewhere / "way");
  const std::string usual = std::getenv("PATH");
  for (const std::string& first :
       {std::string(), std::string("."), std::string("bin"), here / "bin", elsewhere / "way"}) {
    CAPTURE(first);
    const ScopedVariable path("PATH", first + ":" + elsewhere.text() + "::" + usual + ":.");
    auto tool = request({"bodkin-tool"});
    tool.folder = here.text();
    tool.never_from = {here.text()};
    CHECK(run_process(tool, {})->output == "own\n");
    tool.arguments = {"bodkin-link"};
    CHECK(!run_process(tool, {}));
    // Nor does what is started look there.
    auto inner = shell("bodkin-tool; echo \"$PATH\"");
    inner.folder = here.text();
    if (!first.starts_with('/')) {
      CHECK(run_process(inner, {})->output == "own\n" + elsewhere.text() + ":" + usual + "\n");
    }
  }
}

TEST_CASE("a program finds no tools in relative folders, nor where nothing is run from") {
  const TemporaryFolder folder;
  const ScopedVariable path("PATH", folder.text() + ":bin::/usr/bin:/bin");
  CHECK(search_path() == "PATH=" + folder.text() + ":/usr/bin:/bin");
  CHECK(search_path({folder.text()}) == "PATH=/usr/bin:/bin");
  never_run_from(folder.text());
  const auto outcome = run_process(shell("echo $PATH"), {});
  REQUIRE(outcome);
  CHECK(outcome->output == "/usr/bin:/bin\n");
  CHECK(with_absolute_folders("PATH=bin::/usr/bin:.:/bin:") == "PATH=/usr/bin:/bin");
  for (const char* list : {"PATH=bin:.", "PATH=:", "PATH="})
    CHECK(with_absolute_folders(list).empty());
}
