#include "agent/support/encoding.h"

#include <fmt/format.h>

#include "agent/platform/text_converter.h"
#include "agent/support/utf8.h"
#include "edits/text/line_keys.h"

namespace bodkin {

bool is_utf_16_name(std::string_view encoding) {
  return encoding.starts_with("utf-16") || encoding.starts_with("utf16");
}

namespace {

// Encodings that iconv may be asked for: none with states, whose converters are rarely used and
// have had holes, and no name with "//", which changes how it converts. As they begin, without '-'
// and '_'.
constexpr std::string_view kNone = "none";
struct Name {
  std::string_view begin, for_iconv;
};
constexpr Name kKnown[] = {{"utf16le", "UTF-16LE"},
                           {"utf16be", "UTF-16BE"},
                           {"usascii", "US-ASCII"},
                           {"ascii", "US-ASCII"},
                           {"latin10", "ISO-8859-16"},
                           {"latin1", "ISO-8859-1"},
                           {"latin2", "ISO-8859-2"},
                           {"latin9", "ISO-8859-15"},
                           {"iso8859", "ISO-8859-"},
                           {"windows31j", "CP932"},
                           {"windows", "CP"},
                           {"cp", "CP"},
                           {"koi8", "KOI8-"},
                           {"gb2312", "GBK"},  // as all editors read it
                           {"gbk", "GBK"},
                           {"gb", "GB"},
                           {"big5hkscs", "BIG5-HKSCS"},
                           {"big5", "BIG5"},
                           {"shiftjis", "CP932"},  // in SHIFT_JIS a backslash is a yen sign
                           {"sjis", "CP932"},
                           {"euckr", "CP949"},
                           {"euc", "EUC-"},
                           {"tis620", "TIS-620"},
                           {"macintosh", "MACINTOSH"},
                           {"macroman", "MACINTOSH"}};

// Whether each ASCII character of a text is its own byte in an encoding, both ways: not in EBCDIC.
bool keeps_ascii(const std::string& for_iconv) {
  std::string ascii = "\t\n\f\r";
  for (char c = ' '; c <= '~'; ++c) ascii += c;
  for (const bool is_read : {true, false}) {
    os::TextConverter converter(is_read ? "UTF-8" : for_iconv.c_str(),
                                is_read ? for_iconv.c_str() : "UTF-8");
    std::string same;
    if (!converter.is_known() || converter.run(ascii, same) != ascii.size() || same != ascii)
      return false;
  }
  return true;
}

std::string name_for_iconv(std::string_view encoding) {
  std::string plain;
  for (const char c : encoding)
    if (const char low = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
        low != '-' && low != '_')
      plain += low;
  if (plain.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789") != plain.npos)
    return std::string(kNone);
  for (const Name& name : kKnown)
    if (plain.starts_with(name.begin)) {
      std::string found = std::string(name.for_iconv) + plain.substr(name.begin.size());
      return found.starts_with("UTF-16") || keeps_ascii(found) ? found : std::string(kNone);
    }
  return std::string(kNone);
}

// The first character of a text, as people see it.
std::string_view first_character(std::string_view text) {
  size_t size = 1;
  while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) ++size;
  return text.substr(0, size);
}

}  // namespace

bool is_known_encoding(std::string_view encoding) {
  return is_utf8_name(encoding) || name_for_iconv(encoding) != kNone;
}

bool is_same_encoding(std::string_view one, std::string_view other) {
  const std::string name = name_for_iconv(one);
  return name != kNone && name == name_for_iconv(other);
}

bool is_utf8_name(std::string_view encoding) {
  return encoding.empty() || encoding.starts_with("utf8") || encoding.starts_with("utf-8");
}

std::string utf_16_of(std::string_view bytes) {
  return bytes.starts_with("\xFF\xFE")   ? "utf-16le"
         : bytes.starts_with("\xFE\xFF") ? "utf-16be"
                                         : "";
}

bool is_utf8(std::string_view bytes) { return is_ascii(bytes) || valid_utf8(bytes) == bytes; }

std::string utf8_of_shell(std::string bytes) {
  constexpr size_t kMark = 2;  // bytes
  const std::string encoding = utf_16_of(bytes);
  if (encoding.empty()) return bytes;
  return decoded(std::string_view(bytes).substr(kMark), encoding).value_or(std::move(bytes));
}

std::optional<std::string> decoded(std::string_view bytes, const std::string& encoding) {
  os::TextConverter converter("UTF-8", name_for_iconv(encoding).c_str());
  if (!converter.is_known()) return std::nullopt;
  std::string text;
  if (converter.run(bytes, text) != bytes.size()) return std::nullopt;
  const auto back = encoded(text, encoding);
  if (!back || *back != bytes) return std::nullopt;
  return text;
}

Result<std::string> encoded(std::string_view text, const std::string& encoding) {
  os::TextConverter converter(name_for_iconv(encoding).c_str(), "UTF-8");
  if (!converter.is_known())
    return fail(Error::Code::invalid_input, "an encoding that is not known here: " + encoding);
  std::string bytes;
  if (const size_t done = converter.run(text, bytes); done != text.size())
    return fail(Error::Code::invalid_input,
                fmt::format("{} has no \"{}\"", encoding, first_character(text.substr(done))));
  return bytes;
}

}  // namespace bodkin
