// TextConverter: texts from one encoding into another, of which one is UTF-8. Thread: any.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace bodkin::os {

class TextConverter {
 public:
  // Names as iconv has them: "UTF-8", "UTF-16LE", "ISO-8859-1", "CP1252", "GBK", ….
  TextConverter(const char* to, const char* from);
  ~TextConverter();
  TextConverter(const TextConverter&) = delete;
  TextConverter& operator=(const TextConverter&) = delete;

  bool is_known() const;
  // Appends to `out`, and returns how many bytes of the text could be converted; 0 also if some
  // could only nearly. Precondition: is_known().
  size_t run(std::string_view text, std::string& out);

 private:
  struct System;
  std::unique_ptr<System> system_;
};

}  // namespace bodkin::os
