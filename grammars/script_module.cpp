#include "grammars/script_module.h"

#include <algorithm>
#include <set>

#include "edits/plan/syntax.h"
#include "grammars/each_node.h"
#include "grammars/languages.h"

namespace bodkin {

namespace {

// The parameters of the function that node wraps a CommonJS module in.
constexpr std::string_view kOfWrapper[] = {"exports", "require", "module", "__filename",
                                           "__dirname"};

std::string_view parent_type(TSNode node) {
  const TSNode parent = ts_node_parent(node);
  return ts_node_is_null(parent) ? "" : ts_node_type(parent);
}

}  // namespace

ScriptModule script_module(std::string_view path, const Text& text) {
  ScriptModule module;
  const Language* language = language_of(path, text.substr(0, 200));
  if (!language || text.size() > kParsedAtOnce) return module;
  const auto tree = SyntaxTree::parse(*language, text);
  if (!tree) return module;
  std::set<std::string> declared;
  each_node(*tree, [&](TSNode node, std::string_view type, std::string_view field) {
    const size_t begin = ts_node_start_byte(node), size = ts_node_end_byte(node) - begin;
    const auto line = [&] { return text.line_of(begin); };
    const std::string_view parent = parent_type(node);
    if (type == "import_statement" || type == "export_statement") {
      module.syntax.emplace(type.substr(0, 6), line());
    } else if (type == "string" && size > 2) {
      bool is_source = field == "source";
      if (parent == "arguments") {
        const TSNode call = ts_node_parent(ts_node_parent(node));
        const TSNode called = ts_node_child_by_field_name(call, "function", 8);
        is_source = !ts_node_is_null(called) && ts_node_type(called) == std::string_view("import");
      }
      if (is_source) module.sources.emplace(text.substr(begin + 1, size - 2), line());
    } else if (type.ends_with("identifier") && size < 12) {
      const std::string word = text.substr(begin, size);
      if (std::ranges::find(kOfWrapper, word) == std::end(kOfWrapper)) return;
      const bool is_used = (parent == "call_expression" && field == "function") ||
                           (parent == "member_expression" && field == "object") ||
                           parent == "arguments" || parent == "template_substitution" ||
                           field == "value" || field == "right" ||
                           type == "shorthand_property_identifier";
      if (is_used)
        module.commonjs.emplace(word, line());
      else if (type != "property_identifier")
        declared.insert(word);  // or asked for: typeof
    }
  });
  for (const std::string& word : declared) module.commonjs.erase(word);
  return module;
}

}  // namespace bodkin
