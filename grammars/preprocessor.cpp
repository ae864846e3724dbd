// A scan of tokens, not a parse: strings, comments and directives are skipped, and the token before
// and after decide.
#include "grammars/preprocessor.h"

#include <algorithm>
#include <array>

#include "grammars/preprocessor_tokens.h"

namespace bodkin {
namespace {

template <size_t N>
bool one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::ranges::find(words, word) != words.end();
}

constexpr std::array<std::string_view, 4> kClassWords = {"class", "struct", "union", "enum"};
constexpr std::array<std::string_view, 9> kSpecifiers = {"inline",   "static",    "virtual",
                                                         "explicit", "constexpr", "extern",
                                                         "friend",   "typedef",   "typename"};
constexpr std::array<std::string_view, 4> kTrailing = {"const", "noexcept", "override", "final"};
constexpr std::array<std::string_view, 9> kNotTypes = {"return", "else",  "case", "goto",    "new",
                                                       "delete", "throw", "do",   "operator"};
constexpr std::array<std::string_view, 7> kNotFunctions = {"if",     "while",  "for",  "switch",
                                                           "return", "sizeof", "catch"};

bool looks_like_macro(std::string_view word) {
  return word.size() >= 3 &&
         std::ranges::none_of(word, [](char c) { return c >= 'a' && c <= 'z'; }) &&
         std::ranges::any_of(word, [](char c) { return c >= 'A' && c <= 'Z'; });
}

constexpr size_t kLongestHead = 200;  // of a class, in tokens

// For each token, the class whose body directly contains it; empty: none.
std::vector<std::string_view> classes_of(std::string_view text, const std::vector<Token>& tokens) {
  std::vector<std::string_view> result(tokens.size()), open;
  std::string_view name;  // of the class whose body begins at `body`
  size_t body = 0;
  for (size_t i = 1; i < tokens.size(); ++i) {
    if (!open.empty()) result[i] = open.back();
    const Token& token = tokens[i];
    if (token.kind == Token::word) {
      const std::string_view keyword = text.substr(token.begin, token.end - token.begin);
      if (keyword != "class" && keyword != "struct" && keyword != "union") continue;
      // Its name is the last word before the bases, the template's arguments, or the body.
      std::string_view last;
      bool is_named = false;
      const size_t end = std::min(tokens.size(), i + kLongestHead);
      for (size_t at = i + 1; at < end; ++at) {
        const Token& next = tokens[at];
        if (next.kind == Token::word && !is_named) {
          const std::string_view word = text.substr(next.begin, next.end - next.begin);
          if (word != "final" && (last.empty() || !looks_like_macro(word))) last = word;
        }
        if (next.kind != Token::mark) continue;
        if (next.first == '{') name = last, body = at;
        if (std::string_view("{;)=").contains(next.first)) break;
        if (next.first == '(' && (at = next.partner) == 0) break;
        if (next.first == ':' || next.first == '<') is_named = true;
      }
    } else if (token.kind == Token::mark && token.first == '{') {
      open.push_back(i == body ? name : std::string_view());
    } else if (token.kind == Token::mark && token.first == '}' && !open.empty()) {
      open.pop_back();
    }
  }
  return result;
}

// True if these tokens are complete declarations or statements.
bool is_self_contained(const std::vector<Token>& tokens, size_t begin, size_t end) {
  int depth = 0;
  for (size_t i = begin; i < end; ++i) {
    if (tokens[i].kind != Token::mark) continue;
    if (tokens[i].first == '{' || tokens[i].first == '(') ++depth;
    if ((tokens[i].first == '}' || tokens[i].first == ')') && --depth < 0) return false;
  }
  if (depth != 0) return false;
  return begin == end || (tokens[end - 1].kind == Token::mark &&
                          (tokens[end - 1].first == ';' || tokens[end - 1].first == '}'));
}

void blank_conditionals(const std::vector<Token>& tokens, const std::vector<Directive>& directives,
                        std::vector<Blank>& blanks) {
  std::vector<std::vector<const Directive*>> open;
  for (const Directive& directive : directives) {
    blanks.push_back({directive.begin, directive.end, false});
    if (directive.kind == Directive::opens || directive.kind == Directive::opens_false) {
      open.push_back({&directive});
      continue;
    }
    if (open.empty()) continue;
    open.back().push_back(&directive);
    if (directive.kind != Directive::closes) continue;
    const std::vector<const Directive*> group = std::move(open.back());
    open.pop_back();
    bool all = true;  // keep all branches
    for (size_t i = 0; group.size() > 2 && i + 1 < group.size(); ++i)
      all = all && is_self_contained(tokens, group[i]->token, group[i + 1]->token);
    bool first_is_false = group[0]->kind == Directive::opens_false;
    for (size_t i = 0; i + 1 < group.size(); ++i) {
      bool keep = i == 0 ? !first_is_false : all || (first_is_false && i == 1);
      if (!keep) blanks.push_back({group[i]->end, group[i + 1]->begin, false});
    }
  }
}

// In order, and what overlaps made one.
std::vector<Blank> merged(std::vector<Blank> blanks) {
  std::ranges::sort(blanks, [](const Blank& a, const Blank& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  std::vector<Blank> result;
  for (const Blank& blank : blanks) {
    if (!result.empty() && blank.begin < result.back().end)
      result.back().end = std::max(result.back().end, blank.end);
    else
      result.push_back(blank);
  }
  return result;
}

}  // namespace

std::vector<Blank> blanks_for_parsing(std::string_view text) {
  std::vector<Directive> directives;
  std::vector<Blank> blanks;
  const std::vector<Token> tokens = tokens_of(text, directives, blanks);
  const Token end_of_text{Token::mark, 0, true, true, text.size(), text.size(), 0};
  auto token = [&](size_t i) -> const Token& {
    return i < tokens.size() ? tokens[i] : end_of_text;
  };
  auto word = [&](size_t i) {
    const Token& t = token(i);
    return t.kind == Token::word ? text.substr(t.begin, t.end - t.begin) : std::string_view();
  };
  auto is = [&](size_t i, std::string_view marks) {
    return token(i).kind == Token::mark && token(i).first != 0 &&
           marks.find(token(i).first) != marks.npos;
  };

  auto is_indented = [&](size_t i) {
    size_t at = token(i).begin;
    return at > 0 && text[at - 1] != '\n' && text[at - 1] != '\r';
  };

  // Nothing but words, `*`, `&`, `<`, `>` and `::`.
  auto names_a_type = [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      if (word(i).empty() && !is(i, "*&<>:")) return false;
    return true;
  };
  const std::vector<std::string_view> classes = classes_of(text, tokens);

  blank_conditionals(tokens, directives, blanks);
  bool before_was_stray = false, before_was_trailing = false;
  size_t declared = 0;  // a name after a wrapped type: not a macro, although it may look like one
  for (size_t i = 1; i < tokens.size(); ++i) {
    std::string_view name = word(i);
    // The C library's headers write `__THROW __nonnull ((1))` after declarations.
    bool reserved = name.starts_with("__") && (is(i - 1, ")") || before_was_trailing);
    bool wraps = name == "OF" || name == "P" || name == "__P";  // of prototypes before ANSI C
    bool arguments = is(i + 1, "(") && token(i + 1).partner != 0;
    // `weak_alias (a, b)` on lines of its own, without a semicolon.
    bool line_of_its_own = arguments && token(i).after_break && name.contains('_') &&
                           (is(i - 1, ";}") || token(i).after_directive || before_was_stray) &&
                           token(token(i + 1).partner + 1).after_break &&
                           !word(token(i + 1).partner + 1).empty() && !is_indented(i);
    if (i == declared || (!looks_like_macro(name) && !reserved && !wraps && !line_of_its_own)) {
      before_was_stray = before_was_trailing = false;
      continue;
    }
    size_t last = arguments ? token(i + 1).partner : i;
    size_t next = last + 1;
    const Token& behind = token(next);
    bool own_line = token(i).after_break && behind.after_break;
    // A declaration begins here: after a statement, a directive, a template's head, or `public:`.
    bool begins = is(i - 1, ";{}") || token(i).after_directive || before_was_stray ||
                  (token(i).after_break && is(i - 1, ":")) || is(i - 1, ">");
    bool specifies = one_of(word(i - 1), kClassWords) || one_of(word(i - 1), kSpecifiers);

    // The macro's argument belongs to the declaration and is kept.
    //   `EXPORT(int) name(…);` `int EXPORT(name) (…);` `int name OF((…));`
    size_t pointed = next;
    while (is(pointed, "*&")) ++pointed;
    bool is_type =
        arguments && !word(pointed).empty() && !word(i + 2).empty() && names_a_type(i + 2, last) &&
        (pointed > next || !own_line) &&
        (is(pointed + 1, "(") ? begins || specifies : pointed > next && is(pointed + 1, ",)"));
    bool is_name = arguments && last == i + 3 && !word(i + 2).empty() && is(next, "(") &&
                   !word(i - 1).empty() && !one_of(word(i - 1), kNotTypes);
    bool is_parameters = arguments && is(i + 2, "(") && token(i + 2).partner == last - 1 &&
                         !word(i - 1).empty() && is(next, ";") &&
                         (is(i - 2, "*") || !word(i - 2).empty());
    if (is_type || is_name || is_parameters) {
      blanks.push_back({token(i).begin, token(i + 1).end, is_type});
      blanks.push_back({token(last).begin, token(last).end, false});
      before_was_stray = before_was_trailing = false;
      if (is_type) declared = pointed;
      if (is_parameters) i = last;
      continue;
    }

    bool stray = line_of_its_own, trailing = false;
    if (begins || specifies) {
      bool declares = behind.kind == Token::word || is(next, "[~");
      bool type_follows = !word(next + 1).empty() || is(next + 1, "*&<:{") ||
                          (word(next) == classes[i] && is(next + 1, "("));  // a constructor
      if (declares)
        stray = arguments || behind.after_break || type_follows;
      else if (own_line && !is(i - 1, "{"))
        stray = is(next, "}") || behind.first == 0;
      if (behind.after_directive && own_line && begins) stray = true;
    }
    if (!stray && (is(i - 1, ")") || one_of(word(i - 1), kTrailing) || before_was_stray)) {
      std::string_view called =
          is(i - 1, ")") && token(i - 1).partner > 0 ? word(token(i - 1).partner - 1) : name;
      size_t open = is(i - 1, ")") ? token(i - 1).partner : 0;
      bool is_operator = open > 2 && (word(open - 2) == "operator" || word(open - 3) == "operator");
      bool function = is_operator || (!called.empty() && !one_of(called, kNotFunctions));
      stray = trailing = function && (is(next, "{;:=-") || one_of(word(next), kTrailing) ||
                                      looks_like_macro(word(next)) || word(next).starts_with("__"));
    }
    // A calling convention: `int WINAPI main(`.
    if (!stray && (!word(i - 1).empty() || is(i - 1, "*")) && !arguments &&
        !one_of(word(i - 1), kNotTypes))
      stray = !word(next).empty() && is(next + 1, "(");
    // `class Name FINAL : public Base`, where `class EXPORT Name …` is possible, too.
    bool behind_class =
        one_of(word(i - 2), kClassWords) ||
        (looks_like_macro(word(i - 2)) && i > 2 && one_of(word(i - 3), kClassWords));
    if (!stray && (word(i - 2) == "namespace" || behind_class))
      stray = is(next, "{") || (is(next, ":") && word(i - 2) != "namespace");

    before_was_stray = stray, before_was_trailing = trailing;
    if (!stray && arguments && is(i - 1, ",") &&
        is(next, ">")) {  // template <class T, ENABLE_IF(…)>
      blanks.push_back({token(i - 1).begin, token(last).end, false});
      i = last;
    }
    if (!stray) continue;
    // In lower case it belongs to the line above: `hidden_def (f)`.
    const bool is_head = !line_of_its_own || looks_like_macro(name);
    blanks.push_back({token(i).begin, token(last).end, is_head});
    i = last;
  }
  return merged(std::move(blanks));
}

}  // namespace bodkin
