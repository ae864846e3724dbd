#include "edits/suggest/name_scope.h"

#include <algorithm>
#include <vector>

#include "edits/align/lines.h"
#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

constexpr size_t kMostHeadLines = 12;    // of a function
constexpr size_t kMostLinesAbove = 500;  // of a function that holds another one

bool is_word(const LineToken& token) { return token.kind == LineToken::Kind::word; }

// The line before which a function's body begins.
size_t end_of_head(const LineAt& line_at, const LineRange& function) {
  for (size_t at = function.begin; at < std::min(function.end, function.begin + kMostHeadLines);
       ++at) {
    const std::string_view line = trimmed_right(line_at(at));
    if (line.ends_with('{') || line.ends_with(':') || line.ends_with("=>")) return at + 1;
  }
  return function.begin + 1;
}

// The next function that holds another one.
std::optional<LineRange> function_around(const LineRange& function, const FunctionAt& function_at) {
  for (size_t far = 1; far <= std::min(function.begin, kMostLinesAbove); ++far)
    if (const auto outer = function_at(function.begin - far);
        outer && outer->begin < function.begin && function.end <= outer->end)
      return outer;
  return std::nullopt;
}

bool begins_parameters(std::string_view line) {
  return line.contains('(') && !is_one_of(trimmed(line).substr(0, 1), {"@", "#", "["});
}

}  // namespace

bool is_own_name(std::string_view line, std::string_view name) {
  const std::vector<LineToken> tokens = line_tokens(line);
  size_t i = 0;
  if (tokens.size() > 1 && tokens[0].text == "func" && tokens[1].text == "(")
    while (i < tokens.size() && tokens[i].text != ")") ++i;
  for (; i < tokens.size() && !is_one_of(tokens[i].text, {"(", "{", "@"}); ++i)
    if (is_word(tokens[i]) && tokens[i].text == name)
      return i + 1 < tokens.size() && is_one_of(tokens[i + 1].text, {"(", "=", "<", "[", ":"});
  return false;
}

Declares declares(std::string_view line, std::string_view name, bool is_head) {
  const std::vector<LineToken> tokens = line_tokens(line);
  const auto text = [&](size_t i) {
    return i < tokens.size() ? tokens[i].text : std::string_view();
  };
  const auto is_assigned = [&](size_t i) { return text(i) == "=" && text(i + 1) != "="; };
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!is_word(tokens[i]) || tokens[i].text != name) continue;
    const std::string_view before = i > 0 ? text(i - 1) : std::string_view();
    if (before == "." || (before == ">" && i > 1 && text(i - 2) == "-") ||
        (before == ":" && i > 1 && text(i - 2) == ":"))
      continue;
    if (is_head && is_one_of(before, {"(", ",", "*", "&"})) return Declares::below;
    if (i > 0 && is_word(tokens[i - 1]) &&
        !is_one_of(before, {"return", "case",   "in",    "of", "await", "new",   "else",
                            "not",    "and",    "or",    "if", "while", "throw", "delete",
                            "yield",  "import", "from",  "is", "as",    "raise", "typeof",
                            "assert", "elif",   "until", "do", "then",  "when",  "unless",
                            "with",   "except", "defer", "go", "del",   "match"}))
      return before == "for" || text(0) == "for" ? Declares::below : Declares::in_block;
    size_t end = i + 1;  // of what may be a list of names
    while (end < tokens.size() && (is_word(tokens[end]) || is_one_of(text(end), {",", ")"}))) ++end;
    if (text(end) == "=" && text(end + 1) == ">") return Declares::below;
    if (text(end) == ":" && is_assigned(end + 1)) return Declares::in_block;
    if (i == 0 && is_assigned(1)) return Declares::in_function;
  }
  return Declares::nothing;
}

bool is_in_head(const LineAt& line_at, size_t line, const FunctionAt& function_at) {
  const auto function = function_at(line);
  return function && line < end_of_head(line_at, *function);
}

bool is_in_parameters(const LineAt& line_at, size_t line, const FunctionAt& function_at) {
  const auto function = function_at(line);
  for (size_t at = function ? function->begin : line; at < line; ++at)
    if (begins_parameters(line_at(at))) return true;
  return false;
}

std::optional<LineRange> local_scope(const LineAt& line_at, size_t line, std::string_view name,
                                     const FunctionAt& function_at) {
  const auto function = function_at(line);
  if (!function) return std::nullopt;
  const size_t head = end_of_head(line_at, *function);
  std::optional<LineRange> nearest;
  bool is_its_own = false, has_parameters = false;  // before this line
  for (size_t at = function->begin; at < function->end; ++at) {
    const std::string_view own = line_at(at);
    if (at < head && !has_parameters && is_own_name(own, name)) {
      is_its_own = has_parameters = true;
      continue;
    }
    has_parameters |= begins_parameters(own);
    const Declares how = declares(own, name, at < head);
    if (how == Declares::nothing) continue;
    LineRange scope{at, at + 1};
    const size_t depth = depth_of(own) + (how == Declares::below ? 1 : 0);
    while (scope.end < function->end &&
           (is_blank(line_at(scope.end)) || depth_of(line_at(scope.end)) >= depth))
      ++scope.end;
    if (how == Declares::in_function || at < head) scope = *function;
    if (scope.begin <= line && line < scope.end) nearest = scope;
  }
  if (!nearest && is_its_own) return function_around(*function, function_at);
  return nearest;
}

}  // namespace bodkin
