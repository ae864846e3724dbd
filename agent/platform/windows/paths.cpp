#include "agent/platform/paths.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <mutex>
#include <set>

#include "agent/platform/files.h"
#include "agent/platform/windows/native.h"

namespace bodkin::os {

const char kListSeparator = ';';
const std::string_view kUsualPath = "C:\\Windows\\System32;C:\\Windows";

namespace {

constexpr std::string_view kNeeded[] = {"ALLUSERSPROFILE",
                                        "APPDATA",
                                        "COMMONPROGRAMFILES",
                                        "COMMONPROGRAMFILES(X86)",
                                        "COMPUTERNAME",
                                        "COMSPEC",
                                        "HOMEDRIVE",
                                        "HOMEPATH",
                                        "LOCALAPPDATA",
                                        "OS",
                                        "PATHEXT",
                                        "PROCESSOR_ARCHITECTURE",
                                        "PROGRAMDATA",
                                        "PROGRAMFILES",
                                        "PROGRAMFILES(X86)",
                                        "PROGRAMW6432",
                                        "PUBLIC",
                                        "SYSTEMDRIVE",
                                        "NUMBER_OF_PROCESSORS",
                                        "SYSTEMROOT",
                                        "TEMP",
                                        "TMP",
                                        "USERDOMAIN",
                                        "USERNAME",
                                        "USERPROFILE",
                                        "WINDIR",
                                        "PSMODULEPATH"};

bool is_slash(char c) { return c == '/' || c == '\\'; }

bool has_drive(std::string_view path) {
  return path.size() >= 3 && std::isalpha(static_cast<unsigned char>(path[0])) && path[1] == ':' &&
         is_slash(path[2]);
}

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return result;
}

bool is_device(std::string_view name) {
  // "nul.txt" and "com1 .c", too; the raised digits are taken for digits.
  std::string stem = upper(name.substr(0, name.find('.')));
  while (stem.ends_with(' ')) stem.pop_back();
  if (stem == "CON" || stem == "PRN" || stem == "AUX" || stem == "NUL" || stem == "CONIN$" ||
      stem == "CONOUT$" || stem == "CLOCK$")
    return true;
  if (!stem.starts_with("COM") && !stem.starts_with("LPT")) return false;
  const std::string_view number = std::string_view(stem).substr(3);
  return (number.size() == 1 && number[0] >= '0' && number[0] <= '9') || number == "\xC2\xB9" ||
         number == "\xC2\xB2" || number == "\xC2\xB3";
}

std::string_view refused_name(std::string_view name) {
  if (name == "." || name == "..") return "";
  if (name.find(':') != name.npos) return "names a stream of a file, or a drive";
  if (std::ranges::any_of(name, [](char c) {
        return static_cast<unsigned char>(c) < 32 ||
               std::string_view("<>\"|?*").find(c) != std::string_view::npos;
      }))
    return "has a character that no name has on Windows";
  if (name.ends_with('.') || name.ends_with(' '))
    return "ends in a dot or a blank, which Windows drops";
  return is_device(name) ? "is a reserved name on Windows" : "";
}

// "NAME=value" each, with the name in upper case: Windows knows it in any.
std::map<std::string, std::string> all_variables() {
  std::map<std::string, std::string> found;
  wchar_t* const block = ::GetEnvironmentStringsW();
  for (const wchar_t* each = block; each && *each; each += std::wstring_view(each).size() + 1) {
    const std::string entry = narrow(each);
    const size_t sign = entry.find('=', 1);  // "=C:=C:\\a" is one, too
    if (sign == entry.npos || entry[0] == '=') continue;
    found[upper(entry.substr(0, sign))] = entry.substr(sign + 1);
  }
  if (block) ::FreeEnvironmentStringsW(block);
  if (!found.contains("HOME") && found.contains("USERPROFILE"))
    found["HOME"] = found["USERPROFILE"];
  if (found.contains("HOME")) found["HOME"] = inner_form(found["HOME"]);
  return found;
}

std::optional<std::string> variable(const std::string& name) {
  const std::wstring wide_name = *wide(name);
  std::wstring value(256, L'\0');
  for (;;) {
    ::SetLastError(ERROR_SUCCESS);
    const DWORD size = ::GetEnvironmentVariableW(wide_name.c_str(), value.data(),
                                                 static_cast<DWORD>(value.size()));
    if (size == 0 && ::GetLastError() != ERROR_SUCCESS) return std::nullopt;
    if (size < value.size()) return narrow(std::wstring_view(value).substr(0, size));
    value.resize(size);
  }
}

std::error_code last_code() { return {errno, std::generic_category()}; }

}  // namespace

const std::span<const std::string_view> kSystemVariables = kNeeded;

bool means_one_place(std::string_view path) {
  if (has_drive(path)) return true;
  return path.size() > 3 && is_slash(path[0]) && is_slash(path[1]) && !is_slash(path[2]) &&
         path[2] != '?' && path[2] != '.' && path.find_first_of("/\\", 3) != path.npos;
}

bool is_absolute(std::string_view path) {
  return means_one_place(path) || (!path.empty() && is_slash(path[0]));
}

std::string_view root_of(std::string_view path) {
  if (!means_one_place(path)) return path.substr(0, is_absolute(path));
  if (has_drive(path)) return path.substr(0, 3);
  const size_t server = path.find_first_of("/\\", 3);
  const size_t share = std::min(path.find_first_of("/\\", server + 1), path.size() - 1);
  return path.substr(0, share + 1);
}

std::string inner_form(std::string_view written) {
  std::string path(written);
  std::ranges::replace(path, '\\', '/');
  for (const std::string_view prefix : {"//?/UNC/", "//?/unc/"})
    if (path.starts_with(prefix)) path.replace(0, prefix.size(), "//");
  if (const std::string_view prefix = "//?/"; path.starts_with(prefix))
    path.erase(0, prefix.size());
  if (path.size() >= 2 && path[1] == ':')
    path[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(path[0])));
  return path;
}

std::optional<std::string> path_in_uri(std::string_view host, std::string_view path) {
  std::string inner =
      host.empty() ? std::string(path) : "//" + std::string(host) + std::string(path);
  inner = inner_form(inner);
  if (inner.size() > 2 && inner[0] == '/' && has_drive(inner.substr(1) + '/'))
    inner = inner_form(inner.substr(1));
  if (inner.size() == 2 && inner[1] == ':') inner += '/';
  return means_one_place(inner) ? std::optional(inner) : std::nullopt;
}

// In the form that VS Code writes.
std::string host_and_path_for_uri(std::string_view path) {
  if (!has_drive(path)) return std::string(path);
  std::string result = "///" + std::string(path);
  result[3] = static_cast<char>(std::tolower(static_cast<unsigned char>(result[3])));
  return result;
}

std::string_view refused_as(std::string_view path) {
  if (path.find('\0') != path.npos) return "has a zero byte";
  path.remove_prefix(root_of(path).size());
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find_first_of("/\\", begin), path.size());
    if (const auto why = refused_name(path.substr(begin, end - begin)); !why.empty()) return why;
    begin = end + 1;
  }
  return "";
}

const char* getenv(const char* asked) {
  // Every value that was ever asked for is kept: nobody is given a text that goes away.
  static std::mutex mutex;
  static auto& values = *new std::set<std::string>;
  const std::string name = asked;
  auto value = variable(name);
  if (!value && name == "HOME") value = variable("USERPROFILE");
  if (!value && name == "TMPDIR") value = variable("TEMP");
  if (!value) return nullptr;
  if (name == "HOME" || name == "TMPDIR") value = inner_form(*value);
  const std::lock_guard lock(mutex);
  return values.insert(*std::move(value)).first->c_str();
}

std::vector<std::string> environment() {
  std::vector<std::string> entries;
  for (const auto& [name, value] : all_variables()) entries.push_back(name + "=" + value);
  return entries;
}

std::string temporary_folder() {
  wchar_t path[MAX_PATH + 2];
  const DWORD size = ::GetTempPathW(std::size(path), path);
  if (size == 0 || size >= std::size(path)) return "";
  std::string folder = inner_path({path, size});
  while (folder.size() > root_of(folder).size() && folder.ends_with('/')) folder.pop_back();
  // It may have a short name ("C:/Users/LONGNA~1").
  return path_of_existing(folder).value_or(folder);
}

std::string own_program() {
  std::wstring path(32'768, L'\0');
  path.resize(::GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size())));
  return inner_path(path);
}

std::string text_of(const std::filesystem::path& path) { return inner_form(narrow(path.native())); }

std::filesystem::path canonical(const std::filesystem::path& path, std::error_code& error) {
  const auto real = path_of_existing(text_of(path));
  error = real ? std::error_code() : last_code();
  return real ? std::filesystem::path(*wide(*real)) : std::filesystem::path();
}

bool equivalent(const std::filesystem::path& one, const std::filesystem::path& other,
                std::error_code& error) {
  FileStatus here, there;
  const bool are_known =
      os::stat(text_of(one).c_str(), &here) == 0 && os::stat(text_of(other).c_str(), &there) == 0;
  error = are_known ? std::error_code() : last_code();
  return are_known && here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

std::filesystem::file_status symlink_status(const std::filesystem::path& path,
                                            std::error_code& error) {
  using Type = std::filesystem::file_type;
  FileStatus status;
  if (os::lstat(text_of(path).c_str(), &status) != 0) {
    const bool is_missing = errno == ENOENT || errno == ENOTDIR;
    error = last_code();
    return std::filesystem::file_status(is_missing ? Type::not_found : Type::none);
  }
  error.clear();
  return std::filesystem::file_status(S_ISLNK(status.st_mode)   ? Type::symlink
                                      : S_ISDIR(status.st_mode) ? Type::directory
                                                                : Type::regular);
}

bool is_symlink(const std::filesystem::path& path, std::error_code& error) {
  return os::symlink_status(path, error).type() == std::filesystem::file_type::symlink;
}

std::filesystem::path read_symlink(const std::filesystem::path& path, std::error_code& error) {
  char target[4096];
  const ssize_t size = readlinkat(AT_FDCWD, text_of(path).c_str(), target, sizeof target);
  error = size < 0 ? last_code() : std::error_code();
  if (size < 0) return {};
  return std::filesystem::path(wide({target, static_cast<size_t>(size)}).value_or(L""));
}

uintmax_t remove_all(const std::filesystem::path& path, std::error_code& error) {
  const std::string name = text_of(path);
  FileStatus status;
  error.clear();
  if (os::lstat(name.c_str(), &status) != 0) {
    if (errno != ENOENT) error = last_code();
    return 0;
  }
  uintmax_t count = 0;
  if (S_ISDIR(status.st_mode)) {
    const int folder = os::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    const auto names = folder < 0 ? std::nullopt : names_in(folder);
    if (folder >= 0) os::close(folder);
    if (names)
      for (const std::string& each : *names) {
        std::error_code inside;
        count += os::remove_all(std::filesystem::path(*wide(name + "/" + each)), inside);
        if (inside) error = inside;
      }
  }
  if ((S_ISDIR(status.st_mode) ? os::rmdir(name.c_str()) : os::unlink(name.c_str())) == 0)
    return count + 1;
  error = last_code();
  return count;
}

std::filesystem::path weakly_canonical(const std::filesystem::path& path, std::error_code& error) {
  const std::filesystem::path normal = path.lexically_normal();
  std::filesystem::path there = normal, rest;
  for (;;) {
    const std::filesystem::path real = os::canonical(there, error);
    if (!error) {
      if (!rest.empty()) return (real / rest).lexically_normal();
      return real;
    }
    if (errno != ENOENT && errno != ENOTDIR) return {};
    // A link that leads nowhere is not part of a path.
    std::error_code hidden;
    if (os::is_symlink(there, hidden)) return {};
    if (!there.has_relative_path() || there.filename().empty()) break;
    const std::string text = text_of(there);
    if (text.starts_with("//") && root_of(text).size() + 1 >= text.size()) break;  // a share
    rest = rest.empty() ? there.filename() : there.filename() / rest;
    there = there.parent_path();
    if (there.empty()) there = ".";
  }
  error.clear();
  return normal;
}

}  // namespace bodkin::os
