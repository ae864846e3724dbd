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

// After "# ", as C's directives are indented: "# else", "# ifdef X", "# define X(a)", "# if X > 1".
bool is_indented_directive(std::string_view rest) {
  rest = trimmed(rest);
  const auto ends_at = [](std::string_view text, auto is_part) {
    return static_cast<size_t>(std::ranges::find_if_not(text, is_part) - text.begin());
  };
  const std::string_view word =
      rest.substr(0, ends_at(rest, [](char c) { return 'a' <= c && c <= 'z'; }));
  rest = trimmed(rest.substr(word.size()));
  const std::string_view name = rest.substr(0, ends_at(rest, is_word_char));
  const std::string_view behind = trimmed(rest.substr(name.size()));
  const bool ends = behind.empty() || behind.starts_with('/');
  if (word == "else" || word == "endif") return name.empty() && ends;
  if (word == "ifdef" || word == "ifndef" || word == "undef") return !name.empty() && ends;
  if (word == "include") return rest.starts_with('<') || rest.starts_with('"');
  const bool is_macro =
      !name.empty() && std::ranges::none_of(name, [](char c) { return 'a' <= c && c <= 'z'; });
  if (word == "define")
    return is_macro || (!name.empty() && rest.substr(name.size()).starts_with('('));
  if (word == "if" || word == "elif")
    return is_macro || name == "defined" || rest.starts_with('!') || rest.starts_with('(');
  return false;
}

// "#size;" and "#size = 0;", a private member in JavaScript.
bool is_private_member(std::string_view rest) {
  const auto end = std::ranges::find_if_not(rest, is_word_char);
  const std::string_view behind = rest.substr(static_cast<size_t>(end - rest.begin()));
  return end != rest.begin() && behind.ends_with(';') &&
         (behind == ";" || behind.starts_with(" = "));
}

bool is_hash_comment(std::string_view text) {
  const size_t signs = std::min(text.find_first_not_of('#'), text.size());
  const std::string_view rest = text.substr(signs);
  if (rest.empty()) return true;
  if (is_space(rest.front())) return signs == 1 && !is_indented_directive(rest);  // "## Heading"
  if (std::ranges::any_of(kDirectives, [&](auto word) { return rest.starts_with(word); }))
    return false;
  // "#id {" and "#id," of CSS
  return rest.back() != '{' && rest.back() != ',' && !is_private_member(rest);
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
             (rest.front() == ' ' &&
              std::string_view("{>+~").find(trimmed(rest).front()) == text.npos);
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
