#include "edits/place/match.h"

namespace bodkin {
namespace {

std::vector<std::string_view> side(const Hunk& hunk, HunkLine::Kind without) {
  std::vector<std::string_view> lines;
  lines.reserve(hunk.lines.size());
  for (const HunkLine& line : hunk.lines)
    if (line.kind != without) lines.push_back(line.text);
  return lines;
}

}  // namespace

std::vector<std::string_view> old_side(const Hunk& hunk) {
  return side(hunk, HunkLine::Kind::added);
}

std::vector<std::string_view> new_side(const Hunk& hunk) {
  return side(hunk, HunkLine::Kind::removed);
}

}  // namespace bodkin
