// Sandbox: a program that nobody has reviewed runs on a view of the workspace, and reaches nothing
// else. (README, "How it works", has the table of what is where.)
//
//   namespaces   our own launcher makes user, mount, PID, IPC, UTS and network namespaces; the
//                workspace is an overlay at its own path, in memory
//   bubblewrap   the same walls made by bwrap(1), where only that is allowed; the workspace is a
//                bounded copy at its own path, in memory
//   none         a bounded copy in the temporary folder and nothing more: the user is asked first
//
// The launcher is this same program (run_as_sandbox_launcher), so that what holds keys never runs
// foreign code, not even between a fork and an exec.
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

// What this machine allows. `reason`: why not a better one, the end of a sentence; may be empty.
struct SandboxAbility {
  Confinement kind = Confinement::none;
  std::string reason;
};
// Tries it the first time, which blocks for some tens of milliseconds. Any thread.
const SandboxAbility& sandbox_ability();

// The user's settings, bodkin.sandbox.*.
struct SandboxSettings {
  bool network = false;
  // Besides what well-known tools need (agent/sandbox/sandbox_shown.h); absolute or "~/…".
  std::vector<std::string> readable;     // files and folders
  std::vector<std::string> caches;       // folders that can be written; what is written is dropped
  std::vector<std::string> environment;  // names of variables that pass, too
};

struct SandboxLimits {
  uint64_t processes = 1024;
  uint64_t memory = 0;  // bytes of all processes together; 0: three quarters of the machine's
  uint64_t space = 0;   // bytes that are written; 0: half of the machine's memory, at most 4 GB
  size_t output = 32u << 20;  // bytes
};

// A folder that the program may change; the disk keeps its bytes.
struct SandboxFolder {
  struct File {
    std::string path;     // relative to `folder`, which it does not leave, not by a link either
    std::string text;     // of a link: where it leads
    unsigned mode = 0;    // permissions; 0: those of the disk's file, else 0644
    int64_t time_ns = 0;  // since 1970; 0: now
    bool is_link = false;
    bool is_folder = false;  // an empty one
  };
  std::string folder;             // canonical
  std::vector<File> drafts;       // in place of the disk's
  std::vector<std::string> gone;  // not there
};

// A file in a folder of a sandbox that is not as it was when the command began.
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
  // What a copy of one of them holds, without drafts. Called only where there is no overlay.
  // Errors: as run_in_sandbox.
  std::function<Result<std::vector<SandboxFolder::File>>(const std::string& folder)> copy;
  SandboxSettings settings;
  SandboxLimits limits;
  std::chrono::milliseconds timeout{60'000};
  bool may_be_unconfined = false;  // else nothing runs where there are no walls
  bool wants_changes = false;      // SandboxOutcome::changes
};

struct SandboxOutcome {
  int exit_code = 0;                // 128 + n, if signal n ended it
  std::string output;               // both streams
  std::vector<std::string> hidden;  // private files of the folders that were not there, the first
  // Why it was ended before its end (its time, a limit), a sentence without its full stop; empty:
  // it ended by itself. The output is what there was until then.
  std::string ended;
  SandboxChanges changes;  // if they were wanted and it ended by itself
};

// Blocks; nothing of the program is left when it returns. Private files of the folders (is_secret,
// .bodkinignore) are not there. Errors, as the end of a sentence for the user: cancelled;
// unavailable (not confined as wished, too large to copy); internal (ended for its time or a limit,
// and the rest). Where the walls cannot be built nothing runs. Any thread.
Result<SandboxOutcome> run_in_sandbox(const SandboxRun& run, const std::stop_token& stop);

// How a program is started that keeps running, and that we talk to through its pipes.
struct SandboxedServer {
  std::vector<std::string> arguments;  // the program first; see rpc::Command
  std::string first_input;             // is written to it before anything else
};
// In walls as in run_in_sandbox, but without a folder of the workspace, and with variables
// ("NAME=value") of its own. What it writes to files is lost. Its standard error tells why, if it
// cannot be started. Error, as the end of a sentence: unavailable (this machine has no sandbox).
// Blocks for some tens of milliseconds. Any thread.
Result<SandboxedServer> sandboxed_server(std::vector<std::string> command,
                                         const SandboxSettings& settings,
                                         const std::vector<std::string>& variables,
                                         const std::stop_token& stop);

// First in main(): true if this process was started as a launcher, which is over then.
bool run_as_sandbox_launcher(int argc, char** argv, int& exit_code);

}  // namespace bodkin
