// The members that a text names: `b` of `a.b`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "edits/text/text.h"

namespace bodkin {

struct Member {
  std::string name;
  size_t offset = 0;  // of the name
};

// Those of Python, JavaScript and TypeScript, in the order of the text. Also empty if it is not
// parsed: other languages, and a text that takes long (kParsedAtOnce).
std::vector<Member> members_in(std::string_view path, const Text& text);

}  // namespace bodkin
