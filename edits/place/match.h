// A place of a hunk in a file, as the checks and the writer see it, whether the aligner
// (edits/align/align.h), a search for bytes, or line numbers found it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edits/plan/plan.h"
#include "edits/plan/report.h"
#include "edits/text/mapped_text.h"

namespace bodkin {

inline constexpr size_t kNoLine = static_cast<size_t>(-1);

// One place of a hunk's old side (its context and removed lines) in a file.
struct Place {
  MatchQuality quality = MatchQuality::exact;
  size_t first = 0, last = 0;     // the lines that the place spans, half open
  size_t offset = 0, length = 0;  // its bytes
  bool within_lines = false;      // the bytes are the old text, not whole lines
  // The file's line for each old line (kNoLine: the file lacks this context line). Empty: the
  // lines from `first` on.
  std::vector<size_t> line_of;
  // The hunk to be written at this place, if it differs.
  std::shared_ptr<const Hunk> hunk;
  bool is_among_cut_words = false;  // other places of the hunk are parts of longer words

  size_t line_for(size_t old) const { return line_of.empty() ? first + old : line_of[old]; }
};

std::vector<std::string_view> old_side(const Hunk& hunk);  // views into the hunk
std::vector<std::string_view> new_side(const Hunk& hunk);

}  // namespace bodkin
