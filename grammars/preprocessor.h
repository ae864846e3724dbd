// C and C++ are written for a preprocessor, which tree-sitter does not have.
#pragma once

#include <string_view>
#include <vector>

namespace bodkin {

struct Blank {
  size_t begin = 0, end = 0;  // bytes
  bool is_macro = false;      // else a line of a conditional, or a branch
};

// The text to treat as whitespace so that code with macros and conditionals looks like plain C++:
// - what looks like a macro (NAME or NAME(…), in capitals) where a declaration cannot have a name:
//   `API_EXPORT class A`, `void f() NOEXCEPT {`, `BEGIN_NAMESPACE` on a line of its own;
// - the lines #if, #else, #endif; and the later branches, if the branches are not declarations or
//   statements in their own right (`#if A` void f(int a) { `#else` void f() { `#endif` …).
// In text order, disjoint. A guess: the caller must check that it parses better.
std::vector<Blank> blanks_for_parsing(std::string_view text);

}  // namespace bodkin
