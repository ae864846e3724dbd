#include "grammars/function_names.h"

#include <algorithm>

#include "edits/plan/syntax.h"
#include "grammars/declarator.h"
#include "grammars/each_node.h"
#include "grammars/languages.h"
#include "grammars/node.h"

namespace bodkin {

namespace {

// `(void)` has none.
size_t count_parameters(const Text& text, TSNode name) {
  TSNode declarator = ts_node_parent(name);
  while (!ts_node_is_null(declarator) &&
         std::string_view(ts_node_type(declarator)) != "function_declarator")
    declarator = ts_node_parent(declarator);
  if (ts_node_is_null(declarator)) return 0;
  const TSNode list = field(declarator, "parameters");
  size_t count = 0;
  for (uint32_t i = 0; !ts_node_is_null(list) && i < ts_node_named_child_count(list); ++i) {
    const TSNode one = ts_node_named_child(list, i);
    if (std::string_view(ts_node_type(one)) != "comment" && words_of(text, one) != "void") ++count;
  }
  return count;
}

bool is_in_body(TSNode node) {
  const TSNode parent = ts_node_parent(node);
  return !ts_node_is_null(parent) && std::string_view(ts_node_type(parent)) == "compound_statement";
}

}  // namespace

bool FunctionNames::defines(std::string_view name) const {
  return std::ranges::any_of(defined, [&](const Function& one) { return one.first == name; });
}

FunctionNames function_names(const Text& text) {
  FunctionNames names;
  if (text.size() > kParsedAtOnce) return names;
  const auto tree = SyntaxTree::parse(*language_with_id("cpp"), text);  // C is nearly a part of it
  if (!tree) return names;
  std::set<uint32_t> own;  // bytes of the names that are declared
  each_node(*tree, [&](TSNode node, std::string_view type, std::string_view) {
    if (type.ends_with("identifier") && !own.contains(ts_node_start_byte(node)) &&
        type != "qualified_identifier")
      names.used.insert(words_of(text, node));
    const bool is_definition = type == "function_definition";
    if (!is_definition && type != "declaration" && type != "field_declaration") return;
    if (is_in_body(node)) return;  // a variable's arguments look like a function's parameters
    for (uint32_t i = 0; i < ts_node_child_count(node); ++i) {
      const char* const part = ts_node_field_name_for_child(node, i);
      if (!part || std::string_view(part) != "declarator") continue;
      TSNode name = declared_name(ts_node_child(node, i));
      while (!ts_node_is_null(name) &&
             std::string_view(ts_node_type(name)) == "qualified_identifier")
        name = field(name, "name");
      if (ts_node_is_null(name)) continue;
      own.insert(ts_node_start_byte(name));
      const std::string_view kind = ts_node_type(name);
      if (!kind.ends_with("identifier") && kind != "destructor_name" && kind != "operator_name")
        continue;
      FunctionNames::Function function = {words_of(text, name), count_parameters(text, name)};
      const bool is_pure = !ts_node_is_null(field(node, "default_value"));
      if (is_definition)
        names.defined.insert(std::move(function));
      else if (!is_pure)
        names.declared.emplace(std::move(function), text.line_of(ts_node_start_byte(name)));
    }
  });
  return names;
}

}  // namespace bodkin
