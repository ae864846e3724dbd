// The file's spelling of typographic signs, where the quote has plain ones or others: learned from
// the aligned pairs, and applied to new lines.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "edits/text/mapped_text.h"

namespace bodkin {

// (as the quote writes it, as the file does), for typographic signs.
using Spellings = std::vector<std::pair<std::string, std::string>>;

// Learns where `quoted` is spelled differently from `ours`.
void learn_spelling(std::string_view quoted, std::string_view ours, Spellings& spellings);
std::string respelled(std::string_view text, const Spellings& spellings, const MappedText& file);

// How much two lines have in common: at their ends, or in words.
size_t bytes_in_common(std::string_view one, std::string_view other);

// The new line `text`, which takes the place of a line that is `ours` in the file and `quoted` in
// the quote, equal but for such signs: what it has in common with the quote is as the file has it,
// the rest respelled. Nullopt: where it differs, it has plain signs that the file's line has
// otherwise.
std::optional<std::string> with_signs_of(std::string_view ours, std::string_view quoted,
                                         std::string_view text, const Spellings& spellings,
                                         const MappedText& file);

}  // namespace bodkin
