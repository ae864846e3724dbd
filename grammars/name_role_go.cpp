#include "grammars/name_role.h"

namespace bodkin {

namespace {

// A function's body has the scope of its parameters.
TSNode scope_around(TSNode node) {
  for (node = ts_node_parent(node); !ts_node_is_null(node); node = ts_node_parent(node)) {
    const std::string_view type = type_of(node);
    if (type == "block" &&
        is_one_of(type_of(ts_node_parent(node)),
                  {"function_declaration", "method_declaration", "func_literal"}))
      continue;
    if (is_one_of(type, {"source_file", "block", "function_declaration", "method_declaration",
                         "func_literal", "if_statement", "for_statement",
                         "expression_switch_statement", "type_switch_statement", "expression_case",
                         "default_case", "type_case", "communication_case"}))
      break;
  }
  return node;
}

// What is declared is known behind its declaration.
void bind_behind(Occurrence& name, TSNode declaration) {
  const TSNode scope = scope_around(declaration);
  bind(name, scope, type_of(scope) == "source_file" ? 0 : ts_node_end_byte(declaration));
}

bool has_token(TSNode node, std::string_view token) {
  for (uint32_t i = 0; i < ts_node_child_count(node); ++i)
    if (type_of(ts_node_child(node, i)) == token) return true;
  return false;
}

// `name` in `{name: 1}`: a field of a structure, or a variable if it is certainly none.
void set_as_element(const Part& own, Occurrence& name) {
  const Part pair = part(own.parent);
  if (pair.type != "keyed_element") {
    name.role = NameRole::use;
    return;
  }
  const TSNode made = ts_node_parent(ts_node_parent(pair.parent));
  const bool is_key = ts_node_eq(ts_node_named_child(pair.parent, 0), pair.node);
  if (!is_key ||
      (type_of(made) == "composite_literal" &&
       is_one_of(type_of(field(made, "type")), {"map_type", "array_type", "slice_type"})))
    name.role = NameRole::use;
}

}  // namespace

void set_go_role(const Text&, Occurrence& name) {
  Part own = part(name.node);
  const std::string_view type = type_of(name.node);
  if (is_one_of(type, {"field_identifier", "label_name", "package_identifier"})) {
    name.role = NameRole::another;
    return;
  }
  if (type != "identifier") return;
  if (own.type == "expression_list") own = part(own.parent);
  if (own.type == "function_declaration") return bind(name, scope_around(own.parent));
  if (own.type.ends_with("parameter_declaration") && own.field == "name" &&
      own.type != "type_parameter_declaration")
    return bind(name, around(own.parent, {"function_declaration", "method_declaration",
                                          "func_literal", "function_type", "method_elem"}));
  if (is_one_of(own.type, {"var_spec", "const_spec"}) && own.field == "name")
    return bind_behind(name, own.parent);
  if (own.field == "left" &&
      (own.type == "short_var_declaration" ||
       (is_one_of(own.type, {"range_clause", "receive_statement"}) && has_token(own.parent, ":="))))
    return bind_behind(name, own.parent);
  if (own.type == "type_switch_statement" && own.field == "alias")
    return bind(name, own.parent, ts_node_end_byte(field(own.parent, "value")));
  if (own.type == "literal_element") return set_as_element(own, name);
  if (is_in_expression(own) ||
      is_one_of(own.type, {"short_var_declaration", "range_clause", "expression_case",
                           "variadic_argument", "for_clause"}))
    name.role = NameRole::use;
}

}  // namespace bodkin
