// What lies below an open folder: read without following links, whatever a command left there.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bodkin {

// An open folder or file below another; false: it cannot be had. What the command has closed is
// opened again: it is ours.
class Opened {
 public:
  Opened(int at, const std::string& path, int how);
  ~Opened();
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  explicit operator bool() const { return fd_ >= 0; }
  int get() const { return fd_; }

 private:
  int fd_;
};

std::vector<std::string> names_of(int at, const std::string& folder);  // sorted
// The next bytes of a file, as many as there are up to the buffer's size.
size_t read_some(int fd, char* buffer, size_t size);
bool holds(int fd, std::string_view text);
bool hold_the_same(int one, int other);
std::optional<std::string> target_of(int at, const std::string& path);  // of a link

}  // namespace bodkin
