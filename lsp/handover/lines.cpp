// The lines that go over a connection.
#include <algorithm>
#include <cerrno>

#include "agent/platform/polling.h"
#include "lsp/handover/runtime_socket.h"

namespace bodkin::handover {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLook{50};  // between two looks at the stop token

// Waits until the connection is ready; false: the time is over, or it is stopped.
bool wait_until_ready(const FileDescriptor& connection, short events, Clock::time_point end,
                      const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    if (left.count() <= 0) return false;
    os::PollEntry one{connection.number(), events, 0};
    if (os::poll(&one, 1, static_cast<int>(std::min(left, kLook).count())) > 0) return true;
  }
  return false;
}

}  // namespace

Result<std::string> read_line(const FileDescriptor& connection, std::chrono::milliseconds patience,
                              const std::stop_token& stop) {
  const auto end = Clock::now() + patience;
  std::string line;
  std::string buffer(1 << 16, '\0');
  while (wait_until_ready(connection, POLLIN, end, stop)) {
    const ssize_t count = os::read(connection.number(), buffer.data(), buffer.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) return fail(Error::Code::unavailable, "it has ended");
    const std::string_view some(buffer.data(), static_cast<size_t>(count));
    const size_t at = some.find('\n');
    line += some.substr(0, at);
    if (line.size() > kMaxBytes) return fail(Error::Code::unavailable, "its message is too large");
    if (at != some.npos) return line;
  }
  if (stop.stop_requested()) return fail(Error::Code::cancelled, "Cancelled.");
  return fail(Error::Code::unavailable, "it has not answered");
}

bool write_line(const FileDescriptor& connection, std::string line,
                std::chrono::milliseconds patience, const std::stop_token& stop) {
  const auto end = Clock::now() + patience;
  line += '\n';
  size_t done = 0;
  while (done < line.size() && wait_until_ready(connection, POLLOUT, end, stop)) {
    // Both programs ignore SIGPIPE.
    const ssize_t count = os::write(connection.number(), line.data() + done, line.size() - done);
    if (count < 0 && errno != EINTR && errno != EAGAIN) return false;
    if (count > 0) done += static_cast<size_t>(count);
  }
  return done == line.size();
}

}  // namespace bodkin::handover
