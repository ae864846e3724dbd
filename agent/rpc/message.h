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

// A longer body is skipped without being stored.
inline constexpr size_t kMaxBody = 256u << 20;

struct Frame {
  std::string body;
  std::string problem;  // if not empty: one sentence about what was wrong; the body is empty
};

// Cuts a stream of bytes into frames. Accepts any input: after garbage it continues at the next
// line that begins with "Content-Length:". Memory grows with the bytes received, never with the
// length that a header announces. Bodies are not parsed: they may be any bytes.
class FrameReader {
 public:
  explicit FrameReader(Framing framing = Framing::content_length, size_t max_body = kMaxBody)
      : framing_(framing), max_body_(max_body) {}

  // Calls `received` for each frame that these bytes complete. A message that does not fit in
  // memory is skipped; bad_alloc if there is no memory at all.
  void take(std::string_view bytes, const std::function<void(Frame)>& received);

  void feed(std::string_view bytes);  // may throw bad_alloc: then skip_message()
  // Skips the message being read, for lack of memory, and reports it.
  Frame skip_message();
  // The next complete body, or a problem; nullopt: more bytes are needed.
  std::optional<Frame> next();

 private:
  std::optional<Frame> next_line();
  std::optional<Frame> read_headers();
  void release();
  Frame too_long() const;

  Framing framing_;
  size_t max_body_;

  std::string buffer_;
  size_t begin_ = 0;                // everything before it has been consumed
  std::optional<size_t> expected_;  // bytes of the body
  size_t skip_ = 0;                 // remaining bytes of a skipped body
  std::optional<size_t> length_;    // from the headers of this message
  bool garbage_ = false;            // a bad line was reported; silent until the next good one
  size_t scanned_ = 0;              // `lines`: no line end before this
  bool skips_line_ = false;         // `lines`: skipping the rest of a line that is too long
};

// The bytes of one message. With `lines` the body must not contain a line end; compact JSON never
// does.
std::string frame(std::string_view body, Framing framing = Framing::content_length);

}  // namespace bodkin::rpc
