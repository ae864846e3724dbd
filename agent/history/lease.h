// Lease: a lock per name, held by at most one process; released when the process ends, however that
// happens.
#pragma once

#include <expected>
#include <string>

#include "agent/platform/file_descriptor.h"

namespace bodkin {

class Lease {
 public:
  enum class Refusal { held, no_place };  // another has it; there is no place for its file

  // `path`: of the history, next to which its file is. `name`: of a workspace or a session.
  static std::expected<Lease, Refusal> take(const std::string& path, const std::string& name);
  // Whether a process has it now, this one included.
  static bool is_held(const std::string& path, const std::string& name);
  Lease(Lease&& other) noexcept = default;
  Lease& operator=(Lease&&) = delete;
  ~Lease();

 private:
  Lease(FileDescriptor file, std::string name) : file_(std::move(file)), name_(std::move(name)) {}
  FileDescriptor file_;
  std::string name_;  // of the file
};

// The name for a session in which an ask runs.
inline std::string lease_name(const std::string& session) { return "session " + session; }

}  // namespace bodkin
