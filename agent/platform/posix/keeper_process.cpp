#include "agent/platform/posix/keeper_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "agent/platform/keeper.h"
#include "agent/platform/polling.h"
#include "agent/platform/posix/forked.h"

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

namespace bodkin {

namespace {

// All of this may run in a process forked from a multi-threaded one, so it must be
// async-signal-safe.

void report_to(int report, Keeper::Report::Kind kind, int value) {
  const Keeper::Report said{kind, value};
  while (::write(report, &said, sizeof said) < 0 && errno == EINTR) {
  }
}

bool read_all(int from, void* into, size_t size) {
  for (size_t done = 0; done < size;) {
    const ssize_t count = ::read(from, static_cast<char*>(into) + done, size - done);
    if (count == 0 || (count < 0 && errno != EINTR)) return false;
    if (count > 0) done += static_cast<size_t>(count);
  }
  return true;
}

// False: the process that wanted it is gone.
bool read_launch(int life, Launch& launch) {
  LaunchHeader header;
  if (!read_all(life, &header, sizeof header)) return false;
  const size_t pointers = header.arguments + header.variables + 2;
  void* const memory = ::mmap(nullptr, pointers * sizeof(char*) + header.bytes,
                              PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  char** next = static_cast<char**>(memory);
  char* text = reinterpret_cast<char*>(next + pointers);
  if (!read_all(life, text, header.bytes)) return false;
  const auto take = [&] {
    char* const taken = text;
    text += std::strlen(text) + 1;
    return taken;
  };
  launch.program = take();
  launch.folder = take();
  launch.arguments = next;
  for (uint64_t i = 0; i < header.arguments; ++i) *next++ = take();
  *next++ = nullptr;
  launch.environment = next;
  for (uint64_t i = 0; i < header.variables; ++i) *next++ = take();
  *next = nullptr;
  return true;
}

[[noreturn]] void become_program(const Launch& launch, int report, pid_t keeper) {
  os::end_with_parent(SIGKILL);  // the keeper has one thread, which lives as long as the keeper
  if (::getppid() != keeper) ::_exit(127);
  ::setpgid(0, 0);
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (::chdir(launch.folder) == 0 && ::dup2(launch.input, 0) == 0 &&
      ::dup2(launch.output, 1) == 1 && ::dup2(launch.errors, 2) == 2) {
    ::execve(launch.program, launch.arguments, launch.environment);
  }
  report_to(report, Keeper::Report::Kind::not_started, errno);
  ::_exit(127);
}

// Live processes and zombies.
template <class Use>
void for_each_child(Use use) {
#ifdef __linux__
  const int list = ::open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (list < 0) return;
  char text[4096];
  pid_t pid = 0;
  for (ssize_t size; (size = ::read(list, text, sizeof text)) > 0;) {
    for (const char c : std::string_view(text, static_cast<size_t>(size))) {
      if (c >= '0' && c <= '9') {
        pid = pid * 10 + (c - '0');
      } else if (pid > 0) {
        use(pid);
        pid = 0;
      }
    }
  }
  ::close(list);
#else
  (void)use;
#endif
}

// Processes orphaned by this become our children, until none are left.
void end_all(pid_t program) {
  ::kill(-program, SIGKILL);  // not reaped yet: the number is still its own
  for (int waited = 0; waited < kMaxEndingMilliseconds; ++waited) {
    for_each_child([](pid_t child) { ::kill(child, SIGKILL); });
    pid_t reaped = 0;
    while ((reaped = ::waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (reaped < 0 && errno == ECHILD) return;
    ::poll(nullptr, 0, 1);
  }
}

// Whether the program has ended, which is reported. Others that ended are reaped; it is not.
bool look_at_children(pid_t program, int report) {
  for (;;) {
    siginfo_t ended{};
    if (::waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid == 0)
      return false;
    if (ended.si_pid == program) {
      const int status =
          ended.si_code == CLD_EXITED ? (ended.si_status & 0xff) << 8 : ended.si_status & 0x7f;
      report_to(report, Keeper::Report::Kind::ended, status);
      return true;
    }
    ::waitpid(ended.si_pid, nullptr, 0);
  }
}

void do_nothing(int) {}

[[noreturn]] void keep_program(Launch launch, int life, int report) {
  ::setpgid(0, 0);
#ifdef __linux__
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
  struct sigaction woken {};
  woken.sa_handler = do_nothing;
  ::sigaction(SIGCHLD, &woken, nullptr);
  if (!read_launch(life, launch)) ::_exit(1);
  const pid_t self = ::getpid();
  const pid_t program = ::fork();
  if (program == 0) become_program(launch, report, self);
  if (program < 0) {
    report_to(report, Keeper::Report::Kind::not_started, errno);
    ::_exit(1);
  }
  ::setpgid(program, program);  // here too: the order of the two is undefined
  for (const int fd : {launch.input, launch.output, launch.errors}) ::close(fd);
  sigset_t but_children;
  sigfillset(&but_children);
  sigdelset(&but_children, SIGCHLD);
  for (bool is_over = false;;) {
    if (!is_over) is_over = look_at_children(program, report);
    if (wait_to_read(life, but_children) <= 0) continue;
    char word = 0;
    const ssize_t size = ::read(life, &word, 1);
    if (size < 0 && errno == EINTR) continue;
    if (size == 1 && word == kLeaveWord) ::_exit(0);
    if (size == 1 && word == kTerminateWord) {
      ::kill(-program, SIGTERM);  // not reaped yet: the number is still its own
      continue;
    }
    break;
  }
  end_all(program);
  ::_exit(0);
}

void close_from(unsigned first) {
#ifdef SYS_close_range
  if (::syscall(SYS_close_range, first, ~0U, 0) == 0) return;
#endif
  const long most = std::min<long>(::sysconf(_SC_OPEN_MAX), 1 << 20);
  for (long fd = first; fd < most; ++fd) ::close(static_cast<int>(fd));
}

}  // namespace

[[noreturn]] void make_keepers(int socket) {
  ::setpgid(0, 0);  // signals from a terminal or editor to our process group must not reach keepers
#ifdef __linux__
  ::prctl(PR_SET_NAME, "bodkin-keeper");
#endif
  ::signal(SIGCHLD, SIG_IGN);  // nobody waits for them
  (void)!::chdir("/");
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int fd : {0, 1, 2}) {
    if (nothing >= 0) ::dup2(nothing, fd);
  }
  ::dup2(socket, 3);
  ::fcntl(3, F_SETFD, FD_CLOEXEC);
  close_from(4);
  for (;;) {
    char word = 0;
    iovec data{&word, 1};
    alignas(cmsghdr) char space[CMSG_SPACE(kPassedToKeeper * sizeof(int))];
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = space;
    message.msg_controllen = sizeof space;
    const ssize_t size = ::recvmsg(3, &message, 0);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) {
      // Our keepers end, too, and would be left to init, which does not wait everywhere.
      while (::waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
      }
      ::_exit(0);
    }
    const cmsghdr* const passed = CMSG_FIRSTHDR(&message);
    if (!passed || passed->cmsg_len != CMSG_LEN(kPassedToKeeper * sizeof(int))) continue;
    int fds[kPassedToKeeper];
    std::memcpy(fds, CMSG_DATA(passed), sizeof fds);
    for (const int fd : fds) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
    const auto [input, output, errors, life, report] = fds;
    const pid_t keeper = ::fork();
    if (keeper == 0) {
      ::close(3);
      Launch launch;
      launch.input = input, launch.output = output, launch.errors = errors;
      keep_program(launch, life, report);
    }
    if (keeper < 0) report_to(report, Keeper::Report::Kind::not_started, errno);
    for (const int fd : fds) ::close(fd);
  }
}

}  // namespace bodkin
