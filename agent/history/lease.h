// Lease: at most one process at a time has it for a workspace. It ends with the process, however
// that ends.
#pragma once

#include <optional>
#include <string>

#include "agent/support/file_descriptor.h"

namespace bodkin {

class Lease {
 public:
  // `path`: of the history, next to which its file is. Nothing: another process has it, or there is
  // no place for the file.
  static std::optional<Lease> take(const std::string& path, const std::string& workspace);

 private:
  explicit Lease(FileDescriptor file) : file_(std::move(file)) {}
  FileDescriptor file_;
};

}  // namespace bodkin
