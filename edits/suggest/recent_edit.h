// The last edit that a person made in a file, whatever keys it took: the text before it and after
// it, in whole lines.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "edits/text/text.h"

namespace bodkin {

struct EditedLines {
  std::vector<std::string> before, after;  // without the lines that are equal at both ends
  size_t first = 0;                        // of `after` in the text as it is now
  friend bool operator==(const EditedLines&, const EditedLines&) = default;
};

// The lines of an earlier edit where they are now, if they occur once.
std::optional<EditedLines> as_now(const Text& file, EditedLines edit);

// Changes that touch the same or adjacent lines are one edit; any other change begins a new one.
// Costs about as much as a change of the text does.
class RecentEdit {
 public:
  // The text before and after one replacement.
  void note(const Text& before, const Text& after, const Replacement& change);
  // Somebody else changed the text: a formatter, an agent, an undo of many places.
  void forget();

  // Nullopt if no edit is known, or it came to nothing.
  std::optional<EditedLines> last() const;
  // The edits before it, the newest first; at most kMostEarlier.
  const std::vector<EditedLines>& earlier() const { return earlier_; }

  static constexpr size_t kMostEarlier = 16;
  static constexpr size_t kMostLines = 200;  // a larger edit is no pattern for others

 private:
  Text base_, now_;  // at the edit's beginning, and at its end
  bool is_known_ = false;
  size_t first_ = 0, base_end_ = 0, now_end_ = 0;  // its lines in both, half open
  std::vector<EditedLines> earlier_;
};

}  // namespace bodkin
