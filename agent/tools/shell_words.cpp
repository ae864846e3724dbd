#include "agent/tools/shell_words.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "agent/support/program.h"
#include "agent/workspace/command_line.h"
#include "edits/plan/paths.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

using nlohmann::json;

bool is_script(const json& words) {
  if (!words.is_array() || words.size() != 3) return false;
  const std::string shell = words[0], option = words[1];
  const std::string_view name = last_part(shell);
  return (name == "bash" || name == "sh" || name == "zsh") && (option == "-lc" || option == "-c");
}

bool calls_apply_patch(std::string_view word) {
  return word == "apply_patch" || word == "applypatch";
}

std::string quoted(const std::string& word) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./:=+,@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  return shell_quoted(word);
}

// Takes `word` and the spaces after it from the beginning of `text`.
std::string_view take_word(std::string_view& text) {
  const bool is_quoted = text.starts_with('\'') || text.starts_with('"');
  size_t end = is_quoted ? text.find(text[0], 1) : text.find_first_of(" \t\r\n<&;|");
  if (end == text.npos) end = text.size();
  const std::string_view word = is_quoted ? text.substr(1, end - 1) : text.substr(0, end);
  text.remove_prefix(std::min(end + (is_quoted ? 1 : 0), text.size()));
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return word;
}

std::optional<PatchInShell> patch_in_line(std::string_view line) {
  PatchInShell result;
  line = trimmed_text(line);
  if (line.starts_with("cd ")) {
    take_word(line);
    result.folder = take_word(line);
    if (!line.starts_with("&&")) return std::nullopt;
    line = trimmed_text(line.substr(2));
  }
  if (!calls_apply_patch(take_word(line))) return std::nullopt;
  if (line.starts_with('\'') || line.starts_with('"')) {
    const bool expands = line.front() == '"';
    result.patch = take_word(line);
    if (!line.empty() || (expands && result.patch.find_first_of("$`\\") != std::string::npos))
      return std::nullopt;
    return result;
  }
  if (!line.starts_with("<<")) return std::nullopt;
  line.remove_prefix(2);
  if (line.starts_with('-')) line.remove_prefix(1);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  const std::string mark(take_word(line));
  const size_t end = line.rfind('\n');
  if (mark.empty() || !line.starts_with('\n') || end == 0 || end == line.npos ||
      line.substr(end + 1) != mark)
    return std::nullopt;
  result.patch = line.substr(1, end);
  if (("\n" + result.patch).find("\n" + mark + "\n") != std::string::npos) return std::nullopt;
  return result;
}

}  // namespace

std::string shell_line(const json& command) {
  if (command.is_string()) return command;
  if (is_script(command)) return command[2];
  std::string line;
  for (const std::string word : command) line += (line.empty() ? "" : " ") + quoted(word);
  return line;
}

std::optional<PatchInShell> patch_in(const json& command) {
  if (command.is_string()) return patch_in_line(command.get<std::string>());
  if (is_script(command)) return patch_in_line(command[2].get<std::string>());
  if (command.is_array() && command.size() == 2 && calls_apply_patch(command[0].get<std::string>()))
    return PatchInShell{command[1], ""};
  return std::nullopt;
}

std::optional<Error> patch_beside_others(const json& command) {
  const auto refused = [](const char* why) {
    return Error{Error::Code::invalid_input,
                 std::string(why) + "; nothing was run.",
                 {},
                 "Send the patch with the tool apply_patch, and other commands in another call."};
  };
  const std::string line = shell_line(command);
  if (trimmed_text(line).starts_with("*** Begin Patch")) return refused("A patch is not a command");
  for (const CommandLine::Command& one : read_command_line(line).commands) {
    if (calls_apply_patch(std::string_view(one.meant).substr(0, one.meant.find(' '))))
      return refused("apply_patch cannot be combined with other commands");
  }
  return std::nullopt;
}

}  // namespace bodkin
