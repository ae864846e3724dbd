// Decides whether a sketch shows that what a region removes is gone.
//
// A line next to an elision is new, or it is a line of the file that stays, changed. Only its words
// tell which: a new block that ends like the file's next one seems to reach to that one's end, over
// lines that the elision stands for. So:
//
//   A head goes only with all of its body, unless a line with its name comes, or the sketch shows
//   what is on both sides of the entry.
//   Lines go only between two anchors: lines that say something, that the file has once, and that
//   are no deeper than what goes. Else each of them must come back, changed.
//   Fewer entries never come for more: one of two may be the changed one, the other is left out.
//   What comes leaves no block open.
//
// An example. The file has functions a, b and c, of which b and c end alike, and the sketch is
//
//   def a(): ...              a, as the file has it
//   def new():
//       return total()        the last line of b and c
//   # ... existing code ...
//
// Its lines fit from `def a` to the end of b, with `def new` for `def b`. But b's head would go
// and its body stay under another name: `torn_head`. Nor would it be certain without that: `return
// total()` is no anchor, and `def b` does not come back as `def new`.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "edits/lazy/lazy_region.h"
#include "edits/lazy/lazy_runs.h"

namespace bodkin {

// The first item of the file that a region would remove although an elision may stand for it;
// nullopt if the region leaves a block open.
struct Loss {
  std::optional<size_t> item;
};

// The head of an entry of the file (an item) that the region removes, while it keeps a part of the
// body. `count`: how often the file has an item with this key.
std::optional<size_t> torn_head(const Region& region, const Run& run,
                                const std::vector<LazyLine>& sketch,
                                const std::vector<LazyLine>& file,
                                const std::function<size_t(int key)>& count);

// Nullopt if it is certain what the region means.
std::optional<Loss> loss_in(const Region& region, const Run& run,
                            const std::vector<LazyLine>& sketch, const std::vector<LazyLine>& file,
                            const std::function<size_t(int key)>& count);

}  // namespace bodkin
