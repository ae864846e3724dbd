#include "grammars/calls.h"

#include <algorithm>
#include <string_view>

#include "edits/text/line_keys.h"
#include "grammars/declarator.h"
#include "grammars/each_node.h"
#include "grammars/node.h"

namespace bodkin {

namespace {

// The first name in it, itself included; in the declarators of C the only one.
TSNode first_name(TSNode node) {
  if (type_of(node) == "identifier") return node;
  for (uint32_t i = 0; i < ts_node_named_child_count(node); ++i)
    if (TSNode found = first_name(ts_node_named_child(node, i)); !ts_node_is_null(found))
      return found;
  return {};
}

bool is_among_words(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view each) { return word.contains(each); });
}

constexpr uint32_t kMostParts = 100;  // of a list, or what an argument consists of

bool may_act(TSNode node) {
  if (ts_node_descendant_count(node) > kMostParts) return true;  // it is not known
  if (is_among_words(type_of(node), {"call", "invocation", "await", "assignment", "update_exp",
                                     "yield", "new_exp", "creation", "try_exp", "named_exp"}))
    return true;
  for (uint32_t i = 0; i < ts_node_named_child_count(node); ++i)
    if (may_act(ts_node_named_child(node, i))) return true;
  return false;
}

class Reader {
 public:
  explicit Reader(const SyntaxTree& tree) : text_(tree.text()) {}

  SignaturesAndCalls found;

  void see(TSNode node) {
    if (const TSNode list = field(node, "parameters"); !ts_node_is_null(list))
      note_signature(node, list);
    const TSNode arguments = field(node, "arguments");
    if (ts_node_is_null(arguments) || ts_node_has_error(node)) return;
    TSNode function = field(node, "function");
    if (ts_node_is_null(function) && ts_node_is_null(field(node, "object")))
      function = field(node, "name");  // Java
    if (type_of(function) == "identifier") note_call(node, function, arguments);
  }

 private:
  void note_signature(TSNode node, TSNode list) {
    if (ts_node_has_error(list)) return;
    TSNode name = field(node, "name");
    const bool is_value = ts_node_is_null(name) &&
                          type_of(ts_node_parent(node)).ends_with("declarator") &&
                          !type_of(node).ends_with("declarator");
    if (is_value) name = field(ts_node_parent(node), "name");  // const f = () => …
    if (ts_node_is_null(name) && type_of(node) == "function_declarator") name = declared_name(node);
    while (type_of(name) == "qualified_identifier") name = field(name, "name");
    if (!type_of(name).ends_with("identifier")) return;
    Signature one{words_of(text_, name),
                  ts_node_start_byte(name),
                  ts_node_start_byte(list),
                  ts_node_end_byte(list),
                  {}};
    if (ts_node_named_child_count(list) > kMostParts) return;
    one.is_plain = type_of(node) != "method_definition" && ts_node_is_null(field(node, "receiver"));
    for (uint32_t i = 0; i < ts_node_named_child_count(list); ++i)
      note_parameter(one, ts_node_named_child(list, i));
    found.signatures.push_back(std::move(one));
  }

  void note_parameter(Signature& of, TSNode node) {
    const std::string_view type = type_of(node);
    if (type.contains("comment") || words_of(text_, node) == "void") return;
    const bool has_value = !ts_node_is_null(field(node, "value")) ||
                           !ts_node_is_null(field(node, "default_value")) ||
                           !ts_node_is_null(field(node, "right"));
    const bool is_optional =
        has_value || type.starts_with("optional_parameter") || type == "assignment_pattern";
    const size_t before = of.parameters.size();
    // Go's `a, b int`.
    for (uint32_t i = 0; type == "parameter_declaration" && i < ts_node_child_count(node); ++i) {
      const char* const part = ts_node_field_name_for_child(node, i);
      if (part && std::string_view(part) == "name")
        of.parameters.push_back({words_of(text_, ts_node_child(node, i)), is_optional});
    }
    if (of.parameters.size() > before) return;
    TSNode named = node;
    for (const char* part : {"name", "pattern", "declarator", "left"})
      if (const TSNode inner = field(node, part); !ts_node_is_null(inner)) {
        named = inner;
        break;
      }
    const TSNode name = first_name(named);
    const bool is_several =
        is_among_words(type, {"splat", "rest", "variadic", "spread", "separator", "self"}) ||
        is_among_words(type_of(ts_node_named_child(node, 0)), {"splat", "rest"}) ||
        type_of(named).starts_with("rest");
    if (ts_node_is_null(name) || is_several ||
        is_one_of(words_of(text_, name), {"self", "cls", "this"})) {
      of.is_plain = false;
      return;
    }
    of.parameters.push_back({words_of(text_, name), is_optional});
  }

  void note_call(TSNode node, TSNode function, TSNode arguments) {
    Call call{words_of(text_, function),     ts_node_start_byte(node),    ts_node_end_byte(node),
              ts_node_start_byte(arguments), ts_node_end_byte(arguments), {}};
    // `f(x for x in y)` has no list.
    call.is_plain = text_.substr(call.list_begin, 1) == "(" &&
                    text_.substr(call.list_end - 1, 1) == ")" &&
                    !type_of(arguments).contains("generator") &&
                    ts_node_named_child_count(arguments) <= kMostParts;
    if (!call.is_plain) return found.calls.push_back(std::move(call));
    for (uint32_t i = 0; i < ts_node_named_child_count(arguments); ++i) {
      const TSNode one = ts_node_named_child(arguments, i);
      const std::string_view type = type_of(one);
      if (is_among_words(type, {"splat", "spread", "comment", "variadic"})) call.is_plain = false;
      Argument argument{ts_node_start_byte(one), ts_node_end_byte(one), "", may_act(one)};
      if (type == "keyword_argument") argument.keyword = words_of(text_, field(one, "name"));
      call.arguments.push_back(std::move(argument));
    }
    found.calls.push_back(std::move(call));
  }

  const Text& text_;
};

}  // namespace

SignaturesAndCalls signatures_and_calls(const SyntaxTree& tree) {
  Reader reader(tree);
  each_node(tree, [&](TSNode node, std::string_view, std::string_view) { reader.see(node); });
  return std::move(reader.found);
}

}  // namespace bodkin
