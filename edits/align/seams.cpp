#include "edits/align/seams.h"

#include "edits/align/align.h"
#include "edits/align/lines.h"
#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

constexpr size_t kTelling = 2;  // lines of a piece that say something

bool is_kept(const HunkLine& line) { return line.kind == HunkLine::Kind::context; }

// True if a piece of the quote begins at lines[at]: it and the line above it are kept, it occurs
// once in the file, and the lines above it there, up to the first that says something, differ.
bool is_seam(const MappedText& file, const std::vector<HunkLine>& lines, size_t at) {
  if (!is_kept(lines[at]) || !is_solid(lines[at].text)) return false;
  const auto there = lines_like(file, lines[at].text, 1);
  if (!there || there->size() != 1) return false;
  bool is_beside = true;
  for (size_t ours = there->front(); at > 0;) {
    const HunkLine& above = lines[--at];
    if (is_blank(above.text) && is_kept(above)) continue;
    if (is_beside && !is_kept(above)) return false;
    is_beside = false;
    if (above.kind == HunkLine::Kind::added) continue;
    do {
      if (ours == 0) return true;
    } while (is_blank(file.line(--ours)));
    if (!same_under(loose_key, file.line(ours), above.text)) return true;
    if (is_solid(above.text)) return false;
  }
  return false;
}

}  // namespace

std::vector<Hunk> cut_at_seams(const MappedText& file, const Hunk& hunk) {
  std::vector<Hunk> pieces;
  Hunk piece = hunk;
  piece.lines.clear();
  size_t telling = 0;  // of the piece
  for (size_t i = 0; i < hunk.lines.size(); ++i) {
    const HunkLine& line = hunk.lines[i];
    if (!piece.lines.empty() && is_seam(file, hunk.lines, i)) {
      if (telling < kTelling) return {};
      pieces.push_back(piece);
      pieces.back().evidence.at_end_of_file = false;
      piece.lines.clear();
      piece.evidence.line.reset();
      piece.evidence.heading.clear();
      telling = 0;
    }
    piece.lines.push_back(line);
    telling += line.kind != HunkLine::Kind::added && is_solid(line.text);
  }
  if (pieces.empty() || telling < kTelling) return {};
  pieces.push_back(std::move(piece));
  return pieces;
}

bool stays_in_block(const MappedText& file, size_t first, size_t below, bool is_parted) {
  const size_t depth = indentation_of(file.line(below)).size();
  for (size_t line = first; line < below; ++line) {
    if (is_blank(file.line(line))) continue;
    const size_t own = indentation_of(file.line(line)).size();
    if (own < depth || (own == depth && !is_parted)) return false;
  }
  return first < below;
}

}  // namespace bodkin
