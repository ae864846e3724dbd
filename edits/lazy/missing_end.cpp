#include "edits/lazy/missing_end.h"

#include <fmt/format.h>

#include <unordered_set>

#include "edits/lazy/lazy_words.h"
#include "edits/place/tokens.h"
#include "edits/plan/diff.h"
#include "edits/text/comments.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

using Words = std::unordered_set<std::string_view>;

// The line of the file that the text begins with, changed, below its comments and attributes, if
// the lines above that one would be lost.
std::optional<size_t> changed_beginning(const SolidLines& before, const SolidLines& after,
                                        const std::vector<Removal>& gone) {
  const auto& old = before.lines;
  const auto& lines = after.lines;
  if (gone.empty() || gone[0].begin > 0) return std::nullopt;
  const auto added = std::span(lines).subspan(0, gone[0].added);
  const auto first = std::ranges::find_if_not(
      added, [](std::string_view line) { return is_comment(line) || is_attribute(line); });
  if (first == added.end()) return std::nullopt;
  const Words kept(lines.begin(), lines.end());
  for (size_t i = 0; i < gone[0].end; ++i) {
    if (!has_word(old[i])) continue;
    if (i >= kTiny && name_the_same(old[i], *first)) return before.numbers[i];
    if (kept.contains(old[i])) break;
  }
  return std::nullopt;
}

// A removal among equal lines may as well be elsewhere among them: the lowest or highest such
// place.
Removal slid(Removal gone, const std::vector<std::string_view>& lines, bool down) {
  if (gone.added > 0) return gone;
  while (down && gone.end < lines.size() && lines[gone.begin] == lines[gone.end])
    ++gone.begin, ++gone.end;
  while (!down && gone.begin > 0 && lines[gone.begin - 1] == lines[gone.end - 1])
    --gone.begin, --gone.end;
  return gone;
}

constexpr std::string_view kImports[] = {"import", "from", "using", "use", "require"};

Words words_in(std::span<const std::string_view> lines) {
  Words words;
  for (const std::string_view line : lines)
    for (const std::string_view word : words_of_line(line)) words.insert(word);
  return words;
}

// True if the text uses a word of the line which is not among these others: of an import, what it
// brings.
bool is_needed(std::string_view line, const Words& used, const Words& others) {
  return std::ranges::any_of(words_of_line(line), [&](std::string_view word) {
    return word.size() > 1 && used.contains(word) && !is_one_of(word, kImports) &&
           !others.contains(word);
  });
}

// How many more blocks the lines open than they close.
long nesting_in(std::span<const std::string_view> lines) {
  long open = 0;
  for (const std::string_view line : lines) open += nesting_of(line);
  return open;
}

}  // namespace

std::vector<Removal> removed_places(std::span<const std::string_view> before,
                                    std::span<const std::string_view> after) {
  using Kind = HunkLine::Kind;
  std::vector<Removal> places;
  const std::vector<Kind> diff = diff_of(before, after);
  size_t line = 0, own = 0;
  for (size_t i = 0; i < diff.size();) {
    if (diff[i] == Kind::context) {
      ++line, ++own, ++i;
      continue;
    }
    Removal gone{line, line, 0, own};
    for (; i < diff.size() && diff[i] != Kind::context; ++i)
      ++(diff[i] == Kind::removed ? gone.end : gone.added);
    line = gone.end, own += gone.added;
    if (gone.count() > 0) places.push_back(gone);
  }
  return places;
}

std::string lines_left_out(const SolidLines& before, size_t first, size_t count) {
  const size_t begin = before.numbers[first] + 1, end = before.numbers[first + count - 1] + 1;
  return begin == end ? fmt::format("leaves out line {} of it", begin)
                      : fmt::format("leaves out lines {} to {} of it", begin, end);
}

std::optional<std::string> lacks_an_end(const SolidLines& before, const SolidLines& after,
                                        const std::vector<Removal>& removed) {
  const std::span<const std::string_view> old = before.lines, lines = after.lines;
  const auto code = std::ranges::find_if_not(old, is_comment);
  const size_t begin = static_cast<size_t>(code - old.begin());
  const Words used = words_in(lines);
  const auto is_listed = [&](const Removal& gone, size_t at) {
    const std::string_view word = at < old.size() ? first_word(old[at]) : "";
    const Words beside = words_in(old.subspan(std::min(at, old.size()), word.empty() ? 0 : 1));
    return !word.empty() &&
           std::ranges::all_of(old.subspan(gone.begin, gone.count()), [&](std::string_view line) {
             return first_word(line) == word && !is_needed(line, used, beside);
           });
  };
  for (const Removal& place : removed) {
    const Removal up = &place == &removed.front() ? slid(place, before.lines, false) : place,
                  down = &place == &removed.back() ? slid(place, before.lines, true) : place;
    const bool is_first = up.begin <= begin, is_last = down.end == old.size();
    if (!is_first && !is_last) continue;
    const Removal& gone = is_first ? up : down;
    if (gone.lost() > 0 && gone.count() >= 4 * gone.added &&
        (gone.lost() > kTiny || !is_listed(gone, is_first ? gone.end : gone.begin - 1)))
      return lines_left_out(before, gone.begin + (is_first ? 0 : gone.added), gone.lost());
    const auto added = lines.subspan(gone.at, gone.added);
    if (is_last && gone.added > 0 &&
        nesting_in(added) > nesting_in(old.subspan(gone.begin, gone.count())))
      return lines_left_out(before, old.size() - 1, 1);
    const Words brought = is_first ? words_in(added) : Words();
    for (size_t i = gone.begin; is_first && i < gone.end; ++i)
      if (is_one_of(first_word(old[i]), kImports) && is_needed(old[i], used, brought))
        return lines_left_out(before, i, 1);
  }
  if (const auto at = changed_beginning(before, after, removed))
    return fmt::format("begins with line {} of it, changed, and lacks what is above", *at + 1);
  return std::nullopt;
}

}  // namespace bodkin
