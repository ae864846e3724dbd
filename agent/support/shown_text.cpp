#include "agent/support/shown_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "agent/platform/terminal.h"
#include "edits/plan/paths.h"

namespace bodkin {

namespace {

struct Character {
  uint32_t code = 0;
  size_t size = 0;  // 0: the byte is no UTF-8
};

Character character_at(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const size_t size = first >= 0xF0 && first < 0xF5 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
  if (size == 0 || first >= 0xF5 || text.size() < size) return {};
  uint32_t code = first & (0xFF >> (size + 1));
  for (size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = (code << 6) | (byte(i) & 0x3F);
  }
  const bool overlong = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
  if (overlong || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {};
  return {code, size};
}

// Joiners and variation selectors, one behind a sign, are a part of it: of an emoji, of Persian. In
// a row, or in ASCII, they may hide something.
class Joiners {
 public:
  // Whether the next character, with what is behind it, is one of those.
  bool is_part_of_sign(uint32_t code, std::string_view behind) {
    constexpr std::string_view kKeycap = "\xE2\x83\xA3";  // U+20E3, behind a digit
    const bool selects = (code >= 0xFE00 && code <= 0xFE0F) || (code >= 0xE0100 && code <= 0xE01EF);
    if (code == 0x200C || code == 0x200D)
      return std::exchange(before_, Before::other) != Before::other;
    if (selects && (before_ == Before::sign || behind.starts_with(kKeycap))) {
      before_ = Before::selector;
      return true;
    }
    before_ = code >= 0x80 && !selects && !is_hidden_character(code) ? Before::sign : Before::other;
    return false;
  }

 private:
  enum class Before { other, sign, selector };
  Before before_ = Before::other;
};

constexpr std::string_view kNothingWide = "\xE2\x80\x8B";  // U+200B

}  // namespace

std::string visible(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  Joiners joiners;
  for (size_t i = 0; i < text.size();) {
    const Character c = character_at(text.substr(i));
    const bool is_part_of_sign = joiners.is_part_of_sign(c.code, text.substr(i + c.size));
    if (c.size == 0) {
      result += fmt::format("<{:02x}>", static_cast<unsigned char>(text[i]));
      ++i;
      continue;
    }
    if (c.code == '\r' && i + 1 < text.size() && text[i + 1] == '\n') {
      // the line ends anyway
    } else if ((c.code < 0x20 && c.code != '\n' && c.code != '\t') || c.code == 0x7F) {
      result += '^';
      result += static_cast<char>(c.code ^ 0x40);
    } else if (text.substr(i).starts_with(kNothingWide) && i > 0 && text[i - 1] == ']' &&
               text.substr(i + c.size).starts_with('(')) {
      result += kNothingWide;  // of `plain`
    } else if (c.code >= 0x80 && !is_part_of_sign &&
               (is_hidden_character(c.code) || c.code == 0xFE0F)) {
      result += fmt::format("<U+{:04X}>", c.code);
    } else {
      result += text.substr(i, c.size);
    }
    i += c.size;
  }
  return result;
}

std::string plain(std::string_view text) {
  std::string result = visible(text);
  for (size_t at = 0; (at = result.find("](", at)) != result.npos; ++at)
    result.insert(at + 1, kNothingWide);
  return result;
}

std::string plain_line(std::string_view text) {
  std::string result = plain(text);
  for (char& c : result)
    if (c == '\n' || c == '\t') c = ' ';
  return result;
}

std::string shown_name(std::string_view name) {
  std::string result;
  for (const char c : visible(name)) {
    if (c == '\n' || c == '\t') {
      result += '^';
      result += static_cast<char>(c ^ 0x40);
    } else {
      result += c;
    }
  }
  return result;
}

std::string wrapped(std::string_view text, size_t width, size_t indent) {
  const auto characters = [](std::string_view of) {
    return static_cast<size_t>(
        std::ranges::count_if(of, [](unsigned char c) { return (c & 0xC0) != 0x80; }));
  };
  std::string result;
  size_t column = 0;
  for (size_t i = 0; i <= text.size();) {
    const size_t end = std::min(text.find(' ', i), text.size());
    const std::string_view word = text.substr(i, end - i);
    const size_t size = characters(word.substr(0, word.find('\n')));
    if (i > 0 && column + 1 + size > width && column > indent) {
      while (result.ends_with(' ')) result.pop_back();
      result += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (i > 0) {
      result += ' ';
      ++column;
    }
    result += word;
    const size_t line = word.rfind('\n');  // a new one begins
    column = line == word.npos ? column + size : characters(word.substr(line + 1));
    i = end + 1;
  }
  return result;
}

std::string choices_in_words(std::string_view choices) {
  std::string words;
  for (size_t begin = 0; begin <= choices.size();) {
    const size_t end = std::min(choices.find('|', begin), choices.size());
    if (begin > 0) words += end == choices.size() ? " or " : ", ";
    words += choices.substr(begin, end - begin);
    begin = end + 1;
  }
  return words;
}

std::string grouped(int64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3 && digits[at - 4] != '-';) digits.insert(at -= 3, ",");
  return digits;
}

std::string counted(size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string without_period(std::string_view sentence) {
  while (sentence.ends_with('.')) sentence.remove_suffix(1);
  return std::string(sentence);
}

std::string as_sentence(std::string_view words) {
  const bool is_ended = words.empty() || std::string_view(".!?").contains(words.back());
  return std::string(words) + (is_ended ? "" : ".");
}

void put(std::FILE* to, std::string_view text) {
  const std::string shown = visible(text);
  std::fwrite(shown.data(), 1, shown.size(), to);
}

void put_bytes(std::FILE* to, std::string_view text) {
  if (os::is_terminal(to)) return put(to, text);
  std::fwrite(text.data(), 1, text.size(), to);
}

}  // namespace bodkin
