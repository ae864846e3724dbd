// A base id identifies the texts that a result was made from, so that a later call can name them
// and the server need not keep state: 16 hexadecimal digits for each file, joined by commas, or for
// many files "all-" and 16 digits for all of them together. An id that came with the diff of a
// change also has "diff-" and 16 digits, and is for that change alone. It recognizes texts, and
// does not resist someone who constructs a collision.
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
// The base of a change that is shown: its texts, and its diff.
std::string base_of(const std::vector<BaseText>& texts, std::string_view diff);

// Says what is wrong with an id that a call names for this change, as a clause; empty: nothing.
// `must_be_shown`: the texts alone are not enough, it must have come with the diff.
std::string why_other_base(std::string_view base, const std::vector<BaseText>& texts,
                           std::string_view diff, bool must_be_shown);

}  // namespace bodkin::mcp
