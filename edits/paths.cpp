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

namespace {

// Upper case or lower: there are file systems that do not tell ".Git" from ".git".
bool is_git(std::string_view part) {
  constexpr std::string_view kName = ".git";
  return std::equal(part.begin(), part.end(), kName.begin(), kName.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; });
}

}  // namespace

std::optional<std::string> forbidden(std::string_view path) {
  if (path.empty()) return "the edit names no file";
  if (path.starts_with('/') || (path.size() > 1 && path[1] == ':'))
    return fmt::format("{} is an absolute path; give one inside the workspace", path);
  if (path.find('\0') != std::string_view::npos) return "the path holds a NUL byte";
  for (size_t at = 0; at <= path.size();) {
    const size_t end = std::min(path.find('/', at), path.size());
    const std::string_view part = path.substr(at, end - at);
    if (part == "..") return fmt::format("{} leaves the workspace", path);
    if (is_git(part)) return fmt::format("{} is inside .git, which is not edited", path);
    at = end + 1;
  }
  return std::nullopt;
}

bool names_file(std::string_view path) {
  static constexpr std::string_view kNames[] = {
      "Makefile", "Dockerfile", "Gemfile",     "Rakefile", "LICENSE", "README",
      "BUILD",    "WORKSPACE",  "Jenkinsfile", "Procfile", "Vagrantfile"};
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (std::ranges::find(kNames, name) != std::end(kNames)) return true;
  const size_t dot = name.rfind('.');
  return dot != name.npos && dot + 1 < name.size() && name.size() - dot <= 12 &&
         std::all_of(name.begin() + static_cast<long>(dot) + 1, name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_' || c == '-' || c == '+';
         });
}

TargetFile target_file(const Files& files, const std::string& written, bool guess) {
  const std::string path = plain_path(written);
  if (auto text = files.read(path)) return {path, std::move(text)};
  if (path.starts_with("a/") || path.starts_with("b/"))
    if (auto text = files.read(path.substr(2))) return {path.substr(2), std::move(text)};
  if (!guess) return {path, std::nullopt};
  const std::vector<std::string> alike = paths_alike(files, path);
  if (alike.size() == 1)
    if (auto text = files.read(alike[0])) return {alike[0], std::move(text)};
  return {path, std::nullopt};
}

std::vector<std::string> paths_alike(const Files& files, const std::string& path) {
  std::vector<std::string> alike = files.paths();
  std::erase_if(alike, [&](const std::string& other) {
    return !other.ends_with("/" + path) && !path.ends_with("/" + other);
  });
  return alike;
}

std::optional<std::string> moved_likewise(const std::string& written, const std::string& meant,
                                          const std::string& to) {
  if (written == meant) return to;
  if (meant.ends_with("/" + written)) {
    const std::string above = meant.substr(0, meant.size() - written.size());
    if (to.starts_with(above)) return to;
    const bool beside =
        to.substr(0, to.rfind('/') + 1) == written.substr(0, written.rfind('/') + 1);
    return beside ? std::optional(above + to) : std::nullopt;
  }
  const std::string above =
      written.substr(0, written.size() - std::min(written.size(), meant.size()));
  if (written != above + meant || !to.starts_with(above)) return std::nullopt;
  return to.substr(above.size());
}

}  // namespace bodkin
