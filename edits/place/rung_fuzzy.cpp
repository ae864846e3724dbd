// The rung "fuzzy": the file moved on in a line or two of what is kept. What is removed must be the
// very lines, and no other part of the file may be nearly as much like the quote.
//
// If the quoted entry was removed and a similar one remains, all lines except the one that names it
// may be equal, and any word may be the name. So a kept line may have another word only if
//
//   the change is in a declaration that the quote and the file both name, and that they both
//   have once (edits/place/frame); or
//   the declaration that has both lines is named so, and all of it is quoted: then it may have
//   another number, too; or
//   the quote has the word elsewhere, too, as a name of its surroundings, and the file has its own
//   nowhere else: what names a sibling would be another one there, as well; or
//   it is in a comment of many words, of which the file has this one nowhere else; or
//   it is inside a long quote, of which the file has ten other lines, each of them once; or
//   it is a typo.
//
// Where several parts of the file are alike (tests, entries, cases), a word that differs is what
// tells them apart, even if only inserted, unless a declaration pins the change down, or they all
// have the file's spelling of a line that the quote misspells.
//
// Ten lines: of 12,800 pairs of runs of lines in real files that differ in one word, those that are
// so long differ in a name and its variant ("v1" and "v1beta", "get" and "get_all"), or in the line
// that they begin or end with.
#include <algorithm>
#include <ranges>
#include <set>

#include "edits/place/frame.h"
#include "edits/place/moved_on.h"
#include "edits/place/name_use.h"
#include "edits/place/rungs.h"
#include "edits/place/tokens.h"
#include "edits/place/windows.h"
#include "edits/text/comments.h"

namespace bodkin {
namespace {

constexpr size_t kMaxDiffering = 2;  // lines, and tokens in each
constexpr double kRunnerUp = 0.7;    // a second place as much alike as this makes it a guess
constexpr size_t kFewest = 3;        // lines, unless all differences are spelling
constexpr size_t kConvincing = 3;  // equal lines with a word, where one kept line has another word
constexpr size_t kLongQuote = 10;  // … that the file has once, where nothing else is known
constexpr size_t kLongInner = 6;   // … or where they have the head of a function
constexpr size_t kLongName = 8;    // letters
constexpr size_t kProseWord = 3,
                 kMuchProse = 25;  // letters of a word, different words of a comment

struct Comparison {
  size_t first = 0;  // line of the file
  double share = 0;  // of the old lines that are not blank: how many are equal
  bool allowed = true;
  bool spelled = true;            // all differences are spelling
  bool alike = true;              // every line is equal or, a token or two aside, could be
  std::vector<size_t> differing;  // old lines
};

bool differs_slightly(std::string_view line, std::string_view ours) {
  const size_t distance = token_distance(line, ours);
  return distance <= kMaxDiffering && distance < tokens_of(line).size();
}

// One place that the quote may have, line by line.
class Region {
 public:
  Region(const Search& search, size_t first) : search_(search), first_(first) {
    size_t old = 0;
    const std::vector<HunkLine>& lines = search.hunk.lines;
    for (size_t k = 0; k < lines.size();) {
      if (lines[k].kind == HunkLine::Kind::context) {
        ++k, ++old;
        continue;
      }
      for (; k < lines.size() && lines[k].kind != HunkLine::Kind::context; ++k)
        if (lines[k].kind == HunkLine::Kind::removed) changed_.push_back(old++);
      // An addition hangs on the line above it that says something, even one that is removed; else
      // on the one below.
      size_t above = old;
      while (above > 0 && is_blank(search.old[above - 1])) --above;
      if (above > 0)
        changed_.push_back(above - 1);
      else if (old < search.old.size())
        changed_.push_back(old);
    }
  }

  // True if it is in a named declaration that is quoted completely, as are all changes.
  bool is_in_complete_declaration(size_t at) const {
    const Frame frame(search_.file, first_, first_ + search_.old.size());
    return std::all_of(changed_.begin(), changed_.end(),
                       [&](size_t change) { return frame.is_complete_around(change, at); });
  }

  // True if the place of each change is certain although these lines differ from the quote.
  bool are_pinned_down(const std::vector<size_t>& differing) const {
    const Frame frame(search_.file, first_, first_ + search_.old.size());
    return std::ranges::all_of(changed_, [&](size_t change) {
      return std::ranges::all_of(differing,
                                 [&](size_t at) { return frame.identifies(change, at); });
    });
  }

  // True if the kept line `at` may differ from the file's in a word.
  bool may_be_renamed(size_t at) const {
    const Rename rename = rename_between(search_.old[at], ours(at));
    if (rename.theirs.empty()) return false;
    size_t equal = 0;
    size_t ours_used = 0;  // in how many other lines of the quote
    std::set<Use> uses;    // of the quoted word, in lines that both have
    for (size_t i = 0; i < search_.old.size(); ++i) {
      if (!has_word(ours(i))) continue;
      const std::vector<std::string_view> words = tokens_of(i == at ? search_.old[at] : ours(i));
      ours_used += std::find(words.begin(), words.end(), rename.ours) != words.end();
      equal += i != at;
      if (i != at) uses.merge(uses_of(rename.theirs, ours(i)));
    }
    const std::set<Use> use = uses_of(rename.theirs, search_.old[at]);
    const auto both = [&](Use one, Use other) { return use.contains(one) && uses.contains(other); };
    const bool used_alike = both(Use::plain, Use::bound) || both(Use::bound, Use::plain) ||
                            both(Use::looked_up, Use::bound) ||
                            both(Use::looked_up, Use::looked_up) ||
                            both(Use::expanded, Use::expanded);
    if (equal < kConvincing) return false;
    if (is_in_complete_declaration(at)) return true;
    if (are_pinned_down({at})) return true;
    const bool names = declare_different_names(ours(at), search_.old[at]);
    const bool heads = std::any_of(changed_.begin(), changed_.end(), [&](size_t change) {
      return change == at || (at < change && is_head_of(at, change));
    });
    // The quote itself has the word as the file spells it, often, or it is a long one.
    const bool respelled = rename.one_letter && !names && ours_used > 0 &&
                           (ours_used > 1 || rename.ours.size() >= kLongName) &&
                           !occurs_as_word(search_.file, rename.theirs);
    if (respelled) return true;
    const bool nowhere = rename.typo && !names && !occurs_as_word(search_.file, rename.theirs);
    if (nowhere && (ours_used > 0 || (rename.slip && !heads) ||
                    (!heads && !occurs_once(search_.file, rename.ours))))
      return true;
    if (!occurs_once(search_.file, rename.ours)) return false;
    return (used_alike && !names && (!heads || has_statement(ours(at))) &&
            rename.theirs.size() > 2) ||
           (is_inside(at) && !share_affix(rename.theirs, rename.ours) &&
            (is_in_long_prose(at) || (!names && !heads && is_in_long_quote(at))));
  }

 private:
  // True if the line declares what contains line `at` and all changes.
  bool heads_all(size_t head, size_t at) const {
    return !declared_name(ours(head)).empty() && head < at && is_head_of(head, at) &&
           std::all_of(changed_.begin(), changed_.end(),
                       [&](size_t change) { return head < change && is_head_of(head, change); });
  }

  // True if the quote begins above the line and ends below it.
  bool is_inside(size_t at) const {
    const auto is_blank_line = [](std::string_view line) { return is_blank(line); };
    const auto line = search_.old.begin() + static_cast<long>(at);
    return !std::all_of(search_.old.begin(), line, is_blank_line) &&
           !std::all_of(line + 1, search_.old.end(), is_blank_line);
  }

  // True if the quote has so many other lines that occur once in the file that no sibling has them
  // all. The head of a block names it.
  bool is_in_long_quote(size_t at) const {
    const size_t count = search_.old.size();
    const auto is_in_its_block = [&](size_t i) { return has_word(ours(i)) && is_head_of(at, i); };
    if (std::ranges::any_of(std::views::iota(at + 1, count), is_in_its_block)) return false;
    size_t once = 0;
    bool in_function = false;
    for (size_t i = 0; i < count && once < kLongQuote; ++i) {
      if (i == at || !has_word(ours(i))) continue;
      std::vector<size_t> found;
      if (!search_.file.spend(search_.file.cost_of_search())) return false;
      if (!search_.file.lines_with(trimmed(ours(i)), 2, found) || found.size() != 1) continue;
      ++once;
      in_function = in_function || heads_all(i, at);
    }
    return once >= (in_function ? kLongInner : kLongQuote);
  }

  // True if the line is in a long comment that is otherwise the same.
  bool is_in_long_prose(size_t at) const {
    if (!is_comment(ours(at))) return false;
    std::set<std::string_view> words;
    for (size_t i = 0; i < search_.old.size(); ++i) {
      if (!is_comment(ours(i))) continue;
      for (const std::string_view word : tokens_of(ours(i)))
        if (word.size() >= kProseWord) words.insert(word);
    }
    return words.size() > kMuchProse;
  }

  std::string_view ours(size_t old) const { return search_.file.line(first_ + old); }
  size_t depth(size_t old) const { return indentation_of(ours(old)).size(); }

  bool is_head_of(size_t at, size_t change) const {
    if (depth(at) >= depth(change)) return false;
    for (size_t i = at + 1; i < change; ++i)
      if (has_word(ours(i)) && depth(i) <= depth(at)) return false;
    return true;
  }

  const Search& search_;
  const size_t first_;
  std::vector<size_t> changed_;  // old lines that are removed, or that an addition hangs on
};

Comparison compare_at(const Search& search, size_t first) {
  Comparison out;
  out.first = first;
  size_t i = 0, equal = 0, solid = 0;
  std::optional<size_t> renamed, number;
  bool spelled = true;
  for (const HunkLine& line : search.hunk.lines) {
    if (line.kind == HunkLine::Kind::added) continue;
    const size_t at = i++;
    const std::string_view ours = search.file.line(first + at);
    const bool blank = is_blank(line.text);
    solid += !blank;
    if (same_under(whitespace_key, line.text, ours)) {
      equal += !blank;
      continue;
    }
    out.differing.push_back(at);
    out.alike = out.alike && !blank && !is_blank(ours) && differs_slightly(line.text, ours);
    if (!out.allowed) continue;
    if (out.differing.size() > kMaxDiffering || line.kind == HunkLine::Kind::removed) {
      out.allowed = false;
      continue;
    }
    switch (kinship_of(search.file, line.text, ours)) {
      case Kinship::same:
        equal += 1;
        continue;
      case Kinship::moved_on:
        out.allowed =
            !declare_different_names(ours, line.text) && !may_be_overload(line.text, ours);
        break;
      case Kinship::renamed:
        renamed = at;
        break;
      case Kinship::other:
        if (differ_only_in_number(line.text, ours))
          number = at;
        else
          out.allowed = false;
    }
    spelled = false;
  }
  out.spelled = out.allowed && spelled;
  if (renamed)
    out.allowed =
        out.allowed && out.differing.size() == 1 && Region(search, first).may_be_renamed(*renamed);
  if (number)
    out.allowed = out.allowed && out.differing.size() == 1 &&
                  Region(search, first).is_in_complete_declaration(*number);
  if (solid > 0) out.share = static_cast<double>(equal) / static_cast<double>(solid);
  return out;
}

// An insertion hangs on the lines next to it: those must be the very ones.
bool insertion_neighbours_match(const Search& search, size_t first) {
  const std::vector<HunkLine>& lines = search.hunk.lines;
  size_t i = 0;
  for (size_t k = 0; k < lines.size();) {
    const size_t above = i;
    bool adds = false, removes = false;
    for (; k < lines.size() && lines[k].kind != HunkLine::Kind::context; ++k) {
      adds |= lines[k].kind == HunkLine::Kind::added;
      removes |= lines[k].kind == HunkLine::Kind::removed;
      i += lines[k].kind == HunkLine::Kind::removed;
    }
    const auto same = [&](size_t old) {
      const std::string_view theirs = search.old[old], ours = search.file.line(first + old);
      return same_under(whitespace_key, theirs, ours) ||
             kinship_of(search.file, theirs, ours) == Kinship::same;
    };
    if (adds && !removes &&
        ((above > 0 && !same(above - 1)) || (i < search.old.size() && !same(i))))
      return false;
    if (k < lines.size()) ++k, ++i;
  }
  return true;
}

// True if the best place is misspelled only in lines that the other place has, too. Then these
// lines tell neither from the other, and the rest of the quote is at the best place.
bool has_slips_of(const Search& search, const Comparison& best, const Comparison& other) {
  return best.spelled && other.share < best.share &&
         std::ranges::all_of(best.differing, [&](size_t at) {
           return same_under(whitespace_key, search.file.line(best.first + at),
                             search.file.line(other.first + at));
         });
}

}  // namespace

std::vector<Place> find_fuzzy(const Search& search) {
  const size_t count = search.old.size();
  std::vector<Comparison> all;
  const Comparison* best = nullptr;
  for (const VotedPlace& window : likely_windows(search)) {
    if (window.first < 0) continue;
    const size_t first = static_cast<size_t>(window.first);
    if (first + count > search.file.line_count() || !search.file.spend(count * 16)) continue;
    all.push_back(compare_at(search, first));
    if (count < kFewest && !all.back().spelled) all.back().allowed = false;
  }
  for (const Comparison& found : all)
    if (found.allowed && (!best || found.share > best->share)) best = &found;
  if (!best || best->share < 0.5) return {};
  double second_share = 0;
  size_t alike = best->alike;
  for (const Comparison& found : all) {
    if (&found == best || has_slips_of(search, *best, found)) continue;
    alike += found.alike;
    second_share = std::max(second_share, found.share);
  }
  // One of several of a kind (tests, entries, cases) is told from the others by just such a token.
  if (second_share >= best->share) return {};
  if ((alike > 1 || second_share > kRunnerUp) &&
      !Region(search, best->first).are_pinned_down(best->differing))
    return {};
  if (!insertion_neighbours_match(search, best->first)) return {};
  Place place = place_at(search.file, best->first, count);
  place.similarity = best->share;
  return {place};
}

}  // namespace bodkin
