// Sandbox: runs an unreviewed program on a view of the workspace, isolated from everything else.
// (README, "The sandbox", lists what it can see.)
//
//   namespaces   our own launcher creates user, mount, PID, IPC, UTS and network namespaces; the
//                workspace is an overlay in memory, at its own path
//   bubblewrap   bwrap(1) creates them, where only that is allowed; the workspace is a bounded copy
//                in memory, at its own path
//   none         a bounded copy in the temporary folder, without isolation: the user is asked first
//
// The launcher is this same program in another process (run_as_sandbox_launcher), so that a process
// that holds keys never runs foreign code, not even between fork and exec.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "edits/text/result.h"

namespace bodkin {

enum class Confinement { namespaces, bubblewrap, none };

// What this machine supports. `reason`: why not a better kind, the end of a sentence; may be empty.
struct SandboxAbility {
  Confinement kind = Confinement::none;
  std::string reason;
};
// The first call tries it out, which takes some tens of milliseconds. Any thread.
const SandboxAbility& sandbox_ability();

// The user's settings, bodkin.sandbox.*.
struct SandboxSettings {
  bool network = false;
  // In addition to what well-known tools need (sandbox_shown.h); absolute or "~/…".
  std::vector<std::string> readable;     // files and folders
  std::vector<std::string> caches;       // writable folders; what is written is discarded
  std::vector<std::string> environment;  // names of further variables that are passed on
};

struct SandboxLimits {
  uint64_t processes = 1024;
  uint64_t memory = 0;        // bytes of all processes together; 0: three quarters of the machine's
  uint64_t space = 0;         // bytes written; 0: half of the machine's memory, at most 4 GB
  size_t output = 32u << 20;  // bytes
};

// A folder that the program may change in its view; the disk stays as it is.
struct SandboxFolder {
  struct File {
    std::string path;     // relative to `folder`, and inside it even through links
    std::string text;     // of a link: its target
    unsigned mode = 0;    // permissions; 0: those of the disk's file, else 0644
    int64_t time_ns = 0;  // since 1970; 0: now
    bool is_link = false;
    bool is_folder = false;  // an empty one
  };
  std::string folder;             // canonical
  std::vector<File> drafts;       // replace the disk's
  std::vector<std::string> gone;  // removed from the view
};

// A file in a folder of a sandbox that the command has changed.
struct SandboxChange {
  enum class State : uint8_t {
    text,     // made, or with another text
    removed,  // a regular file, or a link
    binary,   // made or changed, and no UTF-8 text
    large,    // made or changed, and above 1 MB
    other,    // a link, pipe, socket or device was made or changed
    git,      // a folder of git in which something changed
    mode,     // the same text, but it became executable or is no longer
    folder,   // an empty folder was made
  };
  size_t folder = 0;  // index in SandboxRun::folders
  std::string path;   // relative to it; any bytes
  State state = State::text;
  std::string text;         // all of a file, if has_text; of a link: where it leads
  bool is_ignored = false;  // by a .gitignore, or of a build; git may track it nevertheless
  bool has_text = false;    // always of `text`; of the others as far as there is room
  bool is_link = false;     // of `other` and `removed`
  unsigned mode = 0;        // permissions of a file that is there
  int64_t time_ns = 0;      // since 1970; of a file that is there
};

struct SandboxChanges {
  std::vector<SandboxChange> list;  // each path once
  uint64_t left_out = 0;            // ignored files for which there was no room
  bool are_all = true;              // else there were too many, and the list is of no use
};

struct SandboxRun {
  std::vector<std::string> command;    // the program first; no shell
  std::string name;                    // of the command, for messages; empty: the command itself
  std::vector<SandboxFolder> folders;  // it runs in the first
  // The contents of a copy of one of them, without drafts. Only called if there is no overlay.
  // Errors: as for run_in_sandbox.
  std::function<Result<std::vector<SandboxFolder::File>>(const std::string& folder)> copy;
  SandboxSettings settings;
  SandboxLimits limits;
  std::chrono::milliseconds timeout{60'000};
  bool may_be_unconfined = false;  // else nothing runs without isolation
  bool wants_changes = false;      // SandboxOutcome::changes
};

struct SandboxOutcome {
  int exit_code = 0;                // 128 + n, if signal n ended it
  std::string output;               // both streams
  std::vector<std::string> hidden;  // the first of the folders' private files, which it did not see
  // Why it was ended early (timeout, a limit), a sentence without its full stop; empty: it ended by
  // itself. `output` is what it wrote until then.
  std::string ended;
  SandboxChanges changes;  // if wanted, and it ended by itself
};

// Blocks; no process of the program is left when it returns. The folders' private files (is_secret,
// .bodkinignore) are not visible. Errors, as the end of a sentence for the user: cancelled;
// unavailable (no isolation, too large to copy); internal (everything else). If the sandbox cannot
// be set up, nothing runs. Any thread.
Result<SandboxOutcome> run_in_sandbox(const SandboxRun& run, const std::stop_token& stop);

// To be called first in main(). True: this process was started as a launcher, and is done.
bool run_as_sandbox_launcher(int argc, char** argv, int& exit_code);

}  // namespace bodkin
