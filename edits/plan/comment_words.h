// What the words of a comment say about code that stays or was left out, word by word.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bodkin {

// The words of a comment, and what they say.
struct CommentWords {
  std::string words = " ";  // each with a blank after it
  size_t count = 0, unknown = 0, wholes = 0;
  bool rest = false, state = false, has_code = false;
  bool hint = false;  // it may say that something stays
  bool number = false;
  bool stays = false;      // it ends in a word that says so
  bool only_other = true;  // no remainder is named but "other"
};

CommentWords comment_words(std::string_view text);

// True if the text, whose words have a blank on both sides, contains this word or these in a row.
bool has_words(std::string_view text, std::string_view words);

// True if the text has a phrase in a language other than English that says so.
bool has_foreign_phrase(std::string_view text);

}  // namespace bodkin
