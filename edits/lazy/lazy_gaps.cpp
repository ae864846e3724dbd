#include "edits/lazy/lazy_gaps.h"

#include <algorithm>

#include "edits/text/line_keys.h"

namespace bodkin {

LineRange elided_items(size_t elision, const std::vector<LazyItem>& file,
                       const std::vector<ItemPair>& pairs) {
  LineRange gap{0, file.size()};
  for (const ItemPair& pair : pairs) {
    if (pair.sketch < 0) continue;
    const size_t at = pair.file < 0 ? pair.at : static_cast<size_t>(pair.file);
    if (static_cast<size_t>(pair.sketch) > elision)
      gap.end = std::min(gap.end, at);
    else
      gap.begin = at + (pair.file >= 0);
  }
  return gap;
}

bool is_outside(size_t elision, LineRange gap, const std::vector<LazyItem>& sketch,
                const std::vector<LazyItem>& file) {
  size_t above = elision;
  while (above > 0 && sketch[above - 1].blank) --above;
  size_t first = gap.begin;
  while (first < gap.end && file[first].blank) ++first;
  const auto depth = [](const LazyItem& item) { return indentation_of(item.text).size(); };
  if (above > 0 && first < gap.end && depth(sketch[above - 1]) > depth(sketch[elision]) &&
      depth(file[first]) > depth(sketch[elision]))
    return true;
  if (elision == 0 || !opens_block(sketch[elision - 1].text)) return false;
  const size_t head = indentation_of(sketch[elision - 1].text).size();
  if (indentation_of(sketch[elision].text).size() <= head) return false;
  for (size_t i = gap.begin; i < gap.end; ++i)
    if (!file[i].blank && indentation_of(file[i].text).size() <= head) return true;
  return false;
}

bool is_quoted(const LazyItem& elision, LineRange gap, const std::vector<LazyItem>& file) {
  bool is_there = false, others = false;
  for (size_t i = gap.begin; i < gap.end; ++i) {
    const bool same = trimmed(file[i].text) == trimmed(elision.text);
    is_there |= same;
    others |= !same && !file[i].blank;
  }
  return is_there && others;
}

std::vector<char> only_layout(const std::vector<LazyItem>& sketch,
                              const std::vector<LazyItem>& file,
                              const std::vector<ItemPair>& pairs) {
  std::vector<char> out(pairs.size(), 0);
  const auto both = [](const ItemPair& pair) { return pair.sketch >= 0 && pair.file >= 0; };
  const auto is_lost_blank = [&](const ItemPair& pair) {
    return pair.sketch < 0 && file[static_cast<size_t>(pair.file)].blank;
  };
  const bool has_none = std::ranges::none_of(sketch, &LazyItem::blank);
  for (size_t i = 0; i < pairs.size();) {
    size_t end = i;
    bool blank = true;
    for (; end < pairs.size() && !both(pairs[end]); ++end)
      blank = blank && (pairs[end].sketch >= 0 ? sketch[static_cast<size_t>(pairs[end].sketch)]
                                               : file[static_cast<size_t>(pairs[end].file)])
                           .blank;
    if (blank)
      std::fill(out.begin() + static_cast<long>(i), out.begin() + static_cast<long>(end), 1);
    // A sketch without any blank line has lost them, also those next to a change.
    for (size_t k = i; k < end && has_none && is_lost_blank(pairs[k]); ++k) out[k] = 1;
    for (size_t k = end; k > i && has_none; --k) {
      if (pairs[k - 1].file < 0) continue;
      if (!is_lost_blank(pairs[k - 1])) break;
      out[k - 1] = 1;
    }
    i = std::max(end, i + 1);
  }
  return out;
}

bool opens_block(std::string_view line) {
  const std::string_view text = trimmed(line);
  return text.ends_with('{') || text.ends_with(':') || text.ends_with('(');
}

}  // namespace bodkin
