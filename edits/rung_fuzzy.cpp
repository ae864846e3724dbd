// The rung "fuzzy": the file moved on in a line or two of what is kept. What is removed must be the
// very lines, and no other part of the file may be nearly as much like the quote.
//
// Where the quoted entry is gone and one alike is left, all lines but the one that names it may be
// equal. What names an entry is its head, its end, or a bare key and value; so a kept line may have
// another word only where it cannot be that: below what is changed and apart from it, in a
// paragraph or a closed block above it, as one statement among many, or if both have the quoted
// word elsewhere, too. And the rest must be convincing.
#include <algorithm>

#include "edits/moved_on.h"
#include "edits/rungs.h"
#include "edits/tokens.h"
#include "edits/windows.h"

namespace bodkin {
namespace {

constexpr size_t kMostDiffering = 2;  // lines, and tokens in each
constexpr double kRunnerUp = 0.7;     // a second place as much alike as this makes it a guess
constexpr size_t kFewest = 3;         // lines, unless all differences are spelling
constexpr size_t kConvincing = 3;  // equal lines with a word, where one kept line has another word
constexpr size_t kMany = 6,
                 kAround = 2;  // equal lines, where it is one of many: in all, and on each side
constexpr size_t kSharedWords = 3;  // of that line, where it could be a name

struct Comparison {
  double share = 0;  // of the old lines that are not blank: how many are equal
  bool allowed = true;
  bool spelled = true;  // all differences are spelling
  bool alike = true;  // every line is equal or, a token or two aside, could be
};

bool could_be(std::string_view line, std::string_view ours) {
  const size_t distance = token_distance(line, ours);
  return distance <= kMostDiffering && distance < tokens_of(line).size();
}

bool is_comment(std::string_view line) {
  const std::string_view text = stripped(line);
  for (const std::string_view sign : {"//", "# ", "* ", "-- ", ";; "})
    if (text.starts_with(sign)) return true;
  return false;
}

// A key and its value, or an element: one such line may name all the others ("name: web").
bool is_bare(std::string_view line) {
  const std::string_view text = stripped(line);
  if (is_comment(text)) return false;
  return text.starts_with('<') || text.starts_with('|') || text.starts_with("- ") ||
         text.find_first_of("({") == std::string_view::npos;
}

// What closes a block may name it: "} users_t;", "END load".
bool closes(std::string_view line) {
  const std::string_view text = stripped(line);
  if (text.empty() || std::string_view("})]").find(text.front()) != std::string_view::npos)
    return true;
  for (const std::string_view word : {"end", "END", "End", "</", "until", "while", "done"})
    if (text.starts_with(word)) return true;
  return false;
}

bool has_statement(std::string_view line) {
  static constexpr std::string_view kWords[] = {
      "if",   "for",    "foreach", "while", "switch", "match", "catch",  "return",
      "elif", "elseif", "else",    "with",  "when",   "until", "unless", "assert"};
  for (const std::string_view word : tokens_of(line))
    if (std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords)) return true;
  return false;
}

// A parameter more makes another function where names are overloaded.
bool may_be_overload(std::string_view quoted, std::string_view ours) {
  for (const std::string_view line : {quoted, ours}) {
    const std::string_view text = stripped(line);
    const size_t open = text.find('(');
    if (open == text.npos || text.ends_with(';') || text.substr(0, open).find('=') != text.npos)
      return false;
    const std::vector<std::string_view> words = tokens_of(text.substr(0, open));
    if (words.empty() || has_statement(text.substr(0, open))) return false;
    if (words.size() < 2 && !text.ends_with('{')) return false;  // a call
    for (const std::string_view known : {"def", "function", "fn"})
      if (std::find(words.begin(), words.end(), known) != words.end()) return false;
  }
  const auto parameters = [](std::string_view line) {
    const size_t open = line.find('('), close = line.rfind(')');
    return tokens_of(line.substr(open + 1, close > open ? close - open - 1 : line.npos));
  };
  return parameters(quoted) != parameters(ours);
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
      const size_t begin = old;
      for (; k < lines.size() && lines[k].kind != HunkLine::Kind::context; ++k)
        if (lines[k].kind == HunkLine::Kind::removed) changed_.push_back(old++);
      if (old > begin) continue;
      // An addition hangs on the line above it that says something; else on the one below.
      size_t above = old;
      while (above > 0 && is_blank(search.old[above - 1])) --above;
      if (above > 0)
        changed_.push_back(above - 1);
      else if (old < search.old.size())
        changed_.push_back(old);
    }
  }

  // May the kept line `at`, which has a word of its own, be another line than what names the
  // change?
  bool may_have_another_word(size_t at) const {
    const Rename rename = rename_between(search_.old[at], ours(at));
    size_t equal = 0;
    bool theirs_used = false, ours_used = false;  // in lines that both have
    for (size_t i = 0; i < search_.old.size(); ++i) {
      if (!has_word(ours(i))) continue;
      equal += i != at;
      for (const std::string_view word : tokens_of(i == at ? search_.old[at] : ours(i))) {
        theirs_used |= i != at && word == rename.theirs;
        ours_used |= word == rename.ours;
      }
      if (i != at) continue;
      for (const std::string_view word : tokens_of(ours(i))) theirs_used |= word == rename.theirs;
    }
    if (equal < kConvincing) return false;
    const bool names = declare_different_names(ours(at), search_.old[at]);
    if (rename.theirs.empty()) return false;
    const bool nowhere = rename.typo && !names && !stands_in(search_.file, rename.theirs);
    if (nowhere && ours_used) return true;
    const bool surrounded = equal >= kMany && is_surrounded(at) && !is_bare(ours(at));
    return std::all_of(changed_.begin(), changed_.end(), [&](size_t change) {
      if (change == at) return false;
      if (at > change && is_apart(change, at)) return true;
      if (at < change && is_closed_apart(at, change)) return true;
      if (rename.number) return false;
      const bool heads = at < change && is_head_of(at, change);
      // A name that both have elsewhere is not what tells siblings apart.
      if (theirs_used && rename.theirs.size() > 2 && !names && !(heads && !has_statement(ours(at))))
        return true;
      if (heads || names || rename.in_string) return false;
      if ((rename.slip && nowhere) || surrounded) return true;
      if (at > change && is_comment(ours(at)) && rename.shared >= kSharedWords) return true;
      if (at < change)
        return (is_closed_before(at, change) && rename.shared >= kSharedWords) ||
               is_paragraph_before(at, change);
      const bool calls = ours(at).find('(') != std::string_view::npos && rename.shared > 0;
      return depth(at) >= depth(change) && (calls || rename.shared >= kSharedWords) &&
             (has_head(change) || (depth(at) > depth(change) && has_word(ours(change))));
    });
  }

 private:
  std::string_view ours(size_t old) const { return search_.file.line(first_ + old); }
  size_t depth(size_t old) const { return indentation_of(ours(old)).size(); }

  bool is_head_of(size_t at, size_t change) const {
    if (depth(at) >= depth(change)) return false;
    for (size_t i = at + 1; i < change; ++i)
      if (has_word(ours(i)) && depth(i) <= depth(at)) return false;
    return true;
  }
  bool is_closed_before(size_t at, size_t change) const {
    for (size_t i = at + 1; i < change; ++i)
      if (!is_blank(ours(i)) && depth(i) < depth(at)) return true;
    return false;
  }
  // Is the line in a block that is closed, and a gap between that and the change?
  bool is_closed_apart(size_t at, size_t change) const {
    bool closed = false;
    for (size_t i = at + 1; i < change; ++i) {
      if (closed && is_gap(i)) return true;
      closed = closed || (!is_blank(ours(i)) && depth(i) < depth(at));
    }
    return false;
  }
  // Are there several lines that say something above it, and below?
  bool is_surrounded(size_t at) const {
    size_t above = 0, below = 0;
    for (size_t i = 0; i < search_.old.size(); ++i)
      if (i != at && has_word(ours(i))) ++(i < at ? above : below);
    return above >= kAround && below >= kAround;
  }
  bool is_gap(size_t old) const {  // between two paragraphs, of a comment perhaps
    return !has_word(ours(old)) && ours(old).find_first_of("(){}[]<>") == std::string_view::npos;
  }
  // Is the line in a paragraph that ends before the head of the change?
  bool is_paragraph_before(size_t at, size_t change) const {
    bool gap = false;
    for (size_t i = at + 1; i < change; ++i) {
      if (gap && has_word(ours(i)) && depth(i) <= depth(at) && depth(i) < depth(change))
        return true;
      gap = gap || is_gap(i);
    }
    return false;
  }
  bool is_apart(size_t change, size_t at) const {
    if (closes(ours(at))) return false;
    if (depth(at) < depth(change)) return true;
    for (size_t i = change + 1; i < at; ++i)
      if (is_gap(i) || (has_word(ours(i)) && depth(i) < depth(change))) return true;
    return false;
  }
  // Is the line that the change stands below quoted, too?
  bool has_head(size_t change) const {
    for (size_t i = change; i-- > 0;)
      if (!is_blank(ours(i)) && depth(i) < depth(change)) return has_word(ours(i));
    return false;
  }

  const Search& search_;
  const size_t first_;
  std::vector<size_t> changed_;  // old lines that are removed, or that an addition hangs on
};

Comparison compared(const Search& search, size_t first) {
  Comparison out;
  size_t i = 0, equal = 0, solid = 0, differing = 0;
  std::optional<size_t> renamed;
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
    ++differing;
    out.alike = out.alike && !blank && !is_blank(ours) && could_be(line.text, ours);
    if (!out.allowed) continue;
    if (differing > kMostDiffering || line.kind == HunkLine::Kind::removed || blank ||
        is_blank(ours)) {
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
        out.allowed = false;
    }
    spelled = false;
  }
  out.spelled = out.allowed && spelled;
  if (renamed)
    out.allowed =
        out.allowed && differing == 1 && Region(search, first).may_have_another_word(*renamed);
  if (solid > 0) out.share = static_cast<double>(equal) / static_cast<double>(solid);
  return out;
}

// An insertion hangs on the lines next to it: those must be the very ones.
bool hangs_on_equal_lines(const Search& search, size_t first) {
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

}  // namespace

std::vector<Place> find_fuzzy(const Search& search) {
  const size_t count = search.old.size();
  if (count < 2 || count > search.file.line_count()) return {};
  std::optional<size_t> best;
  double best_share = 0, second_share = 0;
  size_t alike = 0;
  for (const Window& window : likely_windows(search)) {
    if (window.first < 0) continue;
    const size_t first = static_cast<size_t>(window.first);
    if (first + count > search.file.line_count() || !search.file.spend(count * 16)) continue;
    Comparison found = compared(search, first);
    if (count < kFewest && !found.spelled) found.allowed = false;
    alike += found.alike;
    if (found.allowed && found.share > best_share) {
      second_share = std::max(second_share, best_share);
      best_share = found.share;
      best = first;
    } else {
      second_share = std::max(second_share, found.share);
    }
  }
  // One of several of a kind (tests, entries, cases) is told from the others by just such a token.
  if (alike > 1) return {};
  if (!best || best_share < 0.5 || second_share > kRunnerUp || second_share >= best_share)
    return {};
  if (!hangs_on_equal_lines(search, *best)) return {};
  Place place = place_at(search.file, *best, count);
  place.similarity = best_share;
  return {place};
}

}  // namespace bodkin
