#include "lsp/mcp/kept_changes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "agent/support/json.h"
#include "agent/support/wire_json.h"
#include "lsp/apply/disk_steps.h"
#include "lsp/apply/write_journal.h"

namespace bodkin::mcp {

namespace {

using nlohmann::json;

constexpr size_t kMaxKept = 50;
constexpr size_t kIdLength = 16;

bool is_id(const std::string& id) {
  return id.size() == kIdLength && id.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// Those above the file that are not there yet, from the top.
json folders_to_make(const ConfinedFolder& folder, const std::string& path) {
  json made = json::array();
  for (size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1)) {
    const std::string above = path.substr(0, slash);
    struct stat status {};
    if (::fstatat(folder.number(), above.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
      made.push_back(above);
  }
  return made;
}

// A line of JSON, and behind it the old texts, whose sizes it names.
std::string written(const std::vector<ChangedFile>& files, const ConfinedFolder& folder) {
  const auto real = [&](const std::string& path) { return folder.resolve(path).value_or(path); };
  json head = json::array();
  std::string texts;
  for (const ChangedFile& file : files) {
    json entry = {{"path", real(file.path)}};
    if (file.rename_to) entry["to"] = real(*file.rename_to);
    struct stat status {};
    if (!file.after && ::fstatat(folder.number(), file.path.c_str(), &status, 0) == 0)
      entry["mode"] = status.st_mode & 0777;
    if (json made = folders_to_make(folder, real(file.rename_to.value_or(file.path)));
        file.after && !made.empty())
      entry["folders"] = std::move(made);
    if (file.before) {
      entry["before"] = file.before->size();
      texts += file.before->str();
    }
    entry["after"] = digest_of(file.after ? std::optional(file.after->str()) : std::nullopt);
    head.push_back(std::move(entry));
  }
  return head.dump(-1, ' ', false, json::error_handler_t::replace) + "\n" + texts;
}

std::optional<std::vector<KeptFile>> read_change(const std::string& bytes) {
  const size_t line = bytes.find('\n');
  if (line == std::string::npos) return std::nullopt;
  const auto head = parse_json(std::string_view(bytes).substr(0, line));
  if (!head || !head->is_array()) return std::nullopt;
  std::vector<KeptFile> files;
  size_t at = line + 1;
  for (const json& entry : *head) {
    KeptFile file{.path = string_at(entry, "path"),
                  .to = std::nullopt,
                  .before = std::nullopt,
                  .after = string_at(entry, "after"),
                  .mode = std::nullopt,
                  .folders = {}};
    for (const json& made : bodkin::at(entry, "folders"))
      if (made.is_string()) file.folders.push_back(made.get<std::string>());
    if (entry.contains("mode")) file.mode = static_cast<mode_t>(int_at(entry, "mode")) & 0777;
    if (entry.contains("to")) file.to = string_at(entry, "to");
    if (entry.contains("before")) {
      const auto size = static_cast<size_t>(int_at(entry, "before"));
      if (size > bytes.size() - at) return std::nullopt;
      file.before = bytes.substr(at, size);
      at += size;
    }
    if (file.path.empty()) return std::nullopt;
    files.push_back(std::move(file));
  }
  return files;
}

void forget_old_ones(const JournalFolder& journals) {
  std::vector<std::pair<int64_t, std::string>> kept;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(journals.path(), error)) {
    const std::string name = entry.path().filename().string();
    struct stat status {};
    if (name.ends_with(".change") && name.starts_with(journals.change("").substr(0, kIdLength)) &&
        ::fstatat(journals.number(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0)
      kept.emplace_back(status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec, name);
  }
  if (kept.size() <= kMaxKept) return;
  std::ranges::sort(kept);
  for (size_t i = 0; i + kMaxKept < kept.size(); ++i)
    ::unlinkat(journals.number(), kept[i].second.c_str(), 0);
}

}  // namespace

Result<std::string> keep_change(const JournalFolder& journals, const ConfinedFolder& folder,
                                const std::vector<ChangedFile>& files) {
  std::random_device random;
  const std::string id = fmt::format("{:08x}{:08x}", random(), random());
  const std::string name = journals.change(id);
  const Fault none;
  const DiskSteps steps(none);
  FileDescriptor file;
  if (!steps.make_file(journals.number(), name, 0600, &file) ||
      !steps.write_text(file.number(), written(files, folder))) {
    const std::string why = std::strerror(errno);
    ::unlinkat(journals.number(), name.c_str(), 0);
    return fail(Error::Code::unavailable,
                "the change cannot be kept in " + journals.path() + " (" + why + ")");
  }
  forget_old_ones(journals);
  return id;
}

Result<std::vector<KeptFile>> kept_change(const JournalFolder& journals, const std::string& id) {
  const auto bytes = is_id(id) ? journals.read(journals.change(id)) : std::nullopt;
  auto files = bytes ? read_change(*bytes) : std::nullopt;
  if (!files) {
    return fail(Error::Code::not_found,
                "no such change is kept for this folder (the last 50 are, until they are undone)");
  }
  return *std::move(files);
}

void remove_made_folders(const ConfinedFolder& folder, const std::vector<KeptFile>& files) {
  std::set<std::string> made;  // what is below a folder sorts behind it
  for (const KeptFile& file : files) made.insert(file.folders.begin(), file.folders.end());
  for (auto path = made.rbegin(); path != made.rend(); ++path)
    if (const FileDescriptor above = folder.directory_of(*path))
      ::unlinkat(above.number(), std::string(last_part(*path)).c_str(), AT_REMOVEDIR);
}

void forget_change(const JournalFolder& journals, const std::string& id) {
  ::unlinkat(journals.number(), journals.change(id).c_str(), 0);
}

}  // namespace bodkin::mcp
