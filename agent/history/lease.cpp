#include "agent/history/lease.h"

#include <fmt/format.h>

#include <cerrno>
#include <utility>

#include "agent/platform/files.h"
#include "agent/support/fnv1a.h"
#include "agent/support/user_folders.h"

namespace bodkin {

namespace {

constexpr int kTries = 5;

}  // namespace

std::expected<Lease, Lease::Refusal> Lease::take(const std::string& path, const std::string& name) {
  const size_t slash = path.rfind('/');
  if (slash == path.npos) return std::unexpected(Refusal::no_place);
  const std::string folder = path.substr(0, slash) + "/leases";
  if (!make_private_folder(folder)) return std::unexpected(Refusal::no_place);
  std::string file_name = fmt::format("{}/{:016x}", folder, fnv1a(name));
  for (int i = 0; i < kTries; ++i) {
    FileDescriptor file(
        os::open(file_name.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
    if (!file) return std::unexpected(Refusal::no_place);
    if (os::flock(file.number(), LOCK_EX | LOCK_NB) != 0)
      return std::unexpected(errno == EWOULDBLOCK ? Refusal::held : Refusal::no_place);
    // The previous holder may have removed the file meanwhile.
    os::FileStatus ours{}, there{};
    if (os::fstat(file.number(), &ours) == 0 && os::lstat(file_name.c_str(), &there) == 0 &&
        ours.st_ino == there.st_ino && ours.st_dev == there.st_dev)
      return Lease(std::move(file), std::move(file_name));
  }
  return std::unexpected(Refusal::held);
}

bool Lease::is_held(const std::string& path, const std::string& name) {
  const auto lease = take(path, name);
  return !lease && lease.error() == Refusal::held;
}

Lease::~Lease() {
  if (file_) os::unlink(name_.c_str());
}

}  // namespace bodkin
