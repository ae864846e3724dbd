// Finds where a sketch's runs of lines belong in a file. A run is the lines between two elisions.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "edits/plan/failure.h"
#include "edits/text/line_keys.h"

namespace bodkin {

// A line of the sketch or of the file. Its index is its number, from 0.
struct LazyLine {
  std::string_view text;
  int key = 0;  // equal keys: the same line, but for blanks at its end
  bool elides = false, blank = false;
};
inline size_t depth_of(const LazyLine& line) { return depth_of(line.text); }

// A line of the sketch and its counterpart in the file, or one that only one side has (the other
// index is -1). `at`: the file's line before which it is.
struct LinePair {
  long sketch = -1, file = -1;
  size_t at = 0;
  bool stays() const { return sketch >= 0 && file >= 0; }
};

// The lines of all runs, in order; lines of the file that are in no pair are kept. Nothing is
// guessed: a run that fits two places, or that drops lines without saying so, is an error
// (`ambiguous` or `not_found`).
FailureOr<std::vector<LinePair>> place_runs(const std::vector<LazyLine>& sketch,
                                            const std::vector<LazyLine>& file);

// An error about a line of the sketch (from 0).
inline std::unexpected<Failure> lazy_error(FailureKind kind, size_t line, std::string_view what,
                                           std::string advice = {}) {
  return failure(kind,
                 "line " + std::to_string(line + 1) + " of the new code: " + std::string(what),
                 std::move(advice));
}

}  // namespace bodkin
