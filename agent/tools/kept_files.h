// KeptFiles: what the commands of an ask left for its later commands and no edit carries: files
// that git ignores or that are not text, links, empty and removed folders, and file modes. In
// memory and bounded; they go with the ask.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/sandbox/sandbox.h"

namespace bodkin {

// Folders are counted as in SandboxRun::folders; paths are relative to them. On the ask's thread.
class KeptFiles {
 public:
  // Keeps a file, link or empty folder that a command made or changed. False: there is no room, and
  // any kept part of it is gone.
  bool keep(const SandboxChange& change);
  // Hides it from later commands; the disk may have it.
  void keep_removed(size_t folder, const std::string& path);
  // The same of a folder, until there is something in it: of the draft, written on the disk, or a
  // file of the disk that the draft has removed and then no longer does. `absolute`: where the disk
  // may have it. `removed`: what the draft has removed below it.
  void keep_removed_folder(size_t folder, const std::string& path, const std::string& absolute,
                           std::vector<std::string> removed);
  // Reverts to the version in the draft or on the disk.
  void forget(size_t folder, const std::string& path);
  bool has(size_t folder, const std::string& path) const;
  // A file with this text, if there is one; relative to its folder.
  std::optional<std::string> path_of(std::string_view text) const;
  // The mode of a kept file, or of one whose text the draft or the disk has; its time too, as long
  // as the text is this.
  void set_mode(const SandboxChange& change);

  // Lays all of it over what the draft has there.
  void add_to(std::vector<SandboxFolder>& folders);

 private:
  struct Laid;
  using Paths = std::set<std::string>;
  void hide_folders(std::vector<SandboxFolder>& folders, const std::vector<Laid>& laid,
                    const std::vector<Paths>& removed);

  struct Mode {
    unsigned mode = 0;
    int64_t time_ns = 0;
    uint64_t hash = 0;  // of the text that was written at that time
  };
  struct GoneFolder {
    int64_t written = 0;  // when the disk's was last written to: st_mtim, in ns
    std::vector<std::string> removed;
  };
  using Key = std::pair<size_t, std::string>;
  std::map<Key, SandboxFolder::File> files_;
  std::set<Key> gone_;
  std::map<Key, GoneFolder> gone_folders_;
  std::map<Key, Mode> modes_;
  uint64_t bytes_ = 0;
};

}  // namespace bodkin
