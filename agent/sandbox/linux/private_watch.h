// PrivateWatch: whether something private can be seen in a sandbox's folders that could not when
// they were searched. They show the disk, where others go on to write, rename and commit. Linux
// only.
#pragma once

#include <sys/inotify.h>
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "agent/platform/file_descriptor.h"
#include "agent/sandbox/git_stores.h"
#include "agent/sandbox/sandbox_files.h"
#include "agent/workspace/privacy.h"

namespace bodkin {

// One thread. Changes its working folder.
class PrivateWatch {
 public:
  // From now on SIGIO, which this thread blocks, tells that there is something to read.
  PrivateWatch();

  // How a hidden place is covered, so that a file that replaces it on the disk is noticed.
  enum class Cover : uint8_t {
    whiteout,  // not so: the name is hidden, whatever it names
    mount,
    mounted_before,  // and what is below it cannot be watched
  };
  // A folder at `path`, before it is searched; `name`: for messages. `ask`: about what git has, if
  // its folders are not hidden.
  void add(const std::string& path, const std::string& name, IgnoreLists ignored, Cover cover,
           bool hides_git, AskGit ask);
  // Takes the findings of the search of the folder that was added last.
  void set_hidden(const LayerFindings& found);

  // The end of a sentence; empty: nothing. What takes long is done now and then unless `is_last`.
  std::string what_is_seen(bool is_last);

 private:
  using FileId = std::pair<dev_t, ino_t>;
  struct Folder {
    std::string name;
    FileDescriptor folder;
    IgnoreLists ignored;
    Cover cover = Cover::whiteout;
    bool hides_git = false;
    AskGit ask;
    std::set<std::string> hidden;
    std::set<FileId> private_files;
    bool has_changed = false;  // in a way that only a search can judge

    bool hides(const std::string& path) const;  // or a folder around it
    bool has_hidden_in(const std::string& path) const;
    bool is_private(const std::string& path, bool is_folder) const;
  };

  void watch(size_t index, const std::string& folder, bool is_new);
  void meet(const inotify_event& event, const std::string& name);
  void meet_file(size_t index, const std::string& path, bool is_folder, bool was_private,
                 bool is_from_elsewhere);
  void search(Folder& folder);

  FileDescriptor events_;
  size_t most_;              // folders that are watched
  bool is_complete_ = true;  // else not all folders are watched
  std::vector<Folder> folders_;
  std::map<int, std::pair<size_t, std::string>> watched_;  // folders: "", or with a '/' at the end
  std::set<int> watched_files_;                            // private ones
  std::set<std::pair<size_t, std::string>> gone_;  // new folders that nobody could look into
  bool may_be_linked_ = false;                     // one of these
  std::map<uint32_t, bool> moved_;                 // by cookie: whether it was private
  std::chrono::steady_clock::time_point next_search_{};
  std::string why_;
};

}  // namespace bodkin
