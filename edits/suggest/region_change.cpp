#include "edits/suggest/region_change.h"

#include <algorithm>

#include "edits/align/lines.h"
#include "edits/place/write.h"
#include "edits/plan/diff.h"
#include "edits/text/line_keys.h"
#include "edits/text/mapped_text.h"

namespace bodkin {
namespace {

using Sent = std::vector<std::string>;

constexpr size_t kBeyond = 40;            // lines around a region into which a reply may run
constexpr size_t kLeastTelling = 4;   // of a line that tells one place from another
constexpr size_t kLeastKept = 3;          // one line in so many stays, or the reply is another text

bool tells(std::string_view line) {
  return is_solid(line) && trimmed(line).size() >= kLeastTelling;
}

Sent lines_in(const Text& file, const LineRange& range) {
  Sent lines;
  for (size_t line = range.begin; line < range.end; ++line)
    lines.emplace_back(trimmed_right(file.line(line)));
  return lines;
}

bool any_tells_in(const Sent& ours, const Sent& theirs) {
  return std::ranges::any_of(ours, [&](const std::string& line) {
    return tells(line) && std::ranges::find(theirs, line) != theirs.end();
  });
}

// Of two lines of which one became the other, the longer half of the shorter one is in both.
bool is_alike(std::string_view a, std::string_view b) {
  a = trimmed(a), b = trimmed(b);
  const size_t least = std::min(a.size(), b.size());
  const auto head = static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  size_t tail = 0;
  while (tail < least - std::min(head, least) && a[a.size() - 1 - tail] == b[b.size() - 1 - tail])
    ++tail;
  return least > 0 && (head + tail) * 2 >= least;
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
  }

  std::vector<Run> runs() {
    compare();
    if (grow()) compare();
    if (!is_same_text()) return {};
    // What is missing at an end stays; what is there in addition, or instead, has to be told apart
    // from the lines beyond.
    if (!runs_.empty() && runs_.back().end == region_.end && !is_certain_end(runs_.back()))
      runs_.pop_back();
    if (!runs_.empty() && runs_.front().begin == region_.begin && !is_certain_head(runs_.front()))
      runs_.erase(runs_.begin());
    return std::move(runs_);
  }

 private:
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

  Sent below() const {
    return lines_in(file_, {region_.end, std::min(region_.end + kBeyond, file_.line_count())});
  }
  Sent above() const {
    return lines_in(file_, {region_.begin - std::min(kBeyond, region_.begin), region_.begin});
  }

  // The reply begins before the region, or runs on behind it: it is compared with as much more.
  bool grow() {
    if (runs_.empty()) return false;
    const LineRange was = region_;
    if (const Run& last = runs_.back(); last.end == region_.end) {
      const Sent beyond = below();
      for (size_t i = 0; i < beyond.size(); ++i)
        if (tells(beyond[i]) && std::ranges::find(last.lines, beyond[i]) != last.lines.end())
          region_.end = was.end + i + 1;
    }
    if (const Run& first = runs_.front(); first.begin == region_.begin) {
      const Sent beyond = above();
      for (size_t i = beyond.size(); i-- > 0;)
        if (tells(beyond[i]) && std::ranges::find(first.lines, beyond[i]) != first.lines.end())
          region_.begin = was.begin - (beyond.size() - i);
    }
    return region_ != was;
  }

  bool is_same_text() const {
    const auto solid = std::ranges::count_if(lines_, tells);
    return kept_ > 0 && kept_ * kLeastKept >= static_cast<size_t>(solid);
  }

  bool is_certain_end(const Run& run) const {
    if (run.lines.empty()) return false;
    if (run.begin == run.end) return !any_tells_in(run.lines, below());
    return run.lines.size() == run.end - run.begin &&
           is_alike(file_.line(run.end - 1), run.lines.back());
  }
  bool is_certain_head(const Run& run) const {
    if (run.lines.empty()) return false;
    if (run.begin == run.end) return !any_tells_in(run.lines, above());
    return run.lines.size() == run.end - run.begin &&
           is_alike(file_.line(run.begin), run.lines.front());
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
  for (const Run& run :
       Comparison(file, {reply.region.begin, end}, std::move(lines)).runs())
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
  // What stands behind the cursor is often written again.
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
