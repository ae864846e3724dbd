// An edit offered to a person, from any source: places of a file, and what they become.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "edits/text/text.h"

namespace bodkin {

struct NextEdit {
  LineRange lines;           // of the file, from 0
  Replacement change;        // in bytes of the file
  std::string message = {};  // instead of a change: what the person has to do at its offset
  bool is_sure = true;       // shown unasked; else only to a person who looks for it
};

struct Renaming {  // a name that became another one
  std::string from, to;
  size_t offset = 0;  // in bytes of the file, where it did so first
};

struct NextEdits {
  std::vector<NextEdit> edits;  // below the last edit first, then from the top of the file
  std::string what;             // "Same change", "limit → bound"
  std::optional<Renaming> renaming = {};
};

// Ascending changes within a few lines as one of these lines.
NextEdit in_whole_lines(const Text& file, const std::vector<Replacement>& changes);
void put_below_first(NextEdits& next, size_t line);
bool is_any_sure(const NextEdits& next);

}  // namespace bodkin
