// Processes: ours, and how others ended. They are started by Keeper. Thread: any.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bodkin {

struct ProcessUse {
  uint64_t memory = 0;                   // resident bytes; 0: unknown
  std::chrono::milliseconds cpu_time{};  // since they started
};

// Measures the programs that read this pipe as their standard input, and those that they have
// started. Linux only, where it reads /proc: some milliseconds.
ProcessUse use_of_readers(int pipe);

// Whether one program at a time should run: on battery, or if three times as many wait for a
// processor as there are processors.
bool is_thrifty();

uint64_t machine_memory();  // bytes; 0: unknown

namespace os {

int getpid();

// The words of the command line, in UTF-8.
std::vector<std::string> command_line(int argc, char** argv);

// Read a status as Keeper reports it: whether the program ended by itself, and then its exit code;
// else the signal that ended it.
bool has_exited(int status);
int exit_code(int status);
int ending_signal(int status);
inline int code_as_a_shell_has_it(int status) {
  return has_exited(status) ? exit_code(status) : 128 + ending_signal(status);
}
inline constexpr int kCodeOfKilled = 128 + 9;

// The file names that may hold the program of this name, in the order in which they are tried.
// POSIX: the name. Windows: with .exe, and with .cmd (which Keeper starts only with plain
// arguments).
std::vector<std::string> program_files(const std::string& name);
// Whether a line for the shell is one for PowerShell.
extern const bool kShellIsPowerShell;
// Whether the user may run this file.
bool is_program(const std::string& path);

// The system as a person knows it, "Linux", and what it says of itself; "": unknown.
struct SystemName {
  std::string name, release, version, machine;
};
SystemName system_name();

// Ends this process at once: nothing is cleaned up.
[[noreturn]] void end_now(int code);

// Whether this process has the rights of the system's administrator.
bool is_administrator();
// The prefix for a command that needs administrator rights: "sudo ", or empty.
extern const std::string_view kAsAdministrator;

// This thread gets less of the processor from now on, where that can be had.
void make_thread_lazy();
// Gives memory back that is free in the process.
void give_back_memory();

}  // namespace os

}  // namespace bodkin
