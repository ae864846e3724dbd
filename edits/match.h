// Placing a hunk: one ladder of rungs, from the exact bytes to a careful guess. Each rung looks at
// the whole file and counts all its hits; the first rung with a hit ends the search, and several
// hits are several places, to be told apart by evidence or refused (design: "one ladder").
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "edits/apply.h"
#include "edits/plan.h"
#include "edits/text.h"

namespace bodkin {

// A file's bytes with its lines. A line ends after \n or \r\n; after a lone \r only in a file that
// has no \n. A byte order mark belongs to no line. A last line without a line end counts if it is
// not empty, so an empty file has no lines.
class MappedText {
 public:
  struct Line {
    size_t begin = 0, end = 0, next = 0;  // bytes; `end` is before the line end, `next` behind it
  };
  explicit MappedText(const Text& text);

  const std::string& bytes() const { return bytes_; }
  const std::vector<Line>& lines() const { return lines_; }
  std::string_view line(size_t i) const {
    return std::string_view(bytes_).substr(lines_[i].begin, lines_[i].end - lines_[i].begin);
  }
  // The line end that a line inserted before line `i` takes: its neighbour's.
  std::string_view line_end_near(size_t i) const;

  // Every line under a rung's key, as interned numbers; computed once per file and key.
  using Key = std::string (*)(std::string_view line);
  const std::vector<size_t>& keys(Key key) const;
  std::optional<size_t> key_number(Key key, std::string_view line) const;  // none: not in the file

 private:
  struct Index {
    std::vector<size_t> of_line;
    std::unordered_map<std::string, size_t> numbers;
  };
  const Index& index(Key key) const;

  std::string bytes_;
  std::vector<Line> lines_;
  mutable std::map<Key, Index> indexes_;
};

// One place of a hunk's old side (its context and removed lines) in a file.
struct Place {
  MatchQuality quality = MatchQuality::exact;
  double similarity = 1.0;
  // The file's line for each old line; kNoLine for a context line that the file lacks.
  std::vector<size_t> line_of;
  size_t first = 0, last = 0;     // the lines that the place spans, half open
  size_t offset = 0, length = 0;  // its bytes; of a substring: the bytes of the old text
  // The hunk as it was read at this place, if the rung had to read it differently.
  std::optional<Hunk> hunk;
};
inline constexpr size_t kNoLine = static_cast<size_t>(-1);

// All places at the first rung that has one, or nothing.
std::vector<Place> find_places(const MappedText& file, const Hunk& hunk);

// All places where the hunk's new side (its context and added lines) stands exactly.
std::vector<Place> find_new_side(const MappedText& file, const Hunk& hunk);

// The lines most like the hunk's old side, for messages: [first, last) and the hunk's old line
// that differs first. Nothing if no line is alike.
struct NearMiss {
  LineRange lines;
  double similarity = 0;  // share of equal lines, white space ignored
  size_t old_line = 0;    // which old line differs first
  size_t file_line = 0;   // from what line of the file
};
std::optional<NearMiss> nearest_lines(const MappedText& file, const Hunk& hunk);

std::vector<std::string> old_side(const Hunk& hunk);
std::vector<std::string> new_side(const Hunk& hunk);

bool is_blank(std::string_view line);
std::string_view indentation_of(std::string_view line);
std::string_view stripped(std::string_view line);

}  // namespace bodkin
