#include "edits/suggest/edited_words.h"

#include <algorithm>

#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

constexpr size_t kFewestCharacters = 8;  // of lines that say enough to be meant elsewhere, too

constexpr size_t kVaried = 5;  // of so many tokens, old and new, two or more are equal

}  // namespace

bool says_enough(const Lines& lines) {
  size_t characters = 0;
  bool is_any_solid = false;
  for (const std::string& line : lines) {
    characters += trimmed(line).size();
    is_any_solid |= is_solid(line);
  }
  return is_any_solid && characters >= kFewestCharacters;
}

std::string_view shared_indentation(const Lines& lines) {
  std::optional<std::string_view> shared;
  for (const std::string& line : lines) {
    if (is_blank(line)) continue;
    const std::string_view own = indentation_of(line);
    if (!shared) shared = own;
    const auto end = std::ranges::mismatch(*shared, own).in1;
    shared = shared->substr(0, static_cast<size_t>(end - shared->begin()));
  }
  return shared.value_or(std::string_view());
}

std::optional<Lines> moved(const Lines& lines, std::string_view from, std::string_view to) {
  Lines out;
  for (const std::string& line : lines) {
    if (is_blank(line)) {
      out.push_back(line);
      continue;
    }
    if (!line.starts_with(from)) return std::nullopt;
    out.push_back(std::string(to) + line.substr(from.size()));
  }
  return out;
}

std::optional<Lines> made_of(const Lines& old, const EditedLines& other) {
  const std::string_view depth = shared_indentation(old), own = shared_indentation(other.before);
  return moved(other.before, own, depth) == old ? moved(other.after, own, depth) : std::nullopt;
}

bool is_in(std::string_view line, std::string_view word) {
  return line.contains(word) && std::ranges::any_of(line_tokens(line), [&](const LineToken& token) {
           return token.text == word;
         });
}
bool is_in(const Lines& lines, std::string_view word) {
  return std::ranges::any_of(lines, [&](const std::string& line) { return is_in(line, word); });
}

std::vector<std::string_view> tokens_of(const Lines& lines) {
  std::vector<std::string_view> tokens;
  for (const std::string& line : lines)
    for (const LineToken& token : line_tokens(line)) tokens.push_back(token.text);
  return tokens;
}

bool is_variation(const EditedLines& edit) {
  std::vector<std::string_view> ours = tokens_of(edit.before), theirs = tokens_of(edit.after), both,
                                others;
  std::ranges::sort(ours);
  std::ranges::sort(theirs);
  std::ranges::set_intersection(ours, theirs, std::back_inserter(both));
  std::ranges::set_symmetric_difference(ours, theirs, std::back_inserter(others));
  const auto is_value = [](std::string_view token) {
    return is_among(token.front(), "0123456789\"'`");
  };
  return !theirs.empty() && both.size() * kVaried >= ours.size() + theirs.size() &&
         (others.empty() || !std::ranges::all_of(others, is_value));
}

std::string_view owner_of(const std::vector<LineToken>& tokens, size_t i) {
  const auto is = [&](size_t back, std::string_view text) {
    return i >= back && tokens[i - back].text == text;
  };
  const size_t sign = is(1, ".")                                                 ? 1
                      : (is(1, ">") && is(2, "-")) || (is(1, ":") && is(2, ":")) ? 2
                                                                                 : 0;
  if (sign == 0 || (sign == 1 && is(2, "."))) return {};  // `...rest`, `0..end`
  const size_t own = sign + (is(sign + 1, "?") || is(sign + 1, "!") ? 2 : 1);
  return i >= own ? tokens[i - own].text : std::string_view(".");
}

bool is_of_member(const std::vector<LineToken>& tokens, size_t i) {
  const std::string_view owner = owner_of(tokens, i);
  const auto its = std::ranges::find(tokens, owner.data(),
                                     [](const LineToken& token) { return token.text.data(); });
  return !owner.empty() && (its == tokens.end() ||
                            !owner_of(tokens, static_cast<size_t>(its - tokens.begin())).empty());
}

bool is_bound_anew(const std::vector<LineToken>& tokens, size_t i) {
  const auto text = [&](size_t at) {
    return at < tokens.size() ? tokens[at].text : std::string_view();
  };
  if (i > 0 && text(i - 1) == "|" && is_one_of(text(i + 1), {"|", ",", ":"})) return true;
  if (i < 2 || text(i - 1) != "(" || tokens[i - 2].kind != LineToken::Kind::word ||
      text(i + 1) != ")")
    return false;
  return text(i + 2) == "=" && text(i + 3) != "=";
}

bool is_top_level(std::string_view line, std::string_view name) {
  const std::vector<LineToken> tokens = line_tokens(line);
  for (size_t i = 1; i < tokens.size(); ++i)
    if (tokens[i].text == name && tokens[i - 1].text == ":") return false;  // of a class, in C++
  return depth_of(line) == 0 &&
         !(tokens.size() > 1 && tokens[0].text == "func" && tokens[1].text == "(");
}

bool is_property(std::string_view line, std::string_view name) {
  const std::vector<LineToken> tokens = line_tokens(line);
  size_t i = 0;
  while (i < tokens.size() && tokens[i].kind == LineToken::Kind::word && tokens[i].text != name)
    ++i;
  if (i >= tokens.size() || tokens[i].text != name) return false;
  ++i;
  if (i < tokens.size() && tokens[i].text == "?") ++i;
  return i < tokens.size() && tokens[i].text == ":" &&
         (i + 1 == tokens.size() || tokens[i + 1].text != ":");
}

bool is_type_name(std::string_view name) {
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  return is_capital(name.front()) && !std::ranges::all_of(name, [&](char c) {
           return is_capital(c) || c == '_' || (c >= '0' && c <= '9');
         });
}

bool is_import_line(std::string_view line) {
  return is_one_of(first_word(trimmed(line)), {"import", "from", "use", "using"});
}

}  // namespace bodkin
