// In the sanitizers' build these are the portable ways.
#include <doctest/doctest.h>
#include <sys/resource.h>

#include <array>

#include "agent/platform/polling.h"

using namespace bodkin;

TEST_CASE("open_pipe: both ends are closed on exec, and do not block if that is wished") {
  for (const int also : {0, O_NONBLOCK}) {
    int ends[2];
    REQUIRE(open_pipe(ends, also));
    for (const int end : ends) {
      CHECK(::fcntl(end, F_GETFD) == FD_CLOEXEC);
      CHECK((::fcntl(end, F_GETFL) & O_NONBLOCK) == also);
    }
    CHECK(::write(ends[1], "x", 1) == 1);
    std::array<char, 2> read{};
    CHECK(::read(ends[0], read.data(), 2) == 1);
    CHECK(read[0] == 'x');
    for (const int end : ends) ::close(end);
  }
}

TEST_CASE("open_pipe: without descriptors it says why") {
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  const rlimit none{3, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &none) == 0);
  int ends[2] = {7, 7};
  const bool is_open = open_pipe(ends);
  const int error = errno;
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
  CHECK(!is_open);
  CHECK(error == EMFILE);
  CHECK(ends[0] == -1);
  CHECK(ends[1] == -1);
}

TEST_CASE("take_pending: a signal that waits is gone, and none is waited for") {
  sigset_t signal, before, pending;
  sigemptyset(&signal);
  sigaddset(&signal, SIGPIPE);
  REQUIRE(::pthread_sigmask(SIG_BLOCK, &signal, &before) == 0);
  take_pending(SIGPIPE);
  ::raise(SIGPIPE);
  take_pending(SIGPIPE);
  CHECK(::sigpending(&pending) == 0);
  CHECK(sigismember(&pending, SIGPIPE) == 0);
  REQUIRE(::pthread_sigmask(SIG_SETMASK, &before, nullptr) == 0);
}
