#include "agent/sandbox/linux/sandbox_privileges.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "agent/platform/file_descriptor.h"

namespace bodkin {

namespace {

// Landlock, of which Debian 12's headers know only the first version. The numbers are the same on
// all architectures.
constexpr long kCreateRuleset = 444, kAddRule = 445, kRestrictSelf = 446;
constexpr uint64_t kWriteFile = 1 << 1, kMoveFile = 1 << 13;
constexpr uint64_t kAbstractSockets = 1;  // of `scoped`
constexpr int kKnowsMoves = 2, kKnowsSockets = 6;

struct Ruleset {
  uint64_t files = 0, network = 0, scoped = 0;
};
struct __attribute__((packed)) PathRule {
  uint64_t allowed = 0;
  int32_t folder = -1;
};

void allow(int ruleset, uint64_t what, const std::string& folder) {
  const FileDescriptor place(::open(folder.c_str(), O_PATH | O_CLOEXEC));
  const PathRule rule{what, place.number()};
  if (place) ::syscall(kAddRule, ruleset, 1, &rule, 0);
}

// Restricts as far as the kernel can: what it cannot forbid is hidden by name, too.
void restrict_by_landlock(const Privileges& kept) {
  const long version = ::syscall(kCreateRuleset, nullptr, 0, 1);
  Ruleset rules;
  // The first version would forbid moving files between folders.
  if (!kept.unix_sockets && version >= kKnowsMoves) rules.files = kWriteFile | kMoveFile;
  if (kept.has_network && version >= kKnowsSockets) rules.scoped = kAbstractSockets;
  if (!rules.files && !rules.scoped) return;
  const size_t size = version >= kKnowsSockets ? sizeof rules : sizeof rules.files;
  const int ruleset = static_cast<int>(::syscall(kCreateRuleset, &rules, size, 0));
  if (ruleset < 0) return;
  if (rules.files) {
    allow(ruleset, kMoveFile, "/");
    for (const std::string& folder : kept.writable) allow(ruleset, kWriteFile, folder);
  }
  ::syscall(kRestrictSelf, ruleset, 0);
  ::close(ruleset);
}

}  // namespace

Result<void> drop_privileges(const Privileges& kept) {
  for (int capability = 0; capability < 64; ++capability) {
    ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  }
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2] = {};
  ::syscall(SYS_capset, &header, none);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  restrict_by_landlock(kept);
  if (!install_syscall_filter(kept.unix_sockets)) {
    return fail(Error::Code::internal,
                std::string("cannot set up the sandbox: cannot install the system call filter: ") +
                    std::strerror(errno));
  }
  return {};
}

}  // namespace bodkin
