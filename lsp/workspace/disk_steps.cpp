#include "lsp/workspace/disk_steps.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#ifdef __linux__
#include <sys/xattr.h>
#endif

namespace bodkin {

std::unexpected<Error> failed_step(const std::string& what, std::string_view reason) {
  return fail(Error::Code::unavailable,
              fmt::format("{}: {}", what, reason.empty() ? std::strerror(errno) : reason));
}

bool DiskSteps::sync(std::string_view name, int number) const {
  return step(name, [&] { return ::fsync(number); });
}

bool DiskSteps::sync_directory(const FileDescriptor& directory) const {
  if (sync("sync a folder", directory.number())) return true;
  return errno == EINVAL || errno == EROFS;  // a file system that cannot sync folders
}

bool DiskSteps::remove(std::string_view step_name, int directory, const std::string& name) const {
  return step(step_name, [&] { return ::unlinkat(directory, name.c_str(), 0); });
}

bool DiskSteps::remove_leftover(int directory, const std::string& name) const {
  struct stat status {};
  if (::fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return true;
  return remove("remove a leftover", directory, name);
}

bool DiskSteps::make_file(int directory, const std::string& name, mode_t mode,
                          FileDescriptor* file) const {
  return step("create a file", [&] {
    *file = FileDescriptor(::openat(directory, name.c_str(),
                                    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    return *file ? 0 : -1;
  });
}

int write_all(int number, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(number, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -1;
    text.remove_prefix(static_cast<size_t>(count));
  }
  return 0;
}

bool DiskSteps::write_text(int number, std::string_view text) const {
  return step("write a file", [&] { return write_all(number, text); }) &&
         sync("sync a file", number);
}

bool DiskSteps::write_over(std::string_view step_name, int directory, const std::string& name,
                           std::string_view text) const {
  const FileDescriptor file(
      ::openat(directory, name.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  return file && step(step_name, [&] { return write_all(file.number(), text); }) &&
         step("cut a file",
              [&] { return ::ftruncate(file.number(), static_cast<off_t>(text.size())); }) &&
         sync("sync a file", file.number());
}

// Copies the old file's metadata to the new one. The owner first, so that the mode is never wider
// than the old one for anyone.
Result<void> DiskSteps::copy_owner(const std::string& path, int from, int to) const {
  struct stat old {
  }, now{};
  if (::fstat(from, &old) != 0 || ::fstat(to, &now) != 0)
    return failed_step(path + " cannot be read");
  if ((old.st_uid != now.st_uid || old.st_gid != now.st_gid) &&
      !step("change the owner", [&] { return ::fchown(to, old.st_uid, old.st_gid); }))
    return failed_step(path + " would change its owner");
  if (!step("change the mode", [&] { return ::fchmod(to, old.st_mode & 07777); }))
    return failed_step(path + " would change its mode");
#ifdef __linux__
  std::string names(4096, '\0'), value(65536, '\0');
  const ssize_t size = ::flistxattr(from, names.data(), names.size());
  for (ssize_t at = 0; at < size; at += static_cast<ssize_t>(std::strlen(&names[at])) + 1) {
    const ssize_t length = ::fgetxattr(from, &names[at], value.data(), value.size());
    if (length >= 0) ::fsetxattr(to, &names[at], value.data(), static_cast<size_t>(length), 0);
  }
#endif
  return {};
}

Result<void> DiskSteps::write_like(const std::string& path, int directory, const std::string& name,
                                   std::string_view text, const FileDescriptor& old,
                                   mode_t mode) const {
  FileDescriptor file;
  if (!make_file(directory, name, old ? 0600 : mode, &file))
    return failed_step(path + " cannot be written");
  if (old)
    if (auto kept = copy_owner(path, old.number(), file.number()); !kept) return kept;
  if (!write_text(file.number(), text)) return failed_step(path + " cannot be written");
  struct stat status {};  // writing takes the set-user-ID bit off
  if (old && ::fstat(old.number(), &status) == 0 && (status.st_mode & 06000) != 0 &&
      !step("change the mode", [&] { return ::fchmod(file.number(), status.st_mode & 07777); }))
    return failed_step(path + " would change its mode");
  return {};
}

}  // namespace bodkin
