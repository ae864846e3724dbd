// DiskSteps: what write_files does on the disk, one step at a time, so that a test can have each of
// them fail. Errors: unavailable, with the path and the reason.
#pragma once

#include <cerrno>
#include <functional>
#include <string>
#include <string_view>

#include "edits/text/result.h"
#include "lsp/workspace/confined_folder.h"

namespace bodkin {

// Called before every step that changes the disk, with its name; what it returns other than 0 is
// the errno with which the step fails instead of being made. For tests.
using Fault = std::function<int(std::string_view step)>;

// A failed step: what could not be done, and errno if there is no other reason.
std::unexpected<Error> failed_step(const std::string& what, std::string_view reason = {});

class DiskSteps {
 public:
  explicit DiskSteps(const Fault& fault) : fault_(fault) {}

  // Makes one step, unless the fault comes first. False: errno says why.
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
  // Looks first: on a read-only file system the removal of nothing fails too.
  bool remove_leftover(int directory, const std::string& name) const;

  bool make_file(int directory, const std::string& name, mode_t mode, FileDescriptor* file) const;
  bool write_text(int number, std::string_view text) const;
  // A file that stands for `old`: before it holds a byte, who may read it is who may read the old
  // one. None: a file as any program of the person's makes it. `path`: for the error.
  Result<void> write_like(const std::string& path, int directory, const std::string& name,
                          std::string_view text, const FileDescriptor& old) const;

 private:
  Result<void> copy_owner(const std::string& path, int from, int to) const;

  const Fault& fault_;
};

}  // namespace bodkin
