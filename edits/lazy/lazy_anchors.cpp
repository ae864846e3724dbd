#include "edits/lazy/lazy_anchors.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "edits/lazy/lazy_gaps.h"
#include "edits/place/tokens.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

constexpr size_t kMaxRemoved = 3;  // lines that may go next to a bracket alone

// Words that begin or end a block, or leave one: they occur in many.
constexpr std::string_view kKeywords[] = {
    "return", "throw", "raise",   "break",  "continue", "pass",   "yield", "goto",  "exit",
    "die",    "abort", "else",    "end",    "fi",       "done",   "esac",  "then",  "do",
    "try",    "catch", "finally", "except", "ensure",   "rescue", "begin", "nil",   "null",
    "none",   "true",  "false",   "if",     "elif",     "elsif",  "for",   "while", "endif"};
constexpr std::string_view kLeaving[] = {
    "return", "throw", "raise", "break",  "continue", "pass",  "goto", "exit", "die", "abort",
    "else",   "end",   "catch", "except", "finally",  "endif", "fi",   "done", "esac"};

bool is_keyword(std::string_view word) { return std::ranges::count(kKeywords, word) > 0; }

std::vector<std::string_view> words_in(std::string_view line) {
  std::vector<std::string_view> words = tokens_of(line);
  std::erase_if(words, [](std::string_view token) { return !has_word(token); });
  return words;
}

// How many blocks and elements the line opens more than it closes.
long nesting_of(std::string_view line) {
  long open = 0;
  for (const char c : line)
    open += (c == '{' || c == '(' || c == '[') - (c == '}' || c == ')' || c == ']');
  const std::string_view text = trimmed(line);
  if (text.starts_with("</")) return open - 1;
  const bool is_element = text.size() > 2 && text[0] == '<' && (text[1] | 32) >= 'a' &&
                          (text[1] | 32) <= 'z' && text.ends_with('>');
  return open + (is_element && !text.ends_with("/>") && text.find("</") == text.npos);
}

// "if (x) {", "class A:", "[table]"
bool is_head(std::string_view line) {
  return (opens_block(line) || (line.starts_with('[') && trimmed(line).ends_with(']'))) &&
         says_something(line);
}

// How much the words of two lines have in common.
enum class Likeness { none, some, most };
Likeness likeness_of(std::string_view a, std::string_view b) {
  const std::vector<std::string_view> left = words_in(a), right = words_in(b);
  const std::set<std::string_view> all(left.begin(), left.end());
  const std::set<std::string_view> others(right.begin(), right.end());
  size_t shared = 0;
  for (const std::string_view word : all) shared += others.contains(word);
  // Words that only one of them has say that it is the same line, edited.
  if (shared > 0 && shared == std::min(all.size(), others.size()) &&
      std::ranges::any_of(all.size() < others.size() ? all : others,
                          [](std::string_view word) { return !is_keyword(word); }))
    return Likeness::most;
  const size_t most = std::max(all.size(), others.size());
  if (shared == 0 || 2 * shared < most) return Likeness::none;
  return most - shared <= 1 || 3 * shared >= 2 * most ? Likeness::most : Likeness::some;
}

bool is_case_end(const LazyItem& item) { return trimmed(item.text) == ";;"; }

}  // namespace

bool says_something(std::string_view line) {
  const std::vector<std::string_view> words = words_in(line);
  if (words.empty() || std::ranges::count(kLeaving, words[0]) > 0) return false;
  if (trimmed(line).starts_with("</")) return false;
  return std::ranges::any_of(words, [](std::string_view word) { return !is_keyword(word); });
}

std::optional<size_t> LazyAnchors::depth_of_elision(const Run& run) const {
  for (size_t item = run.last; item < sketch_.size(); ++item)
    if (!sketch_[item].blank)
      return sketch_[item].elides ? std::optional(depth_of(sketch_[item])) : std::nullopt;
  return std::nullopt;
}

struct LazyAnchors::Change {
  size_t first = 0, last = 0;         // pairs
  std::vector<size_t> goes, comes;    // removed items of the file, added ones of the sketch
  bool above = false, below = false;  // has it an anchor on this side?
};

bool LazyAnchors::is_anchor(const ItemPair& pair) const {
  if (pair.sketch < 0 || pair.file < 0) return false;
  const LazyItem& item = file_[static_cast<size_t>(pair.file)];
  return item.block || (!item.blank && says_something(item.text) && count_(item.key) == 1);
}

bool LazyAnchors::is_outline_next(const std::vector<ItemPair>& pairs, size_t at, bool down) const {
  for (; down ? at < pairs.size() : at-- > 0; at += down) {
    if (pairs[at].sketch < 0) return false;
    const LazyItem& item = sketch_[static_cast<size_t>(pairs[at].sketch)];
    if (!item.blank) return item.is_outline;
  }
  return false;
}

std::optional<LazyAnchors::Change> LazyAnchors::doubtful_change(const Region& region,
                                                                const Run& run, Edges edges) const {
  const std::vector<ItemPair>& pairs = region.pairs;
  const auto both = [](const ItemPair& pair) { return pair.sketch >= 0 && pair.file >= 0; };
  bool above = edges.begin;
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (both(pairs[i])) {
      // What is below a block whose end is left out is not next to it.
      if (sketch_[static_cast<size_t>(pairs[i].sketch)].ends_elided && has_news_)
        above = false;
      else
        above = above || is_anchor(pairs[i]);
      continue;
    }
    Change change{i, i, {}, {}, above, edges.end};
    size_t depth = std::string_view::npos;  // of the lines that go
    for (; change.last < pairs.size() && !both(pairs[change.last]); ++change.last) {
      const ItemPair& pair = pairs[change.last];
      const LazyItem& item = pair.file >= 0 ? file_[static_cast<size_t>(pair.file)]
                                            : sketch_[static_cast<size_t>(pair.sketch)];
      if (item.blank) continue;
      if (pair.file >= 0) depth = std::min(depth, depth_of(item));
      if (pair.file >= 0)
        change.goes.push_back(static_cast<size_t>(pair.file));
      else
        change.comes.push_back(static_cast<size_t>(pair.sketch));
    }
    size_t stays = 0;  // lines below
    // Of equal lines at both ends either may go: then one of them stays.
    const long end = pairs[change.last - 1].file;  // -1: a blank line of the sketch
    bool is_on_level = change.comes.empty() && end >= 0 && change.first > 0 &&
                       both(pairs[change.first - 1]) &&
                       file_[static_cast<size_t>(pairs[change.first - 1].file)].key ==
                           file_[static_cast<size_t>(end)].key;
    bool is_next = true, goes_on = false;  // do only lines that stay follow; one of the level?
    for (size_t k = change.last; k < pairs.size() && !change.below; ++k) {
      is_next = is_next && both(pairs[k]);
      if (!both(pairs[k])) continue;
      const LazyItem& item = file_[static_cast<size_t>(pairs[k].file)];
      if (item.blank) continue;
      ++stays;
      is_on_level = is_on_level || depth_of(item) <= depth;
      goes_on = goes_on || (depth_of(item) == depth && (has_word(item.text) || is_case_end(item)));
      // The end of a block that has all of the lines that go.
      change.below = (is_next && !change.goes.empty() && depth_of(item) < depth) ||
                     (is_on_level && is_anchor(pairs[k]));
    }
    if (is_next && goes_on && !change.goes.empty() && !run.at_end)
      change.below = change.below || depth_of_elision(run).value_or(depth) < depth;
    // Next to an outline, a whole declaration is rather left out than removed, unless the sketch
    // says nothing else.
    const auto is_declaration = [&](size_t item) {
      return file_[item].block
                 ? file_[item].block->is_declaration && file_[item].block->kind != "import"
                 : is_head(file_[item].text);
    };
    const bool brings_one = std::ranges::any_of(change.comes, [&](size_t item) {
      return sketch_[item].block || is_head(sketch_[item].text);
    });
    if (!change.goes.empty() && has_news_ &&
        (brings_one || std::ranges::any_of(change.goes, is_declaration))) {
      change.above = change.above && !is_outline_next(pairs, change.first, false);
      change.below = change.below && !is_outline_next(pairs, change.last, true);
    }
    i = change.last - 1;
    if (change.above && change.below) continue;
    // What opens a block next to an elision also closes it: its last line is not one of the file's.
    const bool is_edge_of_file =
        change.below ? run.at_begin && change.first > 0 : run.at_end && change.last < pairs.size();
    if (change.goes.empty() && (is_edge_of_file || !opens_more(change))) continue;
    long closed = 0;  // by the lines that go, and not by those that come
    for (const size_t item : change.goes)
      closed -= file_[item].block ? 0 : nesting_of(file_[item].text);
    for (const size_t item : change.comes)
      closed += sketch_[item].block ? 0 : nesting_of(sketch_[item].text);
    if (!change.goes.empty() && (closed <= 0 || stays > 0) && comes_back(change)) continue;
    // A few lines that nothing comes for, between lines that are next to each other in the sketch.
    const bool is_between = (change.first > 0 || run.at_begin) && (stays > 0 || run.at_end) &&
                            (change.above || change.below);
    const bool is_little = closed == 0 && change.goes.size() <= kMaxRemoved &&
                           std::ranges::none_of(change.goes, [&](size_t item) {
                             return file_[item].block || is_head(file_[item].text);
                           });
    // A new entry does not take the place of a line that is none.
    if (is_little && is_between &&
        (change.comes.empty() ||
         (!brings_one && (run.at_end || (change.below && change.first > 0)))))
      continue;
    // The first or the last line of a file may be any.
    const bool is_edge =
        change.first == 0 ? run.at_begin && change.below : stays == 0 && run.at_end && change.above;
    if (closed == 0 && change.goes.size() == 1 && !change.comes.empty() && is_edge) continue;
    return change;
  }
  return std::nullopt;
}

bool LazyAnchors::opens_more(const Change& change) const {
  long open = 0;
  for (const size_t item : change.comes)
    if (!sketch_[item].block) open += nesting_of(sketch_[item].text);
  return open != 0;
}

bool LazyAnchors::comes_back(const Change& change) const {
  size_t next = 0;
  for (const size_t item : change.goes) {
    if (file_[item].block) return false;
    const std::vector<std::string_view> words = words_in(file_[item].text);
    if (std::ranges::all_of(words, is_keyword)) continue;
    while (next < change.comes.size() &&
           likeness_of(file_[item].text, sketch_[change.comes[next]].text) != Likeness::most)
      ++next;
    if (next++ >= change.comes.size()) return false;
  }
  return !change.comes.empty();
}

bool LazyAnchors::is_certain(const Region& region, const Run& run, Edges edges,
                             std::optional<size_t>& lost) const {
  // Lines that are left out below a new head would have to move.
  if (const ItemPair last = region.pairs.back(); !run.at_end && last.sketch >= 0 && last.file < 0) {
    const LazyItem& head = sketch_[static_cast<size_t>(last.sketch)];
    if (!head.block && opens_block(head.text) && depth_of_elision(run).value_or(0) > depth_of(head))
      return false;
  }
  const std::optional<Change> change = doubtful_change(region, run, edges);
  if (!change) return true;
  if (!change->goes.empty()) lost = change->goes[0];
  return false;
}

}  // namespace bodkin
