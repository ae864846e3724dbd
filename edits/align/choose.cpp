#include "edits/align/choose.h"

#include <algorithm>
#include <span>

namespace bodkin {
namespace {

bool is_open(const Placed& hunk) {
  return hunk.places.size() > 1 && !hunk.chosen && hunk.hunk->places == 1;
}

void choose_one_each(std::vector<Placed>& hunks) {
  for (size_t i = 0; i < hunks.size(); ++i) {
    if (!is_open(hunks[i])) continue;
    std::vector<size_t> same;
    for (size_t k = i; k < hunks.size(); ++k)
      if (is_open(hunks[k]) && hunks[k].hunk->lines == hunks[i].hunk->lines &&
          hunks[k].places.size() == hunks[i].places.size())
        same.push_back(k);
    if (same.size() != hunks[i].places.size()) continue;
    for (size_t n = 0; n < same.size(); ++n) hunks[same[n]].chosen = n;
  }
}

// Gives each hunk its place in the only assignment in order, if there is exactly one.
void choose_in_order(std::span<Placed* const> run) {
  constexpr size_t kMany = 2;
  // ways[k][p]: in how many ways, at most kMany, hunks 0 to k are in order with hunk k at place p.
  std::vector<std::vector<size_t>> ways;
  const auto place = [&](size_t k, size_t p) -> const Place& {
    return run[k]->chosen ? run[k]->places[*run[k]->chosen] : run[k]->places[p];
  };
  const auto count = [&](size_t k) { return run[k]->chosen ? 1 : run[k]->places.size(); };
  for (size_t k = 0; k < run.size(); ++k) {
    std::vector<size_t>& here = ways.emplace_back(count(k), k == 0 ? 1 : 0);
    if (k == 0) continue;
    size_t before = 0, sum = 0;  // places of the hunk before that end above; ascending
    for (size_t p = 0; p < here.size(); ++p) {
      while (before < ways[k - 1].size() && place(k - 1, before).last <= place(k, p).first)
        sum = std::min(kMany, sum + ways[k - 1][before++]);
      here[p] = sum;
    }
  }
  size_t all = 0;
  for (const size_t n : ways.back()) all += n;
  if (all != 1) return;
  size_t limit = static_cast<size_t>(-1);
  for (size_t k = run.size(); k-- > 0;)
    for (size_t p = 0; p < ways[k].size(); ++p) {
      if (ways[k][p] != 1 || place(k, p).last > limit) continue;
      limit = place(k, p).first;
      if (!run[k]->chosen && run[k]->places.size() > 1) run[k]->chosen = p;
      break;
    }
}

}  // namespace

void choose_among_places(std::vector<Placed>& hunks) {
  if (std::ranges::none_of(hunks, is_open)) return;
  choose_one_each(hunks);
  std::vector<Placed*> placed;
  for (Placed& hunk : hunks)
    if (!hunk.places.empty() && hunk.hunk->places == 1) placed.push_back(&hunk);
  if (placed.size() < 2 || std::ranges::none_of(hunks, is_open)) return;
  if (std::ranges::all_of(placed, [](const Placed* hunk) { return hunk->hunk->shares_context(); }))
    return choose_in_order(placed);
  for (size_t i = 1; i + 1 < placed.size(); ++i) {
    if (!is_open(*placed[i]) || is_open(*placed[i - 1])) continue;
    size_t end = i + 1;
    while (end < placed.size() && is_open(*placed[end])) ++end;
    if (end < placed.size()) choose_in_order(std::span(placed).subspan(i - 1, end - i + 2));
    i = end;
  }
}

}  // namespace bodkin
