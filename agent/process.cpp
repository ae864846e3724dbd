#include "agent/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

extern char** environ;

namespace bodkin {

namespace {

constexpr size_t kMaxErrors = 10'000;
constexpr int kPollMilliseconds = 20;  // how late a stop request may be seen

struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    if (pipe2(ends, O_CLOEXEC) != 0) ends[0] = ends[1] = -1;
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() { close_end(0), close_end(1); }
  void close_end(int i) {
    if (ends[i] >= 0) ::close(ends[i]);
    ends[i] = -1;
  }
};

bool is_basic(std::string_view variable) {
  for (const std::string_view name : {"PATH", "HOME", "USER", "LANG", "TMPDIR", "XDG_CONFIG_HOME",
                                      "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"})
    if (variable == name) return true;
  return variable.starts_with("LC_") || variable.starts_with("GIT_");
}

std::vector<char*> environment_for(const ProcessRequest& request) {
  std::vector<char*> passed;
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view variable(*entry);
    const std::string_view name = variable.substr(0, variable.find('='));
    const bool is_hidden = holds_key(name) || name == request.hidden_variable ||
                           (request.with_basics_only && !is_basic(name));
    if (request.with_keys || !is_hidden) passed.push_back(*entry);
  }
  passed.push_back(nullptr);
  return passed;
}

}  // namespace

bool holds_key(std::string_view variable) {
  for (const std::string_view part : {"API_KEY", "API_TOKEN", "AUTH_TOKEN"}) {
    if (variable.find(part) != std::string_view::npos) return true;
  }
  return false;
}

Result<ProcessOutcome> run_process(const ProcessRequest& request, const std::stop_token& stop) {
  Pipe in, out, err;
  if (in.ends[0] < 0 || out.ends[0] < 0 || err.ends[0] < 0) {
    return fail(Error::Code::internal, std::string("no pipe: ") + std::strerror(errno));
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.ends[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out.ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, err.ends[1], 2);
  if (!request.folder.empty()) {
    posix_spawn_file_actions_addchdir_np(&actions, request.folder.c_str());
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  sigset_t standard;
  sigemptyset(&standard);
  sigaddset(&standard, SIGPIPE);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &standard);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<char*> arguments;
  for (const std::string& argument : request.arguments) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  pid_t pid = 0;
  const int failed = posix_spawnp(&pid, arguments[0], &actions, &attributes, arguments.data(),
                                  environment_for(request).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failed) {
    return fail(failed == ENOENT ? Error::Code::unavailable : Error::Code::internal,
                request.arguments[0] + " did not start: " + std::strerror(failed) + ".");
  }
  in.close_end(0), out.close_end(1), err.close_end(1);
  fcntl(in.ends[1], F_SETFL, O_NONBLOCK);

  // Writing to a process that has gone must not end this one.
  sigset_t pipe_signal, before;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);

  ProcessOutcome outcome;
  std::optional<Error> error;
  const auto end = std::chrono::steady_clock::now() + request.timeout;
  size_t written = 0;
  if (request.input.empty()) in.close_end(1);
  while (out.ends[0] >= 0 || err.ends[0] >= 0) {
    if (stop.stop_requested()) {
      error = Error{Error::Code::cancelled, "Cancelled."};
      break;
    }
    if (std::chrono::steady_clock::now() >= end) {
      error = Error{Error::Code::internal, request.arguments[0] + " took too long."};
      break;
    }
    pollfd fds[3] = {{out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}, {in.ends[1], POLLOUT, 0}};
    if (poll(fds, 3, kPollMilliseconds) < 0 && errno != EINTR) break;
    char buffer[65536];
    for (const int i : {0, 1}) {
      if (!(fds[i].revents & (POLLIN | POLLHUP | POLLERR))) continue;
      Pipe& pipe = i == 0 ? out : err;
      const ssize_t n = ::read(pipe.ends[0], buffer, sizeof buffer);
      if (n > 0) {
        (i == 0 ? outcome.output : outcome.errors).append(buffer, n);
      } else if (n == 0 || errno != EINTR) {
        pipe.close_end(0);
      }
    }
    if (fds[2].revents) {
      const ssize_t n =
          ::write(in.ends[1], request.input.data() + written, request.input.size() - written);
      if (n > 0) written += n;
      if (written == request.input.size() || (n < 0 && errno != EAGAIN && errno != EINTR)) {
        in.close_end(1);
      }
    }
    if (outcome.errors.size() > kMaxErrors) outcome.errors.resize(kMaxErrors);
    if (outcome.output.size() > request.max_output) {
      outcome.output.resize(request.max_output);
      outcome.cut = true;
      break;
    }
  }
  if (error || outcome.cut) kill(-pid, SIGKILL);
  // Its output has ended; if it lives on nevertheless, the deadline holds.
  int status = 0;
  for (;;) {
    const pid_t done = waitpid(pid, &status, error || outcome.cut ? 0 : WNOHANG);
    if (done == pid || (done < 0 && errno != EINTR)) break;
    if (done == 0) {
      if (stop.stop_requested() || std::chrono::steady_clock::now() >= end) {
        kill(-pid, SIGKILL);
        error = Error{Error::Code::cancelled, "Cancelled."};
        continue;
      }
      poll(nullptr, 0, 1);
    }
  }
  // A SIGPIPE of ours that is still waiting is taken before it is let through again.
  const timespec now{};
  while (sigtimedwait(&pipe_signal, nullptr, &now) > 0) {
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (error) return std::unexpected(std::move(*error));
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

}  // namespace bodkin
