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

// A line without any white space.
std::string without_whitespace(std::string_view line) {
  std::string out;
  for (const char c : line)
    if (c != ' ' && c != '\t') out += c;
  return out;
}

// True if one is a proper prefix of the other, ignoring white space.
bool is_one_cut_off(std::string_view a, std::string_view b) {
  size_t i = 0, k = 0;
  while (true) {
    while (i < a.size() && (a[i] == ' ' || a[i] == '\t')) ++i;
    while (k < b.size() && (b[k] == ' ' || b[k] == '\t')) ++k;
    if (i == a.size() || k == b.size()) return (i == a.size()) != (k == b.size());
    if (a[i++] != b[k++]) return false;
  }
}

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
    end_ = old_.size();
    while (begin_ < end_ && old_[begin_].may_be_left_out) ++begin_;
    while (end_ > begin_ && old_[end_ - 1].blank && old_[end_ - 1].may_be_left_out) --end_;
  }

  std::vector<Place> places() const {
    std::vector<Place> places;
    if (begin_ == end_ || old_[begin_].blank) return places;
    const std::optional<std::vector<size_t>> starts = first_lines();
    if (!starts) return {};
    bool lacks_comments = false, has_others = false;
    for (const size_t start : *starts) {
      Comments comments;
      std::optional<Place> place = place_from(start, comments);
      has_others = has_others || comments.others;
      if (!place) continue;
      lacks_comments = lacks_comments || comments.lacking;
      // The same code with other comments round it: the nearer ones are meant.
      if (!places.empty() && is_same_code(places.back(), *place)) places.pop_back();
      places.push_back(std::move(*place));
    }
    // The same code with another comment where the quote has its own shows that it is the comment
    // that tells them apart: without one it may be anything's.
    if (lacks_comments && has_others) return {};
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
    if (lines.size() > kMaxCandidates) return std::nullopt;
    if (!lines.empty() || !first.kept || first.key.size() < kShortestWrapped) return lines;
    if (!file_.spend(file_.line_count())) return lines;
    for (const size_t line : file_.lines_beginning(first.key)) {
      if (lines.size() > kMaxCandidates) break;
      if (wrapped_at(begin_, line)) lines.push_back(line);
    }
    return lines;
  }

  struct Wrapped {
    size_t old = 1, lines = 1;  // so many old lines are so many lines of the file
  };
  // Kept lines that are the file's from `line` on, wrapped otherwise.
  std::optional<Wrapped> wrapped_at(size_t i, size_t line) const {
    constexpr size_t kMax = 5;
    if (!old_[i].kept || old_[i].gap || !is_one_cut_off(old_[i].key, file_.line(line)) ||
        is_gap(file_.line(line)) || !has_word(old_[i].key))
      return std::nullopt;
    std::string theirs = without_whitespace(old_[i].key),
                ours = without_whitespace(file_.line(line));
    Wrapped wrapped;
    while (theirs != ours && wrapped.old + wrapped.lines < kMax) {
      if (theirs.size() > ours.size()) {
        if (!theirs.starts_with(ours) || line + wrapped.lines >= hashes_.size() || wrapped.old > 1)
          return std::nullopt;
        ours += without_whitespace(file_.line(line + wrapped.lines++));
      } else {
        const size_t next = i + wrapped.old;
        if (!ours.starts_with(theirs) || next >= end_ || !old_[next].kept || wrapped.lines > 1)
          return std::nullopt;
        theirs += without_whitespace(old_[next].key);
        ++wrapped.old;
      }
    }
    if (theirs != ours || theirs.size() < kShortestWrapped || wrapped.old + wrapped.lines < 3)
      return std::nullopt;
    return wrapped;
  }

  bool is_in_file(const OldLine& old) {
    if (indexed_) {
      const auto lines = file_.lines_hashed(whitespace_key, old.hash, 1);
      return !old.blank && (!lines || !lines->empty());
    }
    if (known_.empty()) known_.insert(hashes_.begin(), hashes_.end());
    return !old.blank && known_.contains(old.hash);
  }

  bool is_same_code(const Place& a, const Place& b) const {
    bool any = false;
    for (size_t i = begin_; i < end_; ++i) {
      if (old_[i].kept_gap) continue;
      if (a.line_of[i] != b.line_of[i]) return false;
      any = true;
    }
    return any;
  }

  // A line of the file that the hunk has further down is none that it left out.
  bool comes_later(size_t i, size_t line) const {
    if (is_blank(file_.line(line))) return false;
    for (size_t k = i + 1; k < std::min(end_, i + 1 + kLookAhead); ++k)
      if (is_at(old_[k], line)) return true;
    return false;
  }

  struct Comments {
    bool lacking = false;  // the file lacks one that the quote has
    bool others = false;   // the code is there, but with another comment instead of the quote's
  };
  std::optional<Place> place_from(size_t start, Comments& comments) const {
    Place place;
    place.first = start;
    place.line_of.assign(old_.size(), kNoLine);
    size_t at = start, code = 0, equal = 0, comments_skipped = 0;
    // A comment that only the quote has, where the file has another one, may name what is changed.
    bool only_theirs = std::any_of(old_.begin(), old_.begin() + static_cast<long>(begin_),
                                   [](const OldLine& old) { return !old.blank; });
    size_t above = start;
    while (above > 0 && is_blank(file_.line(above - 1))) --above;
    bool others = only_theirs && above > 0 && is_comment(file_.line(above - 1));
    bool lacking = only_theirs;
    for (size_t i = begin_; i < end_; ++i) {
      size_t to = at;
      if (!old_[i].blank)
        while (to < hashes_.size() && to < at + kLongestGap && !is_at(old_[i], to) &&
               is_gap(file_.line(to)) && !comes_later(i, to))
          ++to;
      if (to < hashes_.size() && is_at(old_[i], to)) {
        size_t only_ours = 0;
        for (size_t k = at; k < to; ++k) {
          if (is_blank(file_.line(k))) continue;
          if (is_added(file_.line(k))) return std::nullopt;
          ++only_ours;
        }
        others = others || (only_ours > 0 && only_theirs);
        only_theirs = false;
        comments_skipped += only_ours;
        place.line_of[i] = to;
        place.last = at = to + 1;
        equal += !old_[i].blank;
        code += !old_[i].gap;
      } else if (const auto wrapped = to < hashes_.size() ? wrapped_at(i, to) : std::nullopt) {
        if (adds_next_to_wrapped(i, i + wrapped->old)) return std::nullopt;
        place.line_of[i] = to;
        place.last = at = to + wrapped->lines;
        i += wrapped->old - 1;
        ++equal, ++code;
      } else if (old_[i].may_be_left_out) {
        comments_skipped += !old_[i].blank;
        only_theirs = only_theirs || !old_[i].blank;
        lacking = lacking || only_theirs;
      } else {
        return std::nullopt;
      }
    }
    size_t below = at;
    while (below < hashes_.size() && is_blank(file_.line(below))) ++below;
    others = others || (only_theirs && below < hashes_.size() && is_comment(file_.line(below)));
    comments = {lacking, others};
    if (others) return std::nullopt;
    // Blank lines at the quote's end that the file has: what is added after them goes there.
    for (size_t i = end_; i < old_.size() && at < hashes_.size() && is_blank(file_.line(at)); ++i)
      place.line_of[i] = at++, place.last = at;
    // Few lines that agree, or more comments left out than lines found, are no evidence.
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
        if (k > 0 && place.line_of[k - 1] + 1 != place.line_of[k]) return false;
        if (k + 1 < end_ && place.line_of[k] + 1 != place.line_of[k + 1]) return false;
      }
      if (adds && old > first) {
        for (size_t k = first + 1; k < old; ++k)
          if (place.line_of[k] != place.line_of[k - 1] + 1) return false;
      } else if (adds) {
        size_t above = first, below = first;
        while (above > 0 && is_missing_blank(place, above - 1)) --above;
        while (below < old_.size() && is_missing_blank(place, below)) ++below;
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
  // A comment that the quote lacks and the new text has would stand twice.
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
  bool is_missing_blank(const Place& place, size_t i) const {
    return old_[i].blank && place.line_of[i] == kNoLine;
  }

  const MappedText& file_;
  const Hunk& hunk_;
  const std::vector<uint32_t>& hashes_;
  const bool indexed_;                  // lines are looked up, not searched
  std::unordered_set<uint32_t> known_;  // of them, once asked
  std::vector<OldLine> old_;
  size_t begin_ = 0, end_ = 0;  // of the old lines: those between blank lines at the ends
};

}  // namespace

std::vector<Place> find_with_gaps(const Search& search) {
  if (!search.file.spend(search.old.size() * kLookAhead + kMaxCandidates)) return {};
  return GapSearch(search).places();
}

}  // namespace bodkin
