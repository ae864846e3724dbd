#include "edits/lazy/lazy_match.h"

#include <algorithm>
#include <map>
#include <set>

#include "edits/place/tokens.h"
#include "edits/plan/elision.h"
#include "edits/text/stopping.h"

namespace bodkin {

namespace {

std::string collapsed(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\t';
    if (!space)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  while (out.ends_with(' ') || out.ends_with('{') || out.ends_with(':')) out.pop_back();
  return out;
}

std::string joined(const LazySide& side, size_t begin, size_t end) {
  std::string out;
  for (size_t i = begin; i < end; ++i) out.append(side.lines[i]).push_back(' ');
  return collapsed(out);
}

// A head on one line may hold the whole body; then only what is before the body counts.
std::string head_of(const LazySide& side, const SyntaxBlock& block) {
  std::string head =
      joined(side, head_line(side, block), std::min(block.body_line, block.lines.end));
  if (block.is_declaration && block.kind != "import" && block.lines.end == block.lines.begin + 1)
    if (const size_t brace = head.find('{'); brace != head.npos && brace > 0)
      return collapsed(std::string_view(head).substr(0, brace));
  return head;
}

std::string_view name_of_kind(std::string_view kind) {
  return kind == "method" ? "function" : kind;
}

// What an import takes from where, so that a changed import is known: `import {a, b} from "x"`.
std::string module_of(std::string_view text) {
  for (const char quote : {'"', '\''})
    if (const size_t begin = text.find(quote); begin != text.npos)
      return std::string(text.substr(begin, text.find(quote, begin + 1) - begin));
  if (text.starts_with("from ")) return std::string(text.substr(0, text.find(" import")));
  if (const size_t brace = text.find("::{"); brace != text.npos)
    return std::string(text.substr(0, brace));
  return std::string(text);
}

std::set<std::string> words_of(std::string_view text) {
  std::set<std::string> out;
  std::string word;
  for (const char c : std::string(text) + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '*') {
      word += c;
    } else if (!word.empty()) {
      out.insert(std::move(word));
      word.clear();
    }
  }
  return out;
}

// True if a good part of the smaller block's lines is in the other.
bool has_similar_body(const LazySide& a, const SyntaxBlock& x, const LazySide& b,
                      const SyntaxBlock& y) {
  std::set<std::string> lines;
  const auto body = [](const SyntaxBlock& block) {
    return block.body_line < block.lines.end ? block.body_line : block.lines.begin;
  };
  size_t first = 0, second = 0, shared = 0;
  const auto says = [](const std::string& text) { return text.size() > 3; };
  for (size_t i = body(x); i < x.lines.end; ++i)
    if (const std::string text = collapsed(a.lines[i]); says(text)) ++first, lines.insert(text);
  for (size_t i = body(y); i < y.lines.end; ++i)
    if (const std::string text = collapsed(b.lines[i]); says(text))
      ++second, shared += lines.contains(text);
  return shared * 3 >= std::min(first, second);
}

// What is before the name in a head, if it says more than modifiers: Go's receiver.
std::string receiver_of(const std::string& head, const std::string& name) {
  const std::string before = head.substr(0, std::min(head.find(name), head.size()));
  const size_t open = before.find('(');
  return open == before.npos ? "" : before.substr(open);
}

}  // namespace

bool LazySide::elides_in(LineRange range) const {
  for (size_t i = range.begin; i < range.end; ++i)
    if (elides(i)) return true;
  return false;
}

size_t head_line(const LazySide& side, const SyntaxBlock& block) {
  size_t line = block.lines.begin;
  const size_t end = std::min(block.body_line, block.lines.end);
  while (line + 1 < end) {
    const std::string_view text = trimmed(side.lines[line]);
    const bool attribute = text.starts_with('@') || text.starts_with("#[") || text.starts_with("[");
    if (!attribute && !text.empty()) break;
    long open = 0;
    do {
      for (const char c : side.lines[line]) open += (c == '(' || c == '[') - (c == ')' || c == ']');
      ++line;
    } while (open > 0 && line + 1 < end);
    // An annotation on the declaration's own line goes with it.
    if (attribute && trimmed(side.lines[line - 1]).find(block.name) != std::string_view::npos &&
        line >= end)
      return line - 1;
  }
  return line;
}

bool elides_inline(const LazySide& side, const SyntaxBlock& block) {
  for (size_t i = block.lines.begin; i < block.lines.end; ++i)
    if (!side.elides(i) && elides_in_line(side.lines[i])) return true;
  return false;
}

std::vector<BlockMatch> match_blocks(const LazySide& sketch,
                                     const std::vector<const SyntaxBlock*>& sketched,
                                     const LazySide& file,
                                     const std::vector<const SyntaxBlock*>& filed,
                                     const std::vector<const SyntaxBlock*>& outside) {
  std::vector<BlockMatch> out(sketched.size());
  std::vector<char> taken(filed.size(), 0);
  std::vector<std::string> heads, file_heads;
  for (const SyntaxBlock* block : sketched) heads.push_back(head_of(sketch, *block));
  for (const SyntaxBlock* block : filed) file_heads.push_back(head_of(file, *block));
  const auto is_same_kind = [](const SyntaxBlock& a, const SyntaxBlock& b) {
    return a.is_declaration == b.is_declaration && name_of_kind(a.kind) == name_of_kind(b.kind);
  };
  // By the same head; with the decorators, if several have it.
  std::multimap<std::string, size_t> by_head;
  for (size_t f = 0; f < filed.size(); ++f) by_head.emplace(file_heads[f], f);
  for (size_t s = 0; s < sketched.size() && !is_stopped(); ++s) {
    const auto with_decorators = [](const LazySide& side, const SyntaxBlock& block) {
      return joined(side, block.lines.begin, std::min(block.body_line, block.lines.end));
    };
    std::vector<size_t> same, same_wholly;
    const auto [begin, end] = by_head.equal_range(heads[s]);
    for (auto it = begin; it != end; ++it) {
      if (!is_same_kind(*sketched[s], *filed[it->second])) continue;
      same.push_back(it->second);
      if (with_decorators(sketch, *sketched[s]) == with_decorators(file, *filed[it->second]))
        same_wholly.push_back(it->second);
    }
    if (same.size() > 1 && same_wholly.size() == 1) same = same_wholly;
    std::erase_if(same, [&](size_t f) { return taken[f] != 0; });
    if (same.size() == 1) {
      out[s].file = filed[same[0]];
      taken[same[0]] = 1;
    } else {
      out[s].doubtful = same.size() > 1;
    }
  }
  // By the name, if only one has it.
  std::multimap<std::string, size_t> by_name;
  const auto name_of = [](const SyntaxBlock& block) {
    return block.kind == "import" ? module_of(block.name) : block.name;
  };
  for (size_t f = 0; f < filed.size(); ++f)
    if (filed[f]->is_declaration) by_name.emplace(name_of(*filed[f]), f);
  std::map<std::string, size_t> unmatched;
  for (size_t s = 0; s < sketched.size(); ++s)
    if (!out[s].file && sketched[s]->is_declaration) ++unmatched[name_of(*sketched[s])];
  for (size_t s = 0; s < sketched.size() && !is_stopped(); ++s) {
    const SyntaxBlock& block = *sketched[s];
    if (out[s].file || out[s].doubtful || !block.is_declaration) continue;
    std::vector<size_t> same;
    const auto [begin, end] = by_name.equal_range(name_of(block));
    for (auto it = begin; it != end; ++it)
      if (!taken[it->second] && (block.kind == "import") == (filed[it->second]->kind == "import") &&
          receiver_of(heads[s], block.name) ==
              receiver_of(file_heads[it->second], filed[it->second]->name))
        same.push_back(it->second);
    if (same.empty()) continue;
    const SyntaxBlock& other = *filed[same[0]];
    if (block.kind == "import") {
      // Nothing that is imported may get lost.
      const std::set<std::string> now = words_of(block.name), before = words_of(other.name);
      if (same.size() > 1 || unmatched[name_of(block)] > 1) continue;
      if (!std::ranges::includes(now, before)) {
        // What both import, more than the module, one of them would import again.
        const std::set<std::string> module = words_of(name_of(block));
        out[s].doubtful = std::ranges::any_of(now, [&](const std::string& word) {
          return before.contains(word) && !module.contains(word);
        });
        continue;
      }
    } else if (same.size() > 1 || unmatched[block.name] > 1 || !is_same_kind(block, other) ||
               !(sketch.elides_in(block.lines) || has_similar_body(sketch, block, file, other))) {
      out[s].doubtful = true;
      continue;
    }
    out[s].file = &other;
    taken[same[0]] = 1;
  }
  // Another block by its head with more words ("await", "async"): the one with the fewest.
  for (size_t s = 0; s < sketched.size() && !is_stopped(); ++s) {
    if (out[s].file || out[s].doubtful || sketched[s]->is_declaration) continue;
    size_t least = std::string::npos, best = 0, count = 0;  // words that one has and the other not
    const size_t words = words_of_line(heads[s]).size();
    for (size_t f = 0; f < filed.size(); ++f) {
      if (!is_same_kind(*sketched[s], *filed[f]) || !has_more_words(heads[s], file_heads[f]))
        continue;
      const size_t others = words_of_line(file_heads[f]).size();
      const size_t more = words < others ? others - words : words - others;
      count = more < least ? 1 : count + (more == least);
      if (more < least) least = more, best = f;
    }
    if (count != 1 || taken[best]) continue;
    out[s].file = filed[best];
    taken[best] = 1;
  }
  // One elsewhere that has the name, too, must have another head and another indentation.
  for (size_t s = 0; s < sketched.size() && !is_stopped(); ++s) {
    if (!out[s].file || !out[s].file->is_declaration || sketched[s]->kind == "import") continue;
    const auto indentation = [](const LazySide& side, const SyntaxBlock& block) {
      return indentation_of(side.lines[block.lines.begin]);
    };
    const bool fits = heads[s] == head_of(file, *out[s].file) &&
                      indentation(sketch, *sketched[s]) == indentation(file, *out[s].file);
    for (const SyntaxBlock* other : outside)
      if (other->name == sketched[s]->name && other != out[s].file &&
          !(fits && (head_of(file, *other) != heads[s] ||
                     indentation(file, *other) != indentation(sketch, *sketched[s]))))
        out[s].doubtful = true;
  }
  return out;
}

}  // namespace bodkin
