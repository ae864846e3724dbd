#include "grammars/name_role.h"

namespace bodkin {

namespace {

TSNode scope_around(TSNode node) {
  return around(node, {"function_definition", "class_definition", "module"});
}

// A name that is assigned: alone or in a list of such.
void set_as_target(const Text& text, Part own, Occurrence& name) {
  while (
      is_one_of(own.type, {"pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern"}))
    own = part(own.parent);
  if (is_one_of(own.type, {"parameters", "lambda_parameters"}))
    return bind(name, ts_node_parent(own.parent));
  if (own.field != "left") return;
  if (own.type != "for_in_clause") return bind(name, scope_around(own.parent));
  // What is gone through may be known outside, by the same name.
  if (!words_of(text, field(own.parent, "right")).contains(words_of(text, name.node)))
    bind(name, ts_node_parent(own.parent));
}

bool is_pattern_of_as(TSNode node) {
  do node = ts_node_parent(node);
  while (is_one_of(type_of(node), {"tuple", "list", "parenthesized_expression"}));
  return type_of(node) == "as_pattern_target";
}

}  // namespace

void set_python_role(const Text& text, Occurrence& name) {
  const Part own = part(name.node);
  if (type_of(name.node) != "identifier") return;
  if ((own.type == "attribute" && own.field == "attribute") ||
      (own.type == "keyword_argument" && own.field == "name")) {
    name.role = NameRole::another;
  } else if (is_one_of(own.type, {"function_definition", "class_definition"}) &&
             own.field == "name") {
    bind(name, scope_around(own.parent));
  } else if ((own.type.ends_with("default_parameter") && own.field == "name") ||
             own.type == "typed_parameter") {
    bind(name, ts_node_parent(ts_node_parent(own.parent)));
  } else if (own.type == "dictionary_splat_pattern" || own.type == "list_splat_pattern") {
    const Part outer = part(own.parent);
    if (outer.type == "typed_parameter")
      bind(name, ts_node_parent(ts_node_parent(outer.parent)));
    else
      set_as_target(text, outer, name);
  } else if (own.type == "as_pattern_target") {
    bind(name, scope_around(own.parent));
  } else if (own.type == "named_expression" && own.field == "name") {
    const TSNode scope =
        around(own.parent, {"function_definition", "lambda", "class_definition", "module"});
    if (!is_one_of(type_of(scope), {"lambda", "class_definition"})) bind(name, scope);
  } else if (is_one_of(own.type, {"global_statement", "nonlocal_statement", "delete_statement",
                                  "import_statement", "aliased_import"}) ||
             type_of(ts_node_parent(own.parent)) == "delete_statement" ||
             is_pattern_of_as(name.node)) {
    return;
  } else if (own.type.ends_with("pattern") || own.type.ends_with("parameters") ||
             own.type == "pattern_list" ||
             (own.field == "left" && !own.type.contains("operator"))) {
    if (own.type == "as_pattern")
      name.role = NameRole::use;
    else
      set_as_target(text, own, name);
  } else if (is_in_expression(own) ||
             is_one_of(own.type,
                       {"attribute", "assignment", "augmented_assignment", "for_in_clause",
                        "except_clause", "format_expression", "if_clause", "lambda"}) ||
             own.type.ends_with("_comprehension")) {
    name.role = NameRole::use;
  }
}

}  // namespace bodkin
