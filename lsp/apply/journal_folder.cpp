#include "lsp/apply/journal_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "agent/support/fnv1a.h"
#include "agent/support/state_folder.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;

// Empty if there is none.
// Decides: where the apply journal is kept.
fs::path journal_path() {
  const fs::path state = state_folder();
  return state.empty() ? state : state / "apply";
}

constexpr timespec kLockedAgain{0, 20'000'000};  // 20 ms until another try

// False: the file system has no locks, so that concurrent runs are detected by the changed texts;
// or `stop` was requested.
bool lock_file(int number, const std::stop_token& stop) {
  const int how = stop.stop_possible() ? LOCK_EX | LOCK_NB : LOCK_EX;
  while (::flock(number, how) != 0) {
    if (errno == EWOULDBLOCK && !stop.stop_requested())
      ::nanosleep(&kLockedAgain, nullptr);
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
                  folder.string(), why));
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
  if (!make_private_folder(path)) return unusable(path, std::strerror(errno));
  JournalFolder folder;
  folder.path_ = path.string();
  folder.directory_ =
      FileDescriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status {};
  if (!folder.directory_ || ::fstat(folder.number(), &status) != 0)
    return unusable(path, std::strerror(errno));
  if (status.st_uid != ::geteuid()) return unusable(path, "it belongs to another user");
  if ((status.st_mode & 077) != 0)
    return unusable(path, "other users can access it: its mode is not 0700");
  folder.hash_ = hash_of_root(root);
  if (auto locked = folder.lock(stop); !locked) {
    if (stop.stop_requested()) return std::unexpected(locked.error());
    return unusable(path, locked.error().message);
  }
  folder.root_ = FileDescriptor(::openat(root.number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  lock_file(folder.root_.number(), stop);
  if (stop.stop_requested()) return cancelled();
  return folder;
}

Result<void> JournalFolder::lock(const std::stop_token& stop) {
  const std::string name = hash_ + ".lock";
  for (;;) {
    lock_ = FileDescriptor(::openat(number(), name.c_str(),
                                    O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
    if (!lock_) return fail(Error::Code::unavailable, std::strerror(errno));
    if (!lock_file(lock_.number(), stop)) {
      if (!stop.stop_requested()) return {};
      lock_ = FileDescriptor();  // another run's: its name stays
      return cancelled();
    }
    // The previous holder removed the name; only the file with that name counts.
    struct stat held {
    }, named{};
    if (::fstat(lock_.number(), &held) == 0 &&
        ::fstatat(number(), name.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
        held.st_ino == named.st_ino) {
      return {};
    }
  }
}

JournalFolder::~JournalFolder() {
  if (lock_) ::unlinkat(number(), (hash_ + ".lock").c_str(), 0);
}

std::optional<std::string> JournalFolder::read(const std::string& name) const {
  struct stat status {};
  if (::fstatat(number(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
  if (!S_ISREG(status.st_mode) || status.st_uid != ::geteuid() || (status.st_mode & 077) != 0 ||
      status.st_nlink != 1) {
    errno = EPERM;
    return std::nullopt;
  }
  return read_file_at(number(), name);
}

bool needs_recovery(const ConfinedFolder& root) {
  const fs::path path = journal_path();
  const auto is_there = [&](const char* end) {
    struct stat status {};
    return ::lstat((path / (hash_of_root(root) + end)).c_str(), &status) == 0;
  };
  return !path.empty() && (is_there(".journal") || is_there(".done"));
}

bool is_in_journal_folder(const std::string& absolute) {
  std::error_code error;
  const fs::path path = fs::weakly_canonical(journal_path(), error);
  if (error || path.empty()) return false;
  return absolute == path.string() || absolute.starts_with(path.string() + "/");
}

}  // namespace bodkin
