// Reads the indentation of a sketch: which line is in the block of which head, and which entries
// are new. This needs no grammar, so it is the same in every language.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "edits/lazy/lazy_runs.h"

namespace bodkin {

// By line of the sketch.
struct LazyHeads {
  std::vector<std::optional<size_t>> head_of;  // the head whose block it is in, or closes
  std::vector<char> is_new;                    // it is in an entry that the file does not have
};

// `count`: how often the file has a line with this key.
LazyHeads heads_of(const std::vector<LazyLine>& sketch, const std::vector<LazyLine>& file,
                   const std::function<size_t(int key)>& count);

// True if the lines below are deeper. A bracket alone right below the head belongs to it.
bool opens_deeper(const std::vector<LazyLine>& lines, size_t head);

// The end of the head's block, including the line that closes it.
size_t block_end(const std::vector<LazyLine>& lines, size_t head);

}  // namespace bodkin
