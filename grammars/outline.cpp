// A query finds declarations by their shape; three things that queries cannot say are done here.
//
// The same declaration is often matched twice, plain and wrapped (of equal ones, the pattern that
// comes first in the query counts):
//
//     @cache               decorated_definition ─┐  both match with the same
//     def load(path): …      function_definition ┘  @name: the outer one is meant
//
// C hides the name inside a declarator of any depth, `int *(*f(void))[3]`: see declared_name.
//
// Attributes, decorators and comments that are not part of the declaration's node belong to it when
// nothing but white space lies between; for a comment, no blank line either.
#include "grammars/outline.h"

#include <fmt/core.h>
#include <tree_sitter/api.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace bodkin {
namespace {

constexpr std::array<std::string_view, 14> kKindNames = {
    "function",  "method", "macro", "class",  "struct", "union",    "enum",
    "interface", "trait",  "impl",  "module", "type",   "variable", "constant"};

struct QueryDelete {
  void operator()(TSQuery* query) const { ts_query_delete(query); }
};
struct CursorDelete {
  void operator()(TSQueryCursor* cursor) const { ts_query_cursor_delete(cursor); }
};

// What a capture of symbols.scm means.
struct Role {
  enum { symbol, name, declarator, body, import, attribute, comment, none } what = none;
  SymbolKind kind = SymbolKind::function;
};

struct SymbolsQuery {
  std::unique_ptr<TSQuery, QueryDelete> query;
  std::vector<Role> roles;  // by capture
  std::string error;
};

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
  return {};
}

// Compiled at first use and kept: compiling the query of C++ takes milliseconds.
const SymbolsQuery& symbols_query(const Language& language) {
  static std::mutex mutex;
  static std::map<const Language*, SymbolsQuery> compiled;
  std::lock_guard lock(mutex);
  auto [found, is_new] = compiled.try_emplace(&language);
  SymbolsQuery& result = found->second;
  if (!is_new) return result;
  uint32_t where = 0;
  TSQueryError error = TSQueryErrorNone;
  result.query.reset(ts_query_new(language.grammar(), language.symbols.data(),
                                  static_cast<uint32_t>(language.symbols.size()), &where, &error));
  if (!result.query) {
    result.error = fmt::format("queries/{}/symbols.scm: error {} near \"{}\"", language.id,
                               static_cast<int>(error), language.symbols.substr(where, 40));
    return result;
  }
  for (uint32_t i = 0; i < ts_query_capture_count(result.query.get()); ++i) {
    uint32_t length = 0;
    const char* name = ts_query_capture_name_for_id(result.query.get(), i, &length);
    result.roles.push_back(role_of({name, length}));
  }
  return result;
}

TSNode field(TSNode node, std::string_view name) {
  return ts_node_child_by_field_name(node, name.data(), static_cast<uint32_t>(name.size()));
}

// The name that a C or C++ declarator declares, or a null node if it declares no function. The
// innermost function declarator whose own declarator is a plain name is the function; a pointer
// in parentheses, `int (*f)(int)`, is a variable.
TSNode declared_name(TSNode declarator) {
  bool is_function = false;
  for (int depth = 0; depth < 32 && !ts_node_is_null(declarator); ++depth) {
    std::string_view type = ts_node_type(declarator);
    if (type == "function_declarator") {
      is_function = true;
    } else if (type == "pointer_declarator" || type == "array_declarator") {
      is_function = false;  // unless a further function declarator is inside
    } else if (type == "operator_cast") {
      return declarator;
    } else if (!type.ends_with("_declarator")) {
      return is_function ? declarator : TSNode{};
    }
    TSNode inner = field(declarator, "declarator");
    if (ts_node_is_null(inner)) {  // references, attributes and parentheses have no field for it
      uint32_t count = ts_node_named_child_count(declarator);
      for (uint32_t i = 0; i < count && ts_node_is_null(inner); ++i) {
        TSNode child = ts_node_named_child(declarator, i);
        std::string_view kind = ts_node_type(child);
        if (kind.ends_with("_declarator") || kind.ends_with("identifier") ||
            kind == "operator_name" || kind == "destructor_name" || kind == "operator_cast")
          inner = child;
      }
    }
    declarator = inner;
  }
  return {};
}

std::string collapsed(std::string_view text) {
  std::string result;
  for (char c : text.substr(0, 200)) {
    bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!space)
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  return result;
}

struct Span {
  size_t begin = 0, end = 0;
  bool is_comment = false;
};

// `spans` end before `begin` in the order of the text. Moves `begin` up over attributes, and finds
// where the comment directly above begins.
struct Head {
  size_t begin, comment_begin;
};
Head head_of(std::string_view text, const std::vector<Span>& spans, size_t begin) {
  Head head{begin, begin};
  auto next = std::ranges::lower_bound(spans, begin + 1, {}, &Span::end);
  size_t at = begin;
  while (next != spans.begin()) {
    const Span& span = *--next;
    std::string_view between = text.substr(span.end, at - span.end);
    if (between.find_first_not_of(" \t\r\n") != between.npos) break;
    if (span.is_comment) {
      // Rust's line comments hold their line end.
      auto breaks =
          std::ranges::count(between, '\n') + (span.end > span.begin && text[span.end - 1] == '\n');
      size_t line = span.begin;
      while (line > 0 && (text[line - 1] == ' ' || text[line - 1] == '\t')) --line;
      bool own_line = line == 0 || text[line - 1] == '\n' || text[line - 1] == '\r';
      if (breaks > 1 || !own_line) break;
    } else {
      head.begin = span.begin;
    }
    at = head.comment_begin = span.begin;
  }
  return head;
}

// Python's blocks take in the comments that follow them; the declaration ends with its last
// statement.
size_t end_without_comments(std::string_view text, const std::vector<Span>& comments, size_t begin,
                            size_t end) {
  auto last = std::ranges::lower_bound(comments, end + 1, {}, &Span::end);
  while (last != comments.begin()) {
    const Span& span = *--last;
    if (span.begin <= begin || text.substr(span.end, end - span.end).find_first_not_of(" \t\r\n") !=
                                   std::string_view::npos)
      break;
    end = span.begin;
  }
  while (end > begin && std::strchr(" \t\r\n", text[end - 1])) --end;
  return end;
}

void set_parents(std::vector<Symbol>& symbols) {
  std::vector<size_t> open;
  for (size_t i = 0; i < symbols.size(); ++i) {
    while (!open.empty() && symbols[open.back()].end < symbols[i].end) open.pop_back();
    symbols[i].parent.reset();
    if (!open.empty()) {
      symbols[i].parent = open.back();
      if (symbols[i].kind == SymbolKind::function && is_class(symbols[open.back()].kind))
        symbols[i].kind = SymbolKind::method;
    }
    open.push_back(i);
  }
}

}  // namespace

std::string_view name_of(SymbolKind kind) { return kKindNames[static_cast<size_t>(kind)]; }

bool is_function(SymbolKind kind) { return kind <= SymbolKind::macro; }

bool is_class(SymbolKind kind) { return kind > SymbolKind::macro && kind < SymbolKind::module; }

std::string outline_query_error(const Language& language) { return symbols_query(language).error; }

Outline outline(const SyntaxTree& tree) {
  constexpr size_t kMostSymbols = 100'000;
  Outline result;
  const SymbolsQuery& symbols = symbols_query(tree.language());
  if (!symbols.query) return result;
  const Text& lines = tree.text();
  const std::string text = lines.str();

  auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  TSQueryCursorOptions options{&deadline, [](TSQueryCursorState* state) {
                                 auto end = static_cast<decltype(deadline)*>(state->payload);
                                 return std::chrono::steady_clock::now() > *end;
                               }};
  std::unique_ptr<TSQueryCursor, CursorDelete> cursor(ts_query_cursor_new());
  ts_query_cursor_exec_with_options(cursor.get(), symbols.query.get(),
                                    ts_tree_root_node(tree.tree()), &options);

  std::vector<Span> spans;                     // attributes and comments, by position
  std::unordered_map<size_t, size_t> by_name;  // name_begin -> index in result.symbols
  std::vector<uint16_t> patterns;              // of the query, by symbol
  TSQueryMatch match;
  while (result.symbols.size() < kMostSymbols && ts_query_cursor_next_match(cursor.get(), &match)) {
    Symbol symbol;
    TSNode name{};
    bool is_symbol = false;
    symbol.body_begin = SIZE_MAX;
    for (uint16_t i = 0; i < match.capture_count; ++i) {
      TSNode node = match.captures[i].node;
      size_t begin = ts_node_start_byte(node), end = ts_node_end_byte(node);
      const Role& role = symbols.roles[match.captures[i].index];
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
          symbol.body_begin = begin;
          break;
        case Role::import:
          result.imports.push_back(
              {lines.line_of(begin), lines.line_of(end > begin ? end - 1 : end) + 1});
          break;
        case Role::attribute:
          spans.push_back({begin, end, false});
          break;
        case Role::comment:
          spans.push_back({begin, end, true});
          break;
        case Role::none:
          break;
      }
    }
    if (!is_symbol || ts_node_is_null(name)) continue;
    symbol.name_begin = ts_node_start_byte(name);
    symbol.name = collapsed(std::string_view(text).substr(
        symbol.name_begin, ts_node_end_byte(name) - symbol.name_begin));
    if (std::string_view(ts_node_type(name)) == "operator_cast")  // "operator bool() const"
      symbol.name.resize(std::min(symbol.name.size(), symbol.name.find('(')));
    auto [known, is_new] = by_name.try_emplace(symbol.name_begin, result.symbols.size());
    if (is_new) {
      result.symbols.push_back(std::move(symbol));
      patterns.push_back(match.pattern_index);
      continue;
    }
    Symbol& other = result.symbols[known->second];
    symbol.body_begin = std::min(symbol.body_begin, other.body_begin);
    size_t size = symbol.end - symbol.begin, other_size = other.end - other.begin;
    uint16_t& pattern = patterns[known->second];
    if (size > other_size || (size == other_size && match.pattern_index < pattern)) {
      other = std::move(symbol);
      pattern = match.pattern_index;
    } else {
      other.body_begin = symbol.body_begin;
    }
  }

  for (const Blank& blank : tree.blanks())
    if (blank.is_macro) spans.push_back({blank.begin, blank.end, false});
  std::ranges::sort(spans, {}, &Span::end);
  std::vector<Span> comments;
  std::ranges::copy_if(spans, std::back_inserter(comments), &Span::is_comment);
  for (Symbol& symbol : result.symbols) {
    Head head = head_of(text, spans, symbol.begin);
    symbol.begin = head.begin;
    symbol.end = end_without_comments(text, comments, symbol.begin, symbol.end);
    symbol.body_begin = std::min(symbol.body_begin, symbol.end);
    symbol.lines = {lines.line_of(symbol.begin), lines.line_of(symbol.end - 1) + 1};
    symbol.comment_line = lines.line_of(head.comment_begin);
  }
  std::ranges::sort(result.symbols, [](const Symbol& a, const Symbol& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  std::ranges::sort(result.imports, {}, &LineRange::begin);
  set_parents(result.symbols);
  // C has no functions in functions, but variables in the dress of one, `std::string name(text);`,
  // and macros, `FOR_EACH(item) {`.
  bool is_c = tree.language().id == "c" || tree.language().id == "cpp";
  auto is_local = [&](const Symbol& s) {
    bool is_macro = s.name_begin == s.begin &&
                    std::ranges::none_of(s.name, [](char c) { return c >= 'a' && c <= 'z'; });
    return is_c && is_function(s.kind) && (s.body_begin == s.end || is_macro) && s.parent &&
           is_function(result.symbols[*s.parent].kind);
  };
  if (std::erase_if(result.symbols, is_local) > 0) set_parents(result.symbols);
  return result;
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
