// The rung "gaps": blank lines and comment lines that only one side has, and kept lines that one
// side has wrapped. The other lines agree in order; what is removed is never left out, nor is
// anything added next to a line that is wrapped otherwise, or a comment that only the file has. A
// comment that only the quote has may name what is meant: where the file has the same code with
// another comment, none of its places is certain.
#include <algorithm>
#include <optional>
#include <unordered_set>

#include "edits/place/rungs.h"
#include "edits/plan/elision.h"
#include "edits/text/comments.h"

namespace bodkin {
namespace {

constexpr size_t kMaxCandidates = 200;
constexpr size_t kLongestGap = 40;       // lines of the file
constexpr size_t kLookAhead = 8;         // old lines
constexpr size_t kShortestWrapped = 12;  // bytes

bool is_gap(std::string_view line) { return is_blank(line) || is_comment(line); }

struct OldLine {
  std::string key;
  uint32_t hash = 0;
  bool blank = false, gap = false;
  bool kept_gap = false;         // a context line that is a gap
  bool may_be_left_out = false;  // and that the file may lack
  bool kept = false;
};

class GapSearch {
 public:
  explicit GapSearch(const Search& search)
      : file_(search.file),
        hunk_(search.hunk),
        hashes_(search.file.hashes(whitespace_key)),
        indexed_(search.file.is_indexed(whitespace_key)) {
    std::string buffer;
    for (const HunkLine& line : search.hunk.lines) {
      if (line.kind == HunkLine::Kind::added) continue;
      OldLine old{std::string(whitespace_key(line.text, buffer)), 0, is_blank(line.text),
                  is_gap(line.text), false};
      old.kept = line.kind == HunkLine::Kind::context;
      old.hash = MappedText::hash(old.key);
      old.kept_gap = old.gap && line.kind == HunkLine::Kind::context && !is_elision(line.text);
      // A comment that the file has is not one that only the quote has.
      old.may_be_left_out = old.kept_gap && (old.blank || !is_in_file(old));
      old_.push_back(std::move(old));
    }
    while (begin_ < old_.size() && old_[begin_].may_be_left_out) ++begin_;
  }

  std::vector<Place> places() const {
    std::vector<Place> places;
    if (begin_ == old_.size()) return places;
    const std::optional<std::vector<size_t>> starts = first_lines();
    if (!starts) return {};
    for (const size_t start : *starts) {
      bool has_other_comment = false;
      std::optional<Place> place = place_from(start, has_other_comment);
      // It is the comment that tells the places apart: without one it may be anything's.
      if (has_other_comment) return {};
      if (!place) continue;
      // The same code with other comments around it: the nearer ones are meant.
      if (!places.empty() && is_same_code(places.back(), *place)) places.pop_back();
      places.push_back(std::move(*place));
    }
    return places;
  }

 private:
  bool is_at(const OldLine& old, size_t line) const {
    std::string buffer;
    return hashes_[line] == old.hash && whitespace_key(file_.line(line), buffer) == old.key;
  }
  // The lines that the quote may begin at; nothing: too many.
  std::optional<std::vector<size_t>> first_lines() const {
    const OldLine& first = old_[begin_];
    std::vector<size_t> lines;
    if (indexed_) {
      auto found = file_.lines_hashed(whitespace_key, first.hash, kMaxCandidates);
      if (!found) return std::nullopt;
      lines = std::move(*found);
      std::erase_if(lines, [&](size_t line) { return !is_at(first, line); });
    } else {
      if (!file_.spend(hashes_.size())) return std::nullopt;
      for (size_t i = 0; i < hashes_.size() && lines.size() <= kMaxCandidates; ++i)
        if (is_at(first, i)) lines.push_back(i);
    }
    if (lines.empty() && first.kept && file_.spend(file_.line_count()))
      for (const size_t line : file_.lines_beginning(first.key))
        if (wrapped_at(begin_, line)) lines.push_back(line);
    if (lines.size() > kMaxCandidates) return std::nullopt;
    return lines;
  }

  struct Wrapped {
    size_t old = 1, lines = 1;  // so many old lines are so many lines of the file
  };
  // Kept lines that are the file's from `line` on, wrapped otherwise.
  std::optional<Wrapped> wrapped_at(size_t i, size_t line) const {
    constexpr size_t kMax = 5;
    if (!old_[i].kept || !has_word(old_[i].key)) return std::nullopt;
    Wrapped wrapped;
    std::string_view theirs = trimmed(old_[i].key), ours = trimmed(file_.line(line));
    size_t equal = 0;
    while (!theirs.empty() || !ours.empty()) {
      if (!theirs.empty() && !ours.empty()) {
        if (theirs[0] != ours[0]) return std::nullopt;
        theirs = trimmed(theirs.substr(1)), ours = trimmed(ours.substr(1));
        ++equal;
        continue;
      }
      if (wrapped.old + wrapped.lines == kMax) return std::nullopt;
      if (ours.empty()) {
        const size_t next = line + wrapped.lines++;
        if (wrapped.old > 1 || next >= hashes_.size()) return std::nullopt;
        ours = trimmed(file_.line(next));
      } else {
        const size_t next = i + wrapped.old++;
        if (wrapped.lines > 1 || next >= old_.size() || !old_[next].kept) return std::nullopt;
        theirs = trimmed(old_[next].key);
      }
    }
    if (equal < kShortestWrapped || wrapped.old + wrapped.lines < 3) return std::nullopt;
    return wrapped;
  }

  bool is_in_file(const OldLine& old) {
    if (indexed_) {
      const auto lines = file_.lines_hashed(whitespace_key, old.hash, 1);
      return !lines || !lines->empty();
    }
    if (known_.empty()) known_.insert(hashes_.begin(), hashes_.end());
    return known_.contains(old.hash);
  }

  bool is_same_code(const Place& a, const Place& b) const {
    bool any = false;
    for (size_t i = begin_; i < old_.size(); ++i) {
      if (old_[i].kept_gap) continue;
      if (a.line_of[i] != b.line_of[i]) return false;
      any = true;
    }
    return any;
  }

  // A line of the file that the hunk has further down is none that it left out.
  bool comes_later(size_t i, size_t line) const {
    if (is_blank(file_.line(line))) return false;
    for (size_t k = i + 1; k < std::min(old_.size(), i + 1 + kLookAhead); ++k)
      if (is_at(old_[k], line)) return true;
    return false;
  }

  // Says, too, if the code is there, but with another comment instead of one that only the quote
  // has, which may name what is changed.
  std::optional<Place> place_from(size_t start, bool& has_other_comment) const {
    Place place;
    place.first = start;
    place.line_of.assign(old_.size(), kNoLine);
    size_t at = start, code = 0, equal = 0, comments_skipped = 0;
    // Is a comment that only the quote has directly above?
    bool only_theirs = std::any_of(old_.begin(), old_.begin() + static_cast<long>(begin_),
                                   [](const OldLine& old) { return !old.blank; });
    size_t above = start;
    while (above > 0 && is_blank(file_.line(above - 1))) --above;
    bool others = only_theirs && above > 0 && is_comment(file_.line(above - 1));
    for (size_t i = begin_; i < old_.size(); ++i) {
      size_t to = at;
      if (!old_[i].blank)
        while (to < hashes_.size() && to < at + kLongestGap && !is_at(old_[i], to) &&
               is_gap(file_.line(to)) && !comes_later(i, to))
          ++to;
      std::optional<Wrapped> found;
      if (to < hashes_.size()) found = is_at(old_[i], to) ? Wrapped() : wrapped_at(i, to);
      if (found) {
        size_t only_ours = 0;
        for (size_t k = at; k < to; ++k) {
          if (is_blank(file_.line(k))) continue;
          if (is_added(file_.line(k))) return std::nullopt;
          ++only_ours;
        }
        others = others || (only_ours > 0 && only_theirs);
        only_theirs = false;
        comments_skipped += only_ours;
        const bool is_wrapped = found->old + found->lines > 2;
        if (is_wrapped && adds_next_to_wrapped(i, i + found->old)) return std::nullopt;
        place.line_of[i] = to;
        place.last = at = to + found->lines;
        equal += !old_[i].blank;
        code += !old_[i].gap;
        i += found->old - 1;
      } else if (old_[i].may_be_left_out) {
        comments_skipped += !old_[i].blank;
        only_theirs = only_theirs || !old_[i].blank;
      } else {
        return std::nullopt;
      }
    }
    size_t below = at;
    while (below < hashes_.size() && is_blank(file_.line(below))) ++below;
    others = others || (only_theirs && below < hashes_.size() && is_comment(file_.line(below)));
    has_other_comment = others;
    // Few lines that agree, or more comments left out than lines found, are not evidence.
    if (equal < 2 || (code < 2 && equal < 3) || comments_skipped > equal) return std::nullopt;
    // Of a quote that is comments itself, they are part of what it says.
    if (code == 0 && comments_skipped * 2 > equal) return std::nullopt;
    if (!changes_have_a_place(place)) return std::nullopt;
    place.offset = file_.begin_of(place.first);
    place.length = file_.begin_of(place.last) - place.offset;
    return place;
  }

  // What changes must have its place: no gap between what it replaces, or between its neighbours.
  bool changes_have_a_place(const Place& place) const {
    size_t old = 0;
    for (size_t i = 0; i < hunk_.lines.size();) {
      const size_t first = old;
      bool adds = false;
      for (; i < hunk_.lines.size() && hunk_.lines[i].kind != HunkLine::Kind::context; ++i) {
        adds |= hunk_.lines[i].kind == HunkLine::Kind::added;
        old += hunk_.lines[i].kind == HunkLine::Kind::removed;
      }
      // A comment or a blank line that is removed is known by the lines next to it.
      for (size_t k = first; k < old; ++k) {
        if (!old_[k].gap) continue;
        const size_t above = end_above(place, k), below = begin_below(place, k + 1);
        if (above > 0 && place.line_of[above - 1] + 1 != place.line_of[k]) return false;
        if (below < old_.size() && place.line_of[k] + 1 != place.line_of[below]) return false;
      }
      if (adds && old > first) {
        for (size_t k = first + 1; k < old; ++k)
          if (place.line_of[k] != place.line_of[k - 1] + 1) return false;
      } else if (adds) {
        const size_t above = end_above(place, first), below = begin_below(place, first);
        const bool has_above = above > 0, has_below = below < old_.size();
        if (has_above && place.line_of[above - 1] == kNoLine) return false;
        if (has_below && place.line_of[below] == kNoLine) return false;
        if (has_above && has_below && place.line_of[below] != place.line_of[above - 1] + 1)
          return false;
      }
      if (i < hunk_.lines.size()) ++old, ++i;
    }
    return true;
  }
  // A comment that the quote lacks and the new text has would occur twice.
  bool is_added(std::string_view line) const {
    return std::ranges::any_of(hunk_.lines, [&](const HunkLine& own) {
      return own.kind == HunkLine::Kind::added && trimmed(own.text) == trimmed(line);
    });
  }
  // True if something is added directly above, between, or below these old lines.
  bool adds_next_to_wrapped(size_t first, size_t last) const {
    size_t old = 0;
    for (size_t k = 0; k < hunk_.lines.size(); ++k) {
      if (hunk_.lines[k].kind != HunkLine::Kind::added) {
        ++old;
        continue;
      }
      const bool replaces = k > 0 && hunk_.lines[k - 1].kind != HunkLine::Kind::context;
      if (!replaces && old >= first && old <= last) return true;
    }
    return false;
  }
  // Where the old lines above `i` end, and those from `i` on begin, blank ones that the file lacks
  // aside.
  size_t end_above(const Place& place, size_t i) const {
    while (i > 0 && is_missing_blank(place, i - 1)) --i;
    return i;
  }
  size_t begin_below(const Place& place, size_t i) const {
    while (i < old_.size() && is_missing_blank(place, i)) ++i;
    return i;
  }
  bool is_missing_blank(const Place& place, size_t i) const {
    return old_[i].blank && place.line_of[i] == kNoLine;
  }

  const MappedText& file_;
  const Hunk& hunk_;
  const std::vector<uint32_t>& hashes_;
  const bool indexed_;                  // lines are looked up, not searched
  std::unordered_set<uint32_t> known_;  // of them, once asked
  std::vector<OldLine> old_;
  size_t begin_ = 0;  // the first old line that the file must have
};

}  // namespace

std::vector<Place> find_with_gaps(const Search& search) {
  if (!search.file.spend(search.old.size() * kLookAhead + kMaxCandidates)) return {};
  return GapSearch(search).places();
}

}  // namespace bodkin
