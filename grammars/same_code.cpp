#include "grammars/same_code.h"

#include <tree_sitter/api.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "edits/plan/syntax.h"
#include "edits/text/line_keys.h"
#include "grammars/languages.h"
#include "grammars/syntax_tree.h"

namespace bodkin {
namespace {

// Blanks between these nodes' children are text.
bool holds_text(std::string_view type) {
  return contains_any(type, {"string", "char", "regex", "template", "text", "heredoc", "jsx"});
}

// A comment that only people read. Comments for tools begin with a word for them, wherever a new
// comment may begin.
bool is_plain(std::string_view note) {
  std::string text;
  for (const char c : note) text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (contains_any(text,
                   {"@", "<", "+build", "fall", "\\\n", "\\\r", "#!", "///", "//!", "/**", "/*!"}))
    return false;
  static constexpr std::string_view kWords[] = {
      "eslint", "export", "flake8", "isort",  "jshint", "jsx",     "lint", "mypy",
      "noqa",   "nolint", "nosec",  "pragma", "pylint", "pyright", "ruff", "shellcheck"};
  static constexpr std::string_view kWithColon[] = {"coding",   "encoding", "fmt",  "frozen",
                                                    "language", "go",       "type", "typed"};
  for (size_t at = 0; at < text.size();) {
    const size_t word = text.find_first_of("abcdefghijklmnopqrstuvwxyz", at);
    if (word == text.npos) break;
    const size_t end =
        std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789", word), text.size());
    const std::string_view first = std::string_view(text).substr(word, end - word);
    if (std::ranges::find(kWords, first) != std::end(kWords)) return false;
    if (end < text.size() && std::string_view(":=_").contains(text[end]) &&
        std::ranges::find(kWithColon, first) != std::end(kWithColon))
      return false;
    at = text.find_first_of("#/*\n-", end);
    if (at == text.npos) break;
  }
  return true;
}

class Reader {
 public:
  explicit Reader(const SyntaxTree& tree) : bytes_(tree.text().str()) {
    read(ts_tree_root_node(tree.tree()), 0);
  }
  // Nodes and tokens, one after the other, and the lines of comments that tools read.
  std::string take() { return std::move(shape_); }

 private:
  // Takes the text between tokens, from `at_` on.
  void skip_to(size_t begin, bool is_text) {
    const std::string_view gap = std::string_view(bytes_).substr(at_, begin - at_);
    if (is_text || gap.find_first_not_of(" \t\r\n\f\v") != gap.npos) shape_ += gap;
    at_ = begin;
  }

  void read(TSNode node, int depth) {
    constexpr int kDeepest = 2000;
    const std::string_view type = ts_node_type(node);
    const size_t begin = ts_node_start_byte(node), end = ts_node_end_byte(node);
    if (ts_node_is_named(node) && type.contains("comment")) {
      skip_to(std::max(begin, at_), false);
      if (!is_plain(std::string_view(bytes_).substr(begin, end - begin))) {
        const size_t first = bytes_.rfind('\n', begin) + 1;  // npos + 1 is 0
        shape_ += '\0' + bytes_.substr(first, bytes_.find('\n', end) - first);
      }
      at_ = std::max(end, at_);
      return;
    }
    shape_ += '\0' + std::to_string(depth) + ' ' + std::to_string(ts_node_symbol(node)) + ' ';
    const uint32_t count = depth < kDeepest ? ts_node_child_count(node) : 0;
    if (count == 0) {
      skip_to(std::max(begin, at_), false);
      shape_ += bytes_.substr(at_, std::max(end, at_) - at_);
      at_ = std::max(end, at_);
      return;
    }
    const bool is_text = holds_text(type);
    TSTreeCursor cursor = ts_tree_cursor_new(node);
    bool is_first = true;
    for (bool goes_on = ts_tree_cursor_goto_first_child(&cursor); goes_on;
         goes_on = ts_tree_cursor_goto_next_sibling(&cursor)) {
      const TSNode child = ts_tree_cursor_current_node(&cursor);
      skip_to(std::max<size_t>(ts_node_start_byte(child), at_), is_text && !is_first);
      is_first = false;
      read(child, depth + 1);
    }
    ts_tree_cursor_delete(&cursor);
    skip_to(std::max(end, at_), is_text);
  }

  const std::string bytes_;
  size_t at_ = 0;
  std::string shape_;
};

}  // namespace

bool is_same_code(std::string_view path, const Text& before, const Text& after) {
  if (std::max(before.size(), after.size()) > kParsedAtOnce) return false;
  const Language* language = language_of(path, after.substr(0, 200));
  if (!language || language != language_of(path, before.substr(0, 200))) return false;
  const auto old = SyntaxTree::parse(*language, before), now = SyntaxTree::parse(*language, after);
  if (!old || !now || old->has_errors() || now->has_errors() || !old->blanks().empty() ||
      !now->blanks().empty() || !syntax_errors(*now, 1).empty())
    return false;
  if (Reader(*old).take() != Reader(*now).take()) return false;
  const std::string bytes = after.str();
  const bool counts_lines = contains_any(bytes, {"__LINE__", "line!", "source_location", "#line"});
  return !bytes.contains("import \"C\"") &&
         (!counts_lines || before.line_count() == after.line_count());
}

}  // namespace bodkin
