// DiskSteps: the steps of write_files on disk, one at a time, so that a test can make each of them
// fail. Errors: unavailable, with the path and the reason.
#pragma once

#include <cerrno>
#include <functional>
#include <string>
#include <string_view>

#include "edits/text/result.h"
#include "lsp/workspace/confined_folder.h"

namespace bodkin {

// Called before every step that changes the disk, with the step's name; a nonzero return value is
// the errno with which the step fails. For tests.
using Fault = std::function<int(std::string_view step)>;

// A failed step: what could not be done, and errno if there is no other reason.
std::unexpected<Error> failed_step(const std::string& what, std::string_view reason = {});

// Writes all of it; nothing is synced. -1: errno says why.
int write_all(int number, std::string_view text);

class DiskSteps {
 public:
  explicit DiskSteps(const Fault& fault) : fault_(fault) {}

  // Performs one step, unless a fault is injected. False: errno says why.
  template <class Call>
  bool step(std::string_view name, Call call) const {
    if (fault_)
      if (const int injected = fault_(name)) {
        errno = injected;
        return false;
      }
    return call() == 0;
  }
  bool sync(std::string_view name, int number) const;
  bool sync_directory(const FileDescriptor& directory) const;
  bool remove(std::string_view step_name, int directory, const std::string& name) const;
  // Checks first: on a read-only file system even removing a missing file fails.
  bool remove_leftover(int directory, const std::string& name) const;

  bool make_file(int directory, const std::string& name, mode_t mode, FileDescriptor* file) const;
  bool write_text(int number, std::string_view text) const;
  // Replaces the text of the file `name`, from its beginning to its end, and syncs it.
  bool write_over(std::string_view step_name, int directory, const std::string& name,
                  std::string_view text) const;
  // A file that replaces `old`: its readers match the old file's even before it has content.
  // None: a file with `mode`, less the umask. `path`: for the error.
  Result<void> write_like(const std::string& path, int directory, const std::string& name,
                          std::string_view text, const FileDescriptor& old,
                          mode_t mode = 0666) const;

 private:
  Result<void> copy_owner(const std::string& path, int from, int to) const;

  const Fault& fault_;
};

}  // namespace bodkin
