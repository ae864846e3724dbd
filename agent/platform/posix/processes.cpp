#include "agent/platform/processes.h"

#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/platform/keeper.h"

namespace bodkin {

const char* folder_of_nothing() { return "/"; }

uint64_t machine_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(size) : 0;
}

namespace os {

const bool kShellIsPowerShell = false;
const std::string_view kAsAdministrator = "sudo ";

std::vector<std::string> command_line(int argc, char** argv) { return {argv, argv + argc}; }

int getpid() { return ::getpid(); }

bool has_exited(int status) { return WIFEXITED(status); }

int exit_code(int status) { return WEXITSTATUS(status); }

int ending_signal(int status) { return WTERMSIG(status); }

std::vector<std::string> program_files(const std::string& name) { return {name}; }

bool is_program(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         ::access(path.c_str(), X_OK) == 0;
}

SystemName system_name() {
  utsname system{};
  if (::uname(&system) != 0) return {};
  return {system.sysname, system.release, system.version, system.machine};
}

void end_now(int code) { ::_exit(code); }

bool is_administrator() { return ::geteuid() == 0; }

}  // namespace os

}  // namespace bodkin
