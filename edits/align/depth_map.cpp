#include "edits/align/depth_map.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

// The commonest number of blanks by which a line is deeper than the one before; 0: none dominates.
size_t step_of(const std::vector<std::string_view>& lines) {
  std::map<size_t, size_t> steps;
  std::optional<size_t> above;
  size_t all = 0;
  for (const std::string_view line : lines) {
    const std::string_view depth = indentation_of(line);
    if (is_blank(line) || has_tab(depth)) continue;
    if (above && depth.size() > *above + 1) ++steps[depth.size() - *above], ++all;
    above = depth.size();
  }
  size_t commonest = 0, times = 0;
  for (const auto& [step, count] : steps)
    if (count > times) commonest = step, times = count;
  return 2 * times > all ? commonest : 0;
}

}  // namespace

DepthMap::DepthMap(std::vector<DepthPair> pairs, const std::vector<std::string_view>& quote,
                   const MappedText& file)
    : pairs_(std::move(pairs)) {
  bool any_depth = false;
  for (const DepthPair& pair : pairs_) {
    moved_ |= pair.quoted != pair.ours;
    from_tabs_ |= has_tab(pair.quoted);
    to_tabs_ |= has_tab(pair.ours);
    any_depth |= !pair.ours.empty();
  }
  if (pairs_.size() > 1 && pairs_[0].quoted != pairs_[0].ours)
    first_lacks_ = std::all_of(pairs_.begin() + 1, pairs_.end(), [&](const DepthPair& pair) {
      return pair.quoted == pair.ours && pair.quoted != pairs_[0].quoted;
    });
  // … unless these are indented in another unit than the file's.
  const bool may_lack = first_lacks_ && pairs_[0].quoted.size() < pairs_[0].ours.size();
  const size_t step =
      may_lack && !quote.empty() ? step_of({quote.begin() + 1, quote.end()}) : size_t{0};
  if (step > 0 && file.indentation().unit > 0 && step % file.indentation().unit == 0 &&
      step != file.indentation().unit)
    first_lacks_ = false;
  for (const std::string_view line : quote) from_tabs_ |= has_tab(indentation_of(line));
  if (!any_depth && moved_) to_tabs_ = file.indentation().tabs;
  if (moved_ && !(from_tabs_ && to_tabs_)) rate_ = rate_of(quote, file);
}

// The slope of the pairs if they agree; else 1, or between tabs and blanks the ratio of the units.
std::optional<DepthMap::Rate> DepthMap::rate_of(const std::vector<std::string_view>& quote,
                                                const MappedText& file) const {
  // The first line may lack its depth.
  bool varies = false;
  for (size_t i = 2; i < pairs_.size(); ++i) varies |= pairs_[i].quoted != pairs_[1].quoted;
  std::vector<std::pair<size_t, size_t>> points;
  for (size_t i = varies ? 1 : 0; i < pairs_.size(); ++i)
    points.emplace_back(pairs_[i].quoted.size(), pairs_[i].ours.size());
  std::ranges::sort(points);
  points.erase(std::ranges::unique(points).begin(), points.end());
  std::optional<Rate> slope;
  bool agree = true;
  for (size_t i = 0; i + 1 < points.size(); ++i) {
    const auto [quoted, ours] = points[i];
    const auto [next_quoted, next_ours] = points[i + 1];
    if (next_quoted == quoted) continue;
    if (next_ours <= ours) {
      agree = false;
      continue;
    }
    const size_t common = std::gcd(next_ours - ours, next_quoted - quoted);
    const Rate found{(next_ours - ours) / common, (next_quoted - quoted) / common};
    agree &= !slope || (slope->ours == found.ours && slope->quoted == found.quoted);
    slope = found;
  }
  if (slope && agree) return slope;
  const size_t unit_quoted = from_tabs_ ? 1 : step_of(quote);
  const size_t unit_ours = to_tabs_ ? 1 : file.indentation().unit;
  if (from_tabs_ == to_tabs_) return Rate{};
  if (!unit_quoted || !unit_ours) return std::nullopt;
  return Rate{unit_ours, unit_quoted};
}

std::optional<std::string> DepthMap::scaled(std::string_view rest) const {
  if (from_tabs_ == to_tabs_ && (!rate_ || rate_->ours == rate_->quoted)) return std::string(rest);
  if (!rate_ || (from_tabs_ && rest.find(' ') != rest.npos)) return std::nullopt;
  const size_t columns = rest.size() * rate_->ours;
  if (columns % rate_->quoted != 0 && !to_tabs_) return std::nullopt;
  const size_t count = columns / rate_->quoted;
  if (!to_tabs_) return std::string(count, ' ');
  // Less than a tab stays blanks.
  const size_t used = count * rate_->quoted / rate_->ours;
  return std::string(count, '\t') + std::string(rest.size() - used, ' ');
}

// Decides: the indentation of a new line.
std::optional<std::string> DepthMap::of(std::string_view indentation, size_t row) const {
  if (!moved_ || pairs_.empty()) return std::string(indentation);
  if (first_lacks_)
    return std::string(indentation == pairs_[0].quoted ? pairs_[0].ours : indentation);
  // The pairs above the row, nearest first, then those below.
  std::vector<const DepthPair*> near;
  for (const DepthPair& pair : pairs_)
    if (pair.row <= row) near.insert(near.begin(), &pair);
  const size_t above = near.size();
  for (const DepthPair& pair : pairs_)
    if (pair.row > row) near.push_back(&pair);
  const auto same = [&](auto begin, auto end) {
    const auto found = std::find_if(
        begin, end, [&](const DepthPair* pair) { return pair->quoted == indentation; });
    return found == end ? nullptr : *found;
  };
  const auto middle = near.begin() + static_cast<long>(above);
  const DepthPair *up = same(near.begin(), middle), *down = same(middle, near.end());
  if (up && down && up->row != row && up->ours != down->ours) return std::nullopt;
  if (up || down) return std::string((up ? up : down)->ours);
  // The deepest pair that it is deeper than; else the least deep of all.
  const DepthPair *inner = nullptr, *least = near[0];
  for (const DepthPair* pair : near) {
    if (indentation.starts_with(pair->quoted) &&
        (!inner || pair->quoted.size() > inner->quoted.size()))
      inner = pair;
    if (pair->quoted.size() < least->quoted.size()) least = pair;
  }
  if (inner) {
    const auto more = scaled(indentation.substr(inner->quoted.size()));
    return more ? std::optional(std::string(inner->ours) + *more) : std::nullopt;
  }
  if (!least->quoted.starts_with(indentation)) return std::nullopt;
  const auto less = scaled(least->quoted.substr(indentation.size()));
  if (!less || !least->ours.ends_with(*less)) return std::nullopt;
  return std::string(least->ours.substr(0, least->ours.size() - less->size()));
}

}  // namespace bodkin
