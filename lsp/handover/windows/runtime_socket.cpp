// A named pipe that only the user can open, "bodkin-HASH-PID", and a file HASH-PID.root in the
// user's state folder, with the root: it tells the pipes of folders below.
#include "lsp/handover/runtime_socket.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <utility>

#include "agent/platform/paths.h"
#include "agent/platform/processes.h"
#include "agent/platform/windows/local_pipes.h"
#include "agent/support/fnv1a.h"
#include "agent/support/path_text.h"
#include "agent/support/read_file.h"
#include "agent/support/user_folders.h"

namespace bodkin::handover {

namespace {

constexpr std::string_view kEnd = ".root";
constexpr size_t kMaxRoot = 32'768;

// Empty: there is none.
std::string folder_of_names() {
  const std::filesystem::path state = state_folder();
  return state.empty() ? "" : os::text_of(state / "editors");
}

std::string prefix_of(const std::string& root) { return fmt::format("{:016x}-", fnv1a(root)); }

std::string pipe_name(std::string_view stem) {
  return fmt::format("bodkin-{}-{}", os::geteuid(), stem);
}

}  // namespace

Result<ListeningSocket> ListeningSocket::open(const std::string& root) {
  const auto failed = [](const std::string& why) {
    return fail(Error::Code::unavailable,
                "bodkin mcp cannot reach this editor: " + why + "; it edits the disk.");
  };
  const std::string folder = folder_of_names();
  if (folder.empty() || !make_private_folder(folder)) return failed("there is no state folder");
  FileDescriptor names(os::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  if (!names) return failed("the state folder cannot be opened");
  // Those of servers that were killed.
  if (const auto all = os::names_in(names.number()))
    for (const std::string& name : *all)
      if (name.ends_with(kEnd)) (void)connect_to(name.substr(0, name.size() - kEnd.size()));
  const std::string stem = fmt::format("{}{}", prefix_of(root), os::getpid());
  FileDescriptor pipe(os::listen_at(pipe_name(stem)));
  if (!pipe) return failed(std::string("no pipe (") + os::strerror(errno) + ")");
  const std::string name = stem + std::string(kEnd);
  os::unlinkat(names.number(), name.c_str(), 0);
  const FileDescriptor file(
      os::openat(names.number(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600));
  if (!file ||
      os::write(file.number(), root.data(), root.size()) != static_cast<ssize_t>(root.size()))
    return failed(std::string("its name cannot be written (") + os::strerror(errno) + ")");
  return ListeningSocket(std::move(names), std::move(pipe), name);
}

ListeningSocket::~ListeningSocket() {
  if (socket_) os::unlinkat(folder_.number(), name_.c_str(), 0);
}

FileDescriptor ListeningSocket::accept() const {
  return FileDescriptor(os::accept_connection(number()));
}

std::vector<std::string> sockets_of(const std::string& root) {
  const std::string path = folder_of_names();
  const FileDescriptor folder(
      path.empty() ? -1 : os::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  const auto names = folder ? os::names_in(folder.number()) : std::nullopt;
  if (!names) return {};
  std::vector<std::string> prefixes;
  for (std::filesystem::path each = root;; each = each.parent_path()) {
    prefixes.push_back(prefix_of(each.generic_string()));
    if (!each.has_relative_path()) break;
  }
  std::vector<std::pair<int64_t, std::string>> found;
  for (const std::string& name : *names) {
    os::FileStatus status{};
    if (!name.ends_with(kEnd) ||
        os::fstatat(folder.number(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        status.st_uid != os::geteuid())
      continue;
    const bool is_one =
        std::ranges::any_of(prefixes, [&](const auto& each) { return name.starts_with(each); }) ||
        is_below(read_file_at(folder.number(), name, kMaxRoot).value_or(""), root);
    if (is_one)
      found.emplace_back(-os::written_at(status), name.substr(0, name.size() - kEnd.size()));
  }
  std::ranges::sort(found);
  std::vector<std::string> stems;
  std::set<std::string> processes;
  for (const auto& [time, stem] : found)
    if (processes.insert(stem.substr(prefixes[0].size())).second) stems.push_back(stem);
  return stems;
}

Result<std::optional<FileDescriptor>> connect_to(const std::string& stem) {
  FileDescriptor pipe(os::connect_to_local(pipe_name(stem)));
  if (pipe) return pipe;
  if (errno != ENOENT)
    return fail(Error::Code::unavailable, fmt::format("the pipe {} does not answer: {}",
                                                      pipe_name(stem), os::strerror(errno)));
  os::unlink((folder_of_names() + "/" + stem + std::string(kEnd)).c_str());
  return std::nullopt;
}

}  // namespace bodkin::handover
