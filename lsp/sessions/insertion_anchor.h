// Where lines go that replace none: nothing at their place says by itself whether it is still
// theirs. The text beside it does: up to the nearest lines that are not blank, above and below.
#pragma once

#include <optional>
#include <string>

#include "edits/text/text.h"

namespace bodkin {

bool is_line_begin(const Text& text, size_t offset);

struct InsertionAnchor {
  std::string above, below;  // the text that ends, and that begins, at the place; "": the file does
};

// `place`: in bytes, where a line begins, or the end.
InsertionAnchor anchor_at(const Text& text, size_t place);
bool stands_at(const InsertionAnchor& anchor, const Text& text, size_t place);
// The only place in the text with that beside it. Linear in the text.
std::optional<size_t> place_of(const InsertionAnchor& anchor, const Text& text);

}  // namespace bodkin
