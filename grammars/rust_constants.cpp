#include "grammars/rust_constants.h"

#include <tree_sitter/api.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "edits/text/line_keys.h"
#include "grammars/languages.h"
#include "grammars/node.h"
#include "grammars/syntax_tree.h"

namespace bodkin {

namespace {

// A node and all in it, in the order of the text.
class Walk {
 public:
  explicit Walk(TSNode top) : cursor_(ts_tree_cursor_new(top)) {}
  ~Walk() { ts_tree_cursor_delete(&cursor_); }
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;

  TSNode node() const { return ts_tree_cursor_current_node(&cursor_); }
  size_t depth() const { return depth_; }

  bool next() {
    if (ts_tree_cursor_goto_first_child(&cursor_)) {
      ++depth_;
      return true;
    }
    while (!ts_tree_cursor_goto_next_sibling(&cursor_)) {
      if (!ts_tree_cursor_goto_parent(&cursor_)) return false;
      --depth_;
    }
    return true;
  }

 private:
  TSTreeCursor cursor_;
  size_t depth_ = 0;
};

class Constants {
 public:
  explicit Constants(const SyntaxTree& tree)
      : text_(tree.text().str()), root_(ts_tree_root_node(tree.tree())) {}

  bool may_fail() const {
    Walk walk(root_);
    std::vector<char> is_generic_at;  // by depth: of the nodes above this one
    std::string_view last, before;    // the types of the nodes just before
    size_t tokens = SIZE_MAX;         // the depth of what a macro is given, which has no tree
    do {
      const TSNode node = walk.node();
      const size_t depth = walk.depth();
      const std::string_view type = ts_node_type(node);
      if (depth <= tokens) tokens = type == "token_tree" ? depth : SIZE_MAX;
      is_generic_at.resize(depth + 1);
      is_generic_at[depth] = is_generic(node, type);
      if (depth > tokens) {
        if (last == "const" && type == "token_tree") return true;           // "const {"
        if (before == "const" && last != "fn" && type == ":") return true;  // "const NAME:"
      } else if (type == "const_block") {
        if (computes(node)) return true;
      } else if (type == "const_item" && depth > 1 && is_generic_at[depth - 2]) {
        if (computes(field(node, "value"))) return true;
      }
      before = std::exchange(last, type);
    } while (walk.next());
    return false;
  }

 private:
  std::string_view text_of(TSNode node) const {
    const size_t begin = ts_node_start_byte(node);
    return std::string_view(text_).substr(begin, ts_node_end_byte(node) - begin);
  }

  // A trait, or an implementation with parameters other than lifetimes.
  static bool is_generic(TSNode node, std::string_view type) {
    if (type == "trait_item") return true;
    if (type != "impl_item") return false;
    const TSNode parameters = field(node, "type_parameters");
    if (ts_node_is_null(parameters)) return false;
    for (uint32_t i = 0; i < ts_node_named_child_count(parameters); ++i) {
      const std::string_view kind = ts_node_type(ts_node_named_child(parameters, i));
      if (!is_one_of(kind, {"lifetime", "lifetime_parameter", "line_comment", "block_comment"}))
        return true;
    }
    return false;
  }

  // Anything but literals, names, and their combinations: "Some(1)" is one, "size(1)" is not.
  bool computes(TSNode value) const {
    if (ts_node_is_null(value)) return false;
    Walk walk(value);
    do {
      const TSNode node = walk.node();
      const std::string_view type = ts_node_type(node);
      if (type == "unary_expression" && !is_literal(ts_node_named_child(node, 0))) return true;
      if (type == "call_expression" && !is_constructor(field(node, "function"))) return true;
      if (is_one_of(type, {"binary_expression", "index_expression", "macro_invocation",
                           "if_expression", "match_expression", "while_expression",
                           "loop_expression", "compound_assignment_expr"}))
        return true;
    } while (walk.next());
    return false;
  }

  static bool is_literal(TSNode node) {
    return !ts_node_is_null(node) && std::string_view(ts_node_type(node)).ends_with("_literal");
  }

  bool is_constructor(TSNode called) const {
    const std::string_view type = ts_node_is_null(called) ? "" : ts_node_type(called);
    if (!is_one_of(type, {"identifier", "scoped_identifier"})) return false;
    std::string_view name = text_of(called);
    name = trimmed(name.substr(name.rfind(':') + 1));
    return !name.empty() && name.front() >= 'A' && name.front() <= 'Z';
  }

  const std::string text_;
  const TSNode root_;
};

}  // namespace

bool may_fail_when_generated(const Text& source) {
  if (!source.str().contains("const")) return false;
  const auto tree = SyntaxTree::parse(*language_with_id("rust"), source);
  return !tree || Constants(*tree).may_fail();
}

}  // namespace bodkin
