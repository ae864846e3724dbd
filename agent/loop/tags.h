// Tags of a dialect in a model's text, such as <chat>: markup that is never
// shown.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bodkin {

// `text` without "<name …>" and "</name>", for these names.
std::string without_tags(std::string_view text, std::span<const std::string> names);

// The same for text that arrives in pieces.
class TagFilter {
 public:
  explicit TagFilter(std::vector<std::string> names) : names_(std::move(names)) {}
  // Returns the text that can be shown by now; the possible beginning of a tag is held back.
  std::string add(std::string_view piece);
  std::string end();  // the rest

 private:
  std::vector<std::string> names_;
  std::string held_;
};

}  // namespace bodkin
