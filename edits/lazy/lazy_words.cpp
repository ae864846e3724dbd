#include "edits/lazy/lazy_words.h"

#include <algorithm>
#include <set>
#include <vector>

#include "edits/place/tokens.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

// Words that begin or end a block, or leave one: they occur in many.
constexpr std::string_view kKeywords[] = {
    "return", "throw", "raise", "break",   "continue", "pass",  "yield", "goto",
    "exit",   "die",   "else",  "end",     "fi",       "done",  "esac",  "then",
    "do",     "try",   "catch", "finally", "except",   "begin", "nil",   "null",
    "none",   "true",  "false", "if",      "elif",     "endif", "for",   "while"};

bool is_keyword(std::string_view word) { return std::ranges::count(kKeywords, word) > 0; }

}  // namespace

bool is_statement(std::string_view line) {
  static constexpr std::string_view kStatements[] = {
      "if",   "for",  "while",  "switch", "try",  "with", "unless", "until", "loop",  "match",
      "else", "elif", "elseif", "elsif",  "case", "do",   "catch",  "when",  "select"};
  const std::vector<std::string_view> words = words_of_line(line);
  return !words.empty() && std::ranges::count(kStatements, words.front()) > 0;
}

bool are_alike(std::string_view a, std::string_view b) {
  const std::vector<std::string_view> left = words_of_line(a), right = words_of_line(b);
  const std::set<std::string_view> all(left.begin(), left.end());
  const std::set<std::string_view> others(right.begin(), right.end());
  size_t shared = 0;
  for (const std::string_view word : all) shared += others.contains(word);
  if (shared > 0 && shared == std::min(all.size(), others.size()) &&
      std::ranges::any_of(all.size() < others.size() ? all : others,
                          [](std::string_view word) { return !is_keyword(word); }))
    return true;
  const size_t most = std::max(all.size(), others.size());
  return shared > 0 && 2 * shared >= most && (most - shared <= 1 || 3 * shared >= 2 * most);
}

std::string_view name_in(std::string_view head) {
  static constexpr std::string_view kNoNames[] = {"function", "func", "fn", "def", "proc", "sub"};
  head = trimmed(head);
  if (head.starts_with('[') || head.starts_with("- ") || is_statement(head)) return head;
  if (head.starts_with('<')) return head.substr(0, head.find_first_of(" \t>"));
  size_t end = head.size();
  for (const std::string_view sign : {"(", " = ", " := ", " <- ", ": ", "{"})
    if (const size_t at = head.find(sign); at > 0) end = std::min(end, at);
  if (const size_t quote = head.find_first_of("\"'`"); quote != head.npos && quote <= end + 1)
    return head.substr(0, head.find(head[quote], quote + 1));
  const std::vector<std::string_view> words = words_of_line(head.substr(0, end));
  return words.empty() || is_one_of(words.back(), kNoNames) ? head : words.back();
}

bool name_the_same(std::string_view a, std::string_view b) {
  return has_more_words(a, b) || name_in(a) == name_in(b);
}

bool is_attribute(std::string_view line) {
  const std::string_view text = trimmed(line);
  return text.starts_with('@') || text.starts_with("#[") ||
         (text.starts_with('[') && text.ends_with(']'));
}

bool opens_entry(std::string_view line) {
  const std::string_view text = trimmed(line);
  return !is_statement(text) && (is_among(text.back(), "{:[>") || text.starts_with('<') ||
                                 text.starts_with("- ") || text.ends_with(" do"));
}

bool ends_block(std::string_view line) {
  static constexpr std::string_view kEnds[] = {"end", "fi", "done", "esac", "endif"};
  const std::string_view text = trimmed(line);
  return !has_word(text) || text.starts_with("</") || std::ranges::count(kEnds, text) > 0;
}

bool opens_block(std::string_view line) {
  const std::string_view text = trimmed(line);
  return text.ends_with('{') || text.ends_with(':') || text.ends_with('(');
}

long nesting_of(std::string_view line) {
  long open = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (i > 0 && line[i - 1] == '\'' && line.substr(i + 1).starts_with('\'')) continue;
    open += (c == '{' || c == '(' || c == '[') - (c == '}' || c == ')' || c == ']');
  }
  const std::string_view text = trimmed(line);
  if (text.starts_with("</") || text.starts_with("#endif")) return open - 1;
  if (text.starts_with("#if")) return open + 1;
  const bool is_element = text.size() > 2 && text[0] == '<' && (text[1] | 32) >= 'a' &&
                          (text[1] | 32) <= 'z' && text.ends_with('>');
  return open + (is_element && !text.ends_with("/>") && text.find("</") == text.npos);
}

bool has_only_keywords(std::string_view line) {
  return std::ranges::all_of(words_of_line(line), is_keyword);
}

bool says_something(std::string_view line) {
  const std::vector<std::string_view> words = words_of_line(line);
  if (words.empty() || (is_keyword(words[0]) && !is_statement(line))) return false;
  if (trimmed(line).starts_with("</")) return false;
  return std::ranges::any_of(words, [](std::string_view word) { return !is_keyword(word); });
}

bool leaves_block(std::string_view line) {
  static constexpr std::string_view kLast[] = {"return", "raise", "throw", "break", "continue"};
  const std::vector<std::string_view> words = words_of_line(line);
  return !words.empty() && std::ranges::count(kLast, words.front()) > 0;
}

}  // namespace bodkin
