#include "edits/align/lines.h"

#include <algorithm>
#include <cctype>

#include "edits/text/find_bytes.h"
#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

using TokenKind = LineToken::Kind;

// The end of the string literal that begins at `at` (after its quote); npos: not in this line.
size_t end_of_string(std::string_view line, size_t at) {
  for (size_t i = at + 1; i < line.size(); ++i) {
    if (line[i] == '\\')
      ++i;
    else if (line[i] == line[at])
      return i + 1;
  }
  return line.npos;
}

LineToken token_at(std::string_view line, size_t at) {
  size_t end = at + 1;
  TokenKind kind = TokenKind::sign;
  if (line[at] == '"' || line[at] == '\'') {
    if (const size_t closed = end_of_string(line, at); closed != line.npos)
      return {line.substr(at, closed - at), TokenKind::string};
  } else if (is_digit(line[at])) {
    kind = TokenKind::number;
    while (end < line.size() && (is_word_char(line[end]) || line[end] == '.')) ++end;
  } else if (is_word_char(line[at])) {
    kind = TokenKind::word;
    while (end < line.size() && is_word_char(line[end])) ++end;
  }
  return {line.substr(at, end - at), kind};
}

constexpr size_t kLongest = 4000;  // bytes of a line that is compared token by token

template <class Each>
void for_each_token(std::string_view line, const Each& each) {
  // A quote without its partner must not be searched for again and again.
  bool open[2] = {false, false};
  for (size_t at = 0; at < line.size();) {
    if (is_space(line[at])) {
      ++at;
      continue;
    }
    LineToken token;
    const bool quotes = line[at] == '"' || line[at] == '\'';
    if (quotes && open[line[at] == '"']) {
      token = {line.substr(at, 1), TokenKind::sign};
    } else {
      token = token_at(line, at);
      if (quotes && token.kind == TokenKind::sign) open[line[at] == '"'] = true;
    }
    each(token);
    at += token.text.size();
  }
}

// The same word but for a slip: two letters changed places, or one within it is missing, doubled or
// another one. At the edges of a word, or of a part of a name, a letter tells names apart: "get"
// and "set", "axis_x" and "axis_y", "item" and "items".
bool is_slip(std::string_view a, std::string_view b) {
  constexpr size_t kShortest = 4;
  if (a.size() < b.size()) std::swap(a, b);
  if (b.size() < kShortest || a.size() > b.size() + 1) return false;
  size_t head = 0, tail = 0;
  while (head < b.size() && a[head] == b[head]) ++head;
  while (tail < b.size() - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  const size_t differs = a.size() - head - tail;
  for (size_t i = head; i < a.size() - tail; ++i)
    if (!is_ascii_letter(a[i])) return false;
  if (a.size() == b.size() && differs == 2) return a[head] == b[head + 1] && a[head + 1] == b[head];
  return differs == 1 && head > 0 && tail > 0 && is_ascii_letter(a[head - 1]) &&
         is_ascii_letter(a[a.size() - tail]) && is_ascii_letter(b[std::min(head, b.size() - 1)]);
}

using Tokens = std::vector<LineToken>;

// True if the file has this word more than `most` times.
bool has_word_often(const MappedText& file, std::string_view word, size_t most) {
  const std::string_view bytes = file.bytes();
  if (!file.spend(bytes.size() / 8)) return true;
  for (size_t at = find_bytes(bytes, word); at != bytes.npos; at = find_bytes(bytes, word, at + 1))
    if ((at == 0 || !is_word_char(bytes[at - 1])) &&
        (at + word.size() == bytes.size() || !is_word_char(bytes[at + word.size()])) && most-- == 0)
      return true;
  return false;
}

// A name that the file has is not a slip of the quote, but another name. So are two names that both
// occur elsewhere, and two that differ in their numbers: two things, not one thing renamed.
Price price_of_word(const MappedText& file, std::string_view quoted, std::string_view ours) {
  const auto letters = [](std::string_view word) {
    std::string out;
    for (const char c : word)
      if (!is_digit(c)) out += c;
    return out;
  };
  const bool is_known = has_word_often(file, quoted, 0);
  if (is_slip(quoted, ours)) return is_known ? kThing : kSlip;
  if (letters(quoted) == letters(ours)) return kThing;
  const bool is_used = has_word_often(file, ours, 1);
  return is_known && is_used ? kThing : kWord;
}

// The price of the tokens [i, i_end) in the place of [j, j_end).
Price price_of_run(const MappedText& file, const Tokens& a, size_t i, size_t i_end, const Tokens& b,
                   size_t j, size_t j_end) {
  const auto is_thing = [](const LineToken& token) { return token.kind != TokenKind::word; };
  if (i_end - i == 1 && j_end - j == 1 && is_thing(a[i]) == is_thing(b[j])) {
    if (!is_thing(a[i])) return price_of_word(file, a[i].text, b[j].text);
    const bool slip = is_slip(a[i].text, b[j].text);
    return slip && a[i].kind != TokenKind::number ? kSlip : kThing;
  }
  Price price = 0;
  for (; i < i_end; ++i) price += is_thing(a[i]) ? kThing : kWord;
  for (; j < j_end; ++j) price += is_thing(b[j]) ? kThing : kWord;
  return price;
}

Price price_of_tokens(const MappedText& file, const Tokens& a, const Tokens& b) {
  constexpr size_t kMost = 64;  // tokens between the common ends
  size_t head = 0, a_end = a.size(), b_end = b.size();
  while (head < a_end && head < b_end && a[head] == b[head]) ++head;
  while (a_end > head && b_end > head && a[a_end - 1] == b[b_end - 1]) --a_end, --b_end;
  const size_t rows = a_end - head, columns = b_end - head;
  if (rows > kMost || columns > kMost) return kNever;
  std::vector<size_t> best((rows + 1) * (columns + 1), 0);
  const auto at = [&](size_t i, size_t j) -> size_t& { return best[i * (columns + 1) + j]; };
  for (size_t i = rows; i-- > 0;)
    for (size_t j = columns; j-- > 0;)
      at(i, j) =
          a[head + i] == b[head + j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  Price price = 0;
  size_t i = 0, j = 0, i_from = 0, j_from = 0;
  const auto close = [&] {
    price += price_of_run(file, a, head + i_from, head + i, b, head + j_from, head + j);
  };
  while (i < rows && j < columns) {
    if (a[head + i] == b[head + j]) {
      close();
      i_from = ++i, j_from = ++j;
    } else if (at(i + 1, j) >= at(i, j + 1)) {
      ++i;
    } else {
      ++j;
    }
  }
  i = rows, j = columns;
  close();
  return price;
}

}  // namespace

std::vector<LineToken> line_tokens(std::string_view line) {
  std::vector<LineToken> tokens;
  for_each_token(line, [&](const LineToken& token) { tokens.push_back(token); });
  return tokens;
}

std::string_view loose_key(std::string_view line, std::string& buffer) {
  std::string folded;
  if (!is_ascii(line)) line = punctuation_key(line, folded);
  line = trimmed(line);
  buffer.resize(line.size());
  size_t size = 0;
  bool has_quote = false;
  for (const char c : line) {  // without a branch: this is done for all lines of a file
    buffer[size] = c;
    size += !is_space(c);
    has_quote |= (c == '"') | (c == '\'');
  }
  if (size == line.size() && folded.empty()) return line;
  buffer.resize(size);
  if (has_quote && size < line.size()) {  // blanks in a string count
    buffer.clear();
    for_each_token(line, [&](const LineToken& token) { buffer += token.text; });
  }
  return buffer;
}

bool is_solid(std::string_view line) {
  return std::ranges::any_of(line, [](char c) { return is_word_char(c) || c == '"' || c == '\''; });
}

Price price_of_difference(const MappedText& file, std::string_view quoted, std::string_view ours) {
  if (is_blank(quoted) || is_blank(ours)) return kNever;
  if (quoted.size() > kLongest || ours.size() > kLongest) return kNever;
  std::string left, right;
  const std::vector<LineToken> a = line_tokens(punctuation_key(quoted, left)),
                               b = line_tokens(punctuation_key(ours, right));
  const Price price = price_of_tokens(file, a, b);
  if (price == kSlip) return price;
  return std::min(a.size(), b.size()) > 1 && price <= 2 * kThing ? price : kNever;
}

bool begins_with_dots(std::string_view line) {
  const auto word = std::ranges::find_if(line, is_word_char);  // also what is not ASCII
  line.remove_prefix(
      std::min({line.size(), line.find("..."), static_cast<size_t>(word - line.begin())}));
  return line.starts_with("...") || line.starts_with("…") || line.starts_with("⋯");
}

}  // namespace bodkin
