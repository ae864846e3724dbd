// The matches of a search as the model sees them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "edits/text/text.h"

namespace bodkin {

constexpr size_t kMaxMatchBytes = 300;  // of a matching line, and of one near it

// A match, or with '-' a line near one: "a.c:12: text".
std::string shown_line(const std::string& path, char mark, std::string_view number,
                       std::string_view text, bool has_number);

// The number of lines shown before and after a match.
struct Around {
  size_t before = 0, after = 0;
};

// The matches of a file, each "12: text", with the lines around them; groups that do not touch are
// separated. `text`: the file as the model may see it.
std::vector<std::string> with_context(const std::string& path,
                                      const std::vector<std::string>& matches, const Text& text,
                                      const Around& around, bool has_number);

}  // namespace bodkin
