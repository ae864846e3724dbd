// Text from outside (a model, a repository's file, a server, another tool) on its way to the
// person: it is read, and never acts as markup or as a command of what shows it.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace bodkin {

// Control characters, what turns the direction of writing, and bytes that are no UTF-8 become
// readable ("^[", "<U+202E>", "<9b>"); line ends and tabs stay. For a terminal, and for texts.
std::string visible(std::string_view text);

// The same for a message: editors make links of [words](command:…), so "](" is parted by a zero
// width space.
std::string plain(std::string_view text);

// The same in one line, for titles, labels and progress.
std::string plain_line(std::string_view text);

// Broken at blanks into lines of at most `width` characters; those after the first begin with
// `indent` blanks, which count. A longer word stays whole.
std::string folded(std::string_view text, size_t width, size_t indent);

// Writes a text: to a terminal as `visible`, to a file or a pipe byte for byte.
void put(std::FILE* to, std::string_view text);

}  // namespace bodkin
