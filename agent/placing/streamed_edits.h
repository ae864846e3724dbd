// StreamedEdits: which edits of a reply are already complete while it arrives. Only to inform the
// user: what is applied is parsed from the complete reply.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace bodkin {

class StreamedEdits {
 public:
  // Adds the next piece of the reply. If it completes edits: how many there are so far in
  // their files ("a.c: 2 edits, b.c: 1 edit").
  std::optional<std::string> add(std::string_view delta);

 private:
  using Counts = std::map<std::string, size_t, std::less<>>;  // edits by path

  // Parses the text before `end`, where edits may be complete. True: they are.
  bool read(size_t end, bool closes, Counts& news);

  std::string text_;
  size_t begin_ = 0;  // all edits before this are complete
  size_t line_ = 0;   // where the current line begins
  bool in_patch_ = false;
  std::string path_;  // of the last edit: a block without a path belongs to the same file
  Counts closed_;     // of the edits before `begin_`
  Counts told_;
  size_t received_ = 0, read_ = 0;  // bytes
};

}  // namespace bodkin
