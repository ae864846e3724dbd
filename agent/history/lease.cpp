#include "agent/history/lease.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <utility>

#include "agent/support/fnv1a.h"
#include "agent/support/state_folder.h"

namespace bodkin {

std::optional<Lease> Lease::take(const std::string& path, const std::string& workspace) {
  const size_t slash = path.rfind('/');
  if (slash == path.npos) return std::nullopt;
  const std::string folder = path.substr(0, slash) + "/leases";
  if (!make_private_folder(folder)) return std::nullopt;
  const std::string name = fmt::format("{}/{:016x}", folder, fnv1a(workspace));
  FileDescriptor file(
      ::open(name.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
  if (!file || ::flock(file.number(), LOCK_EX | LOCK_NB) != 0) return std::nullopt;
  return Lease(std::move(file));
}

}  // namespace bodkin
