#include "lsp/cli/text_editor.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "agent/support/read_file.h"
#include "lsp/cli/terminal_editor.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;

std::string editor_command() {
  for (const char* name : {"VISUAL", "EDITOR"})
    if (const char* const own = std::getenv(name); own && *own) return own;
  return "vi";
}

// True: it has ended well.
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

}  // namespace

std::optional<std::string> edited_by_user(const std::string& text, const std::string& name) {
  constexpr size_t kMostEdited = 16 << 20;  // bytes
  std::string folder = (fs::temp_directory_path() / "bodkin-XXXXXX").string();
  if (!::mkdtemp(folder.data()))
    return say("There is no place for a temporary file."), std::nullopt;
  const fs::path file = fs::path(folder) / fs::path(name).filename();
  std::ofstream(file, std::ios::binary) << text;
  const std::string command = editor_command();
  const bool is_done = run_editor(command, file.string());
  auto edited = read_file(file.string(), kMostEdited);
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  if (!is_done || !edited)
    return say(fmt::format("The editor ({}) has failed; the hunk is as it was.", command)),
           std::nullopt;
  if (text.ends_with('\n') && !edited->empty() && !edited->ends_with('\n')) *edited += '\n';
  if (!text.ends_with('\n') && edited->ends_with('\n')) edited->pop_back();  // of an editor
  return *std::move(edited);
}

}  // namespace bodkin
