// TemporaryFolder: a private folder outside the workspace that does not outlive us: what a crashed
// process left behind is removed by the next one of the same user.
#pragma once

#include <string>
#include <utility>

#include "edits/text/result.h"

namespace bodkin {

class TemporaryFolder {
 public:
  // memory: in $XDG_RUNTIME_DIR, if it exists.
  enum class Where { disk, memory };
  // In a folder bodkin-UID, which must belong to us and be private. Error: internal, with a
  // sentence for the user.
  static Result<TemporaryFolder> make(Where where);

  TemporaryFolder(TemporaryFolder&& other) noexcept
      : path_(std::exchange(other.path_, {})), lock_(std::exchange(other.lock_, -1)) {}
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(lock_, other.lock_);
    return *this;
  }
  ~TemporaryFolder();  // removes it with its contents

  const std::string& path() const { return path_; }

 private:
  TemporaryFolder(std::string path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::string path_;
  int lock_ = -1;  // held while we live, which is more reliable than a pid in a file
};

// Removes leftovers of processes that have ended. Cheap; any thread.
void remove_abandoned_folders();

}  // namespace bodkin
