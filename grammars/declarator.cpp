#include "grammars/declarator.h"

#include <string_view>

#include "grammars/node.h"

namespace bodkin {

// The innermost function declarator whose own declarator is a plain name is the function; a pointer
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

}  // namespace bodkin
