#include "lsp/sessions/background_work.h"

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>

using namespace bodkin;
using rpc::EventLoop;

TEST_CASE("work that throws is told of, and its thread joined") {
  EventLoop loop;
  std::string told;
  BackgroundWork work(loop, [&](const char* what) { told = what; });
  work.start([held = std::shared_ptr<void>(nullptr, [&](void*) { loop.stop(0); })](const Task&) {
    throw std::runtime_error("no");
  });
  loop.run();
  CHECK(told == "no");
}

TEST_CASE("work ends with its owner") {
  EventLoop loop;
  bool ended = false;
  {
    BackgroundWork work(loop, {});
    work.start([&](const Task& task) {
      (void)loop.wait_for<int>(task.stop,
                               [](auto) {});  // the loop does not run: until it is stopped
      ended = true;
    });
  }
  CHECK(ended);
}
