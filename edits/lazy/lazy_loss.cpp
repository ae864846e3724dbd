#include "edits/lazy/lazy_loss.h"

#include <algorithm>

#include "edits/lazy/lazy_words.h"
#include "edits/place/tokens.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

// The keys of a table are not indented.
size_t level_of(const LazyLine& item) {
  const std::string_view text = trimmed_right(item.text);
  return text.starts_with('[') && text.ends_with(']') ? 0 : depth_of(item) + 1;
}

// The region's changes between two pairs that stay.
struct Change {
  size_t first = 0, last = 0;       // pairs
  std::vector<size_t> goes, comes;  // items of the file and of the sketch that are not blank
};

std::vector<Change> changes_in(const Region& region, const std::vector<LazyLine>& sketch,
                               const std::vector<LazyLine>& file) {
  std::vector<Change> out;
  const std::vector<LinePair>& pairs = region.pairs;
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].stays()) continue;
    Change change{i, i, {}, {}};
    for (; change.last < pairs.size() && !pairs[change.last].stays(); ++change.last) {
      const LinePair& pair = pairs[change.last];
      if (pair.file >= 0 && !file[static_cast<size_t>(pair.file)].blank)
        change.goes.push_back(static_cast<size_t>(pair.file));
      if (pair.sketch >= 0 && !sketch[static_cast<size_t>(pair.sketch)].blank)
        change.comes.push_back(static_cast<size_t>(pair.sketch));
    }
    i = change.last - 1;
    out.push_back(std::move(change));
  }
  return out;
}

// How many more blocks the new lines open than the removed ones.
long nesting_in(const Change& change, const std::vector<LazyLine>& sketch,
                const std::vector<LazyLine>& file) {
  long open = 0;
  for (const size_t item : change.goes) open -= nesting_of(file[item].text);
  for (const size_t item : change.comes) open += nesting_of(sketch[item].text);
  return open;
}

// The head of the entry that the item is the first line of: a line further out right above it. For
// a bracket alone it is the line above that, if it goes on there.
std::optional<size_t> head_above(const std::vector<LazyLine>& file, size_t item) {
  const auto above = [&](size_t at) -> std::optional<size_t> {
    while (at > 0 && file[at - 1].blank) --at;
    return at > 0 ? std::optional(at - 1) : std::nullopt;
  };
  std::optional<size_t> head = above(item);
  if (!head || level_of(file[*head]) >= level_of(file[item])) return std::nullopt;
  if (const auto before = has_word(file[*head].text) ? std::nullopt : above(*head);
      before && level_of(file[*before]) == level_of(file[*head]) && has_word(file[*before].text) &&
      !is_among(trimmed(file[*before].text).back(), ",;{}"))
    head = before;
  return head;
}

// True if one line may be the other, changed, or a block may end in either.
bool may_become(std::string_view before, std::string_view after) {
  return are_alike(before, after) ||
         (depth_of(before) == depth_of(after) && leaves_block(before) && leaves_block(after));
}

// True if the new lines have all words of the removed ones, in order: they are laid out again.
bool words_come_back(const Change& change, const std::vector<LazyLine>& sketch,
                     const std::vector<LazyLine>& file) {
  std::vector<std::string_view> old_words, new_words;
  const auto add = [](std::vector<std::string_view>& words, std::string_view line) {
    std::ranges::move(words_of_line(line), std::back_inserter(words));
  };
  for (const size_t item : change.goes) add(old_words, file[item].text);
  for (const size_t item : change.comes) add(new_words, sketch[item].text);
  return !old_words.empty() && are_in_order(old_words, new_words);
}

// True if each line that goes comes as another one, in their order.
bool comes_back(const Change& change, const std::vector<LazyLine>& sketch,
                const std::vector<LazyLine>& file) {
  if (words_come_back(change, sketch, file)) return true;
  size_t next = 0;
  for (const size_t item : change.goes) {
    if (has_only_keywords(file[item].text)) continue;
    while (next < change.comes.size() &&
           !may_become(file[item].text, sketch[change.comes[next]].text))
      ++next;
    if (next++ >= change.comes.size()) return false;
  }
  return !change.comes.empty();
}

// The depth of the elision that the run ends at.
std::optional<size_t> elision_depth(const Run& run, const std::vector<LazyLine>& sketch) {
  for (size_t item = run.last; item < sketch.size(); ++item)
    if (!sketch[item].blank)
      return sketch[item].elides ? std::optional(depth_of(sketch[item])) : std::nullopt;
  return std::nullopt;
}

// The number of outermost entries that the lines begin.
size_t entries_in(const std::vector<LazyLine>& lines, const std::vector<size_t>& of) {
  size_t outermost = std::string_view::npos, count = 0;
  for (const size_t line : of) outermost = std::min(outermost, level_of(lines[line]));
  for (size_t k = 0; k + 1 < of.size(); ++k)
    count += level_of(lines[of[k]]) == outermost && has_word(lines[of[k]].text) &&
             !is_statement(lines[of[k]].text) && level_of(lines[of[k + 1]]) > outermost;
  return count;
}

}  // namespace

std::optional<size_t> torn_head(const Region& region, const Run& run,
                                const std::vector<LazyLine>& sketch,
                                const std::vector<LazyLine>& file,
                                const std::function<size_t(int key)>& count) {
  const auto next_solid = [&](size_t item) {
    while (++item < file.size() && file[item].blank) {
    }
    return item;
  };
  // True if the sketch shows both sides of the entry [head, end): no elision keeps it.
  const auto is_shown = [&](const Change& change, size_t head, size_t end) {
    const auto is_outside = [&](const LinePair& pair) {
      const size_t item = static_cast<size_t>(pair.file);
      if (!pair.stays() || file[item].blank) return false;
      const size_t level = level_of(file[item]), own = level_of(file[head]);
      if (item >= end) return level < own || (level == own && count(file[item].key) == 1);
      return item < head && (level < own || count(file[item].key) == 1);
    };
    const auto first = region.pairs.begin();
    return (run.at_begin ||
            std::any_of(first, first + static_cast<long>(change.first), is_outside)) &&
           (run.at_end || region.is_closed ||
            std::any_of(first + static_cast<long>(change.last), region.pairs.end(), is_outside));
  };
  // Line for line, between two that are shown.
  const auto is_between_anchors = [&](const Change& change) {
    const auto is_anchor = [&](const LinePair& pair) {
      return pair.stays() && says_something(sketch[static_cast<size_t>(pair.sketch)].text) &&
             count(file[static_cast<size_t>(pair.file)].key) == 1;
    };
    const auto first = region.pairs.begin();
    return change.goes.size() == change.comes.size() &&
           std::any_of(first, first + static_cast<long>(change.first), is_anchor) &&
           std::any_of(first + static_cast<long>(change.last), region.pairs.end(), is_anchor);
  };
  // The head among items [begin, end) that go, of which something stays.
  const auto torn_in = [&](const Change& change, size_t begin,
                           size_t end) -> std::optional<size_t> {
    for (size_t item = begin; item < end; ++item) {
      if (file[item].blank || ends_block(file[item].text) || leaves_block(file[item].text))
        continue;
      const size_t level = level_of(file[item]);
      size_t last = item + 1;
      bool has_body = false;
      for (; last < file.size(); ++last) {
        if (file[last].blank) continue;
        const bool is_deeper = level_of(file[last]) > level;
        if (!is_deeper && !(level_of(file[last]) == level && ends_block(file[last].text))) break;
        has_body |= is_deeper;
      }
      while (file[last - 1].blank) --last;
      // If several have the same head, the line below it names the entry.
      const std::optional<size_t> head = head_above(file, item);
      const bool names = head && *head < begin && opens_entry(file[*head].text) &&
                         count(file[*head].key) > 1 && !is_between_anchors(change);
      if ((!has_body || last <= end) && !names) continue;
      if (!names && is_shown(change, item, last)) continue;
      if (std::ranges::none_of(change.comes, [&](size_t other) {
            const std::string_view ours = file[item].text, theirs = sketch[other].text;
            return names ? has_more_words(ours, theirs) : name_the_same(ours, theirs);
          }))
        return item;
    }
    return std::nullopt;
  };
  for (const Change& change : changes_in(region, sketch, file)) {
    if (change.goes.empty() || words_come_back(change, sketch, file)) continue;
    const auto torn = torn_in(change, change.goes.front(), next_solid(change.goes.back()));
    if (torn) return torn;
  }
  return std::nullopt;
}

std::optional<Loss> loss_in(const Region& region, const Run& run,
                            const std::vector<LazyLine>& sketch, const std::vector<LazyLine>& file,
                            const std::function<size_t(int key)>& count) {
  const std::vector<LinePair>& pairs = region.pairs;
  const auto is_anchor = [&](const LinePair& pair) {
    const LazyLine& item = file[static_cast<size_t>(pair.file)];
    return !item.blank && says_something(item.text) && count(item.key) == 1;
  };
  const std::vector<Change> changes = changes_in(region, sketch, file);
  long open = 0;  // blocks, at the region's end
  for (const Change& change : changes) open += nesting_in(change, sketch, file);
  for (const Change& change : changes) {
    const long closed = nesting_in(change, sketch, file);
    size_t depth = std::string_view::npos;
    for (const size_t item : change.goes) depth = std::min(depth, depth_of(file[item]));
    bool above = false, below = false;
    for (size_t k = change.first; k-- > 0 && !above;) {
      if (!pairs[k].stays()) continue;
      above = is_anchor(pairs[k]);
    }
    bool is_on_level = false;
    size_t stay = 0;  // lines below
    size_t k = change.last;
    for (; k < pairs.size() && !below; ++k) {
      if (!pairs[k].stays()) continue;
      const LazyLine& item = file[static_cast<size_t>(pairs[k].file)];
      if (item.blank) continue;
      ++stay;
      is_on_level = is_on_level || depth_of(item) <= depth;
      // The end of the block that has all of the lines that go.
      below =
          (!change.goes.empty() && depth_of(item) < depth) || (is_on_level && is_anchor(pairs[k]));
    }
    if (k == pairs.size()) below = below || region.is_closed;
    // The elision that follows is outside of the block that all of this is in.
    if (k == pairs.size() && is_on_level && !change.goes.empty() &&
        elision_depth(run, sketch).value_or(depth) < depth)
      below = true;
    // The first line of a file may be any.
    const bool is_one = closed == 0 && change.goes.size() == 1 && !change.comes.empty();
    above = above || (is_one && run.at_begin && change.first == 0);
    if (change.goes.empty()) {
      if (closed != 0 && open != 0 && !(above && below)) return Loss{};
      continue;
    }
    // One of two entries may be the changed one, and the other is left out.
    if (!change.comes.empty() && entries_in(file, change.goes) > entries_in(sketch, change.comes) &&
        !words_come_back(change, sketch, file))
      return Loss{change.goes[0]};
    if ((above && below) || ((closed <= 0 || stay > 0) && comes_back(change, sketch, file)))
      continue;
    return Loss{change.goes[0]};
  }
  return std::nullopt;
}

}  // namespace bodkin
