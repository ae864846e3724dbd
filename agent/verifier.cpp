#include "agent/verifier.h"

#include <fmt/format.h>

#include "agent/scratch.h"
#include "agent/utf8.h"

namespace bodkin {

namespace {

constexpr size_t kMaxShown = 6000;  // bytes of the output, its end

std::string end_of(const std::string& output) {
  if (output.size() <= kMaxShown) return valid_utf8(output);
  const size_t line = output.find('\n', output.size() - kMaxShown);
  const size_t from = line == std::string::npos ? output.size() - kMaxShown : line + 1;
  return "…\n" + valid_utf8(output.substr(from));
}

std::string last_line(const std::string& output) {
  size_t end = output.size();
  while (end > 0 && output[end - 1] == '\n') --end;
  const size_t begin = output.rfind('\n', end == 0 ? 0 : end - 1);
  const size_t from = begin == std::string::npos ? 0 : begin + 1;
  return valid_utf8(output.substr(from, std::min<size_t>(end - from, 200)));
}

}  // namespace

Verdict CommandVerifier::verify(Workspace& draft, Workspace& base, const Task& task) {
  Verdict verdict;
  verdict.by = fmt::format("{}", fmt::join(command_, " "));
  if (task.report) task.report({Progress::Kind::verifying, "Checking with " + verdict.by});
  const auto run = run_in_scratch(draft, {command_, timeout_, hidden_variable_}, task);
  if (!run) {
    verdict.reason = run.error().message;
    return verdict;
  }
  if (run->exit_code == 0) {
    verdict.state = Verdict::State::passed;
    return verdict;
  }
  // What the shell says of a program that is not there, or may not be run (POSIX, 2.8.2).
  if (run->exit_code == 126 || run->exit_code == 127) {
    verdict.reason = verdict.by + " cannot be run: " + last_line(run->output);
    return verdict;
  }
  if (task.report) {
    task.report(
        {Progress::Kind::verifying, verdict.by + " failed; does it without the edit, too?"});
  }
  const auto before = run_in_scratch(base, {command_, timeout_, hidden_variable_}, task);
  if (!before) {
    verdict.reason = before.error().message;
    return verdict;
  }
  if (before->exit_code != 0) {
    verdict.reason = verdict.by + " fails without the edit, too";
    return verdict;
  }
  verdict.state = Verdict::State::failed;
  verdict.reason = fmt::format("{} fails with this edit (exit code {}): {}", verdict.by,
                               run->exit_code, last_line(run->output));
  verdict.output = end_of(run->output);
  return verdict;
}

}  // namespace bodkin
