#include "lsp/cli/markdown_colours.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "agent/support/shown_text.h"

namespace bodkin {

namespace {

bool is_white(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// "**" opens after these only: a ** b and x**2 are not bold text.
bool may_open_behind(char c) { return is_white(c) || c == '(' || c == '"' || c == '\''; }

}  // namespace

std::string MarkdownColours::bold(bool on) {
  return std::exchange(is_bold_, on) == on ? "" : on ? "\033[1m" : "\033[22m";
}

std::string MarkdownColours::code(bool on) {
  return std::exchange(is_code_, on) == on ? "" : on ? "\033[36m" : "\033[39m";
}

std::string MarkdownColours::add(char c) {
  if (c == '*' && !in_block_ && !is_code_) {
    ++stars_;
    ++at_;
    return "";
  }
  const std::string stars(std::exchange(stars_, 0), '*');
  std::string given = stars;
  const bool is_inside_word = std::isalnum(static_cast<unsigned char>(c)) != 0;
  if (stars.size() == 2 && is_bold_ && !is_heading_ && !is_white(last_) && !is_inside_word) {
    given += bold(false);
  } else if (stars.size() == 2 && !is_bold_ && may_open_behind(last_) && !is_white(c)) {
    given = bold(true) + stars;
  }
  if (!stars.empty()) last_ = '*';
  if (c == '\n') {
    given += bold(false) + code(false) + c;
    if (is_fence_) in_block_ = !in_block_;
    is_fence_ = is_heading_ = false;
    at_ = ticks_ = 0;
    last_ = ' ';
    return given;
  }
  return given + add_to_line(c);
}

std::string MarkdownColours::add_to_line(char c) {
  const bool is_first = at_ == 0;
  if (is_first && is_white(c)) return std::string(1, c);
  ++at_;
  last_ = c;
  if (c == '`' && ticks_ + 1 == at_ && ++ticks_ == 3) {  // opens or closes a block
    is_fence_ = true;
    return code(true) + c;
  }
  if (in_block_ || is_fence_) return code(true) + c;
  if (c == '`') return is_code_ ? c + code(false) : code(true) + c;
  if (is_first && c == '#') {
    is_heading_ = true;
    return bold(true) + c;
  }
  const bool is_mark = is_heading_ && c != '#' && c != ' ' && at_ == 2;
  if (is_mark) is_heading_ = false;  // "#include", "#12"
  return (is_mark ? bold(false) : "") + c;
}

std::string without_escapes(std::string_view words) {
  std::string result;
  for (const char c : words) result += c == '\033' ? "^[" : std::string(1, c);
  return result;
}

void put_coloured(std::FILE* to, std::string_view text) {
  while (!text.empty()) {
    const size_t begin = std::min(text.find('\033'), text.size());
    put(to, text.substr(0, begin));
    const size_t end = begin == text.size() ? begin : text.find('m', begin) + 1;
    std::fwrite(text.data() + begin, 1, end - begin, to);
    text.remove_prefix(end);
  }
}

size_t seen_characters(std::string_view coloured) {
  size_t count = 0;
  for (size_t i = 0; i < coloured.size(); ++i) {
    if (coloured[i] == '\033')
      i = coloured.find('m', i);
    else
      count += (static_cast<unsigned char>(coloured[i]) & 0xC0) != 0x80;
  }
  return count;
}

}  // namespace bodkin
