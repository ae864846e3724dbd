// Common to patches and diffs: lines whose first column says what becomes of them.
//
//   header := "@@ -" start ["," count] " +" start ["," count] " @@" [heading]
//   line   := " " context | "-" removed | "+" added | (empty) | a context line without its column
//
// Models count badly and often omit the column of a context line, so numbers are hints, and a line
// with any other beginning is context as it is.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "edits/plan/plan.h"

namespace bodkin {

struct HunkHeader {
  std::optional<size_t> line;                       // of the old side, from 0
  std::optional<std::pair<size_t, size_t>> counts;  // of the old and the new side's lines
  std::string_view heading;                         // the text after the second "@@"
};
// Parses a line that begins with "@@"; one without numbers has only a heading.
HunkHeader hunk_header(std::string_view line);

HunkLine hunk_line(std::string_view written);

}  // namespace bodkin
