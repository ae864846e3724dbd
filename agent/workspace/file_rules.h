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

// Of a file that need not exist. The innermost file and its last matching line win; .gitattributes
// wins over .editorconfig, since git itself writes what it says. `path`: relative, with '/';
// `read`: the text of a file by such a path, untrusted, or nothing.
FileRules rules_of(std::string_view path,
                   const std::function<std::optional<std::string>(const std::string&)>& read);

// What the person, or the editor, says is the encoding of files of which .editorconfig says none;
// in lower case; empty: nothing. From then on, in all threads.
void assume_encoding(std::string encoding);

// The encoding that a file has by its byte order mark, or that the project says it has, or that is
// assumed, if its bytes may be in it; empty: none, or UTF-8. Arguments as above.
std::string encoding_of(std::string_view path, std::string_view bytes,
                        const std::function<std::optional<std::string>(const std::string&)>& read);

// What the user can do about a file that is not UTF-8: the end of a sentence.
inline constexpr std::string_view kNamesEncoding =
    ".editorconfig (charset) or bodkin.files.encoding can name its encoding";

}  // namespace bodkin
