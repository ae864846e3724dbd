#include "edits/text/comments.h"

#include <algorithm>
#include <array>

#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

// After "#": what makes it a directive, an attribute, or names the program that runs the file.
constexpr std::string_view kDirectives[] = {"include", "import", "define", "undef", "if",
                                            "el",      "end",    "pragma", "error", "warning",
                                            "line",    "region", "[",      "!"};

// After "# ", as C's directives are indented: "# else", "# ifdef X", "# define MAX 3", "# if X >
// 1". A sentence has other words behind them.
bool is_indented_directive(std::string_view rest) {
  rest = trimmed(rest);
  const std::string_view word = first_word(rest), behind = trimmed(rest.substr(word.size()));
  if (word == "else" || word == "endif") return behind.empty() || behind.starts_with('/');
  if (word == "include") return behind.starts_with('<') || behind.starts_with('"');
  const std::string_view name = first_word(behind);
  return is_one_of(word, {"ifdef", "ifndef", "undef", "define", "if", "elif"}) &&
         (name == "defined" ||
          std::ranges::none_of(name, [](char c) { return c >= 'a' && c <= 'z'; }));
}

bool is_hash_comment(std::string_view text) {
  const size_t signs = std::min(text.find_first_not_of('#'), text.size());
  const std::string_view rest = text.substr(signs);
  if (rest.empty()) return true;
  if (is_space(rest.front())) return signs == 1 && !is_indented_directive(rest);  // "## Heading"
  if (std::ranges::any_of(kDirectives, [&](auto word) { return rest.starts_with(word); }))
    return false;
  // "#id {" and "#id," of CSS, "#size;", a private member in JavaScript
  return !is_among(rest.back(), "{,;");
}

}  // namespace

// Decides: which lines are comments, in any language.
bool is_comment(std::string_view line) {
  const std::string_view text = trimmed(line);
  if (text.empty()) return false;
  const std::string_view rest = text.substr(1);
  switch (text.front()) {
    case '/':
      return rest.starts_with('/') || rest.starts_with('*');
    case '#':
      return is_hash_comment(text);
    case '*':  // within a block; "* {" and "* > a" are CSS
      return rest.empty() || rest.front() == '/' || rest.starts_with("*/") ||
             (rest.front() == ' ' && !is_among(trimmed(rest).front(), "{>+~"));
    case '-':  // "---": a rule, or the beginning of a document
      return rest == "-" || rest.starts_with("- ") || rest.starts_with("-[") ||
             rest.starts_with("--") || rest.starts_with("->");
    case '<':
      return rest.starts_with("!--");
    case '{':
      return rest.starts_with("/*") || rest.starts_with("{!") || rest.starts_with("{/*") ||
             rest.starts_with("# ");
    case ';':
      return rest.starts_with(' ') || rest.starts_with(';');
    case '%':
      return rest.starts_with(' ') || rest.starts_with('%');
    case 'd':
      return rest.starts_with("nl ");
    case '"':  // of Vim; a string has another quote
      return rest.starts_with(' ') && rest.find('"') == rest.npos;
    default:
      return false;
  }
}

bool opens_comment(std::string_view rest) {
  static constexpr std::array<std::string_view, 5> kSigns = {"//", "# ", "/*", "-- ", "<!--"};
  return std::ranges::any_of(kSigns, [&](auto sign) { return rest.starts_with(sign); });
}

}  // namespace bodkin
