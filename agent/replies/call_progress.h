// CallProgress: what a call that arrives writes so far, for the user: the file, once it is known,
// and how many lines.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bodkin {

class CallProgress {
 public:
  // `call`: its text so far, in any form. "src/lamp.py: 40 lines so far", at most every 20 lines;
  // `name` is used for an unknown file. Nullopt if there is nothing new.
  std::optional<std::string> told(std::string_view call, std::string_view name);

 private:
  size_t counted_ = 0, lines_ = 0, told_ = 0;
};

}  // namespace bodkin
