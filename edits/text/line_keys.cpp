#include "edits/text/line_keys.h"

#include <utf8proc.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace bodkin {
namespace {

constexpr std::pair<std::string_view, std::string_view> kPlain[] = {
    {"‘", "'"},      {"’", "'"},      {"‚", "'"},      {"‛", "'"},      {"“", "\""},
    {"”", "\""},     {"„", "\""},     {"‟", "\""},     {"‐", "-"},      {"‑", "-"},
    {"‒", "-"},      {"–", "-"},      {"—", "-"},      {"―", "-"},      {"−", "-"},
    {"…", "..."},    {"\u00A0", " "}, {"\u2002", " "}, {"\u2003", " "}, {"\u2009", " "},
    {"\u202F", " "}, {"\u3000", " "}, {"′", "'"},      {"″", "\""},     {"«", "\""},
    {"»", "\""},     {"\u200B", ""},  {"\uFEFF", ""},  {"\u2007", " "}, {"\u200A", " "},
    {"\u2008", " "}, {"\u2004", " "}, {"\u2005", " "}, {"\u2006", " "}, {"\u205F", " "},
    {"\u200C", ""},  {"\u200D", ""},  {"\u2060", ""},  {"\u00AD", ""},  {"\u00B4", "'"},
    {"\u02BC", "'"},
};

}  // namespace

bool is_ascii(std::string_view text) {
  constexpr uint64_t kHighBits = 0x8080808080808080;
  for (; text.size() >= sizeof(uint64_t); text.remove_prefix(sizeof(uint64_t))) {
    uint64_t eight = 0;
    std::memcpy(&eight, text.data(), sizeof(eight));
    if (eight & kHighBits) return false;
  }
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x80; });
}

bool has_word(std::string_view line) {
  return std::any_of(line.begin(), line.end(),
                     [](unsigned char c) { return c >= 0x80 || std::isalnum(c); });
}

std::string_view indentation_of(std::string_view line) {
  size_t n = 0;
  while (n < line.size() && (line[n] == ' ' || line[n] == '\t')) ++n;
  return line.substr(0, n);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::string_view exact_key(std::string_view line, std::string&) { return line; }

std::string_view trailing_key(std::string_view line, std::string&) { return trimmed_right(line); }

std::optional<Typographic> typographic_at(std::string_view text) {
  if (text.empty() || static_cast<unsigned char>(text[0]) < 0x80) return std::nullopt;
  for (const auto& [written, plain] : kPlain)
    if (text.starts_with(written)) return Typographic{written, plain};
  return std::nullopt;
}

std::string composed(std::string_view text) {
  utf8proc_uint8_t* made = nullptr;
  const utf8proc_ssize_t length =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &made,
                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  std::string result(text);
  if (length >= 0) result.assign(reinterpret_cast<char*>(made), static_cast<size_t>(length));
  std::free(made);
  return result;
}

std::string_view punctuation_key(std::string_view line, std::string& buffer) {
  const std::string_view kept = trailing_key(line, buffer);
  if (is_ascii(kept)) return kept;
  buffer.clear();
  for (size_t i = 0; i < kept.size();) {
    const auto sign = typographic_at(kept.substr(i));
    if (!sign) {
      buffer += kept[i++];
    } else {
      buffer += sign->plain;
      i += sign->written.size();
    }
  }
  buffer = composed(buffer);
  while (!buffer.empty() && is_space(buffer.back())) buffer.pop_back();
  return buffer;
}

std::string_view whitespace_key(std::string_view line, std::string& buffer) {
  const std::string_view kept = trimmed(line);
  size_t run = 0;  // the first byte that is not one blank between two words
  while (run < kept.size() && kept[run] != '\t' && !(kept[run] == ' ' && kept[run + 1] == ' '))
    ++run;
  if (run == kept.size()) return kept;
  buffer.clear();
  char quote = 0;
  for (size_t i = 0; i < kept.size(); ++i) {
    const char c = kept[i];
    if (quote) {
      buffer += c;
      if (c == '\\' && i + 1 < kept.size()) {
        buffer += kept[++i];
      } else if (c == quote) {
        quote = 0;
      }
    } else if (c == ' ' || c == '\t') {
      if (buffer.empty() || buffer.back() != ' ') buffer += ' ';
    } else {
      if (c == '"' || c == '\'' || c == '`') quote = c;
      buffer += c;
    }
  }
  return buffer;
}

bool same_under(LineKey key, std::string_view a, std::string_view b) {
  std::string left, right;
  return key(a, left) == key(b, right);
}

}  // namespace bodkin
