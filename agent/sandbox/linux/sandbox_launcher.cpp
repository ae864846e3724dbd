// The launcher: a single-threaded process between bodkin and an unreviewed command. It has no keys
// and no open files except its three streams, and ends when bodkin does.
#include <fcntl.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <sstream>

#include "agent/sandbox/linux/private_watch.h"
#include "agent/sandbox/linux/sandbox_changes.h"
#include "agent/sandbox/linux/sandbox_guard.h"
#include "agent/sandbox/linux/sandbox_plan.h"
#include "agent/sandbox/linux/sandbox_privileges.h"
#include "agent/sandbox/linux/sandbox_walls.h"
#include "agent/sandbox/sandbox_files.h"
#include "agent/support/path_text.h"
#include "agent/support/read_file.h"
#include "agent/support/real_path.h"
#include "agent/support/temporary_folder.h"

namespace bodkin {

namespace {

using Isolation = SandboxPlan::Isolation;

int report_to = -1;
bool is_server = false;

int tell(const SandboxReport& report) {
  // The client of a server reads its standard error.
  const bool has_words = report.end != SandboxReport::End::exited;
  const std::string line = !is_server ? encode(report) : has_words ? report.text + "\n" : "";
  (void)!::write(report_to, line.data(), line.size());
  return report.end == SandboxReport::End::exited ? report.exit_code : 1;
}

int report_failure(const std::string& what) {
  SandboxReport report;
  report.text = what;
  return tell(report);
}

// Reads the plan and nothing after it, which is not ours.
std::string plan_in_input() {
  std::string bytes;
  size_t size = 0;
  for (bool in_size = true; in_size || bytes.size() < size;) {
    char buffer[65536];
    const size_t wanted = in_size ? 1 : std::min(sizeof buffer, size - bytes.size());
    const ssize_t n = ::read(0, buffer, wanted);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return "";
    if (!in_size) {
      bytes.append(buffer, static_cast<size_t>(n));
    } else if (buffer[0] == '\n') {
      in_size = false;
    } else if (buffer[0] < '0' || buffer[0] > '9' || size > 100'000'000'000) {
      return "";
    } else {
      size = size * 10 + static_cast<size_t>(buffer[0] - '0');
    }
  }
  return bytes;
}

// Runs the command; behind its output, what it has changed. `roots`: where the folders' views are.
int run_and_tell(const SandboxPlan& plan, const std::vector<SandboxLayer>& layers,
                 const std::vector<std::string>& roots, SandboxReport& report,
                 const std::function<std::string(bool)>& why_not_shown = nullptr) {
  run_guarded(plan, roots.empty() ? "/" : roots[0], report, plan.way == Isolation::open,
              why_not_shown);
  if (!plan.wants_changes || report.end != SandboxReport::End::exited) return tell(report);
  const std::string bytes = encode(find_changes(plan, layers, roots));
  report.changes = bytes.size();
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t n = ::write(1, bytes.data() + at, bytes.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    at += static_cast<size_t>(n);
  }
  return tell(report);
}

std::vector<std::string> own_paths(const SandboxPlan& plan) {
  std::vector<std::string> paths;
  for (const SandboxPlan::Folder& folder : plan.folders) paths.push_back(folder.files.folder);
  return paths;
}

// `has_channels`: something that is shown is the disk's own; `are_tools`: so are tools and caches
// that lie in a folder which is otherwise new.
Privileges privileges_of(const SandboxPlan& plan, bool has_channels, bool are_tools) {
  using Kind = SandboxPlan::Place::Kind;
  const auto is_of_disk = [&](const SandboxPlan::Place& place) {
    if (place.kind != Kind::view) return place.kind == Kind::kept && are_tools;
    const SandboxPlan::Folder& folder = plan.folders[place.index];
    return folder.files.is_live || (folder.is_cache && are_tools);
  };
  Privileges privileges{.has_network = plan.network, .unix_sockets = !has_channels};
  privileges.writable = {"/dev", "/proc"};
  for (const SandboxPlan::Place& place : plan.places) {
    const bool is_view = place.kind == Kind::view &&
                         !(plan.folders[place.index].is_cache && plan.way == Isolation::inside);
    if ((is_view || place.kind == Kind::fresh) &&
        std::ranges::none_of(plan.places, [&](const SandboxPlan::Place& inside) {
          return is_of_disk(inside) && lies_in(inside.path, place.path);
        }))
      privileges.writable.push_back(place.path);
  }
  return privileges;
}

// Inside bwrap: the folders are empty ones in memory.
int run_inside(const SandboxPlan& plan) {
  PrivateWatch watch;
  for (const SandboxPlan::Folder& folder : plan.folders) {
    if (folder.is_cache) continue;
    const std::string& path = folder.files.folder;
    if (folder.files.is_live) {
      const IgnoreLists ignored(path);
      watch.add(path, path, ignored, PrivateWatch::Cover::mounted_before, true, nullptr);
      // A file that is covered by a device is not among them, so each one that is seen is new.
      const auto seen = find_private(path, ignored, {});
      if (!seen) return report_failure(seen.error().message);
      watch.set_hidden(*seen);
      continue;
    }
    if (auto done = write_sandbox_files(path, path, folder.files.drafts); !done) {
      return report_failure(done.error().message);
    }
  }
  if (auto dropped = drop_privileges(privileges_of(plan, true, false)); !dropped) {
    return report_failure(dropped.error().message);
  }
  SandboxReport report;
  return run_and_tell(plan, {}, own_paths(plan), report,
                      [&](bool is_last) { return watch.what_is_seen(is_last); });
}

int run_open(SandboxPlan& plan) {
  auto ours = TemporaryFolder::make(TemporaryFolder::Where::disk);
  if (!ours) return report_failure(ours.error().message);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  std::vector<std::string> copies(plan.folders.size());
  for (size_t i = 0; i < plan.folders.size(); ++i) {
    if (plan.folders[i].is_cache) continue;
    const std::string copy = join_path(ours->path(), std::to_string(i));
    ::mkdir(copy.c_str(), 0700);
    copies[i] = copy;
    const SandboxFolder& files = plan.folders[i].files;
    if (auto done = write_sandbox_files(copy, files.folder, files.drafts); !done) {
      return report_failure(done.error().message);
    }
  }
  const std::string temporary = ours->path() + "/tmp";
  ::mkdir(temporary.c_str(), 0700);
  plan.environment.push_back("TMPDIR=" + temporary);
  SandboxReport report;
  return run_and_tell(plan, {}, copies, report);
}

int run_walled(const SandboxPlan& plan) {
  SandboxReport report;
  const auto built = set_up_isolation(plan, report);
  if (!built) return report_failure(built.error().message);
  if (built->no_overlay) {
    report.end = SandboxReport::End::no_overlay;
    return tell(report);
  }
  if (auto dropped = drop_privileges(privileges_of(plan, built->has_channels, built->are_tools));
      !dropped) {
    return report_failure(dropped.error().message);
  }
  return run_and_tell(plan, built->layers, own_paths(plan), report,
                      [&](bool is_last) { return built->watch->what_is_seen(is_last); });
}

bool write_file(const std::string& path, const std::string& text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool is_written =
      ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(file);
  return is_written;
}

// All ids that there are stay what they are.
std::string identity_map(const char* current) {
  std::istringstream in(read_start_of_file(current, 64 << 10).value_or(""));
  std::string map;
  for (uint64_t inside, outside, count; in >> inside >> outside >> count;) {
    map +=
        std::to_string(inside) + " " + std::to_string(inside) + " " + std::to_string(count) + "\n";
  }
  return map;
}

// Root maps all ids, others only their own: the kernel does not allow more.
bool map_ids(pid_t child) {
  const std::string proc = "/proc/" + std::to_string(child);
  if (::geteuid() == 0 && write_file(proc + "/uid_map", identity_map("/proc/self/uid_map")) &&
      write_file(proc + "/gid_map", identity_map("/proc/self/gid_map"))) {
    return true;
  }
  const auto own = [](auto id) { return std::to_string(id) + " " + std::to_string(id) + " 1"; };
  (void)write_file(proc + "/setgroups", "deny");
  return write_file(proc + "/uid_map", own(::geteuid())) &&
         write_file(proc + "/gid_map", own(::getegid()));
}

int end_of(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// A child in its own namespaces, as given by `flags`. It leaves our process group and terminal, and
// ends with us.
int run_in_child(SandboxPlan& plan, unsigned long flags) {
  int ready[2];
  if (::pipe2(ready, O_CLOEXEC) != 0) return report_failure("cannot create a pipe");
  // unshare() fails in a process with threads, and a sanitizer may have started some.
  const pid_t child = static_cast<pid_t>(::syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0));
  if (child < 0) {
    return report_failure(std::string("namespaces are not allowed: ") + std::strerror(errno));
  }
  if (child == 0) {
    ::close(ready[1]);
    const bool is_open = plan.way == Isolation::open;
    if (is_open) {
      sigset_t term;
      sigemptyset(&term);
      sigaddset(&term, SIGTERM);
      ::sigprocmask(SIG_BLOCK, &term, nullptr);  // run_guarded() takes it
    }
    ::prctl(PR_SET_PDEATHSIG, is_open ? SIGTERM : SIGKILL, 0, 0, 0);
    char byte = 0;
    if (::read(ready[0], &byte, 1) != 1) ::_exit(1);
    ::close(ready[0]);
    ::setsid();
    ::_exit(is_open ? run_open(plan) : run_walled(plan));
  }
  ::close(ready[0]);
  if ((flags & CLONE_NEWUSER) && !map_ids(child)) {
    ::kill(child, SIGKILL);
    end_of(child);
    return report_failure(std::string("user namespaces are restricted: ") + std::strerror(errno));
  }
  (void)!::write(ready[1], "x", 1);
  return end_of(child);
}

int launch() {
  const pid_t keeper =
      ::getppid();  // agent/platform/keeper.h: its death ends the launcher, ours ends it
  ::close_range(3, ~0u, 0);
  report_to = ::fcntl(2, F_DUPFD_CLOEXEC, 3);
  auto plan = decode_plan(plan_in_input());
  if (!plan) return report_failure("the launcher received no instructions");
  is_server = plan->serves;
  if (!is_server) {
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    ::dup2(nothing, 0);
    ::dup2(nothing, 2);
    ::close(nothing);
  }
  ::signal(SIGPIPE, SIG_IGN);
  // Only root may, and root has no limit on processes: its guard must get to count them.
  ::setpriority(PRIO_PROCESS, 0, -10);
  ::syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr);  // not the user's
  if (plan->way == Isolation::inside) return run_inside(*plan);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (::getppid() != keeper) return 1;
  if (plan->way == Isolation::open) return run_in_child(*plan, 0);
  unsigned long flags = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
  if (plan->way == Isolation::user_namespaces) flags |= CLONE_NEWUSER;
  if (!plan->network) flags |= CLONE_NEWNET;
  return run_in_child(*plan, flags);
}

}  // namespace

bool run_as_sandbox_launcher(int argc, char** argv, int& exit_code) {
  if (argc != 2 || std::strcmp(argv[1], kSandboxArgument) != 0) return false;
  exit_code = launch();
  return true;
}

}  // namespace bodkin
