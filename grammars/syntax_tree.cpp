// tree-sitter counts lines by \n alone, Text also by a lone \r: so only byte offsets are exchanged,
// and the Text gives the lines. The only place where tree-sitter's own rows and columns matter is
// the edit that makes an incremental parse (its lexer re-reads a line from the column that it was
// told); a text with a lone \r is therefore always reparsed from scratch.
#include "grammars/syntax_tree.h"

#include <tree_sitter/api.h>

#include <algorithm>
#include <iterator>

#include "edits/text/stopping.h"
#include "grammars/budget.h"
#include "grammars/parse_guard.h"
#include "grammars/python_indentation.h"

namespace bodkin {
namespace {

// A larger change is checked by the guard like a new text.
constexpr size_t kSmallChange = 4096;  // bytes

struct TreeDelete {
  void operator()(const TSTree* tree) const { ts_tree_delete(const_cast<TSTree*>(tree)); }
};
using OwnedTree = std::unique_ptr<TSTree, TreeDelete>;

struct ParserDelete {
  void operator()(TSParser* parser) const { ts_parser_delete(parser); }
};

// Where nothing matches, tree-sitter steps through the text byte by byte without checking for
// cancellation, and a scanner may read to the end from each byte. So the reader also checks the
// budget, every few lines; when it is spent the text ends, and the tree is discarded.
struct Reader {
  static constexpr size_t kAtOnce = 1024;  // bytes
  const Text& text;
  const Budget& budget;
  bool was_cut = false;
};

const char* read_text(void* payload, uint32_t offset, TSPoint, uint32_t* length) {
  Reader& reader = *static_cast<Reader*>(payload);
  std::string_view chunk;
  if (!reader.was_cut && reader.budget.is_spent()) {
    // Not at once: the lexer, inside of a character, does not expect the end.
    static constexpr char kNuls[16] = {};
    chunk = {kNuls, sizeof kNuls};
    reader.was_cut = true;
  } else if (!reader.was_cut) {
    chunk = reader.text.chunk_at(offset).substr(0, Reader::kAtOnce);
  }
  *length = static_cast<uint32_t>(chunk.size());
  return chunk.empty() ? "" : chunk.data();
}

bool has_lone_return(const Text& text, size_t begin, size_t end) {
  end = std::min(end, text.size());
  for (size_t at = begin; at < end;) {
    std::string_view chunk = text.chunk_at(at).substr(0, end - at);
    for (size_t i = chunk.find('\r'); i != chunk.npos; i = chunk.find('\r', i + 1))
      if (text.chunk_at(at + i + 1).substr(0, 1) != "\n") return true;
    at += chunk.size();
  }
  return false;
}

size_t common_prefix(const Text& a, const Text& b) {
  size_t at = 0, limit = std::min(a.size(), b.size());
  while (at < limit) {
    std::string_view x = a.chunk_at(at), y = b.chunk_at(at);
    size_t n = std::min(x.size(), y.size());
    if (x.data() != y.data()) {  // a shared chunk is equal without looking
      size_t same = std::mismatch(x.begin(), x.begin() + n, y.begin()).first - x.begin();
      if (same < n) return at + same;
    }
    at += n;
  }
  return limit;
}

// The number of equal bytes at the end, not counting the first `prefix` ones of either. Looks at
// blocks from the end; in each, chunk_at gives contiguous bytes.
size_t common_suffix(const Text& a, const Text& b, size_t prefix) {
  constexpr size_t kBlock = 4096;
  size_t limit = std::min(a.size(), b.size()) - prefix, same = 0;
  while (same < limit) {
    size_t n = std::min(kBlock, limit - same);
    size_t in_a = a.size() - same - n, in_b = b.size() - same - n;
    std::string_view x = a.chunk_at(in_a), y = b.chunk_at(in_b);
    bool whole = x.size() >= n && y.size() >= n;
    if (whole && (x.data() == y.data() || x.substr(0, n) == y.substr(0, n))) {
      same += n;
      continue;
    }
    std::string left = a.substr(in_a, n), right = b.substr(in_b, n);
    size_t equal = std::mismatch(left.rbegin(), left.rend(), right.rbegin()).first - left.rbegin();
    same += equal;
    if (equal < n) break;
  }
  return same;
}

TSPoint point(const Text& text, size_t offset) {  // for texts without a lone \r
  size_t line = text.line_of(offset);
  return {static_cast<uint32_t>(line), static_cast<uint32_t>(offset - text.line_begin(line))};
}

struct Difference {  // bytes: [begin, before_end) became [begin, after_end)
  size_t begin, before_end, after_end;
  size_t length_after() const { return after_end - begin; }
};

Difference difference(const Text& before, const Text& after) {
  size_t prefix = common_prefix(before, after);
  size_t suffix = common_suffix(before, after, prefix);
  // Not inside a UTF-8 sequence or \r\n: the lexer must see whole characters.
  auto splits = [&](const Text& text, size_t offset) {
    std::string_view next = text.chunk_at(offset).substr(0, 1);
    return !next.empty() && (next == "\n" || (static_cast<unsigned char>(next[0]) & 0xC0) == 0x80);
  };
  while (prefix > 0 && (splits(before, prefix) || splits(after, prefix))) --prefix;
  while (suffix > 0 && splits(after, after.size() - suffix)) --suffix;
  return {prefix, before.size() - suffix, after.size() - suffix};
}

// The tree of `before`, edited to match `after`.
OwnedTree edited(const TSTree* tree, const Text& before, const Text& after,
                 const Difference& changed) {
  TSInputEdit edit{
      static_cast<uint32_t>(changed.begin),     static_cast<uint32_t>(changed.before_end),
      static_cast<uint32_t>(changed.after_end), point(before, changed.begin),
      point(before, changed.before_end),        point(after, changed.after_end)};
  OwnedTree copy(ts_tree_copy(tree));
  ts_tree_edit(copy.get(), &edit);
  return copy;
}

// Null when the budget is spent.
OwnedTree parse_text(const Language& language, const Text& text, const TSTree* old,
                     Budget& budget) {
  std::unique_ptr<TSParser, ParserDelete> parser(ts_parser_new());
  ts_parser_set_language(parser.get(), language.grammar());
  Reader reader{text, budget};
  TSInput input{&reader, read_text, TSInputEncodingUTF8, nullptr};
  TSParseOptions options{&budget, [](TSParseState* state) {
                           return static_cast<const Budget*>(state->payload)->is_spent();
                         }};
  OwnedTree tree(ts_parser_parse_with_options(parser.get(), old, input, options));
  if (reader.was_cut) tree.reset();
  return tree;
}

// How much of the text is not in the tree: the nodes directly in errors. (The number of errors says
// little: a file that fails completely is one error.)
size_t error_weight(const SyntaxTree& tree) {
  size_t weight = 0;
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree.tree()));
  while (true) {
    TSNode node = ts_tree_cursor_current_node(&cursor);
    if (ts_node_is_error(node)) weight += 1 + ts_node_child_count(node);
    if (ts_node_is_missing(node)) ++weight;
    if (ts_node_has_error(node) && ts_tree_cursor_goto_first_child(&cursor)) continue;
    bool more = false;
    while (!(more = ts_tree_cursor_goto_next_sibling(&cursor)))
      if (!ts_tree_cursor_goto_parent(&cursor)) break;
    if (!more) break;
  }
  ts_tree_cursor_delete(&cursor);
  return weight;
}

void collect_errors(const SyntaxTree& tree, size_t limit, std::vector<SyntaxError>& errors) {
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree.tree()));
  for (bool more = true; more && errors.size() < limit;) {
    TSNode node = ts_tree_cursor_current_node(&cursor);
    if (ts_node_is_error(node) || ts_node_is_missing(node)) {
      size_t begin = ts_node_start_byte(node);
      errors.push_back({begin, ts_node_end_byte(node), tree.text().line_of(begin)});
      more = false;  // not what is inside
    } else {
      more = ts_node_has_error(node) && ts_tree_cursor_goto_first_child(&cursor);
    }
    while (!more) {
      if (ts_tree_cursor_goto_next_sibling(&cursor))
        more = true;
      else if (!ts_tree_cursor_goto_parent(&cursor))
        break;
    }
  }
  ts_tree_cursor_delete(&cursor);
}

}  // namespace

SyntaxTree::SyntaxTree(const Language& language, const Text& text, const Text& parsed,
                       std::shared_ptr<const TSTree> tree, bool lone_returns)
    : language_(&language),
      text_(text),
      parsed_(parsed),
      tree_(std::move(tree)),
      lone_returns_(lone_returns) {}

bool SyntaxTree::has_errors() const { return ts_node_has_error(ts_tree_root_node(tree_.get())); }

std::string SyntaxTree::shape() const {
  std::string result;
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree_.get()));
  for (bool more = true; more;) {
    TSNode node = ts_tree_cursor_current_node(&cursor);
    result += std::to_string(ts_tree_cursor_current_depth(&cursor)) + ts_node_type(node) +
              std::to_string(ts_node_start_byte(node)) + "-" +
              std::to_string(ts_node_end_byte(node)) + "\n";
    more = ts_tree_cursor_goto_first_child(&cursor);
    while (!more && !(more = ts_tree_cursor_goto_next_sibling(&cursor)))
      if (!ts_tree_cursor_goto_parent(&cursor)) break;
  }
  ts_tree_cursor_delete(&cursor);
  return result;
}

Result<SyntaxTree> SyntaxTree::parse(const Language& language, const Text& text,
                                     const ParseLimits& limits, const SyntaxTree* previous) {
  const bool is_small_change = previous && text.size() < previous->text_.size() + kSmallChange &&
                               difference(previous->text_, text).length_after() < kSmallChange;
  if (!is_small_change) {
    if (const std::string_view reason = reason_not_to_parse(text); !reason.empty())
      return fail(Error::Code::unavailable, std::string(reason));
  }
  Budget budget(std::min(Budget::time_for(text.size()), limits.time),
                Budget::memory_for(text.size()), limits.stop);
  auto parse_once = [&](const Text& parsed) -> Result<SyntaxTree> {
    OwnedTree old;
    bool lone_returns = false;
    if (previous && previous->language_ == &language && !previous->lone_returns_) {
      Difference changed = difference(previous->parsed_, parsed);
      size_t from = changed.begin == 0 ? 0 : changed.begin - 1;
      lone_returns = has_lone_return(parsed, from, changed.after_end + 1);
      if (!lone_returns) old = edited(previous->tree_.get(), previous->parsed_, parsed, changed);
    } else {
      lone_returns = has_lone_return(parsed, 0, parsed.size());
    }
    OwnedTree tree = parse_text(language, parsed, old.get(), budget);
    if (tree)
      return SyntaxTree(language, text, parsed, {tree.release(), TreeDelete()}, lone_returns);
    if (limits.stop.stop_requested() || is_stopped())
      return fail(Error::Code::cancelled, "Parsing was stopped.");
    return fail(Error::Code::unavailable, "Parsing the file would take too much time or memory.");
  };

  bool has_preprocessor = language.id == "c" || language.id == "cpp";
  bool once = limits.once && has_preprocessor;
  Result<SyntaxTree> tree = fail(Error::Code::unavailable, "");
  if (!once) {
    tree = parse_once(text);
    if (!tree || !has_preprocessor || !tree->has_errors()) return tree;
  }
  std::string bytes = text.str();
  std::vector<Blank> blanks = blanks_for_parsing(bytes);
  if (blanks.empty()) return once ? parse_once(text) : tree;
  for (const Blank& blank : blanks)
    for (size_t i = blank.begin; i < blank.end; ++i)
      if (bytes[i] != '\n' && bytes[i] != '\r') bytes[i] = ' ';
  Result<SyntaxTree> without = parse_once(Text(std::move(bytes)));
  if (once && !without) return without;
  if (!once && (!without || error_weight(*without) >= error_weight(*tree))) return tree;
  without->blanks_ = std::move(blanks);
  return without;
}

std::vector<SyntaxError> syntax_errors(const SyntaxTree& tree, size_t limit) {
  std::vector<SyntaxError> errors;
  if (tree.has_errors()) collect_errors(tree, limit, errors);
  if (tree.language().id != "python") return errors;
  const std::vector<SyntaxError> misplaced = indentation_errors(tree, limit);
  std::vector<SyntaxError> all;
  std::ranges::merge(errors, misplaced, std::back_inserter(all), {}, &SyntaxError::begin,
                     &SyntaxError::begin);
  if (all.size() > limit) all.resize(limit);
  return all;
}

}  // namespace bodkin
