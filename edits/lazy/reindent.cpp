// Longer than 350 lines: one class, whose members all read the same pairs of lines.
#include "edits/lazy/reindent.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <span>

#include "edits/text/literals.h"

namespace bodkin {
namespace {
constexpr size_t kNearPairs = 400;  // matched lines that are looked at for one added line

// A line of a comment in a box, which is aligned below its first line.
bool is_in_box(std::string_view line) { return trimmed(line).starts_with('*'); }
// How many blanks one tab is, if these indentations are equally deep.
size_t spaces_per_tab(std::string_view blanks, std::string_view tabs) {
  const auto count = static_cast<size_t>(std::count(tabs.begin(), tabs.end(), '\t'));
  return count == 0 || blanks.size() % count != 0 ? 0 : blanks.size() / count;
}

}  // namespace

bool changes_indentation(MatchQuality quality) {
  switch (quality) {
    case MatchQuality::indentation:
    case MatchQuality::trimmed:
    case MatchQuality::whitespace:
    case MatchQuality::elision:
    case MatchQuality::gaps:
    case MatchQuality::fuzzy:
      return true;
    default:
      return false;
  }
}

Reindent::Reindent(const MappedText& file, const Hunk& hunk, const Place& place)
    : file_(file), hunk_(hunk) {
  find_literals(hunk);
  size_t old = 0;
  for (size_t i = 0; i < hunk.lines.size(); ++i) {
    if (hunk.lines[i].kind == HunkLine::Kind::added) continue;
    const size_t line = place.line_for(old++);
    if (line == kNoLine || is_blank(hunk.lines[i].text)) continue;
    if (!opening_of_[i].empty()) {
      literal_pairs_.push_back(
          {i, indentation_of(hunk.lines[i].text), indentation_of(file.line(line))});
      continue;
    }
    pairs_.push_back({i, indentation_of(hunk.lines[i].text), indentation_of(file.line(line))});
  }
  move_literals();
  all_pairs_ = pairs_;
  for (const Pair& pair : pairs_) {
    theirs_tabs_ |= has_tab(pair.theirs);
    ours_tabs_ |= has_tab(pair.ours);
  }
  for (const Pair& pair : pairs_) {
    if (unit_ > 0) break;
    if (ours_tabs_ && !theirs_tabs_) unit_ = spaces_per_tab(pair.theirs, pair.ours);
    if (theirs_tabs_ && !ours_tabs_) unit_ = spaces_per_tab(pair.ours, pair.theirs);
  }
  missing_prefix_ = is_prefix_missing(hunk);
  first_is_odd_ = pairs_.size() > 1 && shift(pairs_[0]) != shift(pairs_[1]) &&
                  pairs_[0].theirs.size() < pairs_[0].ours.size();
  if (!detect_indent_scale(hunk)) drop_outliers(hunk);
  detect_flattened_quote(hunk);
}

void Reindent::find_literals(const Hunk& hunk) {
  opening_of_.resize(hunk.lines.size());
  for (const HunkLine::Kind other : {HunkLine::Kind::added, HunkLine::Kind::removed}) {
    std::vector<std::string_view> lines;
    std::vector<size_t> numbers;
    for (size_t i = 0; i < hunk.lines.size(); ++i) {
      if (hunk.lines[i].kind == other) continue;
      lines.push_back(hunk.lines[i].text);
      numbers.push_back(i);
    }
    for (const Literal& literal : literals_in(lines)) {
      const std::string_view opening = lines[literal.opening];
      if (is_docstring(opening)) continue;
      bool stays = literal.is_at_margin;
      for (size_t k = literal.opening + 1; k < literal.end; ++k) {
        opening_of_[numbers[k]] = opening;
        stays |= k + 1 < literal.end && !is_blank(lines[k]) &&
                 indentation_of(lines[k]).size() <= indentation_of(opening).size();
      }
      if (stays) staying_.push_back(opening);
    }
  }
}

// A literal of which an old line is moved is moved as a whole, with the code.
void Reindent::move_literals() {
  const auto moves = [&](std::string_view opening) {
    return std::ranges::any_of(literal_pairs_, [&](const Pair& pair) {
      return opening_of_[pair.index] == opening && pair.theirs != pair.ours;
    });
  };
  std::vector<std::string_view> moving;
  for (const Pair& pair : literal_pairs_)
    if (const auto opening = opening_of_[pair.index];
        std::ranges::find(moving, opening) == moving.end() && moves(opening))
      moving.push_back(opening);
  const auto is_moving = [&](size_t i) { return std::ranges::count(moving, opening_of_[i]) > 0; };
  for (const Pair& pair : literal_pairs_)
    if (is_moving(pair.index)) pairs_.push_back(pair);
  std::erase_if(literal_pairs_, [&](const Pair& pair) { return is_moving(pair.index); });
  std::ranges::sort(pairs_, {}, &Pair::index);
  for (std::string_view& opening : opening_of_)
    if (std::ranges::find(moving, opening) != moving.end()) opening = {};
}

// True if a line inside a literal is kept verbatim.
bool Reindent::is_verbatim(size_t index, std::string_view line) const {
  // Behind the hunk's last line comes what is not its own.
  if (index >= opening_of_.size() || opening_of_[index].empty()) return false;
  const std::string_view opening = opening_of_[index];
  return indentation_of(line).size() < indentation_of(opening).size() ||
         std::ranges::find(staying_, opening) != staying_.end() ||
         std::ranges::any_of(literal_pairs_,
                             [&](const Pair& pair) { return opening_of_[pair.index] == opening; });
}

// A quote without depth, where the file has some, says nothing of where a depth of the new half
// belongs. If that half has depths of its own, its outermost lines are as deep as the file's
// outermost here.
void Reindent::detect_flattened_quote(const Hunk& hunk) {
  if (pairs_.size() < 2) return;
  const auto least = [](auto& best, std::string_view own) {
    if (!best || own.size() < best->size()) best = own;
  };
  std::optional<std::string_view> outmost, ours;
  bool is_deep = false, is_deep_here = false;
  for (const Pair& pair : pairs_) {
    if (pair.theirs != pairs_[0].theirs) return;
    is_deep_here |= pair.ours != pairs_[0].ours;
    least(ours, pair.ours);
  }
  const auto is_code = [&](const HunkLine& line) {
    return !is_blank(line.text) &&
           opening_of_[static_cast<size_t>(&line - hunk.lines.data())].empty();
  };
  for (const HunkLine& line : hunk.lines)
    if (line.kind != HunkLine::Kind::removed && is_code(line))
      least(outmost, indentation_of(line.text));
  if (!outmost) return;
  for (const HunkLine& line : hunk.lines)
    is_deep |= line.kind == HunkLine::Kind::added && is_code(line) &&
               indentation_of(line.text) != *outmost;
  is_flat_ = is_deep && is_deep_here;
  flat_theirs_ = *outmost;
  flat_ours_ = *ours;
}

// True if the quote uses another number of blanks per level than the file. All of its lines must
// say so: each depth of the quote is one depth of the file, and their distances have one ratio.
bool Reindent::detect_indent_scale(const Hunk& hunk) {
  if (theirs_tabs_ || ours_tabs_) return false;
  // A first line that lost its indentation says nothing of levels where all others have theirs.
  const auto stays = [](const Pair& pair) { return shift(pair) == 0; };
  if (first_is_odd_ && std::all_of(pairs_.begin() + 1, pairs_.end(), stays)) return false;
  std::map<size_t, size_t> depths;
  for (const Pair& pair : pairs_) {
    if (is_in_box(hunk.lines[pair.index].text)) continue;
    const auto known = depths.try_emplace(pair.theirs.size(), pair.ours.size()).first;
    if (known->second != pair.ours.size()) return false;
  }
  if (depths.empty()) return false;
  const auto [theirs, ours] = *depths.begin();
  size_t quoted = 0, filed = 0;
  for (const auto& [depth, in_file] : depths) {
    if (depth == theirs) continue;
    if (in_file <= ours) return false;
    if (quoted == 0) quoted = depth - theirs, filed = in_file - ours;
    if ((depth - theirs) * filed != (in_file - ours) * quoted) return false;
  }
  if (quoted == 0) {
    // Only one depth is quoted. What opens a block says how deep a level of the quote is.
    std::string_view above;
    for (const HunkLine& line : hunk.lines) {
      if (line.kind == HunkLine::Kind::removed || is_blank(line.text)) continue;
      const std::string_view text = trimmed_right(above);
      const size_t before = indentation_of(above).size(), now = indentation_of(line.text).size();
      if (!above.empty() && now > before && (text.ends_with(':') || text.ends_with('{')))
        quoted = quoted == 0 ? now - before : std::min(quoted, now - before);
      above = line.text;
    }
    filed = file_.indentation().unit;
    const bool fits = theirs > 0 && theirs * filed == ours * quoted;
    if (quoted == 0 || filed == 0 || !fits || has_tab(indentation_of(above))) return false;
  }
  if (quoted == filed) return false;
  quoted_unit_ = quoted, file_unit_ = filed;
  return true;
}

long Reindent::shift(const Pair& pair) {
  return static_cast<long>(pair.ours.size()) - static_cast<long>(pair.theirs.size());
}

// Where most lines are moved by the same, the others' indentation is a slip that says nothing of
// the added lines. What is removed counts before what is kept: it is what the added lines replace.
void Reindent::drop_outliers(const Hunk& hunk) {
  if (theirs_tabs_ != ours_tabs_) return;
  // A quote without any indentation has none that could be a slip.
  if (std::ranges::all_of(pairs_, &std::string_view::empty, &Pair::theirs)) return;
  std::map<long, size_t> votes;
  for (size_t i = first_is_odd_; i < pairs_.size(); ++i)
    if (!is_in_box(hunk.lines[pairs_[i].index].text))
      votes[shift(pairs_[i])] +=
          hunk.lines[pairs_[i].index].kind == HunkLine::Kind::removed ? 3 : 2;
  if (votes.empty()) return;
  const auto most = std::max_element(
      votes.begin(), votes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (std::ranges::count(votes, most->second, [](auto& vote) { return vote.second; }) > 1) return;
  const size_t first = pairs_[0].index;
  std::erase_if(pairs_, [&](const Pair& pair) {
    return shift(pair) != most->first && shift(pair) != 0 &&
           !(first_is_odd_ && pair.index == first);
  });
}

bool Reindent::introduces_tabs(const MappedText& file, const Hunk& hunk, std::string_view line) {
  if (!indentation_of(line).starts_with('\t') || !file.indentation().blanks) return false;
  return std::none_of(hunk.lines.begin(), hunk.lines.end(), [](const HunkLine& other) {
    return (other.kind != HunkLine::Kind::added && !is_blank(other.text) &&
            !indentation_of(other.text).empty()) ||
           other.text.find("<<-") != std::string::npos;
  });
}

// What the file has for this indentation in the lines that the added one takes the place of, or
// is beside, even if it is not a level.
std::optional<std::string_view> Reindent::of_neighbours(size_t index, std::string_view line) const {
  const auto is_kept = [](const HunkLine& l) { return l.kind == HunkLine::Kind::context; };
  const std::span<const HunkLine> lines(hunk_.lines);
  const size_t here = std::min(index, lines.size());
  const auto near_above = lines.first(here).last(std::min(here, kNearPairs)) | std::views::reverse;
  const auto near_below = lines.subspan(here).first(std::min(lines.size() - here, kNearPairs));
  // With the kept lines at both ends.
  const auto count_to_kept = [&](const auto& range) {
    const auto found = std::ranges::find_if(range, is_kept);
    return static_cast<size_t>(found - range.begin()) + (found != range.end());
  };
  const auto pair_at = [&](size_t i) {
    return std::ranges::lower_bound(all_pairs_, i, {}, &Pair::index);
  };
  std::optional<std::string_view> only;
  for (const Pair& pair : std::ranges::subrange(pair_at(here - count_to_kept(near_above)),
                                                pair_at(here + count_to_kept(near_below)))) {
    if (pair.theirs != indentation_of(line) ||
        is_in_box(hunk_.lines[pair.index].text) != is_in_box(line))
      continue;
    if (only && *only != pair.ours) return std::nullopt;
    only = pair.ours;
  }
  return only;
}

// Decides: the indentation of a new line.
std::string Reindent::operator()(size_t index, std::string_view line) const {
  if (is_blank(line) || missing_prefix_ || is_verbatim(index, line)) return std::string(line);
  const std::string_view theirs = indentation_of(line);
  const std::string rest(line.substr(theirs.size()));
  if (is_flat_ && theirs.starts_with(flat_theirs_))
    return std::string(flat_ours_) + converted(theirs.substr(flat_theirs_.size())) + rest;
  if (const auto twin = of_neighbours(index, line)) return std::string(*twin) + rest;
  const Pair* near = nullptr;
  const Pair* base = nullptr;  // the deepest indentation that this one continues
  const auto distance = [&](const Pair& pair) {
    return pair.index > index ? pair.index - index : index - pair.index;
  };
  const auto behind = std::lower_bound(pairs_.begin(), pairs_.end(), index,
                                       [](const Pair& pair, size_t i) { return pair.index < i; });
  const size_t middle = static_cast<size_t>(behind - pairs_.begin());
  const size_t begin = middle > kNearPairs ? middle - kNearPairs : 0;
  for (size_t i = begin; i < std::min(pairs_.size(), middle + kNearPairs); ++i) {
    const Pair& pair = pairs_[i];
    if (i == 0 && first_is_odd_ && pair.theirs != theirs) continue;
    const auto is_nearer = [&](const Pair* than) {
      return !than || distance(pair) < distance(*than);
    };
    if (is_nearer(near)) near = &pair;
    if (!theirs.starts_with(pair.theirs)) continue;
    if (!base || pair.theirs.size() > base->theirs.size() ||
        (pair.theirs.size() == base->theirs.size() && is_nearer(base)))
      base = &pair;
  }
  if (quoted_unit_ > 0 && base && !has_tab(theirs)) {
    const size_t more = theirs.size() - base->theirs.size();
    return std::string(base->ours) +
           std::string(more / quoted_unit_ * file_unit_ + more % quoted_unit_, ' ') + rest;
  }
  if (base) return std::string(base->ours) + converted(theirs.substr(base->theirs.size())) + rest;
  if (quoted_unit_ > 0 && near && near->theirs.starts_with(theirs)) {
    const size_t less = (near->theirs.size() - theirs.size()) / quoted_unit_ * file_unit_;
    return std::string(
               near->ours.substr(0, near->ours.size() - std::min(near->ours.size(), less))) +
           rest;
  }
  if (near && near->theirs.starts_with(theirs)) {
    const std::string less = converted(near->theirs.substr(theirs.size()));
    if (near->ours.ends_with(less))
      return std::string(near->ours.substr(0, near->ours.size() - less.size())) + rest;
  }
  return converted(theirs) + rest;
}

// A diff whose context lines lack their column of ' ' seems to be indented one less there. Its
// added lines have their column, as its removed lines show, or their own indentation.
bool Reindent::is_prefix_missing(const Hunk& hunk) const {
  bool missing = false, removes = false;
  for (const Pair& pair : pairs_) {
    const bool less = pair.ours.starts_with(' ') && pair.ours.substr(1) == pair.theirs;
    const bool removed = hunk.lines[pair.index].kind == HunkLine::Kind::removed;
    if (pair.ours != pair.theirs && (!less || removed)) return false;
    missing |= less;
    removes |= removed;
  }
  if (!missing || removes) return missing;
  // The depth of code: a comment in a box is a column deeper.
  const auto depth = [](std::string_view indentation, std::string_view line) {
    return static_cast<long>(indentation.size()) - is_in_box(line);
  };
  const auto is_as_deep = [&](std::string_view Pair::*side) {
    return std::ranges::any_of(hunk.lines, [&](const HunkLine& line) {
      return line.kind == HunkLine::Kind::added && !is_blank(line.text) &&
             std::ranges::any_of(pairs_, [&](const Pair& pair) {
               return pair.ours != pair.theirs && depth(pair.*side, hunk.lines[pair.index].text) ==
                                                      depth(indentation_of(line.text), line.text);
             });
    });
  };
  return is_as_deep(&Pair::ours) && !is_as_deep(&Pair::theirs);
}

std::string Reindent::converted(std::string_view indentation) const {
  const auto unit = [&] {
    if (unit_ > 0) return unit_;
    return file_.indentation().unit > 0 ? file_.indentation().unit : size_t{4};
  };
  if (ours_tabs_ && !theirs_tabs_ && !indentation.empty() && !has_tab(indentation)) {
    const size_t blanks = indentation.size(), per_tab = unit();
    return std::string(blanks / per_tab, '\t') + std::string(blanks % per_tab, ' ');
  }
  if (has_tab(indentation) && (file_.indentation().blanks || (theirs_tabs_ && !ours_tabs_))) {
    std::string out;
    for (const char c : indentation) out += c == '\t' ? std::string(unit(), ' ') : " ";
    return out;
  }
  return std::string(indentation);
}

}  // namespace bodkin
