// std::filesystem::path(std::string) is UTF-8: these take the place of libstdc++'s functions, which
// convert as the C locale does, byte by byte (CMakeLists.txt links them first). What is not UTF-8
// becomes U+FFFD, which no name has, since an exception would come where POSIX has none.
#include <cwchar>
#include <locale>

namespace std {

namespace {

// The length of the character at `from`, at least 1; `code`: U+FFFD if it is invalid.
ptrdiff_t read_utf8(const char* from, const char* end, char32_t& code) {
  const auto at = [&](ptrdiff_t i) { return static_cast<unsigned char>(from[i]); };
  const unsigned char first = at(0);
  code = first;
  if (first < 0x80) return 1;
  code = 0xFFFD;
  const ptrdiff_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || end - from < size) return 1;
  char32_t read = first & (0x7F >> size);
  for (ptrdiff_t i = 1; i < size; ++i) {
    if ((at(i) & 0xC0) != 0x80) return 1;
    read = read << 6 | (at(i) & 0x3F);
  }
  const bool is_short = (size == 3 && read < 0x800) || (size == 4 && read < 0x10000);
  if (is_short || read > 0x10FFFF || (read >= 0xD800 && read < 0xE000)) return 1;
  code = read;
  return size;
}

}  // namespace

codecvt_base::result codecvt<wchar_t, char, mbstate_t>::do_in(state_type&, const extern_type* from,
                                                              const extern_type* from_end,
                                                              const extern_type*& from_next,
                                                              intern_type* to, intern_type* to_end,
                                                              intern_type*& to_next) const {
  while (from < from_end) {
    char32_t code = 0;
    const ptrdiff_t size = read_utf8(from, from_end, code);
    if (to_end - to < (code > 0xFFFF ? 2 : 1)) break;
    if (code > 0xFFFF) {
      *to++ = static_cast<wchar_t>(0xD7C0 + (code >> 10));
      *to++ = static_cast<wchar_t>(0xDC00 + (code & 0x3FF));
    } else {
      *to++ = static_cast<wchar_t>(code);
    }
    from += size;
  }
  from_next = from;
  to_next = to;
  return from == from_end ? ok : partial;
}

codecvt_base::result codecvt<wchar_t, char, mbstate_t>::do_out(state_type&, const intern_type* from,
                                                               const intern_type* from_end,
                                                               const intern_type*& from_next,
                                                               extern_type* to, extern_type* to_end,
                                                               extern_type*& to_next) const {
  while (from < from_end && to_end - to >= 4) {
    char32_t code = *from++;
    if (code >= 0xD800 && code < 0xDC00 && from < from_end && *from >= 0xDC00 && *from < 0xE000)
      code = (code - 0xD7C0) << 10 | (static_cast<char32_t>(*from++) - 0xDC00);
    else if (code >= 0xD800 && code < 0xE000)
      code = 0xFFFD;
    const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    constexpr unsigned char kFirst[] = {0, 0xC0, 0xE0, 0xF0};
    *to++ = static_cast<char>(kFirst[more] | code >> 6 * more);
    for (int i = more - 1; i >= 0; --i) *to++ = static_cast<char>(0x80 | (code >> 6 * i & 0x3F));
  }
  from_next = from;
  to_next = to;
  return from == from_end ? ok : partial;
}

int codecvt<wchar_t, char, mbstate_t>::do_encoding() const noexcept { return 0; }

int codecvt<wchar_t, char, mbstate_t>::do_max_length() const noexcept { return 4; }

int codecvt<wchar_t, char, mbstate_t>::do_length(state_type&, const extern_type* from,
                                                 const extern_type* end, size_t most) const {
  const char* at = from;
  for (char32_t code = 0; at < end; at += read_utf8(at, end, code)) {
    read_utf8(at, end, code);
    const size_t units = code > 0xFFFF ? 2 : 1;
    if (units > most) break;
    most -= units;
  }
  return static_cast<int>(at - from);
}

}  // namespace std
