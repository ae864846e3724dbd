#include "edits/lazy/lazy_checks.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_set>

#include "edits/lazy/lazy_runs.h"
#include "edits/lazy/lazy_words.h"
#include "edits/lazy/merged_sketch.h"
#include "edits/place/leaves_out.h"
#include "edits/place/tokens.h"
#include "edits/plan/elision.h"
#include "edits/text/comments.h"

namespace bodkin {

namespace {

// True if the trimmed line belongs to the head below it.
bool is_dress(std::string_view line) {
  return is_comment(line) || line.starts_with('@') || line.starts_with("#[") ||
         line.starts_with("[[") || line.starts_with("template");
}

struct LazyDoubt {
  std::string message;
  std::string_view advice;
};
using Answer = std::optional<LazyDoubt>;

// The head of an entry that stays next to the change and whose body is lines [begin, end) of it,
// the body of a new one.
std::optional<std::string_view> twin_of(const Merged& it, const MergedEdit& change, size_t begin,
                                        size_t end) {
  const std::string_view head = change.comes[begin - 1];
  const size_t size = end - begin;
  for (const bool is_above : {true, false}) {
    if (is_above ? change.begin <= size : change.end + size >= it.lines.size()) continue;
    const size_t body = is_above ? change.begin - size : change.end + 1;
    size_t equal = 0;
    while (equal < size && trimmed(it.lines[body + equal]) == trimmed(change.comes[begin + equal]))
      ++equal;
    const std::string_view own = it.lines[body - 1];
    if (equal == size && depth_of(own) == depth_of(head) &&
        it.times_shown(own) <= (trimmed(own) == trimmed(head)))
      return own;
  }
  return std::nullopt;
}

Answer adds_entry_again(const Merged& it) {
  constexpr size_t kFewestTokens = 6;
  for (const MergedEdit& change : it.changes) {
    const auto& comes = change.comes;
    for (size_t i = 0, end = 0; i + 1 < comes.size(); i = end) {
      for (end = i + 1; end < comes.size() && depth_of(comes[end]) > depth_of(comes[i]);) ++end;
      if (end == i + 1 || !has_word(comes[i])) continue;
      // The head, if it says much, or it and a line below it stay elsewhere, at another depth: the
      // indentation is lost.
      const bool says_much = tokens_of(comes[i]).size() >= kFewestTokens;
      std::unordered_set<std::string_view> body;
      for (size_t k = i + 1; k < end; ++k)
        if (says_something(comes[k])) body.insert(trimmed(comes[k]));
      const auto is_elsewhere = [&](size_t line) {
        if (it.goes[line] || depth_of(it.lines[line]) == depth_of(comes[i])) return false;
        if (says_much) return true;
        for (size_t k = line + 1; k < std::min(it.lines.size(), line + 1 + end - i); ++k)
          if (body.contains(trimmed(it.lines[k]))) return true;
        return false;
      };
      if (it.times_shown(comes[i]) == 1 &&
          std::ranges::any_of(it.places_of(comes[i]), is_elsewhere))
        return LazyDoubt{"it would add `" + std::string(trimmed(comes[i])) +
                             "`, which is already in the file with a different indentation",
                         "write it as it is indented in the file"};
      if (const auto twin = twin_of(it, change, i + 1, end))
        return LazyDoubt{
            "what it adds may be `" + std::string(trimmed(*twin)) + "` of the file, changed",
            "show that, too, if it stays"};
    }
  }
  return {};
}

// A new head whose body is left out is above lines that are not in it; or new lines end in a head,
// which takes the body of another, or end a block whose old body stays below.
Answer misplaces_body(const Merged& it) {
  for (const MergedEdit& change : it.changes) {
    if (change.comes.empty()) continue;
    const std::string_view head = change.comes.back(), below = it.shown_below(head);
    const bool is_deeper =
        change.end < it.lines.size() && depth_of(it.lines[change.end]) > depth_of(head);
    const bool is_outline = (is_elision(below) && depth_of(below) > depth_of(head)) ||
                            (it.path.ends_with(".py") && head.ends_with(':'));
    const bool takes_body = change.begin == change.end && change.begin > 0 && opens_entry(head) &&
                            depth_of(it.lines[change.begin - 1]) == depth_of(head);
    const bool leaves_body = is_deeper && change.begin < change.end && !has_word(head) &&
                             !opens_block(head) && !head.ends_with('>') &&
                             depth_of(it.lines[change.end - 1]) < depth_of(it.lines[change.end]);
    if (is_deeper ? takes_body || leaves_body : is_outline)
      return LazyDoubt{"the lines below a new block would not be in it, or those of another",
                       "write them, too"};
  }
  return {};
}

Answer adds_line_again(const Merged& it) {
  constexpr size_t kFurthest = 200;  // lines that are searched on each side
  for (size_t i = 0; i < it.after.size(); ++i) {
    const std::string_view text = trimmed(it.after[i]);
    if (!it.is_added[i] || !says_something(text)) continue;
    const size_t level = depth_of(it.after[i]);
    size_t others = 0;
    if (it.has_tables && text.starts_with('[') && !text.starts_with("[["))  // of the whole file
      others = static_cast<size_t>(std::ranges::count(it.after, text)) - 1;
    for (const bool down : {false, true})
      for (size_t k = i, far = 0; far < kFurthest; ++far) {
        if (down ? ++k == it.after.size() : k-- == 0) break;
        if (it.ends_block(k, level)) break;
        if (depth_of(it.after[k]) > level || trimmed(it.after[k]) != text) continue;
        ++others;
      }
    if (others == 1 && it.times_shown(text) == 1)
      return LazyDoubt{"it would add `" + std::string(text) + "` to a block that has this line",
                       "show both if it is to be there twice"};
  }
  return {};
}

// Many lines that are not one entry, or what belongs to the head below them: a comment above an
// elided body, statements between two blocks.
Answer forgets_elision(const Merged& it) {
  constexpr size_t kMany = 4, kOfEntry = 2;  // lines, and of those the outermost in one entry
  const LazyDoubt forgotten{"it would remove lines between two that it shows beside each other",
                            "write `... existing code ...` there if they stay, or remove them in "
                            "an edit that changes nothing else"};
  const bool brings = std::ranges::any_of(
      it.changes, [](const MergedEdit& change) { return !change.comes.empty(); });
  for (const MergedEdit& change : it.changes) {
    if (!change.comes.empty() || change.begin == change.end) continue;
    size_t code = 0, outermost = std::string::npos, at_level = 0;
    for (size_t i = change.begin; i < change.end; ++i) {
      if (!has_word(it.lines[i]) || is_comment_or_prose(trimmed(it.lines[i]))) continue;
      ++code;
      const size_t depth = depth_of(it.lines[i]);
      if (depth < outermost) at_level = 0;
      outermost = std::min(outermost, depth);
      at_level += depth == outermost;
    }
    if (code >= kMany && at_level > kOfEntry) return forgotten;
    if (change.end + 1 >= it.lines.size() || at_level > kOfEntry || code > at_level) continue;
    const std::string_view below = it.lines[change.end];
    if (depth_of(it.lines[change.end + 1]) <= depth_of(below) ||
        depth_of(it.lines[change.end - 1]) != depth_of(below))
      continue;
    if (code > 0 && outermost == 0 && (change.begin == 0 || ends_block(it.lines[change.begin - 1])))
      return forgotten;
    if (brings && is_elision(it.shown_below(below))) return forgotten;
  }
  return {};
}

// A comment in the place of code, unless it is that code; or the sketch's first or last line in the
// place of lines at that end of the file that have none of its words.
Answer takes_remark(const Merged& it) {
  for (const MergedEdit& change : it.changes) {
    if (change.begin == change.end || change.comes.empty()) continue;
    const std::span gone = std::span(it.lines).subspan(change.begin, change.end - change.begin);
    std::set<std::string_view> words;
    for (const std::string_view line : gone)
      for (const std::string_view word : words_of_line(line)) words.insert(word);
    const auto is_lost = [&](std::string_view line) {
      const std::string_view text = trimmed(line);
      return !is_comment(text) &&
             std::ranges::none_of(change.comes, [&](auto own) { return own.contains(text); });
    };
    const bool loses_code =
        std::ranges::all_of(change.comes, is_comment) && std::ranges::any_of(gone, is_lost);
    const auto is_foreign = [&](std::string_view line, std::string_view shown) {
      return (change.is_less ? has_word(line) : is_comment_or_prose(trimmed(line))) &&
             trimmed(line) == trimmed(shown) &&
             std::ranges::none_of(words_of_line(line),
                                  [&](auto word) { return words.contains(word); });
    };
    if (loses_code || (change.begin == 0 && is_foreign(change.comes.front(), it.shown.front())) ||
        (change.end == it.lines.size() && is_foreign(change.comes.back(), it.shown.back())))
      return LazyDoubt{"one of its lines would replace others that it may stand for",
                       "if those lines stay, write `... existing code ...`"};
  }
  return {};
}

// A new comment or attribute above a head may be one that the head has, changed.
Answer dresses_again(const Merged& it) {
  for (const MergedEdit& change : it.changes) {
    if (change.begin != change.end) continue;
    for (size_t k = change.begin; k-- > 0 && is_dress(trimmed(it.lines[k]));)
      for (const std::string_view line : change.comes)
        if (is_dress(trimmed(line)) && are_alike(it.lines[k], line) && !it.times_shown(it.lines[k]))
          return LazyDoubt{"it may show `" + std::string(trimmed(it.lines[k])) + "` in a new form",
                           "show that, too, if it stays"};
  }
  return {};
}

// Two new lines in a row, of some length, stay next to the change, but at another indentation; or
// only a bracket is added, next to the same one.
Answer doubles_neighbours(const Merged& it) {
  constexpr size_t kFewestTokens = 4;
  for (const MergedEdit& change : it.changes) {
    if (change.begin == change.end && std::ranges::none_of(change.comes, has_word) &&
        !change.comes.empty() &&
        ((change.begin > 0 && it.lines[change.begin - 1] == change.comes.back()) ||
         (change.end < it.lines.size() && it.lines[change.end] == change.comes.front())))
      return LazyDoubt{
          "it would add `" + std::string(trimmed(change.comes.front())) + "` beside the same line",
          "show the line below it, too"};
    const auto is_moved = [&](std::string_view line) {
      if (tokens_of(line).size() < kFewestTokens) return false;
      bool is_beside = false;
      for (const size_t own : it.places_of(line)) {
        if (it.goes[own]) continue;
        if (indentation_of(it.lines[own]) == indentation_of(line)) return false;
        is_beside = is_beside || (own + change.comes.size() >= change.begin &&
                                  own < change.end + change.comes.size());
      }
      return is_beside;
    };
    const auto twice = std::ranges::adjacent_find(
        change.comes, [&](auto a, auto b) { return is_moved(a) && is_moved(b); });
    if (twice != change.comes.end())
      return LazyDoubt{"it would add `" + std::string(trimmed(*twice)) +
                           "` beside the same line with a different indentation",
                       "show both if it is to be there twice"};
  }
  return {};
}

// The name that a line declares: the one before the parenthesis of a head ("int size(", not
// "a.size(" or "size("), or that of a value at the margin ("LIMITS = {"), or of a method of Go with
// its receiver's type; empty if none.
std::string_view name_declared(std::string_view line, bool is_head) {
  const std::vector<std::string_view> tokens = tokens_of(line);
  if (depth_of(line) == 0 && tokens.size() > 2 && tokens[1] == "=" && has_word(tokens[0]))
    return tokens[0];
  const auto open = std::ranges::find(tokens, "(");
  if (!is_head || open == tokens.end()) return {};
  if (const auto close = std::ranges::find(tokens, ")");
      tokens[0] == "func" && open == tokens.begin() + 1 && tokens.end() - close > 2)
    return {(close - 1)->data(), (close + 1)->data() + (close + 1)->size()};
  if (open - tokens.begin() < 2) return {};
  const std::string_view name = *(open - 1), before = *(open - 2);
  return has_word(name) && (has_word(before) || before == "*" || before == "&" || before == ">") &&
                 before != "else"
             ? name
             : std::string_view();
}

// A statement of several lines is replaced by one that ends, and its other lines stay below.
Answer tears_statement(const Merged& it) {
  for (const MergedEdit& change : it.changes) {
    if (change.begin == change.end || change.comes.empty() || change.end == it.lines.size())
      continue;
    long opened = 0;
    for (size_t i = change.begin; i < change.end; ++i) opened += nesting_of(it.lines[i]);
    for (const std::string_view line : change.comes) opened -= nesting_of(line);
    const std::string_view below = it.lines[change.end];
    if (opened > 0 && depth_of(below) > depth_of(change.comes.back()) && !it.times_shown(below))
      return LazyDoubt{"it would leave lines of a statement that it replaces",
                       "show all of that statement's lines as they should be"};
  }
  return {};
}

// The new form of what the sketch shows is next to the old one, which it elides.
Answer declares_again(const Merged& it) {
  constexpr size_t kFurthest = 200;  // lines that are searched on each side
  const auto name_at = [&](size_t i) {
    const bool is_head =
        i + 1 < it.after.size() && depth_of(it.after[i + 1]) > depth_of(it.after[i]);
    return name_declared(it.after[i], is_head);
  };
  for (size_t i = 0; i < it.after.size(); ++i) {
    const std::string_view name = it.is_added[i] ? name_at(i) : std::string_view();
    if (name.empty()) continue;
    for (const bool down : {false, true})
      for (size_t k = i, far = 0; far < kFurthest; ++far) {
        if (down ? ++k == it.after.size() : k-- == 0) break;
        if (it.ends_block(k, depth_of(it.after[i]))) break;
        if (depth_of(it.after[k]) > depth_of(it.after[i]) || it.is_added[k]) continue;
        if (it.times_shown(it.after[k]) > 0 || name_at(k) != name) continue;
        return LazyDoubt{"it would add `" + std::string(trimmed(it.after[i])) + "` beside `" +
                             std::string(trimmed(it.after[k])) + "`",
                         "show both if both are to be there"};
      }
  }
  return {};
}

constexpr Answer (*kChecks[])(const Merged&) = {
    adds_entry_again, declares_again,  misplaces_body,     adds_line_again, forgets_elision,
    takes_remark,     tears_statement, doubles_neighbours, dresses_again};

}  // namespace

FailureOr<void> check_merged(std::string_view sketch, const MappedText& file, std::string_view path,
                             const std::vector<Replacement>& edits) {
  if (edits.empty()) return {};
  const Merged merged(sketch, file, path, edits);
  for (const auto check : kChecks)
    if (Answer doubt = check(merged))
      return lazy_error(FailureKind::ambiguous, 0, doubt->message, std::string(doubt->advice));
  return {};
}

}  // namespace bodkin
