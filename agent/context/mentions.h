// Finds what a request names: mentions that begin with @, and files and declarations in its own
// words. Pure; named.cpp decides which of the names exist.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bodkin {

// "@src/a.cpp", "@Widget::resize", "@file:a.cpp", "@folder:src", "@symbol:resize",
// "@\"two words.txt\"", "@diagnostics", "@selection", "@diff", "@staged".
struct Mention {
  enum class Kind { any, file, folder, symbol, diagnostics, selection, diff, staged };
  Kind kind = Kind::any;  // any: a file, a folder or a declaration, whichever there is
  std::string name;       // empty for the last three
  bool operator==(const Mention&) const = default;
};

// In order, each once, none in fenced blocks. Punctuation that follows a name does not belong to
// it.
std::vector<Mention> mentions_in(std::string_view request);

// A word of a request that may be a name in the code.
struct RequestWord {
  std::string_view
      text;  // of the request: letters, digits, '_', and inside of it "::", '.', '/', '-'
  bool is_quoted = false;      // in backticks
  bool is_code = false;        // its spelling is that of code: Mixed, snake_case, a::b, a.b, call(
  bool is_in_foreign = false;  // next to a letter beyond ASCII: "修复resize函数"
  bool has_article = false;    // after "the", "our", or the like
  bool has_kind = false;       // next to a word such as "function" or "class"
  bool ends_sentence = false;
};

// The words outside of fenced blocks and @mentions; of the first 8,000 bytes.
std::vector<RequestWord> words_in(std::string_view request);

// True if this word looks like a file's name or path.
bool looks_like_path(std::string_view word);

// "HTTPServer_v2" -> "http", "server", "v2": lower case, reduced to their stems, so that "parser",
// "parse" and "parsing" are equal.
std::vector<std::string> name_stems(std::string_view name);

// True for words that every request has and that name nothing: "the", "make", "error".
bool is_common_word(std::string_view word);

// The kind of thing that "function", "class" or "file" says the words next to it name; else none.
enum class NamedKind { none, type, function, file };
NamedKind named_kind(std::string_view lower_case);

}  // namespace bodkin
