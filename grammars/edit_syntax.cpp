// What the edit engine asks of syntax (edits/syntax.h), over parsed trees.
//
// The guard, new_errors, must be silent unless an edit broke something: files were broken before,
// and grammars fail on macros that compilers understand. So an error counts as old if the same line
// of text had an error before, wherever it is now; and if the edit leaves no more errors than it
// found, it is not blamed for their having moved.
#include <tree_sitter/api.h>

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>

#include "grammars/outline.h"
#include "grammars/syntax.h"

namespace bodkin {
namespace {

constexpr size_t kKeptTrees = 8;

class ParsedSyntax : public Syntax {
 public:
  bool knows(std::string_view path) const override { return language_of(path) != nullptr; }

  std::vector<size_t> new_errors(std::string_view path, const Text& before,
                                 const Text& after) const override {
    std::optional<SyntaxTree> old_tree = tree_of(path, before, nullptr);
    if (!old_tree) return {};
    std::optional<SyntaxTree> new_tree = tree_of(path, after, &*old_tree);
    if (!new_tree || !new_tree->has_errors()) return {};

    std::vector<SyntaxError> old_errors = syntax_errors(*old_tree);
    std::vector<SyntaxError> errors = syntax_errors(*new_tree);
    std::map<std::string, size_t> known;  // a line's text -> how many errors begin on such lines
    for (const SyntaxError& error : old_errors) ++known[before.line(error.line)];
    std::vector<size_t> lines;
    for (const SyntaxError& error : errors) {
      auto old = known.find(after.line(error.line));
      if (old != known.end() && old->second > 0)
        --old->second;
      else if (lines.empty() || lines.back() != error.line)
        lines.push_back(error.line);
    }
    if (errors.size() <= old_errors.size()) return {};
    return lines;
  }

  bool in_literal(std::string_view path, const Text& text, size_t offset) const override {
    std::optional<SyntaxTree> tree = tree_of(path, text, nullptr);
    if (!tree) return false;
    uint32_t at = static_cast<uint32_t>(std::min(offset, text.size()));
    TSNode node = ts_node_descendant_for_byte_range(ts_tree_root_node(tree->tree()), at, at);
    for (int depth = 0; depth < 64 && !ts_node_is_null(node); ++depth) {
      std::string_view type = ts_node_type(node);
      auto has = [&](std::string_view part) { return type.find(part) != type.npos; };
      if (has("interpolation") || has("substitution")) return false;  // code inside a string
      // The first quote itself is where an edit may begin: it counts as outside.
      if (at > ts_node_start_byte(node) && ts_node_is_named(node) &&
          (has("string") || has("comment") || has("char_literal") || type == "character_literal" ||
           has("regex")))
        return true;
      node = ts_node_parent(node);
    }
    return false;
  }

  std::vector<SyntaxNode> members(std::string_view path, const Text& text, size_t begin,
                                  size_t end) const override {
    std::vector<SyntaxNode> nodes;
    std::optional<SyntaxTree> tree = tree_of(path, text, nullptr);
    if (!tree) return nodes;
    Outline all = outline(*tree);
    std::optional<size_t> parent;
    if (begin != 0 || end < text.size()) {
      auto found = std::ranges::find_if(
          all.symbols, [&](const Symbol& s) { return s.begin == begin && s.end == end; });
      if (found == all.symbols.end()) return nodes;
      parent = found - all.symbols.begin();
    }
    for (const Symbol& symbol : all.symbols)
      if (symbol.parent == parent)
        nodes.push_back(
            {symbol.begin, symbol.end, symbol.lines, name_of(symbol.kind), symbol.name});
    return nodes;
  }

 private:
  struct Kept {
    const Language* language;
    SyntaxTree tree;
  };

  std::optional<SyntaxTree> tree_of(std::string_view path, const Text& text,
                                    const SyntaxTree* previous) const {
    const Language* language = language_of(path, text.substr(0, 200));
    if (!language) return std::nullopt;
    {
      std::lock_guard lock(mutex_);
      for (const Kept& kept : kept_)
        if (kept.language == language && kept.tree.text() == text) return kept.tree;
    }
    Result<SyntaxTree> tree = SyntaxTree::parse(*language, text, {}, previous);
    if (!tree) return std::nullopt;
    std::lock_guard lock(mutex_);
    kept_.push_back({language, *tree});
    if (kept_.size() > kKeptTrees) kept_.pop_front();
    return *tree;
  }

  mutable std::mutex mutex_;
  mutable std::deque<Kept> kept_;
};

}  // namespace

std::unique_ptr<Syntax> make_syntax() { return std::make_unique<ParsedSyntax>(); }

}  // namespace bodkin
