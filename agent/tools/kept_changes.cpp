// Drops changes of a command whose other half is not taken, and keeps what no edit carries for
// later commands.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>

#include "agent/platform/files.h"
#include "agent/support/path_text.h"
#include "agent/tools/changes_taker.h"
#include "edits/plan/paths.h"
#include "edits/text/pieces.h"

namespace bodkin {

namespace {

// True if one of these files is in a folder of this name, or this file in a folder of one's name.
// They cannot both be there.
bool excludes_one_of(const std::set<std::string>& paths, const std::string& path) {
  for (size_t end = path.find('/'); end != std::string::npos; end = path.find('/', end + 1)) {
    if (paths.contains(path.substr(0, end))) return true;
  }
  const auto next = paths.lower_bound(path + "/");
  return next != paths.end() && next->starts_with(path + "/");
}

// True if it is the same text, or shares at least half of the lines of the longer one.
bool is_version_of(std::string_view before, std::string_view after) {
  if (before == after) return true;
  std::map<std::string_view, long> counts;
  long shared = 0;
  const auto old_lines = split_lines(before), new_lines = split_lines(after);
  for (const std::string_view line : old_lines) ++counts[line];
  for (const std::string_view line : new_lines) shared += counts[line]-- > 0;
  return shared > 0 && shared * 2 >= std::max(std::ssize(old_lines), std::ssize(new_lines));
}

bool is_folder(const SandboxChange& change) {
  return change.state == SandboxChange::State::folder ||
         change.state == SandboxChange::State::folder_gone;
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

}  // namespace

void ChangesTaker::drop_halves() {
  for (size_t before = taken_.size() + 1; taken_.size() < before;) {
    before = taken_.size();
    drop_incomplete_swaps();
    drop_half_moves();
  }
}

// A file that moved is one that is gone and one that has come: where that one is not part of the
// proposal, this one stays, or its text would be lost.
void ChangesTaker::drop_half_moves() {
  std::vector<ChangedFile> all;
  all.swap(taken_);
  for (ChangedFile& file : all) {
    const std::string why = file.after ? "" : why_it_stays(file);
    if (!why.empty()) {
      refuse(file.path, why);
    } else {
      taken_.push_back(std::move(file));
    }
  }
}

// The place where the text of a removed file seems to be now, if that file is left out; else
// empty.
std::string ChangesTaker::why_it_stays(const ChangedFile& removed) {
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
  const std::string_view name = last_part(removed.path);
  for (const Kept& each : to_keep_) {
    const SandboxChange& change = each.change;
    if (is_folder(change) || change.is_link || change.state == State::removed ||
        change.state == State::mode)
      continue;
    // A compressed file, for example, has another text, and a longer name.
    const std::string_view now = last_part(each.path);
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

// If a file took the place of a folder, or a folder that of a file, nothing of it is taken,
// unless all is.
void ChangesTaker::drop_incomplete_swaps() {
  constexpr char kWhy[] = "a file and a folder swapped places, which an edit cannot express here";
  std::set<std::string> kept;
  for (const Kept& each : to_keep_) {
    // Removing what was only kept asks nothing of the proposal.
    const SandboxChange& change = each.change;
    const bool was_only_kept = change.state == State::removed && was_kept(change);
    if (!is_folder(change) && !was_only_kept) kept.insert(each.path);
  }
  for (size_t i = 0; i < taken_.size();) {
    const std::string path = taken_[i].path;
    const bool is_refused = excludes_one_of(refused_paths_, path);
    if (!is_refused && !excludes_one_of(kept, path)) {
      ++i;
      continue;
    }
    taken_.erase(taken_.begin() + static_cast<std::ptrdiff_t>(i));
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

// Keeps changes that are not part of the draft for later commands, and the modes of those that are.
void ChangesTaker::keep() {
  if (!bench_.command_files) {
    left_out_ += static_cast<uint64_t>(
        std::ranges::count_if(to_keep_, [](const Kept& each) { return each.change.is_ignored; }));
    return;
  }
  for (const Kept& each : to_keep_) keep(each);
  for (const Moded& each : modes_) keep_mode(each);
}

// The files that the draft has removed below a folder, as KeptFiles wants them.
std::vector<std::string> ChangesTaker::removed_below(const Kept& folder) const {
  std::vector<std::string> removed;
  const std::string below = folder.path + "/";
  for (const ChangedFile& file : bench_.draft.files()) {
    if ((!file.after || file.rename_to) && file.path.starts_with(below))
      removed.push_back(folder.change.path + "/" + file.path.substr(below.size()));
  }
  return removed;
}

void ChangesTaker::keep(const Kept& each) {
  KeptFiles& kept = bench_.command_files->kept;
  const SandboxChange& change = each.change;
  if (change.state == State::folder_gone) {
    // It is kept as removed unless a file in it stays.
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
    ignored_.push_back(printable(each.path) + (change.state == State::removed ? " (removed)" : ""));
    if (change.state != State::removed) bench_.command_files->ignored.insert(each.path);
  }
  if (each.why.empty()) return;
  named_.push_back(fmt::format("{} ({})", printable(each.path), each.why));
  note(each.path, each.why);
}

// Keeps only modes of files that became part of the draft, or of which the mode alone was
// changed.
void ChangesTaker::keep_mode(const Moded& each) {
  const SandboxChange& change = each.change;
  const bool is_taken =
      std::ranges::any_of(taken_, [&](const ChangedFile& file) { return file.path == each.path; });
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
          ? fmt::format("A command set the mode of {0} to {1:03o}, which a proposal cannot carry; "
                        "after applying it, run `chmod {1:03o} {0}`.",
                        path, change.mode & 0777)
          : fmt::format("A command made {0} {1}executable, which a proposal cannot do; after "
                        "applying it, run `chmod {2}x {0}`.",
                        path, is_program ? "" : "not ", is_program ? "+" : "-"),
      true};
}

// The mode that the file has when the proposal is applied, without what a command did to it.
unsigned ChangesTaker::mode_once_applied(const Moded& each) const {
  os::FileStatus status{};
  if (os::lstat(each.absolute.c_str(), &status) == 0) return status.st_mode;
  // A file that only moves is renamed.
  const auto made = std::ranges::find(taken_, each.path, &ChangedFile::path);
  for (const ChangedFile& gone : taken_) {
    if (made == taken_.end() || gone.after || gone.before != made->after) continue;
    const auto from = std::ranges::find(modes_, gone.path, &Moded::path);
    if (from != modes_.end() && os::lstat(from->absolute.c_str(), &status) == 0)
      return status.st_mode;
  }
  return 0666 & ~file_mask();
}

}  // namespace bodkin
