#include "edits/align/align.h"

#include <algorithm>
#include <map>
#include <queue>
#include <unordered_map>

#include "edits/align/depth_price.h"
#include "edits/align/lines.h"
#include "edits/text/comments.h"
#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

std::optional<std::vector<size_t>> lines_keyed(const MappedText& file, std::string_view key,
                                               uint32_t hash, size_t most) {
  std::string buffer;
  auto found = file.lines_hashed(hash, most);
  if (found)
    std::erase_if(*found, [&](size_t at) { return loose_key(file.line(at), buffer) != key; });
  return found;
}

// The old side, with each row's properties computed once. `bare` and `key` are compared for every
// pair that is tried, the text is not looked at again. Whether dots elide is decided here: a line
// of dots that the file has, too ("..." as a body of Python), is a line like every other.
struct Quote {
  struct OldRow {
    std::string_view text, bare;  // as quoted; without blanks at its ends
    std::string key;
    uint32_t hash = 0;
    bool may_differ = false, is_elision = false, is_blank = false;
    size_t row = 0;  // of the reading

    std::optional<std::vector<size_t>> lines_in(const MappedText& file, size_t most) const {
      return lines_keyed(file, key, hash, most);
    }
  };
  std::vector<OldRow> rows;
  size_t first = 0, last = 0;  // the solid ends; first > last: there is none

  Quote(const MappedText& file, const Reading& reading) {
    std::string buffer;
    for (const Row& row : reading.rows) {
      if (!row.is_old()) continue;
      OldRow& old = rows.emplace_back();
      old.row = static_cast<size_t>(&row - reading.rows.data());
      old.text = row.old_text;
      old.bare = trimmed(old.text);
      old.is_blank = old.bare.empty();
      old.may_differ = row.is_kept();
      old.key = loose_key(old.text, buffer);
      old.hash = MappedText::hash(old.text);
      old.is_elision = row.is_kept() && !old.is_blank && begins_with_dots(old.bare) &&
                       old.lines_in(file, kMostCandidates).value_or(std::vector<size_t>(1)).empty();
    }
    first = rows.size();
    for (size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].is_blank || rows[i].is_elision) continue;
      first = std::min(first, i);
      last = i;
    }
    if (first == rows.size()) {
      first = 1, last = 0;
      return;
    }
    // An alignment begins and ends with lines that agree.
    rows[first].may_differ = rows[last].may_differ = false;
  }
};

// True if the next line is deeper.
bool heads_block(const MappedText& file, size_t line) {
  size_t below = line + 1;
  while (below < file.line_count() && is_blank(file.line(below))) ++below;
  return below < file.line_count() &&
         indentation_of(file.line(below)).size() > indentation_of(file.line(line)).size();
}

// The price of taking the file's line for the row. From cheap to dear: equal except for blanks at
// its ends; equal under `loose_key`, where the hash spares most comparisons; and, for a kept row,
// the cost of its tokens. A removed row that is not equal has no price: text that is not in the
// file cannot be removed from it.
Price price_of(const MappedText& file, const Quote::OldRow& row, size_t line) {
  const std::string_view ours = file.line(line);
  if (row.bare == trimmed(ours)) return 0;
  std::string buffer;
  if (!row.is_blank && file.hash_of(line) == row.hash && loose_key(ours, buffer) == row.key)
    return kSpelled;
  if (!row.may_differ || !file.spend(row.text.size() + ours.size())) return kNever;
  const Price price = price_of_difference(file, row.text, ours);
  // The head of a block is known by its words.
  return price > kSlip && !is_comment(ours) && heads_block(file, line) ? kNever : price;
}

// The cheapest path from a pair to the end of the rows, in one direction: Dijkstra's search over
// nodes (row, line), which say that the rows up to this one and the lines up to this one are done.
// From each there are at most three steps, and one more over an elision:
//
//   both        the next row is the next line, at the price of their difference
//   the line    it is not quoted: a blank line, or a comment
//   the row     the file lacks it: a blank one
//   a leap      behind an elision, to the nearest lines that its next row may be
//
// A quote that is like the file only ever takes the first kind, and the queue holds one node. For
// one that is not, all nodes soon cost more than any place may, and it ends. The number of nodes is
// bounded by the rows; beyond it nothing is placed (`gave_up`), since the cheapest path may be one
// that was not looked at.
class Growth {
 public:
  Growth(const MappedText& file, const Quote& quote) : file_(file), quote_(quote) {}

  // Fills `lines` for the rows beyond `row`. Nullopt: no price can pay it.
  std::optional<Price> grow(size_t row, size_t line, int step, std::vector<size_t>& lines) {
    nodes_.clear();
    best_.clear();
    open_ = {};
    step_ = step;
    const size_t end = step > 0 ? quote_.rows.size() : static_cast<size_t>(-1);
    add({row, line, 0, kUnpaired, false});
    const size_t most = 60 + 30 * quote_.rows.size();
    for (size_t pops = 0; !open_.empty();) {
      const auto [cost, at] = open_.top();
      open_.pop();
      const Node node = nodes_[at];
      if (best_[key_of(node.row, node.line)] < cost) continue;
      if (++pops > most || !file_.spend(8)) {
        gave_up_ = true;
        return std::nullopt;
      }
      if (node.row + static_cast<size_t>(step) == end) {
        for (size_t n = at; nodes_[n].from != kUnpaired; n = nodes_[n].from)
          if (nodes_[n].is_pair) lines[quote_.rows[nodes_[n].row].row] = nodes_[n].line;
        return cost;
      }
      expand(at, end);
    }
    return std::nullopt;
  }

  bool gave_up() const { return gave_up_; }

 private:
  struct Node {
    size_t row, line;
    Price cost;
    size_t from;
    bool is_pair;
  };

  static uint64_t key_of(size_t row, size_t line) { return uint64_t{row} << 40 | line; }

  void add(const Node& node) {
    if (node.cost >= kNever) return;
    const auto [at, is_new] = best_.try_emplace(key_of(node.row, node.line), node.cost);
    if (!is_new && at->second <= node.cost) return;
    at->second = node.cost;
    open_.push({node.cost, nodes_.size()});
    nodes_.push_back(node);
  }

  void expand(size_t at, size_t end) {
    const Node node = nodes_[at];
    const auto step = static_cast<size_t>(step_);
    const size_t next = node.row + step, line = node.line + step;
    const Quote::OldRow& row = quote_.rows[next];
    if (row.is_elision) return leap(at, next, end);
    if (line < file_.line_count()) {
      const Price price = price_of(file_, row, line);
      if (price < kNever) add({next, line, node.cost + price, at, true});
      const std::string_view ours = file_.line(line);
      if (is_blank(ours))
        add({node.row, line, node.cost + kBlank, at, false});
      else if (price > 0 && is_comment(ours))
        add({node.row, line, node.cost + kComment, at, false});
    }
    if (row.is_blank) add({next, node.line, node.cost + kBlank, at, false});
  }

  // An elision begins and ends in the same block: a line quoted at the depth of the row before it,
  // or deeper, or less deep, is so in the file.
  bool keeps_depth(size_t row, size_t line, size_t other_row, size_t other_line) const {
    if (quote_.rows[row].is_blank) return true;
    const auto compare = [](std::string_view a, std::string_view b) {
      return indentation_of(a).size() <=> indentation_of(b).size();
    };
    return compare(quote_.rows[row].text, quote_.rows[other_row].text) ==
           compare(file_.line(line), file_.line(other_line));
  }

  // Over an elision: to the nearest lines that the row behind it may be.
  void leap(size_t at, size_t elision, size_t end) {
    constexpr size_t kNearest = 3;
    const Node node = nodes_[at];
    const auto step = static_cast<size_t>(step_);
    size_t behind = elision;
    while (behind != end && (quote_.rows[behind].is_elision || quote_.rows[behind].is_blank))
      behind += step;
    if (behind == end) return add({end - step, node.line, node.cost, at, false});
    const auto hits = quote_.rows[behind].lines_in(file_, kMostCandidates);
    if (!hits) {
      gave_up_ = true;
      return;
    }
    std::vector<size_t> beyond;
    for (const size_t hit : *hits)
      if (step_ > 0 ? hit > node.line : hit < node.line) beyond.push_back(hit);
    if (step_ < 0) std::ranges::reverse(beyond);
    size_t tried = 0;
    for (size_t k = 0; k < beyond.size() && tried < kNearest; ++k) {
      if (!keeps_depth(node.row, node.line, behind, beyond[k])) continue;
      ++tried;
      add({behind, beyond[k], node.cost + static_cast<Price>(std::min<size_t>(k, 20)), at, true});
    }
  }

  const MappedText& file_;
  const Quote& quote_;
  int step_ = 1;
  bool gave_up_ = false;
  std::vector<Node> nodes_;
  std::unordered_map<uint64_t, Price> best_;
  using Open = std::pair<Price, size_t>;
  std::priority_queue<Open, std::vector<Open>, std::greater<>> open_;
};

struct Seed {
  size_t row, line;
};

// The seeds of each piece between elisions: the lines that its rarest row may be, among the rows
// that must be equal. Empty: a piece is not in the file.
//
// Every alignment pairs each such row with a line equal to it, so the lines of any one row are a
// complete set of candidates, and the smallest set is the cheapest to try. Each piece of a quote
// with elisions gives seeds: the same alignment may then be found twice, from the upper and from
// the lower one, and counts only once.
std::vector<Seed> seeds_of(const MappedText& file, const Quote& quote, bool& gave_up) {
  std::vector<Seed> seeds;
  for (size_t begin = 0; begin < quote.rows.size();) {
    size_t end = begin;
    while (end < quote.rows.size() && !quote.rows[end].is_elision) ++end;
    std::optional<std::vector<size_t>> rarest;
    size_t seed = 0;
    bool any = false;
    for (size_t i = begin; i < end; ++i) {
      const Quote::OldRow& row = quote.rows[i];
      if (row.is_blank || row.may_differ) continue;
      any = true;
      auto hits = row.lines_in(file, rarest ? rarest->size() : kMostCandidates);
      if (!hits || (rarest && hits->size() >= rarest->size())) continue;
      rarest = std::move(hits), seed = i;
      if (rarest->empty()) return {};
    }
    begin = end + 1;
    if (!any) continue;
    if (!rarest || seeds.size() + rarest->size() > kMostCandidates) {
      gave_up = true;
      return {};
    }
    for (const size_t line : *rarest) seeds.push_back({seed, line});
  }
  return seeds;
}

void set_span(Alignment& alignment) {
  alignment.first = kUnpaired;
  for (const size_t line : alignment.lines) {
    if (line == kUnpaired) continue;
    alignment.first = std::min(alignment.first, line);
    alignment.last = std::max(alignment.last, line + 1);
  }
}

}  // namespace

std::optional<std::vector<size_t>> lines_like(const MappedText& file, std::string_view line,
                                              size_t most) {
  std::string buffer;
  return lines_keyed(file, loose_key(line, buffer), MappedText::hash(line), most);
}

// Decides: which differences between a quote and the file are tolerated.
Alignments alignments_of(const MappedText& file, const std::shared_ptr<const Reading>& reading) {
  Alignments out;
  const Quote quote(file, *reading);
  if (quote.first > quote.last) return out;
  const std::vector<Seed> seeds = seeds_of(file, quote, out.gave_up);
  if (out.gave_up) return out;
  const bool says_where = std::ranges::any_of(
      quote.rows, [](const Quote::OldRow& row) { return !only_ends_block(row.bare); });
  // For each seed the path down and the path up make one alignment; of two that span the same lines
  // the cheaper one counts.
  Growth growth(file, quote);
  for (const auto& [seed, line] : seeds) {
    Alignment found;
    found.lines.assign(reading->rows.size(), kUnpaired);
    const std::optional<Price> down = growth.grow(seed, line, 1, found.lines);
    const std::optional<Price> up =
        down ? growth.grow(seed, line, -1, found.lines) : std::optional<Price>();
    if (growth.gave_up()) {
      out.gave_up = true;
      out.all.clear();
      return out;
    }
    if (!up) continue;
    found.lines[quote.rows[seed].row] = line;
    found.reading = reading;
    set_span(found);
    found.charge("lines", price_of(file, quote.rows[seed], line) + *down + *up);
    found.charge("reading", reading->price);
    charge_depth(file, found);
    if (!says_where && found.price > 0) found.charge("only ends of blocks", kNever);
    for (const Quote::OldRow& row : quote.rows)
      if (found.lines[row.row] != kUnpaired)
        if (const Price price = price_of(file, row, found.lines[row.row]); price > kSpelled)
          found.differs += price;
    const auto same_ends = [&](const Alignment& other) {
      return other.first == found.first && other.last == found.last;
    };
    const auto twin = std::ranges::find_if(out.all, same_ends);
    if (twin == out.all.end())
      out.all.push_back(std::move(found));
    else if (found.price < twin->price)
      *twin = std::move(found);
  }
  return out;
}

}  // namespace bodkin
