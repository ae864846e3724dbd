// SandboxPlan: the launcher's instructions, on its standard input, and its answer, on its standard
// error. Both ends are the same program, so the format needs no version.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agent/sandbox/sandbox.h"

namespace bodkin {

// The plan's size in decimal and a line end come before it. What follows it is the command's input,
// if the plan `serves`.
inline constexpr char kSandboxArgument[] = "--sandbox-launcher";

struct SandboxPlan {
  enum class Isolation : uint8_t {
    user_namespaces,  // as any user, if allowed
    root_namespaces,  // as root, without user namespaces
    inside,           // bwrap has already isolated us
    open,             // no isolation
  };
  struct Place {
    enum class Kind : uint8_t {
      hidden,  // an empty folder or file, if something exists there
      kept,    // as on the disk, read-only, even if a folder above is hidden
      fresh,   // an empty writable folder; what is written is discarded
      view,    // of folders[index]
    };
    std::string path;  // absolute; canonical, except for `kept` and caches
    Kind kind = Kind::hidden;
    uint64_t index = 0;
  };
  struct Folder {
    SandboxFolder files;
    bool is_cache = false;  // read-only if no overlay can be mounted
    bool is_copy = false;   // no overlay: `files` is everything
  };

  Isolation way = Isolation::user_namespaces;
  std::vector<std::string> command, environment;
  bool network = false, wants_changes = false;
  bool serves = false;  // it keeps running, and its streams are the launcher's own
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
    withheld,    // text: why what it said and changed must not be used
    failed,      // nothing ran; text: why, for the user
  };
  End end = End::failed;
  int exit_code = 0;
  std::string text;
  std::vector<std::string> hidden;
  uint64_t changes = 0;  // bytes of encoded SandboxChanges that follow the command's output
};

// run_in_sandbox in the given way, for tests.
Result<SandboxOutcome> run_with(const SandboxRun& run, SandboxPlan::Isolation way,
                                const std::stop_token& stop);

// True if something of the disk is shown in /tmp: then no file can be made there.
bool shows_temporary(const SandboxPlan& plan);

std::string encode(const SandboxPlan& plan);  // with its size
std::optional<SandboxPlan> decode_plan(const std::string& bytes);
std::string encode(const SandboxReport& report);  // one line
std::optional<SandboxReport> decode_report(const std::string& errors);
std::string encode(const SandboxChanges& changes);
std::optional<SandboxChanges> decode_changes(std::string_view bytes);

}  // namespace bodkin
