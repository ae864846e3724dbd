#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "agent/sandbox/linux/sandbox_privileges.h"

namespace bodkin {

namespace {

// The numbers of one architecture. ptrace is allowed: it reaches only the sandbox, and sanitizers
// need it.
struct Calls {
  uint32_t architecture;
  // keyctl and its relatives: keys of this user, in any namespace. io_uring makes sockets without
  // socket(). The others access kernel memory or load programs into the kernel.
  std::vector<uint32_t> forbidden;
  uint32_t socket, socketpair, clone, clone3, unshare, memfd_create;
};

#if defined(__x86_64__) || defined(__aarch64__) || defined(__riscv)
#define BODKIN_CALLS                                                 \
  {SYS_keyctl,          SYS_add_key,     SYS_request_key,   SYS_bpf, \
   SYS_perf_event_open, SYS_userfaultfd, SYS_io_uring_setup},        \
      SYS_socket, SYS_socketpair, SYS_clone, SYS_clone3, SYS_unshare, SYS_memfd_create
#endif

const std::vector<Calls>& architectures() {
  static const std::vector<Calls> all = {
#if defined(__x86_64__)
    {AUDIT_ARCH_X86_64, BODKIN_CALLS},
    // 32-bit programs. The first, socketcall, passes its arguments in memory.
    {AUDIT_ARCH_I386, {102, 288, 286, 287, 357, 336, 374, 425}, 359, 360, 120, 435, 310, 356},
#elif defined(__aarch64__)
    {AUDIT_ARCH_AARCH64, BODKIN_CALLS},
#elif defined(__riscv)
    {AUDIT_ARCH_RISCV64, BODKIN_CALLS},
#endif
  };
  return all;
}

using Program = std::vector<sock_filter>;

void load(Program& program, size_t offset) {
  program.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset)));
}
void answer(Program& program, uint32_t what) { program.push_back(BPF_STMT(BPF_RET | BPF_K, what)); }
// Runs `then` only if the loaded value is `value`.
void add_if_equal(Program& program, uint32_t value, const Program& then, uint16_t test = BPF_JEQ) {
  program.push_back(BPF_JUMP(static_cast<uint16_t>(BPF_JMP | test | BPF_K), value, 0,
                             static_cast<uint8_t>(then.size())));
  program.insert(program.end(), then.begin(), then.end());
}
Program only(uint32_t what) { return {BPF_STMT(BPF_RET | BPF_K, what)}; }

// On all of these architectures the low 32 bits of the first argument come first.
constexpr size_t kFirstArgument = offsetof(seccomp_data, args);
constexpr uint32_t kRefused = SECCOMP_RET_ERRNO | EPERM;

Program rules_of(const Calls& calls, bool unix_sockets) {
  Program rules;
  load(rules, offsetof(seccomp_data, nr));
  if (calls.architecture == AUDIT_ARCH_X86_64) {  // x32: the same calls by other numbers
    add_if_equal(rules, 0x40000000, only(kRefused), BPF_JGE);
  }
  for (const uint32_t call : calls.forbidden) add_if_equal(rules, call, only(kRefused));
  // Files in memory are counted nowhere; without them programs take /dev/shm, whose size is
  // limited.
  add_if_equal(rules, calls.memfd_create, only(SECCOMP_RET_ERRNO | ENOSYS));
  // Its flags cannot be inspected; the C library then falls back to clone().
  add_if_equal(rules, calls.clone3, only(SECCOMP_RET_ERRNO | ENOSYS));
  // A nested user namespace reaches nothing outside, but exposes much of the kernel.
  Program flags;
  load(flags, kFirstArgument);
  add_if_equal(flags, CLONE_NEWUSER, only(kRefused), BPF_JSET);
  answer(flags, SECCOMP_RET_ALLOW);
  add_if_equal(rules, calls.clone, flags);
  add_if_equal(rules, calls.unshare, flags);
  // Not all families are confined by the network namespace: AF_VSOCK reaches a virtual machine's
  // host.
  Program family;
  load(family, kFirstArgument);
  for (const uint32_t known : {AF_INET, AF_INET6, AF_NETLINK}) {
    add_if_equal(family, known, only(SECCOMP_RET_ALLOW));
  }
  if (unix_sockets) add_if_equal(family, AF_UNIX, only(SECCOMP_RET_ALLOW));
  answer(family, SECCOMP_RET_ERRNO | EAFNOSUPPORT);
  add_if_equal(rules, calls.socket, family);
  // A pair is connected, and stays so; only datagrams could be sent elsewhere.
  Program pair;
  load(pair, kFirstArgument + sizeof(uint64_t));
  pair.push_back(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xF));  // the type, without its flags
  if (!unix_sockets) {
    add_if_equal(pair, SOCK_DGRAM, only(SECCOMP_RET_ERRNO | EAFNOSUPPORT));
    add_if_equal(pair, SOCK_RAW, only(SECCOMP_RET_ERRNO | EAFNOSUPPORT));  // the same for AF_UNIX
  }
  answer(pair, SECCOMP_RET_ALLOW);
  Program pair_family;
  load(pair_family, kFirstArgument);
  add_if_equal(pair_family, AF_UNIX, pair);
  answer(pair_family, SECCOMP_RET_ERRNO | EAFNOSUPPORT);
  add_if_equal(rules, calls.socketpair, pair_family);
  answer(rules, SECCOMP_RET_ALLOW);
  return rules;
}

}  // namespace

// Decides: which system calls a command in the sandbox may make.
bool install_syscall_filter(bool unix_sockets) {
  if (architectures().empty()) return true;  // their numbers are not known here
  Program program;
  load(program, offsetof(seccomp_data, arch));
  for (const Calls& calls : architectures())
    add_if_equal(program, calls.architecture, rules_of(calls, unix_sockets));
  answer(program, SECCOMP_RET_KILL_PROCESS);
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0;
}

}  // namespace bodkin
