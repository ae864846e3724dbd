// One class of more than 350 lines: where a run may begin and end is asked of the runs before it,
// the level and the entries at once.
#include "edits/lazy/lazy_runs.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>

#include "edits/lazy/lazy_heads.h"
#include "edits/lazy/lazy_loss.h"
#include "edits/lazy/lazy_region.h"
#include "edits/lazy/lazy_words.h"
#include "edits/place/tokens.h"
#include "edits/text/line_keys.h"
#include "edits/text/stopping.h"

namespace bodkin {

namespace {

constexpr size_t kMaxCompared = 1 << 20;  // lines, to tell places apart

class Placing {
 public:
  Placing(const std::vector<LazyLine>& sketch, const std::vector<LazyLine>& file)
      : sketch_(sketch), file_(file) {
    for (size_t i = 0; i < file.size(); ++i) items_of_[file[i].key].push_back(i);
    heads_ = heads_of(sketch, file, count_);
  }

  FailureOr<std::vector<LinePair>> place() {
    size_t from = 0;
    for (Run run : runs()) {
      scope_end_ = scope_of(run, from);
      if (is_stopped()) return lazy_error(FailureKind::truncated, 0, "placing was cancelled", "");
      auto region = certain_region(run, from);
      // A sketch that leaves lines out may begin or end anywhere without saying so.
      if (!region && run.at_begin != run.at_end) {
        Run open = run;
        open.at_begin = open.at_end = false;
        if (auto other = certain_region(open, from);
            other && ((run.at_begin ? other->pairs.front() : other->pairs.back()).stays() ||
                      (run.at_end && (other->is_closed || heads_.is_new[last_solid(run)])))) {
          region = std::move(other);
          run = open;
        }
      }
      if (!region) return std::unexpected(region.error());
      keep_blank_lines(run, region->pairs);
      pairs_.insert(pairs_.end(), region->pairs.begin(), region->pairs.end());
      for (const auto& [own, line, at] : region->pairs)
        if (own >= 0 && line >= 0) paired_[static_cast<size_t>(own)] = static_cast<size_t>(line);
      from = region->end;
    }
    return std::move(pairs_);
  }

 private:
  // The end of the file's block that contains the run, by the heads that are shown. A line without
  // a block in the file is none, and an elision below all of a block goes beyond it.
  size_t scope_of(const Run& run, size_t from) const {
    for (auto shown = heads_.head_of[first_solid(run)]; shown; shown = heads_.head_of[*shown]) {
      const auto head = line_of_file(*shown);
      if (!head) continue;
      const size_t end = block_end(file_, *head);
      const auto is_left = [&](const LazyLine& line) {
        return !line.blank && depth_of(line) > depth_of(file_[*head]);
      };
      if (std::any_of(file_.begin() + static_cast<long>(std::min(from, end)),
                      file_.begin() + static_cast<long>(end), is_left))
        return end;
    }
    return file_.size();
  }

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

  // New lines next to an elision keep the blank lines between them, unless the file has some, or
  // the block ends next, or has only lines in a row.
  void keep_blank_lines(const Run& run, std::vector<LinePair>& pairs) const {
    const auto shown = heads_.head_of[first_solid(run)];
    if (const auto head = shown ? line_of_file(*shown) : std::nullopt) {
      const size_t end = block_end(file_, *head);
      size_t line = *head + 1;
      while (line < end && !file_[line].blank && !opens_deeper(file_, line)) ++line;
      if (line == end) return;
    }
    if (const LinePair first = pairs.front();
        first.file < 0 && first.at > 0 && !file_[first.at - 1].blank)
      for (size_t i = run.first; !run.at_begin && i > 0 && sketch_[i - 1].blank; --i)
        pairs.insert(pairs.begin(), {static_cast<long>(i - 1), -1, first.at});
    if (const LinePair last = pairs.back(); last.file < 0 && last.at < file_.size() &&
                                            !file_[last.at].blank &&
                                            !ends_block(file_[last.at].text))
      for (size_t i = run.last; !run.at_end && i < sketch_.size() && sketch_[i].blank; ++i)
        pairs.push_back({static_cast<long>(i), -1, last.at});
  }

  bool is_in_file(size_t item, size_t from) const {
    const auto found = items_of_.find(sketch_[item].key);
    return !heads_.is_new[item] && found != items_of_.end() && found->second.back() >= from;
  }

  // The places in [from, …) where most of [first, last)'s start (or end) is, as the item at which
  // it begins (or after which it ends). Among very many equal lines it stays open which.
  std::vector<size_t> places(size_t first, size_t last, size_t from, bool at_start) const {
    const auto found = items_of_.find(sketch_[at_start ? first : last - 1].key);
    if (found == items_of_.end()) return {};
    std::vector<size_t> hits(
        std::ranges::lower_bound(found->second, from),
        at_start ? std::ranges::upper_bound(found->second, scope_end_) : found->second.end());
    size_t compared = 0;
    for (size_t length = 1;
         length < last - first && hits.size() > 1 && (compared += hits.size()) < kMaxCompared;
         ++length) {
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

  // New lines alone have a place only at the file's end, as an entry of its outermost level.
  FailureOr<Region> insertion(const Run& run) const {
    const size_t first = first_solid(run);
    if (!run.at_end || run.at_begin || depth_of(sketch_[first]) > 0 || !heads_.is_new[first] ||
        run.first == 0 || !sketch_[run.first - 1].blank)
      return lazy_error(FailureKind::not_found, run.first,
                        "nothing from here to the next `... existing code ...` is in the file, so "
                        "its place is not clear",
                        "also show the line or declaration before or after it");
    return inserted(run, file_.size());
  }

  static Region inserted(const Run& run, size_t at) {
    Region region{at, at, {}, 0, run.last - run.first};
    for (size_t i = run.first; i < run.last; ++i)
      region.pairs.push_back({static_cast<long>(i), -1, at});
    return region;
  }

  // The end of the entry above the run, of which the sketch shows the head and leaves out the body.
  std::optional<size_t> outline_end(const Run& run) const {
    size_t elision = run.first;
    while (elision > 0 && !sketch_[elision].elides) --elision;
    const auto head = heads_.head_of[elision];
    if (!head || depth_of(sketch_[*head]) != depth_of(sketch_[first_solid(run)]))
      return std::nullopt;
    const auto file = line_of_file(*head);
    return file ? std::optional(block_end(file_, *file)) : std::nullopt;
  }

  // The line of the file that the sketch's is paired with.
  std::optional<size_t> line_of_file(size_t line) const {
    const auto found = paired_.find(line);
    return found == paired_.end() ? std::nullopt : std::optional(found->second);
  }

  size_t first_solid(const Run& run) const {
    size_t item = run.first;
    while (item + 1 < run.last && sketch_[item].blank) ++item;
    return item;
  }

  size_t last_solid(const Run& run) const {
    size_t item = run.last - 1;
    while (item > run.first && sketch_[item].blank) --item;
    return item;
  }

  // The end of the file's block that the run ends with, if the sketch shows all of it: the elision
  // below is outside of it.
  std::optional<size_t> shown_block_end(const Run& run, size_t from) const {
    size_t next = run.last;
    while (next < sketch_.size() && sketch_[next].blank) ++next;
    if (next < sketch_.size() && !sketch_[next].elides) return std::nullopt;
    const size_t outside = next < sketch_.size() ? depth_of(sketch_[next]) : 0;
    const size_t last = last_solid(run);
    std::optional<size_t> head;
    for (auto around = heads_.head_of[last]; around && *around >= run.first;
         around = heads_.head_of[*around])
      if (depth_of(sketch_[*around]) >= outside) head = around;
    if (!head || heads_.is_new[*head] || !has_word(sketch_[*head].text)) return std::nullopt;
    const bool is_closed = depth_of(sketch_[last]) == depth_of(sketch_[*head]);
    // Nothing follows a "return" at the body's own level.
    size_t first_inside = *head + 1;
    while (sketch_[first_inside].blank) ++first_inside;
    if (!is_closed && (!leaves_block(sketch_[last].text) || opens_block(sketch_[last].text) ||
                       depth_of(sketch_[last]) != depth_of(sketch_[first_inside])))
      return std::nullopt;
    const auto found = items_of_.find(sketch_[*head].key);
    if (found == items_of_.end()) return std::nullopt;
    const auto first = std::ranges::lower_bound(found->second, from);
    const auto beyond = std::ranges::upper_bound(found->second, scope_end_);
    if (beyond - first != 1) return std::nullopt;
    const size_t end = block_end(file_, *first);
    if (end == *first + 1 || is_closed != (depth_of(file_[end - 1]) == depth_of(file_[*first])))
      return std::nullopt;
    return end;
  }

  // A run's region, which removes nothing that an elision may stand for. First where it is
  // (`region_of`), then whether its ends may be the file's next lines, changed (`check_region`),
  // then whether what it removes is shown to be gone (`loss_in`). A run that is all of the sketch
  // has no elision that could stand for anything.
  FailureOr<Region> certain_region(const Run& run, size_t from) {
    auto region = region_of(run, from);
    if (!region) return region;
    if (auto fine = check_region(sketch_, file_, run, *region, from, heads_.is_new); !fine)
      return std::unexpected(fine.error());
    if (run.at_begin && run.at_end) return region;
    const auto loss = loss_in(*region, run, sketch_, file_, count_);
    if (!loss) return region;
    if (!loss->item)
      return lazy_error(FailureKind::ambiguous, run.first,
                        "a block that begins here is not closed before the next `... existing "
                        "code ...`",
                        "show all of it");
    return lost_to_elision(run.first, *loss->item);
  }

  std::unexpected<Failure> lost_to_elision(size_t item, size_t lost) const {
    return lazy_error(FailureKind::ambiguous, item,
                      "line " + std::to_string(lost + 1) +
                          " of the file would be lost, and `... existing code ...` may stand "
                          "for it",
                      "show the unchanged lines before and after each change");
  }

  // Where the run may begin and where it may end are determined separately: if one end is known,
  // the cost of the diff decides between the other end's many places. If neither is known, the run
  // may be anywhere, and is refused.
  FailureOr<Region> region_of(const Run& run, size_t from) {
    size_t first = run.first, last = run.last;  // without new lines at the ends
    while (first < last && (sketch_[first].blank || !is_in_file(first, from))) ++first;
    while (last > first && (sketch_[last - 1].blank || !is_in_file(last - 1, from))) --last;
    const std::optional<size_t> whole = run.at_end ? std::nullopt : shown_block_end(run, from);
    if (whole) last = run.last;
    if (first == last) {
      const size_t line = first_solid(run);
      if (const auto end = heads_.is_new[line] ? outline_end(run) : std::nullopt) {
        Region region = inserted(run, *end);
        region.is_below_outline = true;
        return region;
      }
      const auto at = line == last_solid(run) ? changed_line(line, from) : std::nullopt;
      if (!at) return insertion(run);
      return Region{*at,
                    *at + 1,
                    {{-1, static_cast<long>(*at), *at}, {static_cast<long>(line), -1, *at + 1}},
                    1,
                    1};
    }
    std::vector<size_t> begins =
        run.at_begin ? std::vector<size_t>{from} : places(first, last, from, true);
    std::vector<size_t> ends = run.at_end ? std::vector<size_t>{end_for(run)}
                               : whole    ? std::vector<size_t>{*whole}
                                          : places(first, last, from, false);
    if (begins.empty() || ends.empty())
      return lazy_error(FailureKind::not_found, begins.empty() ? first : last - 1,
                        "this line, next to what you left out, is not in the file (or not in this "
                        "order)",
                        "begin and end with lines that stay as they are");
    if (begins.size() > 1 && ends.size() > 1)
      return lazy_error(FailureKind::ambiguous, first,
                        "these lines occur at lines " + std::to_string(begins[0] + 1) + " and " +
                            std::to_string(begins[1] + 1) + " of the file",
                        "show more lines around them");
    Run inner = run;
    if (!run.at_begin) inner.first = first;
    if (!run.at_end) inner.last = last;
    std::optional<size_t> torn;  // the head of an entry that a region would tear apart
    size_t torn_cost = std::string::npos;
    std::vector<Region> regions;
    keep_nearest(begins, ends);
    for (const size_t begin : begins)
      for (const size_t end : ends) {
        if (end <= begin && !(run.at_begin && run.at_end)) continue;
        auto region = diff_region(sketch_, file_, inner, begin, end, cells_);
        if (!region) continue;
        const bool is_all = run.at_begin && run.at_end;  // nothing is left out
        if (const auto item =
                is_all ? std::nullopt : torn_head(*region, inner, sketch_, file_, count_))
          torn = torn.value_or(*item), torn_cost = std::min(torn_cost, region->cost());
        else
          regions.push_back(*std::move(region));
      }
    if (regions.empty() && torn) return lost_to_elision(first, *torn);
    if (regions.empty())
      return lazy_error(FailureKind::not_found, first,
                        "these lines are not in the file in this order, or too long to compare",
                        "show less at once");
    std::ranges::sort(regions, {}, &Region::cost);
    if (torn && torn_cost < regions[0].cost() && !is_anchored_below(regions[0]))
      return lost_to_elision(first, *torn);
    if (regions.size() > 1 && regions[1].cost() < regions[0].cost() + 2)
      return lazy_error(FailureKind::ambiguous, first,
                        "these lines may end at line " + std::to_string(regions[0].end) + " or " +
                            std::to_string(regions[1].end) + " of the file",
                        "show more lines that stay");
    Region best = std::move(regions[0]);
    best.is_closed = whole.has_value();
    take_changed_ends(sketch_, file_, run, heads_.is_new, count_, from, inner, best);
    for (size_t i = inner.first; i-- > run.first;)
      best.pairs.insert(best.pairs.begin(), {static_cast<long>(i), -1, best.begin});
    for (size_t i = inner.last; i < run.last; ++i)
      best.pairs.push_back({static_cast<long>(i), -1, best.end});
    return best;
  }

  // True if a line that stays, and that the file has once, is below all that the region adds.
  bool is_anchored_below(const Region& region) const {
    for (size_t k = region.pairs.size(); k-- > 0;) {
      const LinePair& pair = region.pairs[k];
      if (pair.file < 0) return false;
      if (pair.sketch < 0) continue;
      const LazyLine& item = file_[static_cast<size_t>(pair.file)];
      if (says_something(item.text) && items_of_.at(item.key).size() == 1) return true;
    }
    return false;
  }

  // The only line of the file that the line may be, changed: no other statement of that name is
  // nearer to it.
  std::optional<size_t> changed_line(size_t own, size_t from) const {
    std::optional<size_t> found;
    for (size_t line = from; line < scope_end_ && !heads_.is_new[own]; ++line)
      if (is_same_statement(file_[line], sketch_[own])) {
        if (found) return std::nullopt;
        found = line;
      }
    if (!found) return std::nullopt;
    const std::string_view text = sketch_[own].text;
    const size_t distance = token_distance(file_[*found].text, text);
    for (size_t line = from; line < scope_end_; ++line)
      if (line != *found && depth_of(file_[line]) == depth_of(sketch_[own]) &&
          name_in(file_[line].text) == name_in(text) && are_alike(file_[line].text, text) &&
          token_distance(file_[line].text, text) <= distance)
        return std::nullopt;
    return found;
  }

  // The level's end; blank lines there stay.
  size_t end_for(const Run& run) const {
    size_t end = file_.size();
    while (end > 0 && file_[end - 1].blank && !sketch_[run.last - 1].blank) --end;
    return end;
  }

  const std::vector<LazyLine>& sketch_;
  const std::vector<LazyLine>& file_;
  std::unordered_map<int, std::vector<size_t>> items_of_;  // the file's, by key, ascending
  // The number of items of the file with a key.
  const std::function<size_t(int key)> count_ = [this](int key) {
    const auto found = items_of_.find(key);
    return found == items_of_.end() ? 0 : found->second.size();
  };
  std::vector<LinePair> pairs_;                // of the runs that are placed
  std::unordered_map<size_t, size_t> paired_;  // … the file's line of the sketch's
  size_t cells_ = 0;
  LazyHeads heads_;
  size_t scope_end_ = 0;  // of the run that is placed
};

}  // namespace

// Decides: where the pieces of a sketch belong.
FailureOr<std::vector<LinePair>> place_runs(const std::vector<LazyLine>& sketch,
                                            const std::vector<LazyLine>& file) {
  return Placing(sketch, file).place();
}

}  // namespace bodkin
