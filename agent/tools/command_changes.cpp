#include "agent/tools/command_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "agent/placing/placing.h"
#include "agent/platform/files.h"
#include "agent/support/encoding.h"
#include "agent/support/path_text.h"
#include "agent/support/shown_text.h"
#include "agent/tools/changes_taker.h"
#include "agent/workspace/file_rules.h"
#include "agent/workspace/privacy.h"
#include "agent/workspace/secrets.h"
#include "edits/plan/diff.h"
#include "edits/plan/paths.h"

namespace bodkin {

namespace {

constexpr size_t kMaxTaken = 500;  // files of one command
constexpr size_t kMaxNamed = 40;   // files in a sentence
constexpr size_t kMaxIgnoredNamed = 5;
constexpr size_t kMaxTracked = 100'000;

constexpr char kTooMany[] =
    "The command changed too much (the limit is {} files, and 32 MB): none of its changes were "
    "added to your edits. Change less with one command.\n";

std::string joined_names(const auto& names, size_t most = kMaxNamed) {
  const size_t count = std::min(names.size(), most);
  const auto end = std::next(names.begin(), static_cast<std::ptrdiff_t>(count));
  std::string result = fmt::format("{}", fmt::join(names.begin(), end, ", "));
  if (names.size() > most) result += fmt::format(" and {} more", names.size() - most);
  return result;
}

bool has_text_at(const std::vector<ChangedFile>& draft, const std::string& path) {
  return std::ranges::any_of(
      draft, [&](const ChangedFile& file) { return file.after && file.last_path() == path; });
}

}  // namespace

ChangesTaker::ChangesTaker(ToolBench& bench, std::chrono::system_clock::time_point begun,
                           const Task& task)
    : bench_(bench), begun_(begun), task_(task), roots_(bench.draft.roots(task)) {
  const auto open = bench.draft.open_paths(task);
  open_.insert(open.begin(), open.end());
}

TakenChanges ChangesTaker::run(const SandboxChanges& changes) {
  if (!changes.are_all) return too_many();
  left_out_ = changes.left_out;
  for (const SandboxChange& each : changes.list) add(in_utf8(each));
  if (taken_.size() > kMaxTaken) return too_many();
  if (moves_work_) refuse_all();
  keep_those_that_may_be_edited();
  drop_halves();
  if (auto refused = ask(); !refused.empty()) return {refused + "\n", false};
  drop_halves();
  std::vector<std::string> names;
  for (const ChangedFile& file : taken_) {
    names.push_back(file.path + (!file.before  ? " (new)"
                                 : !file.after ? " (removed)"
                                               : " (edited)"));
  }
  bench_.draft.take(taken_);
  keep();
  return told(names);
}

TakenChanges ChangesTaker::told(const std::vector<std::string>& names) const {
  TakenChanges result;
  result.edited = !names.empty();
  if (!names.empty())
    result.told = "The command changed these files, which are now part of your edits: " +
                  joined_names(names) + ".\n";
  if (!refused_.empty())
    result.told += "Not accepted, so unchanged: " + joined_names(refused_) + ".\n";
  if (has_moved_out_)
    result.told += "To remove such a file anyway, remove it and its copy in a separate command.\n";
  if (moves_work_)
    result.told +=
        "A command that stashes, checks out, resets or merges changes nothing: edit without it, "
        "or undo it in the same command.\n";
  if (!named_.empty())
    result.told +=
        "Not part of your edits, but there for later commands: " + joined_names(named_) + ".\n";
  if (!ignored_.empty()) {
    result.told += fmt::format(
        "{} that git ignores or a build made: not part of your edits, but there for later "
        "commands: {}.\n",
        counted(ignored_.size(), "file"), joined_names(ignored_, kMaxIgnoredNamed));
  }
  if (left_out_ > 0) {
    result.told += fmt::format(
        "Dropped because of the size limit: {} that git ignores or that a build made; "
        "later commands see {} as before.\n",
        counted(left_out_, "file"), left_out_ == 1 ? "it" : "them");
  }
  return result;
}

TakenChanges ChangesTaker::too_many() {
  if (bench_.command_files) {
    bench_.command_files->not_proposed[""] = {
        fmt::format("A command changed too much (the limit is {} files and 32 MB): none of its "
                    "changes are part of the proposal.",
                    kMaxTaken),
        false};
  }
  return {fmt::format(kTooMany, kMaxTaken), false};
}

void ChangesTaker::refuse(const std::string& path, std::string_view why) {
  refused_paths_.insert(path);
  refused_.push_back(fmt::format("{} ({})", printable(path), why));
  note(path, why);
}

// Half of `git stash` would lose the work that the other half keeps.
void ChangesTaker::refuse_all() {
  for (const ChangedFile& file : taken_)
    refuse(file.path, "the command also changed git's own files, which are not kept");
  taken_.clear();
}

// Tells the user, who would not miss it otherwise.
void ChangesTaker::note(const std::string& path, std::string_view why) {
  if (!bench_.command_files) return;
  bench_.command_files->not_proposed[path] = {
      fmt::format("{} was changed by a command and is not part of the proposal: {}.",
                  printable(path), without_period(why)),
      false};
}

std::string ChangesTaker::encoding_of(const SandboxChange& change) const {
  const std::string prefix = roots_.prefix_of(roots_[change.folder]);
  return bodkin::encoding_of(change.path, change.text, [&](const std::string& rules) {
    const auto text = bench_.draft.read(prefix + rules, task_);
    return text ? std::optional(text->text.str()) : std::nullopt;
  });
}

// Decodes its text to UTF-8, if it has another encoding that is known.
const SandboxChange& ChangesTaker::in_utf8(const SandboxChange& change) {
  if (change.state != State::binary || !change.has_text || change.folder >= roots_.size())
    return change;
  const std::string encoding = encoding_of(change);
  auto text = encoding.empty() ? std::nullopt : decoded(change.text, encoding);
  if (!text) return change;
  SandboxChange& own = in_utf8_.emplace_back(change);
  own.state = State::text;
  own.text = *std::move(text);
  return own;
}

void ChangesTaker::add(const SandboxChange& change) {
  if (change.folder >= roots_.size()) return;
  const std::string written = roots_.prefix_of(roots_[change.folder]) + change.path;
  const auto at = roots_.find(written);
  added_.emplace_back(at ? at->path : written, &change);
  if (change.state == State::git) {
    refused_.push_back(printable(written) + " (git's own files are not kept)");
    moves_work_ = moves_work_ || change.moves_work;
    return;
  }
  if (!is_plain_path(written) || forbidden(written))
    return refuse(written, "edits may not use this path");
  const auto place = roots_.find(written);
  if (!place) return refuse(written, "it is not in the workspace");
  const std::string& path = place->path;
  if (change.state == State::folder_gone) {
    to_keep_.push_back({change, path, ""});
    return;
  }
  if (bench_.guard.is_private(path)) return refuse(path, "it is private");
  if (change.is_ignored && !is_listed(path)) {
    to_keep_.push_back({change, path, ""});
    return;
  }
  // An edit would follow the link, and change another file.
  const bool has_content = change.state != State::mode && change.state != State::folder;
  if (has_content && !change.is_link && is_behind_link(*place)) {
    if (change.state != State::removed)
      return keep_or_refuse(change, path, "it took the place of a link");
    to_keep_.push_back({change, path, ""});
    return;
  }
  switch (change.state) {
    case State::removed:
      if (!change.is_link) return add_text(*place, change);
      to_keep_.push_back({change, path, was_kept(change) ? "" : "a link was removed"});
      return;
    case State::binary:
      return keep_or_refuse(change, path,
                            change.text.contains('\0') || !encoding_of(change).empty()
                                ? "it is not UTF-8 text"
                                : fmt::format("it is not UTF-8 text; {}", kNamesEncoding));
    case State::large:
      return keep_or_refuse(change, path, "it is larger than 1 MB");
    case State::other:
      return keep_or_refuse(change, path, "a link, pipe or device");
    case State::folder:
      to_keep_.push_back({change, path, ""});
      return;
    case State::deep:
      return refuse(path, "it is nested too deeply");
    case State::mode:
      modes_.push_back({change, path, place->absolute});
      return;
    default:
      return add_text(*place, change);
  }
}

void ChangesTaker::add_text(const Roots::Place& place, const SandboxChange& change) {
  const std::string& path = place.path;
  const auto before = bench_.draft.read(path, task_);
  const bool is_removed = change.state == State::removed;
  if (!before && before.error().code != Error::Code::not_found) {
    if (!is_removed) return refuse(path, "it is not an editable file");
    to_keep_.push_back({change, path, "it was removed, which an edit cannot express"});
    return;
  }
  if (is_removed && !before) {
    to_keep_.push_back({change, path, ""});
    return;
  }
  const auto old_text = before ? std::optional(before->text) : std::nullopt;
  const auto new_text = is_removed ? std::nullopt : std::optional(Text(change.text));
  if (new_text) {
    if (old_text == new_text) return;
    // The model saw a marker in a secret's place and wrote it down.
    if (has_piece_of_marker(change.text) && !(before && has_piece_of_marker(before->text.str()))) {
      return refuse(path, "a marker \"[secret … removed by bodkin]\" would be written to it");
    }
  }
  if (!open_.contains(path) && was_written_since(place.absolute)) {
    return refuse(path, "it changed on disk in the meantime; run the command again");
  }
  modes_.push_back({change, path, place.absolute});
  taken_.push_back(change_between(path, old_text, new_text));
}

// True if the disk has a link there, or in place of one of its folders.
bool ChangesTaker::is_behind_link(const Roots::Place& place) {
  const std::string& inside = place.inside;
  for (size_t end = 0; end != std::string::npos;) {
    end = inside.find('/', end + 1);
    const std::string path = join_path(place.root.folder, inside.substr(0, end));
    os::FileStatus status{};
    if (os::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode)) return true;
  }
  return false;
}

void ChangesTaker::keep_or_refuse(const SandboxChange& change, const std::string& path,
                                  const std::string& why) {
  const bool can_be_kept = bench_.command_files && (change.has_text || change.is_link);
  if (!can_be_kept) return refuse(path, why);
  to_keep_.push_back({change, path, why});
}

bool ChangesTaker::was_kept(const SandboxChange& change) const {
  return bench_.command_files && bench_.command_files->kept.has(change.folder, change.path);
}

// The times of files go a few milliseconds slow: what was written so shortly after `begun_` was
// there before the command.
bool ChangesTaker::was_written_since(const std::string& absolute) const {
  os::FileStatus status{};
  if (os::lstat(absolute.c_str(), &status) != 0) return false;
  return std::chrono::nanoseconds(os::changed_at(status)) > begun_.time_since_epoch();
}

// True if git tracks it although it ignores it.
bool ChangesTaker::is_listed(const std::string& path) {
  if (!listed_) {
    auto paths = bench_.draft.list("", kMaxTracked, task_);
    listed_.emplace();
    if (paths) listed_->insert(paths->begin(), paths->end());
  }
  return listed_->contains(path);
}

void ChangesTaker::keep_those_that_may_be_edited() {
  const auto may_be = [&] { return check_targets(taken_, bench_.draft, bench_.guard, task_); };
  if (may_be()) return;
  for (ChangedFile& file : std::exchange(taken_, {})) {
    taken_.push_back(std::move(file));
    const auto may = may_be();
    if (may) continue;
    refuse(taken_.back().path, may.error().message);
    taken_.pop_back();
  }
}

// Empty, or why nothing is taken: the user has refused.
std::string ChangesTaker::ask() {
  for (const ChangedFile& file : std::exchange(taken_, {})) {
    const auto may = bench_.gate->admit_edit({file}, bench_.draft, task_, /*asks=*/false);
    if (may)
      taken_.push_back(file);
    else
      refuse(file.path, may.error().message);
  }
  const auto may = bench_.gate->admit_edit(taken_, bench_.draft, task_);
  if (!may && may.error().code == Error::Code::cancelled) return may.error().message;
  if (!may) {
    for (const ChangedFile& file : taken_) refuse(file.path, may.error().message);
    taken_.clear();
  }
  return "";
}

std::vector<std::string> notes_of(const CommandFiles& left, const std::vector<ChangedFile>& draft) {
  std::vector<std::string> notes;
  for (const auto& [path, note] : left.not_proposed) {
    if (note.is_mode_change || !has_text_at(draft, path)) notes.push_back(note.sentence);
  }
  return notes;
}

std::string words_of_ignored(const CommandFiles& left, const std::vector<ChangedFile>& draft) {
  std::vector<std::string> names;
  for (const std::string& path : left.ignored) {
    if (!has_text_at(draft, path)) names.push_back(printable(path));
  }
  if (names.empty()) return "";
  return fmt::format("Not part of the proposal, because git ignores {0} or a build made {0}: {1}.",
                     names.size() == 1 ? "it" : "them", joined_names(names, kMaxIgnoredNamed));
}

// Decides: which changes of a command become edits.
TakenChanges take_changes(ToolBench& bench, const SandboxChanges& changes,
                          std::chrono::system_clock::time_point begun, const Task& task) {
  return ChangesTaker(bench, begun, task).run(changes);
}

}  // namespace bodkin
