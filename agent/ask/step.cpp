#include "agent/ask/step.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "edits/plan/diff.h"
#include "edits/text/shortened.h"

namespace bodkin {

namespace {

constexpr size_t kMaxDiff = 20'000;    // bytes
constexpr size_t kMaxDiffs = 200'000;  // bytes of all files of a step
constexpr size_t kMaxReason = 400;     // bytes
constexpr size_t kMaxNamed = 3;        // files in a line

size_t lines_in(const Text& text, size_t offset, size_t length) {
  if (length == 0) return 0;
  return text.line_of(offset + length - 1) - text.line_of(offset) + 1;
}

size_t lines_in(const std::string& text) {
  if (text.empty()) return 0;
  return static_cast<size_t>(std::ranges::count(text, '\n')) + (text.ends_with('\n') ? 0 : 1);
}

// Omits a time that would be rounded to nothing.
std::string time_in_words(std::chrono::milliseconds time) {
  constexpr std::chrono::milliseconds kShortest{50};  // that is not rounded to nothing
  if (time < kShortest) return "";
  return fmt::format("{:.1f} s", static_cast<double>(time.count()) / 1000);
}

// A change's unified diff for the user, at most 20 kB of it.
std::string shown_diff(const ChangedFile& file) {
  std::string diff =
      unified_diff(file.path, file.last_path(), file.before ? &*file.before : nullptr,
                   file.after ? &*file.after : nullptr);
  if (diff.size() > kMaxDiff) diff = diff.substr(0, diff.rfind('\n', kMaxDiff)) + "\n…";
  return diff;
}

}  // namespace

std::vector<Step::File> step_files(const std::vector<ChangedFile>& changes) {
  std::vector<Step::File> files;
  size_t bytes = 0;
  for (const ChangedFile& change : changes) {
    Step::File& file = files.emplace_back();
    file.path = change.path;
    file.moved_to = change.rename_to.value_or("");
    file.bills = change.bills;
    file.change = !change.before  ? Step::File::Change::created
                  : !change.after ? Step::File::Change::removed
                                  : Step::File::Change::edited;
    const Text before = change.before.value_or(Text()), after = change.after.value_or(Text());
    for (const Replacement& one : changed_lines(before, after)) {
      file.added += lines_in(one.text);
      file.removed += lines_in(before, one.offset, one.length);
    }
    if (bytes < kMaxDiffs) file.diff = shown_diff(change);
    bytes += file.diff.size();
  }
  return files;
}

std::string words_of(const Step& step) {
  std::string words;
  for (size_t i = 0; i < std::min(step.files.size(), kMaxNamed); ++i) {
    const Step::File& file = step.files[i];
    using Change = Step::File::Change;
    const char* what = file.change == Change::created   ? " (new)"
                       : file.change == Change::removed ? " (removed)"
                                                        : "";
    words += fmt::format("{}{}{}{} +{} −{}", i == 0 ? "" : ", ", file.path,
                         file.moved_to.empty() ? "" : " → " + file.moved_to, what, file.added,
                         file.removed);
  }
  if (step.files.size() > kMaxNamed)
    words += fmt::format(" and {} more", step.files.size() - kMaxNamed);
  if (words.empty()) words = step.tool.empty() ? "edits" : step.tool;
  if (step.failed) words += " failed";
  if (step.command) words += fmt::format(", exit {}", step.command->exit_code);
  if (const std::string time = time_in_words(step.time); !time.empty()) words += ", " + time;
  return step.reason.empty() ? words : words + ": " + step.reason;
}

void report_step(const Task& task, std::string tool, std::chrono::steady_clock::time_point begun,
                 bool failed, const std::vector<ChangedFile>& changes, std::string_view reason,
                 Step::Call call, std::optional<Step::Command> command) {
  if (!task.report) return;
  const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - begun);
  std::string why = failed ? shortened_to(reason.substr(0, reason.find('\n')), kMaxReason) : "";
  auto step =
      std::make_shared<const Step>(Step{std::move(tool), time, failed, std::move(why),
                                        step_files(changes), std::move(call), std::move(command)});
  std::string words = words_of(*step);
  task.report({Progress::Kind::step, std::move(words), std::move(step)});
}

}  // namespace bodkin
