#include "lsp/cli/user_command.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "agent/platform/file_descriptor.h"
#include "agent/platform/polling.h"
#include "agent/support/utf8.h"
#include "lsp/cli/conversation_words.h"
#include "lsp/cli/posix/child_output.h"
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
  std::string output;
  const int status = read_until_ended(from.number(), child, [&](std::string_view more) {
    std::fwrite(more.data(), 1, more.size(), stderr);
    output += more;
    if (output.size() > kMostOutput) output.erase(kMostOutput / 2, output.size() - kMostOutput);
  });
  output = valid_utf8(without_sequences(output));
  const std::string end = end_in_words(status);
  ::signal(SIGINT, SIG_DFL);
  return shown_with_next_request(command, output, end);
}

}  // namespace bodkin
