#include <fmt/format.h>

#include <cstdint>
#include <set>

#include "agent/platform/files.h"
#include "agent/support/path_text.h"
#include "edits/plan/paths.h"
#include "lsp/apply/write_files.h"

namespace bodkin {

namespace {

std::unexpected<Error> obstructed(std::string_view path, std::string_view why) {
  return fail(Error::Code::invalid_input, fmt::format("{} {}", path, why));
}

Result<void> check_path(const ConfinedFolder& folder, const std::string& path,
                        os::FileStatus& status) {
  const std::string absolute = join_path(folder.path(), path);
  if (last_part(path).starts_with(".bodkin-") || is_in_journal_folder(absolute))
    return obstructed(path, "belongs to bodkin itself");
  if (auto can = folder.check_file(path); !can) return can;
  if (os::fstatat(folder.number(), path.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) status = {};
  return {};
}

}  // namespace

Result<void> check_writes(const ConfinedFolder& folder, const std::vector<FileWrite>& writes) {
  std::set<std::string_view> made;
  std::set<std::pair<uint64_t, uint64_t>> files;  // device, inode
  for (const FileWrite& write : writes) {
    os::FileStatus status{};
    if (auto can = check_path(folder, write.path, status); !can) return can;
    const bool other = status.st_nlink < 2 || files.emplace(status.st_dev, status.st_ino).second;
    if (!other) return obstructed(write.path, "and another edited path are links to the same file");
    if (write.after) made.insert(write.path);
  }
  for (const std::string_view path : made)
    for (size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1))
      if (made.contains(path.substr(0, slash)))
        return obstructed(path.substr(0, slash), "cannot be both a file and a folder");
  return {};
}

}  // namespace bodkin
