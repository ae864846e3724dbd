#include "agent/support/read_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "agent/platform/files.h"

namespace bodkin {

namespace {

// An open regular file; -1: errno says why. It is checked before it is opened, because opening a
// device may have side effects, and again after, because it may have been replaced.
int open_regular(int directory, const char* name, int flags) {
  os::FileStatus status{};
  const int at_flags = (flags & O_NOFOLLOW) ? AT_SYMLINK_NOFOLLOW : 0;
  if (os::fstatat(directory, name, &status, at_flags) != 0) return -1;
  const bool is_link = S_ISLNK(status.st_mode);
  if (is_link || !S_ISREG(status.st_mode)) {
    errno = is_link ? ELOOP : S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    return -1;
  }
  const int file =
      os::openat(directory, name, flags | O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (file < 0) return -1;
  if (os::fstat(file, &status) == 0 && S_ISREG(status.st_mode)) return file;
  os::close(file);
  errno = EINVAL;
  return -1;
}

enum class Part { whole, start };  // whole: a longer file is an error

// At most `most` bytes; nullopt: errno says why.
std::optional<std::string> read_regular(int directory, const std::string& name, int flags,
                                        size_t most, Part part) {
  errno = ENOENT;
  if (name.find('\0') != std::string::npos) return std::nullopt;
  const int file = open_regular(directory, name.c_str(), flags);
  if (file < 0) return std::nullopt;
  os::FileStatus status{};
  int error = os::fstat(file, &status) == 0 ? 0 : errno;
  const size_t size = static_cast<size_t>(status.st_size);
  const size_t end = part == Part::whole ? most + 1 : most;
  if (part == Part::whole && size > most) error = EFBIG;
  std::string bytes;
  // The size is only a hint: the file may grow meanwhile, and files in /proc have none.
  for (size_t room = size + 1; error == 0 && bytes.size() < end; room = bytes.size()) {
    const size_t before = bytes.size();
    bytes.resize(std::min(end, before + std::max<size_t>(room, 4096)));
    const ssize_t count = os::read(file, bytes.data() + before, bytes.size() - before);
    if (count < 0 && errno != EINTR) error = errno;
    bytes.resize(before + static_cast<size_t>(std::max<ssize_t>(count, 0)));
    if (count == 0) break;
  }
  if (error == 0 && part == Part::whole && bytes.size() > most) error = EFBIG;
  os::close(file);
  if (error == 0) return bytes;
  errno = error;
  return std::nullopt;
}

Error read_error(const std::string& path, size_t most) {
  switch (errno) {
    case ENOENT:
    case ENOTDIR:
      return {Error::Code::not_found, path + " does not exist."};
    case EISDIR:
      return {Error::Code::invalid_input, path + " is a folder."};
    case EINVAL:
      return {Error::Code::invalid_input, path + " is not a regular file."};
    case EFBIG:
      return {Error::Code::invalid_input,
              path + " is larger than " + std::to_string(most >> 20) + " MB."};
    default:
      return {Error::Code::internal, path + " cannot be read: " + os::strerror(errno) + "."};
  }
}

}  // namespace

Result<std::string> read_file(const std::string& path, size_t most) {
  auto bytes = read_regular(AT_FDCWD, path, 0, most, Part::whole);
  if (!bytes) return std::unexpected(read_error(path, most));
  return *std::move(bytes);
}

Result<std::string> read_start_of_file(const std::string& path, size_t most) {
  auto bytes = read_regular(AT_FDCWD, path, 0, most, Part::start);
  if (!bytes) return std::unexpected(read_error(path, most));
  return *std::move(bytes);
}

std::optional<std::string> read_file_at(int directory, const std::string& name, size_t most) {
  return read_regular(directory, name, O_NOFOLLOW, most, Part::whole);
}

}  // namespace bodkin
