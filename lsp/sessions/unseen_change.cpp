#include "lsp/sessions/unseen_change.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/history/store.h"
#include "edits/place/write.h"
#include "edits/plan/diff.h"
#include "edits/text/line_keys.h"
#include "grammars/languages.h"
#include "grammars/outline.h"
#include "grammars/syntax_tree.h"
#include "lsp/sessions/hunk_tracking.h"
#include "lsp/sessions/proposal_draft.h"

namespace bodkin {

namespace {

using State = ProposedHunk::State;

// The lines above and below the hunk by which its place is known, the nearest first: more of them
// where it has none of its own, because lines were removed.
struct Neighbours {
  std::vector<std::string> above, below;
};
Neighbours neighbours(const Text& text, const ProposedHunk& hunk) {
  const size_t count = hunk.begin == hunk.end ? 3 : 1;
  const size_t first = text.line_of(hunk.begin), next = text.line_of(hunk.end);
  Neighbours result;
  for (size_t i = 0; i < std::min(first, count); ++i)
    result.above.push_back(text.line(first - 1 - i));
  for (size_t i = next; i < next + count && text.line_begin(i) < text.size(); ++i)
    result.below.push_back(text.line(i));
  return result;
}

// Whether all of the one are there, in their places.
bool are_in(const Neighbours& wanted, const Neighbours& now) {
  const auto begins = [](const auto& part, const auto& whole) {
    return part.size() <= whole.size() &&
           std::ranges::equal(part, whole | std::views::take(part.size()));
  };
  return begins(wanted.above, now.above) && begins(wanted.below, now.below);
}

// The hunk's lines with this many above and below, as one text.
std::string block_around(const Text& text, const ProposedHunk& hunk, const Neighbours& around) {
  const size_t first = text.line_of(hunk.begin) - around.above.size();
  const size_t last = text.line_of(hunk.end) + around.below.size();
  return text.substr(text.line_begin(first), text.line_begin(last) - text.line_begin(first));
}

size_t count_of(const std::string& block, const Text& text) {
  const std::string all = text.str();
  size_t count = 0;
  for (size_t at = 0; (at = all.find(block, at)) != all.npos; ++at)
    count += at == 0 || all[at - 1] == '\n' || all[at - 1] == '\r' ? 1 : 0;
  return count;
}

// The declarations around the hunk, without their bodies, the inner first. Empty: it is in none, or
// that is not known.
std::vector<std::string> declarations_around(const std::string& path, const Text& text,
                                             const ProposedHunk& hunk) {
  std::vector<std::string> heads;
  const Language* language = language_of(path, text.line(0));
  if (!language) return heads;
  const auto tree = SyntaxTree::parse(*language, text);
  if (!tree) return heads;
  const Outline found = outline(*tree);
  const Symbol* symbol = enclosing(found, {text.line_of(hunk.begin), text.line_of(hunk.end)});
  while (symbol) {
    heads.push_back(text.substr(symbol->begin, symbol->body_begin - symbol->begin));
    symbol = symbol->parent ? &found.symbols[*symbol->parent] : nullptr;
  }
  return heads;
}

// Whether the hunk is certainly where it was: a line diff may take a copy of its lines for them.
// `is_outside`: of the one stretch that has changed. `only_added`: elsewhere, lines were only
// added.
bool is_the_same_place(const ProposedFile& then, const ProposedHunk& old, const Text& now,
                       const ProposedHunk& hunk, bool is_outside, bool only_added) {
  const Neighbours around = neighbours(then.text, old);
  if (!are_in(around, neighbours(now, hunk))) return false;
  const std::string block = block_around(then.text, old, around);
  const size_t count = count_of(block, then.text);
  if (block_around(now, hunk, around) != block || count_of(block, now) != count) return false;
  if (count != 1 && !is_outside) return false;
  if (only_added && count == 1) return true;
  const auto declarations = declarations_around(then.name.path, then.text, old);
  return declarations == declarations_around(then.name.path, now, hunk) &&
         (is_outside || !declarations.empty());
}

// The one line end of a text; empty: it has none, or several.
std::string_view line_end_of(const std::string& text) {
  std::string_view one;
  for (size_t at = 0; (at = text.find_first_of("\r\n", at)) != text.npos; at += one.size()) {
    const std::string_view here = text.compare(at, 2, "\r\n") == 0 ? "\r\n"
                                  : text[at] == '\n'               ? "\n"
                                                                   : "\r";
    if (!one.empty() && one != here) return "";
    one = here;
  }
  return one;
}

// Somebody has converted all line ends of the file: so are those of the hunks, and nothing else is
// a change.
void take_line_ends(ProposedFile& file, const std::string& now) {
  const std::string then = file.text.str();
  const std::string_view old_end = line_end_of(then), new_end = line_end_of(now);
  if (old_end.empty() || new_end.empty() || old_end == new_end) return;
  const auto converted = [&](const std::string& text) {
    if (line_end_of(text) != old_end) return text;
    std::string result;
    size_t from = 0;
    for (size_t at = 0; (at = text.find(old_end, from)) != text.npos; from = at + old_end.size())
      result.append(text, from, at - from).append(new_end);
    return result.append(text, from);
  };
  size_t after = 0, ends = 0;  // the offset after so many line ends; the hunks are ascending
  const auto place_of = [&](size_t offset) {
    for (size_t at = 0; (at = then.find(old_end, after)) < offset; ++ends)
      after = at + old_end.size();
    return offset + ends * new_end.size() - ends * old_end.size();
  };
  for (ProposedHunk& hunk : file.hunks) {
    hunk.begin = place_of(hunk.begin);
    hunk.end = place_of(hunk.end);
    for (std::string* text : {&hunk.old_text, &hunk.new_text, &hunk.above, &hunk.below})
      *text = converted(*text);
  }
  file.text = Text(converted(then));
  file.settled.clear();
}

// The result of the edit that was on its way, if it is exactly that.
std::optional<Offer> offer_on_its_way(ProposedFile file) {
  std::vector<size_t> hunks;
  bool undo = false;
  for (ProposedHunk& hunk : file.hunks) {
    if (!hunk.is_offered) continue;
    undo |= hunk.state == State::applied;
    if (hunk.state == State::applied) std::swap(hunk.old_text, hunk.new_text);
    hunk.state = State::pending;
    hunks.push_back(hunk.index);
  }
  if (hunks.empty()) return std::nullopt;
  Offer offer = offer_of(file, &hunks);
  offer.undo = undo;
  return offer;
}

// Whether the text is what the edit made, and all other changes are in other lines than its own: a
// line that somebody has moved, or typed elsewhere, may be either's.
bool is_made_by(const ProposedFile& file, const Offer& offer, const Text& now) {
  std::set<std::string> own;
  for (const ProposedHunk& hunk : file.hunks)
    if (hunk.is_offered)
      for (const std::string* text : {&hunk.old_text, &hunk.new_text})
        std::ranges::copy(lines_of(*text), std::inserter(own, own.end()));
  const auto is_own = [&](const std::string& line) {
    return !is_blank(line) && own.contains(line);
  };
  return std::ranges::none_of(changed_lines(offer.text, now), [&](const Replacement& change) {
    return std::ranges::any_of(lines_of(change.text), is_own) ||
           std::ranges::any_of(lines_of(offer.text.substr(change.offset, change.length)), is_own);
  });
}

// The lines right above and below the hunk; empty: there is none.
std::pair<std::string, std::string> lines_beside(const Text& text, const ProposedHunk& hunk) {
  const size_t first = text.line_of(hunk.begin);
  return {first > 0 ? text.line(first - 1) : "",
          hunk.end < text.size() ? text.line(text.line_of(hunk.end)) : ""};
}

}  // namespace

void take_unseen_change(ProposedFile& file, const Text& now, bool files_decide) {
  if (now == file.text) return;
  take_line_ends(file, now.str());
  if (now == file.text) return;
  const ProposedFile then = file;
  const auto changes = changed_lines(file.text, now);
  const size_t first = changes.front().offset;
  const size_t last = changes.back().offset + changes.back().length;
  const bool only_added =
      std::ranges::all_of(changes, [](const Replacement& each) { return each.length == 0; });
  const auto offer = offer_on_its_way(file);
  const bool is_made = offer && is_made_by(file, *offer, now);
  if (offer) file.offered = offer;
  // From the end, so that the offsets of the others stay as they are.
  for (const Replacement& change : changes | std::views::reverse) track(file, change);
  for (ProposedHunk& hunk : file.hunks) hunk.touched = true;
  // A hunk that others took back, and brought back by their own means, is still bodkin's.
  update_hunks(file, [&](const ProposedHunk& hunk) {
    return hunk.is_offered || (hunk.was_applied && (files_decide || hunk.put_aside == 0));
  });
  for (size_t i = 0; i < file.hunks.size(); ++i) {
    ProposedHunk& hunk = file.hunks[i];
    const ProposedHunk& old = then.hunks[i];
    if (old.is_offered && old.state == State::applied && hunk.state == State::discarded)
      hunk.put_aside = history_time();  // by an undo that was on its way
    const bool counts = hunk.state == State::applied || hunk.has_old_text();
    if (!counts || file.kind != ProposedFile::Kind::update) continue;
    const auto held = [](const Text& text, const ProposedHunk& one) {
      return text.substr(one.begin, one.end - one.begin);
    };
    if (held(now, hunk) != held(then.text, old)) {  // somebody has applied or undone it
      const bool is_doubtful =
          old.is_offered && old.state != State::applied &&
          (!is_made || lines_beside(then.text, old) != lines_beside(now, hunk) ||
           declarations_around(file.name.path, then.text, old) !=
               declarations_around(file.name.path, now, hunk));
      if (is_doubtful) hunk.state = State::stale, hunk.was_applied = old.was_applied;
      continue;
    }
    // The lines around a hunk that was left as changed do not tell where it is.
    if (old.state == State::stale && old.was_applied) {
      hunk.state = State::stale;
      continue;
    }
    const bool is_outside = old.end < first || old.begin > last;
    if (!is_the_same_place(then, old, now, hunk, is_outside, only_added)) hunk.state = State::stale;
  }
  if (offer) file.offered.reset();
}

}  // namespace bodkin
