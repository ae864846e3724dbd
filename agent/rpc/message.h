// The outermost layer of a protocol: bytes <-> bodies, in one of two framings.
//
//   content_length (LSP 3.17, "Base Protocol")
//     Content-Length: 17\r\n        any order and case; other headers are ignored
//     \r\n
//     {"jsonrpc":"2.0"…             exactly that many bytes
//
//   lines (MCP "stdio", ACP)
//     {"jsonrpc":"2.0"…}\n          one message a line; empty lines are ignored
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace bodkin::rpc {

enum class Framing { content_length, lines };

// The largest body that is taken. A longer one is skipped without being stored.
inline constexpr size_t kMaxBody = 256u << 20;

struct Frame {
  std::string body;
  std::string problem;  // if not empty: one sentence about what was wrong; the body is empty
};

// Cuts a stream of bytes into frames. It survives anything: after garbage it goes on at the next
// line that begins with "Content-Length:". Memory grows with the bytes that came, never with the
// length that a header promises. Bodies are any bytes: whether they are JSON, who reads them finds.
class FrameReader {
 public:
  explicit FrameReader(Framing framing = Framing::content_length, size_t max_body = kMaxBody)
      : framing_(framing), max_body_(max_body) {}

  // All that has become whole with these bytes. A message that memory has no room for costs that
  // message; bad_alloc if there is none at all.
  void take(std::string_view bytes, const std::function<void(Frame)>& received);

  void feed(std::string_view bytes);  // may throw bad_alloc: then forget_message()
  // The message that is being read has no room in memory: it is skipped, and reported.
  Frame forget_message();
  // The next whole body, or a problem; nothing: more bytes are needed.
  std::optional<Frame> next();
  bool in_the_middle() const;  // of a header or a body: the end of input now is a truncation

 private:
  std::optional<Frame> next_line();
  std::optional<Frame> read_headers();
  void release();
  Frame too_long() const;

  Framing framing_;
  size_t max_body_;

  std::string buffer_;
  size_t begin_ = 0;                // what lies before it was taken
  std::optional<size_t> expected_;  // bytes of the body
  size_t skip_ = 0;                 // bytes of a refused body that are still to come
  std::optional<size_t> length_;    // as the headers of this message said
  bool garbage_ = false;            // a bad line was reported; quiet until the next good one
  size_t scanned_ = 0;              // lines: before it there is no end of this line
  bool skips_line_ = false;         // lines: the rest of a refused one is still to come
};

// The bytes of one message. In `lines` the body has no line end in it, as compact JSON has none.
std::string frame(std::string_view body, Framing framing = Framing::content_length);

}  // namespace bodkin::rpc
