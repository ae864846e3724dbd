#include "grammars/name_role.h"

namespace bodkin {

namespace {

// clang-format off
constexpr std::string_view kFunctions[] = {
    "function_declaration", "function_expression", "generator_function",
    "generator_function_declaration", "arrow_function", "method_definition", "function_type",
    "method_signature", "abstract_method_signature", "call_signature", "construct_signature",
    "function_signature", "constructor_type"};
constexpr std::string_view kVarScopes[] = {
    "program", "function_declaration", "function_expression", "generator_function",
    "arrow_function", "generator_function_declaration", "method_definition", "class_static_block",
    "internal_module"};
constexpr std::string_view kBlocks[] = {
    "program", "statement_block", "for_statement", "for_in_statement", "switch_body",
    "class_static_block"};
constexpr std::string_view kTypes[] = {
    "type_annotation", "type_arguments", "union_type", "intersection_type", "readonly_type",
    "type_query", "type_predicate", "class_heritage", "extends_clause", "lookup_type",
    "tuple_type", "implements_clause", "extends_type_clause", "index_type_query", "default_type",
    "constraint", "optional_type", "rest_type", "function_type", "parenthesized_type",
    "conditional_type", "jsx_expression", "computed_property_name"};
// clang-format on

// A name in the pattern of a declaration, or of an assignment.
void set_in_pattern(const Text& text, Part own, Occurrence& name) {
  while (is_one_of(own.type, {"array_pattern", "rest_pattern", "object_pattern"}) ||
         (own.type == "pair_pattern" && own.field == "value") ||
         (own.type == "assignment_pattern" && own.field == "left"))
    own = part(own.parent);
  if (own.type == "variable_declarator" && own.field == "name") {
    const bool is_var = type_of(ts_node_parent(own.parent)) == "variable_declaration";
    const TSNode scope = is_var ? around(own.parent, kVarScopes) : around(own.parent, kBlocks);
    // A parameter of the name is this variable, but the default of one does not know it.
    const TSNode parameters = is_var ? field(scope, "parameters") : TSNode{};
    if (!ts_node_is_null(parameters) && words_of(text, parameters).contains('=')) return;
    bind(name, scope);
  } else if (own.type == "formal_parameters" || own.field == "parameter") {
    bind(name, own.type == "catch_clause" ? own.parent : around(own.node, kFunctions));
  } else if (is_one_of(own.type, {"required_parameter", "optional_parameter"}) &&
             own.field == "pattern") {
    // `private name` is a member, too.
    if (ts_node_eq(ts_node_child(own.parent, 0), own.node) ||
        type_of(ts_node_child(own.parent, 0)) == "decorator")
      bind(name, around(own.node, kFunctions));
  } else if (own.type == "for_in_statement" && own.field == "left") {
    const TSNode kind = field(own.parent, "kind");
    if (ts_node_is_null(kind))
      name.role = NameRole::use;
    else
      bind(name, type_of(kind) == "var" ? around(own.node, kVarScopes) : own.parent);
  } else if (own.type == "assignment_expression") {
    name.role = NameRole::use;
  }
}

}  // namespace

void set_script_role(const Text& text, Occurrence& name) {
  const Part own = part(name.node);
  const std::string_view type = type_of(name.node);
  if (is_one_of(type,
                {"property_identifier", "private_property_identifier", "statement_identifier"})) {
    name.role = NameRole::another;
  } else if (type != "identifier" && type != "type_identifier") {
    return;  // `{name}`: a key, too
  } else if (is_one_of(own.type,
                       {"function_declaration", "generator_function_declaration",
                        "class_declaration", "abstract_class_declaration", "enum_declaration",
                        "interface_declaration", "type_alias_declaration", "function_signature"}) &&
             own.field == "name") {
    bind(name, around(own.parent, kBlocks));
  } else if (is_one_of(own.type, {"function_expression", "generator_function", "class"}) &&
             own.field == "name") {
    bind(name, own.parent);
  } else if (own.type.starts_with("jsx_") && own.field == "name") {
    const char first = words_of(text, name.node).front();
    name.role = first >= 'A' && first <= 'Z' ? NameRole::use : NameRole::another;
  } else if (own.type == "nested_type_identifier" && own.field == "name") {
    name.role = NameRole::another;
  } else if ((own.type.ends_with("_pattern") && own.field == "right") ||
             (own.type == "for_in_statement" && own.field == "right") ||
             (own.type == "arrow_function" && own.field == "body") || is_one_of(own.type, kTypes)) {
    name.role = NameRole::use;
  } else if (own.type.ends_with("_pattern") || own.type.ends_with("_parameter") ||
             own.field == "parameter" || own.field == "left" ||
             is_one_of(own.type, {"variable_declarator", "formal_parameters"})) {
    set_in_pattern(text, own, name);
    if (name.role != NameRole::unknown) return;
    if ((own.field == "left" && is_in_expression(own)) || own.field == "value")
      name.role = NameRole::use;
  } else if (own.type != "enum_assignment" && is_in_expression(own)) {
    name.role = NameRole::use;
  }
}

}  // namespace bodkin
