// A base id says which texts a result was made from, so that a later call can name them and
// the server need not keep state: 16 hexadecimal digits for each file, joined by commas. It
// recognizes texts, and does not resist someone who constructs a collision.
#pragma once

#include <string>
#include <string_view>

namespace bodkin::mcp {

std::string base_entry(std::string_view path, std::string_view bytes);
// Is this text of this file one of those that the id names?
bool names_text(std::string_view base, std::string_view path, std::string_view bytes);

}  // namespace bodkin::mcp
