#include "agent/platform/keeper.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <string>
#include <string_view>

#include "agent/platform/posix/keeper_process.h"

namespace bodkin {

namespace {

// Our end of the socket to the process that starts keepers.
class Makers {
 public:
  // 0, or what of errno it failed with.
  int start() {
    const std::lock_guard lock(mutex_);
    return socket_ >= 0 ? 0 : fork_one();
  }

  int send(const std::array<int, kPassedToKeeper>& fds) {
    const std::lock_guard lock(mutex_);
    int error = socket_ >= 0 ? try_send(fds) : EPIPE;
    if (error == 0) return 0;
    error = fork_one();  // it may have been killed
    return error ? error : try_send(fds);
  }

 private:
  int fork_one() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
    int ends[2];
    if (!open_socket_pair(ends)) return errno;
    for (int& end : ends) end = os::above_standard(end);
    // No handler of ours runs there.
    sigset_t all, before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t maker = ::fork();
    if (maker == 0) make_keepers(ends[1]);
    const int error = maker < 0 ? errno : 0;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    ::close(ends[1]);
    socket_ = ends[0];
    return error;
  }

  int try_send(const std::array<int, kPassedToKeeper>& fds) const {
    char word = 0;
    iovec data{&word, 1};
    alignas(cmsghdr) char space[CMSG_SPACE(sizeof fds)] = {};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = space;
    message.msg_controllen = sizeof space;
    cmsghdr* const passed = CMSG_FIRSTHDR(&message);
    passed->cmsg_level = SOL_SOCKET;
    passed->cmsg_type = SCM_RIGHTS;
    passed->cmsg_len = CMSG_LEN(sizeof fds);
    std::memcpy(CMSG_DATA(passed), fds.data(), sizeof fds);
    ssize_t size = 0;
    do size = ::sendmsg(socket_, &message, 0);
    while (size < 0 && errno == EINTR);
    return size < 0 ? errno : 0;
  }

  std::mutex mutex_;
  int socket_ = -1;
};

Makers& makers() {
  static Makers& all = *new Makers;  // used until the very end
  return all;
}

std::string description_of(const Launch& launch) {
  LaunchHeader header;
  std::string texts;
  const auto put = [&](const char* text) { texts.append(text, std::strlen(text) + 1); };
  put(launch.program);
  put(launch.folder);
  for (char* const* each = launch.arguments; *each; ++each, ++header.arguments) put(*each);
  for (char* const* each = launch.environment; *each; ++each, ++header.variables) put(*each);
  header.bytes = texts.size();
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) + texts;
}

}  // namespace

void start_keepers() { makers().start(); }

Keeper::Keeper(const Launch& launch) {
  if (!life_.is_open() || !report_.is_open()) {
    start_error_ = EMFILE;
    return;
  }
  start_error_ =
      makers().send({launch.input, launch.output, launch.errors, life_.ends[0], report_.ends[1]});
  life_.close_end(0), report_.close_end(1);
  if (start_error_) return;
  const std::string description = description_of(launch);
  for (std::string_view rest = description; !rest.empty();) {
    const ssize_t size = ::write(life_.ends[1], rest.data(), rest.size());
    if (size > 0) rest.remove_prefix(static_cast<size_t>(size));
    if (size < 0 && errno != EINTR) break;  // next_report says why
  }
}

Keeper::Report Keeper::next_report() {
  Report said;
  ssize_t size = 0;
  do size = ::read(report_.ends[0], &said, sizeof said);
  while (size < 0 && errno == EINTR);
  return size == sizeof said ? said : Report{};
}

void Keeper::end() {
  life_.close_end(1);
  // The keeper's exit ends its reports.
  for (pollfd waited{report_.ends[0], POLLIN, 0}; report_.ends[0] >= 0;) {
    const int ready = ::poll(&waited, 1, 2 * kMaxEndingMilliseconds);
    if (ready < 0 && errno == EINTR) continue;
    if (ready > 0 && next_report().kind != Report::Kind::lost) continue;
    report_.close_end(0);
  }
}

void Keeper::say(char word) {
  while (life_.ends[1] >= 0 && ::write(life_.ends[1], &word, 1) < 0 && errno == EINTR) {
  }
}

void Keeper::leave() {
  say(kLeaveWord);
  end();
}

void Keeper::terminate() { say(kTerminateWord); }

}  // namespace bodkin
