#include "agent/sandbox/linux/sandbox_bwrap.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "agent/sandbox/linux/sandbox_hidden.h"
#include "agent/sandbox/sandbox_files.h"
#include "agent/support/path_text.h"
#include "agent/support/program.h"
#include "agent/support/real_path.h"

namespace bodkin {

namespace {

std::string bwrap_in_path() { return find_program("bwrap", {}).value_or(""); }

}  // namespace

std::vector<std::string> bwrap_command(const SandboxPlan& plan) {
  using Kind = SandboxPlan::Place::Kind;
  const std::string program = bwrap_in_path();
  std::error_code error;
  const std::string launcher = std::filesystem::read_symlink("/proc/self/exe", error).string();
  if (program.empty() || error) return {};
  constexpr const char* kLauncher = "/run/bodkin-sandbox";
  constexpr const char* kElsewhere = "/run/bodkin-shown";
  const std::string space = std::to_string(plan.space);
  std::vector<std::string> line = {program};
  const auto add = [&](std::initializer_list<std::string> words) {
    line.insert(line.end(), words.begin(), words.end());
  };
  add({"--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try",
       "--disable-userns", "--die-with-parent", "--new-session", "--as-pid-1", "--cap-drop",
       "ALL"});
  if (!plan.network) add({"--unshare-net"});
  add({"--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"});
  std::vector<std::string> covers, elsewhere;
  // A folder that is shown in a writable one is elsewhere, behind a link: otherwise Landlock would
  // allow writing to its pipes.
  const auto at = [&](const std::string& path) {
    const bool is_moved = std::ranges::any_of(
        elsewhere, [&](const std::string& place) { return lies_in(path, place); });
    return is_moved ? kElsewhere + path : path;
  };
  const auto show = [&](const std::string& path) {
    const bool is_in_writable = std::ranges::any_of(plan.places, [&](const auto& place) {
      const bool is_copy = place.kind == Kind::view && !plan.folders[place.index].files.is_live;
      return (place.kind == Kind::fresh || is_copy) && is_below(path, place.path);
    });
    if (is_in_writable && at(path) == path) {
      elsewhere.push_back(path);
      add({"--symlink", at(path), path});
    }
    add({"--ro-bind", path, at(path)});
  };
  // Covers the place with something empty; a link leads to a target that is covered itself.
  const auto hide = [&](const std::string& path) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0 || S_ISLNK(status.st_mode)) return;
    if (!S_ISDIR(status.st_mode)) return add({"--ro-bind", "/dev/null", at(path)});
    add({"--tmpfs", at(path)});
    covers.push_back(at(path));
  };
  for (const char* path : kReadOnlyInProc)
    if (::access(path, F_OK) == 0) add({"--ro-bind", path, path});
  for (const char* path : kHiddenInProc) hide(path);
  for (const SandboxPlan::Place& place : plan.places) {
    switch (place.kind) {
      case Kind::hidden:
        if (std::ranges::none_of(plan.places, [&](const auto& other) {
              return other.path == place.path && other.kind != Kind::hidden;
            }))
          hide(place.path);
        break;
      case Kind::kept:
        show(place.path);
        break;
      case Kind::fresh:
        add({"--perms", "1777", "--size", space, "--tmpfs", at(place.path)});
        break;
      case Kind::view:
        if (plan.folders[place.index].is_cache) {
          show(place.path);
        } else if (plan.folders[place.index].files.is_live) {
          add({"--ro-bind", place.path, place.path});
          const auto found = find_private(place.path, {});
          if (!found) return {};
          for (const auto* each : {&found->git, &found->secrets, &found->channels}) {
            for (const std::string& inside : *each) hide(join_path(place.path, inside));
          }
        } else {
          add({"--size", space, "--tmpfs", at(place.path)});
        }
        break;
    }
  }
  add({"--ro-bind", launcher, kLauncher});
  for (const std::string& cover : covers) add({"--remount-ro", cover});
  add({"--chdir", "/", "--", kLauncher, kSandboxArgument});
  return line;
}

}  // namespace bodkin
