// Pipe: closes both ends when destroyed; neither is ever 0, 1 or 2, even if those are closed. And
// other things needed to talk to a program through pipes.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "agent/support/portable.h"

namespace bodkin {

// `fd`, or if that is 0, 1 or 2, a duplicate above 2 in its place. -1: see errno.
inline int above_standard(int fd) {
  if (fd < 0 || fd > 2) return fd;
  const int other = ::fcntl(fd, F_DUPFD_CLOEXEC, 3);
  ::close(fd);
  return other;
}

struct Pipe {
  int ends[2] = {-1, -1};  // read end, write end; -1: not open, see errno
  Pipe() {
    open_pipe(ends);
    for (int& end : ends) end = above_standard(end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() { close_end(0), close_end(1); }
  bool is_open() const { return ends[0] >= 0 && ends[1] >= 0; }
  void close_end(int i) {
    if (ends[i] >= 0) ::close(ends[i]);
    ends[i] = -1;
  }
};

// During its lifetime, writing to a process that has exited does not kill ours. For one thread.
class HeldPipeSignal {
 public:
  HeldPipeSignal() {
    sigset_t signal;
    sigemptyset(&signal);
    sigaddset(&signal, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &signal, &before_);
  }
  HeldPipeSignal(const HeldPipeSignal&) = delete;
  ~HeldPipeSignal() {
    // A pending SIGPIPE of ours is consumed before the signal is unblocked.
    if (!sigismember(&before_, SIGPIPE)) take_pending(SIGPIPE);
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t before_;
};

// The timeout for poll(), in milliseconds; at most a minute.
inline int poll_time_until(std::chrono::steady_clock::time_point end) {
  const auto left = end - std::chrono::steady_clock::now();
  return static_cast<int>(
      std::clamp<int64_t>(std::chrono::ceil<std::chrono::milliseconds>(left).count(), 0, 60'000));
}

// The arguments of execve: pointers into the texts, then a null.
inline std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace bodkin
