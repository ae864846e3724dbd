// Sandbox: a program that nobody has reviewed runs on a view of the workspace, and can access
// nothing else. (clients/USERS.md, "The sandbox", has the table of what is visible.)
//
//   namespaces   our own launcher makes user, mount, PID, IPC, UTS and network namespaces; the
//                workspace is an overlay at its own path, in memory
//   bubblewrap   the same isolation set up by bwrap(1), where only that is allowed; the workspace
//                is a bounded copy at its own path, in memory
//   none         a bounded copy in the temporary folder and nothing more: the user is asked first
//
// The launcher is this same program (run_as_sandbox_launcher), so that a process that holds keys
// never runs foreign code, not even between fork and exec.
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

// The isolation that this machine supports. `reason`: why nothing better is available, as the end
// of a sentence; may be empty.
struct SandboxAbility {
  Confinement kind = Confinement::none;
  std::string reason;
  std::string program;  // with which there may be one, if it is installed; may be empty
};
// The first call probes the machine and blocks for some tens of milliseconds. Any thread.
const SandboxAbility& sandbox_ability();

// The user's settings, bodkin.sandbox.*.
struct SandboxSettings {
  bool network = false;
  // Besides what well-known tools need (agent/sandbox/linux/sandbox_shown.h); absolute or "~/…".
  std::vector<std::string> readable;     // files and folders
  std::vector<std::string> caches;       // writable folders; what is written is discarded
  std::vector<std::string> environment;  // names of additional environment variables to pass on
  // How long ago this process may have searched the places of tools for private files, if none of
  // their folders has changed since; not the places named here. A search takes a second if many
  // tools are installed.
  std::chrono::minutes oldest_search{0};
};

// For programs that run again and again, next to servers that have seen the places as they were.
constexpr std::chrono::minutes kOldSearch{10};

struct SandboxLimits {
  uint64_t processes = 1024;
  uint64_t memory = 0;  // bytes of all processes together; 0: three quarters of the machine's
  uint64_t space = 0;   // bytes that are written; 0: half of the machine's memory, at most 4 GB
  size_t output = 32u << 20;  // bytes
};

// A folder that the program may change; the files on disk stay unchanged.
struct SandboxFolder {
  struct File {
    std::string path;     // relative to `folder`, which it does not leave, not by a link either
    std::string text;     // of a link: its target
    unsigned mode = 0;    // permissions; 0: those of the disk's file, else 0644
    int64_t time_ns = 0;  // since 1970; 0: now
    bool is_link = false;
    bool is_folder = false;  // an empty one
  };
  std::string folder;        // canonical
  std::vector<File> drafts;  // replacing the files on disk
  std::vector<std::string> absent;
  // The folder as the disk has it, now and later, and read-only; no drafts. Private files that it
  // has now cannot be read. For a program that keeps running.
  bool is_live = false;
  bool hides_git = false;  // .git folders, too; a live folder always does
};

// A file in a sandbox folder that has changed since the command began.
struct SandboxChange {
  enum class State : uint8_t {
    text,         // created, or with different text
    removed,      // a regular file, or a link
    binary,       // created or changed, and not UTF-8 text
    large,        // created or changed, and larger than 1 MB
    other,        // a link, pipe, socket or device was made or changed
    git,          // a git folder in which something changed
    mode,         // the same text with other permissions
    folder,       // an empty folder was made
    folder_gone,  // a folder was removed; what was in it is listed, too
    deep,         // a folder that lies too deep to look into; something in it may have changed
  };
  size_t folder = 0;  // index in SandboxRun::folders
  std::string path;   // relative to it; any bytes
  State state = State::text;
  std::string text;         // all of a file, if has_text; of a link: where it leads
  bool is_ignored = false;  // by a .gitignore, or of a build; git may track it nevertheless
  bool has_text = false;    // always of `text`; of the others as far as there is room
  bool is_link = false;     // of `other` and `removed`
  bool moves_work = false;  // of `git`: files' changes went to a stash, or to another commit
  unsigned mode = 0;        // permissions of a file that is there
  int64_t time_ns = 0;      // since 1970; of a file that is there
};

struct SandboxChanges {
  std::vector<SandboxChange> list;  // each path once
  uint64_t left_out = 0;            // ignored files for which there was no room
  bool are_all = true;              // else there were too many, and the list is unusable
};

struct SandboxRun {
  std::vector<std::string> command;    // the program first; no shell
  std::string name;                    // of the command, for messages; empty: the command itself
  std::vector<SandboxFolder> folders;  // it runs in the first
  // Returns the contents for a copy of one of them, without drafts. Called only if there is no
  // overlay. Errors: as run_in_sandbox.
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
  std::vector<std::string> hidden;  // private files of the folders that were not there, the first
  // Why it was terminated early (timeout, a limit), as a sentence without its period; empty: it
  // ended by itself. The output up to then is kept, unless a private file came into being while it
  // ran: then nothing of it is.
  std::string ended;
  SandboxChanges changes;  // if requested and it ended by itself
};

// Blocks; no process of the program is left when it returns. Private files of the folders
// (is_secret, .bodkinignore) are not there. Errors, as the end of a sentence for the user:
// cancelled; unavailable (cannot be isolated as requested, too large to copy); internal (ended for
// its time or a limit, and the rest). If the isolation cannot be set up, nothing runs. Any thread.
Result<SandboxOutcome> run_in_sandbox(const SandboxRun& run, const std::stop_token& stop);

// The start of a program that keeps running and that we talk to through its pipes.
struct SandboxedServer {
  std::vector<std::string> arguments;  // the program first; see rpc::Command
  std::string first_input;             // is written to it before anything else
};
// Isolated as in run_in_sandbox, with variables ("NAME=value") of its own; it runs in the first of
// `folders`, if there is one; one that is not live needs an overlay. What it writes to files is
// lost. Its standard error tells why, if it cannot be started. Error, as the end of a sentence:
// unavailable (this machine has no sandbox). Blocks for some tens of milliseconds. Any thread.
Result<SandboxedServer> sandboxed_server(std::vector<std::string> command,
                                         const SandboxSettings& settings,
                                         const std::vector<std::string>& variables,
                                         const std::stop_token& stop,
                                         std::vector<SandboxFolder> folders = {});

// First in main(): true if this process was started as a launcher, and has finished.
bool run_as_sandbox_launcher(int argc, char** argv, int& exit_code);

}  // namespace bodkin
