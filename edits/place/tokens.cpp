#include "edits/place/tokens.h"

#include <algorithm>
#include <cctype>

#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

struct CommonEnds {
  size_t head = 0, tail = 0;
};

template <class Sequence>
CommonEnds common_ends(const Sequence& a, const Sequence& b) {
  CommonEnds ends;
  while (ends.head < a.size() && ends.head < b.size() && a[ends.head] == b[ends.head]) ++ends.head;
  while (ends.tail + ends.head < a.size() && ends.tail + ends.head < b.size() &&
         a[a.size() - 1 - ends.tail] == b[b.size() - 1 - ends.tail])
    ++ends.tail;
  return ends;
}

}  // namespace

std::vector<std::string_view> tokens_of(std::string_view line) {
  std::vector<std::string_view> tokens;
  const auto is_word = [](char c) {
    return c == '_' || static_cast<unsigned char>(c) >= 0x80 ||
           std::isalnum(static_cast<unsigned char>(c));
  };
  for (size_t i = 0; i < line.size();) {
    if (line[i] == ' ' || line[i] == '\t') {
      ++i;
      continue;
    }
    size_t end = i + 1;
    if (is_word(line[i]))
      while (end < line.size() && is_word(line[end])) ++end;
    tokens.push_back(line.substr(i, end - i));
    i = end;
  }
  return tokens;
}

std::vector<std::string_view> words_of_line(std::string_view line) {
  std::vector<std::string_view> words = tokens_of(line);
  std::erase_if(words, [](std::string_view token) { return !has_word(token); });
  return words;
}

bool are_in_order(const std::vector<std::string_view>& words,
                  const std::vector<std::string_view>& others) {
  size_t next = 0;
  for (const std::string_view word : others) next += next < words.size() && words[next] == word;
  return next == words.size();
}

bool has_more_words(std::string_view a, std::string_view b) {
  std::vector<std::string_view> few = words_of_line(a), many = words_of_line(b);
  if (few.size() > many.size()) std::swap(few, many);
  return are_in_order(few, many) && 2 * few.size() >= many.size();
}

size_t token_distance(std::string_view a, std::string_view b) {
  const std::vector<std::string_view> left = tokens_of(a), right = tokens_of(b);
  const auto [head, tail] = common_ends(left, right);
  return std::max(left.size(), right.size()) - head - tail;
}

}  // namespace bodkin
