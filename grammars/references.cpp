#include "grammars/references.h"

#include <algorithm>

#include "grammars/query.h"

namespace bodkin {

std::vector<Reference> references(const SyntaxTree& tree, size_t begin, size_t end) {
  constexpr size_t kMostReferences = 1'000'000;
  std::vector<Reference> result;
  const Query& query = query_of(tree.language(), QueryFile::references);
  end = std::min(end, tree.text().size());
  if (!query.query || begin >= end) return result;
  const std::string text = tree.text().str();
  for_each_match(query, tree, text, begin, end, [&](const TSQueryMatch& match) {
    for (uint16_t i = 0; i < match.capture_count; ++i) {
      bool is_call = query.captures[match.captures[i].index] == "call";
      if (!is_call && query.captures[match.captures[i].index] != "type") continue;
      size_t from = ts_node_start_byte(match.captures[i].node);
      size_t to = ts_node_end_byte(match.captures[i].node);
      if (from >= begin && to <= end) result.push_back({text.substr(from, to - from), from, is_call});
    }
    return result.size() < kMostReferences;
  });
  // A call matches as a type, too, where a language cannot tell (`new A()`): it is one reference.
  std::ranges::stable_sort(result, [](const Reference& a, const Reference& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.is_call > b.is_call;
  });
  auto same = [](const Reference& a, const Reference& b) { return a.begin == b.begin; };
  result.erase(std::ranges::unique(result, same).begin(), result.end());
  return result;
}

}  // namespace bodkin
