// The lines that head a section: where a head of several lines ends, and which line of the same
// depth heads the next section rather than continuing this one.
//
//   (a, / b);   .a, / .b {                 an open bracket, a list of selectors
//   class A / extends B {                  words that continue a head: "implements", "when",
//   "throws" class A extends / B {                  … or leave it open A::A() / : x(1), y(2) { a
//   list of initializers <Box / a={1} / >                       a tag, to its end
//
// A sibling is the next declaration that no block encloses: `procedure B;`, `:label`, the next
// signature of Haskell.
#pragma once

#include "edits/text/mapped_text.h"

namespace bodkin {

// How many lines the head has.
size_t lines_of_head(const MappedText& file, size_t head);

// If the line is the last line of a head with open brackets: the head's first line; else the line.
size_t begin_of_head(const MappedText& file, size_t line);

// True if `line`, which is below `head` and as deep, begins a sibling of the head's section.
bool begins_sibling(std::string_view head, std::string_view line);

}  // namespace bodkin
