#include "grammars/preprocessor_tokens.h"

#include <algorithm>
#include <string>

#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

size_t end_of_quoted(std::string_view text, size_t at) {  // at the quote
  char quote = text[at];
  for (++at; at < text.size() && text[at] != quote && text[at] != '\n'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

size_t end_of_raw(std::string_view text, size_t at) {  // at the quote of R"x(…)x"
  size_t open = text.find('(', at);
  if (open == text.npos || open - at > 17) return at + 1;
  std::string close = ")" + std::string(text.substr(at + 1, open - at - 1)) + "\"";
  size_t end = text.find(close, open);
  return end == text.npos ? text.size() : end + close.size();
}

size_t end_of_directive(std::string_view text, size_t at) {
  while (true) {
    at = text.find('\n', at);
    if (at == text.npos) return text.size();
    size_t before = at > 0 && text[at - 1] == '\r' ? at - 1 : at;
    if (before == 0 || text[before - 1] != '\\') return at;
    ++at;
  }
}

bool read_conditional(std::string_view line, Directive& directive) {
  line.remove_prefix(1);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  if (line.starts_with("if")) {
    std::string_view rest = line.substr(2);
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    bool is_false = line.substr(2, 1) != "d" && rest.starts_with("0") &&
                    (rest.size() == 1 || !is_word_char(rest[1]));
    directive.kind = is_false ? Directive::opens_false : Directive::opens;
  } else if (line.starts_with("el")) {
    directive.kind = Directive::branches;
  } else if (line.starts_with("endif")) {
    directive.kind = Directive::closes;
  } else {
    return false;
  }
  return true;
}

// A comment in the middle of a macro definition: tree-sitter takes it for the end of the
// definition.
void blank_comments(std::string_view text, size_t begin, size_t end, std::vector<Blank>& blanks) {
  while (true) {
    begin = text.find("/*", begin);
    const size_t close = begin < end ? text.find("*/", begin) : text.npos;
    if (close == text.npos || close + 2 >= end) return;
    for (size_t line = begin; line < close + 2;
         ++line) {  // except for the backslashes at line ends
      const size_t stop =
          std::min(text.substr(0, close + 2).find_first_of("\\\n", line), close + 2);
      if (stop > line) blanks.push_back({line, stop, false});
      line = stop;
    }
    begin = close + 2;
  }
}

}  // namespace

std::vector<Token> tokens_of(std::string_view text, std::vector<Directive>& directives,
                             std::vector<Blank>& blanks) {
  std::vector<Token> tokens(1);  // a mark of nothing at the start; indices from 1
  tokens[0].first = ';';
  std::vector<size_t> open;
  bool line_begins = true, after_break = true, after_directive = false;
  for (size_t at = 0; at < text.size();) {
    char c = text[at];
    if (c == '\n') line_begins = after_break = true;
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v' || c == '\\') {
      ++at;
      continue;
    }
    if (c == '#' && line_begins) {
      Directive directive;
      directive.begin = at;
      at = directive.end = end_of_directive(text, at);
      directive.token = tokens.size();
      if (read_conditional(text.substr(directive.begin, at - directive.begin), directive))
        directives.push_back(directive);
      else
        blank_comments(text, directive.begin, at, blanks);
      after_break = after_directive = true;
      continue;
    }
    if (c == '/' && text.substr(at, 2) == "//") {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (c == '/' && text.substr(at, 2) == "/*") {
      size_t end = text.find("*/", at + 2);
      at = end == text.npos ? text.size() : end + 2;
      continue;
    }
    line_begins = false;
    Token token;
    token.begin = at;
    token.after_break = after_break;
    token.after_directive = after_directive;
    after_break = after_directive = false;
    token.first = c;
    if (is_word_char(c)) {
      token.kind = is_digit(c) ? Token::number : Token::word;
      while (at < text.size() &&
             (is_word_char(text[at]) || (token.kind == Token::number && text[at] == '\'')))
        ++at;
      if (at < text.size() && text[at] == '"' && text[at - 1] == 'R') at = end_of_raw(text, at);
    } else if (c == '"' || c == '\'') {
      token.kind = Token::number;
      at = end_of_quoted(text, at);
    } else {
      ++at;
      if (c == '(') open.push_back(tokens.size());
      if (c == ')' && !open.empty()) {
        token.partner = open.back();
        tokens[open.back()].partner = tokens.size();
        open.pop_back();
      }
    }
    token.end = at;
    tokens.push_back(token);
  }
  return tokens;
}

}  // namespace bodkin
