// MappedText: a file's bytes as lines, with what placing computes once per file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edits/text/line_keys.h"
#include "edits/text/text.h"

namespace bodkin {

// A line ends after \n or \r\n; after a lone \r only in a file that has no \n. A byte order mark
// belongs to no line. A last line without a line end counts if it is not empty, so an empty file
// has no lines. Lines are from 0, offsets in bytes. Thread: one at a time, because of lazily
// computed members.
class MappedText {
 public:
  explicit MappedText(const Text& text);

  std::string_view bytes() const { return bytes_; }
  size_t line_count() const { return line_count_; }
  size_t begin_of(size_t line) const { return begins_.empty() ? looked_up(line) : begins_[line]; }
  size_t next_of(size_t line) const { return begin_of(line + 1); }  // after its line end
  size_t end_of(size_t line) const {                                // before its line end
    const size_t begin = begin_of(line);
    return begin + without_end(begin, next_of(line)).size();
  }
  std::string_view line(size_t i) const { return without_end(begin_of(i), next_of(i)); }
  std::string_view line_end(size_t i) const {
    return bytes_.substr(end_of(i), next_of(i) - end_of(i));
  }
  // The line end that a line inserted before line `i` takes: its neighbour's.
  std::string_view line_end_near(size_t i) const;
  size_t line_at(size_t offset) const;

  // A line's hash; equal for lines that differ only in blanks and typographic punctuation. The
  // reverse must be checked.
  static uint32_t hash(std::string_view line);
  uint32_t hash_of(size_t line) const { return index().hashes[line]; }
  // The lines with this hash, ascending; nullopt if there are more than `most`.
  std::optional<std::vector<size_t>> lines_hashed(uint32_t hash, size_t most) const;

  // The lines whose trimmed text is `text`, ascending; if there are more than `most`, returns
  // false. Scans the bytes at first, and makes an index when it is asked often.
  bool lines_with(std::string_view text, size_t most, std::vector<size_t>& lines) const;
  size_t cost_of_search() const;  // of the next lines_with, in the steps of `spend`

  // The indentation of the file's lines: one level in spaces (0: unknown), and the character used.
  struct Indentation {
    size_t unit = 0;
    bool tabs = false, blanks = false;
  };
  const Indentation& indentation() const;

  // A budget per file limits the cost of placing, whatever the edit contains. False if it is
  // exhausted, or placing was cancelled, so what was not found may still exist.
  bool spend(size_t steps) const;
  bool gave_up() const { return gave_up_; }

 private:
  Text text_;  // keeps the bytes alive
  std::string copy_;
  std::string_view bytes_;
  size_t first_ = 0;  // after a byte order mark
  char terminator_ = '\n';
  size_t line_count_ = 0;
  // One more than lines: the end of the last. Empty as long as few lines were asked for: an exact
  // quote asks for some, and in a large file a copy of the text's own table is most of its cost.
  mutable std::vector<size_t> begins_;
  mutable size_t lookups_ = 0;
  size_t looked_up(size_t line) const;
  std::string_view without_end(size_t begin, size_t next) const {
    std::string_view line = bytes_.substr(begin, next - begin);
    if (!line.ends_with(terminator_)) return line;
    line.remove_suffix(1);
    if (terminator_ == '\n' && line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }
  struct Index {
    std::vector<uint32_t> hashes;
    std::vector<uint32_t> heads, nexts;  // chains of lines + 1 with hashes that end alike
  };
  const Index& index() const;  // computed once
  mutable Index index_;
  mutable size_t scans_ = 0, budget_;
  mutable Indentation indentation_;
  mutable bool indentation_known_ = false, gave_up_ = false;
};

}  // namespace bodkin
