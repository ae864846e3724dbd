// Lines as tokens: the distance between two lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bodkin {

// Words (letters, digits, '_', everything that is not ASCII) and single signs; no whitespace.
std::vector<std::string_view> tokens_of(std::string_view line);

// The words alone.
std::vector<std::string_view> words_of_line(std::string_view line);

// True if the words are among those others, in their order.
bool are_in_order(const std::vector<std::string_view>& words,
                  const std::vector<std::string_view>& others);

// True if the words of one line are those of the other, in order, and some more.
bool has_more_words(std::string_view a, std::string_view b);

// The number of tokens that differ between two lines after their common ends.
size_t token_distance(std::string_view a, std::string_view b);

}  // namespace bodkin
