// More than 350 lines: one transaction, and how each of its steps is undone.
#include "lsp/apply/write_files.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <random>
#include <set>

#include "agent/platform/files.h"
#include "agent/support/path_text.h"
#include "edits/plan/paths.h"
#include "lsp/apply/in_place.h"
#include "lsp/apply/write_journal.h"

namespace bodkin {

namespace {

constexpr std::string_view kOurs = ".bodkin-";  // how the names begin that undo may remove

class Transaction {
 public:
  Transaction(const ConfinedFolder& folder, const JournalFolder& journals, const Fault& fault)
      : folder_(folder), journals_(journals), steps_(fault) {}

  Result<void> write(const std::vector<FileWrite>& writes);
  std::vector<std::string> written_in_place() const;
  Result<std::vector<std::string>> recover();

 private:
  void plan(const std::vector<FileWrite>& writes);
  Result<void> write_journal();
  Result<void> stage(const FileWrite& write, const JournalEntry& entry);
  Result<void> stage_in_place(const FileWrite& write, const JournalEntry& entry);
  Result<void> put(const FileWrite& write, const JournalEntry& entry);
  Result<void> undo(std::vector<std::string>* said);
  Result<void> undo_entry(const JournalEntry& entry, std::vector<std::string>* said);
  Result<void> undo_in_place(const JournalEntry& entry, std::vector<std::string>* said);
  void clean_up();

  const ConfinedFolder& folder_;
  const JournalFolder& journals_;
  const DiskSteps steps_;
  Journal journal_;
};

void Transaction::plan(const std::vector<FileWrite>& writes) {
  const uint32_t token = std::random_device()();
  std::set<std::string> made;
  for (const FileWrite& write : writes) {
    if (write.after)
      for (const std::string& folder : folder_.missing_folders(write.path))
        if (made.insert(folder).second) journal_.folders.push_back(folder);
    const std::string name = fmt::format(".bodkin-{:08x}-{}", token, journal_.entries.size());
    const bool changes = write.before && write.after;
    journal_.entries.push_back({write.path, name + ".new", name + ".old", digest_of(write.before),
                                digest_of(write.after),
                                changes && !can_be_replaced(folder_, write.path)});
  }
}

std::vector<std::string> Transaction::written_in_place() const {
  std::vector<std::string> paths;
  for (const JournalEntry& entry : journal_.entries)
    if (entry.in_place) paths.push_back(entry.path);
  return paths;
}

Result<void> Transaction::write_journal() {
  const int at = journals_.number();
  os::FileStatus root{};
  if (os::fstat(folder_.number(), &root) != 0) return failed_step(folder_.path());
  journal_.root = folder_.path();
  journal_.inode = fmt::format("{}", root.st_ino);
  const std::string draft = journals_.draft(), name = journals_.journal();
  os::unlinkat(at, draft.c_str(), 0);  // of a run that was killed while it wrote it
  FileDescriptor file;
  const bool there =
      steps_.make_file(at, draft, 0600, &file) &&
      steps_.write_text(file.number(), written(journal_)) &&
      steps_.step("rename the journal",
                  [&] { return os::renameat(at, draft.c_str(), at, name.c_str()); }) &&
      steps_.sync("sync a folder", at);
  if (there) return {};
  const int error = errno;
  os::unlinkat(at, draft.c_str(), 0);
  os::unlinkat(at, name.c_str(), 0);
  return failed_step("the journal cannot be written to " + journals_.path(), os::strerror(error));
}

Result<void> Transaction::stage_in_place(const FileWrite& write, const JournalEntry& entry) {
  const FileDescriptor directory = folder_.directory_of(write.path);
  const std::string name(last_part(write.path));
  if (!directory || os::faccessat(directory.number(), name.c_str(), W_OK, AT_EACCESS) != 0)
    return failed_step(write.path + " cannot be written");
  const int at = journals_.number();
  for (const auto& [copy, text] :
       {std::pair(&entry.fresh, &write.after), std::pair(&entry.saved, &write.before)}) {
    FileDescriptor file;
    if (!steps_.make_file(at, *copy, 0600, &file) || !steps_.write_text(file.number(), **text))
      return failed_step("a copy of " + write.path + " cannot be written to " + journals_.path());
  }
  return steps_.sync("sync a folder", at) ? Result<void>() : failed_step(journals_.path());
}

// Step 3 for one file.
Result<void> Transaction::stage(const FileWrite& write, const JournalEntry& entry) {
  if (entry.in_place) return stage_in_place(write, entry);
  const FileDescriptor directory = folder_.directory_of(write.path);
  if (!directory) return failed_step(write.path + " cannot be written");
  const int at = directory.number();
  const std::string name(last_part(write.path));
  FileDescriptor old;  // whose mode and owner the new text gets
  if (write.before || !write.like.empty()) {
    const std::string& like = write.before ? write.path : write.like;
    const FileDescriptor its = folder_.directory_of(like);
    if (!its) return failed_step(like + " cannot be read");
    const std::string its_name(last_part(like));
    old = FileDescriptor(
        os::openat(its.number(), its_name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!old) return failed_step(like + " cannot be read");
    if (os::faccessat(its.number(), its_name.c_str(), W_OK, AT_EACCESS) != 0)
      return failed_step(like + " cannot be written");
  }
  if (write.after) {
    if (auto done = steps_.write_like(write.path, at, entry.fresh, *write.after, old, write.mode);
        !done)
      return done;
  }
  if (!write.before)
    return steps_.sync_directory(directory) ? Result<void>() : failed_step(write.path);
  if (!steps_.step("link the old file",
                   [&] { return os::linkat(at, name.c_str(), at, entry.saved.c_str(), 0); })) {
    if (errno != EPERM && errno != EOPNOTSUPP && errno != EMLINK)
      return failed_step(write.path + " cannot be set aside");
    // No hard links here: a copy.
    if (auto done = steps_.write_like(write.path, at, entry.saved, *write.before, old); !done)
      return done;
  }
  return steps_.sync_directory(directory) ? Result<void>() : failed_step(write.path);
}

// Step 4 for one file.
Result<void> Transaction::put(const FileWrite& write, const JournalEntry& entry) {
  const FileDescriptor directory = folder_.directory_of(write.path);
  if (!directory) return failed_step(write.path + " cannot be replaced");
  const int at = directory.number();
  const std::string name(last_part(write.path));
  const std::optional<std::string> now = read_file_at(at, name);
  if (!now && (errno == EMFILE || errno == ENFILE))
    return failed_step(write.path + " cannot be read");
  if (now != write.before || (!write.before && errno != ENOENT)) {
    return fail(Error::Code::stale, write.path + " was changed by another program meanwhile");
  }
  if (entry.in_place) {
    if (steps_.write_over("write in place", at, name, *write.after)) return {};
    return failed_step(write.path + " cannot be written");
  }
  const bool there = steps_.step(!write.after    ? "remove the old file"
                                 : !write.before ? "link the new file"
                                                 : "rename the new file",
                                 [&] {
                                   if (!write.after) return os::unlinkat(at, name.c_str(), 0);
                                   if (!write.before) {  // never onto a file that came in between
                                     const int linked =
                                         os::linkat(at, entry.fresh.c_str(), at, name.c_str(), 0);
                                     if (linked == 0 || (errno != EPERM && errno != EOPNOTSUPP))
                                       return linked;
                                   }
                                   return os::renameat(at, entry.fresh.c_str(), at, name.c_str());
                                 });
  if (!there) return failed_step(write.path + " cannot be replaced");
  return steps_.sync_directory(directory) ? Result<void>() : failed_step(write.path);
}

Result<void> Transaction::write(const std::vector<FileWrite>& writes) {
  plan(writes);
  if (auto there = write_journal(); !there) return there;
  const auto all = [&]() -> Result<void> {
    for (const std::string& path : journal_.folders) {
      const FileDescriptor directory = folder_.directory_of(path);
      if (!directory || !steps_.step("make a folder", [&] {
            return os::mkdirat(directory.number(), std::string(last_part(path)).c_str(), 0777);
          }))
        return failed_step("the folder " + path + " cannot be made");
      if (!steps_.sync_directory(directory)) return failed_step(path);
    }
    for (size_t i = 0; i < writes.size(); ++i)
      if (auto done = stage(writes[i], journal_.entries[i]); !done) return done;
    for (size_t i = 0; i < writes.size(); ++i)
      if (auto done = put(writes[i], journal_.entries[i]); !done) return done;
    if (!steps_.step("rename the journal to done", [&] {
          return os::renameat(journals_.number(), journals_.journal().c_str(), journals_.number(),
                              journals_.done().c_str());
        }))
      return failed_step("the change cannot be finished");
    return {};
  };
  if (auto done = all(); !done) {
    if (auto undone = undo(nullptr); !undone) {
      done.error().message += fmt::format(
          "; {}, so some files may have been changed; the next run in {} tries again to restore "
          "them",
          undone.error().message, folder_.path());
    }
    return done;
  }
  steps_.sync("sync a folder", journals_.number());
  clean_up();
  return {};
}

Result<void> Transaction::undo_in_place(const JournalEntry& entry, std::vector<std::string>* said) {
  const FileDescriptor directory = folder_.directory_of(entry.path);
  const int beside = journals_.number();
  const std::string name(last_part(entry.path));
  const auto now = directory ? read_file_at(directory.number(), name) : std::nullopt;
  const auto old = read_file_at(beside, entry.saved), fresh = read_file_at(beside, entry.fresh);
  bool keep = false;
  if (digest_of(now) != entry.before) {
    const bool is_ours = now && fresh && digest_of(old) == entry.before &&
                         digest_of(fresh) == entry.after &&
                         (is_half_written(*now, *old, *fresh) ||
                          is_half_written(*now, *fresh, *old));  // undone half
    if (is_ours && !steps_.write_over("change a file back", directory.number(), name, *old))
      return failed_step(entry.path + " cannot be restored");
    keep = !is_ours && old.has_value();
    if (said)
      said->push_back(is_ours ? entry.path + " was restored"
                              : entry.path + " has been edited since and is left as it is" +
                                    (keep ? "; its text before the interrupted run is in " +
                                                join_path(journals_.path(), entry.saved)
                                          : ""));
  }
  for (const std::string* left : {&entry.fresh, &entry.saved}) {
    if (keep && left == &entry.saved) continue;
    if (!steps_.remove_leftover(beside, *left)) return failed_step(*left + " cannot be removed");
  }
  return {};
}

Result<void> Transaction::undo_entry(const JournalEntry& entry, std::vector<std::string>* said) {
  if (entry.in_place) return undo_in_place(entry, said);
  const FileDescriptor directory = folder_.directory_of(entry.path);
  if (!directory) {
    if (errno == ENOENT || errno == ENOTDIR) return {};  // its folder was not made yet, or is gone
    return failed_step(entry.path + " cannot be restored");
  }
  const int at = directory.number();
  const std::string name(last_part(entry.path));
  const std::optional<std::string> now = read_file_at(at, name);
  // A folder, pipe or link that was put there since is left alone.
  const bool foreign = !now && (errno == EINVAL || errno == EISDIR || errno == ELOOP);
  if (!now && !foreign && errno != ENOENT) return failed_step(entry.path + " cannot be restored");
  const std::string digest = foreign ? "foreign" : digest_of(now);
  bool keep = false;
  const bool saved = entry.before != "none";
  if (digest == entry.after &&
      (!saved || digest_of(read_file_at(at, entry.saved)) == entry.before)) {
    if (!steps_.step("change a file back", [&] {
          return saved ? os::renameat(at, entry.saved.c_str(), at, name.c_str())
                       : os::unlinkat(at, name.c_str(), 0);
        }))
      return failed_step(entry.path + " cannot be restored");
    if (said) said->push_back(entry.path + " was restored");
  } else if (digest != entry.before) {
    const std::optional<std::string> old = read_file_at(at, entry.saved);
    keep = old && *old != now;
    if (said)
      said->push_back(entry.path + " has been edited since and is left as it is" +
                      (keep ? "; its text before the interrupted run is in " + entry.saved : ""));
  }
  for (const std::string* left : {&entry.fresh, &entry.saved}) {
    if (keep && left == &entry.saved) continue;
    if (!steps_.remove_leftover(at, *left)) return failed_step(*left + " cannot be removed");
  }
  return steps_.sync_directory(directory) ? Result<void>() : failed_step(entry.path);
}

Result<void> Transaction::undo(std::vector<std::string>* said) {
  Result<void> all;  // a failure does not prevent the rest from being undone
  for (auto entry = journal_.entries.rbegin(); entry != journal_.entries.rend(); ++entry)
    if (auto done = undo_entry(*entry, said); !done) all = done;
  if (!all) return all;
  for (auto path = journal_.folders.rbegin(); path != journal_.folders.rend(); ++path)
    if (const FileDescriptor directory = folder_.directory_of(*path))
      os::unlinkat(directory.number(), std::string(last_part(*path)).c_str(), AT_REMOVEDIR);
  if (!steps_.remove("remove the journal", journals_.number(), journals_.journal()) &&
      errno != ENOENT)
    return failed_step("the journal cannot be removed");
  steps_.sync("sync a folder", journals_.number());
  return {};
}

// Step 6. What cannot be removed now is removed by the next run.
void Transaction::clean_up() {
  bool all = true;
  for (const JournalEntry& entry : journal_.entries) {
    const FileDescriptor directory = folder_.directory_of(entry.path);
    const int at = entry.in_place ? journals_.number() : directory.number();
    for (const std::string* left : {&entry.fresh, &entry.saved})
      if (entry.in_place || directory) all &= steps_.remove_leftover(at, *left);
  }
  if (all) steps_.remove("remove the mark", journals_.number(), journals_.done());
}

Result<std::vector<std::string>> Transaction::recover() {
  std::vector<std::string> said;
  os::FileStatus root{};
  if (os::fstat(folder_.number(), &root) != 0) return failed_step(folder_.path());
  os::unlinkat(journals_.number(), journals_.draft().c_str(), 0);
  for (const std::string& name : {journals_.done(), journals_.journal()}) {
    const std::optional<std::string> bytes = journals_.read(name);
    if (!bytes && errno == ENOENT) continue;
    std::optional<Journal> journal = bytes ? read_journal(*bytes) : std::nullopt;
    bool sane = journal.has_value() && journal->root == folder_.path();
    for (size_t i = 0; sane && i < journal->entries.size(); ++i) {
      const JournalEntry& entry = journal->entries[i];
      for (const std::string* left : {&entry.fresh, &entry.saved})
        sane &= left->starts_with(kOurs) && left->find('/') == left->npos;
      const Result<std::string> path = folder_.resolve(entry.path);
      sane &= path && *path == entry.path;
    }
    if (!sane) {
      return fail(
          Error::Code::invalid_input,
          fmt::format(
              "{}/{} is not a journal that bodkin wrote for you; inspect it, then remove it",
              journals_.path(), name));
    }
    if (journal->inode != fmt::format("{}", root.st_ino)) {
      // The changed files are gone with the folder, or are elsewhere now.
      steps_.remove("remove the journal", journals_.number(), name);
      said.push_back(
          fmt::format("it changed a different folder that was then {}, which is left as it is",
                      folder_.path()));
      continue;
    }
    journal_ = std::move(*journal);
    if (name == journals_.done()) {
      clean_up();
    } else if (auto undone = undo(&said); !undone) {
      return std::unexpected(undone.error());
    }
  }
  return said;
}

}  // namespace

// Decides: how files are written, all or none: the apply journal.
Result<std::vector<std::string>> write_files(const ConfinedFolder& folder,
                                             const JournalFolder& journals,
                                             const std::vector<FileWrite>& writes,
                                             const Fault& fault) {
  if (writes.empty()) return std::vector<std::string>();
  if (auto can = check_writes(folder, writes); !can) return std::unexpected(can.error());
  Transaction transaction(folder, journals, fault);
  if (auto done = transaction.write(writes); !done) return std::unexpected(done.error());
  return transaction.written_in_place();
}

Result<std::vector<std::string>> recover_files(const ConfinedFolder& folder,
                                               const JournalFolder& journals, const Fault& fault) {
  return Transaction(folder, journals, fault).recover();
}

}  // namespace bodkin
