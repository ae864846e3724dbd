// One class of more than 350 lines: where a run may begin and end is asked of the runs before it,
// the level and the entries at once.
#include "edits/lazy/lazy_runs.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>

#include "edits/lazy/lazy_blocks.h"
#include "edits/lazy/lazy_loss.h"
#include "edits/lazy/lazy_region.h"
#include "edits/lazy/lazy_words.h"
#include "edits/text/line_keys.h"
#include "edits/text/stopping.h"

namespace bodkin {

namespace {

class Placing {
 public:
  Placing(const std::vector<LazyItem>& sketch, const std::vector<LazyItem>& file, LazyPlaces how)
      : sketch_(sketch), file_(file), how_(how) {
    for (size_t i = 0; i < file.size(); ++i) items_of_[file[i].key].push_back(i);
  }

  FailureOr<std::vector<ItemPair>> place() {
    std::vector<ItemPair> pairs;
    size_t from = 0;
    for (Run run : runs()) {
      if (is_stopped()) return lazy_error(FailureKind::truncated, 0, "placing was cancelled", "");
      auto region = certain_region(run, from);
      // A sketch that leaves lines out may begin or end anywhere without saying so.
      if (!region && run.at_begin != run.at_end &&
          (run.at_begin ? how_.whole_file && is_in_file(first_solid(run), from) : !how_.closed)) {
        Run open = run;
        open.at_begin = open.at_end = false;
        if (auto other = certain_region(open, from)) {
          region = std::move(other);
          run = open;
        }
      }
      if (!region) return std::unexpected(region.error());
      keep_blank_lines(run, region->pairs);
      pairs.insert(pairs.end(), region->pairs.begin(), region->pairs.end());
      from = region->end;
    }
    return pairs;
  }

 private:
  std::vector<Run> runs() const {
    std::vector<Run> out;
    const size_t n = sketch_.size();
    for (size_t i = 0; i < n;) {
      if (sketch_[i].elides) {
        ++i;
        continue;
      }
      size_t end = i;
      while (end < n && !sketch_[end].elides) ++end;
      Run run{i, end, i == 0, end == n};
      // Blank lines next to an elision lay the sketch out.
      while (!run.at_begin && run.first < run.last && sketch_[run.first].blank) ++run.first;
      while (!run.at_end && run.last > run.first && sketch_[run.last - 1].blank) --run.last;
      if (run.first < run.last) out.push_back(run);
      i = end;
    }
    return out;
  }

  // What is new next to an elision keeps the blank lines between them, unless the file has some, or
  // the end of a block is next, or the block has but lines in a row.
  void keep_blank_lines(const Run& run, std::vector<ItemPair>& pairs) const {
    const auto is_apart = [](const LazyItem& item) { return item.blank || item.block; };
    if (!how_.whole_file && std::ranges::none_of(file_, is_apart)) return;
    if (const ItemPair first = pairs.front();
        first.file < 0 && first.at > 0 && !file_[first.at - 1].blank)
      for (size_t i = run.first; !run.at_begin && i > 0 && sketch_[i - 1].blank; --i)
        pairs.insert(pairs.begin(), {static_cast<long>(i - 1), -1, first.at});
    const auto is_import = [](const LazyItem& item) {
      return item.block && item.block->kind == "import";
    };
    if (const ItemPair last = pairs.back();
        last.file < 0 && last.at < file_.size() && !file_[last.at].blank &&
        !closes_block(trimmed(file_[last.at].text)) &&
        !trimmed(file_[last.at].text).starts_with("#endif") &&
        !(is_import(file_[last.at]) && is_import(sketch_[static_cast<size_t>(last.sketch)])))
      for (size_t i = run.last; !run.at_end && i < sketch_.size() && sketch_[i].blank; ++i)
        pairs.push_back({static_cast<long>(i), -1, last.at});
  }

  size_t line_of(size_t item) const { return sketch_[item].lines.begin; }
  size_t file_line(size_t item) const { return file_[item].lines.begin + 1; }

  bool is_in_file(size_t item, size_t from) const {
    return std::any_of(file_.begin() + static_cast<long>(from), file_.end(),
                       [&](const LazyItem& other) { return other.key == sketch_[item].key; });
  }

  // The places in [from, …) where most of [first, last)'s start (or end) is, as the item at
  // which it begins (or after which it ends).
  std::vector<size_t> places(size_t first, size_t last, size_t from, bool at_start) const {
    const auto found = items_of_.find(sketch_[at_start ? first : last - 1].key);
    if (found == items_of_.end()) return {};
    std::vector<size_t> hits(std::ranges::lower_bound(found->second, from), found->second.end());
    for (size_t length = 1; length < last - first && hits.size() > 1 && !is_stopped(); ++length) {
      const int next = sketch_[at_start ? first + length : last - 1 - length].key;
      std::vector<size_t> longer;
      for (const size_t hit : hits)
        if (at_start ? hit + length < file_.size() && file_[hit + length].key == next
                     : hit >= from + length && file_[hit - length].key == next)
          longer.push_back(hit);
      if (longer.empty()) break;
      hits = std::move(longer);
    }
    if (!at_start)
      for (size_t& hit : hits) ++hit;
    return hits;
  }

  // A run of new items is placed only where an end of the level gives its place.
  FailureOr<Region> insertion(const Run& run) const {
    size_t at = file_.size();
    if (run.at_begin && !run.at_end) {
      at = 0;
      if (how_.whole_file) {
        // New imports go before the file's first one.
        const auto is_import = [](const LazyItem& item) {
          return item.block && item.block->kind == "import";
        };
        for (size_t i = run.first; i < run.last; ++i)
          if (!is_import(sketch_[i]) && !sketch_[i].blank) return unplaced(run);
        while (at < file_.size() && (!is_import(file_[at]) ||
                                     file_[at].text.find("__future__") != std::string_view::npos))
          ++at;
        if (at == file_.size()) return unplaced(run);
      } else if (!file_.empty() && !file_[0].block &&
                 file_[0].text.find_first_of("\"'") <=
                     file_[0].text.find_first_not_of(" \trRbBuU")) {
        return unplaced(run);  // a docstring must stay the first
      }
    } else if (!run.at_end || run.at_begin) {
      return unplaced(run);
    }
    Region region{at, at, {}, 0, run.last - run.first};
    // Nothing comes behind a "return": another one there is that one, changed.
    size_t last = file_.size(), own = run.last;
    while (last > 0 && file_[last - 1].blank) --last;
    while (own > run.first && sketch_[own - 1].blank) --own;
    if (run.at_end && !how_.whole_file && last > 0 && !file_[last - 1].block &&
        !sketch_[own - 1].block && leaves_block(file_[last - 1].text) &&
        leaves_block(sketch_[own - 1].text) &&
        depth_of(file_[last - 1]) == depth_of(sketch_[own - 1])) {
      region = {
          last - 1, last, {{-1, static_cast<long>(last - 1), last - 1}}, 1, run.last - run.first};
      at = last;
    }
    for (size_t i = run.first; i < run.last; ++i)
      region.pairs.push_back({static_cast<long>(i), -1, at});
    return region;
  }

  std::unexpected<Failure> unplaced(const Run& run) const {
    return lazy_error(
        FailureKind::not_found, line_of(run.first),
        "nothing from here to the next `... existing code ...` is in the file, so its "
        "place is not clear",
        "also show the line or declaration before or after it");
  }

  size_t first_solid(const Run& run) const {
    size_t item = run.first;
    while (item + 1 < run.last && sketch_[item].blank) ++item;
    return item;
  }

  // A run's region, from which nothing is removed that an elision may stand for.
  FailureOr<Region> certain_region(const Run& run, size_t from) {
    auto region = region_of(run, from);
    if (!region) return region;
    if (auto fine = check_region(sketch_, file_, run, *region, from, how_.closed); !fine)
      return std::unexpected(fine.error());
    if (run.at_begin && run.at_end && std::ranges::none_of(sketch_, &LazyItem::is_outline))
      return region;
    // What shows details of outlines and nothing new is rather made already than a removal.
    const bool has_news = how_.has_news || std::ranges::any_of(sketch_, &LazyItem::changed) ||
                          std::ranges::any_of(sketch_, &LazyItem::is_detailed);
    const auto loss =
        loss_in(*region, run, {run.at_begin && !how_.whole_file, run.at_end && how_.closed},
                has_news, sketch_, file_, count());
    if (!loss) return region;
    if (!loss->item)
      return lazy_error(FailureKind::ambiguous, line_of(run.first),
                        "a block that begins here is not closed before the next `... existing "
                        "code ...`",
                        "show all of it");
    return lost_to_elision(run.first, *loss->item);
  }

  std::unexpected<Failure> lost_to_elision(size_t item, size_t lost) const {
    return lazy_error(FailureKind::ambiguous, line_of(item),
                      "line " + std::to_string(file_line(lost)) +
                          " of the file would be lost, and `... existing code ...` may stand "
                          "for it",
                      "show the unchanged lines before and after each change");
  }

  FailureOr<Region> region_of(const Run& run, size_t from) {
    const bool loose = how_.by_names;
    size_t first = run.first, last = run.last;  // without new items at the ends
    while (loose && first < last && (sketch_[first].blank || !is_in_file(first, from))) ++first;
    while (loose && last > first && (sketch_[last - 1].blank || !is_in_file(last - 1, from)))
      --last;
    // Lines alone do not say that they are not in a block: then they occur elsewhere, perhaps
    // twice.
    if (loose && how_.whole_file &&
        std::none_of(sketch_.begin() + static_cast<long>(run.first),
                     sketch_.begin() + static_cast<long>(run.last),
                     [](const LazyItem& item) { return item.block != nullptr; }))
      return unplaced(run);
    if (first == last) {
      if (run.at_begin && run.at_end && !how_.whole_file) return aligned(run, 0, end_for(run));
      return insertion(run);
    }
    const bool left_out_before =
        loose && how_.whole_file && sketch_[first].block && first == run.first &&
        (sketch_[first].block->kind != "import" || is_first_import(file_, sketch_[first].key));
    const bool left_out_behind = loose && how_.whole_file && sketch_[last - 1].block &&
                                 last == run.last && sketch_[last - 1].block->kind != "import";
    std::vector<size_t> begins = run.at_begin && !left_out_before ? std::vector<size_t>{from}
                                                                  : places(first, last, from, true);
    std::vector<size_t> ends = run.at_end && !left_out_behind ? std::vector<size_t>{end_for(run)}
                                                              : places(first, last, from, false);
    if (begins.empty())
      return lazy_error(
          FailureKind::not_found, line_of(first),
          "this line, the first after what you left out, is not in the file (or not in "
          "this order)",
          "begin with a line that stays as it is");
    if (ends.empty())
      return lazy_error(
          FailureKind::not_found, line_of(last - 1),
          "this line, the last before what you left out, is not in the file (or not in "
          "this order)",
          "end with a line that stays as it is");
    if (begins.size() > 1 && ends.size() > 1)
      return lazy_error(FailureKind::ambiguous, line_of(first),
                        "these lines occur at lines " + std::to_string(file_line(begins[0])) +
                            " and " + std::to_string(file_line(begins[1])) + " of the file",
                        "show more lines around them");
    Run inner = run;
    if (!run.at_begin || left_out_before) inner.first = first;
    if (!run.at_end || left_out_behind) inner.last = last;
    std::optional<size_t> torn;  // the head of an entry that a region would tear apart
    size_t torn_cost = std::string::npos;
    std::vector<Region> regions;
    keep_nearest(begins, ends);
    for (const size_t begin : begins)
      for (const size_t end : ends) {
        if (end <= begin && !(run.at_begin && run.at_end)) continue;
        auto region = aligned(inner, begin, end);
        if (!region) continue;
        if (const auto item = torn_head(*region, inner, sketch_, file_, count()))
          torn = torn.value_or(*item), torn_cost = std::min(torn_cost, region->cost());
        else
          regions.push_back(*std::move(region));
      }
    if (regions.empty() && torn) return lost_to_elision(first, *torn);
    if (regions.empty())
      return lazy_error(FailureKind::not_found, line_of(first),
                        "these lines are not in the file in this order, or too long to compare",
                        ""
                        "show less at once");
    std::sort(regions.begin(), regions.end(),
              [](const Region& a, const Region& b) { return a.cost() < b.cost(); });
    if (torn && torn_cost < regions[0].cost() && !is_anchored_below(regions[0]))
      return lost_to_elision(first, *torn);
    if (regions.size() > 1 && regions[1].cost() < regions[0].cost() + 2)
      return lazy_error(FailureKind::ambiguous, line_of(first),
                        "these lines may end at line " + std::to_string(end_line(regions[0])) +
                            " or " + std::to_string(end_line(regions[1])) + " of the file",
                        "show more lines that stay");
    Region best = std::move(regions[0]);
    take_changed_ends(run, inner, from, best);
    std::vector<ItemPair> lead, trail;
    for (size_t i = run.first; i < inner.first; ++i)
      lead.push_back({static_cast<long>(i), -1, best.begin});
    for (size_t i = inner.last; i < run.last; ++i)
      trail.push_back({static_cast<long>(i), -1, best.end});
    best.pairs.insert(best.pairs.begin(), lead.begin(), lead.end());
    best.pairs.insert(best.pairs.end(), trail.begin(), trail.end());
    return best;
  }

  // True if a line that stays, and that the file has once, is below all that the region adds.
  bool is_anchored_below(const Region& region) const {
    for (size_t k = region.pairs.size(); k-- > 0;) {
      const ItemPair& pair = region.pairs[k];
      if (pair.file < 0) return false;
      if (pair.sketch < 0) continue;
      const LazyItem& item = file_[static_cast<size_t>(pair.file)];
      if (item.block || (says_something(item.text) && items_of_.at(item.key).size() == 1))
        return true;
    }
    return false;
  }

  // New lines at the ends that are the file's next ones there with more words take their place.
  void take_changed_ends(const Run& run, Run& inner, size_t from, Region& region) const {
    while (inner.first > run.first && region.begin > from) {
      size_t own = inner.first - 1, at = region.begin - 1;
      while (own > run.first && at > from && sketch_[own].blank && file_[at].blank) --own, --at;
      if (!is_same_statement(file_[at], sketch_[own])) break;
      std::vector<ItemPair> pairs = {{-1, static_cast<long>(at), at},
                                     {static_cast<long>(own), -1, at + 1}};
      for (size_t i = own + 1, k = at + 1; i < inner.first; ++i, ++k)
        pairs.push_back({static_cast<long>(i), static_cast<long>(k), k});
      region.pairs.insert(region.pairs.begin(), pairs.begin(), pairs.end());
      region.begin = at, inner.first = own;
    }
    while (inner.last < run.last && region.end < file_.size()) {
      size_t own = inner.last, at = region.end;
      while (own + 1 < run.last && at + 1 < file_.size() && sketch_[own].blank && file_[at].blank)
        ++own, ++at;
      if (!is_same_statement(file_[at], sketch_[own])) break;
      for (size_t i = inner.last, k = region.end; i < own; ++i, ++k)
        region.pairs.push_back({static_cast<long>(i), static_cast<long>(k), k});
      region.pairs.push_back({-1, static_cast<long>(at), at});
      region.pairs.push_back({static_cast<long>(own), -1, at + 1});
      region.end = at + 1, inner.last = own + 1;
    }
  }

  // How often the file has an item with a key.
  std::function<size_t(int key)> count() const {
    return [this](int key) {
      const auto found = items_of_.find(key);
      return found == items_of_.end() ? 0 : found->second.size();
    };
  }

  // The level's end; blank lines there stay.
  size_t end_for(const Run& run) const {
    size_t end = file_.size();
    while (end > 0 && file_[end - 1].blank && !sketch_[run.last - 1].blank) --end;
    return end;
  }

  size_t end_line(const Region& region) const {
    return region.end == 0 ? 0 : file_[region.end - 1].lines.end;
  }

  FailureOr<Region> aligned(const Run& run, size_t begin, size_t end) {
    if (auto region = diff_region(sketch_, file_, run, begin, end, cells_))
      return *std::move(region);
    return lazy_error(FailureKind::not_found, line_of(run.first),
                      "this part is too long to compare", "split it into smaller parts");
  }

  const std::vector<LazyItem>& sketch_;
  const std::vector<LazyItem>& file_;
  const LazyPlaces how_;
  std::unordered_map<int, std::vector<size_t>> items_of_;  // the file's, by key, ascending
  size_t cells_ = 0;
};

}  // namespace

// Decides: where the pieces of a sketch belong.
FailureOr<std::vector<ItemPair>> place_runs(const std::vector<LazyItem>& sketch,
                                            const std::vector<LazyItem>& file, LazyPlaces how) {
  return Placing(sketch, file, how).place();
}

std::unexpected<Failure> lazy_error(FailureKind kind, size_t line, std::string_view what,
                                    std::string advice) {
  return failure(kind, "line " + std::to_string(line + 1) + " of the sketch: " + std::string(what),
                 std::move(advice));
}

}  // namespace bodkin
