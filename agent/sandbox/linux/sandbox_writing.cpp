// Writes files into the folders of a sandbox.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "agent/sandbox/sandbox_files.h"
#include "agent/support/path_text.h"

namespace bodkin {

namespace {

std::unexpected<Error> cannot_write(const std::string& path) {
  return fail(Error::Code::internal,
              path + " cannot be written in the view of the folder: " + std::strerror(errno));
}

Result<void> write_bytes(const std::string& path, std::string_view bytes, unsigned mode,
                         timespec time) {
  ::unlink(path.c_str());
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return cannot_write(path);
  while (!bytes.empty()) {
    const ssize_t n = ::write(file, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      ::close(file);
      return cannot_write(path);
    }
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  const timespec times[2] = {time, time};
  ::fchmod(file, mode & 0777);
  ::futimens(file, times);
  ::close(file);
  return {};
}

}  // namespace

void make_parents(const std::string& folder, const std::string& lower, const std::string& path) {
  for (size_t end = path.find('/'); end != std::string::npos; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    struct stat status {};
    const bool is_there = ::lstat(join_path(lower, part).c_str(), &status) == 0;
    if (::mkdir(join_path(folder, part).c_str(), 0755) == 0 && is_there) {
      ::chmod(join_path(folder, part).c_str(), (status.st_mode & 07777) | 0700);
    }
  }
}

Result<void> write_sandbox_files(const std::string& folder, const std::string& lower,
                                 const std::vector<SandboxFolder::File>& files) {
  for (const SandboxFolder::File& file : files) {
    if (file.is_link) continue;
    make_parents(folder, lower, file.is_folder ? file.path + "/" : file.path);
    if (file.is_folder) continue;
    struct stat status {};
    unsigned mode = file.mode;
    if (mode == 0) {
      const bool is_there =
          ::stat(join_path(lower, file.path).c_str(), &status) == 0 && S_ISREG(status.st_mode);
      mode = is_there ? (status.st_mode & 0777) | 0600 : 0644;
    }
    timespec time{0, UTIME_NOW};
    if (file.time_ns != 0) time = {file.time_ns / 1'000'000'000, file.time_ns % 1'000'000'000};
    if (auto done = write_bytes(join_path(folder, file.path), file.text, mode, time); !done) {
      return done;
    }
  }
  for (const SandboxFolder::File& file : files) {
    if (!file.is_link) continue;
    make_parents(folder, lower, file.path);
    if (::symlink(file.text.c_str(), join_path(folder, file.path).c_str()) != 0) {
      return cannot_write(file.path);
    }
  }
  return {};
}

}  // namespace bodkin
