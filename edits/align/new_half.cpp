#include "edits/align/new_half.h"

#include <algorithm>
#include <optional>
#include <span>

#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

using Kind = HunkLine::Kind;

// True if the kept lines of two halves are not all moved by as much against each other; the first
// may lack its depth.
bool moves_halves_unevenly(const std::vector<Row>& rows) {
  std::optional<long> moved;
  for (size_t k = 1; k < rows.size(); ++k) {
    const Row& row = rows[k];
    if (!row.is_kept() || is_blank(row.old_text)) continue;
    const long by = static_cast<long>(indentation_of(row.new_text).size()) -
                    static_cast<long>(indentation_of(row.old_text).size());
    if (moved && *moved != by) return true;
    moved = by;
  }
  return false;
}

}  // namespace

NewHalf new_half_of(const MappedText& file, const Alignment& alignment,
                    const std::vector<DepthPair>& pairs) {
  const Reading& reading = *alignment.reading;
  const std::vector<Row>& rows = reading.rows;
  if (pairs.empty()) return NewHalf::like_quote;
  if (reading.halves)
    return !reading.deeper && moves_halves_unevenly(rows) ? NewHalf::contradicts
                                                          : NewHalf::like_quote;
  // A kept line of SEARCH/REPLACE is in the new half, too.
  for (const DepthPair& pair : pairs)
    if (!reading.hunk->shares_context() && rows[pair.row].is_kept() && pair.quoted != pair.ours &&
        pair.row != pairs[0].row)
      return NewHalf::like_quote;
  std::string_view least = pairs[0].ours;  // of the file's lines
  bool moved = false, rest_is_equal = true;
  for (const DepthPair& pair : pairs) {
    if (pair.ours.size() < least.size()) least = pair.ours;
    moved |= pair.quoted.size() < pair.ours.size();
    rest_is_equal &= &pair == &pairs[0] || pair.quoted == pair.ours;
  }
  if (!moved || least.empty()) return NewHalf::like_quote;
  std::vector<std::string_view> added;  // indentations
  for (const Row& row : rows)
    if (row.kind == Kind::added && !is_blank(row.new_text))
      added.push_back(indentation_of(row.new_text));
  const bool all_below =
      std::ranges::all_of(added, [&](std::string_view depth) { return depth.starts_with(least); });
  size_t like_file = 0, like_quote = 0;
  for (size_t k = 0; k < rows.size();) {
    if (rows[k].is_kept()) {
      ++k;
      continue;
    }
    const Row *removed = nullptr, *comes = nullptr;
    size_t line = kUnpaired;
    for (; k < rows.size() && !rows[k].is_kept(); ++k) {
      const Row*& first = rows[k].kind == Kind::removed ? removed : comes;
      if (first || is_blank(rows[k].kind == Kind::removed ? rows[k].old_text : rows[k].new_text))
        continue;
      first = &rows[k];
      if (first->kind == Kind::removed) line = alignment.lines[k];
    }
    if (!removed || !comes || line == kUnpaired) continue;
    const std::string_view quoted = indentation_of(removed->old_text),
                           ours = indentation_of(file.line(line)),
                           own = indentation_of(comes->new_text);
    if (quoted.size() >= ours.size()) continue;
    like_file += own == ours;
    like_quote += own == quoted;
  }
  if (like_file > 0)
    return like_quote == 0 && all_below ? NewHalf::like_file : NewHalf::contradicts;
  // If only the first line of the quote lacks its depth, and the new half begins as flat, the depth
  // of its other lines may be relative to the first one, or the file's.
  if (added.size() > 1 && pairs[0].quoted.size() < pairs[0].ours.size() && rest_is_equal &&
      added[0] == pairs[0].quoted &&
      std::ranges::min(std::span(added).subspan(1), {}, &std::string_view::size) == pairs[0].ours)
    return NewHalf::contradicts;
  return NewHalf::like_quote;
}

bool lost_signs(const MappedText& file, const Alignment& alignment) {
  const std::vector<Row>& rows = alignment.reading->rows;
  bool removes = false, all_agree = true;
  for (size_t k = 0; k < rows.size(); ++k) {
    if (rows[k].kind != Kind::removed || alignment.lines[k] == kUnpaired ||
        is_blank(rows[k].old_text))
      continue;
    removes = true;
    all_agree &= indentation_of(rows[k].old_text) == indentation_of(file.line(alignment.lines[k]));
  }
  if (removes) return all_agree;
  for (const Row& row : rows)
    if (row.kind == Kind::added)
      for (size_t k = 0; k < rows.size(); ++k)
        if (alignment.lines[k] != kUnpaired && !is_blank(rows[k].old_text) &&
            indentation_of(row.new_text) == indentation_of(file.line(alignment.lines[k])))
          return true;
  return false;
}

}  // namespace bodkin
