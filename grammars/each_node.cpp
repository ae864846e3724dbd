#include "grammars/each_node.h"

namespace bodkin {

void each_node(const SyntaxTree& tree, const VisitNode& visit) {
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree.tree()));
  for (bool goes_on = true; goes_on;) {
    const TSNode node = ts_tree_cursor_current_node(&cursor);
    const char* const field = ts_tree_cursor_current_field_name(&cursor);
    visit(node, ts_node_type(node), field ? field : "");
    if (ts_tree_cursor_goto_first_child(&cursor)) continue;
    while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
      if (ts_tree_cursor_goto_parent(&cursor)) continue;
      goes_on = false;
      break;
    }
  }
  ts_tree_cursor_delete(&cursor);
}

}  // namespace bodkin
