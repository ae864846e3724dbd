#include "agent/platform/keeper.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "agent/platform/paths.h"
#include "agent/platform/windows/descriptors.h"

namespace bodkin {

namespace {

constexpr DWORD kMaxEndingMilliseconds = 2000;
constexpr UINT kCodeOfEnded = 137;  // 128 + SIGKILL, as a shell has it

// One argument as the C library of a program reads its command line.
std::wstring quoted(const std::wstring& argument) {
  if (!argument.empty() && argument.find_first_of(L" \t\n\v\"") == argument.npos) return argument;
  std::wstring result = L"\"";
  size_t slashes = 0;
  for (const wchar_t c : argument) {
    if (c == L'\\') {
      ++slashes;
      continue;
    }
    result.append(c == L'"' ? 2 * slashes + 1 : slashes, L'\\');
    slashes = 0;
    result += c;
  }
  result.append(2 * slashes, L'\\');
  return result + L'"';
}

bool is_script(std::string_view program) {
  std::string end(program.substr(program.size() - std::min<size_t>(program.size(), 4)));
  for (char& c : end) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return end == ".cmd" || end == ".bat";
}

// True if cmd.exe, which Windows runs a script with, can only read it literally.
bool is_plain(std::string_view argument) {
  return std::ranges::all_of(argument, [](unsigned char c) {
    return std::isalnum(c) ||
           std::string_view("-_./:\\=+@").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

std::wstring with_backslashes(std::wstring path) {
  std::ranges::replace(path, L'/', L'\\');
  return path;
}

struct Attributes {
  std::vector<char> bytes;
  LPPROC_THREAD_ATTRIBUTE_LIST list = nullptr;

  explicit Attributes(std::vector<HANDLE>& inherited) {
    SIZE_T size = 0;
    ::InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
    bytes.resize(size);
    list = reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(bytes.data());
    if (!::InitializeProcThreadAttributeList(list, 1, 0, &size) ||
        !::UpdateProcThreadAttribute(list, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, inherited.data(),
                                     inherited.size() * sizeof(HANDLE), nullptr, nullptr))
      list = nullptr;
  }
  ~Attributes() {
    if (list) ::DeleteProcThreadAttributeList(list);
  }
};

os::Handle new_job(const Launch& launch) {
  os::Handle job(::CreateJobObjectW(nullptr, nullptr));
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  limits.BasicLimitInformation.LimitFlags =
      JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
  if (launch.most_memory > 0) {
    limits.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_JOB_MEMORY;
    limits.JobMemoryLimit = launch.most_memory;
  }
  if (launch.most_processes > 0) {
    limits.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_ACTIVE_PROCESS;
    limits.BasicLimitInformation.ActiveProcessLimit = launch.most_processes;
  }
  if (job && !::SetInformationJobObject(job.get(), JobObjectExtendedLimitInformation, &limits,
                                        sizeof limits))
    return os::Handle();
  return job;
}

}  // namespace

void start_keepers() {}

// life_ holds the job, report_ the process.
Keeper::Keeper(const Launch& launch) {
  for (Pipe* pipe : {&life_, &report_}) pipe->close_end(0), pipe->close_end(1);
  const std::string program = launch.program;
  std::wstring line;
  for (char* const* each = launch.arguments; *each; ++each) {
    const auto argument = os::wide(each == launch.arguments ? program : *each);
    if (!argument || argument->find(L'\0') != argument->npos ||
        (is_script(program) && each != launch.arguments && !is_plain(*each))) {
      start_error_ = EINVAL;
      return;
    }
    line += (line.empty() ? L"" : L" ") +
            quoted(each == launch.arguments ? with_backslashes(*argument) : *argument);
  }
  std::vector<std::wstring> variables;
  for (char* const* each = launch.environment; *each; ++each)
    if (auto variable = os::wide(*each)) variables.push_back(*std::move(variable));
  std::ranges::sort(variables);  // Windows looks them up by halves
  std::wstring block;
  for (const std::wstring& each : variables) block += each + L'\0';
  block += L'\0';
  os::Handle ends[] = {
      os::handle_for_program(launch.input, true), os::handle_for_program(launch.output, false),
      launch.errors == launch.output ? os::Handle() : os::handle_for_program(launch.errors, false)};
  const bool has_own_errors = launch.errors != launch.output;
  if (!ends[0] || !ends[1] || (has_own_errors && !ends[2])) {
    start_error_ = errno;
    return;
  }
  std::vector<HANDLE> inherited;
  for (const os::Handle& end : ends)
    if (end) inherited.push_back(end.get());
  Attributes attributes(inherited);
  const auto file = os::wide(program), folder = os::wide(launch.folder);
  os::Handle job = new_job(launch);
  if (!attributes.list || !file || !folder || !job) {
    start_error_ = EINVAL;
    return;
  }
  STARTUPINFOEXW start{};
  start.StartupInfo.cb = sizeof start;
  start.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  start.StartupInfo.hStdInput = ends[0].get();
  start.StartupInfo.hStdOutput = ends[1].get();
  start.StartupInfo.hStdError = has_own_errors ? ends[2].get() : ends[1].get();
  start.lpAttributeList = attributes.list;
  PROCESS_INFORMATION made{};
  // A script has no image of its own: Windows looks for cmd.exe itself.
  const std::wstring image = with_backslashes(*file), where = with_backslashes(*folder);
  if (!::CreateProcessW(is_script(program) ? nullptr : image.c_str(), line.data(), nullptr, nullptr,
                        TRUE,
                        CREATE_SUSPENDED | CREATE_NO_WINDOW | CREATE_UNICODE_ENVIRONMENT |
                            EXTENDED_STARTUPINFO_PRESENT,
                        block.data(), where.c_str(), &start.StartupInfo, &made)) {
    start_error_ = os::errno_of(::GetLastError());
    return;
  }
  os::Handle process(made.hProcess);
  const os::Handle thread(made.hThread);
  if (!::AssignProcessToJobObject(job.get(), process.get())) {
    start_error_ = os::errno_of(::GetLastError());
    ::TerminateProcess(process.get(), kCodeOfEnded);
    return;
  }
  ::ResumeThread(thread.get());
  life_.ends[1] = os::add_descriptor(std::make_shared<os::HeldEntry>(std::move(job)));
  report_.ends[0] = os::add_descriptor(std::make_shared<os::ProcessEntry>(std::move(process)));
  if (life_.ends[1] < 0 || report_.ends[0] < 0) start_error_ = EMFILE;
}

Keeper::Report Keeper::next_report() {
  const auto process = os::descriptor(report_.ends[0]);
  DWORD code = 0;
  if (!process || !process->handle()) return {};
  ::WaitForSingleObject(process->handle(), INFINITE);
  if (!::GetExitCodeProcess(process->handle(), &code)) return {};
  return {Report::Kind::ended, static_cast<int>(code)};
}

void Keeper::terminate() {
  if (const auto job = os::descriptor(life_.ends[1]))
    ::TerminateJobObject(job->handle(), kCodeOfEnded);
}

void Keeper::end() {
  terminate();
  if (const auto process = os::descriptor(report_.ends[0]))
    ::WaitForSingleObject(process->handle(), kMaxEndingMilliseconds);
  life_.close_end(1);
  report_.close_end(0);
}

void Keeper::leave() {
  if (const auto job = os::descriptor(life_.ends[1])) {
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION none{};
    ::SetInformationJobObject(job->handle(), JobObjectExtendedLimitInformation, &none, sizeof none);
  }
  life_.close_end(1);
  report_.close_end(0);
}

}  // namespace bodkin
