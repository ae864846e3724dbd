#include "agent/sandbox/verifier.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "agent/ask/output_problems.h"
#include "agent/sandbox/scratch.h"
#include "agent/support/utf8.h"
#include "agent/workspace/secrets.h"
#include "edits/text/shortened.h"

namespace bodkin {

namespace {

constexpr size_t kMaxShown = 6000;  // bytes of the output, its end
constexpr size_t kMaxTitle = 200;   // bytes of a command, its beginning

std::string end_of(const std::string& whole) {
  const std::string output = hide_secrets(whole);  // half of one is known by no form
  if (output.size() <= kMaxShown) return valid_utf8(output);
  const size_t line = output.find('\n', output.size() - kMaxShown);
  const size_t from = line == std::string::npos ? output.size() - kMaxShown : line + 1;
  return "…\n" + valid_utf8(output.substr(from));
}

std::string last_line(const std::string& whole) {
  const std::string output = hide_secrets(whole);
  size_t end = output.size();
  while (end > 0 && output[end - 1] == '\n') --end;
  const size_t begin = output.rfind('\n', end == 0 ? 0 : end - 1);
  const size_t from = begin == std::string::npos ? 0 : begin + 1;
  return valid_utf8(output.substr(from, std::min<size_t>(end - from, 200)));
}

// The beginning of a command, on one line.
std::string title_of(std::string_view command) {
  const std::string_view line = command.substr(0, command.find('\n'));
  const bool has_more_lines = line.size() < command.size() && line.size() <= kMaxTitle;
  return shortened_to(line, kMaxTitle) + (has_more_lines ? "…" : "");
}

// The errors that the output names in the workspace; the command ran in `folder`.
std::vector<CheckedProblem> problems_of(const std::string& output, const std::string& folder,
                                        Workspace& draft, const Task& task) {
  const Roots roots = draft.roots(task);
  std::vector<CheckedProblem> result;
  for (CheckedProblem& problem : problems_in(output)) {
    const auto full =
        std::filesystem::path(folder) / problem.path;  // an absolute one stays as it is
    const auto place = roots.find_absolute(full.lexically_normal().generic_string());
    if (problem.severity != Severity::error || !place || !draft.read(place->path, task)) continue;
    problem.path = place->path;
    result.push_back(std::move(problem));
  }
  return result;
}

// Both run in the folder that contains the edit. False: there are several.
bool use_edited_folder(SandboxRun& edited, SandboxRun& plain) {
  const auto same = [](const SandboxFolder& one, const SandboxFolder& other) {
    return one.absent == other.absent &&
           std::ranges::equal(one.drafts, other.drafts, [](const auto& a, const auto& b) {
             return a.path == b.path && a.text == b.text;
           });
  };
  std::optional<size_t> found;
  for (size_t i = 0; i < edited.folders.size() && i < plain.folders.size(); ++i) {
    if (same(edited.folders[i], plain.folders[i])) continue;
    if (found) return false;
    found = i;
  }
  for (SandboxRun* run : {&edited, &plain}) {
    std::swap(run->folders[0], run->folders[found.value_or(0)]);
  }
  return true;
}

}  // namespace

Result<bool> UnconfinedConsent::ask(Editor* editor, const std::string& command, const Task& task) {
  {
    // One question at a time: the answer may be the one that another ask is waiting for.
    std::unique_lock lock(mutex_);
    if (!answered_.wait(lock, task.stop, [&] { return !is_asking_; }))
      return fail(Error::Code::cancelled, "Cancelled.");
    if (const auto known = answers_.find(command); known != answers_.end()) return known->second;
    if (!editor) return false;
    is_asking_ = true;
  }
  struct Turn {
    UnconfinedConsent& consent;
    ~Turn() {
      const std::lock_guard lock(consent.mutex_);
      consent.is_asking_ = false;
      consent.answered_.notify_all();
    }
  } const turn{*this};
  if (task.report) task.report({Progress::Kind::waiting, "Waiting for you"});
  const std::string title = title_of(command);
  const auto decision = editor->permit(
      {.kind = "run",
       .subject = command,
       .title = "Run " + title + " without a sandbox?",
       .detail = (title == command ? "" : command + "\n\n") +
                 "It runs what the model proposed, with your permissions: it could read your files "
                 "and use the network. No sandbox is available on this machine: " +
                 sandbox_ability().reason + "."},
      task);
  if (!decision) return std::unexpected(decision.error());
  const std::lock_guard lock(mutex_);
  if (decision->choice != Decision::once) answers_[command] = decision->allows();
  return decision->allows();
}

// Decides: what verify.command says of a draft.
Verdict CommandVerifier::verify(Workspace& draft, Workspace& base, const Task& task) {
  Verdict verdict;
  verdict.by = fmt::format("{}", fmt::join(check_.command, " "));
  const auto not_checked = [&](std::string why) {
    verdict.reason = std::move(why);
    return verdict;
  };
  SandboxRun run;
  run.command = check_.command;
  run.settings = check_.sandbox;
  run.timeout = check_.timeout;
  const bool is_confined = sandbox_ability().kind != Confinement::none;
  if (!is_confined) {
    const auto allowed = consent_->ask(editor_, verdict.by, task);
    if (!allowed) return not_checked(allowed.error().message);
    if (!*allowed) {
      return not_checked("no sandbox is available on this machine, and " + verdict.by +
                         " was not allowed to run without one");
    }
    run.may_be_unconfined = true;
  }
  auto edited = with_folders_of(draft, run, task);
  if (!edited) return not_checked(edited.error().message);
  auto plain = with_folders_of(base, run, task);
  if (!plain) return not_checked(plain.error().message);
  if (!use_edited_folder(*edited, *plain)) {
    return not_checked("the edit spans several workspace folders; only one can be checked");
  }
  if (task.report) task.report({Progress::Kind::verifying, "Checking with " + verdict.by});
  const auto after = run_in_sandbox(*edited, task.stop);
  if (!after) return not_checked(after.error().message);
  if (!after->ended.empty()) return not_checked(after->ended);
  verdict.where = is_confined ? "in a sandbox" : "not confined";
  if (after->exit_code == 0) {
    verdict.state = Verdict::State::passed;
    return verdict;
  }
  // The shell's exit code for a program that is missing or not executable (POSIX, 2.8.2).
  if (after->exit_code == 126 || after->exit_code == 127) {
    return not_checked((is_confined ? "in the sandbox " : "") + verdict.by +
                       " cannot be run: " + last_line(after->output));
  }
  if (task.report) {
    task.report({Progress::Kind::verifying, verdict.by + " failed; trying without the edit"});
  }
  const auto before = run_in_sandbox(*plain, task.stop);
  if (!before) return not_checked(before.error().message);
  if (!before->ended.empty()) return not_checked(before->ended);
  if (before->exit_code != 0) {
    return not_checked(verdict.by + " also fails without the edit" +
                       (before->hidden.empty() ? ""
                                               : fmt::format(" (it runs without private files such "
                                                             "as {})",
                                                             before->hidden[0])));
  }
  verdict.state = Verdict::State::failed;
  verdict.reason = fmt::format("{} fails with this edit (exit code {}, {}): {}", verdict.by,
                               after->exit_code, verdict.where, last_line(after->output));
  verdict.output = end_of(after->output);
  verdict.problems = problems_of(after->output, edited->folders[0].folder, draft, task);
  return verdict;
}

}  // namespace bodkin
