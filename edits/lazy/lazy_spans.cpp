#include "edits/lazy/lazy_spans.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

void sort_blocks(LazySide& side) {
  std::ranges::stable_sort(side.blocks, [](const SyntaxBlock& a, const SyntaxBlock& b) {
    return a.lines.begin != b.lines.begin ? a.lines.begin < b.lines.begin
                                          : a.lines.end > b.lines.end;
  });
}

void span_brackets(LazySide& side) {
  constexpr std::string_view kBrackets = "brackets";
  std::unordered_map<size_t, size_t> blocks;  // by their first line
  for (size_t i = 0; i < side.blocks.size(); ++i) blocks.try_emplace(side.blocks[i].lines.begin, i);
  for (size_t i = 0; i + 1 < side.lines.size(); ++i) {
    const std::string_view head = trimmed(side.lines[i]);
    const size_t bracket = std::string_view("{([").find(head.empty() ? ' ' : head.back());
    if (bracket == std::string_view::npos || !has_word(head) || side.elides(i)) continue;
    size_t end = i + 1;
    const auto is_inside = [&](size_t line) {
      return is_blank(side.lines[line]) || depth_of(side.lines[line]) > depth_of(side.lines[i]);
    };
    while (end < side.lines.size() && is_inside(end)) ++end;
    if (end == side.lines.size() || end == i + 1 ||
        depth_of(side.lines[end]) != depth_of(side.lines[i]) ||
        !trimmed(side.lines[end]).starts_with("})]"[bracket]))
      continue;
    if (const auto known = blocks.find(i); known == blocks.end()) {
      side.blocks.push_back({{i, end + 1}, i, i + 1, kBrackets, std::string(head), false});
    } else if (SyntaxBlock& block = side.blocks[known->second]; !block.is_declaration) {
      if (block.lines.end == end + 1) block.kind = kBrackets;
    } else if (block.kind != "import" && block.body_line >= block.lines.end &&
               block.lines.end == end + 1) {
      block.body_line = i + 1;
    }
  }
  sort_blocks(side);
}

}  // namespace

void span_keys(LazySide& sketch, std::string_view kind) {
  const auto depth = [&](size_t line) { return indentation_of(sketch.lines[line]).size(); };
  const auto spanned = [&](size_t begin, size_t end) {
    for (size_t i = end; i < sketch.lines.size(); ++i) {
      if (is_blank(sketch.lines[i])) continue;
      if (!sketch.elides(i) || depth(i) <= depth(begin)) break;
      end = i + 1;
    }
    return end;
  };
  for (size_t i = 0; i < sketch.lines.size(); ++i) {
    const std::string_view text = trimmed(sketch.lines[i]);
    const bool is_block = std::ranges::any_of(sketch.blocks, [&](const SyntaxBlock& block) {
      return block.is_declaration && block.lines.begin == i;
    });
    if (sketch.elides(i) || is_block || text.size() < 2 || !text.ends_with(':') || text[0] == '#')
      continue;
    if (spanned(i, i + 1) == i + 1) continue;
    sketch.blocks.push_back(
        {{i, i + 1}, i, i + 1, kind, std::string(text.substr(0, text.size() - 1)), true});
  }
  for (SyntaxBlock& block : sketch.blocks) {
    const size_t end = block.lines.end;
    block.lines.end = spanned(block.lines.begin, end);
    if (block.is_declaration) block.body_line = std::min(block.body_line, block.lines.begin + 1);
  }
  sort_blocks(sketch);
}

void span_brackets(LazySide& sketch, LazySide& file) {
  span_brackets(sketch);
  span_brackets(file);
  // What the grammar sees depends on what is inside: the same head is the same declaration.
  for (SyntaxBlock& block : sketch.blocks)
    for (const SyntaxBlock& other : file.blocks)
      if (!block.is_declaration && other.is_declaration &&
          block.body_line - block.lines.begin == other.body_line - other.lines.begin &&
          trimmed(sketch.lines[block.lines.begin]) == trimmed(file.lines[other.lines.begin])) {
        block.kind = other.kind, block.name = other.name, block.is_declaration = true;
      }
}

}  // namespace bodkin
