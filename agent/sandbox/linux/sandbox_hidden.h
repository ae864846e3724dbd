// Hides from proposed code what the user could read: secrets, other users' files, sockets. One
// maintained table, in sandbox_hidden.cpp.
#pragma once

#include <string>
#include <vector>

namespace bodkin {

// In /proc: what tells of the machine or of other programs; and settings of the kernel, which root
// could change even without capabilities, and which are read-only.
inline constexpr const char* kHiddenInProc[] = {
    "/proc/kcore",      "/proc/keys",        "/proc/kmsg",          "/proc/kallsyms",
    "/proc/timer_list", "/proc/sched_debug", "/proc/latency_stats", "/proc/acpi",
    "/proc/scsi",       "/proc/asound",      "/proc/key-users"};
inline constexpr const char* kReadOnlyInProc[] = {"/proc/sys", "/proc/sysrq-trigger", "/proc/irq",
                                                  "/proc/bus", "/proc/fs"};

// Canonical paths that exist: files, sockets and folders. `home`: the user's, canonical.
std::vector<std::string> hidden_places(const std::string& home);

// "NAME=value" of the variables that pass: an allow-list, since no list of secrets' names is
// complete. `named`: those that the user passes on; `home`: the one that the program sees; empty:
// none.
std::vector<std::string> environment_of(const std::vector<std::string>& named,
                                        const std::string& home);

// True if it contains "://user:password@" or "://token@".
bool has_address_with_login(const std::string& text);
// True if a `.git/config` with this text contains a password or a token.
bool has_git_credentials(const std::string& config);

}  // namespace bodkin
