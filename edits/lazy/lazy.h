// Lazy edits: a sketch of a file in which `// ... existing code ...` stands for lines that stay.
//
// A sketch is read by its lines. A run is what it shows between two elisions. Each run belongs to a
// region of the file, which begins where the run's first lines are and ends where its last lines
// are; between them the file becomes the run. What an elision stands for stays. So a line of the
// file goes only between two lines that are shown, and what no line of the sketch names stays, or
// the sketch is refused. An example: the file and its sketch,
//
//   1  class Shop:                    class Shop:
//   2      def open(self):                # ... existing code ...
//   3          self.unlock()              def count(self):
//   4                                         return len(self.items)
//   5      def close(self):
//   6          self.lock()                def close(self):
//   7          self.log("closed")             self.log("closed")
//   8                                     # ... existing code ...
//   9  def main():
//
// 1. Runs (lazy_runs.h): `class Shop:`, and all from `def count` to `self.log`.
// 2. Heads (lazy_heads.h): by its indentation the second run is in `class Shop:`, which is line 1;
//    so it must be within lines 2 to 7, and a `def close` of another class is no place for it.
//    No head of the file is called count: `def count` and its body are a new entry, and are not
//    looked for, although `return len(self.items)` may well stand elsewhere.
// 3. The region (lazy_region.h) begins at the first line that is not new, `def close`, line 5, and
//    ends at the last, line 7. Of several places the cheapest diff wins, if it is cheaper by two
//    lines than the next; else the sketch is refused.
// 4. The diff of the run and lines 5 to 7 removes line 6. The new entry goes right above line 5.
// 5. The region's questions: line 6 goes between two lines that are shown, that say something and
//    that the file has once (lazy_loss.h). Is a new line next to an elision the file's line beside
//    it, changed (check_region)? `def close` has a name of its own.
// 6. The result's questions (lazy_checks.h): nothing is written a second time beside itself, lines
//    go only where the sketch shows it, no remark takes the place of lines.
//
// Lines shown at depth 0 that are deeper in the file are first moved to that depth.
//
// No grammar is asked. It was tried: refusing what breaks the syntax of the merged file catches 10
// of 359 wrong places in 63,000 made-up sketches, and refuses a quarter of the right ones, and 3 of
// 49 real ones, of files that were already broken or are written in a dialect.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edits/plan/failure.h"
#include "edits/text/text.h"

namespace bodkin {

// The sketch's changes to the file, in bytes of the file, ascending and disjoint. Errors:
// `ambiguous` or `not_found`.
FailureOr<std::vector<Replacement>> merge_lazy(std::string_view sketch, const Text& file,
                                               std::string_view path = {});

// The sketch with an elision added at each end without one, if the file goes on beyond such an end
// for at least `least_beyond` lines with text: it shows a part of the file. Unchanged if both ends
// have one; nullopt if the file goes on beyond neither.
std::optional<std::string> as_part(std::string_view sketch, const Text& file, size_t least_beyond);

}  // namespace bodkin
