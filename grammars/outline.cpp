// A query finds declarations by their shape; whatever queries cannot express is done here.
//
// The same declaration is often matched twice, plain and wrapped (of equal ones, the pattern that
// comes first in the query counts):
//
//     @cache               decorated_definition ─┐  both match with the same
//     def load(path): …      function_definition ┘  @name: the outer one is meant
//
// Text of another language inside (@injection: a script in HTML, a fence in Markdown) is parsed and
// outlined by itself, and its symbols moved to where it is.
#include "grammars/outline.h"

#include <tree_sitter/api.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <unordered_map>

#include "grammars/declarator.h"
#include "grammars/heads.h"
#include "grammars/node.h"
#include "grammars/query.h"

namespace bodkin {
namespace {

constexpr size_t kMaxSymbols = 100'000;
constexpr size_t kMaxInjections = 200;
constexpr auto kMaxTime = std::chrono::seconds(1);  // of the thread's processor time

constexpr std::array<std::string_view, 15> kKindNames = {
    "function", "method", "macro",   "class",  "struct", "union",    "enum",    "interface",
    "trait",    "impl",   "section", "module", "type",   "variable", "constant"};

// The meaning of a capture in symbols.scm.
struct Role {
  enum { symbol, name, declarator, body, import, attribute, comment, language, injection, none };
  decltype(symbol) what = none;
  SymbolKind kind = SymbolKind::function;
  const Language* injected = nullptr;  // of @injection.<id>
};

// Decides: what a capture of a query (symbols.scm) means.
Role role_of(std::string_view capture) {
  auto kind = std::ranges::find(kKindNames, capture);
  if (kind != kKindNames.end())
    return {Role::symbol, static_cast<SymbolKind>(kind - kKindNames.begin())};
  if (capture == "name") return {Role::name};
  if (capture == "declarator") return {Role::declarator};
  if (capture == "body") return {Role::body};
  if (capture == "import") return {Role::import};
  if (capture == "attribute") return {Role::attribute};
  if (capture == "comment") return {Role::comment};
  if (capture == "language") return {Role::language};
  if (capture.starts_with("injection"))
    return {Role::injection,
            {},
            language_with_id(capture.substr(std::min<size_t>(10, capture.size())))};
  return {};
}

void set_parents(std::vector<Symbol>& symbols) {
  std::vector<size_t> open;
  for (size_t i = 0; i < symbols.size(); ++i) {
    while (!open.empty() && symbols[open.back()].end < symbols[i].end) open.pop_back();
    symbols[i].parent.reset();
    if (!open.empty()) {
      symbols[i].parent = open.back();
      SymbolKind around = symbols[open.back()].kind;
      if (symbols[i].kind == SymbolKind::function && is_class(around) &&
          around != SymbolKind::section)
        symbols[i].kind = SymbolKind::method;
    }
    open.push_back(i);
  }
}

struct Injection {
  size_t begin = 0, end = 0;  // bytes
  const Language* language = nullptr;
};

struct Found {
  std::vector<Symbol> symbols;  // begin, end, body_begin as the grammar says
  std::vector<Span> spans;      // attributes and comments
  std::vector<Span> imports;
  std::vector<Injection> injections;
};

// Takes the matches of the query; of several with the same name, the widest symbol.
Found find_symbols(const SyntaxTree& tree, std::string_view text, const Budget& budget) {
  const Query& query = query_of(tree.language());
  std::vector<Role> roles;
  for (const std::string& capture : query.captures) roles.push_back(role_of(capture));

  Found found;
  std::unordered_map<size_t, size_t> by_name;  // name_begin -> index in found.symbols
  std::vector<uint16_t> patterns;              // of the query, by symbol
  auto take = [&](const TSQueryMatch& match) {
    Symbol symbol;
    Injection injection;
    TSNode name{};
    bool is_symbol = false;
    symbol.body_begin = SIZE_MAX;
    for (uint16_t i = 0; i < match.capture_count; ++i) {
      TSNode node = match.captures[i].node;
      size_t begin = ts_node_start_byte(node), end = ts_node_end_byte(node);
      const Role& role = roles[match.captures[i].index];
      switch (role.what) {
        case Role::symbol:
          is_symbol = true;
          symbol.kind = role.kind;
          symbol.begin = begin;
          symbol.end = end;
          break;
        case Role::name:
          name = node;
          break;
        case Role::declarator:
          name = declared_name(node);
          break;
        case Role::body:
          symbol.body_begin = std::min(symbol.body_begin, begin);
          break;
        case Role::import:
          found.imports.push_back({begin, end, false});
          break;
        case Role::attribute:
        case Role::comment:
          found.spans.push_back({begin, end, role.what == Role::comment});
          break;
        case Role::language:
          injection.language = language_with_id(text.substr(begin, end - begin));
          break;
        case Role::injection:
          injection.begin = begin;
          injection.end = end;
          if (role.injected) injection.language = role.injected;
          break;
        case Role::none:
          break;
      }
    }
    bool is_other = injection.language && injection.language != &tree.language();
    if (is_other && injection.end > injection.begin && found.injections.size() < kMaxInjections)
      found.injections.push_back(injection);
    if (!is_symbol || ts_node_is_null(name)) return true;
    symbol.name_begin = ts_node_start_byte(name);
    symbol.name = collapsed(text.substr(
        symbol.name_begin, std::min<size_t>(ts_node_end_byte(name) - symbol.name_begin, 200)));
    if (std::string_view(ts_node_type(name)) == "operator_cast")  // "operator bool() const"
      symbol.name.resize(std::min(symbol.name.size(), symbol.name.find('(')));
    auto [known, is_new] = by_name.try_emplace(symbol.name_begin, found.symbols.size());
    if (is_new) {
      found.symbols.push_back(std::move(symbol));
      patterns.push_back(match.pattern_index);
      return found.symbols.size() < kMaxSymbols;
    }
    Symbol& other = found.symbols[known->second];
    symbol.body_begin = std::min(symbol.body_begin, other.body_begin);
    size_t size = symbol.end - symbol.begin, other_size = other.end - other.begin;
    uint16_t& pattern = patterns[known->second];
    if (size > other_size || (size == other_size && match.pattern_index < pattern)) {
      other = std::move(symbol);
      pattern = match.pattern_index;
    } else {
      other.body_begin = symbol.body_begin;
    }
    return true;
  };
  for_each_match(query, tree, text, budget, take);
  return found;
}

Outline outline_within(const SyntaxTree& tree, const Budget& budget);

void outline_injection(const Text& text, const Injection& injection, const Budget& budget,
                       Outline& result) {
  if (budget.is_spent()) return;
  Text part(text.substr(injection.begin, injection.end - injection.begin));
  auto tree = SyntaxTree::parse(*injection.language, part, {budget.time_left(), {}});
  if (!tree) return;
  size_t line = text.line_of(injection.begin);
  Outline inner = outline_within(*tree, budget);
  for (Symbol& symbol : inner.symbols) {
    for (size_t* byte : {&symbol.begin, &symbol.end, &symbol.name_begin, &symbol.body_begin})
      *byte += injection.begin;
    for (size_t* at : {&symbol.lines.begin, &symbol.lines.end, &symbol.comment_line}) *at += line;
    result.symbols.push_back(std::move(symbol));
  }
  for (LineRange import : inner.imports)
    result.imports.push_back({import.begin + line, import.end + line});
}

// Declarations inside a function of C, C++ or Go, which have no nested functions, belong to the
// function: a model that changes one needs the other. (Many are not even declarations, but a
// variable that looks like one, `std::string name(text);`, or a macro, `FOR_EACH(item) {`.)
// Anything indented no further than the function is not part of it: a conditional or macro hid its
// end.
void drop_locals(const Text& text, std::vector<Symbol>& symbols) {
  const auto column = [&](const Symbol& s) {
    const size_t line = text.line_begin(s.lines.begin);
    size_t column = 0;
    for (const char c : text.substr(line, s.begin - line))
      column = c == '\t' ? column / 8 * 8 + 8 : column + 1;
    return column;
  };
  std::vector<bool> is_local(symbols.size());
  for (size_t i = 0; i < symbols.size(); ++i) {
    if (!symbols[i].parent) continue;
    const Symbol& around = symbols[*symbols[i].parent];
    const bool in_function = is_function(around.kind) && around.kind != SymbolKind::macro;
    is_local[i] =
        is_local[*symbols[i].parent] || (in_function && (column(symbols[i]) > column(around) ||
                                                         symbols[i].body_begin == symbols[i].end));
  }
  size_t i = 0;
  if (std::erase_if(symbols, [&](const Symbol&) { return is_local[i++]; }) > 0)
    set_parents(symbols);
}

// Haskell's function is its signature and all its equations.
void join_equations(std::vector<Symbol>& symbols) {
  std::vector<Symbol> joined;
  for (Symbol& symbol : symbols) {
    auto before = std::ranges::find_if(joined.rbegin(), joined.rend(), [&](const Symbol& s) {
      return s.end <= symbol.begin;  // the sibling before, after what is inside of it
    });
    if (before != joined.rend() && is_function(symbol.kind) && before->kind == symbol.kind &&
        before->name == symbol.name && before->lines.end + 2 > symbol.comment_line) {
      before->end = symbol.end;
      before->lines.end = symbol.lines.end;
    } else {
      joined.push_back(std::move(symbol));
    }
  }
  symbols = std::move(joined);
  set_parents(symbols);
}

Outline outline_within(const SyntaxTree& tree, const Budget& budget) {
  const Text& lines = tree.text();
  const std::string text = lines.str();
  Found found = find_symbols(tree, text, budget);
  Outline result;
  for (const Span& import : found.imports)
    result.imports.push_back(
        {lines.line_of(import.begin),
         lines.line_of(import.end > import.begin ? import.end - 1 : import.end) + 1});
  for (const Blank& blank : tree.blanks())
    if (blank.is_macro) found.spans.push_back({blank.begin, blank.end, false, true});
  std::ranges::sort(found.spans, {}, &Span::end);
  std::vector<Span> comments;
  std::ranges::copy_if(found.spans, std::back_inserter(comments), &Span::is_comment);
  for (Symbol& symbol : found.symbols) {
    Head head = head_of(text, found.spans, symbol.begin);
    symbol.begin = head.begin;
    symbol.end = end_without_comments(text, comments, symbol.begin, symbol.end);
    symbol.body_begin = std::min(symbol.body_begin, symbol.end);
    symbol.lines = {lines.line_of(symbol.begin), lines.line_of(symbol.end - 1) + 1};
    symbol.comment_line = lines.line_of(head.comment_begin);
  }
  result.symbols = std::move(found.symbols);
  for (const Injection& injection : found.injections)
    outline_injection(lines, injection, budget, result);
  std::ranges::sort(result.symbols, [](const Symbol& a, const Symbol& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  std::ranges::sort(result.imports, {}, &LineRange::begin);
  set_parents(result.symbols);
  const std::string_view id = tree.language().id;
  if (id == "c" || id == "cpp" || id == "go") drop_locals(lines, result.symbols);
  if (id == "haskell") join_equations(result.symbols);
  return result;
}

}  // namespace

std::string_view name_of(SymbolKind kind) { return kKindNames[static_cast<size_t>(kind)]; }

bool is_function(SymbolKind kind) { return kind <= SymbolKind::macro; }

bool is_class(SymbolKind kind) { return kind > SymbolKind::macro && kind < SymbolKind::module; }

bool is_declaration(SymbolKind kind) {
  return is_function(kind) || (is_class(kind) && kind != SymbolKind::section) ||
         kind == SymbolKind::type;
}

std::string outline_query_error(const Language& language) { return query_of(language).error; }

Outline outline(const SyntaxTree& tree) {
  const size_t size = tree.text().size();
  const auto time = std::min(Budget::time_for(size) / 2, std::chrono::microseconds(kMaxTime));
  return outline_within(tree, Budget(time, Budget::memory_for(size)));
}

const Symbol* enclosing(const Outline& outline, LineRange lines) {
  lines.end = std::max(lines.end, lines.begin + 1);
  const Symbol* innermost = nullptr;
  const Symbol* below = nullptr;  // whose comment holds the lines
  auto size_of = [](const Symbol& s) { return s.lines.end - s.lines.begin; };
  auto wanted = [](const Symbol& s) { return is_function(s.kind) || is_class(s.kind); };
  for (const Symbol& symbol : outline.symbols) {
    if (symbol.comment_line > lines.begin) {
      if (symbol.lines.begin > lines.begin) break;
      continue;
    }
    if (symbol.lines.end < lines.end || !wanted(symbol)) continue;
    if (symbol.lines.begin > lines.begin) {
      if (!below) below = &symbol;
    } else if (!innermost || size_of(symbol) < size_of(*innermost) ||
               (size_of(symbol) == size_of(*innermost) && is_function(symbol.kind) &&
                !is_function(innermost->kind))) {
      innermost = &symbol;
    }
  }
  if (below && (!innermost || !is_function(innermost->kind))) return below;
  return innermost;
}

}  // namespace bodkin
