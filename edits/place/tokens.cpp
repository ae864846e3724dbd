#include "edits/place/tokens.h"

#include <algorithm>
#include <cctype>

#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

std::string_view trimmed_of(std::string_view s, std::string_view signs) {
  const size_t first = s.find_first_not_of(signs);
  return first == s.npos ? std::string_view()
                         : s.substr(first, s.find_last_not_of(signs) + 1 - first);
}

struct CommonEnds {
  size_t head = 0, tail = 0;
};

template <class Sequence>
CommonEnds common_ends(const Sequence& a, const Sequence& b) {
  CommonEnds ends;
  while (ends.head < a.size() && ends.head < b.size() && a[ends.head] == b[ends.head]) ++ends.head;
  while (ends.tail + ends.head < a.size() && ends.tail + ends.head < b.size() &&
         a[a.size() - 1 - ends.tail] == b[b.size() - 1 - ends.tail])
    ++ends.tail;
  return ends;
}

// A letter, a digit, '_', '$', or a byte that is not ASCII.
bool is_name_char(char c) {
  return c == '_' || c == '$' || static_cast<unsigned char>(c) >= 0x80 ||
         std::isalnum(static_cast<unsigned char>(c));
}

// The name after a keyword: "M.load", "self.load", "(s *Server) Load", or "Display for Name" of an
// `impl`. Nothing: it has none.
std::string_view name_at(std::string_view line, size_t begin, bool is_impl) {
  if (is_impl) return trimmed_of(line.substr(begin, line.find('{', begin) - begin), " \t");
  size_t end = begin;
  if (line[begin] == '(') {  // a receiver
    end = line.find(") ", begin);
    if (end == line.npos) return {};
    end += 2;
  }
  const size_t word = end;
  while (end < line.size() && is_name_char(line[end])) {
    while (end < line.size() && is_name_char(line[end])) ++end;
    const size_t next = line.find_first_not_of(".:", end);
    if (next != line.npos && next > end && is_name_char(line[next])) end = next;
  }
  return line.substr(begin, end > word ? end - begin : 0);
}

}  // namespace

std::vector<std::string_view> tokens_of(std::string_view line) {
  std::vector<std::string_view> tokens;
  const auto is_word = [](char c) {
    return c == '_' || static_cast<unsigned char>(c) >= 0x80 ||
           std::isalnum(static_cast<unsigned char>(c));
  };
  for (size_t i = 0; i < line.size();) {
    if (line[i] == ' ' || line[i] == '\t') {
      ++i;
      continue;
    }
    size_t end = i + 1;
    if (is_word(line[i]))
      while (end < line.size() && is_word(line[end])) ++end;
    tokens.push_back(line.substr(i, end - i));
    i = end;
  }
  return tokens;
}

bool is_operator(char a, char b) {
  static constexpr std::string_view kPairs[] = {
      "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
      "~=", ":=", "?=", "@=", "=>", "->", "<-", "&&", "||", "<<", "++", "--",
      "**", "//", "::", "..", "?.", "??", "|>", "=~", "!~", "<>"};
  return std::ranges::any_of(kPairs, [&](std::string_view p) { return p[0] == a && p[1] == b; });
}

std::string_view declared_name(std::string_view line) {
  static constexpr std::string_view kKeywords[] = {"def",      "class",  "func", "fn",
                                                   "function", "struct", "enum", "interface",
                                                   "module",   "trait",  "impl", "namespace"};
  static constexpr std::string_view kStatements[] = {"if",     "for",  "while",  "switch", "catch",
                                                     "return", "else", "elseif", "elif"};
  const std::vector<std::string_view> tokens = tokens_of(line);
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!is_one_of(tokens[i], kKeywords) || is_one_of(tokens[i + 1], kKeywords)) continue;
    const size_t begin = static_cast<size_t>(tokens[i + 1].data() - line.data());
    if (const std::string_view name = name_at(line, begin, tokens[i] == "impl"); !name.empty())
      return name;
  }
  if (tokens.empty() || (tokens.back() != "{" && tokens.back() != ":")) return {};
  for (size_t i = 1; i < tokens.size(); ++i)
    if (tokens[i] == "(")
      return is_one_of(tokens[i - 1], kStatements) ? std::string_view() : tokens[i - 1];
  return {};
}

size_t token_distance(std::string_view a, std::string_view b) {
  const std::vector<std::string_view> left = tokens_of(a), right = tokens_of(b);
  const auto [head, tail] = common_ends(left, right);
  return std::max(left.size(), right.size()) - head - tail;
}

}  // namespace bodkin
