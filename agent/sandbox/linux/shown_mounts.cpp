#include "agent/sandbox/linux/shown_mounts.h"

#include <sys/mount.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "agent/sandbox/linux/mounts.h"
#include "agent/support/path_text.h"
#include "agent/support/read_file.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;

// proc_pid_mountinfo(5): blanks and the like are octal.
std::string unescaped(const std::string& text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size()) {
      result += static_cast<char>(std::stoi(text.substr(i + 1, 3), nullptr, 8));
      i += 3;
    } else {
      result += text[i];
    }
  }
  return result;
}

}  // namespace

void ShownMounts::read_mounts() {
  std::istringstream in(read_start_of_file("/proc/self/mountinfo", 16 << 20).value_or(""));
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string word;
    for (int i = 0; i < 5; ++i) words >> word;
    mounts_.push_back(unescaped(word));
  }
}

bool ShownMounts::has_mounts_below(const std::string& path) const {
  return std::ranges::any_of(mounts_,
                             [&](const std::string& mount) { return is_below(mount, path); });
}

std::string ShownMounts::staged(const char* kind) {
  const std::string path = join_path(stage_, kind + std::to_string(made_++));
  ::mkdir(path.c_str(), 0755);
  return path;
}

FileDescriptor ShownMounts::of(const std::string& path) {
  std::error_code error;
  const std::string real = fs::canonical(path, error).string();
  struct stat status {};
  if (error || ::lstat(real.c_str(), &status) != 0) return FileDescriptor();
  if (S_ISREG(status.st_mode)) return clone_of(real, kClosed);
  if (!S_ISDIR(status.st_mode)) return FileDescriptor();
  if (has_mounts_below(real)) return in_parts(real);
  if (FileDescriptor view = overlay_of(real)) return view;
  has_channels_ = true;
  return clone_of(real, kClosed);
}

FileDescriptor ShownMounts::overlay_of(const std::string& path) {
  const std::string lower = staged("disk"), none = staged("none"), view = staged("shown");
  // Shows nothing that is mounted below it, since the kernel would not let us take that off.
  const FileDescriptor tree = clone_of(path, kClosed, false);
  if (!tree || !attach(tree, lower)) return FileDescriptor();
  const std::string options = "lowerdir=" + lower + ":" + none + ",userxattr";
  if (::mount("overlay", view.c_str(), "overlay", MS_RDONLY | MS_NOSUID | MS_NODEV,
              options.c_str()) != 0)
    return FileDescriptor();
  return clone_of(view, kClosed);
}

FileDescriptor ShownMounts::in_parts(const std::string& path) {
  const std::string folder = staged("parts");
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) ::chmod(folder.c_str(), status.st_mode & 07777);
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, error)) {
    const std::string name = entry.path().filename().string(), to = join_path(folder, name);
    if (entry.is_symlink(error)) {
      fs::copy_symlink(entry.path(), to, error);
      continue;
    }
    const FileDescriptor part = of(entry.path().string());
    if (!part) continue;  // a socket, or unreadable
    make_place(to, part);
    attach(part, to);
  }
  return clone_of(folder, kClosed);
}

}  // namespace bodkin
