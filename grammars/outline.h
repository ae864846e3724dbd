// The declarations of a file: functions, classes and everything else with a name and a body.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edits/text/text.h"
#include "grammars/syntax_tree.h"

namespace bodkin {

// The names are those of the captures in queries/<language>/symbols.scm.
enum class SymbolKind {
  function,
  method,
  macro,
  class_,
  struct_,
  union_,
  enum_,
  interface,
  trait,
  impl,
  section,  // of text or data: a heading's section, an element, a table, a rule
  module,
  type,
  variable,
  constant,
};
std::string_view name_of(SymbolKind kind);  // "class", for people and JSON
bool is_function(SymbolKind kind);          // function, method, macro
bool is_class(SymbolKind kind);  // class, struct, union, enum, interface, trait, impl, section
bool is_declaration(SymbolKind kind);  // one of these but a section, or a type

struct Symbol {
  std::string name;  // as written, whitespace collapsed: "Widget::resize", "operator =="
  SymbolKind kind = SymbolKind::function;
  LineRange lines;               // the declaration with its decorators and attributes, whole lines
  size_t comment_line = 0;       // where the comment directly above begins; else lines.begin
  size_t begin = 0, end = 0;     // bytes of the declaration with its decorators and attributes
  size_t name_begin = 0;         // byte
  size_t body_begin = 0;         // byte where the body begins; `end` without one
  std::optional<size_t> parent;  // the innermost symbol around it, an index of Outline::symbols
};

struct Outline {
  std::vector<Symbol> symbols;     // by `begin`, the outer before the inner
  std::vector<LineRange> imports;  // whole lines, in order
};

// Empty if the tree's language has no query. Bounded: stops after half of what a parse may take
// (budget.h), at most a second, or 100,000 symbols.
Outline outline(const SyntaxTree& tree);

// Empty, or what is wrong with the language's queries and where. For the tests.
std::string outline_query_error(const Language& language);

// The innermost function or class that holds all of `lines` (an empty range: the line that it
// begins with), or null. A comment directly above a declaration and outside of any function belongs
// to the declaration. Costs microseconds. The result lives as long as the outline.
const Symbol* enclosing(const Outline& outline, LineRange lines);

}  // namespace bodkin
