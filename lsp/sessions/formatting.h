// Formatting: a text as the formatter of its file, or the editor on saving, has laid it out. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bodkin {

// Maps places of a text to another that differs only in what formatters change without an effect:
// white space, which quotes are used, commas before a closing bracket, semicolons at a line's end.
class Formatting {
 public:
  // Nullopt if the texts differ in more.
  static std::optional<Formatting> between(std::string_view from, std::string_view to);
  // The place in `to` of a place in `from`, in bytes: the beginning of a line, if it was one.
  size_t place(size_t offset) const;

 private:
  struct Letters {
    std::string text;        // what a formatter leaves
    std::vector<size_t> at;  // where each of its bytes was
  };
  static Letters letters_of(std::string_view text);

  std::string from_, to_;
  Letters before_, after_;
};

}  // namespace bodkin
