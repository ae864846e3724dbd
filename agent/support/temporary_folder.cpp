#include "agent/support/temporary_folder.h"

#include <cerrno>
#include <filesystem>

#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/platform/walk.h"
#include "agent/support/user_folders.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;

// bodkin-UID, or nothing.
std::string common_folder(TemporaryFolder::Where where) {
  std::error_code error;
  fs::path above;
  if (where == TemporaryFolder::Where::memory) above = absolute_variable("XDG_RUNTIME_DIR");
  if (above.empty() || !fs::is_directory(above, error)) above = os::temporary_folder();
  if (above.empty()) return "";
  return (above / ("bodkin-" + std::to_string(os::geteuid()))).generic_string();
}

// Ours alone, no link, and open to nobody else.
bool is_private_to_us(int folder) {
  os::FileStatus status{};
  return os::fstat(folder, &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == os::geteuid() && (status.st_mode & 077) == 0;
}

int open_folder(const std::string& path) {
  return os::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// Folders that a program created may be closed even to their owner.
void remove_whole(const fs::path& path) {
  std::error_code error;
  os::remove_all(path, error);
  if (!error) return;
  os::chmod(os::text_of(path).c_str(), 0700);
  walk(path.generic_string(), [](const fs::directory_entry& entry) {
    std::error_code ignored;
    if (entry.is_directory(ignored) && !os::is_symlink(entry, ignored))
      os::chmod(os::text_of(entry.path()).c_str(), 0700);
    return Walk::on;
  });
  os::remove_all(path, error);
}

void remove_abandoned(const std::string& common) {
  const int folder = open_folder(common);
  if (folder < 0) return;
  if (is_private_to_us(folder)) {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(common, error)) {
      const int inside = open_folder(entry.path().generic_string());
      if (inside < 0) continue;
      if (os::flock(inside, LOCK_EX | LOCK_NB) == 0) remove_whole(entry.path());
      os::close(inside);
    }
  }
  os::close(folder);
  os::rmdir(common.c_str());  // if it is empty
}

}  // namespace

Result<TemporaryFolder> TemporaryFolder::make(Where where) {
  const std::string common = common_folder(where);
  if (common.empty()) return fail(Error::Code::internal, "no temporary folder is available");
  // Another bodkin may remove the empty folder in between, and a cleaner may remove a folder that
  // is not locked yet.
  for (int tries = 0; tries < 100; ++tries) {
    if (os::mkdir(common.c_str(), 0700) != 0 && errno != EEXIST) {
      return fail(Error::Code::internal, "cannot write to the temporary folder");
    }
    const int above = open_folder(common);
    if (above < 0 && errno == ENOENT) continue;
    const bool is_ours = above >= 0 && is_private_to_us(above);
    if (above >= 0) os::close(above);
    if (!is_ours) {
      return fail(Error::Code::internal,
                  common + " is not a private folder of yours; please remove it");
    }
    std::string path = common + "/XXXXXX";
    if (!os::make_unique_folder(path)) continue;
    const int lock = open_folder(path);
    os::FileStatus status{};
    if (lock >= 0 && os::flock(lock, LOCK_EX | LOCK_NB) == 0 &&
        os::lstat(path.c_str(), &status) == 0) {
      return TemporaryFolder(std::move(path), lock);
    }
    if (lock >= 0) os::close(lock);
  }
  return fail(Error::Code::internal, "cannot write to the temporary folder");
}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty()) return;
  remove_whole(path_);
  os::rmdir(path_.substr(0, path_.rfind('/')).c_str());  // if it is empty
  os::close(lock_);
}

void remove_abandoned_folders() {
  remove_abandoned(common_folder(TemporaryFolder::Where::disk));
  remove_abandoned(common_folder(TemporaryFolder::Where::memory));
}

}  // namespace bodkin
