#include "edits/place/new_depths.h"

#include <algorithm>
#include <map>
#include <optional>

#include "edits/place/reindent.h"
#include "edits/place/tokens.h"

namespace bodkin {
namespace {

using Kind = HunkLine::Kind;

bool occurs_once_among(const std::vector<std::string_view>& lines, std::string_view text) {
  return std::ranges::count(lines, text, trimmed) == 1;
}

struct Votes {
  size_t files = 0, quotes = 0, unclear = 0;
};

// What each run of new lines says beside the removed ones that it replaces: its first line, which
// is like theirs, is as deep as that is in the file (and none less deep than they), or as in
// the quote. Of a diff's context nothing is known: it is one line for both halves.
Votes votes_of_runs(const MappedText& file, const Hunk& hunk, const Place& place) {
  Votes votes;
  size_t old = 0;
  for (size_t i = 0; i < hunk.lines.size();) {
    std::optional<std::string_view> quoted, ours, first;  // indentations of the first lines
    std::string_view old_text, new_text;
    size_t least_ours = std::string::npos, least_now = std::string::npos;
    for (; i < hunk.lines.size() && hunk.lines[i].kind != Kind::context; ++i) {
      const std::string_view text = hunk.lines[i].text, own = indentation_of(text);
      if (hunk.lines[i].kind == Kind::added) {
        if (is_blank(text)) continue;
        if (!first) first = own, new_text = text;
        least_now = std::min(least_now, own.size());
        continue;
      }
      const size_t line = place.line_for(old++);
      if (is_blank(text) || line == kNoLine) continue;
      const std::string_view depth = indentation_of(file.line(line));
      if (!ours) quoted = own, ours = depth, old_text = text;
      least_ours = std::min(least_ours, depth.size());
    }
    if (first && ours && *quoted != *ours) {
      const bool may_be_files = *first == *ours && least_now >= least_ours;
      const bool is_alike = token_similarity(old_text, new_text) >= kAlike;
      votes.files += may_be_files && is_alike;
      votes.unclear += may_be_files && !is_alike;
      votes.quotes += *first == *quoted;
    }
    if (i < hunk.lines.size()) ++i, ++old;  // a context line
  }
  return votes;
}

// Decided by the lines that both halves have: whether they are as deep in the new half as in the
// file, or as in the quote. If there are none, the first line of each half says that it is the
// file's, unless a line of signs alone says that it is the quote's.
NewDepths infer_new_depths(const std::vector<std::string_view>& old,
                           const std::vector<std::string_view>& now,
                           const std::vector<std::string>& file) {
  std::map<std::string_view, size_t> known, signs;  // without those that occur twice
  const auto is_moved = [&](size_t i) { return indentation_of(old[i]) != indentation_of(file[i]); };
  std::optional<size_t> first;
  for (size_t i = 0; i < old.size(); ++i) {
    if (is_blank(old[i])) continue;
    if (!first) first = i;
    auto& lines = has_word(old[i]) ? known : signs;
    if (!lines.try_emplace(trimmed(old[i]), i).second) lines[trimmed(old[i])] = kNoLine;
  }
  size_t ours = 0, theirs = 0;
  bool is_contradicted = false;
  std::string_view first_now;
  for (const std::string_view line : now) {
    if (is_blank(line)) continue;
    if (first_now.empty()) first_now = line;
    const bool is_sign = !has_word(line);
    const auto found = (is_sign ? signs : known).find(trimmed(line));
    if (found == (is_sign ? signs : known).end() || found->second == kNoLine ||
        !is_moved(found->second))
      continue;
    if (is_sign) {
      is_contradicted |= indentation_of(line) == indentation_of(old[found->second]) &&
                         occurs_once_among(now, trimmed(line));
      continue;
    }
    ours += indentation_of(line) == indentation_of(file[found->second]);
    theirs += indentation_of(line) == indentation_of(old[found->second]);
  }
  if (ours + theirs > 0) return ours > 0 && theirs == 0 ? NewDepths::files : NewDepths::quotes;
  const bool is_files = first && !first_now.empty() && is_moved(*first) &&
                        !indentation_of(file[*first]).empty() &&
                        indentation_of(first_now) == indentation_of(file[*first]);
  return !is_files ? NewDepths::quotes : is_contradicted ? NewDepths::open : NewDepths::files;
}

// A single old line lost its indentation, and of the new lines only the first did: the second is as
// deep as the line is in the file, or one level deeper below a line that opens a block.
bool only_first_is_stripped(const MappedText& file, const Hunk& hunk,
                            const std::vector<std::string>& ours) {
  std::string_view quoted, filed, first;
  size_t olds = 0, line = 0;
  std::optional<std::string_view> second;
  size_t least = std::string::npos;
  for (const HunkLine& each : hunk.lines) {
    const std::string_view own = indentation_of(each.text);
    if (each.kind != Kind::added) {
      const std::string_view in_file = ours[line++];
      if (is_blank(each.text)) continue;
      quoted = own, filed = indentation_of(in_file);
      if (++olds > 1) return false;
      if (each.kind == Kind::context) return false;
    } else if (!is_blank(each.text)) {
      if (first.empty()) {
        first = each.text;
        continue;
      }
      if (!second) second = each.text;
      least = std::min(least, own.size());
    }
  }
  if (olds != 1 || !second || indentation_of(first) != quoted || filed.size() <= quoted.size() ||
      !filed.starts_with(quoted) || least < filed.size() || !has_word(first))
    return false;
  const std::string_view depth = indentation_of(*second);
  if (std::string_view(":{([").find(trimmed(first).back()) == std::string_view::npos)
    return depth == filed && std::string_view(".?:&|+-*/=)}],").find(trimmed(*second).front()) ==
                                 std::string_view::npos;
  const MappedText::Indentation style = file.indentation();
  const size_t unit = filed.front() == '\t' ? 1 : style.unit > 0 ? style.unit : 4;
  return depth.size() == filed.size() + unit && depth.size() != quoted.size() + unit;
}

// Only the first old line lost its indentation, and what is nested in it has the file's; in the new
// half what is nested in the first line is no deeper than that line is in the file.
bool is_nested_below_first(const std::vector<std::string_view>& old,
                           const std::vector<std::string_view>& now,
                           const std::vector<std::string>& ours) {
  std::optional<size_t> first, second;
  for (size_t i = 0; i < old.size(); ++i) {
    if (is_blank(old[i])) continue;
    if (first && indentation_of(old[i]) != indentation_of(ours[i])) return false;
    if (!first)
      first = i;
    else if (!second)
      second = i;
  }
  const auto head = std::ranges::find_if_not(now, is_blank);
  if (!second || head == now.end()) return false;
  const auto nested = std::find_if_not(head + 1, now.end(), is_blank);
  if (nested == now.end() || !may_open(trimmed(*head))) return false;
  const std::string_view quoted = indentation_of(old[*first]), filed = indentation_of(ours[*first]),
                         depth = indentation_of(*nested);
  return quoted.size() < filed.size() && filed.starts_with(quoted) &&
         indentation_of(ours[*second]).size() > filed.size() && indentation_of(*head) == quoted &&
         depth.size() > quoted.size() && filed.starts_with(depth);
}

// True if lines get deeper only below one that may open a block, and none is less deep than the
// first.
bool is_text_of_its_own(const std::vector<std::string_view>& lines) {
  std::string_view above, first;
  for (const std::string_view line : lines) {
    if (is_blank(line)) continue;
    if (above.empty()) first = above = line;
    if (!line.starts_with(indentation_of(first))) return false;
    if (indentation_of(line).size() > indentation_of(above).size() && !may_open(trimmed(above)))
      return false;
    above = line;
  }
  return true;
}

std::optional<NewDepths> depths_of(const Votes& votes) {
  if (votes.files + votes.quotes + votes.unclear == 0) return std::nullopt;
  if (votes.files > 0 && votes.quotes + votes.unclear == 0) return NewDepths::files;
  return votes.files > 0 || (votes.unclear > 0 && votes.quotes == 0) ? NewDepths::open
                                                                     : NewDepths::quotes;
}

}  // namespace

bool starts_with_word(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return text.starts_with(word) &&
           (text.size() == word.size() ||
            std::string_view(" (:").find(text[word.size()]) != std::string_view::npos);
  });
}

bool may_open(std::string_view text) {
  if (text.empty() ||
      std::string_view(":{([,\\=+-*/&|<>?").find(text.back()) != std::string_view::npos)
    return true;
  return starts_with_word(
             text, {"if", "for", "while", "else", "elsif", "elif", "do", "def", "class", "module",
                    "function", "local", "case", "when", "begin", "unless", "switch"}) ||
         text.ends_with(" do") || text.ends_with(" then") || text.ends_with("=>");
}

double token_similarity(std::string_view a, std::string_view b) {
  std::map<std::string_view, long> counts;
  const auto left = tokens_of(a), right = tokens_of(b);
  for (const std::string_view token : left) ++counts[token];
  size_t shared = 0;
  for (const std::string_view token : right) shared += counts[token]-- > 0;
  const size_t most = std::max(left.size(), right.size());
  return most == 0 ? 0 : static_cast<double>(shared) / static_cast<double>(most);
}

NewDepths depths_below_first(const Hunk& hunk, const std::vector<std::string>& ours) {
  const std::vector<std::string_view> now = new_side(hunk);
  if (hunk.shares_context || !is_nested_below_first(old_side(hunk), now, ours))
    return NewDepths::quotes;
  return is_text_of_its_own(now) ? NewDepths::below_first : NewDepths::open_below_first;
}

NewDepths new_depths(const MappedText& file, const Hunk& hunk, const Place& place,
                     const std::vector<std::string>& ours) {
  if (only_first_is_stripped(file, hunk, ours)) return NewDepths::files;
  if (const NewDepths depths = depths_below_first(hunk, ours); depths != NewDepths::quotes)
    return depths;
  if (hunk.shares_context)
    if (const auto voted = depths_of(votes_of_runs(file, hunk, place))) return *voted;
  return hunk.literal ? NewDepths::quotes : infer_new_depths(old_side(hunk), new_side(hunk), ours);
}

}  // namespace bodkin
