#include "grammars/name_role.h"

namespace bodkin {

namespace {

TSNode scope_around(TSNode node) {
  return around(
      node, {"translation_unit", "declaration_list", "compound_statement", "function_definition",
             "for_statement", "if_statement", "while_statement", "switch_statement",
             "for_range_loop", "lambda_expression", "catch_clause", "field_declaration_list"});
}

// In the function of its list, or in the list alone if that has none.
void bind_parameter(Occurrence& name, TSNode parameter) {
  TSNode list = around(parameter, {"function_declarator", "abstract_function_declarator",
                                   "catch_clause", "template_parameter_list"});
  if (type_of(list) == "template_parameter_list" || ts_node_is_null(list)) return;
  TSNode outer = list;
  while (type_of(outer).ends_with("declarator")) outer = ts_node_parent(outer);
  bind(name,
       is_one_of(type_of(outer), {"function_definition", "lambda_expression"}) ? outer : list);
}

void set_in_declarator(const Text& text, Part own, Occurrence& name) {
  while (own.type.ends_with("declarator") && !is_one_of(own.field, {"size", "value"}))
    own = part(own.parent);
  if (is_one_of(own.field, {"size", "value"})) {
    name.role = NameRole::use;
  } else if (own.field != "declarator") {
    return;
  } else if (is_one_of(own.type, {"parameter_declaration", "optional_parameter_declaration"})) {
    bind_parameter(name, own.parent);
  } else if (own.type == "for_range_loop") {
    bind(name, own.parent, ts_node_end_byte(field(own.parent, "right")));
  } else if (is_one_of(own.type, {"declaration", "function_definition"})) {
    const TSNode scope = scope_around(own.parent);
    // `extern int name;` in a function is the one of the file.
    const bool is_outer =
        type_of(scope) == "compound_statement" && words_of(text, own.parent).starts_with("extern ");
    if (!is_outer)
      bind(name, scope, type_of(scope) == "translation_unit" ? 0 : ts_node_start_byte(name.node));
  }
}

// Whether a macro may make something else of it: `FIELD(name)`, `container_of(p, struct s, name)`.
bool may_be_of_macro(const Text& text, TSNode arguments) {
  const Part call = part(arguments);
  if (call.type != "call_expression")
    return !is_one_of(call.type, {"init_declarator", "new_expression", "field_initializer"});
  const std::string callee = words_of(text, field(call.parent, "function"));
  const bool is_lower = callee.find_first_of("abcdefghijklmnopqrstuvwxyz") != callee.npos;
  return !is_lower || callee == "container_of" || callee == "offsetof" ||
         callee.ends_with("_entry");
}

// `#if name > 1`
bool is_in_directive(TSNode node) {
  TSNode inner = node;
  do {
    inner = node;
    node = ts_node_parent(node);
  } while (type_of(node).ends_with("_expression") || type_of(node) == "argument_list");
  return type_of(node).starts_with("preproc_") && field_of(node, inner) == "condition";
}

}  // namespace

void set_c_role(const Text& text, Occurrence& name) {
  const Part own = part(name.node);
  const std::string_view type = type_of(name.node);
  if (!ts_node_is_null(around(name.node, {"using_declaration"}))) return;  // it declares one
  if (is_one_of(type, {"field_identifier", "statement_identifier", "namespace_identifier"}) ||
      (type == "type_identifier" && own.field == "name" && own.type.ends_with("_specifier")) ||
      (own.type == "qualified_identifier" && own.field == "name")) {
    name.role = NameRole::another;
  } else if (type != "identifier" || own.type.starts_with("preproc_")) {
    return;
  } else if (own.type == "enumerator" && own.field == "name") {
    bind(name, scope_around(own.parent));
  } else if (own.type.ends_with("declarator") || own.field == "declarator") {
    set_in_declarator(text, own, name);
  } else if (own.type == "argument_list") {
    if (!may_be_of_macro(text, own.parent)) name.role = NameRole::use;
  } else if (is_in_expression(own) ||
             is_one_of(own.type,
                       {"lambda_capture_specifier", "subscript_designator", "for_range_loop"})) {
    name.role = NameRole::use;
  }
  if (name.role == NameRole::use && is_in_directive(name.node)) name.role = NameRole::unknown;
}

}  // namespace bodkin
