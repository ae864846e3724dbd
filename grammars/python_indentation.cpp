#include "grammars/python_indentation.h"

#include <tree_sitter/api.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

constexpr size_t kTab = 8;        // columns
constexpr int kMaxNested = 1000;  // nodes; Python has at most 100 blocks in one another

// True for nodes that may contain a block.
bool may_contain_blocks(std::string_view type) {
  return is_one_of(
      type, {"module", "block", "decorated_definition", "class_definition", "function_definition",
             "if_statement", "elif_clause", "else_clause", "for_statement", "while_statement",
             "try_statement", "except_clause", "except_group_clause", "finally_clause",
             "with_statement", "match_statement", "case_clause"});
}

class Walk {
 public:
  Walk(const SyntaxTree& tree, size_t limit)
      : text_(tree.text()), limit_(limit), root_(ts_tree_root_node(tree.tree())) {}

  std::vector<SyntaxError> errors() {
    visit(root_, 0, 0);
    return std::move(errors_);
  }

 private:
  // The column in which the node begins; nullopt: other code is before it on its line.
  std::optional<size_t> column_of(TSNode node) const {
    const size_t begin = ts_node_start_byte(node), line = text_.line_of(begin);
    const size_t from = text_.line_begin(line);
    const std::string before = text_.substr(from, begin - from);
    size_t column = 0;
    for (const char c : before) {
      if (c == '\t')
        column = (column / kTab + 1) * kTab;
      else if (c == ' ')
        ++column;
      else if (c == '\f')
        column = 0;
      else if (!(column == 0 && static_cast<unsigned char>(c) >= 0x80))  // a byte order mark
        return std::nullopt;
    }
    return column;
  }

  void report(TSNode node) {
    const size_t begin = ts_node_start_byte(node);
    errors_.push_back({begin, begin, text_.line_of(begin)});
  }

  // `least`: the column that statements of a block here must at least have.
  void visit(TSNode node, size_t least, int depth) {
    if (depth > kMaxNested) return;
    const std::string_view type = ts_node_type(node);
    const bool is_block = type == "block" || type == "module";
    std::optional<size_t> own = is_block ? std::nullopt : column_of(node), statements;
    TSTreeCursor cursor = ts_tree_cursor_new(node);
    for (bool go = ts_tree_cursor_goto_first_child(&cursor); go && errors_.size() < limit_;
         go = ts_tree_cursor_goto_next_sibling(&cursor)) {
      const TSNode child = ts_tree_cursor_current_node(&cursor);
      const std::string_view kind = ts_node_type(child);
      if (!ts_node_is_named(child) || kind == "comment" || ts_node_is_extra(child)) continue;
      if (is_block && !ts_node_has_error(node)) {
        const auto column = column_of(child);
        if (column && !statements) {
          statements = column;
          if (*column < least || (type == "module" && *column > 0)) report(child);
        } else if (column && *column != *statements) {
          report(child);
        }
      }
      const bool goes_on =
          type == "decorated_definition" || (kind != "with_clause" && kind.ends_with("_clause"));
      if (!is_block && goes_on && own && !ts_node_has_error(node))
        if (const auto column = column_of(child); column && *column != *own) report(child);
      if (kind == "block" && !ts_node_has_error(child) && is_empty(child)) {
        report(node);
        continue;
      }
      if (may_contain_blocks(kind)) visit(child, own ? *own + 1 : least, depth + 1);
    }
    ts_tree_cursor_delete(&cursor);
  }

  static bool is_empty(TSNode block) {
    for (uint32_t i = 0; i < ts_node_named_child_count(block); ++i)
      if (std::string_view(ts_node_type(ts_node_named_child(block, i))) != "comment") return false;
    return true;
  }

  const Text& text_;
  const size_t limit_;
  const TSNode root_;
  std::vector<SyntaxError> errors_;
};

}  // namespace

std::vector<SyntaxError> indentation_errors(const SyntaxTree& tree, size_t limit) {
  return Walk(tree, limit).errors();
}

}  // namespace bodkin
