#include "agent/tools/command_changes.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "agent/placing/placing.h"
#include "agent/workspace/privacy.h"
#include "agent/workspace/secrets.h"
#include "edits/plan/diff.h"
#include "edits/plan/paths.h"

namespace bodkin {

namespace {

using State = SandboxChange::State;

constexpr size_t kMostTaken = 500;  // files of one command
constexpr size_t kMostNamed = 40;   // files in a sentence
constexpr size_t kMostTracked = 100'000;

constexpr char kTooMany[] =
    "The command changed too many files (the limit is {}): none of its changes was taken into your "
    "edits. Change fewer files with one command.\n";

std::string joined_names(const std::vector<std::string>& names) {
  std::string result = fmt::format(
      "{}",
      fmt::join(names.begin(),
                names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kMostNamed)),
                ", "));
  if (names.size() > kMostNamed) result += fmt::format(" and {} more", names.size() - kMostNamed);
  return result;
}

class ChangesTaker {
 public:
  ChangesTaker(ToolBench& bench, std::chrono::system_clock::time_point begun, const Task& task)
      : bench_(bench), begun_(begun), task_(task), roots_(bench.draft.roots(task)) {
    const auto open = bench.draft.open_paths(task);
    open_.insert(open.begin(), open.end());
  }

  TakenChanges run(const SandboxChanges& changes) {
    left_out_ = changes.left_out;
    for (const SandboxChange& each : changes.list) add(each);
    if (!changes.are_all || taken_.files.size() > kMostTaken)
      return {fmt::format(kTooMany, kMostTaken), false};
    taken_.ok = true;
    keep_those_that_may_be_edited();
    if (auto refused = ask(); !refused.empty()) return {refused + "\n", false};
    std::vector<std::string> names;
    for (const ChangedFile& file : taken_.files) {
      names.push_back(file.path + (!file.before  ? " (new)"
                                   : !file.after ? " (removed)"
                                                 : " (edited)"));
    }
    bench_.draft.take(taken_);
    TakenChanges result;
    result.edited = !names.empty();
    if (!names.empty())
      result.told =
          "The command changed files, which are part of your edits now: " + joined_names(names) +
          ".\n";
    if (!refused_.empty())
      result.told += "Not taken, and as it was before: " + joined_names(refused_) + ".\n";
    if (left_out_ > 0) {
      result.told += fmt::format(
          "Left out: {} file{} that git ignores or that a build made; to a later command {} as "
          "before.\n",
          left_out_, left_out_ == 1 ? "" : "s", left_out_ == 1 ? "it is" : "they are");
    }
    return result;
  }

 private:
  void refuse(const std::string& path, std::string_view why) {
    refused_.push_back(fmt::format("{} ({})", printable(path), why));
  }

  void add(const SandboxChange& change) {
    if (change.folder >= roots_.size()) return;
    const std::string written = roots_.prefix_of(roots_[change.folder]) + change.path;
    if (change.state == State::git) return refuse(written, "git's own files do not come back");
    if (!is_plain_path(written) || forbidden(written))
      return refuse(written, "no edit may have this path");
    const auto place = roots_.find(written);
    if (!place) return refuse(written, "it is not in the workspace");
    const std::string& path = place->path;
    if (bench_.guard.is_private(path)) return refuse(path, "it is private");
    if (change.is_ignored && !is_listed(path)) {
      ++left_out_;
      return;
    }
    switch (change.state) {
      case State::binary:
        return refuse(path, "it is not UTF-8 text");
      case State::large:
        return refuse(path, "it is above 1 MB");
      case State::other:
        return refuse(path, "a link, pipe or device");
      default:
        return add_text(*place, change);
    }
  }

  void add_text(const Roots::Place& place, const SandboxChange& change) {
    const std::string& path = place.path;
    const auto before = bench_.draft.read(path, task_);
    if (!before && before.error().code != Error::Code::not_found)
      return refuse(path, "it was no file that can be edited");
    const bool is_removed = change.state == State::removed;
    if (is_removed && !before) return;
    ChangedFile file;
    file.path = path;
    if (before) file.before = before->text;
    if (!is_removed) {
      file.after = Text(change.text);
      if (file.before == file.after) return;
      // The model saw a marker in a secret's place and wrote it down.
      if (has_piece_of_marker(change.text) &&
          !(before && has_piece_of_marker(before->text.str()))) {
        return refuse(path, "a marker \"[secret … removed by bodkin]\" would stand in it");
      }
    }
    if (!open_.contains(path) && was_written_since(place.absolute)) {
      return refuse(path, "it was written on the disk meanwhile: run the command again");
    }
    file.kind = is_removed    ? FileChange::Kind::remove
                : file.before ? FileChange::Kind::overwrite
                              : FileChange::Kind::create;
    if (file.before && file.after) file.edits = changed_lines(*file.before, *file.after);
    taken_.files.push_back(std::move(file));
  }

  // The times of files go a few milliseconds slow: what was written so shortly after `begun_` was
  // there before the command.
  bool was_written_since(const std::string& absolute) const {
    struct stat status {};
    if (::lstat(absolute.c_str(), &status) != 0) return false;
    const auto written = std::chrono::seconds(status.st_ctim.tv_sec) +
                         std::chrono::nanoseconds(status.st_ctim.tv_nsec);
    return written > begun_.time_since_epoch();
  }

  // Does git track it although it ignores it?
  bool is_listed(const std::string& path) {
    if (!listed_) {
      auto paths = bench_.draft.list("", kMostTracked, task_);
      listed_.emplace();
      if (paths) listed_->insert(paths->begin(), paths->end());
    }
    return listed_->contains(path);
  }

  void keep_those_that_may_be_edited() {
    const auto may_be = [&](const ApplyReport& report) {
      return check_targets(report, bench_.draft, bench_.guard, task_);
    };
    if (may_be(taken_)) return;
    ApplyReport all = std::exchange(taken_, {});
    taken_.ok = true;
    for (ChangedFile& file : all.files) {
      taken_.files.push_back(std::move(file));
      const auto may = may_be(taken_);
      if (may) continue;
      refuse(taken_.files.back().path, may.error().message);
      taken_.files.pop_back();
    }
  }

  // Empty, or why nothing is taken: the person has refused.
  std::string ask() {
    std::vector<ChangedFile> allowed;
    for (ChangedFile& file : std::exchange(taken_.files, {})) {
      ApplyReport one;
      one.ok = true;
      one.files.push_back(std::move(file));
      const auto may = bench_.gate->admit_edit(one, bench_.draft, task_);
      if (may) {
        allowed.push_back(std::move(one.files[0]));
      } else if (may.error().code == Error::Code::invalid_input) {
        refuse(one.files[0].path, may.error().message);
      } else {
        return may.error().message;
      }
    }
    taken_.files = std::move(allowed);
    return "";
  }

  ToolBench& bench_;
  const std::chrono::system_clock::time_point begun_;
  const Task& task_;
  const Roots roots_;
  std::set<std::string, std::less<>> open_;
  std::optional<std::set<std::string, std::less<>>> listed_;
  ApplyReport taken_;
  std::vector<std::string> refused_;
  uint64_t left_out_ = 0;
};

}  // namespace

TakenChanges take_changes(ToolBench& bench, const SandboxChanges& changes,
                          std::chrono::system_clock::time_point begun, const Task& task) {
  return ChangesTaker(bench, begun, task).run(changes);
}

}  // namespace bodkin
