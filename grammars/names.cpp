#include "grammars/names.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "edits/text/line_keys.h"
#include "grammars/each_node.h"
#include "grammars/node.h"

namespace bodkin {

namespace {

// The nodes around a name that is only used.
// clang-format off
constexpr std::string_view kExpressions[] = {
    "argument_list", "arguments", "decorator", "type", "return_statement", "raise_statement",
    "throw_statement", "except_clause", "binary_operator", "boolean_operator", "not_operator",
    "unary_operator", "comparison_operator", "binary_expression", "unary_expression", "list",
    "array", "set", "tuple", "conditional_expression", "await", "await_expression",
    "class_heritage", "extends_clause", "jsx_expression", "template_substitution", "interpolation",
    "spread_element", "subscript", "jsx_opening_element", "jsx_self_closing_element",
    "parenthesized_expression"};
// clang-format on

// True if a name here can only be a use.
bool is_use(TSNode node, std::string_view type, std::string_view field_name) {
  const TSNode parent = ts_node_parent(node);
  const std::string_view around = type_of(parent);
  if (type == "type_identifier") return field_name != "name" && around != "nested_type_identifier";
  if (type == "shorthand_property_identifier") return true;
  if (is_one_of(field_name, {"function", "constructor", "object", "superclass", "condition",
                             "return_type", "operand", "consequence", "alternative"}))
    return true;
  if (is_one_of(around, kExpressions)) return true;
  if (around == "jsx_closing_element") return true;
  return field_name == "right" || (field_name == "value" && around != "pair_pattern");
}

constexpr size_t kMostUses = 500;     // of one name
constexpr uint32_t kMostNames = 500;  // of one import

// Whether the name there is a definition at the top of the file.
bool is_at_top(TSNode name) {
  TSNode node = ts_node_parent(name);
  while (type_of(node).ends_with("declarator")) node = ts_node_parent(node);
  for (node = ts_node_parent(node); !ts_node_is_null(ts_node_parent(node));
       node = ts_node_parent(node))
    if (!type_of(node).starts_with("preproc_") &&
        !is_one_of(type_of(node),
                   {"export_statement", "decorated_definition", "template_declaration",
                    "namespace_definition", "declaration_list", "linkage_specification",
                    "ambient_declaration"}))
      return false;
  return true;
}

// Whether the name there is used and not bound.
bool binds_nothing(TSNode node, std::string_view type, std::string_view field_name) {
  const std::string_view around = type_of(ts_node_parent(node));
  if (type == "property_identifier" || is_one_of(field_name, {"attribute", "function"}))
    return true;
  if (type == "field_identifier") return around.contains("expression");
  if (field_name == "name" &&
      (is_one_of(around, {"keyword_argument", "export_specifier"}) || around.contains("call")))
    return true;
  // `with x as (a, b)`
  TSNode outer = ts_node_parent(node);
  while (is_one_of(type_of(outer), {"tuple", "list", "parenthesized_expression"}))
    outer = ts_node_parent(outer);
  return type_of(outer) != "as_pattern_target" && is_use(node, type, field_name);
}

class Reader {
 public:
  Reader(const Text& text, const std::set<std::string, std::less<>>& wanted)
      : text_(text), wanted_(wanted) {}

  FileNames found;
  bool is_broken = false;

  void see(TSNode node, std::string_view type, std::string_view field_name) {
    if (is_broken) return;
    if (is_one_of(type, {"import_from_statement", "import_statement", "future_import_statement"}))
      return note_import(node, type);
    if (!is_one_of(type, {"identifier", "type_identifier", "shorthand_property_identifier",
                          "shorthand_property_identifier_pattern"}))
      return;
    std::string name = words_of(text_, node);
    if (!wanted_.contains(name)) return;
    if (++seen_ > kMostUses) {
      is_broken = true;
      return;
    }
    const std::string_view around = type_of(ts_node_parent(node));
    if (field_name == "attribute" || (around == "keyword_argument" && field_name == "name")) return;
    if (is_use(node, type, field_name))
      found.uses.push_back({std::move(name), ts_node_start_byte(node), type == "type_identifier"});
    else
      found.others.insert(std::move(name));
  }

 private:
  void note_import(TSNode node, std::string_view type) {
    const std::string_view around = type_of(ts_node_parent(node));
    if (around != "module" && around != "program") return;
    if (ts_node_has_error(node) || ts_node_descendant_count(node) > kMostNames * 8) {
      is_broken = true;
      return;
    }
    NamedImport one;
    const size_t last = ts_node_end_byte(node);
    one.end = last;
    one.lines = {text_.line_of(ts_node_start_byte(node)), text_.line_of(last) + 1};
    if (type == "import_from_statement") {
      one.module = words_of(text_, field(node, "module_name"));
      for (uint32_t i = 0; i < ts_node_child_count(node); ++i) {
        const TSNode part = ts_node_child(node, i);
        const char* const name = ts_node_field_name_for_child(node, i);
        if (type_of(part) == "wildcard_import") one.is_all = true;
        if (name && std::string_view(name) == "name") note_name(one, part, part);
      }
    } else if (type == "import_statement" && around == "module") {  // Python's
      for (uint32_t i = 0; i < ts_node_named_child_count(node); ++i) {
        const TSNode part = ts_node_named_child(node, i), name = field(part, "name");
        one.module = words_of(text_, ts_node_is_null(name) ? part : name);
        found.imports.push_back(one);
      }
      return;
    } else if (const TSNode source = field(node, "source"); !ts_node_is_null(source)) {
      one.module = words_of(text_, source);
      if (one.module.size() >= 2) one.module = one.module.substr(1, one.module.size() - 2);
      one.is_type = text_.substr(ts_node_start_byte(node), 12) == "import type ";
      note_specifiers(one, node);
    }
    found.imports.push_back(std::move(one));
  }

  void note_specifiers(NamedImport& of, TSNode node) {
    for (uint32_t i = 0; i < ts_node_named_child_count(node); ++i) {
      const TSNode part = ts_node_named_child(node, i);
      if (type_of(part) == "import_specifier")
        note_name(of, part, field(part, "name"));
      else if (is_one_of(type_of(part), {"import_clause", "named_imports"}))
        note_specifiers(of, part);
    }
  }

  void note_name(NamedImport& of, TSNode whole, TSNode name) {
    of.names.push_back({words_of(text_, name), ts_node_start_byte(whole), ts_node_end_byte(whole)});
  }

  const Text& text_;
  const std::set<std::string, std::less<>>& wanted_;
  size_t seen_ = 0;
};

// Behind comments, a `#!` and lone strings: the text that documents a module, `"use strict"`.
size_t first_code_in(const SyntaxTree& tree) {
  const TSNode root = ts_tree_root_node(tree.tree());
  for (uint32_t i = 0; i < ts_node_named_child_count(root); ++i) {
    const TSNode node = ts_node_named_child(root, i);
    const bool is_string = type_of(node) == "expression_statement" &&
                           type_of(ts_node_named_child(node, 0)) == "string";
    if (!is_string && !is_one_of(type_of(node), {"comment", "hash_bang_line"}))
      return ts_node_start_byte(node);
  }
  return tree.text().size();
}

}  // namespace

std::optional<FileNames> names_in(const SyntaxTree& tree,
                                  const std::set<std::string, std::less<>>& wanted) {
  if (!is_one_of(tree.language().id, {"python", "javascript", "typescript", "typescriptreact"}))
    return std::nullopt;
  Reader reader(tree.text(), wanted);
  each_node(tree, [&](TSNode node, std::string_view type, std::string_view field_name) {
    reader.see(node, type, field_name);
  });
  if (reader.is_broken) return std::nullopt;
  reader.found.first_code = first_code_in(tree);
  return std::move(reader.found);
}

namespace {

// Null if they are not a name.
TSNode name_at(const SyntaxTree& tree, size_t offset, size_t length) {
  const auto begin = static_cast<uint32_t>(offset), end = static_cast<uint32_t>(offset + length);
  const TSNode node = ts_node_descendant_for_byte_range(ts_tree_root_node(tree.tree()), begin, end);
  const std::string_view type = type_of(node);
  const bool is_name = type.contains("identifier") || type.ends_with("name") ||
                       is_one_of(type, {"constant", "word"});
  return is_name && ts_node_is_named(node) && ts_node_start_byte(node) == begin &&
                 ts_node_end_byte(node) == end
             ? node
             : TSNode{};
}

}  // namespace

bool is_name(const SyntaxTree& tree, size_t offset, size_t length) {
  return !ts_node_is_null(name_at(tree, offset, length));
}

bool is_bound(const SyntaxTree& tree, size_t offset, size_t length) {
  const TSNode node = name_at(tree, offset, length);
  if (ts_node_is_null(node)) return false;
  const TSNode parent = ts_node_parent(node);
  std::string_view field_name;
  for (uint32_t i = 0; i < ts_node_child_count(parent); ++i)
    if (const char* const name = ts_node_field_name_for_child(parent, i);
        name && ts_node_eq(ts_node_child(parent, i), node))
      field_name = name;
  return !binds_nothing(node, type_of(node), field_name);
}

bool is_keyword(const Language& language, std::string_view word) {
  return ts_language_symbol_for_name(language.grammar(), word.data(),
                                     static_cast<uint32_t>(word.size()), false) != 0;
}

bool is_import(const SyntaxTree& tree, size_t offset) {
  const auto at = static_cast<uint32_t>(offset);
  TSNode node = ts_node_named_descendant_for_byte_range(ts_tree_root_node(tree.tree()), at, at + 1);
  while (!ts_node_is_null(node) && !type_of(node).contains("import")) node = ts_node_parent(node);
  return !ts_node_is_null(node);
}

bool is_bound_once(const SyntaxTree& tree, std::string_view name, size_t definition) {
  bool is_found = false, is_other = false;
  size_t seen = 0;
  each_node(tree, [&](TSNode node, std::string_view type, std::string_view field_name) {
    const size_t begin = ts_node_start_byte(node);
    if (is_other) return;
    if (type == "wildcard_import" && begin > definition) is_other = true;
    if (!type.contains("identifier") || ts_node_end_byte(node) - begin != name.size() ||
        ts_node_named_child_count(node) > 0 || tree.text().substr(begin, name.size()) != name)
      return;
    if (begin == definition && !is_found) {
      is_found = true;
      is_other = !is_at_top(node);
    } else {
      is_other = ++seen > kMostUses || !binds_nothing(node, type, field_name);
    }
  });
  return is_found && !is_other;
}

}  // namespace bodkin
