// What an occurrence of a name is by its syntax: for grammars/same_name.h only.
#pragma once

#include <tree_sitter/api.h>

#include <initializer_list>
#include <span>
#include <string_view>

#include "edits/text/line_keys.h"
#include "grammars/node.h"
#include "grammars/syntax_tree.h"

namespace bodkin {

enum class NameRole {
  use,      // of a variable, a constant, a parameter, a function or a type
  binding,  // declares one
  another,  // certainly something else: a member, a key, a keyword, a label
  unknown,
};

struct Occurrence {
  TSNode node{};
  std::string_view field;  // in its parent; may be empty
  NameRole role = NameRole::unknown;
  TSNode scope{};       // of a binding: the node in which it is known,
  uint32_t effect = 0;  // from this byte on
};

// Fills in the role and scope of an occurrence, by its node and field.
using SetRole = void (*)(const Text& text, Occurrence& name);
// Null: the language is not known so exactly.
SetRole role_setter(const Language& language);

// The next node around this one of such a type; null if there is none.
TSNode around(TSNode node, std::span<const std::string_view> types);
inline TSNode around(TSNode node, std::initializer_list<std::string_view> types) {
  return around(node, std::span(types.begin(), types.size()));
}

// The name of a child's field in its parent; empty if it has none.
std::string_view field_of(TSNode parent, TSNode child);

// A part of a declaration, with the place that it has there.
struct Part {
  TSNode node{}, parent{};
  std::string_view type, field;  // of the parent, and in it
};
Part part(TSNode node);

// Whether a name directly in such a node is a use of it, in the expressions of most languages.
bool is_in_expression(const Part& own);

// Each language's.
void set_python_role(const Text& text, Occurrence& name);
void set_script_role(const Text& text, Occurrence& name);  // JavaScript and TypeScript
void set_c_role(const Text& text, Occurrence& name);       // C and C++
void set_go_role(const Text& text, Occurrence& name);
void set_rust_role(const Text& text, Occurrence& name);

inline void bind(Occurrence& name, TSNode scope, uint32_t effect = 0) {
  name.role = ts_node_is_null(scope) ? NameRole::unknown : NameRole::binding;
  name.scope = scope;
  name.effect = effect;
}

}  // namespace bodkin
