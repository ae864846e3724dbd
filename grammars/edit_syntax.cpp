// Implements the edit engine's syntax interface (edits/plan/syntax.h) on parsed trees.
//
// The guard, new_errors, must be silent unless an edit broke something: files were broken before,
// and grammars fail on macros that compilers understand. So an error counts as old if the same line
// of text had an error before, wherever it is now; and if there are no more errors than before, the
// edit is not blamed for errors that moved.
#include <tree_sitter/api.h>

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <set>

#include "edits/text/stopping.h"
#include "grammars/node.h"
#include "grammars/outline.h"
#include "grammars/syntax_tree.h"

namespace bodkin {
namespace {

constexpr size_t kKeptTrees = 8;
constexpr size_t kMaxBlocks = 200'000;

bool has_methods_in_classes_only(std::string_view id) {
  for (const std::string_view known :
       {"javascript", "javascriptreact", "typescript", "typescriptreact", "java", "csharp", "php"})
    if (id == known) return true;
  return false;
}

// A body without brackets, as Python's, has no head of its own; comments and strings hold no code.
bool is_not_a_block(std::string_view kind, char first) {
  const auto has = [&](std::string_view part) { return kind.find(part) != kind.npos; };
  if (has("comment") || has("string") || has("template_chars") || kind == "ERROR") return true;
  return std::string_view("{[(<").find(first) == std::string_view::npos &&
         (has("block") || has("body") || has("suite") || has("statements") || has("_list"));
}

// The sketch's text without its elisions; in Python, whose blocks end with the indentation, with a
// statement indented like the following line instead.
std::string without_elisions(const Text& text, const std::vector<char>& elided,
                             bool by_indentation) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < text.line_count(); ++i) lines.push_back(text.line(i));
  const auto indentation = [](const std::string& line) {
    return std::min(line.find_first_not_of(" \t"), line.size());
  };
  const auto is_blank = [&](size_t i) { return indentation(lines[i]) == lines[i].size(); };
  for (size_t i = lines.size(); i-- > 0;) {
    if (i >= elided.size() || !elided[i]) continue;
    const size_t own = indentation(lines[i]);
    std::string space = lines[i].substr(0, own);
    lines[i].clear();
    if (!by_indentation) continue;
    size_t next = i + 1;  // already filled if it elides, too
    while (next < lines.size() && is_blank(next)) ++next;
    if (next < lines.size() && indentation(lines[next]) > own)
      space = lines[next].substr(0, indentation(lines[next]));
    size_t above = i;
    while (above > 0 && is_blank(above - 1)) --above;
    if (above > 0 && lines[above - 1].ends_with(':') &&
        indentation(lines[above - 1]) >= space.size())
      space = lines[above - 1].substr(0, indentation(lines[above - 1])) + "    ";
    lines[i] = space + "pass";
  }
  std::string out;
  for (const std::string& line : lines) out.append(line).push_back('\n');
  return out;
}

std::vector<SyntaxBlock> blocks_of(const SyntaxTree& tree) {
  const Text& text = tree.text();
  std::vector<SyntaxBlock> blocks;
  const Outline all = outline(tree);
  for (const Symbol& symbol : all.symbols) {
    SyntaxBlock block{symbol.lines,         symbol.comment_line, symbol.lines.end,
                      name_of(symbol.kind), symbol.name,         true};
    if (symbol.body_begin < symbol.end) {
      // A bracket opens the body on the head's last line; without one the body's line is its own.
      const size_t line = text.line_of(symbol.body_begin);
      const bool bracket = std::string_view("{[(<").find(text.substr(symbol.body_begin, 1)[0]) !=
                           std::string_view::npos;
      block.body_line = bracket || line == text.line_of(symbol.name_begin) ? line + 1 : line;
      block.body_line = std::min(block.body_line, block.lines.end);
      // Blank lines and comments before the first statement are the body's.
      for (; !bracket && block.body_line > block.lines.begin + 1; --block.body_line) {
        const std::string above = collapsed(text.line(block.body_line - 1));
        if (!above.empty() && !above.starts_with("#")) break;
      }
    }
    blocks.push_back(std::move(block));
  }
  for (const LineRange lines : all.imports) {
    const size_t begin = text.line_begin(lines.begin), end = text.line_end(lines.end - 1);
    blocks.push_back({lines, lines.begin, lines.end, "import",
                      collapsed(text.substr(begin, end - begin)), true});
  }
  std::set<std::pair<size_t, size_t>> known;
  for (const SyntaxBlock& block : blocks) known.insert({block.lines.begin, block.lines.end});
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree.tree()));
  for (bool go = ts_tree_cursor_goto_first_child(&cursor); go && !is_stopped();) {
    const TSNode node = ts_tree_cursor_current_node(&cursor);
    const size_t begin = ts_node_start_byte(node), end = ts_node_end_byte(node);
    const size_t first = text.line_of(begin), last = text.line_of(end > begin ? end - 1 : end);
    if (last > first) {
      if (ts_node_is_named(node) && !is_not_a_block(ts_node_type(node), text.substr(begin, 1)[0]) &&
          known.insert({first, last + 1}).second)
        blocks.push_back({{first, last + 1}, first, first + 1, ts_node_type(node), "", false});
      if (blocks.size() < kMaxBlocks && ts_tree_cursor_goto_first_child(&cursor)) continue;
    }
    while (go && !ts_tree_cursor_goto_next_sibling(&cursor))
      go = ts_tree_cursor_goto_parent(&cursor);
  }
  ts_tree_cursor_delete(&cursor);
  std::ranges::stable_sort(blocks, [](const SyntaxBlock& a, const SyntaxBlock& b) {
    return a.lines.begin != b.lines.begin ? a.lines.begin < b.lines.begin
                                          : a.lines.end > b.lines.end;
  });
  return blocks;
}

class ParsedSyntax : public Syntax {
 public:
  bool knows(std::string_view path) const override { return language_of(path) != nullptr; }

  std::optional<std::vector<size_t>> new_errors(std::string_view path, const Text& before,
                                                const Text& after) const override {
    std::optional<SyntaxTree> old_tree = tree_of(path, before, nullptr);
    std::optional<SyntaxTree> new_tree = tree_of(path, after, old_tree ? &*old_tree : nullptr);
    if (!new_tree) return std::nullopt;
    if (old_tree) return bodkin::new_errors(*old_tree, *new_tree);
    if (!syntax_errors(*new_tree, 1).empty()) return std::nullopt;
    return std::vector<size_t>();
  }

  std::vector<SyntaxBlock> blocks(std::string_view path, const Text& text,
                                  const std::vector<char>* elided) const override {
    const Language* language = language_of(path, text.substr(0, 200));
    if (!language) return {};
    if (!elided) {
      std::optional<SyntaxTree> tree = tree_of(path, text, nullptr);
      return tree ? blocks_of(*tree) : std::vector<SyntaxBlock>();
    }
    const std::string filled = without_elisions(text, *elided, language->id == "python");
    Result<SyntaxTree> tree = SyntaxTree::parse(*language, Text(filled));
    if (!tree) return {};
    if (!tree->has_errors()) return blocks_of(*tree);
    if (!has_methods_in_classes_only(language->id)) return {};
    // One line before it and one after: line numbers must be adjusted.
    Result<SyntaxTree> wrapped =
        SyntaxTree::parse(*language, Text("class Fragment {\n" + filled + "\n}\n"));
    if (!wrapped || wrapped->has_errors()) return {};
    std::vector<SyntaxBlock> blocks = blocks_of(*wrapped);
    std::erase_if(blocks, [](const SyntaxBlock& block) { return block.lines.begin == 0; });
    for (SyntaxBlock& block : blocks)
      for (size_t* line :
           {&block.lines.begin, &block.lines.end, &block.comment_line, &block.body_line})
        --*line;
    return blocks;
  }

 private:
  struct Kept {
    const Language* language;
    Text text;
    std::optional<SyntaxTree> tree;  // a text abandoned once is abandoned at once
  };

  std::optional<SyntaxTree> tree_of(std::string_view path, const Text& text,
                                    const SyntaxTree* previous) const {
    const Language* language = language_of(path, text.substr(0, 200));
    if (!language) return std::nullopt;
    {
      std::lock_guard lock(mutex_);
      for (const Kept& kept : kept_)
        if (kept.language == language && kept.text == text) return kept.tree;
    }
    Result<SyntaxTree> parsed = SyntaxTree::parse(*language, text, {}, previous);
    Kept kept{language, text, std::nullopt};
    if (parsed) kept.tree = *std::move(parsed);
    std::lock_guard lock(mutex_);
    kept_.push_back(kept);
    if (kept_.size() > kKeptTrees) kept_.pop_front();
    return kept.tree;
  }

  mutable std::mutex mutex_;
  mutable std::deque<Kept> kept_;
};

}  // namespace

std::vector<size_t> new_errors(const SyntaxTree& before, const SyntaxTree& after) {
  const std::vector<SyntaxError> errors = syntax_errors(after);
  if (errors.empty()) return {};
  const std::vector<SyntaxError> old_errors = syntax_errors(before);
  if (errors.size() <= old_errors.size()) return {};
  std::map<std::string, size_t> known;  // a line's text -> how many errors begin on such lines
  for (const SyntaxError& error : old_errors) ++known[before.text().line(error.line)];
  std::vector<size_t> lines;
  for (const SyntaxError& error : errors) {
    auto old = known.find(after.text().line(error.line));
    if (old != known.end() && old->second > 0)
      --old->second;
    else if (lines.empty() || lines.back() != error.line)
      lines.push_back(error.line);
  }
  return lines;
}

std::unique_ptr<Syntax> make_syntax() { return std::make_unique<ParsedSyntax>(); }

}  // namespace bodkin
