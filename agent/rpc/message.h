// The outermost layer of the protocol: bytes <-> bodies (LSP 3.17, "Base Protocol").
//
//   Content-Length: 17\r\n        any order and case; other headers are ignored
//   \r\n
//   {"jsonrpc":"2.0"…             exactly that many bytes
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace bodkin::rpc {

// The largest body that is taken. A longer one is skipped without being stored.
inline constexpr size_t kMaxBody = 256u << 20;

struct Frame {
  std::string body;
  std::string problem;  // if not empty: one sentence about what was wrong; the body is empty
};

// Cuts a stream of bytes into frames. It survives anything: after garbage it goes on at the next
// line that begins with "Content-Length:". Memory grows with the bytes that came, never with the
// length that a header promises.
class FrameReader {
 public:
  void feed(std::string_view bytes);  // may throw bad_alloc: then forget_message()
  // The message that is being read has no room in memory: it is skipped, and reported.
  Frame forget_message();
  // The next whole body, or a problem; nothing: more bytes are needed.
  std::optional<Frame> next();
  bool in_the_middle() const;  // of a header or a body: the end of input now is a truncation

 private:
  std::optional<Frame> read_headers();

  std::string buffer_;
  size_t begin_ = 0;                // what lies before it was taken
  std::optional<size_t> expected_;  // bytes of the body
  size_t skip_ = 0;                 // bytes of a refused body that are still to come
  std::optional<size_t> length_;    // as the headers of this message said
  bool garbage_ = false;            // a bad line was reported; quiet until the next good one
};

std::string frame(std::string_view body);  // with its header

}  // namespace bodkin::rpc
