#include "agent/rpc/transport.h"

#include <algorithm>
#include <cerrno>
#include <chrono>

#include "agent/platform/files.h"
#include "agent/platform/polling.h"
#include "agent/support/guarded.h"

namespace bodkin::rpc {

namespace {

// An editor that reads never has more than a few MB waiting, and only for a moment.
constexpr size_t kMaxWaiting = size_t{64} << 20;

}  // namespace

Wake::Wake() { open_pipe(ends_); }

Wake::~Wake() {
  for (const int end : ends_) {
    if (end >= 0) os::close(end);
  }
}

void Wake::up() {
  const char byte = 0;
  while (os::write(ends_[1], &byte, 1) < 0 && errno == EINTR) {
  }
}

bool Wake::wait_for(int fd, short events) const {
  for (;;) {
    os::PollEntry fds[] = {{fd, events, 0}, {ends_[0], POLLIN, 0}};
    if (os::poll(fds, 2, -1) < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    if (fds[1].revents != 0) return false;
    if (fds[0].revents != 0) return true;
  }
}

Reader::Reader(int input, std::function<void(std::optional<Frame>)> received, Framing framing)
    : input_(input), framing_(framing), received_(std::move(received)), thread_([this] {
        // If its reader fails, the server ends, as at the end of input.
        if (!guarded([&] { read(); })) guarded([&] { received_(std::nullopt); });
      }) {}

Reader::~Reader() { wake_.up(); }

void Reader::read() {
  FrameReader frames(framing_);
  const auto buffer = std::make_unique<char[]>(1 << 16);
  while (wake_.wait_for(input_, POLLIN)) {
    const ssize_t count = os::read(input_, buffer.get(), 1 << 16);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) return received_(std::nullopt);
    guarded([&] {
      frames.take({buffer.get(), static_cast<size_t>(count)},
                  [this](Frame frame) { received_(std::move(frame)); });
    });
  }
}

Writer::Writer(int output, Framing framing)
    : output_(output),
      framing_(framing),
      thread_([this](const std::stop_token& stop) { write(stop); }) {}

Writer::~Writer() {
  {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::milliseconds(500),
                      [&] { return broken_ || (queue_.empty() && !writing_); });
  }
  wake_.up();
}

void Writer::send(const std::string& body) {
  {
    std::lock_guard lock(mutex_);
    if (broken_) return;
    queue_.push_back(frame(body, framing_));
    waiting_ += queue_.back().size();
    if (waiting_ > kMaxWaiting) {
      gave_up_ = broken_ = true;
      queue_.clear();
    }
  }
  changed_.notify_all();
}

bool Writer::has_given_up() const {
  std::lock_guard lock(mutex_);
  return gave_up_;
}

void Writer::write(const std::stop_token& stop) {
  for (;;) {
    std::string bytes;
    {
      std::unique_lock lock(mutex_);
      if (!changed_.wait(lock, stop, [&] { return !queue_.empty(); })) return;
      bytes = std::move(queue_.front());
      queue_.pop_front();
      waiting_ -= bytes.size();
      writing_ = true;
    }
    size_t done = 0;
    while (done < bytes.size() && wake_.wait_for(output_, POLLOUT)) {
      const size_t some = std::min(bytes.size() - done, os::kWritableAtOnce);
      const ssize_t count = os::write(output_, bytes.data() + done, some);
      if (count > 0) {
        done += static_cast<size_t>(count);
      } else if (errno != EINTR && errno != EAGAIN) {
        break;
      }
    }
    {
      std::lock_guard lock(mutex_);
      writing_ = false;
      if (done < bytes.size()) {
        broken_ = true;
        queue_.clear();
      }
    }
    changed_.notify_all();
    if (done < bytes.size()) return;
  }
}

}  // namespace bodkin::rpc
