#include "edits/suggest/region_change.h"

#include <algorithm>
#include <cstdint>
#include <span>

#include "edits/align/lines.h"
#include "edits/place/write.h"
#include "edits/plan/diff.h"
#include "edits/text/line_keys.h"
#include "edits/text/mapped_text.h"

namespace bodkin {
namespace {

using Sent = std::vector<std::string>;

constexpr size_t kBeyond = 40;       // lines around a region into which a reply may run
constexpr size_t kMissing = 4;       // lines at an end that a reply may lack, and be understood
constexpr size_t kLeastTelling = 4;  // of a line that tells one place from another
constexpr size_t kLeastKept = 3;     // one line in so many of a reply stays, or it is another text

bool tells(std::string_view line) {
  return is_solid(line) && trimmed(line).size() >= kLeastTelling;
}

Sent lines_in(const Text& file, const LineRange& range) {
  Sent lines;
  for (size_t line = range.begin; line < range.end; ++line)
    lines.emplace_back(trimmed_right(file.line(line)));
  return lines;
}

// Whether one may have become the other: what both begin and end with is half of the shorter one;
// `surely`: all of it.
bool is_alike(std::string_view a, std::string_view b, bool surely) {
  a = trimmed(a), b = trimmed(b);
  const size_t least = std::min(a.size(), b.size());
  const auto head = static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  size_t tail = 0;
  while (tail < least - std::min(head, least) && a[a.size() - 1 - tail] == b[b.size() - 1 - tail])
    ++tail;
  return least > 0 && (head + tail) * (surely ? 1 : 2) >= least;
}

struct Run {  // of changed lines: [begin, end) of the file becomes `lines`
  size_t begin = 0, end = 0;
  Sent lines;
};

class Comparison {
 public:
  Comparison(const Text& file, LineRange region, Sent lines)
      : file_(file), region_(region), lines_(std::move(lines)) {
    for (std::string& line : lines_) line = trimmed_right(line);
    while (!lines_.empty() && lines_.back().empty()) lines_.pop_back();
  }

  std::vector<Run> runs() {
    choose_region();
    if (!is_same_text()) return {};
    join_runs();
    // Lines missing at an end stay. Additional or different lines there must be told apart from the
    // lines beyond; if they cannot be, the rest of the reply may be only half of what is meant.
    if (!runs_.empty() && is_at_end(runs_.back()) && !is_certain_end(runs_.back())) {
      if (!is_missing(runs_.back())) return {};
      runs_.pop_back();
    }
    if (!runs_.empty() && is_at_head(runs_.front()) && !is_certain_head(runs_.front())) {
      if (!is_missing(runs_.front())) return {};
      runs_.erase(runs_.begin());
    }
    return std::move(runs_);
  }

 private:
  // The lines that the reply is about: those by which the fewest differ. It may begin before or
  // within the region, and end there or behind it.
  void choose_region() {
    std::vector<size_t> begins = {region_.begin, region_.begin - above()},
                        ends = {region_.end, region_.end + below()};
    const size_t few = std::min(kMissing, region_.end - region_.begin - 1);
    for (size_t k = 1; k <= few && !lines_.empty(); ++k) {
      if (trimmed_right(file_.line(region_.begin + k)) == lines_.front())
        begins.push_back(region_.begin + k);
      if (trimmed_right(file_.line(region_.end - 1 - k)) == lines_.back())
        ends.push_back(region_.end - k);
    }
    size_t least = SIZE_MAX;
    LineRange best = region_;
    for (const size_t begin : begins)
      for (const size_t end : ends) {
        if (begin >= end) continue;
        region_ = {begin, end};
        compare();
        size_t changed = 0;
        for (const Run& run : runs_) changed += run.lines.size() + run.end - run.begin;
        if (changed >= least) continue;
        least = changed;
        best = region_;
      }
    region_ = best;
    compare();
  }

  void compare() {
    runs_.clear();
    kept_ = 0;
    size_t at = region_.begin;
    bool is_open = false;
    const auto run = [&]() -> Run& {
      if (!is_open) runs_.push_back({at, at, {}});
      is_open = true;
      return runs_.back();
    };
    for (HunkLine& line : line_diff(lines_in(file_, region_), lines_)) {
      if (line.kind == HunkLine::Kind::added) {
        run().lines.push_back(std::move(line.text));
        continue;
      }
      if (line.kind == HunkLine::Kind::removed) {
        run().end = at + 1;
      } else {
        is_open = false;
        kept_ += tells(line.text);
      }
      ++at;
    }
  }

  // Runs with only commonplace lines between them were changed at once.
  void join_runs() {
    std::vector<Run> joined;
    for (Run& run : runs_) {
      Run* const last = joined.empty() ? nullptr : &joined.back();
      Sent between = last ? around(last->end, run.begin) : Sent();
      const bool is_loss = run.lines.empty() && run.end == region_.end;
      if (!last || is_loss || std::ranges::any_of(between, tells)) {
        joined.push_back(std::move(run));
        continue;
      }
      std::ranges::move(between, std::back_inserter(last->lines));
      std::ranges::move(run.lines, std::back_inserter(last->lines));
      last->end = run.end;
    }
    runs_ = std::move(joined);
  }

  // The number of lines directly above the region that the reply begins with.
  size_t above() const {
    for (size_t count = std::min({kBeyond, region_.begin, lines_.size()}); count > 0; --count)
      if (is_there(std::span(lines_).first(count), region_.begin - count)) return count;
    return 0;
  }
  size_t below() const {
    for (size_t count = std::min({kBeyond, file_.line_count() - region_.end, lines_.size()});
         count > 0; --count)
      if (is_there(std::span(lines_).last(count), region_.end)) return count;
    return 0;
  }
  bool is_there(std::span<const std::string> lines, size_t first) const {
    for (size_t i = 0; i < lines.size(); ++i)
      if (trimmed_right(file_.line(first + i)) != lines[i]) return false;
    return true;
  }

  Sent around(size_t begin, size_t end) const {
    return lines_in(file_, {begin, std::min(end, file_.line_count())});
  }

  bool is_same_text() const {
    const auto sent = static_cast<size_t>(std::ranges::count_if(lines_, tells)),
               own = static_cast<size_t>(std::ranges::count_if(lines_in(file_, region_), tells));
    // Nearly all of the region stays where much is added to it.
    return kept_ > 0 && (kept_ * kLeastKept >= sent || kept_ * 4 >= own * 3);
  }

  // Whether the run is at the end of the region, or behind it is kept only what does not tell where
  // it ends: lines as there are many, or the run's own lines once more.
  bool is_at_end(const Run& run) const {
    if (!run.lines.empty()) return run.end == region_.end;
    const Sent behind = around(run.end, region_.end);
    return std::ranges::none_of(behind, tells) ||
           behind == around(run.begin, run.begin + behind.size());
  }
  bool is_at_head(const Run& run) const {
    if (!run.lines.empty()) return run.begin == region_.begin;
    const Sent before = around(region_.begin, run.begin);
    return std::ranges::none_of(before, tells) ||
           before == around(run.end - before.size(), run.end);
  }

  // Whether the reply just ends earlier, or begins later, than the region does.
  bool is_missing(const Run& run) const {
    return std::ranges::all_of(run.lines, is_blank) ||
           (run.lines.size() == 1 && run.begin < run.end &&
            file_.line(run.begin).starts_with(run.lines.front()));
  }

  bool is_certain_end(Run& run) const {
    if (run.lines.empty() || run.begin == run.end) return false;  // there may have been more
    const Sent old = around(run.begin, run.end);
    if (old[std::min(old.size(), run.lines.size()) - 1].starts_with(run.lines.back()))
      return false;  // it may have been cut
    if (!are_alike(run.lines, old)) return false;
    run.end = run.begin + run.lines.size();
    return true;
  }
  bool is_certain_head(const Run& run) const {
    return run.lines.size() == run.end - run.begin &&
           are_alike(run.lines, around(run.begin, run.end));
  }

  // Whether each of our lines surely became of the one at its place, and can be of no other.
  static bool are_alike(const Sent& ours, const Sent& theirs) {
    if (ours.size() > theirs.size()) return false;
    for (size_t i = 0; i < ours.size(); ++i)
      for (size_t k = 0; k < theirs.size(); ++k)
        if (is_alike(ours[i], theirs[k], i == k) != (i == k)) return false;
    return true;
  }

  const Text& file_;
  LineRange region_;
  Sent lines_;
  std::vector<Run> runs_;
  size_t kept_ = 0;  // lines that tell one place from another
};

}  // namespace

std::vector<Replacement> region_change(const Text& file, const RegionReply& reply) {
  Sent lines = reply.lines;
  if (reply.is_cut && !lines.empty()) lines.pop_back();
  const size_t end = std::min(reply.region.end, file.line_count());
  if (lines.empty() || reply.region.begin >= end) return {};
  const MappedText mapped(file);
  std::vector<Replacement> changes;
  for (const Run& run : Comparison(file, {reply.region.begin, end}, std::move(lines)).runs())
    changes.push_back(whole_lines(mapped, run.begin, run.end, run.lines, std::nullopt));
  return changes;
}

std::vector<Replacement> insertion_at(const Text& file, size_t cursor, std::string_view written,
                                      bool is_cut) {
  Sent lines = lines_of(written);
  if (is_cut && !lines.empty()) lines.pop_back();
  const size_t line = file.line_of(cursor);
  const std::string behind = file.substr(cursor, file.line_end(line) - cursor);
  size_t next = line + 1;
  while (next < file.line_count() && is_blank(file.line(next))) ++next;
  if (next < file.line_count()) {
    const std::string follows(trimmed(file.line(next)));
    for (size_t i = 1; i < lines.size(); ++i)
      if (trimmed(lines[i]) == follows) lines.resize(i);
  }
  while (!lines.empty() && is_blank(lines.back())) lines.pop_back();
  if (lines.empty()) return {};
  // The text after the cursor is often written again.
  const std::string_view rest = trimmed_right(behind);
  if (!trimmed(rest).empty() && lines.back().ends_with(rest))
    lines.back().resize(lines.back().size() - rest.size());
  const std::string ending = file.substr(file.line_end(0), 2) == "\r\n" ? "\r\n" : "\n";
  std::string text = lines.front();
  for (size_t i = 1; i < lines.size(); ++i) text += ending + lines[i];
  if (text.empty()) return {};
  return {{cursor, 0, std::move(text)}};
}

}  // namespace bodkin
