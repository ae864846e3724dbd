#include "lsp/cli/conversation.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>

#include "agent/context/slash_commands.h"
#include "agent/support/file_descriptor.h"
#include "agent/support/guarded.h"
#include "agent/support/shown_text.h"
#include "lsp/cli/ask_screen.h"
#include "lsp/cli/ask_words.h"
#include "lsp/cli/line_editor.h"
#include "lsp/cli/terminal_editor.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;

struct OwnCommand {
  std::string_view name, summary;
};
constexpr OwnCommand kOwnCommands[] = {
    {"/undo", "Undo the last change"},
    {"/redo", "Reapply it, or apply what you discarded"},
    {"/new", "Begin another session, without what was said so far"},
    {"/session", "Show the sessions of this folder; /session ID continues one"},
    {"/model", "Choose another model"},
    {"/help", "Show this"},
    {"/quit", "Leave, as Ctrl-D does"}};

void show_help() {
  std::string words;
  const auto add = [&](std::string_view name, std::string_view summary) {
    words += folded(fmt::format("{:<10}{}", name, summary), 10) + "\n";
  };
  for (const SlashCommand& command : slash_commands())
    add("/" + std::string(command.name), command.summary);
  for (const OwnCommand& command : kOwnCommands) add(command.name, command.summary);
  add("@NAME", "Show the model this file, folder or declaration; Tab completes");
  add("Ctrl-C", "Stop the model; at the prompt, clear the line");
  add("Alt-Enter", "Begin another line, as a backslash before Enter does");
  put(stderr, words);
}

// What a word may go on to be: a command at the beginning, a path after an @.
std::vector<std::string> completions_of(const std::string& word, bool is_first,
                                        const fs::path& root) {
  std::vector<std::string> found;
  const auto add = [&](std::string full) {
    if (full.starts_with(word)) found.push_back(std::move(full));
  };
  if (is_first && word.starts_with('/')) {
    for (const SlashCommand& command : slash_commands()) add("/" + std::string(command.name));
    for (const OwnCommand& command : kOwnCommands) add(std::string(command.name));
  }
  if (word.starts_with('@')) {
    const size_t slash = word.rfind('/');
    const std::string folder = slash == word.npos ? "" : word.substr(1, slash);
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(root / folder, error)) {
      const std::string name = entry.path().filename().string();
      const bool is_hidden =
          name.starts_with('.') && !word.substr(1 + folder.size()).starts_with('.');
      if (is_hidden || name.contains(' ') || shown_name(name) != name) continue;
      add("@" + folder + name + (entry.is_directory(error) ? "/" : ""));
    }
  }
  std::ranges::sort(found);
  return found;
}

// A word such as "/udno"; not the beginning of a path, which may be asked about.
bool is_unknown_command(const std::string& word) {
  std::string rest;
  return word.starts_with('/') && word.size() > 1 &&
         std::ranges::all_of(word.substr(1), [](char c) { return c >= 'a' && c <= 'z'; }) &&
         !slash_command_in(word, rest) && !fs::exists(word);
}

std::string folder_name(const fs::path& root) {
  std::error_code error;
  const fs::path whole = fs::canonical(root, error);
  return error || whole.filename().empty() ? root.string() : whole.filename().string();
}

// Runs it in a process of its own, in the foreground: its Ctrl-C ends it alone, and what it leaves
// behind is gone with it. `run` returns what is to be known afterwards, at most 4,000 bytes.
std::string in_process_of_its_own(const std::function<std::string()>& run) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return say(std::strerror(errno)), "";
  const FileDescriptor from(ends[0]), to(ends[1]);
  const pid_t parent = ::getpid(), child = ::fork();
  if (child < 0) return say(std::strerror(errno)), "";
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // nobody would read on, and the terminal is a shell's
    if (::getppid() != parent) ::_exit(1);
    ::signal(SIGINT, SIG_DFL);  // here it is the line editor's
    std::string result;
    guarded([&] { result = run(); }, [](const char* what) { say(what); });
    std::fflush(stdout);
    ::_exit(::write(to.number(), result.data(), result.size()) < 0 ? 1 : 0);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFSIGNALED(status) && WTERMSIG(status) != SIGINT)
    say(fmt::format("It ended unexpectedly (signal {})", WTERMSIG(status)));
  char bytes[4096];
  const ssize_t count = ::read(from.number(), bytes, sizeof bytes);
  return count > 0 ? std::string(bytes, static_cast<size_t>(count)) : "";
}

// The requests and commands of one conversation; each runs in a process of its own.
class Talk {
 public:
  explicit Talk(const AskCommand& options) : options_(options), next_(options) {
    next_.in_conversation = true;
  }

  // False: it is the end.
  bool take(const std::string& request) {
    const size_t blank = request.find_first_of(" \n\t");
    const std::string word = request.substr(0, blank);
    const std::string rest = blank == request.npos ? "" : request.substr(blank + 1);
    if (word == "/quit" || word == "/exit" || request == "exit" || request == "quit") return false;
    if (word == "/help" || request == "?") {
      show_help();
    } else if (word == "/new" || word == "/clear" || word == "/session") {
      change_session(word != "/session", rest);
    } else if (word == "/undo" || word == "/redo") {
      undo(word == "/redo", rest);
    } else if (word == "/model") {
      choose_model();
    } else if (std::string nothing; rest.empty() && slash_command_in(word, nothing)) {
      say(fmt::format("Say which code: {} @FILE, or {} and words", word, word));
    } else if (is_unknown_command(word)) {
      say("There is no command " + word + "; /help lists them.");
    } else {
      ask(request);
    }
    return true;
  }

 private:
  void change_session(bool is_new, const std::string& id) {
    if (!is_new && id.empty()) {
      in_process_of_its_own([] { return history_command({}), ""; });
      return;
    }
    AskCommand wanted = next_;
    wanted.session = id;
    const std::string found =
        is_new ? "" : in_process_of_its_own([&] { return session_to_go_on(wanted); });
    if (!is_new && found.empty()) return;
    next_.session = found;
    dropped_.clear();
    say(is_new ? "The next request begins another session."
               : "The next request continues the session " + found + ".");
  }

  void undo(bool redo, const std::string& id) {
    UndoCommand command{.root = options_.root, .redo = redo, .in_conversation = true};
    const std::string what = redo && id.empty() ? dropped_ : id;
    if (!what.empty()) command.words = {what};
    dropped_.clear();
    in_process_of_its_own([&] { return undo_command(command), ""; });
  }

  void choose_model() {
    AskCommand choice = options_;
    for (AskCommand* each : {&choice, &next_})
      each->provider.clear(), each->endpoint.clear(), each->model.clear();
    choice.choose = true;
    in_process_of_its_own([&] { return ask_command(choice), ""; });
  }

  void ask(const std::string& request) {
    next_.prompt = request;
    const std::string ended = in_process_of_its_own([&] {
      AskIds ids;
      ask_command(next_, &ids);
      return ids.session + "\n" + ids.proposal;
    });
    const size_t between = std::min(ended.find('\n'), ended.size());
    if (between > 0) next_.session = ended.substr(0, between);
    if (between + 1 < ended.size()) dropped_ = ended.substr(between + 1);
    // These were of the first request.
    next_.files.clear(), next_.images.clear();
    next_.plan = false;
  }

  const AskCommand& options_;
  AskCommand next_;      // the next request's
  std::string dropped_;  // the proposal that /redo applies; empty: what was undone last
};

}  // namespace

bool begins_conversation(const AskCommand& options) {
  return options.prompt.empty() && !options.diff && !options.json && !options.yes &&
         !options.choose && options.record.empty() && can_ask_user() && ::isatty(1);
}

int converse(const AskCommand& options) {
  if (const auto valid = check_names(options); !valid) return say(valid.error().message), 2;
  const fs::path root = root_of(options);
  std::error_code error;
  if (!fs::is_directory(root, error)) return say("There is no folder " + root.string()), 2;
  LineEditor editor(
      [&](const std::string& word, bool is_first) { return completions_of(word, is_first, root); });
  put(stderr,
      folded("Say what to change in " + shown_name(folder_name(root)) +
             ", or ask a question; Enter sends it.") +
          "\n" +
          folded("/help: commands and keys; Ctrl-D: quit; bodkin --help: the other commands") +
          "\n");
  Talk talk(options);
  while (auto request = editor.read()) {
    request->erase(0, std::min(request->find_first_not_of(" \n\t"), request->size()));
    request->erase(request->find_last_not_of(" \n\t") + 1);
    if (request->empty()) continue;
    if (!talk.take(*request)) break;
    put(stderr, "\n");
  }
  return 0;
}

}  // namespace bodkin
