#include "agent/support/real_path.h"

#include <cerrno>
#include <filesystem>

#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/support/path_text.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;

bool is_one_on_disk(const std::string& path, const std::string& other) {
  os::FileStatus here{}, there{};
  return os::stat(path.c_str(), &here) == 0 && os::stat(other.c_str(), &there) == 0 &&
         here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

std::string folded(const std::string& path) {
  return lower_case(is_ascii(path) ? path : composed(path));
}

}  // namespace

std::optional<std::string> real_path(const std::string& path) {
  std::error_code error;
  if (!os::is_absolute(path) || path.find('\0') != path.npos) return std::nullopt;
  // A few calls of the system; weakly_canonical() makes fifty.
  if (auto real = os::path_of_existing(path)) return real;
  if (const size_t end = path.rfind('/');
      errno == ENOENT && end >= os::root_of(path).size() && end + 1 < path.size())
    if (auto folder = os::path_of_existing(path.substr(0, end)))
      return join_path(*folder, path.substr(end + 1));
  std::string real = os::weakly_canonical(path, error).lexically_normal().generic_string();
  while (real.size() > os::root_of(real).size() && real.ends_with('/')) real.pop_back();
  return error || real.empty() ? std::nullopt : std::optional(std::move(real));
}

std::string real_or_same(const std::string& path) {
  std::error_code error;
  const auto result = os::canonical(path, error);
  return error ? path : result.generic_string();
}

bool is_same_file(const std::string& real, const std::string& other) {
  if (real == other) return true;
  return folded(real) == folded(other) && is_one_on_disk(real, other);
}

std::optional<std::string> path_below(const std::string& path, const std::string& folder) {
  const auto real = real_path(path), top = real_path(folder);
  if (!real || !top) return std::nullopt;
  if (*real == *top) return "";
  if (is_below(*real, *top)) return path_in(*real, *top);
  for (fs::path above(*real); above.has_relative_path(); above = above.parent_path()) {
    if (is_one_on_disk(os::text_of(above), *top))
      return above == *real ? "" : path_in(*real, above.generic_string());
  }
  return std::nullopt;
}

}  // namespace bodkin
