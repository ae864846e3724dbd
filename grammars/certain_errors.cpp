#include "grammars/certain_errors.h"

#include <tree_sitter/api.h>

#include <algorithm>
#include <string>

#include "edits/text/line_keys.h"
#include "grammars/languages.h"
#include "grammars/python_indentation.h"
#include "grammars/syntax_tree.h"

namespace bodkin {
namespace {

constexpr std::string_view kOpeners = "([{", kClosers = ")]}", kQuotes = "\"'`";

// The halves in a text that lack the other one.
struct Halves {
  size_t words = 0;  // blocks without "fi" or "end"
  size_t ends = 0;   // statements without a semicolon
  size_t signs = 0;  // brackets and quotes; by the tokens, so that those in strings do not count
};

Halves lone_halves(const SyntaxTree& tree) {
  const bool has_lone_brackets = tree.language().id == "shellscript";  // "a)" begins a case
  Halves lone;
  std::string open;
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree.tree()));
  for (bool goes_on = true; goes_on;) {
    if (ts_tree_cursor_goto_first_child(&cursor)) continue;
    const TSNode node = ts_tree_cursor_current_node(&cursor);
    const std::string_view type = ts_node_type(node);  // of a token its text: "(", "${"
    if (ts_node_is_missing(node)) {                    // the grammar has put it in
      // A label needs no statement behind it.
      lone.ends += type == ";" && !ts_node_is_null(ts_node_prev_sibling(node));
      lone.words += is_one_of(type, {"fi", "done", "esac", "end"});
      lone.signs +=
          type == "string_end" || (!type.empty() && type.find_first_not_of(kQuotes) == type.npos);
    } else if (!has_lone_brackets && !ts_node_is_named(node) && !type.empty()) {
      if (const size_t closer = kClosers.find(type.front()); closer != kClosers.npos) {
        if (open.ends_with(kOpeners[closer]))
          open.pop_back();
        else
          ++lone.signs;
      }
      if (kOpeners.contains(type.back())) open += type.back();
    }
    while (!(goes_on = ts_tree_cursor_goto_next_sibling(&cursor)))
      if (!ts_tree_cursor_goto_parent(&cursor)) break;
  }
  ts_tree_cursor_delete(&cursor);
  lone.signs += open.size();
  return lone;
}

// How many more of each bracket open than close, in strings and comments too, and whether the
// number of each quote is odd. If an edit leaves that unchanged, a grammar that misses one has
// misread something.
std::vector<long> balance(const Text& text) {
  std::vector<long> counts;
  const std::string bytes = text.str();
  for (size_t i = 0; i < kOpeners.size(); ++i)
    counts.push_back(std::ranges::count(bytes, kOpeners[i]) -
                     std::ranges::count(bytes, kClosers[i]));
  for (const char quote : kQuotes) counts.push_back(std::ranges::count(bytes, quote) % 2);
  return counts;
}

bool is_with_comments(std::string_view path) {
  const std::string_view name = path.substr(path.find_last_of('/') + 1);
  const bool is_configuration = name.starts_with("tsconfig") || name.starts_with("jsconfig") ||
                                is_one_of(name, {"devcontainer.json", ".eslintrc.json"});
  return is_configuration || !name.ends_with(".json") || path.starts_with(".vscode/") ||
         path.contains("/.vscode/");
}

// Languages that no longer change, so that the grammar knows all of them.
bool is_finished(const Language& language, std::string_view path, const Text& text) {
  if (language.id == "json") return !is_with_comments(path);
  if (language.id == "xml") return true;
  if (language.id != "yaml") return false;
  const std::string bytes = text.str();  // of Helm, Jinja or Ansible: a template is no YAML yet
  return !bytes.contains("{{") && !bytes.contains("{%");
}

}  // namespace

std::optional<std::vector<size_t>> certain_errors(const Syntax& syntax, std::string_view path,
                                                  const Text& before, const Text& after) {
  auto lines = syntax.new_errors(path, before, after);
  const Language* language = language_of(path, after.substr(0, 200));
  if (!lines || lines->empty() || !language || is_finished(*language, path, after)) return lines;
  const auto now = SyntaxTree::parse(*language, after), old = SyntaxTree::parse(*language, before);
  if (!now || !old) return std::nullopt;
  const Halves lone = lone_halves(*now), old_lone = lone_halves(*old);
  const bool is_torn = lone.words > old_lone.words ||
                       (lone.signs > old_lone.signs && balance(before) != balance(after));
  // The grammar knows everything there, and inserts what is missing.
  const bool only_lacks = !old->has_errors() && syntax_errors(*now).size() == lone.ends;
  const bool is_misplaced = language->id == "python" && indentation_errors(*now, 1000).size() >
                                                            indentation_errors(*old, 1000).size();
  return is_torn || only_lacks || is_misplaced ? lines : std::nullopt;
}

}  // namespace bodkin
