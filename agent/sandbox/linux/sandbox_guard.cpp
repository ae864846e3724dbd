#include "agent/sandbox/linux/sandbox_guard.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <sstream>

#include "agent/support/read_file.h"

namespace bodkin {

namespace {

using Clock = std::chrono::steady_clock;

// The interval at which its use is added up; longer for a server, which may run for days.
constexpr timespec kLook{0, 50'000'000}, kLookAtServer{1, 0};
constexpr std::chrono::milliseconds kRecount{5};
constexpr int kNiceness = 5;  // the editor and the guard have priority

struct Running {
  pid_t process = 0, parent = 0;
};

// The beginning of a file of /proc.
std::string file_of(pid_t process, const char* name) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/%s", process, name);
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return "";
  char text[512];
  const ssize_t n = ::read(file, text, sizeof text);
  ::close(file);
  return n > 0 ? std::string(text, static_cast<size_t>(n)) : "";
}

// In a PID namespace all processes but the first, else all descendants of this process.
std::set<pid_t> processes_below() {
  std::vector<Running> all;
  DIR* proc = ::opendir("/proc");
  if (!proc) return {};
  const pid_t self = ::getpid();
  std::set<pid_t> below;
  while (const dirent* entry = ::readdir(proc)) {
    const pid_t process = static_cast<pid_t>(std::strtol(entry->d_name, nullptr, 10));
    if (process <= 0 || process == self) continue;
    if (self == 1) {
      below.insert(process);
      continue;
    }
    const std::string stat = file_of(process, "stat");
    const size_t name_end = stat.rfind(')');  // the name may hold anything
    if (name_end == std::string::npos || name_end + 4 > stat.size()) continue;
    all.push_back(
        {process, static_cast<pid_t>(std::strtol(stat.c_str() + name_end + 4, nullptr, 10))});
  }
  ::closedir(proc);
  for (bool is_growing = self != 1; is_growing;) {
    is_growing = false;
    for (const Running& each : all) {
      if ((each.parent == self || below.contains(each.parent)) &&
          below.insert(each.process).second) {
        is_growing = true;
      }
    }
  }
  return below;
}

// The memory that no other process shares with it.
uint64_t memory_of(pid_t process) {
  const std::string pages = file_of(process, "statm");
  unsigned long long all = 0, resident = 0, shared = 0;
  if (std::sscanf(pages.c_str(), "%llu %llu %llu", &all, &resident, &shared) != 3) return 0;
  return (resident - std::min(shared, resident)) * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

bool is_machine_short_of_memory() {
  std::istringstream in(read_start_of_file("/proc/meminfo", 64 << 10).value_or(""));
  uint64_t total = 0, available = 0, kilobytes = 0;
  std::string unit;
  for (std::string name; in >> name >> kilobytes && std::getline(in, unit);) {
    if (name == "MemTotal:") total = kilobytes;
    if (name == "MemAvailable:") {
      available = kilobytes;
      break;
    }
  }
  return available < total / 32;
}

// Empty: it may go on.
std::string limit_broken(const SandboxPlan& plan) {
  const std::string too_many = fmt::format("it had more than {} processes", plan.processes);
  const std::set<pid_t> processes = processes_below();
  if (processes.size() > plan.processes) return too_many;
  uint64_t memory = 0;
  auto counted = Clock::now();
  for (const pid_t process : processes) {
    memory += memory_of(process);
    // If counting takes long, there may be too many by now to have time to add them up.
    if (Clock::now() - counted < kRecount) continue;
    if (processes_below().size() > plan.processes) return too_many;
    counted = Clock::now();
  }
  if (memory > plan.memory) {
    return fmt::format("it used more than {} MB of memory", plan.memory >> 20);
  }
  // Memory that belongs to no process: shared memory, unmapped files in memory.
  if (is_machine_short_of_memory()) return "the machine ran low on memory";
  return "";
}

[[noreturn]] void become(const SandboxPlan& plan, const std::string& folder) {
  ::setsid();  // where sessions share the processor equally, the guard has half of it
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int signal = 1; signal < 32; ++signal) ::signal(signal, SIG_DFL);
  const auto limit = [](auto resource, uint64_t most) {
    struct rlimit value {};
    ::getrlimit(resource, &value);
    value.rlim_max = std::min<rlim_t>(value.rlim_max, most);
    value.rlim_cur = std::min(value.rlim_cur, value.rlim_max);
    ::setrlimit(resource, &value);
  };
  limit(RLIMIT_FSIZE, plan.space);
  limit(RLIMIT_CORE, 1);  // not 0: with 1 no core collector is started either
  limit(RLIMIT_MEMLOCK, 64u << 20);
  limit(RLIMIT_MSGQUEUE, 0);
  // Counted per user namespace; elsewhere it is the user's total. For root it does not hold.
  if (plan.way == SandboxPlan::Isolation::user_namespaces) limit(RLIMIT_NPROC, plan.processes + 1);
  ::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);  // else its /proc/self is root's
  ::setpriority(PRIO_PROCESS, 0, std::max(::getpriority(PRIO_PROCESS, 0) + kNiceness, kNiceness));
  if (const int file = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC); file >= 0) {
    (void)!::write(file, "500", 3);
    ::close(file);
  }
  if (!plan.serves) ::dup2(1, 2);
  ::close_range(3, ~0u, 0);
  const auto fail_with = [&](const std::string& what) {
    const std::string text = what + ": " + std::strerror(errno) + "\n";
    const int code = errno == ENOENT ? 127 : 126;
    (void)!::write(2, text.data(), text.size());
    ::_exit(code);
  };
  if (::chdir(folder.c_str()) != 0) fail_with(folder);
  ::clearenv();
  for (const std::string& variable : plan.environment)
    ::putenv(const_cast<char*>(variable.c_str()));
  std::vector<char*> arguments;
  for (const std::string& word : plan.command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  fail_with(plan.command[0]);
  ::_exit(126);
}

void end_all() {
  if (::getpid() == 1) {  // none escapes: what is being forked is killed with its parent
    ::kill(-1, SIGKILL);
    while (::waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
    }
    return;
  }
  for (;;) {
    for (const pid_t process : processes_below()) ::kill(process, SIGKILL);
    const pid_t done = ::waitpid(-1, nullptr, WNOHANG);
    if (done < 0 && errno == ECHILD) return;
    if (done == 0) ::usleep(1000);
  }
}

}  // namespace

void run_guarded(const SandboxPlan& plan, const std::string& folder, SandboxReport& report,
                 bool end_on_signal, const std::function<std::string(bool)>& why_not_shown) {
  using End = SandboxReport::End;
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  sigaddset(&signals, SIGIO);  // PrivateWatch
  if (end_on_signal) sigaddset(&signals, SIGTERM);
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  const pid_t command = ::fork();
  if (command < 0) {
    report.text = std::string("cannot start the command: ") + std::strerror(errno);
    return;
  }
  if (command == 0) become(plan, folder);
  const auto end = Clock::now() + std::chrono::milliseconds(plan.timeout_ms);
  auto next_count = Clock::now();
  for (bool runs = true; runs;) {
    const timespec look = plan.serves ? kLookAtServer : kLook;
    const int signal = ::sigtimedwait(&signals, nullptr, &look);
    int status = 0;
    for (pid_t done = 0; (done = ::waitpid(-1, &status, WNOHANG)) > 0;) {
      if (done != command) continue;
      report.end = End::exited;
      report.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      runs = false;
    }
    if (!runs) break;
    if (why_not_shown && !(report.text = why_not_shown(false)).empty()) {
      report.end = End::withheld;
      break;
    }
    if (signal == SIGIO && Clock::now() < next_count) continue;  // others may write all the time
    next_count = Clock::now() + std::chrono::nanoseconds(kLook.tv_nsec);
    if (report.text = limit_broken(plan); !report.text.empty()) {
      report.end = End::limit;
      break;
    }
    if (signal == SIGTERM || (!plan.serves && Clock::now() >= end)) {
      report.end = End::timed_out;
      break;
    }
  }
  end_all();
  if (!why_not_shown) return;
  if (std::string why = why_not_shown(true); !why.empty()) {
    report.end = End::withheld;
    report.text = std::move(why);
  }
}

}  // namespace bodkin
