#include "grammars/same_name.h"

#include <algorithm>

#include "grammars/each_node.h"
#include "grammars/name_role.h"

namespace bodkin {

namespace {

constexpr size_t kMostUses = 100;

// What a name is declared as.
struct Variable {
  TSNode scope{};
  uint32_t begin = 0;  // where a name may be declared twice in a scope, of this declaration

  bool operator==(const Variable& other) const {
    return ts_node_eq(scope, other.scope) && begin == other.begin;
  }
};

bool is_text(std::string_view type) {
  return type.contains("string") || type.contains("comment") || type.contains("text") ||
         type.contains("content") || type.contains("char") || type.contains("regex");
}

class Names {
 public:
  Names(const SyntaxTree& tree, const HalfRenamed& name, SetRole set_role)
      : text_(tree.text()), id_(tree.language().id) {
    each_node(tree, [&](TSNode node, std::string_view type, std::string_view field_name) {
      const size_t begin = ts_node_start_byte(node), size = ts_node_end_byte(node) - begin;
      if (!ts_node_is_named(node) || ts_node_named_child_count(node) > 0) return;
      if (is_text(type) || type == "preproc_arg") return note_text(node, std::string(name.old));
      const bool is_it = (size == name.old.size() && text_.substr(begin, size) == name.old) ||
                         (size == name.now.size() && text_.substr(begin, size) == name.now);
      if (!is_it) return;
      Occurrence found{node, field_name};
      set_role(text_, found);
      all_.push_back(found);
    });
  }

  std::optional<std::vector<size_t>> same_as(const HalfRenamed& name) const {
    if (all_.size() > kMostUses) return std::nullopt;
    const auto edited = std::ranges::find_if(
        all_, [&](const Occurrence& each) { return ts_node_start_byte(each.node) == name.offset; });
    if (edited == all_.end()) return std::nullopt;
    const auto meant = variable_of(*edited);
    if (!meant || !is_clear(*meant)) return std::nullopt;
    std::vector<size_t> out;
    for (const Occurrence& each : all_)
      if (variable_of(each) == meant && words_of(text_, each.node) == name.old)
        out.push_back(ts_node_start_byte(each.node));
    return out;
  }

 private:
  // A text that may name a variable: of a macro in Rust or C, of a module's exports in Python.
  void note_text(TSNode node, const std::string& name) {
    const std::string text = words_of(text_, node);
    const TSNode list = around(node, {"assignment", "augmented_assignment"});
    if ((id_ == "rust" && (text.contains("{" + name) || text.contains(name + "$"))) ||
        (id_ == "python" && text == name && !ts_node_is_null(list) &&
         words_of(text_, field(list, "left")) == "__all__") ||
        (type_of(node) == "preproc_arg" && text.contains(name)))
      all_.push_back({node, {}});
  }

  // Nullopt: it is none, or not one that this file declares.
  std::optional<Variable> variable_of(const Occurrence& name) const {
    if (name.role == NameRole::binding) return variable(name);
    if (name.role != NameRole::use) return std::nullopt;
    bool is_in_function = false, is_in_item = false;
    TSNode inner = name.node;
    for (TSNode node = ts_node_parent(inner); !ts_node_is_null(node);
         inner = node, node = ts_node_parent(node)) {
      if (id_ == "python" && !is_known_in(node, inner, is_in_function)) continue;
      if (type_of(node) == "mod_item" && !words_of(text_, node).contains("super::*")) break;
      const Occurrence* nearest = nullptr;
      for (const Occurrence& each : all_)
        if (each.role == NameRole::binding && ts_node_eq(each.scope, node) &&
            (!is_in_item || type_of(ts_node_parent(each.node)).ends_with("_item")) &&
            each.effect <= ts_node_start_byte(name.node) &&
            (!nearest || each.effect >= nearest->effect))
          nearest = &each;
      if (nearest) return variable(*nearest);
      is_in_item |= type_of(node) == "function_item";  // in Rust: it knows no local variables
    }
    return std::nullopt;
  }

  Variable variable(const Occurrence& binding) const {
    return {binding.scope, id_ == "rust" ? ts_node_start_byte(binding.node) : 0};
  }

  // Python: whether the names of a scope are known in this part of it. Methods do not see those of
  // their class, and what stands before a function's body is not in it.
  static bool is_known_in(TSNode scope, TSNode inner, bool& is_in_function) {
    const std::string_view type = type_of(scope);
    const bool is_body = field_of(scope, inner) == "body";
    if (type == "class_definition") return is_body && !is_in_function;
    if (type.ends_with("_comprehension") || type == "generator_expression") {
      // What is gone through first is known outside; the rest is as in a function.
      const bool is_first = ts_node_eq(ts_node_named_child(scope, 1), inner);
      is_in_function |= !is_first;
      return !is_first;
    }
    if (!is_one_of(type, {"function_definition", "lambda"})) return true;
    is_in_function |= is_body;
    return is_body;
  }

  // Whether it is a parameter's name in a call of a function of this name: `f(name=1)`.
  bool is_keyword_of(TSNode name, TSNode function) const {
    const TSNode call = around(name, {"call"});
    if (type_of(ts_node_parent(name)) != "keyword_argument" ||
        type_of(function) != "function_definition" || ts_node_is_null(call))
      return false;
    const std::string callee = words_of(text_, field(call, "function")),
                      own = words_of(text_, field(function, "name"));
    return callee == own || callee.ends_with("." + own);
  }

  // Whether nothing where it is known may be it or not.
  bool is_clear(const Variable& meant) const {
    const std::string_view type = type_of(meant.scope);
    if (ts_node_has_error(meant.scope) || type == "class_definition") return false;
    // `namespace N { export const name = 1; }`: known as N.name, too.
    if (type_of(ts_node_parent(meant.scope)) == "internal_module") return false;
    // Members of classes are known without their names, also those of other files.
    if (id_ == "cpp" && is_one_of(type, {"translation_unit", "declaration_list"})) return false;
    const uint32_t begin = ts_node_start_byte(meant.scope), end = ts_node_end_byte(meant.scope);
    bool is_value = false, is_type = false, is_both = false;
    for (const Occurrence& each : all_) {
      const uint32_t at = ts_node_start_byte(each.node);
      const bool is_in = begin <= at && at < end;
      if (each.role == NameRole::unknown && (is_in || type_of(each.node) == "preproc_arg"))
        return false;
      const auto variable = variable_of(each);
      if (variable != meant) {
        // In a class that assigns it, it is the outer one until then.
        if (variable && is_in && each.role == NameRole::use &&
            type_of(variable->scope) == "class_definition")
          return false;
        if (is_keyword_of(each.node, meant.scope)) return false;
        continue;
      }
      (type_of(each.node) == "type_identifier" ? is_type : is_value) = true;
      is_both |= each.role == NameRole::binding &&
                 is_one_of(type_of(ts_node_parent(each.node)),
                           {"class_declaration", "abstract_class_declaration", "enum_declaration"});
      const TSNode members = around(each.node, {"field_declaration_list"});
      if (!ts_node_is_null(members) && ts_node_start_byte(members) >= begin) return false;
    }
    return !is_value || !is_type || is_both;
  }

  const Text& text_;
  const std::string_view id_;
  std::vector<Occurrence> all_;
};

}  // namespace

std::optional<std::vector<size_t>> same_name(const SyntaxTree& tree, const HalfRenamed& name) {
  const SetRole set_role = role_setter(tree.language());
  if (!set_role) return std::nullopt;
  return Names(tree, name, set_role).same_as(name);
}

}  // namespace bodkin
