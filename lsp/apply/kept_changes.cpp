#include "lsp/apply/kept_changes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>

#include "agent/support/json.h"
#include "agent/support/wire_json.h"
#include "lsp/apply/folder_changes.h"
#include "lsp/workspace/disk_steps.h"

namespace bodkin {

namespace {

using nlohmann::json;

// Decides: how many changes of bodkin apply can be undone.
constexpr size_t kMaxKept = 50;
constexpr size_t kIdLength = 16;

bool is_id(const std::string& id) {
  return id.size() == kIdLength && id.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// The folders above the file that do not exist yet, from the top.
std::vector<std::string> folders_above(const ConfinedFolder& folder, const std::string& path) {
  std::vector<std::string> made;
  for (size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1)) {
    const std::string above = path.substr(0, slash);
    struct stat status {};
    if (::fstatat(folder.number(), above.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
      made.push_back(above);
  }
  return made;
}

// A line of JSON, and after it the texts, the old one of each file before its new one, whose sizes
// it names.
std::string written(const std::vector<ChangedFile>& files, const ConfinedFolder& folder,
                    std::string_view by) {
  const auto real = [&](const std::string& path) { return folder.resolve(path).value_or(path); };
  const Encodings removed_in = encodings_of_removed(files, folder);
  json files_json = json::array();
  std::string texts;
  for (const ChangedFile& file : files) {
    json entry = {{"path", real(file.path)}};
    if (file.rename_to) entry["to"] = real(*file.rename_to);
    struct stat status {};
    if (!file.after && ::fstatat(folder.number(), file.path.c_str(), &status, 0) == 0)
      entry["mode"] = status.st_mode & 0777;
    if (const auto found = removed_in.find(file.path); found != removed_in.end())
      entry["encoding"] = found->second;
    if (const auto made = folders_above(folder, real(file.rename_to.value_or(file.path)));
        file.after && !made.empty())
      entry["folders"] = made;
    if (file.before) {
      entry["before"] = file.before->size();
      texts += file.before->str();
    }
    if (file.after) {
      entry["text"] = file.after->size();
      texts += file.after->str();
    }
    files_json.push_back(std::move(entry));
  }
  const json head = {{"root", folder.path()}, {"by", by}, {"files", std::move(files_json)}};
  return text_of_json(head) + "\n" + texts;
}

std::optional<KeptChange> read_change(const std::string& bytes) {
  const size_t line = bytes.find('\n');
  if (line == std::string::npos) return std::nullopt;
  const auto head = parse_json(std::string_view(bytes).substr(0, line));
  if (!head) return std::nullopt;
  KeptChange change{.root = string_at(*head, "root"), .by = string_at(*head, "by")};
  const json& entries = bodkin::at(*head, "files");
  if (change.root.empty() || !entries.is_array()) return std::nullopt;
  size_t at = line + 1;
  bool is_whole = true;
  const auto text_of = [&](const json& entry, const char* name) -> std::optional<Text> {
    if (!entry.contains(name)) return std::nullopt;
    const auto size = static_cast<size_t>(int_at(entry, name));
    is_whole = is_whole && size <= bytes.size() - at;
    if (!is_whole) return std::nullopt;
    at += size;
    return Text(bytes.substr(at - size, size));
  };
  for (const json& entry : entries) {
    KeptFile file;
    file.path = string_at(entry, "path");
    for (const json& made : bodkin::at(entry, "folders"))
      if (made.is_string()) file.folders.push_back(made.get<std::string>());
    if (entry.contains("mode")) file.mode = static_cast<mode_t>(int_at(entry, "mode")) & 0777;
    if (entry.contains("encoding")) file.encoding = string_at(entry, "encoding");
    if (entry.contains("to")) file.rename_to = string_at(entry, "to");
    file.before = text_of(entry, "before");
    file.after = text_of(entry, "text");
    if (file.path.empty() || !is_whole) return std::nullopt;
    file.kind = file.after ? FileChange::Kind::overwrite : FileChange::Kind::remove;
    change.files.push_back(std::move(file));
  }
  return change;
}

constexpr std::string_view end_of(Kept kept) {
  return kept == Kept::made ? ".change" : kept == Kept::undone ? ".undone" : ".question";
}

void forget_old_ones(const JournalFolder& journals, Kept kept) {
  const FileDescriptor folder = open_journals();
  size_t count = 0;
  for (const std::string& name : names_of_changes(folder, journals.kept("", ""), end_of(kept)))
    if (++count > kMaxKept) ::unlinkat(journals.number(), name.c_str(), 0);
}

// The names of those that were made, also if they were undone since; of one, or of all.
std::vector<std::string> names_of_made(const FileDescriptor& journals, const std::string& id) {
  std::vector<std::string> names;
  for (const Kept kept : {Kept::made, Kept::undone})
    std::ranges::move(names_of_changes(journals, "", id + std::string(end_of(kept))),
                      std::back_inserter(names));
  return names;
}

// The id in the name of a change; empty: it is no such name.
std::string id_in(std::string_view name) {
  const std::string_view stem = name.substr(0, name.rfind('.'));
  return stem.size() < kIdLength ? "" : std::string(stem.substr(stem.size() - kIdLength));
}

}  // namespace

Result<std::string> keep_change(const JournalFolder& journals, const ConfinedFolder& folder,
                                std::string_view by, const std::vector<ChangedFile>& files,
                                Kept kept) {
  std::random_device random;
  const std::string id = fmt::format("{:08x}{:08x}", random(), random());
  const std::string name = journals.kept(id, end_of(kept));
  const FileDescriptor file(::openat(journals.number(), name.c_str(),
                                     O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  // Not synced: a power cut may take the undo, and never a file.
  if (!file || write_all(file.number(), written(files, folder, by)) != 0) {
    const std::string why = std::strerror(errno);
    ::unlinkat(journals.number(), name.c_str(), 0);
    return fail(Error::Code::unavailable,
                "the change cannot be kept in " + journals.path() + " (" + why + ")");
  }
  forget_old_ones(journals, kept);
  return id;
}

std::optional<KeptChange> kept_question(const std::string& id) {
  if (!is_id(id)) return std::nullopt;
  return newest_change([&](const KeptChange& change) { return change.id == id; }, Kept::question);
}

Result<std::vector<KeptFile>> kept_change(const JournalFolder& journals, const std::string& id,
                                          Kept kept) {
  const auto bytes = is_id(id) ? journals.read(journals.kept(id, end_of(kept))) : std::nullopt;
  auto change = bytes ? read_change(*bytes) : std::nullopt;
  if (!change) {
    return fail(Error::Code::not_found,
                "no such change is kept for this folder (the last 50 are, until they are undone)");
  }
  return std::move(change->files);
}

std::optional<KeptChange> newest_change(const std::function<bool(const KeptChange&)>& is_meant,
                                        Kept kept, const ConfinedFolder* root) {
  const FileDescriptor journals = open_journals();
  if (!journals) return std::nullopt;
  for (const std::string& name :
       names_of_changes(journals, root ? hash_of_root(*root) : "", end_of(kept))) {
    struct stat status {};
    const auto bytes = read_private(journals, name);
    auto change = bytes ? read_change(*bytes) : std::nullopt;
    if (!change || id_in(name).empty() ||
        ::fstatat(journals.number(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
      continue;
    change->id = id_in(name);
    change->time = status.st_mtim.tv_sec * 1000 + status.st_mtim.tv_nsec / 1'000'000;
    if (is_meant(*change)) return change;
  }
  return std::nullopt;
}

std::vector<std::string> kept_ids() {
  const FileDescriptor journals = open_journals();
  std::vector<std::string> ids;
  if (!journals) return ids;
  for (const std::string& name : names_of_made(journals, ""))
    if (!id_in(name).empty()) ids.push_back(id_in(name));
  return ids;
}

void set_kept(const JournalFolder& journals, const std::string& id, Kept kept) {
  const std::string to = journals.kept(id, end_of(kept));
  const std::string from =
      journals.kept(id, end_of(kept == Kept::undone ? Kept::made : Kept::undone));
  if (::renameat(journals.number(), from.c_str(), journals.number(), to.c_str()) != 0) return;
  ::utimensat(journals.number(), to.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
  forget_old_ones(journals, kept);
}

void forget_change(const JournalFolder& journals, const std::string& id, Kept kept) {
  ::unlinkat(journals.number(), journals.kept(id, end_of(kept)).c_str(), 0);
}

bool forget_changes(const std::string& id) {
  const FileDescriptor journals = open_journals();
  bool is_gone = true;
  if (!journals || (!id.empty() && !is_id(id))) return true;
  for (const std::string& name : names_of_made(journals, id))
    is_gone = ::unlinkat(journals.number(), name.c_str(), 0) == 0 && is_gone;
  return is_gone;
}

std::set<std::string> folders_to_make(const ConfinedFolder& folder,
                                      const std::vector<ChangedFile>& files) {
  std::set<std::string> made;
  for (const ChangedFile& file : files) {
    const std::string& path = file.rename_to.value_or(file.path);
    if (file.after)
      for (std::string& above : folders_above(folder, folder.resolve(path).value_or(path)))
        made.insert(std::move(above));
  }
  return made;
}

std::set<std::string> folders_made_for(const std::vector<KeptFile>& files) {
  std::set<std::string> made;
  for (const KeptFile& file : files) made.insert(file.folders.begin(), file.folders.end());
  return made;
}

void remove_made_folders(const ConfinedFolder& folder, const std::set<std::string>& made) {
  for (auto path = made.rbegin(); path != made.rend(); ++path)  // what is below one comes before it
    if (const FileDescriptor above = folder.directory_of(*path))
      ::unlinkat(above.number(), std::string(last_part(*path)).c_str(), AT_REMOVEDIR);
}

}  // namespace bodkin
