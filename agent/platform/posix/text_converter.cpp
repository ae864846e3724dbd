#include "agent/platform/text_converter.h"

#include <iconv.h>

#include <cerrno>

namespace bodkin::os {

struct TextConverter::System {
  iconv_t handle;
};

TextConverter::TextConverter(const char* to, const char* from)
    : system_(new System{::iconv_open(to, from)}) {}

TextConverter::~TextConverter() {
  if (is_known()) ::iconv_close(system_->handle);
}

bool TextConverter::is_known() const { return system_->handle != reinterpret_cast<iconv_t>(-1); }

size_t TextConverter::run(std::string_view text, std::string& out) {
  char buffer[1 << 14];
  char* in = const_cast<char*>(text.data());  // iconv does not write to it
  size_t left = text.size();
  for (bool is_flushed = false; !is_flushed;) {
    is_flushed = left == 0;
    char* to = buffer;
    size_t room = sizeof buffer;
    const size_t done = ::iconv(system_->handle, is_flushed ? nullptr : &in,
                                is_flushed ? nullptr : &left, &to, &room);
    out.append(buffer, sizeof buffer - room);
    if (done == static_cast<size_t>(-1) && errno != E2BIG) break;
    if (done != static_cast<size_t>(-1) && done > 0) return 0;  // some only nearly
  }
  return text.size() - left;
}

}  // namespace bodkin::os
