#include "edits/suggest/next_edit.h"

#include <algorithm>

namespace bodkin {

NextEdit in_whole_lines(const Text& file, const std::vector<Replacement>& changes) {
  const Replacement &first = changes.front(), &last = changes.back();
  NextEdit out{{file.line_of(first.offset), file.line_of(last.offset + last.length) + 1}, {}};
  const size_t begin = file.line_begin(out.lines.begin);
  // Without the last line's end, if there is none.
  const size_t end = file.line_begin(out.lines.end);
  out.change = {begin, end - begin, file.substr(begin, end - begin)};
  for (auto change = changes.rbegin(); change != changes.rend(); ++change)
    out.change.text.replace(change->offset - begin, change->length, change->text);
  return out;
}

void put_below_first(NextEdits& next, size_t line) {
  std::ranges::stable_partition(next.edits,
                                [&](const NextEdit& each) { return each.lines.begin >= line; });
}

bool is_any_sure(const NextEdits& next) {
  return std::ranges::any_of(next.edits, &NextEdit::is_sure);
}

}  // namespace bodkin
