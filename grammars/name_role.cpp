#include "grammars/name_role.h"

#include <algorithm>

namespace bodkin {

namespace {

// The nodes around a name that is only used, next to `…_expression` and `…_statement`.
// clang-format off
constexpr std::string_view kExpressions[] = {
    "argument_list", "arguments", "array", "array_type", "as_pattern", "await", "binary_operator",
    "boolean_operator", "call", "comparison_operator", "decorator", "dictionary_splat",
    "expression_list", "generic_type", "initializer_list", "interpolation", "list", "list_splat",
    "not_operator", "pair", "set", "slice", "spread_element", "subscript",
    "subscript_argument_list", "template_substitution", "tuple", "type", "unary_operator", "yield"};
// clang-format on

}  // namespace

SetRole role_setter(const Language& language) {
  const std::string_view id = language.id;
  if (id == "python") return set_python_role;
  if (is_one_of(id, {"javascript", "typescript", "typescriptreact"})) return set_script_role;
  if (is_one_of(id, {"c", "cpp"})) return set_c_role;
  if (id == "go") return set_go_role;
  if (id == "rust") return set_rust_role;
  return nullptr;
}

TSNode around(TSNode node, std::span<const std::string_view> types) {
  do node = ts_node_parent(node);
  while (!ts_node_is_null(node) && std::ranges::find(types, type_of(node)) == types.end());
  return node;
}

std::string_view field_of(TSNode parent, TSNode child) {
  for (uint32_t i = 0; i < ts_node_child_count(parent); ++i)
    if (ts_node_eq(ts_node_child(parent, i), child)) {
      const char* const name = ts_node_field_name_for_child(parent, i);
      return name ? name : "";
    }
  return {};
}

Part part(TSNode node) {
  const TSNode parent = ts_node_parent(node);
  return {node, parent, type_of(parent), field_of(parent, node)};
}

bool is_in_expression(const Part& own) {
  return own.type.ends_with("_expression") || own.type.ends_with("_statement") ||
         is_one_of(own.type, kExpressions) || own.field == "value" || own.field == "condition";
}

}  // namespace bodkin
