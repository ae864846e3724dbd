#include "agent/process.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <thread>

using namespace bodkin;

namespace {

ProcessRequest request(std::vector<std::string> arguments) {
  ProcessRequest result;
  result.arguments = std::move(arguments);
  return result;
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

TEST_CASE("a program that does not exist is unavailable") {
  const auto outcome = run_process(request({"bodkin-no-such-program"}), {});
  REQUIRE(!outcome.has_value());
  CHECK(outcome.error().code == Error::Code::unavailable);
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

  auto slow = request({"sleep", "1000"});
  slow.timeout = std::chrono::milliseconds(50);
  CHECK(run_process(slow, {}).error().code == Error::Code::internal);
}

TEST_CASE("a program does not see the keys of models, unless it is there to find one") {
  ::setenv("SOME_API_KEY", "planted", 1);
  ::setenv("MY_OWN", "hidden", 1);
  auto shell = request({"sh", "-c", "echo \"[$SOME_API_KEY][$MY_OWN][${PATH:+path}]\""});
  CHECK(run_process(shell, {})->output == "[][hidden][path]\n");
  shell.hidden_variable = "MY_OWN";
  CHECK(run_process(shell, {})->output == "[][][path]\n");
  shell.hidden_variable.clear();
  shell.with_basics_only = true;
  CHECK(run_process(shell, {})->output == "[][][path]\n");
  shell.with_basics_only = false;
  shell.hidden_variable = "MY_OWN";
  shell.with_keys = true;
  CHECK(run_process(shell, {})->output == "[planted][hidden][path]\n");
  ::unsetenv("SOME_API_KEY");
  ::unsetenv("MY_OWN");
}
