// One class of more than 350 lines: the steps share the mounts that they have prepared.
#include "agent/sandbox/linux/sandbox_walls.h"

#include <fcntl.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "agent/sandbox/linux/mounts.h"
#include "agent/sandbox/linux/private_watch.h"
#include "agent/sandbox/linux/sandbox_hidden.h"
#include "agent/sandbox/linux/shown_mounts.h"
#include "agent/sandbox/sandbox_files.h"
#include "agent/support/path_text.h"

namespace bodkin {

namespace {

using Mount = SandboxPlan::Place;

constexpr char kStage[] = "/proc";  // exists on every machine, and gets a new mount in the end

std::unexpected<Error> step_error(const std::string& what) {
  return fail(Error::Code::internal,
              "cannot set up the sandbox: " + what + ": " + std::strerror(errno));
}

// Everything is prepared below kStage, where paths are simple and our own, and then moved into
// place from the top down.
class Walls {
 public:
  Walls(const SandboxPlan& plan, SandboxReport& report, Isolated& isolated)
      : plan_(plan), report_(report), isolated_(isolated) {}

  Result<void> build() {
    if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
      return step_error("cannot make mounts private");
    }
    if (auto done = take_sources(); !done) return done;
    if (auto done = change_root(); !done) return done;
    if (auto done = prepare_folders(); !done || isolated_.no_overlay) return done;
    if (auto done = prepare_places(); !done) return done;
    if (auto done = prepare_devices(); !done) return done;
    ::umount2(kStage, MNT_DETACH);
    if (!attach(proc_, "/proc")) return step_error("/proc");
    if (auto done = place_devices(); !done) return done;
    if (auto done = place_all(); !done) return done;
    if (shown_.has_channels()) isolated_.has_channels = isolated_.are_tools = true;
    return close_proc();
  }

 private:
  // Takes everything needed from the old root, while its paths are still valid.
  Result<void> take_sources() {
    proc_ = new_mount("proc", MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
    if (!proc_) return step_error("/proc");
    // This shows its own network; where the kernel does not allow that, the machine's names are
    // hidden.
    if (!plan_.network) sys_ = new_mount("sysfs", kClosed | MOUNT_ATTR_NOEXEC);
    root_ = clone_of("/", kClosed);
    if (!root_) return step_error("/");
    for (const char* name : {"null", "zero", "full", "random", "urandom", "tty"}) {
      FileDescriptor device =
          clone_of(std::string("/dev/") + name, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC);
      if (!device) return step_error(std::string("/dev/") + name);
      devices_.emplace_back(name, std::move(device));
    }
    null_ = clone_of("/dev/null", MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC);
    shown_.read_mounts();
    for (const SandboxPlan::Folder& folder : plan_.folders) {
      FileDescriptor tree = clone_of(folder.files.folder, kClosed);
      if (!tree) return step_error(folder.files.folder);
      lowers_.push_back(std::move(tree));
    }
    return {};
  }

  Result<void> change_root() {
    if (!attach(root_, kStage) || ::fchdir(root_.number()) != 0 ||
        ::syscall(SYS_pivot_root, ".", ".") != 0 || ::umount2(".", MNT_DETACH) != 0 ||
        ::chdir("/") != 0) {
      return step_error("cannot change the root");
    }
    if (!attach(null_, "/dev/null")) return step_error("/dev/null");  // for git, until /dev is ours
    const std::string options = "mode=0755,nr_inodes=400000,size=" + std::to_string(plan_.space);
    if (::mount("tmpfs", kStage, "tmpfs", MS_NOSUID | MS_NODEV, options.c_str()) != 0) {
      return step_error("cannot mount a file system in memory");
    }
    return {};
  }

  std::string stage(const char* kind, size_t i) {
    const std::string path = join_path(kStage, kind + std::to_string(i));
    ::mkdir(path.c_str(), 0755);
    return path;
  }

  Result<void> prepare_folders() {
    std::vector<std::string> workspace;
    for (const SandboxPlan::Folder& folder : plan_.folders) {
      if (!folder.is_cache) workspace.push_back(folder.files.folder);
    }
    for (size_t i = 0; i < plan_.folders.size(); ++i) {
      const SandboxPlan::Folder& folder = plan_.folders[i];
      const std::string lower = stage("lower", i), upper = stage("upper", i),
                        work = stage("work", i), view = stage("view", i);
      if (!attach(lowers_[i], lower)) return step_error(folder.files.folder);
      if (folder.is_copy) {
        if (auto done = write_sandbox_files(view, lower, folder.files.drafts); !done) return done;
        views_.push_back(clone_of(view, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV));
      } else if (folder.files.is_live) {
        if (auto done = prepare_live(folder.files.folder, lower, view); !done) return done;
      } else {
        // Reads it by its own path, which leads to the disk until the mounts are in place.
        const IgnoreLists ignored(folder.files.folder);
        const AskGit ask = folder.files.hides_git ? nullptr : isolated_git(workspace);
        if (!folder.is_cache)
          isolated_.watch->add(lower, folder.files.folder, ignored, PrivateWatch::Cover::whiteout,
                               folder.files.hides_git, ask);
        auto found = prepare_layers(lower, upper, folder.is_cache ? nullptr : &ignored, ask);
        if (!found) return std::unexpected(found.error());
        if (folder.files.hides_git)
          found->channels.insert(found->channels.end(), found->git.begin(), found->git.end());
        if (auto done = write_sandbox_files(upper, lower, folder.files.drafts); !done) return done;
        const std::string options =
            "lowerdir=" + lower + ",upperdir=" + upper + ",workdir=" + work + ",userxattr";
        if (::mount("overlay", view.c_str(), "overlay", MS_NOSUID | MS_NODEV, options.c_str()) !=
            0) {
          if (!folder.is_cache) {
            isolated_.no_overlay = true;
            return {};
          }
          views_.push_back(clone_of(lower, kClosed));
          isolated_.has_channels = isolated_.are_tools = true;
        } else {
          const auto hidden = {&folder.files.absent, &std::as_const(found->secrets),
                               &std::as_const(found->channels)};
          std::error_code error;  // what cannot be removed is there
          for (const std::string& path : folder.files.absent) {
            if (!is_behind_link(view, path))
              std::filesystem::remove_all(join_path(view, path), error);
          }
          for (const auto* each : {&found->secrets, &found->channels}) remove(view, *each);
          if (!folder.is_cache) {
            isolated_.watch->set_hidden(*found);
            if (plan_.wants_changes) isolated_.layers[i] = open_layer(lower, upper, hidden);
            // Only the first is reported, to keep the report short.
            found->secrets.resize(std::min<size_t>(found->secrets.size(), 5));
            for (std::string& path : found->secrets) report_.hidden.push_back(std::move(path));
          }
          views_.push_back(clone_of(view, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV));
        }
      }
      if (!views_.back()) return step_error(folder.files.folder);
    }
    return {};
  }

  // The folder itself, with something empty in the place of private files. By a path of the
  // launcher's: see prepare_folders().
  Result<void> prepare_live(const std::string& folder, const std::string& lower,
                            const std::string& view) {
    const IgnoreLists ignored(folder);
    isolated_.watch->add(lower, folder, ignored, PrivateWatch::Cover::mount, true, nullptr);
    const auto found = find_private(lower, ignored, {});
    if (!found) return std::unexpected(found.error());
    isolated_.watch->set_hidden(*found);
    if (!attach(clone_of(lower, kClosed), view)) return step_error(folder);
    for (const auto* each : {&found->git, &found->secrets, &found->channels}) {
      for (const std::string& path : *each) {
        const std::string place = join_path(view, path);
        struct stat status {};
        // A link's target is handled under its own name, or does not exist.
        if (::lstat(place.c_str(), &status) != 0 || S_ISLNK(status.st_mode)) continue;
        const bool is_folder = S_ISDIR(status.st_mode);
        const FileDescriptor cover = empty(is_folder, is_folder ? 0755 : 0);
        if (!cover || !set_attributes(cover, MOUNT_ATTR_RDONLY, false) || !attach(cover, place))
          return step_error(join_path(folder, path));
      }
    }
    views_.push_back(clone_of(view, kClosed));
    isolated_.has_channels = true;
    return {};
  }

  static void remove(const std::string& view, const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
      if (!is_behind_link(view, path)) remove_whole_of(join_path(view, path));
    }
  }
  // A draft may have put a link in the place of a folder.
  static bool is_behind_link(const std::string& view, const std::string& path) {
    struct stat status {};
    for (size_t end = path.find('/'); end != std::string::npos; end = path.find('/', end + 1)) {
      if (::lstat(join_path(view, path.substr(0, end)).c_str(), &status) != 0) return true;
      if (S_ISLNK(status.st_mode)) return true;
    }
    return false;
  }
  static void remove_whole_of(const std::string& path);

  // An empty file or folder of its own, not attached.
  FileDescriptor empty(bool is_folder, unsigned mode) {
    const std::string path = std::string(kStage) + "/empty" + std::to_string(empties_++);
    if (is_folder) {
      if (::mkdir(path.c_str(), 0755) != 0 || ::chmod(path.c_str(), mode) != 0)
        return FileDescriptor();
    } else {
      FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444));
      if (!file || ::fchmod(file.number(), mode & 0444) != 0) return FileDescriptor();
    }
    return clone_of(path, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
  }

  Result<void> prepare_places() {
    // The system's own folders; sockets and pipes are made in them, too.
    for (const char* path : {"/bin", "/etc", "/gnu", "/lib", "/lib32", "/lib64", "/libx32", "/nix",
                             "/opt", "/sbin", "/snap", "/usr"}) {
      struct stat status {};
      if (::lstat(path, &status) != 0 || !S_ISDIR(status.st_mode)) continue;
      system_.emplace_back(path, shown_.of(path));
      if (!system_.back().second) return step_error(path);
    }
    trees_.resize(plan_.places.size());
    for (size_t i = 0; i < plan_.places.size(); ++i) {
      const Mount& place = plan_.places[i];
      struct stat status {};
      if (place.kind == Mount::Kind::kept) {
        trees_[i] = shown_.of(place.path);
        if (!trees_[i]) return step_error(place.path);
      }
      if (place.kind != Mount::Kind::hidden && place.kind != Mount::Kind::fresh) continue;
      if (::lstat(place.path.c_str(), &status) != 0) continue;
      const bool is_fresh = place.kind == Mount::Kind::fresh;
      trees_[i] = empty(S_ISDIR(status.st_mode), is_fresh ? 01777 : 0755);
      if (!trees_[i]) return step_error(place.path);
    }
    for (const char* path : kHiddenInProc) {
      struct stat status {};
      // The old root is below the stage; the new one has the same names.
      if (::fstatat(proc_.number(), path + std::strlen("/proc/"), &status, AT_SYMLINK_NOFOLLOW) ==
          0)
        masks_.emplace_back(path, empty(S_ISDIR(status.st_mode), 0555));
    }
    return {};
  }

  Result<void> prepare_devices() {
    const std::string dev = stage("dev", 0);
    for (const auto& [name, device] : devices_) {
      FileDescriptor file(
          ::open(join_path(dev, name).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
      if (!file) return step_error("/dev");
    }
    for (const auto& [name, target] :
         {std::pair{"fd", "/proc/self/fd"}, std::pair{"stdin", "/proc/self/fd/0"},
          std::pair{"stdout", "/proc/self/fd/1"}, std::pair{"stderr", "/proc/self/fd/2"},
          std::pair{"ptmx", "pts/ptmx"}}) {
      if (::symlink(target, join_path(dev, name).c_str()) != 0) return step_error("/dev");
    }
    ::mkdir((dev + "/pts").c_str(), 0755);
    ::mkdir((dev + "/shm").c_str(), 01777);
    ::chmod((dev + "/shm").c_str(), 01777);
    dev_ = clone_of(dev, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC);
    shm_ = clone_of(dev + "/shm", MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
    if (!dev_ || !shm_) return step_error("/dev");
    return {};
  }

  Result<void> place_devices() {
    if (!attach(dev_, "/dev") || !attach(shm_, "/dev/shm")) return step_error("/dev");
    for (const auto& [name, device] : devices_) {
      if (!attach(device, "/dev/" + name)) return step_error("/dev/" + name);
    }
    // Terminals of its own; few programs want one.
    const FileDescriptor terminals = new_mount("devpts", MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC,
                                               {{"mode", "0620"}, {"ptmxmode", "0666"}});
    if (terminals) attach(terminals, "/dev/pts");
    if (!set_attributes(dev_, MOUNT_ATTR_RDONLY, false)) return step_error("/dev");
    return {};
  }

  Result<void> place_all() {
    if (sys_ && !attach(sys_, "/sys")) return step_error("/sys");
    for (const auto& [path, tree] : system_)
      if (!attach(tree, path)) return step_error(path);
    for (size_t i = 0; i < plan_.places.size(); ++i) {
      const Mount& place = plan_.places[i];
      const FileDescriptor& tree =
          place.kind == Mount::Kind::view ? views_[place.index] : trees_[i];
      if (!tree) continue;  // a hidden place that is not there
      if (place.kind != Mount::Kind::hidden) make_place(place.path, tree);
      if (attach(tree, place.path)) continue;
      // A place above has hidden it already.
      if (place.kind == Mount::Kind::hidden && (errno == ENOENT || errno == ENOTDIR)) continue;
      return step_error(place.path);
    }
    for (size_t i = 0; i < plan_.places.size(); ++i) {
      if (plan_.places[i].kind == Mount::Kind::hidden && trees_[i] &&
          !set_attributes(trees_[i], MOUNT_ATTR_RDONLY, false)) {
        return step_error(plan_.places[i].path);
      }
    }
    return {};
  }

  Result<void> close_proc() {
    if (plan_.way == SandboxPlan::Isolation::user_namespaces) {
      // No nested user namespaces: they reach nothing outside, but expose much of the kernel.
      // Counted for this namespace alone.
      FileDescriptor file(::open("/proc/sys/user/max_user_namespaces", O_WRONLY | O_CLOEXEC));
      if (file) (void)!::write(file.number(), "0", 1);
    }
    for (const auto& [path, tree] : masks_) {
      if (!tree || !set_attributes(tree, MOUNT_ATTR_RDONLY, false) || !attach(tree, path)) {
        return step_error(path);
      }
    }
    for (const char* path : kReadOnlyInProc) {
      const FileDescriptor tree = clone_of(path, kClosed | MOUNT_ATTR_NOEXEC);
      if (!tree && errno == ENOENT) continue;
      if (!tree || !attach(tree, path)) return step_error(path);
    }
    return {};
  }

  const SandboxPlan& plan_;
  SandboxReport& report_;
  Isolated& isolated_;
  ShownMounts shown_{kStage};
  FileDescriptor root_, proc_, sys_, null_, dev_, shm_;
  std::vector<std::pair<std::string, FileDescriptor>> devices_, masks_, system_;
  std::vector<FileDescriptor> trees_, lowers_, views_;
  size_t empties_ = 0;
};

void Walls::remove_whole_of(const std::string& path) {
  if (::unlink(path.c_str()) == 0 || errno != EISDIR) return;
  // A folder is emptied by taking its place.
  ::mount("tmpfs", path.c_str(), "tmpfs", MS_NOSUID | MS_NODEV | MS_RDONLY, "size=4k,mode=0755");
}

void bring_loopback_up() {
  const FileDescriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  struct ifreq request {};
  std::strcpy(request.ifr_name, "lo");
  if (::ioctl(socket.number(), SIOCGIFFLAGS, &request) != 0) return;
  request.ifr_flags |= IFF_UP;
  ::ioctl(socket.number(), SIOCSIFFLAGS, &request);
}

}  // namespace

Result<Isolated> set_up_isolation(const SandboxPlan& plan, SandboxReport& report) {
  if (!plan.network) bring_loopback_up();
  Isolated isolated;
  isolated.layers.resize(plan.folders.size());
  isolated.watch = std::make_shared<PrivateWatch>();
  if (auto built = Walls(plan, report, isolated).build(); !built)
    return std::unexpected(built.error());
  return isolated;
}

}  // namespace bodkin
