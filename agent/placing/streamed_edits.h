// StreamedEdits: which edits of a reply are complete while it still comes in. Only to tell the
// user: what is applied is read from the whole reply.
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
  // The next piece of the reply. If edits became complete with it: how many their files have so far
  // ("a.c: 2 edits, b.c: 1 edit").
  std::optional<std::string> add(std::string_view delta);

 private:
  using Counts = std::map<std::string, size_t, std::less<>>;  // edits by path

  // Reads what came before `end` of the text, if edits may be complete there. True: they are.
  bool read(size_t end, bool closes, Counts& news);

  std::string text_;
  size_t begin_ = 0;  // before it, all edits were read to their end
  size_t line_ = 0;   // where the current line begins
  bool in_patch_ = false;
  std::string path_;  // of the last edit: a block without one goes on in its file
  Counts closed_;     // of the edits before `begin_`
  Counts told_;
  size_t received_ = 0, read_ = 0;  // bytes
};

}  // namespace bodkin
