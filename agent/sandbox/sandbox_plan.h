// SandboxPlan: what the launcher is told on its standard input, and what it answers on its standard
// error. Both ends are the same program, so there are no versions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agent/sandbox/sandbox.h"

namespace bodkin {

inline constexpr char kSandboxArgument[] = "--sandbox-launcher";

struct SandboxPlan {
  enum class Way : uint8_t {
    user_namespaces,  // for everybody, where it is allowed
    root_namespaces,  // root, where there are no user namespaces
    inside,           // the walls stand (bwrap)
    open,             // no walls
  };
  struct Place {
    enum class Kind : uint8_t {
      hidden,  // an empty folder or file, if there is something
      kept,    // as it is on the disk, read-only, although a folder above is not
      fresh,   // an empty folder that can be written; what is written is dropped
      view,    // of folders[index]
    };
    std::string path;  // absolute; canonical, but for what is kept and caches
    Kind kind = Kind::hidden;
    uint64_t index = 0;
  };
  struct Folder {
    SandboxFolder files;
    bool is_cache = false;  // if no overlay can be mounted it is read-only
    bool is_copy = false;   // no overlay: what is in `files` is all
  };

  Way way = Way::user_namespaces;
  std::vector<std::string> command, environment;
  bool network = false, wants_changes = false;
  uint64_t timeout_ms = 0, processes = 0, memory = 0, space = 0;
  std::vector<Place> places;  // in the order in which they are mounted
  std::vector<Folder> folders;
};

struct SandboxReport {
  enum class End : uint8_t {
    exited,
    timed_out,
    limit,       // text: which
    no_overlay,  // nothing ran: send copies
    failed,      // nothing ran; text: why, for the user
  };
  End end = End::failed;
  int exit_code = 0;
  std::string text;
  std::vector<std::string> hidden;
  uint64_t changes = 0;  // bytes of encoded SandboxChanges behind the command's output
};

// run_in_sandbox in a way of one's own choice, for tests.
Result<SandboxOutcome> run_in_way(const SandboxRun& run, SandboxPlan::Way way,
                                  const std::stop_token& stop);

std::string encode(const SandboxPlan& plan);
std::optional<SandboxPlan> decode_plan(const std::string& bytes);
std::string encode(const SandboxReport& report);  // one line
std::optional<SandboxReport> decode_report(const std::string& errors);
std::string encode(const SandboxChanges& changes);
std::optional<SandboxChanges> decode_changes(std::string_view bytes);

}  // namespace bodkin
