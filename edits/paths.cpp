#include "edits/paths.h"

#include <fmt/format.h>

#include <algorithm>

namespace bodkin {

std::string plain_path(std::string_view path) {
  while (!path.empty() && std::string_view(" \t`'\"*").find(path.front()) != std::string_view::npos)
    path.remove_prefix(1);
  while (!path.empty() && std::string_view(" \t`'\"*:").find(path.back()) != std::string_view::npos)
    path.remove_suffix(1);
  std::string out(path);
  std::replace(out.begin(), out.end(), '\\', '/');
  while (out.starts_with("./")) out.erase(0, 2);
  return out;
}

std::optional<std::string> forbidden(std::string_view path) {
  if (path.empty()) return "the edit names no file";
  if (path.starts_with('/') || (path.size() > 1 && path[1] == ':'))
    return fmt::format("{} is an absolute path; give one inside the workspace", path);
  if (path.find('\0') != std::string_view::npos) return "the path holds a NUL byte";
  for (size_t at = 0; at <= path.size();) {
    const size_t end = std::min(path.find('/', at), path.size());
    const std::string_view part = path.substr(at, end - at);
    if (part == "..") return fmt::format("{} leaves the workspace", path);
    if (part == ".git") return fmt::format("{} is inside .git, which is not edited", path);
    at = end + 1;
  }
  return std::nullopt;
}

TargetFile target_file(const Files& files, const std::string& written, bool guess) {
  const std::string path = plain_path(written);
  if (auto text = files.read(path)) return {path, std::move(text)};
  if (path.starts_with("a/") || path.starts_with("b/"))
    if (auto text = files.read(path.substr(2))) return {path.substr(2), std::move(text)};
  if (!guess) return {path, std::nullopt};
  std::optional<std::string> only;
  for (std::string& candidate : files.paths()) {
    if (!candidate.ends_with("/" + path) && !path.ends_with("/" + candidate)) continue;
    if (only) return {path, std::nullopt};
    only = std::move(candidate);
  }
  if (only)
    if (auto text = files.read(*only)) return {*only, std::move(text)};
  return {path, std::nullopt};
}

}  // namespace bodkin
