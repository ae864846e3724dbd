// Lines as the aligner compares them: their tokens, the key under which a line that is removed must
// be equal, and the one measure of how different a line that is kept may be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "edits/align/prices.h"
#include "edits/text/mapped_text.h"

namespace bodkin {

struct LineToken {
  enum class Kind { word, number, string, sign };
  std::string_view text;  // a view into the line
  Kind kind = Kind::sign;
  friend bool operator==(const LineToken& a, const LineToken& b) { return a.text == b.text; }
};

// A string literal that also ends in the line is one token; blanks between tokens are not tokens.
std::vector<LineToken> line_tokens(std::string_view line);

// A LineKey (edits/text/line_keys.h): the line's tokens without the blanks between them,
// typographic punctuation and composed letters as plain ones. Blanks in string literals count.
std::string_view loose_key(std::string_view line, std::string& buffer);

// True if the line says something: it is more than brackets and signs.
bool is_solid(std::string_view line);

// The price of reading the file's line `ours` as a kept line that is quoted as `quoted`. The two
// have different keys.
Price price_of_difference(const MappedText& file, std::string_view quoted, std::string_view ours);

// True if the line is only dots, perhaps with words after them, behind the sign of a comment.
bool begins_with_dots(std::string_view line);

}  // namespace bodkin
