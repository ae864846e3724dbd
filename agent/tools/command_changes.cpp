// One class of more than 350 lines: what is taken, kept and refused depends on each other.
#include "agent/tools/command_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <deque>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "agent/placing/placing.h"
#include "agent/platform/files.h"
#include "agent/support/encoding.h"
#include "agent/support/path_text.h"
#include "agent/workspace/file_rules.h"
#include "agent/workspace/privacy.h"
#include "agent/workspace/secrets.h"
#include "edits/plan/diff.h"
#include "edits/plan/paths.h"

namespace bodkin {

namespace {

using State = SandboxChange::State;

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

// True if one of these files is in a folder of this name, or this file in a folder of one's name.
// They cannot both be there.
bool excludes_one_of(const std::set<std::string>& paths, const std::string& path) {
  for (size_t end = path.find('/'); end != std::string::npos; end = path.find('/', end + 1)) {
    if (paths.contains(path.substr(0, end))) return true;
  }
  const auto next = paths.lower_bound(path + "/");
  return next != paths.end() && next->starts_with(path + "/");
}

std::string_view base_name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// True if it is the same text, or shares at least half of the lines of the longer one.
bool is_version_of(std::string_view before, std::string_view after) {
  if (before == after) return true;
  std::map<std::string_view, long> counts;
  long shared = 0, longer = 0;
  const auto count = [&](std::string_view text, const auto& each) {
    long lines = 0;
    for (; !text.empty(); ++lines) {
      const size_t end = std::min(text.find('\n'), text.size());
      each(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    longer = std::max(longer, lines);
  };
  count(before, [&](std::string_view line) { ++counts[line]; });
  count(after, [&](std::string_view line) { shared += counts[line]-- > 0; });
  return shared > 0 && shared * 2 >= longer;
}

bool is_folder(const SandboxChange& change) {
  return change.state == State::folder || change.state == State::folder_gone;
}

bool has_text_at(const std::vector<ChangedFile>& draft, const std::string& path) {
  return std::ranges::any_of(draft, [&](const ChangedFile& file) {
    return file.after && file.rename_to.value_or(file.path) == path;
  });
}

// The umask, which can only be read from there without setting it.
unsigned file_mask() {
  std::ifstream status("/proc/self/status");
  unsigned mask = 022;
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("Umask:"))
      std::from_chars(line.data() + 7, line.data() + line.size(), mask, 8);
  }
  return mask;
}

class ChangesTaker {
 public:
  ChangesTaker(ToolBench& bench, std::chrono::system_clock::time_point begun, const Task& task)
      : bench_(bench), begun_(begun), task_(task), roots_(bench.draft.roots(task)) {
    const auto open = bench.draft.open_paths(task);
    open_.insert(open.begin(), open.end());
  }

  TakenChanges run(const SandboxChanges& changes) {
    if (!changes.are_all) return too_many();
    left_out_ = changes.left_out;
    for (const SandboxChange& each : changes.list) add(in_utf8(each));
    if (taken_.files.size() > kMaxTaken) return too_many();
    taken_.ok = true;
    if (moves_work_) refuse_all();
    keep_those_that_may_be_edited();
    drop_halves();
    if (auto refused = ask(); !refused.empty()) return {refused + "\n", false};
    drop_halves();
    std::vector<std::string> names;
    for (const ChangedFile& file : taken_.files) {
      names.push_back(file.path + (!file.before  ? " (new)"
                                   : !file.after ? " (removed)"
                                                 : " (edited)"));
    }
    bench_.draft.take(taken_);
    keep();
    TakenChanges result;
    result.edited = !names.empty();
    if (!names.empty())
      result.told = "The command changed these files, which are now part of your edits: " +
                    joined_names(names) + ".\n";
    if (!refused_.empty())
      result.told += "Not accepted, so unchanged: " + joined_names(refused_) + ".\n";
    if (has_moved_out_)
      result.told +=
          "To remove such a file anyway, remove it and its copy in a separate command.\n";
    if (moves_work_)
      result.told +=
          "A command that stashes, checks out, resets or merges changes nothing: edit without it, "
          "or undo it in the same command.\n";
    if (!named_.empty())
      result.told +=
          "Not part of your edits, but there for later commands: " + joined_names(named_) + ".\n";
    if (!ignored_.empty()) {
      result.told += fmt::format(
          "{} file{} that git ignores or a build made: not part of your edits, but there for later "
          "commands: {}.\n",
          ignored_.size(), ignored_.size() == 1 ? "" : "s",
          joined_names(ignored_, kMaxIgnoredNamed));
    }
    if (left_out_ > 0) {
      result.told += fmt::format(
          "Dropped because of the size limit: {} file{} that git ignores or that a build made; "
          "later commands see {} as before.\n",
          left_out_, left_out_ == 1 ? "" : "s", left_out_ == 1 ? "it" : "them");
    }
    return result;
  }

 private:
  TakenChanges too_many() {
    if (bench_.command_files) {
      bench_.command_files->not_proposed[""] = {
          fmt::format("A command changed too much (the limit is {} files and 32 MB): none of its "
                      "changes are part of the proposal.",
                      kMaxTaken),
          false};
    }
    return {fmt::format(kTooMany, kMaxTaken), false};
  }

  void refuse(const std::string& path, std::string_view why) {
    refused_paths_.insert(path);
    refused_.push_back(fmt::format("{} ({})", printable(path), why));
    note(path, why);
  }

  // Half of `git stash` would lose the work that the other half keeps.
  void refuse_all() {
    for (const ChangedFile& file : taken_.files)
      refuse(file.path, "the command also changed git's own files, which are not kept");
    taken_.files.clear();
  }

  // Tells the user, who would not miss it otherwise.
  void note(const std::string& path, std::string_view why) {
    if (why.ends_with('.')) why.remove_suffix(1);
    if (!bench_.command_files) return;
    bench_.command_files->not_proposed[path] = {
        fmt::format("{} was changed by a command and is not part of the proposal: {}.",
                    printable(path), why),
        false};
  }

  std::string encoding_of(const SandboxChange& change) const {
    const std::string prefix = roots_.prefix_of(roots_[change.folder]);
    return bodkin::encoding_of(change.path, change.text, [&](const std::string& rules) {
      const auto text = bench_.draft.read(prefix + rules, task_);
      return text ? std::optional(text->text.str()) : std::nullopt;
    });
  }

  // Decodes its text to UTF-8, if it has another encoding that is known.
  const SandboxChange& in_utf8(const SandboxChange& change) {
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

  void add(const SandboxChange& change) {
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

  void add_text(const Roots::Place& place, const SandboxChange& change) {
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
    ChangedFile file;
    file.path = path;
    if (before) file.before = before->text;
    if (!is_removed) {
      file.after = Text(change.text);
      if (file.before == file.after) return;
      // The model saw a marker in a secret's place and wrote it down.
      if (has_piece_of_marker(change.text) &&
          !(before && has_piece_of_marker(before->text.str()))) {
        return refuse(path, "a marker \"[secret … removed by bodkin]\" would be written to it");
      }
    }
    if (!open_.contains(path) && was_written_since(place.absolute)) {
      return refuse(path, "it changed on disk in the meantime; run the command again");
    }
    file.kind = is_removed    ? FileChange::Kind::remove
                : file.before ? FileChange::Kind::overwrite
                              : FileChange::Kind::create;
    if (file.before && file.after) file.edits = changed_lines(*file.before, *file.after);
    modes_.push_back({change, path, place.absolute});
    taken_.files.push_back(std::move(file));
  }

  void drop_halves() {
    for (size_t before = taken_.files.size() + 1; taken_.files.size() < before;) {
      before = taken_.files.size();
      drop_incomplete_swaps();
      drop_half_moves();
    }
  }

  // A file that moved is one that is gone and one that has come: where that one is not part of the
  // proposal, this one stays, or its text would be lost.
  void drop_half_moves() {
    std::vector<ChangedFile> all;
    all.swap(taken_.files);
    for (ChangedFile& file : all) {
      const std::string why = file.after ? "" : why_it_stays(file);
      if (!why.empty()) {
        refuse(file.path, why);
      } else {
        taken_.files.push_back(std::move(file));
      }
    }
  }

  // The place where the text of a removed file seems to be now, if that file is left out; else
  // empty.
  std::string why_it_stays(const ChangedFile& removed) {
    const std::string before = removed.before->str();
    for (const auto& [path, change] : added_) {
      if (change->has_text && !change->is_link && refused_paths_.contains(path) &&
          is_version_of(before, change->text))
        return "its apparent new location was not accepted";
    }
    if (before.empty()) return "";
    const auto moved_to = [&](const std::string& path) {
      has_moved_out_ = true;
      return fmt::format("it seems to have moved to {}, which is left out", printable(path));
    };
    const std::string_view name = base_name_of(removed.path);
    for (const Kept& each : to_keep_) {
      const SandboxChange& change = each.change;
      if (is_folder(change) || change.is_link || change.state == State::removed ||
          change.state == State::mode)
        continue;
      // A compressed file, for example, has another text, and a longer name.
      const std::string_view now = base_name_of(each.path);
      const bool is_named_so =
          now == name || (now.starts_with(name) && now.substr(name.size()).starts_with('.'));
      if (is_named_so || (change.has_text && is_version_of(before, change.text)))
        return moved_to(each.path);
    }
    if (bench_.command_files) {
      if (const auto path = bench_.command_files->kept.path_of(before)) return moved_to(*path);
    }
    return left_out_ > 0 ? "its text may be in a file that was dropped because of the size limit"
                         : "";
  }

  // True if the disk has a link there, or in place of one of its folders.
  static bool is_behind_link(const Roots::Place& place) {
    const std::string& inside = place.inside;
    for (size_t end = 0; end != std::string::npos;) {
      end = inside.find('/', end + 1);
      const std::string path = join_path(place.root.folder, inside.substr(0, end));
      os::FileStatus status{};
      if (os::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode)) return true;
    }
    return false;
  }

  // If a file took the place of a folder, or a folder that of a file, nothing of it is taken,
  // unless all is.
  void drop_incomplete_swaps() {
    constexpr char kWhy[] = "a file and a folder swapped places, which an edit cannot express here";
    std::set<std::string> kept;
    for (const Kept& each : to_keep_) {
      // Removing what was only kept asks nothing of the proposal.
      const SandboxChange& change = each.change;
      const bool was_only_kept = change.state == State::removed && was_kept(change);
      if (!is_folder(change) && !was_only_kept) kept.insert(each.path);
    }
    for (size_t i = 0; i < taken_.files.size();) {
      const std::string path = taken_.files[i].path;
      const bool is_refused = excludes_one_of(refused_paths_, path);
      if (!is_refused && !excludes_one_of(kept, path)) {
        ++i;
        continue;
      }
      taken_.files.erase(taken_.files.begin() + static_cast<std::ptrdiff_t>(i));
      if (is_refused || !bench_.command_files) {
        refuse(path, kWhy);
      } else {
        kept.insert(path);
        to_keep_.push_back({std::ranges::find(modes_, path, &Moded::path)->change, path, kWhy});
      }
      i = 0;  // another one may now be a half
    }
    std::vector<Kept> all;
    all.swap(to_keep_);
    for (Kept& each : all) {
      if (!is_folder(each.change) && excludes_one_of(refused_paths_, each.path)) {
        refuse(each.path, kWhy);
      } else {
        to_keep_.push_back(std::move(each));
      }
    }
  }

  void keep_or_refuse(const SandboxChange& change, const std::string& path,
                      const std::string& why) {
    const bool can_be_kept = bench_.command_files && (change.has_text || change.is_link);
    if (!can_be_kept) return refuse(path, why);
    to_keep_.push_back({change, path, why});
  }

  bool was_kept(const SandboxChange& change) const {
    return bench_.command_files && bench_.command_files->kept.has(change.folder, change.path);
  }

  // Keeps what is not part of the draft for later commands, and the modes of what is.
  void keep() {
    if (!bench_.command_files) {
      left_out_ += static_cast<uint64_t>(
          std::ranges::count_if(to_keep_, [](const Kept& each) { return each.change.is_ignored; }));
      return;
    }
    for (const Kept& each : to_keep_) keep(each);
    for (const Moded& each : modes_) keep_mode(each);
  }

  struct Kept {
    const SandboxChange& change;
    std::string path, why;  // for the user; empty: nobody needs to know
  };

  // The files that the draft has removed below a folder, as KeptFiles wants them.
  std::vector<std::string> removed_below(const Kept& folder) const {
    std::vector<std::string> removed;
    const std::string below = folder.path + "/";
    for (const ChangedFile& file : bench_.draft.files()) {
      if ((!file.after || file.rename_to) && file.path.starts_with(below))
        removed.push_back(folder.change.path + "/" + file.path.substr(below.size()));
    }
    return removed;
  }

  void keep(const Kept& each) {
    KeptFiles& kept = bench_.command_files->kept;
    const SandboxChange& change = each.change;
    if (change.state == State::folder_gone) {
      // Not if a file in it stays.
      if (!excludes_one_of(refused_paths_, each.path)) {
        kept.keep_removed_folder(change.folder, change.path,
                                 join_path(roots_[change.folder].folder, change.path),
                                 removed_below(each));
      }
      return;
    }
    bench_.command_files->not_proposed.erase(each.path);
    bench_.command_files->ignored.erase(each.path);
    if (change.state == State::removed) {
      kept.keep_removed(change.folder, change.path);
    } else if (change.state == State::mode) {
      kept.set_mode(change);
    } else if (!kept.keep(change)) {
      if (each.why.empty()) {
        left_out_ += change.state != State::folder;
      } else {
        refuse(each.path, each.why + "; there was no room to keep it");
      }
      return;
    }
    if (change.is_ignored && each.why.empty()) {
      ignored_.push_back(printable(each.path) +
                         (change.state == State::removed ? " (removed)" : ""));
      if (change.state != State::removed) bench_.command_files->ignored.insert(each.path);
    }
    if (each.why.empty()) return;
    named_.push_back(fmt::format("{} ({})", printable(each.path), each.why));
    note(each.path, each.why);
  }

  struct Moded {
    const SandboxChange& change;
    std::string path, absolute;
  };

  // Keeps only modes of files that became part of the draft, or of which the mode alone was
  // changed.
  void keep_mode(const Moded& each) {
    const SandboxChange& change = each.change;
    const bool is_taken = std::ranges::any_of(
        taken_.files, [&](const ChangedFile& file) { return file.path == each.path; });
    if (!is_taken && change.state != State::mode) return;
    if (!is_taken && bench_.command_files->kept.has(change.folder, change.path))
      return bench_.command_files->kept.set_mode(change);
    bench_.command_files->kept.forget(change.folder, change.path);
    bench_.command_files->not_proposed.erase(each.path);
    bench_.command_files->ignored.erase(each.path);
    if (change.state == State::removed) return;
    bench_.command_files->kept.set_mode(change);
    const unsigned before = mode_once_applied(each);
    const bool was_program = (before & 0111) != 0, is_program = (change.mode & 0111) != 0;
    const bool is_private = (change.mode & 077) == 0 && (before & 077) != 0;
    if (was_program == is_program && !is_private) return;
    const std::string path = printable(each.path);
    if (is_private) {
      named_.push_back(fmt::format("{} (mode {:03o})", path, change.mode & 0777));
    } else {
      named_.push_back(fmt::format("{} ({}executable)", path, is_program ? "" : "not "));
    }
    bench_.command_files->not_proposed[each.path] = {
        is_private
            ? fmt::format(
                  "A command set the mode of {0} to {1:03o}, which a proposal cannot carry; "
                  "after applying it, run `chmod {1:03o} {0}`.",
                  path, change.mode & 0777)
            : fmt::format("A command made {0} {1}executable, which a proposal cannot do; after "
                          "applying it, run `chmod {2}x {0}`.",
                          path, is_program ? "" : "not ", is_program ? "+" : "-"),
        true};
  }

  // The mode that the file has when the proposal is applied, without what a command did to it.
  unsigned mode_once_applied(const Moded& each) const {
    os::FileStatus status{};
    if (os::lstat(each.absolute.c_str(), &status) == 0) return status.st_mode;
    // A file that only moves is renamed.
    const auto made = std::ranges::find(taken_.files, each.path, &ChangedFile::path);
    for (const ChangedFile& gone : taken_.files) {
      if (made == taken_.files.end() || gone.after || gone.before != made->after) continue;
      const auto from = std::ranges::find(modes_, gone.path, &Moded::path);
      if (from != modes_.end() && os::lstat(from->absolute.c_str(), &status) == 0)
        return status.st_mode;
    }
    return 0666 & ~file_mask();
  }

  // The times of files go a few milliseconds slow: what was written so shortly after `begun_` was
  // there before the command.
  bool was_written_since(const std::string& absolute) const {
    os::FileStatus status{};
    if (os::lstat(absolute.c_str(), &status) != 0) return false;
    return std::chrono::nanoseconds(os::changed_at(status)) > begun_.time_since_epoch();
  }

  // True if git tracks it although it ignores it.
  bool is_listed(const std::string& path) {
    if (!listed_) {
      auto paths = bench_.draft.list("", kMaxTracked, task_);
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

  // Empty, or why nothing is taken: the user has refused.
  std::string ask() {
    ApplyReport allowed;
    allowed.ok = true;
    for (ChangedFile& file : std::exchange(taken_.files, {})) {
      ApplyReport one;
      one.ok = true;
      one.files.push_back(std::move(file));
      const auto may = bench_.gate->admit_edit(one, bench_.draft, task_, /*asks=*/false);
      if (may) {
        allowed.files.push_back(std::move(one.files[0]));
      } else {
        refuse(one.files[0].path, may.error().message);
      }
    }
    const auto may = bench_.gate->admit_edit(allowed, bench_.draft, task_);
    if (!may && may.error().code == Error::Code::cancelled) return may.error().message;
    if (!may) {
      for (const ChangedFile& file : allowed.files) refuse(file.path, may.error().message);
      allowed.files.clear();
    }
    taken_.files = std::move(allowed.files);
    return "";
  }

  ToolBench& bench_;
  const std::chrono::system_clock::time_point begun_;
  const Task& task_;
  const Roots roots_;
  std::set<std::string, std::less<>> open_;
  std::optional<std::set<std::string, std::less<>>> listed_;
  ApplyReport taken_;
  std::deque<SandboxChange> in_utf8_;
  std::vector<Kept> to_keep_;
  std::vector<Moded> modes_;
  std::vector<std::pair<std::string, const SandboxChange*>> added_;  // by path
  std::set<std::string> refused_paths_;
  std::vector<std::string> refused_, named_, ignored_;
  uint64_t left_out_ = 0;
  bool moves_work_ = false, has_moved_out_ = false;
};

}  // namespace

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
