#include "agent/platform/walk.h"

#include <vector>

#include "agent/platform/paths.h"
#include "agent/platform/windows/native.h"

namespace bodkin {

namespace {

// In the names that std::filesystem takes: without "\\?\" where they are short enough.
std::filesystem::path path_for_library(const std::string& path) {
  const auto native = os::native_path(path);
  constexpr size_t kMostOfOld = 240;
  if (native && native->size() > kMostOfOld) return std::filesystem::path(*native);
  return std::filesystem::path(os::wide(path).value_or(L""));
}

enum class Result { on, end, failed };

Result walk_below(const std::string& folder, bool is_first,
                  const std::function<Walk(const std::filesystem::directory_entry&)>& visit) {
  const auto pattern = os::native_path(folder);
  if (!pattern) return is_first ? Result::failed : Result::on;
  WIN32_FIND_DATAW found{};
  const std::wstring all = *pattern + (pattern->ends_with(L'\\') ? L"*" : L"\\*");
  const HANDLE search =
      ::FindFirstFileExW(all.c_str(), FindExInfoBasic, &found, FindExSearchNameMatch, nullptr,
                         FIND_FIRST_EX_LARGE_FETCH);
  if (search == INVALID_HANDLE_VALUE) {
    const DWORD error = ::GetLastError();
    if (error == ERROR_FILE_NOT_FOUND || error == ERROR_ACCESS_DENIED) return Result::on;
    // A folder that was removed meanwhile is not an error.
    return is_first ? Result::failed : Result::on;
  }
  struct Entry {
    std::string name;
    bool is_folder;
  };
  std::vector<Entry> entries;
  do {
    const std::wstring_view name = found.cFileName;
    if (name == L"." || name == L"..") continue;
    const bool is_link = os::is_link(found.dwFileAttributes, found.dwReserved0);
    entries.push_back(
        {os::narrow(name), (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0 && !is_link});
  } while (::FindNextFileW(search, &found));
  ::FindClose(search);
  for (const Entry& each : entries) {
    const std::string path = folder + (folder.ends_with('/') ? "" : "/") + each.name;
    std::error_code error;
    const std::filesystem::directory_entry entry(path_for_library(path), error);
    if (entry.path().empty()) continue;  // nothing can be told of it: a pipe, a link to nothing
    const Walk next = visit(entry);
    if (next == Walk::end) return Result::end;
    if (!each.is_folder || next == Walk::not_below) continue;
    if (const Result below = walk_below(path, false, visit); below != Result::on) return below;
  }
  return Result::on;
}

}  // namespace

bool walk(const std::string& folder,
          const std::function<Walk(const std::filesystem::directory_entry&)>& visit) {
  return walk_below(folder, true, visit) != Result::failed;
}

}  // namespace bodkin
