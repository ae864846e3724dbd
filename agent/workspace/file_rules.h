// FileRules: what a project says about the bytes of its files, in .editorconfig and .gitattributes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace bodkin {

struct FileRules {
  std::string charset;       // as .editorconfig names it, in lower case; empty: it is not said
  std::optional<bool> crlf;  // the ends of lines: \r\n or \n
  std::optional<bool> final_newline;
};

// Returns the rules for a file that need not exist. The innermost file and its last matching line
// win; .gitattributes wins over .editorconfig, since git itself writes what it says. `path`:
// relative, with '/'; `read`: the text of a file by such a path, untrusted, or nothing.
FileRules rules_of(std::string_view path,
                   const std::function<std::optional<std::string>(const std::string&)>& read);

// Sets the encoding that the person, or the editor, names for files of which .editorconfig says
// nothing; lower case; empty: none. It holds from then on, in all threads.
void assume_encoding(std::string encoding);

// The encoding that a file has by its byte order mark, or that the project says it has, or that is
// assumed, if its bytes may be in it; empty: none, or UTF-8. Arguments as above.
std::string encoding_of(std::string_view path, std::string_view bytes,
                        const std::function<std::optional<std::string>(const std::string&)>& read);

// Tells the user what to do about a file that is not UTF-8: the end of a sentence.
inline constexpr std::string_view kNamesEncoding =
    ".editorconfig (charset) or bodkin.files.encoding can name its encoding";

}  // namespace bodkin
