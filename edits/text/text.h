// Text: an immutable document. Copying one, and thus taking a snapshot, never copies its bytes;
// an edit makes a new Text that shares all chunks that the edit did not touch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bodkin {

struct LineRange {  // whole lines, from 0, half open
  size_t begin = 0, end = 0;
  friend bool operator==(const LineRange&, const LineRange&) = default;
};

struct Replacement {  // `length` bytes at `offset` of a snapshot become `text`
  size_t offset = 0, length = 0;
  std::string text;
  friend bool operator==(const Replacement&, const Replacement&) = default;
};

// Any bytes; nothing is assumed about the encoding. Offsets are bytes from 0. Lines are from 0 and
// end after \n, \r\n or \r, as in the Language Server Protocol (3.17, "Text Documents"); a text has
// one more line than line ends. Safe to share between threads. Arguments beyond the end are taken
// as the end.
class Text {
 public:
  Text();
  explicit Text(std::string bytes);  // takes ownership of the bytes without copying

  size_t size() const;
  size_t line_count() const;             // at least 1
  size_t line_begin(size_t line) const;  // offset of the line's first byte
  size_t line_end(size_t line) const;    // offset after the line's last byte, before its line end
  size_t line_of(size_t offset) const;
  std::vector<size_t> line_begins() const;  // of all lines
  bool has_lone_returns() const;            // does a \r end a line that no \n follows?

  std::string str() const;                                 // a copy of all bytes
  std::string substr(size_t offset, size_t length) const;  // a copy of some bytes
  std::string line(size_t line) const;                     // a copy, without its line end

  // The stored bytes from `offset` on, as far as they are contiguous; empty at the end. For a text
  // that was never edited, this is all of it. Neither \r\n nor a UTF-8 sequence is cut at the end
  // of the view, unless an edit cut it. Lives as long as any Text that shares the bytes.
  std::string_view chunk_at(size_t offset) const;

  // Costs about the size of one chunk (16 KB) plus the number of chunks, not the size of the text.
  Text replace(size_t offset, size_t length, std::string_view with) const;

  friend bool operator==(const Text& a, const Text& b);

 private:
  struct Table;
  explicit Text(std::shared_ptr<const Table> table);
  std::shared_ptr<const Table> table_;
};

// A document as it was at one moment. `path` is relative to the workspace, with '/'.
struct Snapshot {
  std::string path;
  std::optional<int64_t> version;  // the editor's, if the document is open there
  Text text;
};

}  // namespace bodkin
