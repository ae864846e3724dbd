// The tokens and directives of C and C++ for preprocessor.cpp: a scan, not a parse. Strings,
// comments and directives are skipped.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "grammars/preprocessor.h"

namespace bodkin {

struct Token {
  enum Kind : char { word, number, mark } kind = mark;
  char first = 0;            // of a mark: the mark
  bool after_break = false;  // a line break or a directive is between it and the previous one
  bool after_directive = false;
  size_t begin = 0, end = 0;
  size_t partner = 0;  // of ( and ): the index of the other one; 0 without
};

struct Directive {
  enum Kind { opens, opens_false, branches, closes } kind = opens;  // #if, #if 0, #else, #endif
  size_t begin = 0, end = 0;                                        // bytes of the line
  size_t token = 0;                                                 // the first token after it
};

// The tokens, from index 1; the first is a ';' of no bytes. Adds the conditional directives to
// `directives`, in order, and comments that must be blanked out to `blanks`.
std::vector<Token> tokens_of(std::string_view text, std::vector<Directive>& directives,
                             std::vector<Blank>& blanks);

}  // namespace bodkin
