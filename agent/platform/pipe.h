// Pipe: closes both ends when destroyed; neither is ever 0, 1 or 2, even if those are closed. And
// other things needed to talk to a program through pipes.
#pragma once

#include <string>
#include <vector>

#include "agent/platform/files.h"
#include "agent/platform/polling.h"

namespace bodkin {

struct Pipe {
  int ends[2] = {-1, -1};  // read end, write end; -1: not open, see errno
  Pipe() {
    open_pipe(ends);
    for (int& end : ends) end = os::above_standard(end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() { close_end(0), close_end(1); }
  bool is_open() const { return ends[0] >= 0 && ends[1] >= 0; }
  void close_end(int i) {
    if (ends[i] >= 0) os::close(ends[i]);
    ends[i] = -1;
  }
};

// The arguments of execve: pointers into the texts, then a null.
inline std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace bodkin
