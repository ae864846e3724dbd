#include "agent/workspace/wrapped_command.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "agent/workspace/command_line.h"
#include "edits/plan/paths.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

struct Wrapper {
  std::string_view name;
  size_t operands;  // words, besides options, before the command
};
constexpr Wrapper kWrappers[] = {
    {"busybox", 0},  {"builtin", 0}, {"chroot", 1},      {"chrt", 1},    {"command", 0},
    {"doas", 0},     {"env", 0},     {"exec", 0},        {"flock", 1},   {"ionice", 0},
    {"ltrace", 0},   {"nice", 0},    {"nohup", 0},       {"nsenter", 0}, {"parallel", 0},
    {"runuser", 0},  {"setpriv", 0}, {"setsid", 0},      {"stdbuf", 0},  {"strace", 0},
    {"sudo", 0},     {"taskset", 1}, {"time", 0},        {"timeout", 1}, {"unbuffer", 0},
    {"unshare", 0},  {"watch", 0},   {"systemd-run", 0}, {"xargs", 0},   {"xvfb-run", 0},
    {"ssh-agent", 0}};
constexpr std::string_view kShells[] = {"ash",  "bash", "dash", "fish",       "ksh",
                                        "mksh", "sh",   "zsh",  "powershell", "pwsh"};
// Take a command line after -c.
constexpr std::string_view kTakeScripts[] = {"flock", "runuser", "script", "su"};
constexpr std::string_view kExec[] = {"-exec", "-execdir", "-ok", "-okdir"};

using Words = std::span<const std::string>;

bool is_option(std::string_view word) { return word.size() > 1 && word.starts_with('-'); }
bool may_be_anything(std::string_view word) { return word.starts_with(CommandLine::kAnything); }

bool is_variable(std::string_view word) {
  const size_t end = word.find('=');
  return end != word.npos && end > 0 &&
         std::ranges::all_of(word.substr(0, end),
                             [](unsigned char c) { return c == '_' || std::isalnum(c); });
}

std::string joined(Words words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

// Finds the places in a wrapper's words at which the command may begin.
void find_begins(Words words, size_t at, size_t operands, bool after_option,
                 std::set<std::pair<size_t, size_t>>& seen, std::set<size_t>& begins) {
  for (; at < words.size(); ++at) {
    const std::string& word = words[at];
    if (is_option(word)) {
      after_option = word != "--" && !word.contains('=');
      continue;
    }
    if (is_variable(word)) continue;
    if (!seen.insert({at, operands}).second) return;
    if (operands == 0) begins.insert(at);
    // It may be what the option before it takes, or an option itself.
    if (after_option || may_be_anything(word))
      find_begins(words, at + 1, operands, false, seen, begins);
    if (operands == 0) return;
    --operands;
    after_option = false;
  }
}

// The place of git's own word: it is known which of its options take a value. 0: it is not clear.
size_t begin_of_git(Words words) {
  constexpr std::string_view kTakeValues[] = {
      "-C",          "-c",           "--git-dir",     "--work-tree",
      "--namespace", "--config-env", "--attr-source", "--super-prefix"};
  for (size_t at = 1; at < words.size(); ++at) {
    if (words[at].contains(CommandLine::kAnything)) return 0;
    if (!is_option(words[at])) return at;
    if (is_one_of(words[at], kTakeValues) && ++at < words.size() && may_be_anything(words[at]))
      return 0;
  }
  return 0;
}

// Takes a command without the options before its first word: `git -C folder push` is a push, and
// `make -j2 deploy` deploys.
void take_without_options(Words words, WrappedCommands& found) {
  if (words.size() < 3 || !(is_option(words[1]) || may_be_anything(words[1]))) return;
  std::set<std::pair<size_t, size_t>> seen;
  std::set<size_t> begins;
  const size_t of_git = words[0] == "git" ? begin_of_git(words) : 0;
  if (of_git > 0) {
    begins.insert(of_git);
  } else {
    find_begins(words, 1, 0, false, seen, begins);
  }
  for (const size_t begin : begins) {
    std::vector<std::string>& command = found.commands.emplace_back(1, words[0]);
    const Words rest = words.subspan(begin);
    command.insert(command.end(), rest.begin(), rest.end());
  }
}

// Git's own options may bring an alias, an editor, a pager, a hook or a transport.
void take_git_options(Words words, WrappedCommands& found) {
  for (size_t i = 1; i + 1 < words.size(); ++i) {
    if (words[i] != "-c") continue;
    const std::string& word = words[i + 1];
    const size_t equals = word.find('=');
    if (equals == word.npos || equals + 1 == word.size()) continue;
    const std::string value = word.substr(equals + 1), rest = joined(words.subspan(i + 2));
    if (value.starts_with('!')) {
      found.scripts.push_back(value.substr(1) + " " + rest);
    } else if (word.starts_with("alias.")) {
      found.scripts.push_back("git " + value);
    } else {
      found.scripts.push_back(value);
    }
  }
}

void take_shell(Words words, WrappedCommands& found) {
  bool has_script = false, has_file = false;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool takes =
        is_option(word) && !word.starts_with("--") && (word.contains('c') || word.contains('C'));
    if (has_script && !is_option(word)) found.scripts.push_back(word);
    has_script = has_script || takes || may_be_anything(word);
    has_file = has_file || (!is_option(word) && !word.starts_with('+'));
  }
  if (has_script) found.scripts.push_back(joined(words.subspan(1)));
  found.reads_script = found.reads_script || !has_script;
}

// The beginning of the script in an option of those in kTakeScripts: `-c`, `-qcls`, `--command=ls`.
// Nullopt: it takes none.
std::optional<size_t> begin_of_script(std::string_view word) {
  constexpr std::string_view kLong = "--command";
  if (word.starts_with(kLong)) return std::min(word.size(), kLong.size() + 1);
  if (!is_option(word) || word.starts_with("--") || !word.contains('c')) return std::nullopt;
  return word.find('c') + 1;
}

// The dynamic linker runs the program that it is given.
bool is_linker(std::string_view name) {
  return name == "ld.so" || name.starts_with("ld-linux") || name.starts_with("ld-musl");
}

}  // namespace

// Decides: which commands a command runs in turn (env, xargs, sh -c).
WrappedCommands wrapped_in(const std::vector<std::string>& all) {
  WrappedCommands found;
  if (all.empty()) return found;
  const Words words(all);
  const std::string_view name = last_part(all[0]);
  if (name != all[0] && !name.empty()) {
    found.commands.push_back(all);
    found.commands.back()[0] = std::string(name);
    return found;
  }
  const auto add = [&](Words command, bool takes_more) {
    if (command.empty()) return;
    found.commands.emplace_back(command.begin(), command.end());
    if (takes_more) found.commands.back().emplace_back(1, CommandLine::kAnything);
  };
  if (is_one_of(name, kShells)) take_shell(words, found);
  if (name == "git") take_git_options(words, found);
  if (name == "eval" || name == "watch" || name == "parallel")
    found.scripts.push_back(joined(words.subspan(1)));
  if (name == "trap" && words.size() > 1) found.scripts.push_back(all[1]);
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    const auto begin = is_one_of(name, kTakeScripts) ? begin_of_script(word) : std::nullopt;
    if (begin) {
      if (*begin < word.size()) found.scripts.push_back(word.substr(*begin));
      found.scripts.insert(found.scripts.end(), all.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                           all.end());
    }
    if (name == "env" && (word.starts_with("-S") || word.starts_with("--split-string")))
      found.scripts.push_back(word.substr(word.starts_with("-S") ? 2 : word.find('=') + 1) + " " +
                              joined(words.subspan(i + 1)));
    if (name == "find" && is_one_of(word, kExec)) {
      const auto end = std::ranges::find_if(
          words.subspan(i + 1), [](const std::string& each) { return each == ";" || each == "+"; });
      add({words.begin() + static_cast<std::ptrdiff_t>(i) + 1, end}, false);
    }
  }
  const auto wrapper = std::ranges::find(kWrappers, name, &Wrapper::name);
  const bool is_wrapper = wrapper != std::end(kWrappers) || is_linker(name);
  if (!is_wrapper) {
    take_without_options(words, found);
    return found;
  }
  std::set<std::pair<size_t, size_t>> seen;
  std::set<size_t> begins;
  find_begins(words, 1, is_linker(name) ? 0 : wrapper->operands, false, seen, begins);
  for (const size_t begin : begins)
    add(words.subspan(begin), name == "xargs" || name == "parallel");
  return found;
}

}  // namespace bodkin
