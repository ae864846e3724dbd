// Pipe: its two ends are closed with it, and are none of 0, 1 and 2, also where those are closed.
#pragma once

#include <fcntl.h>
#include <unistd.h>

namespace bodkin {

// A descriptor in place of `fd`, which is closed if it is 0, 1 or 2. -1: errno says why.
inline int above_standard(int fd) {
  if (fd < 0 || fd > 2) return fd;
  const int other = ::fcntl(fd, F_DUPFD_CLOEXEC, 3);
  ::close(fd);
  return other;
}

struct Pipe {
  int ends[2] = {-1, -1};  // to read from, to write to; -1: there is none, errno says why
  Pipe() {
    if (::pipe2(ends, O_CLOEXEC) != 0) ends[0] = ends[1] = -1;
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

}  // namespace bodkin
