// The rung "uniform indentation": the quote is the file's lines, moved as one block.
#include <algorithm>
#include <set>

#include "edits/place/rungs.h"

namespace bodkin {
namespace {

// The number of blanks that one level of these lines' indentation has, which is of blanks; 0:
// unknown.
size_t unit_of(const std::vector<std::string_view>& indentations) {
  std::set<size_t> widths;
  for (const std::string_view indentation : indentations) widths.insert(indentation.size());
  size_t unit = 0, before = 0;
  for (const size_t width : widths) {
    if (width != before && (unit == 0 || width - before < unit)) unit = width - before;
    before = width;
  }
  return unit;
}

// Whether the file's indentation is the old side's, moved as one block: one prefix for another on
// every line, or tabs for blanks level by level.
bool uniformly_indented(const MappedText& file, const std::vector<std::string_view>& old,
                        size_t first) {
  std::vector<std::string_view> theirs, ours;
  for (size_t i = 0; i < old.size(); ++i) {
    if (is_blank(old[i])) continue;
    theirs.push_back(indentation_of(old[i]));
    ours.push_back(indentation_of(file.line(first + i)));
  }
  if (theirs.empty()) return true;
  const auto least = [](const std::vector<std::string_view>& all) {
    return *std::min_element(all.begin(), all.end(),
                             [](auto a, auto b) { return a.size() < b.size(); });
  };
  const std::string_view base_theirs = least(theirs), base_ours = least(ours);
  bool by_prefix = true;
  for (size_t i = 0; i < theirs.size() && by_prefix; ++i)
    by_prefix = theirs[i].starts_with(base_theirs) && ours[i].starts_with(base_ours) &&
                theirs[i].substr(base_theirs.size()) == ours[i].substr(base_ours.size());
  if (by_prefix) return true;
  const auto has_tab = [](const std::vector<std::string_view>& all) {
    return std::any_of(all.begin(), all.end(),
                       [](auto s) { return s.find('\t') != std::string_view::npos; });
  };
  if (has_tab(theirs) == has_tab(ours)) return false;
  // Levels: tabs count one, blanks count by the unit that their side uses.
  const auto& spaced = has_tab(theirs) ? ours : theirs;
  const auto& tabbed = has_tab(theirs) ? theirs : ours;
  for (const size_t unit : {size_t{4}, size_t{2}, size_t{8}, size_t{3}, unit_of(spaced)}) {
    if (unit == 0) continue;
    bool same = true;
    std::optional<long> shift;
    for (size_t i = 0; i < spaced.size() && same; ++i) {
      const long levels = static_cast<long>(spaced[i].size() / unit);
      const size_t tabs = static_cast<size_t>(std::count(tabbed[i].begin(), tabbed[i].end(), '\t'));
      if (spaced[i].size() % unit != tabbed[i].size() - tabs) same = false;
      const long difference = static_cast<long>(tabs) - levels;
      if (!shift) shift = difference;
      if (*shift != difference) same = false;
    }
    if (same) return true;
  }
  return false;
}

}  // namespace

std::vector<Place> find_indented(const Search& search) {
  std::vector<Place> places = find_by_key(search, trimmed_key);
  std::erase_if(places, [&](const Place& place) {
    return !uniformly_indented(search.file, search.old, place.first);
  });
  return places;
}

}  // namespace bodkin
