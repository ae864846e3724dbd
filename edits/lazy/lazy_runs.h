// Where a sketch's runs of items belong in a file. An item is a line, or a whole block (see
// items_of in lazy_merge.cpp). A run is the items between two elisions.
#pragma once

#include <string_view>
#include <vector>

#include "edits/plan/failure.h"
#include "edits/plan/syntax.h"
#include "edits/text/line_keys.h"

namespace bodkin {

struct LazyItem {
  LineRange lines;
  int key = 0;            // equal keys: the same to the merge
  std::string_view text;  // of its first line
  const SyntaxBlock* block = nullptr;
  bool elides = false, blank = false;
  bool ends_elided = false;  // a sketch's block without its end
  bool is_outline = false;   // a sketch's block that leaves something out, or its head
  bool is_detailed = false;  // … and shows more of it than its head and some line
  bool changed = false;  // for a sketch's block that has a counterpart in the file: the two differ
};
inline size_t depth_of(const LazyItem& item) { return depth_of(item.text); }

// An item of the sketch and its counterpart in the file, or one that only one side has (the other
// index is -1). `at`: the file's item before which it is.
struct ItemPair {
  long sketch = -1, file = -1;
  size_t at = 0;
};

struct LazyPlaces {
  bool whole_file = false;  // the level is the file's: what is before and after may be left out
  bool closed = false;      // the level's end is shown: a line that only closes it
  bool has_news = true;     // the sketch has lines that the file has not
  bool by_names = false;    // blocks were compared: new items may be at the ends of a run
};

// The items of all runs, in order; items of the file that are in no pair are kept. Nothing is
// guessed: a run that fits two places, or that drops lines without saying so, is an error
// (`ambiguous` or `not_found`).
FailureOr<std::vector<ItemPair>> place_runs(const std::vector<LazyItem>& sketch,
                                            const std::vector<LazyItem>& file, LazyPlaces how);

// An error about a line of the sketch (from 0).
std::unexpected<Failure> lazy_error(FailureKind kind, size_t line, std::string_view what,
                                    std::string advice = {});

}  // namespace bodkin
