#include "edits/lazy.h"

#include <algorithm>
#include <unordered_map>

#include "edits/elision.h"
#include "edits/reply.h"

namespace bodkin {

namespace {

constexpr size_t kMostCandidates = 16;  // ends that are weighed against each other
constexpr size_t kMostCells = 1 << 22;  // of all tables of one merge

// A line pair of run and region, or a line that only one of them has (the other is -1).
struct Pair {
  long run = -1, file = -1;
};

struct Region {
  size_t begin = 0, end = 0;  // lines of the file
  std::vector<Pair> pairs;
  size_t removed = 0, added = 0;
  size_t cost() const { return removed + added; }
};

class LazyMerge {
 public:
  LazyMerge(std::string_view sketch, const Text& file) : sketch_(sketch), file_(file) {
    elided_ = elisions_of(sketch_.lines);
    for (size_t i = 0; i < file_.line_count(); ++i) file_keys_.push_back(key_of(file_.line(i)));
    // A final newline ends the last line; it does not begin another.
    if (file_keys_.size() > 1 && file_.line_begin(file_keys_.size() - 1) == file_.size()) {
      file_keys_.pop_back();
    }
    for (const std::string_view line : sketch_.lines) sketch_keys_.push_back(key_of(line));
  }

  Result<std::vector<Replacement>> merge() {
    std::vector<Replacement> edits;
    size_t from = 0;  // the first line of the file that is not yet used
    const size_t n = sketch_.size();
    for (size_t i = 0; i < n;) {
      if (elided_[i]) {
        ++i;
        continue;
      }
      size_t end = i;
      while (end < n && !elided_[end]) ++end;
      // Blank lines next to an elision lay the sketch out.
      size_t first = i, last = end;
      if (i > 0) {
        while (first < last && is_blank(first)) ++first;
      }
      if (end < n) {
        while (last > first && is_blank(last - 1)) --last;
      }
      if (first < last) {
        auto region = region_of(first, last, from, i == 0, end == n);
        if (!region) return std::unexpected(region.error());
        write(*region, first, edits);
        from = region->end;
      }
      i = end;
    }
    return edits;
  }

 private:
  int key_of(std::string_view line) {
    if (line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    return keys_.try_emplace(std::string(trimmed_right(line)), static_cast<int>(keys_.size()))
        .first->second;
  }

  bool is_blank(size_t line) const { return trimmed(sketch_.lines[line]).empty(); }

  std::unexpected<Error> error(std::string_view kind, size_t line, std::string_view what) const {
    const auto code = kind == "ambiguous" ? Error::Code::ambiguous : Error::Code::not_found;
    return fail(code, std::string(kind) + ": line " + std::to_string(line + 1) +
                          " of the sketch: " + std::string(what));
  }

  // The places in [from, …) where most lines of the run's start (or end) stand, as the line at
  // which the run begins (or behind which it ends).
  std::vector<size_t> places(size_t first, size_t last, size_t from, bool at_start) const {
    std::vector<size_t> hits;
    const int key = sketch_keys_[at_start ? first : last - 1];
    for (size_t i = from; i < file_keys_.size(); ++i) {
      if (file_keys_[i] == key) hits.push_back(i);
    }
    for (size_t length = 1; length < last - first && hits.size() > 1; ++length) {
      const int next = sketch_keys_[at_start ? first + length : last - 1 - length];
      std::vector<size_t> longer;
      for (const size_t hit : hits) {
        if (at_start ? hit + length < file_keys_.size() && file_keys_[hit + length] == next
                     : hit >= from + length && file_keys_[hit - length] == next) {
          longer.push_back(hit);
        }
      }
      if (longer.empty()) break;
      hits = std::move(longer);
    }
    if (!at_start) {
      for (size_t& hit : hits) ++hit;
    }
    return hits;
  }

  Result<Region> region_of(size_t first, size_t last, size_t from, bool at_begin, bool at_end) {
    std::vector<size_t> begins =
        at_begin ? std::vector<size_t>{0} : places(first, last, from, true);
    std::vector<size_t> ends =
        at_end ? std::vector<size_t>{file_keys_.size()} : places(first, last, from, false);
    if (begins.empty()) {
      return error("not_found", first,
                   "this line, the first after what you left out, is not in the file (or not in "
                   "this order); begin with a line that stays as it is");
    }
    if (ends.empty()) {
      return error("not_found", last - 1,
                   "this line, the last before what you left out, is not in the file (or not in "
                   "this order); end with a line that stays as it is");
    }
    if (begins.size() > 1 && ends.size() > 1) {
      return error("ambiguous", first,
                   "these lines stand at lines " + std::to_string(begins[0] + 1) + " and " +
                       std::to_string(begins[1] + 1) + " of the file; show more lines around them");
    }
    if (begins.size() > kMostCandidates || ends.size() > kMostCandidates) {
      // Only the nearest can belong together.
      if (begins.size() > 1) {
        std::erase_if(begins, [&](size_t b) { return b >= ends[0]; });
        if (begins.size() > kMostCandidates)
          begins.erase(begins.begin(), begins.end() - kMostCandidates);
      } else {
        std::erase_if(ends, [&](size_t e) { return e <= begins[0]; });
        if (ends.size() > kMostCandidates) ends.resize(kMostCandidates);
      }
    }
    std::vector<Region> regions;
    for (const size_t begin : begins) {
      for (const size_t end : ends) {
        if (end <= begin && !(at_begin && at_end)) continue;
        if (auto region = aligned(first, last, begin, end)) regions.push_back(*std::move(region));
      }
    }
    if (regions.empty()) {
      return error("not_found", first,
                   "these lines are not in the file in this order, or too long "
                   "to compare; show less at once");
    }
    std::sort(regions.begin(), regions.end(),
              [](const Region& a, const Region& b) { return a.cost() < b.cost(); });
    if (regions.size() > 1 && regions[1].cost() < regions[0].cost() + 2) {
      return error("ambiguous", first,
                   "these lines may end at line " + std::to_string(regions[0].end) + " or " +
                       std::to_string(regions[1].end) + " of the file; show more lines that stay");
    }
    Region& best = regions[0];
    if (regions.size() > 1 && best.removed > best.pairs.size() - best.cost() + 3) {
      return error("ambiguous", first,
                   "it is not clear where these lines end in the file; show "
                   "more lines that stay");
    }
    if ((at_begin && !reaches(best.pairs.begin(), best.pairs.end())) ||
        (at_end && !reaches(best.pairs.rbegin(), best.pairs.rend()))) {
      return error("not_found", at_begin ? first : last - 1,
                   "these lines are not at the file's end or beginning; write "
                   "`... existing code ...` for what stays before and behind them");
    }
    return std::move(best);
  }

  // Does a run that has no elision on this side go with this end of the file? It must not drop
  // more lines there than it brings.
  template <class Iterator>
  static bool reaches(Iterator at, Iterator end) {
    size_t removed = 0, added = 0;
    for (; at != end && (at->run < 0 || at->file < 0); ++at) ++(at->run < 0 ? removed : added);
    return at != end && removed <= added + 3;
  }

  // The line diff of the run and the region, common ends first.
  std::optional<Region> aligned(size_t first, size_t last, size_t begin, size_t end) {
    Region region{begin, end, {}, 0, 0};
    const size_t n = last - first, m = end - begin;
    const auto same = [&](size_t r, size_t f) {
      return sketch_keys_[first + r] == file_keys_[begin + f];
    };
    size_t head = 0, tail = 0;
    while (head < n && head < m && same(head, head)) ++head;
    while (tail < n - head && tail < m - head && same(n - 1 - tail, m - 1 - tail)) ++tail;
    const size_t rows = n - head - tail, columns = m - head - tail;
    if (rows > 0 && columns > 0 && rows > (kMostCells - cells_) / columns) return std::nullopt;
    cells_ += rows * columns;
    std::vector<unsigned> best((rows + 1) * (columns + 1), 0);
    const auto at = [&](size_t r, size_t c) -> unsigned& { return best[r * (columns + 1) + c]; };
    for (size_t r = rows; r-- > 0;) {
      for (size_t c = columns; c-- > 0;) {
        at(r, c) =
            same(head + r, head + c) ? at(r + 1, c + 1) + 1 : std::max(at(r + 1, c), at(r, c + 1));
      }
    }
    const auto pair = [&](long r, long f) {
      region.pairs.push_back({r < 0 ? -1 : r, f < 0 ? -1 : static_cast<long>(begin) + f});
      region.removed += r < 0;
      region.added += f < 0;
    };
    for (size_t i = 0; i < head; ++i) pair(static_cast<long>(i), static_cast<long>(i));
    size_t r = 0, c = 0;
    while (r < rows || c < columns) {
      const long run = static_cast<long>(head + r), line = static_cast<long>(head + c);
      if (r < rows && c < columns && same(head + r, head + c)) {
        pair(run, line), ++r, ++c;
      } else if (c < columns && (r == rows || at(r, c + 1) >= at(r + 1, c))) {
        pair(-1, line), ++c;
      } else {
        pair(run, -1), ++r;
      }
    }
    for (size_t i = tail; i > 0; --i) pair(static_cast<long>(n - i), static_cast<long>(m - i));
    return region;
  }

  // The bytes of a line's end in the file, or those of a neighbour that has one.
  std::string line_end(size_t line) const {
    for (const size_t at : {line, line == 0 ? size_t{0} : line - 1}) {
      const size_t begin = file_.line_end(at);
      const size_t end = at + 1 < file_.line_count() ? file_.line_begin(at + 1) : begin;
      if (end > begin) return file_.substr(begin, end - begin);
    }
    return "\n";
  }

  void write(const Region& region, size_t first, std::vector<Replacement>& edits) const {
    const size_t lines = file_keys_.size();
    size_t at = region.begin;  // the file's line before which the next pair stands
    for (size_t i = 0; i < region.pairs.size();) {
      if (region.pairs[i].run >= 0 && region.pairs[i].file >= 0) {
        at = static_cast<size_t>(region.pairs[i++].file) + 1;
        continue;
      }
      size_t removed = 0;
      std::vector<std::string_view> added;
      for (; i < region.pairs.size(); ++i) {
        const Pair& pair = region.pairs[i];
        if (pair.run >= 0 && pair.file >= 0) break;
        if (pair.run < 0) ++removed;
        if (pair.file < 0) added.push_back(sketch_.lines[first + static_cast<size_t>(pair.run)]);
      }
      const size_t stop = at + removed;
      const bool unended = stop >= lines && file_.line_end(lines - 1) == file_.size();
      Replacement edit;
      edit.offset = at < lines ? file_.line_begin(at) : file_.size();
      const size_t end = stop < file_.line_count() ? file_.line_begin(stop) : file_.size();
      const std::string eol = line_end(std::min(at, lines - 1));
      for (const std::string_view line : added) edit.text.append(line).append(eol);
      if (unended) {  // the file's last line has no line end, and the new last one gets none
        if (at > 0 && (at >= lines || added.empty())) {
          const size_t before = file_.line_end(at - 1);
          if (at >= lines) {
            edit.text.insert(0, eol);
          } else {
            edit.offset = before;
          }
        }
        if (edit.text.ends_with(eol)) edit.text.erase(edit.text.size() - eol.size());
      }
      // A byte order mark stays before whatever the first line becomes.
      if (edit.offset == 0 && file_.substr(0, 3) == "\xEF\xBB\xBF") edit.offset = 3;
      edit.length = end - std::min(edit.offset, end);
      if (edit.length > 0 || !edit.text.empty()) edits.push_back(std::move(edit));
      at = stop;
    }
  }

  Reply sketch_;
  Text file_;
  std::vector<char> elided_;
  std::unordered_map<std::string, int> keys_;
  std::vector<int> file_keys_, sketch_keys_;
  size_t cells_ = 0;
};

}  // namespace

Result<std::vector<Replacement>> merge_lazy(std::string_view sketch, const Text& file) {
  return LazyMerge(sketch, file).merge();
}

}  // namespace bodkin
