#include "lsp/cli/user_command.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "agent/platform/file_descriptor.h"
#include "agent/platform/polling.h"
#include "agent/support/shown_text.h"
#include "agent/support/utf8.h"
#include "lsp/cli/ask_words.h"
#include "lsp/cli/terminal_editor.h"

namespace bodkin {

namespace {

constexpr size_t kMostOutput = size_t{4} << 20;  // bytes that are kept

// Without colours and other sequences of a terminal.
std::string without_sequences(std::string_view output) {
  std::string text;
  for (size_t i = 0; i < output.size(); ++i) {
    if (output[i] == '\r' && i + 1 < output.size() && output[i + 1] == '\n') continue;
    if (output[i] != '\033') {
      text += output[i];
      continue;
    }
    if (i + 1 < output.size() && output[i + 1] == '[') ++i;
    while (++i < output.size() && (output[i] < '@' || output[i] > '~')) continue;
  }
  return text;
}

// Shows what is written to the pipe until the shell has ended: a program that it left behind may
// hold the pipe open.
std::string shown_output(int pipe, pid_t shell, int& status) {
  constexpr int kLook = 50;  // ms
  std::string output;
  for (bool has_ended = false;;) {
    pollfd input{pipe, POLLIN, 0};
    const int ready = ::poll(&input, 1, has_ended ? 0 : kLook);
    if (ready > 0) {
      char bytes[1 << 14];
      const ssize_t count = ::read(pipe, bytes, sizeof bytes);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) break;
      const std::string_view more(bytes, static_cast<size_t>(count));
      std::fwrite(more.data(), 1, more.size(), stderr);
      output += more;
      if (output.size() > kMostOutput) output.erase(kMostOutput / 2, output.size() - kMostOutput);
    } else if (has_ended) {
      return output;
    } else if (::waitpid(shell, &status, WNOHANG) == shell) {
      has_ended = true;
    }
  }
  while (::waitpid(shell, &status, 0) < 0 && errno == EINTR) continue;
  return output;
}

// "It ended with 2", if it did not end well.
std::string end_in_words(int status) {
  if (WIFSIGNALED(status)) return std::string("It ended: ") + ::strsignal(WTERMSIG(status));
  return WEXITSTATUS(status) == 0 ? "" : fmt::format("It ended with {}", WEXITSTATUS(status));
}

}  // namespace

std::string output_of_command(const std::string& command, const std::string& folder) {
  int ends[2];
  if (!open_pipe(ends)) return say(std::strerror(errno)), "";
  const FileDescriptor from(ends[0]);
  FileDescriptor to(ends[1]);
  const pid_t child = ::fork();
  if (child < 0) return say(std::strerror(errno)), "";
  if (child == 0) {
    const char* const own = std::getenv("SHELL");
    const char* const shell = own && own[0] == '/' ? own : "/bin/sh";
    ::dup2(to.number(), 1);
    ::dup2(to.number(), 2);
    if (::chdir(folder.c_str()) == 0) ::execl(shell, shell, "-c", command.c_str(), nullptr);
    ::_exit(127);
  }
  ::signal(SIGINT, SIG_IGN);  // it is the command's
  ::signal(SIGQUIT, SIG_IGN);
  to = FileDescriptor();
  int status = 0;
  const std::string output =
      valid_utf8(without_sequences(shown_output(from.number(), child, status)));
  if (!output.empty() && !output.ends_with('\n')) std::fputc('\n', stderr);
  const std::string end = end_in_words(status);
  if (!end.empty()) say(end);
  ::signal(SIGINT, SIG_DFL);
  if (output.find_first_not_of(" \n\t\r") == output.npos) return "";
  std::string shown = shown_with_request(
      fmt::format("Output of `{}`{}", plain_line(command), end.empty() ? "" : " (" + end + ")"),
      output);
  say("Its output goes with your next request; /drop leaves it out");
  return shown;
}

}  // namespace bodkin
