// A wrong line in a file: what reports no error there says nothing about the rest.
#pragma once

#include "agent/checkers/server_table.h"
#include "edits/text/text.h"

namespace bodkin {

// A name that nothing declares.
inline constexpr char kUnknownName[] = "bodkin_declares_no_such_name";

struct Trial {
  Text text;
  size_t line = 0;  // from 0, of the wrong one
};

// Behind the comments at the top, which may silence the checker; in C at the end, so that the
// headers need not be read again. Of Python, JavaScript, TypeScript and C. Pure.
Trial trial_of(Imports imports, const Text& text);

}  // namespace bodkin
