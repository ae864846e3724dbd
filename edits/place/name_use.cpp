#include "edits/place/name_use.h"

#include <algorithm>
#include <vector>

#include "edits/place/sections.h"
#include "edits/place/tokens.h"
#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

Use use_at(const std::vector<std::string_view>& words, size_t i) {
  const auto at = [&](size_t k) { return k < words.size() ? words[k] : std::string_view(); };
  const auto before = [&](size_t k) { return i >= k ? words[i - k] : std::string_view(); };
  const std::string_view last = before(1), next = at(i + 1);
  if (last == "$" || (last == "{" && before(2) == "$")) return Use::expanded;
  if (last == ".") return Use::text;
  if ((next == "." && at(i + 2) != "") || (next == ":" && at(i + 2) == ":")) return Use::looked_up;
  if ((next == "=" && at(i + 2) != "=") || (next == ":" && at(i + 2) == "=")) return Use::bound;
  const auto loops = std::find(words.begin(), words.end(), "for"),
             in = std::find(words.begin(), words.end(), "in");
  if (loops != words.end() && in != words.end() && loops < words.begin() + static_cast<long>(i) &&
      words.begin() + static_cast<long>(i) < in)
    return Use::bound;
  for (const std::string_view word : {"local", "let", "var", "val", "const", "mut", "auto"})
    if (last == word) return Use::bound;
  static constexpr std::string_view kNoTypes[] = {
      "return", "in",    "not",  "and",   "or",   "if",    "else",  "new",      "await", "throw",
      "case",   "yield", "echo", "print", "goto", "raise", "elif",  "from",     "as",    "import",
      "while",  "until", "when", "is",    "do",   "then",  "break", "continue", "delete"};
  const bool typed =
      !last.empty() && (has_word(last) || last == "*" || last == "&" || last == ">") &&
      std::find(std::begin(kNoTypes), std::end(kNoTypes), last) == std::end(kNoTypes);
  const bool ends = next == ";" || next == "[" || next == "{";
  return typed && ends ? Use::bound : Use::plain;
}

}  // namespace

bool has_statement(std::string_view line) {
  static constexpr std::string_view kWords[] = {
      "if",   "for",    "foreach", "while", "switch", "match", "catch",  "return",
      "elif", "elseif", "else",    "with",  "when",   "until", "unless", "assert"};
  for (const std::string_view word : tokens_of(line))
    if (std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords)) return true;
  return false;
}

std::set<Use> uses_of(std::string_view word, std::string_view line) {
  constexpr size_t kLongest = 1000;  // bytes
  std::set<Use> found;
  if (line.size() > kLongest) return found;
  const std::vector<std::string_view> words = tokens_of(line);
  for (size_t i = 0; i < words.size(); ++i)
    if (words[i] == word) {
      const Use use = use_at(words, i);
      const bool code = is_code(line, static_cast<size_t>(words[i].data() - line.data()));
      found.insert(code || use == Use::expanded ? use : Use::text);
    }
  return found;
}

bool may_be_overload(std::string_view quoted, std::string_view ours) {
  for (const std::string_view line : {quoted, ours}) {
    const std::string_view text = trimmed(line);
    const size_t open = text.find('(');
    if (open == text.npos || text.ends_with(';') || text.substr(0, open).find('=') != text.npos)
      return false;
    const std::vector<std::string_view> words = tokens_of(text.substr(0, open));
    if (words.empty() || has_statement(text.substr(0, open))) return false;
    if (words.size() < 2 && !text.ends_with('{')) return false;  // a call
    for (const std::string_view known : {"def", "function", "fn"})
      if (std::find(words.begin(), words.end(), known) != words.end()) return false;
  }
  const auto parameters = [](std::string_view line) {
    const size_t open = line.find('('), close = line.rfind(')');
    return tokens_of(line.substr(open + 1, close > open ? close - open - 1 : line.npos));
  };
  return parameters(quoted) != parameters(ours);
}

}  // namespace bodkin
