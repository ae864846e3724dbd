#include "edits/align/depth_price.h"

#include <algorithm>
#include <map>

#include "edits/align/lines.h"
#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

// True if one of two rows is quoted deeper than the other and is not so in the file: a line's depth
// tells what it belongs to. The first row may lack its depth, as all rows of a flat quote may, and
// a single blank may slip in lines that occur once.
bool confuses_depths(const MappedText& file, const Alignment& alignment) {
  const Reading& reading = *alignment.reading;
  struct Depth {
    std::string_view text;
    size_t quoted, with_sign, ours;
  };
  std::vector<Depth> rows;
  bool is_flat = true;
  for (size_t k = 0; k < reading.rows.size(); ++k) {
    const Row& row = reading.rows[k];
    const size_t line = alignment.lines[k];
    if (line == kUnpaired || is_blank(row.old_text) || trimmed(row.old_text).starts_with('*'))
      continue;
    const size_t ours = indentation_of(file.line(line)).size();
    const size_t quoted = indentation_of(row.old_text).size();
    // A kept line of a diff may have lost the blank that is its sign.
    const bool lost_sign = reading.hunk->shares_context() && row.is_kept() && quoted + 1 == ours;
    rows.push_back({row.old_text, quoted, lost_sign ? ours : quoted, ours});
    is_flat &= rows.back().quoted == rows.front().quoted;
  }
  const auto stands_once = [&](std::string_view text) {
    return lines_like(file, text, 1).has_value();
  };
  for (size_t i = 1; i < rows.size() && !is_flat; ++i) {
    const Depth &above = rows[i - 1], &row = rows[i];
    const auto ours = above.ours <=> row.ours;
    if ((above.quoted <=> row.quoted) == ours || (above.with_sign <=> row.with_sign) == ours)
      continue;
    if (i == 1 && above.quoted < above.ours) continue;
    const auto apart = [](size_t a, size_t b) { return a < b ? b - a : a - b; };
    const bool is_slip = std::max(apart(above.quoted, row.quoted), apart(above.ours, row.ours)) < 2;
    if (!is_slip || !stands_once(above.text) || !stands_once(row.text)) return true;
  }
  return false;
}

}  // namespace

bool only_ends_block(std::string_view bare) {
  static constexpr std::string_view kEnds[] = {"end", "fi", "done", "esac", "endif"};
  return std::ranges::none_of(line_tokens(bare), [](const LineToken& token) {
    return is_solid(token.text) && std::ranges::find(kEnds, token.text) == std::end(kEnds);
  });
}

void charge_depth(const MappedText& file, Alignment& alignment) {
  const Reading& reading = *alignment.reading;
  std::map<std::string_view, std::map<std::string_view, size_t>> moves;
  bool any = false, is_flat = true;
  std::optional<std::string_view> first_quoted, first_ours;
  for (size_t k = 0; k < reading.rows.size(); ++k) {
    const Row& row = reading.rows[k];
    const size_t line = alignment.lines[k];
    if (line == kUnpaired || is_blank(row.old_text) || (reading.halves && !row.is_kept())) continue;
    const std::string_view quoted = indentation_of(row.shown()),
                           ours = indentation_of(file.line(line));
    any |= quoted != ours;
    // The first line may lack its depth, and a comment in a box is aligned as no code is.
    if (!first_quoted) {
      first_quoted = quoted, first_ours = ours;
      continue;
    }
    if (trimmed(row.old_text).starts_with('*')) continue;
    is_flat &= quoted == *first_quoted;
    ++moves[quoted][ours];
  }
  if (!any) return;
  if (is_flat && first_quoted) ++moves[*first_quoted][*first_ours];
  size_t uneven = 0;
  for (const auto& [quoted, ours] : moves) {
    size_t all = 0, most = 0;
    for (const auto& [depth, times] : ours) all += times, most = std::max(most, times);
    uneven += all - most;
  }
  alignment.charge("depth", kShift);
  alignment.charge("uneven depth", kUneven * static_cast<Price>(std::min<size_t>(uneven, 1000)));
  // Lines that are shifted against each other are another text.
  if (confuses_depths(file, alignment)) alignment.charge("uneven depth", kNever);
}

}  // namespace bodkin
