#include "agent/suggest/renamed_places.h"

#include <algorithm>

#include "grammars/same_name.h"

namespace bodkin {

NextEdits renamed_places(const Text& file, const SyntaxTree* tree, const EditedLines& edit,
                         NextEdits next) {
  const auto& [from, to, offset] = *next.renaming;
  const auto places = tree ? same_name(*tree, {offset, from, to}) : std::nullopt;
  if (!places) {
    std::erase_if(next.edits, [](const NextEdit& each) { return !each.is_sure; });
    return next;
  }
  NextEdits out{{}, next.what, next.renaming};
  for (size_t i = 0; i < places->size();) {
    const size_t line = file.line_of((*places)[i]);
    std::vector<Replacement> changes;
    for (; i < places->size() && file.line_of((*places)[i]) == line; ++i)
      changes.push_back({(*places)[i], from.size(), to});
    if (edit.first <= line && line < edit.first + edit.after.size()) continue;
    out.edits.push_back(in_whole_lines(file, changes));
    out.edits.back().is_sure = std::ranges::any_of(
        next.edits, [&](const NextEdit& each) { return each.is_sure && each.lines.begin == line; });
  }
  put_below_first(out, edit.first);
  return out;
}

}  // namespace bodkin
