// MissingEdits: which edits of an ask are not in its draft, because they could not be placed or the
// user has changed their lines, and what the user is told of them. On the ask's thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agent/ask/ask.h"
#include "agent/ask/draft.h"

namespace bodkin {

struct AskState;

class MissingEdits {
 public:
  explicit MissingEdits(AskState& state) : state_(state) {}  // outlives this

  // Takes the edits of a reply that failed. They count until the file has another text than after
  // the reply, or what is sent instead is already in it.
  void add_unplaced();
  // Adds those that the draft has dropped, because the user has changed their lines.
  void add_lost(const Draft::Followed& file);
  // Says at the end what is missing, in the notes or the answer, and whether all of it is.
  void complete(Outcome& outcome) const;

 private:
  struct Edits {
    size_t count = 0;
    uint64_t hash = 0;  // of the draft's text after them
    // They were new files where there is one: how many others the draft had then.
    std::optional<size_t> new_files = {};
  };
  uint64_t draft_hash(const std::string& path) const;  // 0: there is no such file
  size_t new_files() const;
  std::vector<std::string> words_of_unplaced() const;

  AskState& state_;
  std::map<std::string, Edits> unplaced_, lost_;  // by path; "": it is not known
};

}  // namespace bodkin
