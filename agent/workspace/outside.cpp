#include "agent/workspace/outside.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>

#include "agent/platform/paths.h"
#include "agent/rpc/uri.h"
#include "agent/support/path_text.h"
#include "agent/support/real_path.h"
#include "agent/support/user_folders.h"
#include "edits/plan/paths.h"
#include "edits/text/line_keys.h"
#include "edits/text/pieces.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;

// "file:", "vscode-remote://", "https://": a name that is not a path. One letter is a drive's.
bool is_uri(std::string_view path) {
  const size_t colon = path.find(':');
  if (colon == path.npos || colon < 2 || !std::isalpha(static_cast<unsigned char>(path[0])))
    return false;
  const std::string_view scheme = path.substr(0, colon);
  return std::ranges::all_of(
             scheme,
             [](unsigned char c) { return std::isalnum(c) || c == '+' || c == '-' || c == '.'; }) &&
         (scheme == "file" || path.substr(colon).starts_with("://"));
}

bool is_drive(std::string_view path) {
  return path.size() > 2 && std::isalpha(static_cast<unsigned char>(path[0])) && path[1] == ':' &&
         (path[2] == '/' || path[2] == '\\');
}

bool climbs(std::string_view path) {
  const auto parts = split(path, '/');
  return std::ranges::find(parts, "..") != parts.end();
}

// Returns the absolute path on this machine that `written` names; empty: it names none here.
std::string absolute_of(std::string_view written) {
  if (is_uri(written)) return rpc::path_of_uri(written).value_or("");
  if (written == "~" || written.starts_with("~/")) {
    const std::string home = home_folder();
    return home.empty() ? "" : home + std::string(written.substr(1));
  }
  return os::is_absolute(written) ? std::string(written) : "";
}

// True if its links lead out of every root. What cannot be looked at does not.
bool leaves_by_link(const std::string& absolute, const Roots& roots) {
  const auto real = real_path(absolute);
  if (!real) return false;
  return std::ranges::none_of(roots, [&](const Root& root) {
    return !real_path(root.folder) || lies_in(*real, root.folder);
  });
}

// The name of the only entry of a folder that differs from this one in its Unicode form; empty:
// there is none, or several.
std::string same_name_in(const fs::path& folder, const std::string& name) {
  const std::string wanted = composed(name);
  std::string found;
  std::error_code error;
  for (fs::directory_iterator at(folder, error); !error && at != fs::directory_iterator();
       at.increment(error)) {
    const std::string other = at->path().filename().generic_string();
    if (is_ascii(other) || composed(other) != wanted) continue;
    if (!found.empty()) return "";
    found = other;
  }
  return found;
}

}  // namespace

std::optional<std::string> workspace_path(const std::string& absolute, const Roots& roots) {
  if (const auto place = roots.find_absolute(absolute)) return place->path;
  if (roots.empty()) {
    const auto real = real_path(absolute);
    const auto place = real ? roots.find_absolute(*real) : std::nullopt;
    return place ? std::optional(place->path) : std::nullopt;
  }
  const fs::path given(absolute);
  size_t depth = 0;
  std::optional<std::string> found;
  // The file's own link last: it has a name of its own in a root.
  for (const bool own : {true, false}) {
    for (const Root& root : roots) {
      auto inside = path_below(own ? given.parent_path().generic_string() : absolute, root.folder);
      if (!inside || (found && root.folder.size() < depth)) continue;
      depth = root.folder.size();
      if (own)
        inside = inside->empty() ? given.filename().generic_string()
                                 : join_path(*inside, given.filename().generic_string());
      found = roots.prefix_of(root) + *inside;
    }
    if (found) break;
  }
  return found;
}

std::string spelled_on_disk(std::string path, const Roots& roots) {
  const auto place = is_ascii(path) ? std::nullopt : roots.find(path);
  std::error_code error;
  if (!place || fs::exists(os::symlink_status(place->absolute, error))) return path;
  fs::path inside;
  for (const fs::path& part : fs::path(place->inside)) {
    const fs::path folder = place->root.folder / inside;
    std::string name = part.generic_string();
    if (!is_ascii(name) && !fs::exists(os::symlink_status(folder / name, error)))
      name = same_name_in(folder, name);
    if (name.empty()) return path;
    inside /= name;
  }
  return roots.prefix_of(place->root) + inside.generic_string();
}

Result<std::string> path_inside(std::string_view given, const Roots& roots) {
  const bool is_nul_free = given.find('\0') == given.npos;
  if (roots.empty() || given.empty() || is_untitled(given)) return std::string(given);
  const std::string written = os::inner_form(given);
  const auto outside = [&](const std::string& absolute) {
    std::error_code error;
    const bool is_there = !absolute.empty() && is_nul_free && fs::exists(absolute, error);
    const std::string where =
        roots.size() == 1 ? "the folder " + roots[0].folder : std::string("the open folders");
    return fail(is_there ? Error::Code::invalid_input : Error::Code::not_found,
                fmt::format("{} is outside {}", printable(written), where));
  };
  if (!is_nul_free) return outside("");
  const std::string absolute = absolute_of(written);
  const bool is_home = written == "~" || written.starts_with("~/");
  if (absolute.empty() && (is_home || is_uri(written) || is_drive(written))) return outside("");
  if (const auto why = os::refused_as(absolute.empty() ? written : absolute); !why.empty())
    return fail(Error::Code::invalid_input, fmt::format("{} {}", printable(written), why));
  if (absolute.empty()) {
    const auto place = roots.find(written);
    if (climbs(written) && !place) return outside("");
    if (place && leaves_by_link(place->absolute, roots)) return outside(place->absolute);
    return spelled_on_disk(std::string(written), roots);
  }
  // Through a link, ".." may lead elsewhere than it reads.
  const std::string normal = fs::path(absolute).lexically_normal().generic_string();
  if (climbs(absolute) && real_path(absolute) != real_path(normal)) return outside(absolute);
  auto path = workspace_path(normal, roots);
  if (!path || leaves_by_link(normal, roots)) return outside(normal);
  return path->empty() ? std::string(written) : spelled_on_disk(*std::move(path), roots);
}

}  // namespace bodkin
