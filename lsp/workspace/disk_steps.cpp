#include "lsp/workspace/disk_steps.h"

#include <fmt/format.h>

#include <cstring>

#include "agent/platform/files.h"
#include "lsp/workspace/file_owner.h"

namespace bodkin {

std::unexpected<Error> failed_step(const std::string& what, std::string_view reason) {
  return fail(Error::Code::unavailable,
              fmt::format("{}: {}", what, reason.empty() ? os::strerror(errno) : reason));
}

bool DiskSteps::sync(std::string_view name, int number) const {
  return step(name, [&] { return os::fsync(number); });
}

bool DiskSteps::sync_directory(const FileDescriptor& directory) const {
  if (sync("sync a folder", directory.number())) return true;
  return errno == EINVAL || errno == EROFS;  // a file system that cannot sync folders
}

bool DiskSteps::remove(std::string_view step_name, int directory, const std::string& name) const {
  return step(step_name, [&] { return os::unlinkat(directory, name.c_str(), 0); });
}

bool DiskSteps::remove_leftover(int directory, const std::string& name) const {
  os::FileStatus status{};
  if (os::fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return true;
  return remove("remove a leftover", directory, name);
}

bool DiskSteps::make_file(int directory, const std::string& name, mode_t mode,
                          FileDescriptor* file) const {
  return step("create a file", [&] {
    *file = FileDescriptor(os::openat(directory, name.c_str(),
                                      O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    return *file ? 0 : -1;
  });
}

int write_all(int number, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = os::write(number, text.data(), text.size());
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
      os::openat(directory, name.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  return file && step(step_name, [&] { return write_all(file.number(), text); }) &&
         step("cut a file",
              [&] { return os::ftruncate(file.number(), static_cast<off_t>(text.size())); }) &&
         sync("sync a file", file.number());
}

// Copies the old file's metadata to the new one. The owner first, so that the mode is never wider
// than the old one for anyone.
Result<void> DiskSteps::copy_owner(const std::string& path, int from, int to) const {
  os::FileStatus old{}, now{};
  if (os::fstat(from, &old) != 0 || os::fstat(to, &now) != 0)
    return failed_step(path + " cannot be read");
  if ((old.st_uid != now.st_uid || old.st_gid != now.st_gid) &&
      !step("change the owner", [&] { return give_to(to, old); }))
    return failed_step(path + " would change its owner");
  if (!step("change the mode", [&] { return os::fchmod(to, old.st_mode & 07777); }))
    return failed_step(path + " would change its mode");
  copy_attributes(from, to);
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
  os::FileStatus status{};  // writing takes the set-user-ID bit off
  if (old && os::fstat(old.number(), &status) == 0 && (status.st_mode & 06000) != 0 &&
      !step("change the mode", [&] { return os::fchmod(file.number(), status.st_mode & 07777); }))
    return failed_step(path + " would change its mode");
  return {};
}

}  // namespace bodkin
