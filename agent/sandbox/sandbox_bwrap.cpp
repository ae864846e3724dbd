#include "agent/sandbox/sandbox_bwrap.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "agent/sandbox/sandbox_files.h"
#include "agent/sandbox/sandbox_hidden.h"
#include "agent/support/path_text.h"
#include "agent/support/program.h"

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
  std::vector<std::string> covers;
  // Something empty in the place of what is there; a link leads to what is covered itself.
  const auto hide = [&](const std::string& path) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0 || S_ISLNK(status.st_mode)) return;
    if (!S_ISDIR(status.st_mode)) return add({"--ro-bind", "/dev/null", path});
    add({"--tmpfs", path});
    covers.push_back(path);
  };
  for (const char* path : kReadOnlyInProc)
    if (::access(path, F_OK) == 0) add({"--ro-bind", path, path});
  for (const char* path : kHiddenInProc) hide(path);
  for (const SandboxPlan::Place& place : plan.places) {
    switch (place.kind) {
      case Kind::hidden:
        hide(place.path);
        break;
      case Kind::kept:
        add({"--ro-bind", place.path, place.path});
        break;
      case Kind::fresh:
        add({"--perms", "1777", "--size", space, "--tmpfs", place.path});
        break;
      case Kind::view:
        if (plan.folders[place.index].is_cache) {
          add({"--ro-bind", place.path, place.path});
        } else if (plan.folders[place.index].files.is_live) {
          add({"--ro-bind", place.path, place.path});
          std::vector<std::string> workspace = plan.folders[place.index].files.around;
          workspace.push_back(place.path);
          const auto found =
              find_private(place.path, ignore_lists_on_disk(place.path, workspace), {});
          if (!found) return {};
          for (const auto* each : {&found->git, &found->secrets, &found->channels}) {
            for (const std::string& inside : *each) hide(join_path(place.path, inside));
          }
        } else {
          add({"--size", space, "--tmpfs", place.path});
        }
        break;
    }
  }
  add({"--ro-bind", launcher, kLauncher});
  for (const std::string& cover : covers) add({"--remount-ro", cover});
  add({"--chdir", "/", "--", kLauncher, plan.serves ? kSandboxServerArgument : kSandboxArgument});
  return line;
}

}  // namespace bodkin
