// What single lines of a sketch and its file say: whether they are alike, what they name, and how
// they affect their block.
#pragma once

#include <string_view>

namespace bodkin {

// True if one line may be the other, changed: it has its words and some more, or most of them.
bool are_alike(std::string_view a, std::string_view b);

// The name of an entry in its head: the word before its arguments, with a first one in quotes, its
// value or its body. The whole head if no word names it.
std::string_view name_in(std::string_view head);

// True if one head may be the other, changed.
bool name_the_same(std::string_view a, std::string_view b);

// True if the line begins with a keyword of a statement: it names nothing.
bool is_statement(std::string_view line);

// True for a line that only belongs to the declaration below it: "@Test", "#[inline]".
bool is_attribute(std::string_view line);

// True if the line opens an entry of which its first line may be the name: a bracket, "- ", a tag.
bool opens_entry(std::string_view line);

// How many more blocks and elements the line opens than it closes.
long nesting_of(std::string_view line);

// True if all words of the line begin, end or leave a block: they occur in many.
bool has_only_keywords(std::string_view line);

// True if the line says something that is not in every block.
bool says_something(std::string_view line);

// True if the line only ends a block: a bracket, a closing tag, `end`.
bool ends_block(std::string_view line);

// True if its last character is a bracket or a colon that opens a block.
bool opens_block(std::string_view line);

// True for "return", "raise" and the like: no statement of the same block follows it.
bool leaves_block(std::string_view line);

}  // namespace bodkin
