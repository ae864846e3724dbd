// Whether a sketch shows that what a region removes is gone.
//
// What is next to an elision is new, or it is a line of the file that stays. Which of them, only
// its words say: a bracket, "else" or "return" occurs in many places, and a new block that ends in
// one seems to reach to the next one of the file, over lines that the elision stands for. The same
// is true of a sketch that begins or ends somewhere in the file and does not say so. So:
//
//   Lines go only between two that are anchors: that say something, that the file has once, and
//   that are not in a block which the change itself begins. Where one side has none, each line that
//   goes must come back changed, as a line with most of its words.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "edits/lazy/lazy_region.h"
#include "edits/lazy/lazy_runs.h"

namespace bodkin {

// True if the line says something that is not in every block.
bool says_something(std::string_view line);

class LazyAnchors {
 public:
  // `count`: how often the file has such an item. `has_news`: whether the sketch has lines that the
  // file has not. The items are kept as references.
  LazyAnchors(const std::vector<LazyItem>& sketch, const std::vector<LazyItem>& file,
              std::function<size_t(int key)> count, bool has_news)
      : sketch_(sketch), file_(file), count_(std::move(count)), has_news_(has_news) {}

  // Where the ends of a run are known without an anchor: next to the head of its block, say.
  struct Edges {
    bool begin = false, end = false;
  };

  // True if it is certain what the region means; else `lost` is a line of the file that would go,
  // if one would.
  bool is_certain(const Region& region, const Run& run, Edges edges,
                  std::optional<size_t>& lost) const;

 private:
  struct Change;  // lines that go and come between two that stay
  std::optional<Change> doubtful_change(const Region& region, const Run& run, Edges edges) const;
  bool is_anchor(const ItemPair& pair) const;
  bool is_outline_next(const std::vector<ItemPair>& pairs, size_t at, bool down) const;
  std::optional<size_t> depth_of_elision(const Run& run) const;  // the one after it
  bool opens_more(const Change& change) const;
  bool comes_back(const Change& change) const;

  const std::vector<LazyItem>& sketch_;
  const std::vector<LazyItem>& file_;
  std::function<size_t(int key)> count_;
  const bool has_news_;
};

}  // namespace bodkin
