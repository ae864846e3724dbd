// Sections: the part of a file that a head line introduces, in code and in data. Heads and section
// ends are recognized by layout:
//
//   def f(): / x: / .btn { / resource "a" "b" {   the more deeply indented lines, and the closing
//                                                 line
//   a head of several lines                       to the end of what its last line heads
//   [table] / FROM image AS stage                 to the next line of this kind
//   ## Heading, or one that is underlined         to the next heading that is not below it
//   \section{A} of LaTeX                          to the next one that is not below it
//   <section id="a">                              to its closing tag
//   {{- if x }}, #ifdef X, {% for x in y %}       to the tag that ends it (block_tags.h)
//   a decorator, an attribute, .PHONY: a          what it belongs to, too
//   #define of several lines                      to the line that does not end in a backslash
//   CREATE FUNCTION f() of SQL                    to the end of the statement
//   any other line                                what follows at its depth, in its section
//
// None goes beyond what heads a section of its own at the same depth (section_heads.h).
#pragma once

#include "edits/text/mapped_text.h"

namespace bodkin {

// The head's lines and its section's, without blank lines at the end; never beyond `limit`.
LineRange section_of(const MappedText& file, size_t head, size_t limit);

// True if the line heads a section that is no deeper than itself ("[table]", "## Heading", "FROM
// x").
bool heads_flat_section(const MappedText& file, size_t line);

// The name of such a section, without the signs of its kind; empty: it heads none.
std::string_view flat_section_name(std::string_view line);

// The number of unclosed parentheses and square brackets after the line, given `open` before it.
size_t open_brackets(std::string_view line, size_t open = 0);

bool ends_in_opener(std::string_view line);
bool is_deeper_below(const MappedText& file, size_t line);
bool is_code(std::string_view line, size_t at);  // neither in a comment nor in a string

}  // namespace bodkin
