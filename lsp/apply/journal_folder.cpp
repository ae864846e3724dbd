#include "lsp/apply/journal_folder.h"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>

#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/support/fnv1a.h"
#include "agent/support/user_folders.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;

// Empty if there is none.
// Decides: where the apply journal is kept.
fs::path journal_path() {
  const fs::path state = state_folder();
  return state.empty() ? state : state / "apply";
}

constexpr std::chrono::milliseconds kLockedAgain{20};  // until another try

// False: the file system has no locks, so that concurrent runs are detected by the changed texts;
// or `stop` was requested.
bool lock_file(int number, const std::stop_token& stop) {
  const int how = stop.stop_possible() ? LOCK_EX | LOCK_NB : LOCK_EX;
  while (os::flock(number, how) != 0) {
    if (errno == EWOULDBLOCK && !stop.stop_requested())
      std::this_thread::sleep_for(kLockedAgain);
    else if (errno != EINTR)
      return false;
  }
  return true;
}

std::unexpected<Error> cancelled() { return fail(Error::Code::cancelled, "it was cancelled"); }

std::unexpected<Error> unusable(const fs::path& folder, std::string_view why) {
  return fail(
      Error::Code::unavailable,
      fmt::format("cannot keep the journal in {} ({}); set XDG_STATE_HOME to a folder that you own",
                  os::text_of(folder), why));
}

// The beginning of the names of everything that belongs to a root.
std::string hash_of_root(const ConfinedFolder& root) {
  return fmt::format("{:016x}", fnv1a(root.path()));
}

}  // namespace

Result<JournalFolder> JournalFolder::open(const ConfinedFolder& root, const std::stop_token& stop) {
  const fs::path path = journal_path();
  if (path.empty()) {
    return fail(Error::Code::unavailable, "no place for the journal: set HOME or XDG_STATE_HOME");
  }
  if (!make_private_folder(path)) return unusable(path, os::strerror(errno));
  JournalFolder folder;
  folder.path_ = os::text_of(path);
  folder.directory_ = FileDescriptor(
      os::open(folder.path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  os::FileStatus status{};
  if (!folder.directory_ || os::fstat(folder.number(), &status) != 0)
    return unusable(path, os::strerror(errno));
  if (status.st_uid != os::geteuid()) return unusable(path, "it belongs to another user");
  if ((status.st_mode & 077) != 0)
    return unusable(path, "other users can access it: its mode is not 0700");
  folder.hash_ = hash_of_root(root);
  if (auto locked = folder.lock(stop); !locked) {
    if (stop.stop_requested()) return std::unexpected(locked.error());
    return unusable(path, locked.error().message);
  }
  folder.root_ = FileDescriptor(os::openat(root.number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  lock_file(folder.root_.number(), stop);
  if (stop.stop_requested()) return cancelled();
  return folder;
}

Result<void> JournalFolder::lock(const std::stop_token& stop) {
  const std::string name = hash_ + ".lock";
  for (;;) {
    lock_ = FileDescriptor(os::openat(
        number(), name.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
    if (!lock_) return fail(Error::Code::unavailable, os::strerror(errno));
    if (!lock_file(lock_.number(), stop)) {
      if (!stop.stop_requested()) return {};
      lock_ = FileDescriptor();  // another run's: its name stays
      return cancelled();
    }
    // The previous holder removed the name; only the file with that name counts.
    os::FileStatus held{}, named{};
    if (os::fstat(lock_.number(), &held) == 0 &&
        os::fstatat(number(), name.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
        held.st_ino == named.st_ino) {
      return {};
    }
  }
}

JournalFolder::~JournalFolder() {
  if (lock_) os::unlinkat(number(), (hash_ + ".lock").c_str(), 0);
}

std::optional<std::string> JournalFolder::read(const std::string& name) const {
  os::FileStatus status{};
  if (os::fstatat(number(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
  if (!S_ISREG(status.st_mode) || status.st_uid != os::geteuid() || (status.st_mode & 077) != 0 ||
      status.st_nlink != 1) {
    errno = EPERM;
    return std::nullopt;
  }
  return read_file_at(number(), name);
}

bool needs_recovery(const ConfinedFolder& root) {
  const fs::path path = journal_path();
  const auto is_there = [&](const char* end) {
    os::FileStatus status{};
    return os::lstat(os::text_of(path / (hash_of_root(root) + end)).c_str(), &status) == 0;
  };
  return !path.empty() && (is_there(".journal") || is_there(".done"));
}

bool is_in_journal_folder(const std::string& absolute) {
  std::error_code error;
  const fs::path path = os::weakly_canonical(journal_path(), error);
  if (error || path.empty()) return false;
  return absolute == os::text_of(path) || absolute.starts_with(os::text_of(path) + "/");
}

}  // namespace bodkin
