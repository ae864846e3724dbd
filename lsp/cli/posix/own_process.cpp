#include "lsp/cli/own_process.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "agent/platform/file_descriptor.h"
#include "agent/platform/polling.h"
#include "agent/platform/posix/forked.h"
#include "agent/support/guarded.h"
#include "agent/support/shown_text.h"
#include "lsp/cli/posix/child_output.h"
#include "lsp/cli/terminal_editor.h"
#include "lsp/workspace/disk_steps.h"

namespace bodkin {

const char kUsualEditor[] = "vi";

int read_until_ended(int pipe, pid_t child, const std::function<void(std::string_view)>& take) {
  constexpr int kLook = 50;  // ms
  int status = 0;
  for (bool has_ended = false;;) {
    pollfd input{pipe, POLLIN, 0};
    if (::poll(&input, 1, has_ended ? 0 : kLook) > 0) {
      char bytes[1 << 14];
      const ssize_t count = ::read(pipe, bytes, sizeof bytes);
      if (count > 0) take({bytes, static_cast<size_t>(count)});
      if (count > 0 || (count < 0 && errno == EINTR)) continue;
      while (!has_ended && ::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
      return status;
    }
    if (has_ended) return status;
    has_ended = ::waitpid(child, &status, WNOHANG) == child;
  }
}

std::string in_process_of_its_own(const std::function<std::string()>& run) {
  int ends[2];
  if (!open_pipe(ends)) return say(std::strerror(errno)), "";
  const FileDescriptor from(ends[0]);
  FileDescriptor to(ends[1]);
  termios mode{};
  const bool has_mode = ::tcgetattr(0, &mode) == 0;
  const pid_t parent = ::getpid(), child = ::fork();
  if (child < 0) return say(std::strerror(errno)), "";
  if (child == 0) {
    os::end_with_parent(SIGTERM);  // nobody would read on, and the terminal is a shell's
    if (::getppid() != parent) ::_exit(1);
    ::signal(SIGINT, SIG_DFL);  // here it is the line editor's
    std::string result;
    guarded([&] { result = run(); }, [](const char* what) { say(what); });
    std::fflush(stdout);
    ::_exit(write_all(to.number(), result) == 0 ? 0 : 1);
  }
  to = FileDescriptor();
  std::string result;
  const int status =
      read_until_ended(from.number(), child, [&](std::string_view more) { result += more; });
  if (WIFSIGNALED(status) && WTERMSIG(status) != SIGINT)
    say(fmt::format("It ended unexpectedly (signal {})", WTERMSIG(status)));
  if (has_mode) ::tcsetattr(0, TCSADRAIN, &mode);  // it may have ended at once
  return result;
}

bool run_editor(const std::string& command, const std::string& file) {
  termios before{};
  const bool has_mode = ::tcgetattr(0, &before) == 0;
  termios usual = before;
  usual.c_lflag |= ICANON | ECHO;
  if (has_mode) ::tcsetattr(0, TCSADRAIN, &usual);
  const pid_t child = ::fork();
  if (child == 0) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::signal(signal, SIG_DFL);
    ::execl("/bin/sh", "sh", "-c", (command + " \"$1\"").c_str(), "sh", file.c_str(), nullptr);
    ::_exit(127);
  }
  int status = -1;
  while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (has_mode) ::tcsetattr(0, TCSADRAIN, &before);
  return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// The pager alone runs in the foreground: it gets the keys typed there, Ctrl-C too.
void run_pager(const std::string& given, const std::string& text) {
  const std::string command = given.empty() ? "less -R" : given;
  int ends[2];
  if (!open_pipe(ends)) return put(stderr, text);
  const FileDescriptor from(ends[0]);
  FileDescriptor to(ends[1]);
  ::signal(SIGTTOU, SIG_IGN);  // it is given the terminal, and then takes it back
  const pid_t child = ::fork();
  if (child == 0) {
    ::setpgid(0, 0);
    ::tcsetpgrp(0, ::getpid());
    ::signal(SIGTTOU, SIG_DFL);
    ::dup2(from.number(), 0);
    ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    ::_exit(127);
  }
  if (child < 0) return put(stderr, text);
  ::signal(SIGPIPE, SIG_IGN);  // if it is left before the end
  ::setpgid(child, child);
  (void)write_all(to.number(), text);
  to = FileDescriptor();
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
  ::tcsetpgrp(0, ::getpgrp());
  ::signal(SIGTTOU, SIG_DFL);
}

}  // namespace bodkin
