#include "lsp/handover/runtime_socket.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <filesystem>
#include <set>
#include <utility>

#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/support/fnv1a.h"
#include "agent/support/path_text.h"
#include "agent/support/user_folders.h"

namespace bodkin::handover {

namespace {

namespace fs = std::filesystem;

constexpr int kMaxWaiting = 16;  // connections

bool is_private(const struct stat& status) {
  return status.st_uid == ::geteuid() && (status.st_mode & 077) == 0;
}

// A folder of the user's that nobody else can enter; none otherwise.
FileDescriptor private_folder(int above, const char* path, int also) {
  FileDescriptor folder(::openat(above, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | also));
  struct stat status {};
  if (!folder || ::fstat(folder.number(), &status) != 0 || !is_private(status))
    return FileDescriptor();
  return folder;
}

// Empty if there is none.
// macOS has a folder of each user's instead, /var/folders/…/T/, which TMPDIR does not change.
std::string runtime_path() {
  std::string runtime = absolute_variable("XDG_RUNTIME_DIR");
  if (!runtime.empty()) return runtime;
#ifdef _CS_DARWIN_USER_TEMP_DIR
  char folder[PATH_MAX];
  const size_t size = ::confstr(_CS_DARWIN_USER_TEMP_DIR, folder, sizeof folder);
  std::string path(folder, size > 1 && size <= sizeof folder ? size - 1 : 0);
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
#else
  return "";
#endif
}

FileDescriptor open_folder(bool makes) {
  const std::string path = runtime_path();
  if (path.empty()) return FileDescriptor();
  const FileDescriptor above = private_folder(AT_FDCWD, path.c_str(), 0);
  if (!above) return FileDescriptor();
  if (makes) ::mkdirat(above.number(), "bodkin", 0700);
  return private_folder(above.number(), "bodkin", O_NOFOLLOW);
}

std::string path_of(const std::string& name) { return runtime_path() + "/bodkin/" + name; }

std::string prefix_of(const std::string& root) { return fmt::format("{:016x}-", fnv1a(root)); }

// The link to the root, next to the socket.
std::string link_beside(const std::string& socket) {
  return socket.substr(0, socket.rfind('.')) + ".root";
}

std::string target_of_link(const FileDescriptor& folder, const std::string& name) {
  char target[PATH_MAX];
  const ssize_t length = ::readlinkat(folder.number(), name.c_str(), target, sizeof target);
  return length > 0 ? std::string(target, static_cast<size_t>(length)) : "";
}

// False: the path is too long.
bool set_address(const std::string& path, sockaddr_un* address) {
  *address = {};
  address->sun_family = AF_UNIX;
  if (path.size() >= sizeof address->sun_path) return false;
  std::memcpy(address->sun_path, path.data(), path.size());
  return true;
}

void set_flags(const FileDescriptor& file) {
  if (!file) return;
  ::fcntl(file.number(), F_SETFD, FD_CLOEXEC);
  ::fcntl(file.number(), F_SETFL, ::fcntl(file.number(), F_GETFL) | O_NONBLOCK);
}

FileDescriptor make_socket() {
#ifdef SOCK_CLOEXEC
  return FileDescriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
#else
  FileDescriptor made(::socket(AF_UNIX, SOCK_STREAM, 0));
  set_flags(made);
  return made;
#endif
}

bool is_same_user(const FileDescriptor& connection) {
#ifdef SO_PEERCRED
  struct ucred peer {};
  socklen_t size = sizeof peer;
  return ::getsockopt(connection.number(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         peer.uid == ::geteuid();
#else
  uid_t user = 0;
  gid_t group = 0;
  return ::getpeereid(connection.number(), &user, &group) == 0 && user == ::geteuid();
#endif
}

int connect_socket(const FileDescriptor& socket, const sockaddr_un& address) {
  return ::connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

// Removes the sockets of killed servers, of any root.
void remove_abandoned() {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path_of(""), error)) {
    if (entry.path().extension() == ".sock") (void)connect_to(os::text_of(entry.path()));
  }
}

}  // namespace

Result<ListeningSocket> ListeningSocket::open(const std::string& root) {
  const auto failed = [](const std::string& why) {
    return fail(Error::Code::unavailable,
                "bodkin mcp cannot reach this editor: " + why + "; it edits the disk.");
  };
  FileDescriptor folder = open_folder(true);
  if (!folder) return failed("XDG_RUNTIME_DIR is not a private folder (mode 0700)");
  const std::string name = fmt::format("{}{}.sock", prefix_of(root), ::getpid());
  const std::string draft = fmt::format("{}{}.new", prefix_of(root), ::getpid());
  remove_abandoned();
  sockaddr_un address;
  if (!set_address(path_of(draft), &address)) return failed("XDG_RUNTIME_DIR is too long");
  FileDescriptor socket = make_socket();
  // It gets its name when it listens: until then a client would take it for an abandoned one.
  ::unlinkat(folder.number(), draft.c_str(), 0);
  if (socket) ::fchmod(socket.number(), 0600);
  const bool is_bound =
      socket &&
      ::bind(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  struct stat status {};
  if (is_bound && ::fchmodat(folder.number(), draft.c_str(), 0600, 0) == 0 &&
      ::fstatat(folder.number(), draft.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
      S_ISSOCK(status.st_mode) && is_private(status) &&
      ::listen(socket.number(), kMaxWaiting) == 0 &&
      ::renameat(folder.number(), draft.c_str(), folder.number(), name.c_str()) == 0) {
    // A server with a folder above open cannot find it by its hash.
    ::unlinkat(folder.number(), link_beside(name).c_str(), 0);
    (void)!::symlinkat(root.c_str(), folder.number(), link_beside(name).c_str());
    return ListeningSocket(std::move(folder), std::move(socket), name);
  }
  const std::string why = std::strerror(errno);
  if (is_bound) ::unlinkat(folder.number(), draft.c_str(), 0);
  return failed("no socket in " + path_of("") + " (" + why + ")");
}

ListeningSocket::~ListeningSocket() {
  if (!socket_) return;
  ::unlinkat(folder_.number(), link_beside(name_).c_str(), 0);
  ::unlinkat(folder_.number(), name_.c_str(), 0);
}

FileDescriptor ListeningSocket::accept() const {
  FileDescriptor connection(::accept(number(), nullptr, nullptr));
  set_flags(connection);
  if (connection && !is_same_user(connection)) return FileDescriptor();
  return connection;
}

std::vector<std::string> sockets_of(const std::string& root) {
  const FileDescriptor folder = open_folder(false);
  if (!folder) return {};
  std::vector<std::string> prefixes;
  for (fs::path each = root;; each = each.parent_path()) {
    prefixes.push_back(prefix_of(os::text_of(each)));
    if (!each.has_relative_path()) break;
  }
  std::vector<std::pair<int64_t, std::string>> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path_of(""), error)) {
    const std::string name = os::text_of(entry.path().filename());
    struct stat status {};
    if (!name.ends_with(".sock")) continue;
    const bool is_one =
        std::ranges::any_of(prefixes, [&](const auto& each) { return name.starts_with(each); }) ||
        (root != "/" && is_below(target_of_link(folder, link_beside(name)), root));
    if (!is_one) continue;
    if (::fstatat(folder.number(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    found.emplace_back(-os::written_at(status), name);
  }
  std::ranges::sort(found);
  std::vector<std::string> paths;
  std::set<std::string> processes;
  for (const auto& [time, name] : found) {
    if (processes.insert(name.substr(prefixes[0].size())).second) paths.push_back(path_of(name));
  }
  return paths;
}

Result<std::optional<FileDescriptor>> connect_to(const std::string& path) {
  const auto unusable = [&](const std::string& why) {
    return fail(Error::Code::unavailable, path + " " + why);
  };
  sockaddr_un address;
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return std::nullopt;
  if (!S_ISSOCK(status.st_mode) || !is_private(status))
    return unusable("is not a private socket (its mode must be 0600)");
  FileDescriptor socket = make_socket();
  if (!socket || !set_address(path, &address)) return unusable("cannot be opened");
  if (connect_socket(socket, address) != 0) {
    const int why = errno;
    if (why == ENOENT) return std::nullopt;
    if (why != ECONNREFUSED) return unusable(std::string("does not answer: ") + std::strerror(why));
    ::unlink(link_beside(path).c_str());
    ::unlink(path.c_str());
    return std::nullopt;
  }
  if (!is_same_user(socket)) return unusable("belongs to another user");
  return socket;
}

}  // namespace bodkin::handover
