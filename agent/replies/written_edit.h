// WrittenEdits: which lines a reply is writing, while it arrives, so that an editor can draw them
// where they belong. Only to be looked at: what is applied is parsed from the complete reply.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace bodkin {

struct WrittenEdit {
  std::string path;  // as the model spells it; empty: it has not said it yet
  std::string old_text;
  std::string new_text;  // the lines that are complete; of very many only the first
  size_t lines = 0;      // all that are complete
};

class WrittenEdits {
 public:
  // `reply`: a text with SEARCH/REPLACE blocks or a patch, or `is_call`: the arguments of a call,
  // so far. Nullopt: no line was completed since it was asked last, or too few of a long edit.
  std::optional<WrittenEdit> told(std::string_view reply, bool is_call);

 private:
  size_t seen_ = 0, begun_ = 0;  // bytes: looked through; where the last edit begins
  size_t lines_ = 0;             // told
};

}  // namespace bodkin
