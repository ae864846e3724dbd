// The two ends of the pipe to the editor, each with its own thread. They are two objects because
// they are destroyed at different times: reading stops first, and the last answer is written last.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "agent/rpc/message.h"

namespace bodkin::rpc {

// A pipe that becomes readable when its thread is to stop.
class Wake {
 public:
  Wake();
  ~Wake();
  Wake(const Wake&) = delete;
  void up();
  // Waits until `fd` is ready for `events` (see poll()). False: up() was called.
  bool wait_for(int fd, short events) const;

 private:
  int ends_[2] = {-1, -1};
};

class Reader {
 public:
  // `received` is called on the reader's thread for each frame, and once with nothing at the end of
  // input. Does not own the descriptor.
  Reader(int input, std::function<void(std::optional<Frame>)> received,
         Framing framing = Framing::content_length);
  ~Reader();  // stops at once, even in the middle of a message

 private:
  void read();

  int input_;
  Framing framing_;
  std::function<void(std::optional<Frame>)> received_;
  Wake wake_;
  std::jthread thread_;
};

class Writer {
 public:
  explicit Writer(int output, Framing framing = Framing::content_length);
  ~Writer();  // writes what is queued, for at most half a second

  void send(const std::string& body);  // any thread; never blocks
  // Any thread. True once more than 64 MB are waiting: nothing more is sent.
  bool has_given_up() const;

 private:
  void write(const std::stop_token& stop);

  int output_;
  Framing framing_;
  Wake wake_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::string> queue_;
  size_t waiting_ = 0;  // bytes in the queue
  bool gave_up_ = false;
  bool writing_ = false;
  bool broken_ = false;  // the editor has closed our output; the end of our input will end us
  std::jthread thread_;
};

}  // namespace bodkin::rpc
