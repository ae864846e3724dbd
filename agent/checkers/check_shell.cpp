// shellcheck, which bash-language-server asks, accepts what the shell does not. The shell itself
// reads a script without running it.
#include <algorithm>
#include <charconv>

#include "agent/checkers/check.h"
#include "agent/checkers/imports.h"
#include "agent/support/process.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

// Which shell runs it; empty: none of those that are known.
std::string shell_of(const std::string& path, const Text& text) {
  const std::string first = text.line(0);
  if (!first.starts_with("#!")) return path.ends_with(".bats") ? "" : "bash";
  for (const char* shell : {"bash", "dash", "sh"}) {
    bool is_named = false;
    each_word(first, [&](std::string_view word) { is_named = is_named || word == shell; });
    if (is_named) return path.ends_with(".bats") ? "" : shell;
  }
  return "";
}

struct ShellError {
  size_t line = 1;
  std::string message;
};

// "bash: line 4: syntax error …", "sh: 4: Syntax error: …". Of one line, or empty.
std::optional<ShellError> error_in(std::string_view output) {
  std::optional<ShellError> error;
  each_line(output, [&](std::string_view line) {
    const size_t first = line.find(": ");
    if (error || first == line.npos) return;
    std::string_view rest = line.substr(first + 2);
    if (rest.starts_with("line ")) rest.remove_prefix(5);
    ShellError found;
    const auto [end, status] = std::from_chars(rest.data(), rest.data() + rest.size(), found.line);
    if (status != std::errc()) return;
    rest.remove_prefix(static_cast<size_t>(end - rest.data()));
    found.message = trimmed(rest.starts_with(": ") ? rest.substr(2) : rest);
    error = std::move(found);
  });
  return error;
}

}  // namespace

void Checkers::Check::check_shell(const ChangedFile& file) {
  if (!file.after) return;
  const std::string shell = shell_of(final_path(file), *file.after);
  const auto program = find_program(shell.empty() ? "sh" : shell, {project_.root});
  if (shell.empty() || !program) return;
  const auto read = [&](const Text& text) {
    ProcessRequest request;
    request.arguments = {*program, "-n"};
    request.name = shell + " -n";
    request.input = text.str();
    return run_process(request, task_.stop);
  };
  const auto after = read(*file.after);
  if (!after) return not_checked(after.error().message);
  if (after->exit_code == 0) return;
  const auto error = error_in(after->errors);
  if (file.before) {
    const auto before = read(*file.before);
    if (!before) return not_checked(before.error().message);
    const auto old = before->exit_code == 0 ? std::nullopt : error_in(before->errors);
    if (before->exit_code != 0 && (!error || (old && old->message == error->message))) return;
  }
  const std::string by = shell + " -n";
  ++new_errors_;
  result_.added.push_back({final_path(file), error ? error->line : 1, Severity::error, "",
                           error ? error->message : "syntax error", by});
  if (std::ranges::find(result_.by, by) == result_.by.end()) result_.by.push_back(by);
}

}  // namespace bodkin
