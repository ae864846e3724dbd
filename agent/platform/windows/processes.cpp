#include "agent/platform/processes.h"

#include <fmt/format.h>

#include <cstdlib>

#include "agent/platform/files.h"
#include "agent/platform/keeper.h"
#include "agent/platform/paths.h"
#include "agent/platform/windows/descriptors.h"
//
#include <shellapi.h>

namespace bodkin {

const char* folder_of_nothing() { return "C:/"; }

ProcessUse use_of_readers(int) { return {}; }

bool is_thrifty() {
  SYSTEM_POWER_STATUS power{};
  return ::GetSystemPowerStatus(&power) && power.ACLineStatus == 0;
}

uint64_t machine_memory() {
  MEMORYSTATUSEX memory{};
  memory.dwLength = sizeof memory;
  return ::GlobalMemoryStatusEx(&memory) ? memory.ullTotalPhys : 0;
}

namespace os {

namespace {

// A process that an exception ended has its code as the exit code.
bool is_exception(int status) {
  return (static_cast<unsigned>(status) & 0xF000'0000u) == 0xC000'0000u;
}

}  // namespace

const bool kShellIsPowerShell = true;
const std::string_view kAsAdministrator;

std::vector<std::string> command_line(int argc, char** argv) {
  int count = 0;
  wchar_t** const words = ::CommandLineToArgvW(::GetCommandLineW(), &count);
  if (!words) return {argv, argv + argc};
  std::vector<std::string> result;
  for (int i = 0; i < count; ++i) result.push_back(narrow(words[i]));
  ::LocalFree(words);
  return result;
}

int getpid() { return static_cast<int>(::GetCurrentProcessId()); }

bool has_exited(int status) { return !is_exception(status); }

int exit_code(int status) { return status; }

int ending_signal(int status) {
  switch (static_cast<unsigned>(status)) {
    case 0xC000'013Au:
      return 2;  // Ctrl-C
    case 0xC000'0005u:
    case 0xC000'00FDu:
      return 11;  // access violation, stack overflow
    case 0xC000'0094u:
      return 8;  // division by zero
    default:
      return 6;
  }
}

std::vector<std::string> program_files(const std::string& name) {
  for (const char* end : {".exe", ".com", ".cmd", ".bat", ".EXE", ".CMD", ".BAT"})
    if (name.ends_with(end)) return {name};
  return {name + ".exe", name + ".cmd", name + ".bat"};
}

bool is_program(const std::string& path) {
  FileStatus status;
  return os::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

SystemName system_name() {
  SystemName name{.name = "Windows", .machine = "x86_64"};
  // GetVersionExW says what the manifest asks for.
  using Version = LONG(WINAPI*)(OSVERSIONINFOW*);
  const auto version = reinterpret_cast<Version>(
      reinterpret_cast<void*>(::GetProcAddress(::GetModuleHandleW(L"ntdll.dll"), "RtlGetVersion")));
  OSVERSIONINFOW known{};
  known.dwOSVersionInfoSize = sizeof known;
  if (version && version(&known) == 0) {
    name.release = fmt::format("{}.{}", known.dwMajorVersion, known.dwMinorVersion);
    name.version = fmt::format("{}", known.dwBuildNumber);
  }
  if (::GetProcAddress(::GetModuleHandleW(L"ntdll.dll"), "wine_get_version")) name.version = "wine";
  return name;
}

void end_now(int code) {
  finish_writing();
  ::TerminateProcess(::GetCurrentProcess(), static_cast<UINT>(code));
  std::abort();
}

void make_thread_lazy() { ::SetThreadPriority(::GetCurrentThread(), THREAD_PRIORITY_BELOW_NORMAL); }

void give_back_memory() {}

}  // namespace os

}  // namespace bodkin
