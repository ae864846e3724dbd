#include "agent/sandbox/linux/private_watch.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>

#include "agent/support/read_file.h"
#include "edits/plan/paths.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxPrivate = 10'000;  // files in private folders that are known again
constexpr size_t kMaxWatched = 50'000;  // folders
constexpr uint32_t kEvents = IN_CREATE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR | IN_DONT_FOLLOW;

// Only a search can judge this file, since it knows whether it comes from git or a package.
bool needs_search(std::string_view path) {
  const std::string around = "/" + std::string(path);
  for (const char* part : {"/.git/", "/objects/", "/node_modules/", "/site-packages/", "/vendor/"})
    if (around.find(part) != around.npos) return true;
  return false;
}

// The user's editors and tools share what the kernel allows: a quarter of it is not missed.
size_t allowed_watches() {
  constexpr size_t kLeast = 2'000;
  const auto text = read_file("/proc/sys/fs/inotify/max_user_watches", 100);
  size_t all = 0;
  if (text) std::from_chars(text->data(), text->data() + text->size(), all);
  return std::clamp(all / 4, kLeast, kMaxWatched);
}

}  // namespace

bool PrivateWatch::Folder::hides(const std::string& path) const {
  for (size_t end = path.find('/'); end != path.npos; end = path.find('/', end + 1))
    if (hidden.contains(path.substr(0, end))) return true;
  return hidden.contains(path);
}

bool PrivateWatch::Folder::has_hidden_in(const std::string& path) const {
  const auto first = hidden.lower_bound(path + "/");
  return first != hidden.end() && first->starts_with(path + "/");
}

// A folder of the list is private before anybody knows what is in it: that may be gone by then.
bool PrivateWatch::Folder::is_private(const std::string& path, bool is_folder) const {
  const std::string listed = path + (is_folder ? "/" : "");
  return is_secret(path) || (hides_git && (path == ".git" || path.ends_with("/.git"))) ||
         ignored.ignores(listed);
}

PrivateWatch::PrivateWatch()
    : events_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)), most_(allowed_watches()) {
  sigset_t io;
  sigemptyset(&io);
  sigaddset(&io, SIGIO);
  ::sigprocmask(SIG_BLOCK, &io, nullptr);
  is_complete_ = events_ && ::fcntl(events_.number(), F_SETOWN, ::getpid()) == 0 &&
                 ::fcntl(events_.number(), F_SETFL, O_NONBLOCK | O_ASYNC) == 0;
}

void PrivateWatch::add(const std::string& path, const std::string& name, IgnoreLists ignored,
                       Cover cover, bool hides_git, AskGit ask) {
  Folder& folder = folders_.emplace_back();
  folder.name = name;
  folder.folder = FileDescriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  folder.ignored = std::move(ignored);
  folder.cover = cover;
  folder.hides_git = hides_git;
  folder.ask = std::move(ask);
  if (::fchdir(folder.folder.number()) == 0) watch(folders_.size() - 1, "", false);
  if (::chdir("/") != 0) is_complete_ = false;
}

void PrivateWatch::set_hidden(const LayerFindings& found) {
  Folder& folder = folders_.back();
  for (const auto* list : {&found.secrets, &found.channels})
    folder.hidden.insert(list->begin(), list->end());
  if (folder.hides_git) folder.hidden.insert(found.git.begin(), found.git.end());
  if (::fchdir(folder.folder.number()) != 0) return;  // /proc may not be there yet
  const auto keep = [&](const std::string& place) {
    struct stat status {};
    if (::lstat(place.c_str(), &status) != 0) return false;
    folder.private_files.emplace(status.st_dev, status.st_ino);
    if (S_ISREG(status.st_mode))  // a further name of it changes the number that it has
      watched_files_.insert(::inotify_add_watch(events_.number(), place.c_str(), IN_ATTRIB));
    return S_ISDIR(status.st_mode);
  };
  std::error_code error;
  for (const std::string& path : found.secrets) {
    if (!keep(path)) continue;
    for (fs::recursive_directory_iterator entry(path, error), end;
         !error && entry != end && folder.private_files.size() < kMaxPrivate;
         entry.increment(error))
      keep(entry->path().string());
  }
  if (::chdir("/") != 0) is_complete_ = false;
}

// All folders in it, too. In a new one everything is.
void PrivateWatch::watch(size_t index, const std::string& folder, bool is_new) {
  std::vector<std::string> left = {folder};
  while (!left.empty() && why_.empty()) {
    const std::string next = std::move(left.back());
    left.pop_back();
    const char* path = next.empty() ? "." : next.c_str();
    if (watched_.size() >= most_) {
      is_complete_ = false;
      return;
    }
    // A list of what is private may be written to.
    const bool has_list = next.empty() || ::access((next + ".bodkinignore").c_str(), F_OK) == 0;
    const int watched =
        ::inotify_add_watch(events_.number(), path, has_list ? kEvents | IN_CLOSE_WRITE : kEvents);
    if (watched >= 0) {
      watched_[watched] = {index, next};
    } else if (errno != ENOENT && errno != ENOTDIR && errno != EACCES) {
      is_complete_ = false;
    }
    std::error_code error;
    for (fs::directory_iterator entry(path, error), end; !error && entry != end;
         entry.increment(error)) {
      const std::string below = next + entry->path().filename().string();
      const bool is_folder = entry->symlink_status(error).type() == fs::file_type::directory;
      if (is_folder) left.push_back(below + "/");
      if (is_new) meet_file(index, below, is_folder, false, false);
    }
  }
}

void PrivateWatch::meet(const inotify_event& event, const std::string& name) {
  if (event.mask & IN_Q_OVERFLOW) is_complete_ = false;
  if (event.mask & IN_IGNORED) watched_.erase(event.wd);
  if (watched_files_.contains(event.wd)) may_be_linked_ = true;
  const auto around = watched_.find(event.wd);
  if (around == watched_.end() || name.empty()) return;
  const size_t index = around->second.first;
  Folder& folder = folders_[index];
  const std::string path = around->second.second + name;
  if (::fchdir(folder.folder.number()) != 0) return;
  if (name == ".bodkinignore") {  // from now on it may be written to
    const std::string inside(folder_part(path));
    const std::string place = inside.empty() ? "." : inside;
    (void)::inotify_add_watch(events_.number(), place.c_str(), kEvents | IN_CLOSE_WRITE);
    folder.ignored.read_again(inside, place);
  }
  if (event.mask & IN_MOVED_FROM) gone_.erase({index, path});
  if (event.mask & IN_MOVED_FROM)
    moved_[event.cookie] = folder.hides(path) || folder.has_hidden_in(path);
  if (!(event.mask & (IN_CREATE | IN_MOVED_TO))) return;
  const auto from = moved_.find(event.cookie);
  const bool is_known = event.mask & IN_CREATE || from != moved_.end();
  const bool was_private = (from != moved_.end() && from->second) ||
                           (may_be_linked_ && ::access(path.c_str(), F_OK) != 0);
  may_be_linked_ = false;
  if (from != moved_.end()) moved_.erase(from);
  meet_file(index, path, event.mask & IN_ISDIR, was_private, !is_known);
  if (event.mask & IN_ISDIR && !folder.hides(path)) watch(index, path + "/", true);
}

void PrivateWatch::meet_file(size_t index, const std::string& path, bool is_folder,
                             bool was_private, bool is_from_elsewhere) {
  Folder& folder = folders_[index];
  const bool is_hidden = folder.hides(path);
  if (is_hidden && (folder.cover == Cover::whiteout || !folder.hidden.contains(path))) return;
  struct stat status {};
  const bool is_there = ::lstat(path.c_str(), &status) == 0;
  if (is_hidden) {
    why_ = path + ", which is private, was replaced";
  } else if (was_private ||
             (is_there && folder.private_files.contains({status.st_dev, status.st_ino}))) {
    why_ = path + ", a private file by another name, appeared";
  } else if (needs_search(path)) {
    folder.has_changed = true;
  } else if (folder.is_private(path, is_folder)) {
    why_ = path + ", a private file, appeared";
  } else if (is_folder && !is_there) {
    gone_.emplace(index, path);
  } else if (folder.cover == Cover::mounted_before && is_there &&
             (is_from_elsewhere || (S_ISREG(status.st_mode) && status.st_nlink > 1))) {
    why_ = path + ", which may be a private file by another name, appeared";
  }
}

void PrivateWatch::search(Folder& folder) {
  folder.has_changed = false;
  // It has no other path any more.
  const auto now = find_private("/proc/self/fd/" + std::to_string(folder.folder.number()),
                                folder.ignored, {}, folder.ask);
  if (!now) {
    why_ = now.error().message;
    return;
  }
  for (const auto* list : {&now->secrets, &now->git})
    for (const std::string& path : *list)
      if (!folder.hides(path) && (list == &now->secrets || folder.hides_git))
        why_ = path + ", a private file, appeared";
}

std::string PrivateWatch::what_is_seen(bool is_last) {
  alignas(inotify_event) char buffer[65536];
  for (ssize_t n; why_.empty() && (n = ::read(events_.number(), buffer, sizeof buffer)) > 0;) {
    for (ssize_t at = 0; at < n && why_.empty();) {
      const auto* event = reinterpret_cast<const inotify_event*>(buffer + at);
      meet(*event, event->len ? event->name : "");
      at += static_cast<ssize_t>(sizeof *event + event->len);
    }
  }
  if (why_.empty() && !gone_.empty())
    why_ = gone_.begin()->second + ", a folder of which nobody knows what was in it, came and went";
  using Clock = std::chrono::steady_clock;
  if (const auto asked = Clock::now(); is_last || asked >= next_search_) {
    for (Folder& folder : folders_)
      if (why_.empty() && (folder.has_changed || !is_complete_)) search(folder);
    next_search_ = Clock::now() + 50 * (Clock::now() - asked);  // takes a fiftieth of the time
  }
  return why_;
}

}  // namespace bodkin
