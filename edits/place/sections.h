// Sections: the part of a file that a line heads, in code and in data. What a head is and where its
// section ends, the file's own shape says:
//
//   def f(): / x: / .btn { / resource "a" "b" {   what is deeper, and what closes it
//   a head of several lines                       to the end of what its last line heads
//   [table] / FROM image AS stage                 to the next line of this kind
//   ## Heading, or one that is underlined         to the next heading that is not below it
//   \section{A} of LaTeX                          to the next one that is not below it
//   <section id="a">                              to its closing tag
//   a decorator, an attribute, .PHONY: a          what it belongs to, too
//   CREATE FUNCTION f() of SQL                    to the end of the statement
//   any other line                                what follows at its depth, in its section
#pragma once

#include "edits/text/mapped_text.h"

namespace bodkin {

// The head's lines and its section's, without blank lines at the end; never beyond `limit`.
LineRange section_of(const MappedText& file, size_t head, size_t limit);

// How many lines the head has: a list of parameters, or of selectors, may be wrapped.
size_t lines_of_head(const MappedText& file, size_t head);

// Of the last line of such a head the first one, else the line itself.
size_t begin_of_head(const MappedText& file, size_t line);

// Does the line head a section that is no deeper than itself ("[table]", "## Heading", "FROM x")?
bool heads_flat_section(const MappedText& file, size_t line);

// The name of such a section, without the signs of its kind; empty: it heads none.
std::string_view flat_section_name(std::string_view line);

// How many round and square brackets of the code are open behind the line, if `open` were before.
size_t open_brackets(std::string_view line, size_t open = 0);

bool is_word_char(char c);  // a letter, a digit, '_', or a byte that is not ASCII
bool ends_in_opener(std::string_view line);
bool is_deeper_below(const MappedText& file, size_t line);
bool is_code(std::string_view line, size_t at);  // neither in a comment nor in a string

}  // namespace bodkin
