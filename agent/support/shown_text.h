// Makes text from outside (a model, a repository's file, a server, another tool) safe to show to
// the user: it never acts as markup or as a command.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace bodkin {

// Control characters, bidirectional overrides, invisible characters and invalid UTF-8 become
// readable ("^[", "<U+202E>", "<9b>"); line endings and tabs are kept. For terminals and plain
// text.
std::string visible(std::string_view text);

// The same for a message: editors turn [words](command:…) into links, so "](" is split by a zero
// width space.
std::string plain(std::string_view text);

// The same on one line, for titles, labels and progress.
std::string plain_line(std::string_view text);

// A file's name or path, in one line: control characters, line ends and tabs, bidirectional
// overrides and invalid UTF-8 become readable. Any other is returned as it is.
std::string shown_name(std::string_view name);

// Wrapped at spaces into lines of at most `width` characters; lines after the first start with
// `indent` spaces, which count. Longer words are not split, and line feeds stay.
std::string wrapped(std::string_view text, size_t width, size_t indent);

std::string grouped(int64_t number);                       // "1,280"
std::string counted(size_t count, std::string_view noun);  // "1 hunk", "3 hunks"

// Without the dots at its end, to go on behind it; and with one, unless it ends in '.', '!' or '?'.
std::string without_period(std::string_view sentence);
std::string as_sentence(std::string_view words);

// "a, b or c", of "a|b|c".
std::string choices_in_words(std::string_view choices);

// Writes a text for people, like `visible`, to any file: a pipe may end in a terminal, and a log is
// read in one later.
void put(std::FILE* to, std::string_view text);
// Writes text that another program reads, such as JSON: byte for byte, but to a terminal as
// `visible`.
void put_bytes(std::FILE* to, std::string_view text);

}  // namespace bodkin
