#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <thread>

#include "agent/platform/keeper.h"
#include "agent/platform/paths.h"
#include "agent/platform/pipe.h"
#include "agent/platform/processes.h"

using namespace bodkin;

TEST_CASE("pipes: what one end writes the other reads, until it is closed") {
  Pipe pipe;
  REQUIRE(pipe.is_open());
  CHECK(os::write(pipe.ends[1], "abc", 3) == 3);
  char buffer[10];
  CHECK(os::read(pipe.ends[0], buffer, 2) == 2);
  CHECK(os::read(pipe.ends[0], buffer, sizeof buffer) == 1);
  pipe.close_end(1);
  CHECK(os::read(pipe.ends[0], buffer, sizeof buffer) == 0);
}

TEST_CASE("pipes: one that is not to wait says so, full or empty") {
  int ends[2];
  REQUIRE(open_pipe(ends, O_NONBLOCK));
  char buffer[10];
  CHECK(os::read(ends[0], buffer, sizeof buffer) == -1);
  CHECK(errno == EAGAIN);
  const std::string much(100'000, 'x');
  ssize_t written = 0;
  while ((written = os::write(ends[1], much.data(), much.size())) > 0) continue;
  CHECK(written == -1);
  CHECK(errno == EAGAIN);
  for (const int end : ends) os::close(end);
}

TEST_CASE("pipes: poll waits until there is something, or the time is over") {
  Pipe pipe, other;
  os::PollEntry entries[] = {
      {pipe.ends[0], POLLIN, 0}, {other.ends[0], POLLIN, 0}, {-1, POLLIN, 0}};
  CHECK(os::poll(entries, 3, 0) == 0);
  CHECK(os::poll(entries, 3, 10) == 0);
  std::jthread writer([&] { os::write(other.ends[1], "x", 1); });
  CHECK(os::poll(entries, 3, -1) == 1);
  CHECK(entries[0].revents == 0);
  CHECK((entries[1].revents & POLLIN) != 0);
  pipe.close_end(1);
  CHECK(os::poll(entries, 1, -1) == 1);
  CHECK(entries[0].revents != 0);
}
