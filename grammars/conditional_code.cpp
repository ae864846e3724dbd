#include "grammars/conditional_code.h"

#include <algorithm>
#include <map>

#include "edits/plan/diff.h"
#include "edits/text/line_keys.h"
#include "grammars/node.h"
#include "grammars/preprocessor_tokens.h"
#include "grammars/syntax_tree.h"

namespace bodkin {

namespace {

// The lines of the new text that the edit adds or changes, or above which it removes some.
std::vector<size_t> changed_lines_of(const ChangedFile& file) {
  std::vector<size_t> result;
  const Text& text = *file.after;
  for (const LineChange& edit : line_changes(file.before.value_or(Text()), text)) {
    const size_t first = text.line_of(edit.new_offset);
    const size_t last =
        edit.text.empty() ? first : text.line_of(edit.new_offset + edit.text.size() - 1);
    for (size_t line = first; line <= last; ++line)
      if (!trimmed(text.line(line)).empty()) result.push_back(line);
  }
  return result;
}

std::string without_blanks(std::string_view text) {
  std::string result;
  std::ranges::copy_if(text, std::back_inserter(result),
                       [](char c) { return c != ' ' && c != '\t' && c != '\r' && c != '\n'; });
  return result;
}

// Whether the first of a file's directives begins the guard of a header, which is all of the file.
bool is_guard(std::string_view text, const std::vector<Directive>& directives) {
  size_t depth = 0;
  for (size_t i = 0; i < directives.size(); ++i) {
    const auto kind = directives[i].kind;
    if (kind == Directive::branches && depth == 1) return false;
    depth += kind == Directive::opens || kind == Directive::opens_false;
    depth -= depth > 0 && kind == Directive::closes;
    if (depth == 0 && i + 1 < directives.size()) return false;
  }
  if (depth > 0 || directives.empty()) return false;
  const Directive& first = directives.front();
  const std::string condition = without_blanks(text.substr(first.begin, first.end - first.begin));
  const std::string below = without_blanks(text.substr(first.end));
  for (const std::string_view start : {"#ifndef", "#if!defined("}) {
    if (!condition.starts_with(start)) continue;
    std::string name = condition.substr(start.size());
    if (name.ends_with(')')) name.pop_back();
    return below.starts_with("#define" + name);
  }
  return false;
}

// A cfg's predicate, over all that is compiled: `all(unix, not(test))`.
class Predicate {
 public:
  Predicate(std::string_view text, const std::set<std::string>& known)
      : text_(text), known_(known) {}
  bool is_true() { return read().can_be; }

 private:
  // Neither: it is not known.
  struct Value {
    bool can_be, can_not;
  };

  void skip(std::string_view characters) {
    at_ = std::min(text_.find_first_not_of(characters, at_), text_.size());
  }
  std::string word() {
    skip(" \t\r\n,");
    const size_t begin = at_;
    while (at_ < text_.size() && (is_word_char(text_[at_]))) ++at_;
    std::string result(text_.substr(begin, at_ - begin));
    skip(" \t\r\n");
    return result;
  }

  Value read() {
    std::string name = word();
    if (name.empty()) return {false, false};
    if (text_.substr(at_, 1) == "(") {
      ++at_;
      Value value = {name != "any", name == "any"};
      while (at_ < text_.size()) {
        skip(" \t\r\n,");
        if (text_.substr(at_, 1) == ")") break;
        const size_t before = at_;
        const Value one = read();
        if (at_ == before) return {false, false};
        if (name == "not") value = {one.can_not, one.can_be};
        if (name == "all") value = {value.can_be && one.can_be, value.can_not || one.can_not};
        if (name == "any") value = {value.can_be || one.can_be, value.can_not && one.can_not};
      }
      ++at_;
      return name == "not" || name == "all" || name == "any" ? value : Value{false, false};
    }
    std::string atom = name;
    if (text_.substr(at_, 1) == "=") {
      ++at_;
      skip(" \t\r\n");
      const size_t end = text_.find('"', at_ + 1);
      if (end == text_.npos) return {false, false};
      atom += "=" + std::string(text_.substr(at_, end + 1 - at_));
      at_ = end + 1;
    }
    const bool is_set = known_.contains(atom);
    if (name == "test") return {is_set, true};
    const bool is_known = name == "unix" || name == "windows" || name == "debug_assertions" ||
                          name == "feature" || name.starts_with("target_");
    return {is_set, is_known && !is_set};
  }

  std::string_view text_;
  const std::set<std::string>& known_;
  size_t at_ = 0;
};

// The condition that the attribute sets, if it is not true.
bool is_false_attribute(const Text& text, TSNode attribute, const std::set<std::string>& known) {
  const std::string words = words_of(text, attribute);
  const size_t open = words.find('(');
  const std::string name = without_blanks(std::string_view(words).substr(0, open));
  if (name != "#[cfg" && name != "#![cfg") return false;
  return !Predicate(std::string_view(words).substr(open + 1), known).is_true();
}

}  // namespace

std::vector<ConditionalChange> changes_below_if(const ChangedFile& file) {
  if (!file.after) return {};
  const Text& text = *file.after;
  const std::string whole = text.str();
  std::vector<Directive> directives;
  std::vector<Blank> blanks;
  const std::vector<Token> tokens = tokens_of(whole, directives, blanks);
  if (is_guard(whole, directives)) {
    directives.pop_back();
    directives.erase(directives.begin());
  }
  if (directives.empty()) return {};
  std::map<size_t, ConditionalChange> by_branch;
  for (const size_t line : changed_lines_of(file)) {
    const size_t begin = text.line_begin(line);
    const size_t end = begin + text.line(line).size();
    const auto token = std::ranges::lower_bound(tokens, begin, {}, &Token::begin);
    const bool has_code = token != tokens.end() && token->begin < end;
    if (!has_code && !trimmed(text.line(line)).starts_with('#')) continue;  // a comment
    std::vector<size_t> open;
    for (size_t i = 0; i < directives.size() && directives[i].begin < begin; ++i) {
      const auto kind = directives[i].kind;
      if (kind == Directive::opens || kind == Directive::opens_false) open.push_back(i);
      if (open.empty()) continue;
      if (kind == Directive::branches) open.back() = i;
      if (kind == Directive::closes) open.pop_back();
    }
    if (open.empty()) continue;
    const Directive& branch = directives[open.back()];
    by_branch.try_emplace(
        open.back(),
        ConditionalChange{line, std::string(trimmed(collapsed(std::string_view(whole).substr(
                                    branch.begin, branch.end - branch.begin))))});
  }
  std::vector<ConditionalChange> result;
  for (auto& [branch, change] : by_branch) result.push_back(std::move(change));
  return result;
}

std::vector<ConditionalChange> changes_below_cfg(const ChangedFile& file,
                                                 const std::set<std::string>& known) {
  const Language* language = language_with_id("rust");
  if (!file.after || !language || !file.after->str().contains("cfg")) return {};
  const Text& text = *file.after;
  const auto tree = SyntaxTree::parse(*language, text);
  if (!tree) return {};
  std::vector<ConditionalChange> result;
  const auto add = [&](size_t line, std::string condition) {
    if (std::ranges::none_of(result, [&](const auto& one) { return one.condition == condition; }))
      result.push_back({line, std::move(condition)});
  };
  for (const size_t line : changed_lines_of(file)) {
    const std::string words = text.line(line);
    const size_t begin = text.line_begin(line) + words.find_first_not_of(" \t");
    TSNode node = ts_node_descendant_for_byte_range(ts_tree_root_node(tree->tree()),
                                                    static_cast<uint32_t>(begin),
                                                    static_cast<uint32_t>(begin + 1));
    if (type_of(node).ends_with("comment")) continue;
    for (; !ts_node_is_null(node); node = ts_node_parent(node)) {
      const auto check = [&](TSNode attribute) {
        if (is_false_attribute(text, attribute, known))
          add(line, collapsed(words_of(text, attribute)));
      };
      for (TSNode above = ts_node_prev_named_sibling(node);
           type_of(above) == "attribute_item" || type_of(above).ends_with("comment");
           above = ts_node_prev_named_sibling(above))
        if (type_of(above) == "attribute_item") check(above);
      for (uint32_t i = 0; i < ts_node_named_child_count(node); ++i) {
        const TSNode child = ts_node_named_child(node, i);
        if (type_of(child) == "inner_attribute_item") check(child);
        if (!type_of(child).ends_with("comment") && type_of(child) != "inner_attribute_item") break;
      }
      if (type_of(node) == "macro_invocation" &&
          words_of(text, field(node, "macro")).ends_with("cfg_if"))
        add(line, "cfg_if!");
    }
  }
  return result;
}

std::vector<size_t> changed_statements(const ChangedFile& file, size_t most) {
  const Language* language = language_with_id("python");
  if (!file.after || !language) return {};
  const Text& text = *file.after;
  const auto tree = SyntaxTree::parse(*language, text);
  if (!tree) return {};
  std::vector<size_t> result;
  for (const size_t line : changed_lines_of(file)) {
    const std::string words = text.line(line);
    const size_t begin = text.line_begin(line) + words.find_first_not_of(" \t\f");
    TSNode node = ts_node_descendant_for_byte_range(ts_tree_root_node(tree->tree()),
                                                    static_cast<uint32_t>(begin),
                                                    static_cast<uint32_t>(begin + 1));
    if (type_of(node) == "comment") continue;
    // Behind a colon in its line, a statement is tried with the one that it is in.
    for (; !ts_node_is_null(node); node = ts_node_parent(node)) {
      const std::string_view parent = type_of(ts_node_parent(node));
      const size_t start = ts_node_start_byte(node);
      const size_t first = text.line_of(start);
      if ((parent != "block" && parent != "module") ||
          !trimmed(text.substr(text.line_begin(first), start - text.line_begin(first))).empty())
        continue;
      result.push_back(first);
      break;
    }
  }
  std::ranges::sort(result);
  const auto rest = std::ranges::unique(result);
  result.erase(rest.begin(), rest.end());
  if (result.size() <= most) return result;
  std::vector<size_t> some;
  for (size_t i = 0; i < most; ++i) some.push_back(result[i * result.size() / most]);
  return some;
}

}  // namespace bodkin
