// A wrong line in a file: what reports no error there says nothing about the rest.
#pragma once

#include <span>
#include <vector>

#include "agent/checkers/server_table.h"
#include "edits/text/text.h"

namespace bodkin {

// A name that nothing declares.
inline constexpr char kUnknownName[] = "bodkin_declares_no_such_name";

struct Trial {
  Text text;
  std::vector<size_t> lines;  // from 0, the wrong ones: the first, and one for each of `places`
};

// The first is behind the comments at the top, which may silence the checker; in C at the end, so
// that the headers need not be read again. The others are right above the lines `places` (from 0,
// ascending): for Python such as begin a statement, for C any. Of Python, JavaScript, TypeScript
// and C. Pure.
Trial trial_of(Imports imports, const Text& text, std::span<const size_t> places = {});

}  // namespace bodkin
