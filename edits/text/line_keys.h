// Line keys: what is taken for the same line. Two lines are the same to a comparison if their keys
// are equal.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace bodkin {

// White space within a line. Called for every line of a file, hence comparisons instead of a set
// lookup.
constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r' && c != '\n'); }

constexpr bool is_blank(std::string_view line) {
  for (const char c : line)
    if (!is_space(c)) return false;
  return true;
}

constexpr std::string_view trimmed_right(std::string_view line) {
  while (!line.empty() && is_space(line.back())) line.remove_suffix(1);
  return line;
}

// Without whitespace at both ends.
constexpr std::string_view trimmed(std::string_view line) {
  while (!line.empty() && is_space(line.front())) line.remove_prefix(1);
  return trimmed_right(line);
}

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
// Of names for machines: a letter or a digit of ASCII, '_' or '-'.
constexpr bool is_name_char(char c) {
  return is_ascii_letter(c) || is_digit(c) || c == '_' || c == '-';
}

// Of texts of any number of lines.
constexpr bool is_blank_text(std::string_view text) {
  return text.find_first_not_of(" \t\r\n\v\f") == text.npos;
}
constexpr std::string_view trimmed_text(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n\v\f"), text.size()));
  return text.substr(0, text.find_last_not_of(" \t\r\n\v\f") + 1);
}

// A letter, a digit, '_', or a byte that is not ASCII.
constexpr bool is_word_char(char c) {
  return is_ascii_letter(c) || is_digit(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool is_ascii(std::string_view text);
// Else it is only punctuation, such as "}", which occurs everywhere.
bool has_word(std::string_view line);
std::string_view indentation_of(std::string_view line);
constexpr bool has_tab(std::string_view line) { return line.find('\t') != line.npos; }
inline size_t depth_of(std::string_view line) { return indentation_of(line).size(); }

std::string lower_case(std::string_view text);  // of ASCII letters

// One of a few signs; called for every byte, hence no search.
template <size_t n>
constexpr bool is_among(char c, const char (&signs)[n]) {
  for (size_t i = 0; i + 1 < n; ++i)
    if (c == signs[i]) return true;
  return false;
}

// The word that the text begins with; empty if it does not begin with one.
constexpr std::string_view first_word(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && is_word_char(text[end])) ++end;
  return text.substr(0, end);
}

constexpr bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}
template <size_t n>
constexpr bool is_one_of(std::string_view word, const std::string_view (&words)[n]) {
  return std::ranges::find(words, word) != std::ranges::end(words);
}

template <typename Words>
constexpr bool contains_any(std::string_view text, const Words& words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.contains(word); });
}
constexpr bool contains_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return contains_any<>(text, words);
}

// The answer is a view into the line, or into `buffer` if the key had to be built.
using LineKey = std::string_view (*)(std::string_view line, std::string& buffer);

std::string_view exact_key(std::string_view line, std::string& buffer);
std::string_view trailing_key(std::string_view line, std::string& buffer);
// … and typographic punctuation is plain, letters and their accents are one character (NFC).
std::string_view punctuation_key(std::string_view line, std::string& buffer);

// The text with letters and their accents as one character each (NFC); as it is if it is not UTF-8.
std::string composed(std::string_view text);

// A typographic character at the beginning of `text` that replaces a plain one: its bytes and the
// plain text. Nullopt if there is none.
struct Typographic {
  std::string_view written, plain;
};
std::optional<Typographic> typographic_at(std::string_view text);

// Without blanks at both ends, and with single spaces for whitespace, except in string literals.
std::string_view whitespace_key(std::string_view line, std::string& buffer);

bool same_under(LineKey key, std::string_view a, std::string_view b);

}  // namespace bodkin
