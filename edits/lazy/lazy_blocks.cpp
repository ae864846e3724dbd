#include "edits/lazy/lazy_blocks.h"

#include <algorithm>
#include <optional>
#include <string>

#include "edits/plan/diff.h"
#include "edits/text/line_keys.h"

namespace bodkin {
void shift(LazySide& sketch, LineRange lines, std::string_view to) {
  std::optional<std::string> least;
  for (size_t i = lines.begin; i < lines.end; ++i) {
    if (is_blank(sketch.lines[i]) || sketch.elides(i)) continue;
    const std::string_view own = indentation_of(sketch.lines[i]);
    if (!least || own.size() < least->size()) least = own;
  }
  if (!least || *least == to) return;
  for (size_t i = lines.begin; i < lines.end; ++i) {
    std::string& line = sketch.lines[i];
    if (!is_blank(line) && line.starts_with(*least))
      line = std::string(to) + line.substr(least->size());
  }
}

size_t begin_of(const LazySide& side, const SyntaxBlock& block, LineRange lines, size_t from) {
  size_t begin =
      block.is_declaration ? std::max({block.comment_line, lines.begin, from}) : block.lines.begin;
  while (begin < block.lines.begin && side.elides_in({begin, block.lines.begin})) ++begin;
  return begin;
}

size_t body_of(const LazySide& side, const SyntaxBlock& block) {
  const auto opens = [&](size_t line) {
    const std::string_view text = trimmed(side.lines[line]);
    return text.ends_with(':') || text.ends_with('{') || text.ends_with(']');
  };
  for (size_t i = block.lines.begin + 1; i < std::min(block.body_line, block.lines.end); ++i)
    if (side.elides(i)) return opens(i - 1) ? i : block.body_line;
  return block.body_line;
}

bool closes_block(std::string_view text) {
  return text.starts_with('}') || text.starts_with(')') || text.starts_with(']') ||
         text.starts_with("</") || text.starts_with("end") || text == "fi" || text == "done" ||
         text == "esac";
}

size_t tail_of(const LazySide& side, const SyntaxBlock& block) {
  const size_t last = block.lines.end - 1;
  if (last < block.body_line) return block.lines.end;
  const std::string_view text = trimmed(side.lines[last]);
  // Brackets in the last statement of a body close something else.
  const bool is_own =
      indentation_of(side.lines[last]) == indentation_of(side.lines[head_line(side, block)]);
  return closes_block(text) && is_own ? last : block.lines.end;
}

bool same_before_body(const LazySide& sketch, const SyntaxBlock& sketched, const LazySide& file,
                      const SyntaxBlock& filed) {
  const std::string_view ours = trimmed(sketch.lines[head_line(sketch, sketched)]);
  const std::string_view theirs = trimmed(file.lines[head_line(file, filed)]);
  const size_t same = static_cast<size_t>(
      std::mismatch(ours.begin(), ours.end(), theirs.begin(), theirs.end()).first - ours.begin());
  return same > 0 && (ours[same - 1] == '{' || ours[same - 1] == ':' ||
                      trimmed(ours.substr(same)).starts_with('{'));
}

void replace_lines(const LazySide& sketch, LineRange sketched, const LazySide& file,
                   LineRange filed, std::vector<LineEdit>& edits) {
  std::vector<std::string> before, after;
  for (size_t i = filed.begin; i < filed.end; ++i) before.push_back(file.lines[i]);
  for (size_t i = sketched.begin; i < sketched.end; ++i) {
    after.push_back(sketch.lines[i]);
    // Whitespace at the end of a line is not a change.
    const size_t k = i - sketched.begin;
    if (k < before.size() && trimmed_right(before[k]) == trimmed_right(after[k]))
      after[k] = before[k];
  }
  size_t at = filed.begin;
  bool open = false;
  const auto is_layout = [&] {
    return sketch.elides_anywhere() && std::ranges::all_of(edits.back().lines, is_blank) &&
           std::all_of(file.lines.begin() + static_cast<long>(edits.back().begin),
                       file.lines.begin() + static_cast<long>(edits.back().end), is_blank);
  };
  for (const HunkLine& line : line_diff(before, after)) {
    if (line.kind == HunkLine::Kind::context) {
      ++at;
      if (open && is_layout()) edits.pop_back();
      open = false;
      continue;
    }
    if (!open) edits.push_back({at, at, {}});
    open = true;
    if (line.kind == HunkLine::Kind::removed)
      edits.back().end = ++at;
    else
      edits.back().lines.push_back(line.text);
  }
}

bool opens_block(std::string_view line) {
  const std::string_view text = trimmed(line);
  return text.ends_with('{') || text.ends_with(':') || text.ends_with('(');
}

}  // namespace bodkin
