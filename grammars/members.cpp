#include "grammars/members.h"

#include <tree_sitter/api.h>

#include "edits/plan/syntax.h"
#include "grammars/languages.h"
#include "grammars/syntax_tree.h"

namespace bodkin {

std::vector<Member> members_in(std::string_view path, const Text& text) {
  std::vector<Member> members;
  const Language* language = language_of(path, text.substr(0, 200));
  if (!language || text.size() > kParsedAtOnce) return members;
  const auto tree = SyntaxTree::parse(*language, text);
  if (!tree) return members;
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree->tree()));
  for (bool goes_on = true; goes_on;) {
    const TSNode node = ts_tree_cursor_current_node(&cursor);
    const std::string_view type = ts_node_type(node);
    const char* const field = ts_tree_cursor_current_field_name(&cursor);
    const std::string_view name = field ? field : "";
    if ((type == "identifier" && name == "attribute") ||
        (type == "property_identifier" && name == "property")) {
      const size_t begin = ts_node_start_byte(node), end = ts_node_end_byte(node);
      members.push_back({text.substr(begin, end - begin), begin});
    }
    if (ts_tree_cursor_goto_first_child(&cursor)) continue;
    while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
      if (ts_tree_cursor_goto_parent(&cursor)) continue;
      goes_on = false;
      break;
    }
  }
  ts_tree_cursor_delete(&cursor);
  return members;
}

}  // namespace bodkin
