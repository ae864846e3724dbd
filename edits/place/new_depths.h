// New depths: whose indentation the new half has where the old half is indented differently than
// the file. In SEARCH/REPLACE the lines that both halves have say it. A diff has its context only
// once, so there it is what replaces a line: as deep as that line is in the file, or in the quote.
// A line that was quoted without its indentation may have been replaced by several of which only
// the first lost it: the others are then as deep as only the file can explain. And a quote whose
// first line alone lost its indentation may have a new half that is indented as a text of its own:
// where the file's depths would put what is nested in its first line beside that line.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "edits/place/match.h"

namespace bodkin {

enum class NewDepths {
  quotes,            // as nearly always
  files,             // the file's
  open,              // the lines contradict each other
  below_first,       // its own, below its first line: of the old half only the first lost its depth
  open_below_first,  // likewise, but the new half's own depths are none of a text
};

// True if a deeper line may follow this one, which is trimmed. Yes in doubt.
bool may_open(std::string_view text);
bool starts_with_word(std::string_view text, std::initializer_list<std::string_view> words);

// `ours`: the file's lines at the hunk's old ones, at `place`.
NewDepths new_depths(const MappedText& file, const Hunk& hunk, const Place& place,
                     const std::vector<std::string>& ours);

// Only whether it is below_first or open_below_first; else quotes.
NewDepths depths_below_first(const Hunk& hunk, const std::vector<std::string>& ours);

constexpr double kAlike = 0.4;  // of their tokens: lines that may be one, changed

// The share of tokens that two lines have in common, from 0 to 1.
double token_similarity(std::string_view a, std::string_view b);

}  // namespace bodkin
