#include "lsp/cli/conversation_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "agent/context/own_prompts.h"
#include "agent/context/slash_commands.h"
#include "agent/platform/paths.h"
#include "agent/support/shown_text.h"
#include "agent/workspace/ignored_paths.h"
#include "lsp/cli/ask_screen.h"
#include "lsp/cli/ask_words.h"
#include "lsp/cli/line_editor.h"
#include "lsp/cli/terminal_editor.h"
#include "lsp/workspace/settings.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;

struct OwnCommand {
  std::string_view name, summary;
};
constexpr OwnCommand kOwnCommands[] = {
    {"/undo", "Undo the last change"},
    {"/redo", "Reapply it, or apply what you discarded"},
    {"/drop", "Leave the output of your commands out of the next request"},
    {"/diff", "Show what this conversation has changed"},
    {"/new", "Begin another session, without what was said so far"},
    {"/session", "Show the sessions of this folder; /session ID continues one"},
    {"/model", "Choose another model; /model NAME asks that one from now on"},
    {"/trust", "Trust this folder, so that commands may run in it"},
    {"/help", "Show this"},
    {"/quit", "Leave, as Ctrl-D does"}};

}  // namespace

void show_conversation_help() {
  std::string words;
  const auto add = [&](std::string_view name, std::string_view summary) {
    words += folded(fmt::format("{:<10}{}", name, summary), 10) + "\n";
  };
  for (const SlashCommand& command : slash_commands())
    add("/" + std::string(command.name), command.summary);
  for (const OwnPrompt& prompt : own_prompts(lsp::own_prompts_folder()))
    add("/" + prompt.name, prompt.summary);
  for (const OwnCommand& command : kOwnCommands) add(command.name, command.summary);
  add("@NAME", "Show the model this file, folder or declaration; Tab completes");
  add("!COMMAND", "Run it yourself; its output goes with your next request");
  add("Esc", "Stop the model, as Ctrl-C does, which clears the line at the prompt");
  add(kLineEndKey, "Begin another line, as a backslash before Enter does");
  put(stderr, words);
}

std::vector<std::string> completions_of(const std::string& word, bool is_first,
                                        const std::string& root) {
  std::vector<std::string> found;
  const auto add = [&](std::string full) {
    if (full.starts_with(word)) found.push_back(std::move(full));
  };
  if (is_first && word.starts_with('/')) {
    for (const SlashCommand& command : slash_commands()) add("/" + std::string(command.name));
    for (const OwnPrompt& prompt : own_prompts(lsp::own_prompts_folder())) add("/" + prompt.name);
    for (const OwnCommand& command : kOwnCommands) add(std::string(command.name));
  }
  if (word.starts_with('@')) {
    const size_t slash = word.rfind('/');
    const std::string folder = slash == word.npos ? "" : word.substr(1, slash);
    IgnoredPaths ignored(root, -1);
    ignored.read_excludes();
    for (size_t end = 0; end != folder.npos; end = folder.find('/', end))
      ignored.enter(folder.substr(0, end == 0 ? 0 : ++end));
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(fs::path(root) / folder, error)) {
      const std::string name = os::text_of(entry.path().filename());
      const bool is_hidden =
          name.starts_with('.') && !word.substr(1 + folder.size()).starts_with('.');
      if (is_hidden || name.contains(' ') || shown_name(name) != name) continue;
      const bool is_folder = entry.is_directory(error);
      // A folder is not listed either if all in it is ignored ("build/*").
      if (ignored.contains(folder + name + (is_folder ? "/-" : ""))) continue;
      add("@" + folder + name + (is_folder ? "/" : ""));
    }
  }
  std::ranges::sort(found);
  return found;
}

std::string shown_with_next_request(const std::string& command, const std::string& output,
                                    const std::string& end) {
  if (!output.empty() && !output.ends_with('\n')) std::fputc('\n', stderr);
  if (!end.empty()) say(end);
  if (output.find_first_not_of(" \n\t\r") == output.npos) return "";
  std::string shown = shown_with_request(
      fmt::format("Output of `{}`{}", plain_line(command), end.empty() ? "" : " (" + end + ")"),
      output);
  say("Its output goes with your next request; /drop leaves it out");
  return shown;
}

bool is_unknown_command(const std::string& word) {
  std::string rest;
  return word.starts_with('/') && word.size() > 1 &&
         std::ranges::all_of(word.substr(1), [](char c) { return c >= 'a' && c <= 'z'; }) &&
         !slash_command_in(word, rest) && !own_prompt_in(word, lsp::own_prompts_folder()) &&
         !fs::exists(word);
}

}  // namespace bodkin
