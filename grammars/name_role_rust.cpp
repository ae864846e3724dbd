#include "grammars/name_role.h"

namespace bodkin {

namespace {

// What these macros are given, are expressions.
constexpr std::string_view kMacros[] = {
    "assert",          "assert_eq", "assert_ne",   "dbg",    "debug_assert", "debug_assert_eq",
    "debug_assert_ne", "eprint",    "eprintln",    "format", "panic",        "print",
    "println",         "todo",      "unreachable", "vec",    "write",        "writeln"};

TSNode scope_around(TSNode node) {
  return around(node, {"source_file", "declaration_list", "block", "function_item",
                       "closure_expression", "match_arm"});
}

// In a macro there are only tokens: a use, where none of them may be of a declaration or a path.
void set_in_macro(const Text& text, Occurrence& name) {
  TSNode tree = ts_node_parent(name.node);
  while (type_of(ts_node_parent(tree)) == "token_tree") tree = ts_node_parent(tree);
  const TSNode macro = ts_node_parent(tree);
  if (type_of(macro) != "macro_invocation" ||
      !is_one_of(words_of(text, field(macro, "macro")), kMacros))
    return;
  bool is_string = false;
  const std::string tokens = words_of(text, tree);
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (is_string && tokens[i] == '\\')
      ++i;
    else if (tokens[i] == '"')
      is_string = !is_string;
    else if (!is_string && is_among(tokens[i], "|{=:#$'/!"))
      return;
  }
  size_t begin = ts_node_start_byte(name.node) - ts_node_start_byte(tree);
  while (begin > 0 && is_among(tokens[begin - 1], " \t\r\n")) --begin;
  const bool is_member = tokens[begin - 1] == '.' && tokens[begin - 2] != '.';
  name.role = is_member ? NameRole::another : NameRole::use;
}

// A name in the pattern of a declaration.
void set_in_pattern(const Text& text, Part own, Occurrence& name) {
  while (!is_one_of(own.type, {"match_pattern", "or_pattern", "range_pattern"}) &&
         own.type.ends_with("_pattern") && !is_one_of(own.field, {"type", "name"}))
    own = part(own.parent);
  const char first = words_of(text, name.node).front();
  if (first >= 'A' && first <= 'Z') return;  // it may be a constant
  if (own.type == "let_declaration" && own.field == "pattern") {
    bind(name, scope_around(own.parent), ts_node_end_byte(own.parent));
  } else if (own.type == "closure_parameters" || own.type == "parameter") {
    bind(name, around(own.parent, {"function_item", "closure_expression", "function_signature_item",
                                   "function_type"}));
  } else if (own.type == "for_expression" && own.field == "pattern") {
    bind(name, field(own.parent, "body"));
  } else if (own.type == "match_pattern") {
    if (own.field != "condition") bind(name, ts_node_parent(own.parent));
  } else if (own.type == "let_condition" && own.field == "pattern") {
    const TSNode outer = ts_node_parent(own.parent), then = field(outer, "consequence");
    if (is_one_of(type_of(outer), {"if_expression", "while_expression"}))
      bind(name, ts_node_is_null(then) ? field(outer, "body") : then);
  }
}

}  // namespace

void set_rust_role(const Text& text, Occurrence& name) {
  const Part own = part(name.node);
  const std::string_view type = type_of(name.node);
  if (!ts_node_is_null(around(name.node, {"use_declaration"}))) return;  // it may declare one
  if (is_one_of(type, {"field_identifier", "type_identifier"}) ||
      is_one_of(own.type, {"lifetime", "label", "enum_variant"}) ||
      (own.type == "scoped_identifier" && own.field == "name") ||
      (own.type == "macro_invocation" && own.field == "macro")) {
    name.role = NameRole::another;
  } else if (type != "identifier") {
    return;
  } else if (own.type == "token_tree") {
    set_in_macro(text, name);
  } else if (is_one_of(own.type,
                       {"function_item", "function_signature_item", "const_item", "static_item"}) &&
             own.field == "name") {
    const TSNode outer = ts_node_parent(ts_node_parent(own.parent));
    if (is_one_of(type_of(outer), {"impl_item", "trait_item"}))
      name.role = NameRole::another;
    else
      bind(name, scope_around(own.parent));
  } else if (own.type == "match_pattern" && own.field == "condition") {
    name.role = NameRole::use;
  } else if (own.type.ends_with("_pattern") || own.type == "closure_parameters" ||
             own.field == "pattern") {
    set_in_pattern(text, own, name);
  } else if (is_in_expression(own) ||
             is_one_of(own.type, {"block", "compound_assignment_expr", "base_field_initializer",
                                  "generic_function"})) {
    name.role = NameRole::use;
  }
}

}  // namespace bodkin
