// A base id says which texts a result was made from, so that a later call can name them and
// the server need not keep state: 16 hexadecimal digits for each file, joined by commas, or for
// many files "all-" and 16 digits for all of them together. It recognizes texts, and does not
// resist someone who constructs a collision.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bodkin::mcp {

struct BaseText {
  std::string path;
  std::string_view bytes;
};

std::string base_entry(std::string_view path, std::string_view bytes);
std::string base_of(const std::vector<BaseText>& texts);  // empty: there are none

// What is wrong with an id that a call names for these texts, as a clause; empty: nothing.
std::string why_other_base(std::string_view base, const std::vector<BaseText>& texts);

}  // namespace bodkin::mcp
