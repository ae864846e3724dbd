// By Windows' code pages; UTF-16 is what it has inside.
#include "agent/platform/text_converter.h"

#include <charconv>
#include <optional>

#include "agent/platform/windows/native.h"

namespace bodkin::os {

namespace {

constexpr UINT kUtf16 = 1200, kUtf16BigEndian = 1201, kGb18030 = 54936;

std::optional<UINT> number_after(std::string_view name, std::string_view begin) {
  UINT number = 0;
  if (!name.starts_with(begin)) return std::nullopt;
  const char* const end = name.data() + name.size();
  const auto [at, error] = std::from_chars(name.data() + begin.size(), end, number);
  return error == std::errc() && at == end ? std::optional(number) : std::nullopt;
}

std::optional<UINT> code_page_of(std::string_view name) {
  struct Named {
    std::string_view name;
    UINT page;
  };
  constexpr Named kNamed[] = {
      {"UTF-8", CP_UTF8},  {"UTF-16LE", kUtf16},  {"UTF-16BE", kUtf16BigEndian},
      {"US-ASCII", 20127}, {"KOI8-r", 20866},     {"KOI8-u", 21866},
      {"GBK", 936},        {"GB18030", kGb18030}, {"BIG5", 950},
      {"EUC-jp", 20932},   {"EUC-kr", 949},       {"EUC-cn", 936},
      {"TIS-620", 874},    {"MACINTOSH", 10000}};
  for (const Named& each : kNamed)
    if (each.name == name) return each.page;
  if (const auto part = number_after(name, "ISO-8859-"))
    return *part >= 1 && *part <= 15 ? std::optional(28590 + *part) : std::nullopt;
  return number_after(name, "CP");
}

// Code pages that convert without flags, and do not report missing characters.
bool is_simple(UINT page) { return page == CP_UTF8 || page == kGb18030; }

std::optional<std::wstring> to_units(UINT page, std::string_view text) {
  if (text.empty()) return L"";
  if (page == kUtf16 || page == kUtf16BigEndian) {
    if (text.size() % 2 != 0) return std::nullopt;
    std::wstring units;
    for (size_t i = 0; i < text.size(); i += 2) {
      const auto byte = [&](size_t at) { return static_cast<unsigned char>(text[at]); };
      units += static_cast<wchar_t>(page == kUtf16 ? byte(i) | byte(i + 1) << 8
                                                   : byte(i) << 8 | byte(i + 1));
    }
    return units;
  }
  const int size = static_cast<int>(text.size());
  const int count =
      ::MultiByteToWideChar(page, MB_ERR_INVALID_CHARS, text.data(), size, nullptr, 0);
  if (count <= 0) return std::nullopt;
  std::wstring units(static_cast<size_t>(count), L'\0');
  ::MultiByteToWideChar(page, MB_ERR_INVALID_CHARS, text.data(), size, units.data(), count);
  return units;
}

std::optional<std::string> to_bytes(UINT page, std::wstring_view units) {
  if (units.empty()) return "";
  if (page == kUtf16 || page == kUtf16BigEndian) {
    std::string bytes;
    for (const wchar_t unit : units) {
      const char low = static_cast<char>(unit & 0xFF), high = static_cast<char>(unit >> 8);
      bytes += page == kUtf16 ? low : high;
      bytes += page == kUtf16 ? high : low;
    }
    return bytes;
  }
  const DWORD flags = is_simple(page) ? WC_ERR_INVALID_CHARS : WC_NO_BEST_FIT_CHARS;
  BOOL has_lost = FALSE;
  BOOL* const lost = is_simple(page) ? nullptr : &has_lost;
  const int size = static_cast<int>(units.size());
  const int count =
      ::WideCharToMultiByte(page, flags, units.data(), size, nullptr, 0, nullptr, lost);
  if (count <= 0 || has_lost) return std::nullopt;
  std::string bytes(static_cast<size_t>(count), '\0');
  ::WideCharToMultiByte(page, flags, units.data(), size, bytes.data(), count, nullptr, lost);
  return has_lost ? std::nullopt : std::optional(bytes);
}

// The bytes of the character of UTF-8 at the beginning.
size_t character_size(std::string_view text) {
  size_t size = 1;
  while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) ++size;
  return size;
}

}  // namespace

struct TextConverter::System {
  std::optional<UINT> to, from;
};

TextConverter::TextConverter(const char* to, const char* from)
    : system_(new System{code_page_of(to), code_page_of(from)}) {
  for (std::optional<UINT>* page : {&system_->to, &system_->from})
    if (*page && **page != kUtf16 && **page != kUtf16BigEndian && !::IsValidCodePage(**page))
      page->reset();
}

TextConverter::~TextConverter() = default;

bool TextConverter::is_known() const { return system_->to && system_->from; }

size_t TextConverter::run(std::string_view text, std::string& out) {
  const auto convert = [&](std::string_view part) -> std::optional<std::string> {
    const auto units = to_units(*system_->from, part);
    return units ? to_bytes(*system_->to, *units) : std::nullopt;
  };
  if (auto whole = convert(text)) {
    out += *whole;
    return text.size();
  }
  if (*system_->from != CP_UTF8) return 0;
  for (size_t done = 0; done < text.size();) {
    const size_t size = character_size(text.substr(done));
    const auto one = convert(text.substr(done, size));
    if (!one) return done;
    out += *one;
    done += size;
  }
  return text.size();
}

}  // namespace bodkin::os
