#include "agent/support/opened.h"

#include <algorithm>
#include <cerrno>
#include <climits>

#include "agent/platform/files.h"

namespace bodkin {

FileDescriptor open_below(int at, const std::string& path, int how) {
  const char* name = path.empty() ? "." : path.c_str();
  how |= O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  FileDescriptor file(os::openat(at, name, how));
  if (!file && errno == EACCES && os::fchmodat(at, name, 0700, 0) == 0)
    file = FileDescriptor(os::openat(at, name, how));
  return file;
}

std::vector<std::string> names_of(int at, const std::string& folder) {
  const FileDescriptor opened = open_below(at, folder, O_DIRECTORY);
  std::vector<std::string> names;
  if (opened) names = os::names_in(opened.number()).value_or(names);
  std::ranges::sort(names);
  return names;
}

size_t read_some(int fd, char* buffer, size_t size) {
  size_t done = 0;
  while (done < size) {
    const ssize_t n = os::read(fd, buffer + done, size - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<size_t>(n);
  }
  return done;
}

bool holds(int fd, std::string_view text) {
  char buffer[16384];
  while (!text.empty()) {
    const size_t n = read_some(fd, buffer, std::min(sizeof buffer, text.size()));
    if (n == 0 || text.substr(0, n) != std::string_view(buffer, n)) return false;
    text.remove_prefix(n);
  }
  return read_some(fd, buffer, 1) == 0;
}

bool have_same_content(int one, int other) {
  char a[16384], b[16384];
  for (;;) {
    const size_t n = read_some(one, a, sizeof a);
    if (read_some(other, b, sizeof b) != n || !std::equal(a, a + n, b)) return false;
    if (n < sizeof a) return true;
  }
}

std::optional<std::string> target_of(int at, const std::string& path) {
  char buffer[PATH_MAX];
  const ssize_t n = os::readlinkat(at, path.c_str(), buffer, sizeof buffer);
  if (n < 0) return std::nullopt;
  return std::string(buffer, static_cast<size_t>(n));
}

}  // namespace bodkin
