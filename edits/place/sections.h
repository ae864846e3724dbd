// Sections: the part of a file that a head line introduces, in code and in data. Heads and section
// ends are recognized by layout:
//
//   def f(): / x: / .btn {        the more deeply indented lines, and the closing line
//   (a, / b) {                    the same, below the line that closes the head's brackets
//   [table]                       to the next one
//   ## Heading                    to the next heading that is not below it
//   a decorator, an attribute     what it belongs to, too
//   any other line                what follows at its depth, in its section
//
// None goes beyond the next line at the head's depth that begins with the same word ("FROM",
// "#if").
#pragma once

#include "edits/text/mapped_text.h"

namespace bodkin {

// The head's lines and its section's, without blank lines at the end; never beyond `limit`.
LineRange section_of(const MappedText& file, size_t head, size_t limit);

// True if the line heads a section that is no deeper than itself ("[table]", "## Heading").
bool heads_flat_section(const MappedText& file, size_t line);

// The name of such a section, without the signs of its kind; empty: it heads none.
std::string_view flat_section_name(std::string_view line);

// The number of unclosed parentheses and square brackets after the line, given `open` before it.
size_t open_brackets(std::string_view line, size_t open = 0);

// How many lines the head has: up to the one that closes its brackets.
size_t lines_of_head(const MappedText& file, size_t head);

// If the line is the last line of a head with open brackets: the head's first line; else the line.
size_t begin_of_head(const MappedText& file, size_t line);

bool ends_in_opener(std::string_view line);
bool is_deeper_below(const MappedText& file, size_t line);
bool is_code(std::string_view line, size_t at);  // neither in a comment nor in a string

}  // namespace bodkin
