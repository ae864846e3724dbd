#include "lsp/workspace/confined_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <filesystem>

#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/platform/walk.h"
#include "agent/support/path_text.h"
#include "agent/support/read_file.h"
#include "agent/workspace/git.h"
#include "agent/workspace/ignored_paths.h"
#include "edits/plan/paths.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace fs = std::filesystem;

namespace {

constexpr size_t kMaxReadFile = size_t{1} << 30;
constexpr size_t kMaxName = 255;  // bytes, as on most disks

std::deque<std::string> parts_of(std::string_view path) {
  std::deque<std::string> parts;
  for (size_t at = 0; at <= path.size();) {
    const size_t end = std::min(path.find('/', at), path.size());
    if (end > at && path.substr(at, end - at) != ".") parts.emplace_back(path, at, end - at);
    at = end + 1;
  }
  return parts;
}

std::string joined_parts(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, "/"));
}

// Whether git considers it a repository, under any name: a bare one, or one that a .git file names.
bool is_git_folder(int folder, const std::string& path) {
  const auto has = [&](const char* name) {
    os::FileStatus status{};
    return os::fstatat(folder, join_path(path, name).c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
  };
  return has("HEAD") && (has("commondir") || (has("objects") && has("refs")));
}

std::string with_other_case(std::string text) {
  for (char& c : text)
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) c = static_cast<char>(c ^ 0x20);
  return text;
}

// The name of what is there, as the disk spells it, which may ignore case: replacing the file must
// not rename it.
std::string spelled_on_disk(int folder, const std::string& parent, const std::string& name) {
  os::FileStatus here{}, there{};
  const std::string other = with_other_case(name);
  if (other == name ||
      os::fstatat(folder, join_path(parent, other).c_str(), &there, AT_SYMLINK_NOFOLLOW) != 0 ||
      os::fstatat(folder, join_path(parent, name).c_str(), &here, AT_SYMLINK_NOFOLLOW) != 0 ||
      here.st_ino != there.st_ino || here.st_dev != there.st_dev)
    return name;
  const FileDescriptor parent_folder(
      os::openat(folder, parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const auto entries = os::names_in(parent_folder.number());
  if (!entries || std::ranges::find(*entries, name) != entries->end()) return name;
  const auto found = std::ranges::find(*entries, lower_case(name), lower_case);
  return found == entries->end() ? name : *found;
}

std::optional<std::string> link_target(int folder, const std::string& path) {
  char target[32768];
  const ssize_t length = os::readlinkat(folder, path.c_str(), target, sizeof target);
  if (length < 0 || length == sizeof target) return std::nullopt;
  return std::string(target, static_cast<size_t>(length));
}

}  // namespace

Result<ConfinedFolder> ConfinedFolder::open(const std::string& path) {
  std::error_code error;
  const fs::path real = os::canonical(path, error);
  FileDescriptor directory(
      error ? -1 : os::open(os::text_of(real).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory && !error && errno != ENOTDIR)
    return fail(Error::Code::internal, path + " cannot be opened: " + os::strerror(errno));
  if (!directory) return fail(Error::Code::not_found, path + " is not a folder");
  std::string given = os::text_of(fs::absolute(path, error).lexically_normal());
  while (given.size() > os::root_of(given).size() && given.ends_with('/')) given.pop_back();
  if (os::canonical(given, error) != real) given = os::text_of(real);  // "link/..", read as a word
  return ConfinedFolder(std::move(directory), os::text_of(real), std::move(given));
}

// Decides: that no path or link leaves the folder.
Result<std::string> ConfinedFolder::resolve(std::string_view path) const {
  constexpr int kMaxLinks = 40;
  const auto leaves = [&] {
    return fail(Error::Code::invalid_input,
                fmt::format("{} is outside the folder {}", path, path_));
  };
  const std::string inner = os::inner_form(path);
  if (inner.starts_with('/') || os::is_absolute(inner) || path.find('\0') != path.npos)
    return leaves();
  // On Windows: the reader of paths turns it into the name that is meant.
  if (inner != path)
    return fail(Error::Code::invalid_input, fmt::format("{} is not written with \"/\"", path));
  if (const std::string_view why = os::refused_as(inner); !why.empty())
    return fail(Error::Code::invalid_input, fmt::format("{} {}", path, why));
  std::deque<std::string> todo = parts_of(inner);
  std::vector<std::string> done;
  bool exists = true;
  for (int links = 0; !todo.empty();) {
    const std::string part = std::move(todo.front());
    todo.pop_front();
    if (part == "..") {
      if (done.empty() || !exists) return leaves();
      done.pop_back();
      continue;
    }
    if (is_git_name(part)) {
      return fail(Error::Code::invalid_input,
                  fmt::format("{} is inside .git, which is not edited", path));
    }
    if (!is_printable(part)) {
      return fail(
          Error::Code::invalid_input,
          fmt::format("the name {} contains invisible characters, and such files are not edited",
                      printable(part)));
    }
    done.push_back(part);
    if (!exists) continue;
    const std::string here = joined_parts(done);
    os::FileStatus status{};
    if (os::fstatat(number(), here.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      exists = false;
      continue;
    }
    if (S_ISDIR(status.st_mode) && is_git_folder(number(), here)) {
      return fail(
          Error::Code::invalid_input,
          fmt::format("{} is inside {}, a git repository, which is not edited", path, here));
    }
    if (!S_ISLNK(status.st_mode)) {
      done.pop_back();
      done.push_back(spelled_on_disk(number(), done.empty() ? "." : joined_parts(done), part));
      continue;
    }
    std::optional<std::string> target = link_target(number(), here);
    if (!target || ++links > kMaxLinks) return leaves();
    done.pop_back();
    if (os::is_absolute(*target)) {
      if (!target->starts_with(path_.ends_with('/') ? path_ : path_ + "/")) return leaves();
      target->erase(0, path_.size());
      done.clear();
    }
    const std::deque<std::string> more = parts_of(*target);
    todo.insert(todo.begin(), more.begin(), more.end());
  }
  if (done.empty()) return leaves();
  return joined_parts(done);
}

Result<void> ConfinedFolder::check_file(const std::string& path) const {
  const auto obstructed = [](std::string_view what, std::string_view why) {
    return fail(Error::Code::invalid_input, fmt::format("{} {}", what, why));
  };
  for (size_t end = 0; end != path.npos;) {
    end = path.find('/', end + 1);
    const std::string part = path.substr(0, end);
    os::FileStatus status{};
    if (os::fstatat(number(), part.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      if (errno == ENAMETOOLONG || last_part(path).size() > kMaxName)
        return obstructed(path, "is too long");
      if (errno != ENOENT)
        return fail(Error::Code::unavailable, fmt::format("{}: {}", part, os::strerror(errno)));
    } else if (end != path.npos && !S_ISDIR(status.st_mode)) {
      return obstructed(part, "is a file, not a folder");
    } else if (end == path.npos && !S_ISREG(status.st_mode)) {
      return obstructed(part, "exists and is not a regular file");
    }
  }
  return {};
}

bool ConfinedFolder::is_link(std::string_view path) const {
  os::FileStatus status{};
  return os::fstatat(number(), std::string(path).c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISLNK(status.st_mode);
}

bool ConfinedFolder::is_in_place() const {
  os::FileStatus own{}, there{};
  return os::fstat(number(), &own) == 0 && os::lstat(path_.c_str(), &there) == 0 &&
         own.st_dev == there.st_dev && own.st_ino == there.st_ino;
}

std::vector<std::string> ConfinedFolder::missing_folders(const std::string& resolved) const {
  std::vector<std::string> missing;
  for (size_t slash = resolved.find('/'); slash != resolved.npos;
       slash = resolved.find('/', slash + 1)) {
    os::FileStatus status{};
    std::string above = resolved.substr(0, slash);
    if (os::fstatat(number(), above.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
      missing.push_back(std::move(above));
  }
  return missing;
}

FileDescriptor ConfinedFolder::directory_of(std::string_view resolved) const {
  FileDescriptor at(os::openat(number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  std::deque<std::string> parts = parts_of(resolved);
  for (size_t i = 0; at && i + 1 < parts.size(); ++i) {
    if (parts[i] == ".." || is_git_name(parts[i])) {
      errno = EACCES;
      return FileDescriptor();
    }
    at = FileDescriptor(
        os::openat(at.number(), parts[i].c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  }
  return at;
}

std::optional<std::string> read_file_at(int directory, const std::string& name) {
  return read_file_at(directory, name, kMaxReadFile);
}

std::optional<std::string> ConfinedFolder::read(std::string_view resolved) const {
  const FileDescriptor directory = directory_of(resolved);
  if (!directory) return std::nullopt;
  return read_file_at(directory.number(), std::string(last_part(resolved)));
}

std::vector<std::string> ConfinedFolder::files() const {
  constexpr size_t kMaxFilesBelow = 200'000;
  std::vector<std::string> out;
  bool are_too_many = false;
  NestedWorktrees nested(path_);
  IgnoredPaths ignored_paths(path_, -1);
  ignored_paths.read_excludes();
  ignored_paths.enter("");
  const bool is_whole = walk(path_, [&](const fs::directory_entry& entry) {
    const std::string name = os::text_of(entry.path().filename());
    std::error_code ignored;
    std::string path = path_in(os::text_of(entry.path()), path_);
    if (entry.is_directory(ignored)) {
      path += '/';
      if (is_git_name(name) || ignored_paths.contains(path) || nested.contain(path))
        return Walk::not_below;
      ignored_paths.enter(path);
      return ignored_paths.contains(path) ? Walk::not_below : Walk::on;
    }
    if (!entry.is_regular_file(ignored) || ignored_paths.contains(path)) return Walk::on;
    are_too_many = out.size() == kMaxFilesBelow;
    if (are_too_many) return Walk::end;
    out.push_back(std::move(path));
    return Walk::on;
  });
  if (!is_whole || are_too_many) return {};
  return out;
}

}  // namespace bodkin
