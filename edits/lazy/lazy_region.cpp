#include "edits/lazy/lazy_region.h"

#include <algorithm>
#include <ranges>
#include <string>

#include "edits/lazy/lazy_words.h"
#include "edits/place/tokens.h"
#include "edits/text/stopping.h"

namespace bodkin {

namespace {

constexpr size_t kMaxCandidates = 16;  // ends that are weighed against each other
constexpr size_t kMaxCells = 1 << 22;  // of all tables of one level

// True if both lines are but a word, as a command is.
bool are_words(std::string_view a, std::string_view b) {
  return tokens_of(a).size() == 1 && tokens_of(b).size() == 1 && has_word(a) && has_word(b);
}

// True if a line may be its neighbour, changed: they share a word, or most signs.
bool may_be_changed(std::string_view before, std::string_view after) {
  if (is_blank(before)) return false;
  const std::vector<std::string_view> words = words_of_line(after);
  return std::ranges::any_of(words_of_line(before),
                             [&](auto word) { return std::ranges::count(words, word) > 0; }) ||
         2 * token_distance(before, after) <= tokens_of(before).size();
}

// The value that a line gives its key, without the key's own name in it.
std::string value_of(std::string_view line, std::string_view key) {
  std::string value(line.substr(key.size()));
  while (!key.empty() && !is_word_char(key.front())) key.remove_prefix(1);
  while (!key.empty() && !is_word_char(key.back())) key.remove_suffix(1);
  for (size_t at = 0; !key.empty() && (at = value.find(key, at)) != value.npos;)
    value.erase(at, key.size());
  return value;
}

// The end of the entry that begins at the line.
size_t entry_end(const std::vector<LazyLine>& lines, size_t begin, size_t most) {
  size_t end = begin + 1;
  while (end < most &&
         (lines[end].blank || depth_of(lines[end]) > depth_of(lines[begin]) ||
          (depth_of(lines[end]) == depth_of(lines[begin]) && ends_block(lines[end].text))))
    ++end;
  return end;
}

// True if the entry, lines [begin, end) of the sketch, is nearly the file's lines next to it: that
// one, with another name.
bool is_renamed(const std::vector<LazyLine>& sketch, size_t begin, size_t end,
                const std::vector<LazyLine>& file, size_t at, bool above) {
  std::vector<std::string_view> ours, theirs;
  for (size_t i = begin; i < end; ++i)
    if (!sketch[i].blank) ours.push_back(trimmed(sketch[i].text));
  for (size_t i = at; above ? i > 0 : i < file.size();) {
    const LazyLine& line = file[above ? --i : i++];
    if (line.blank) continue;
    theirs.insert(above ? theirs.begin() : theirs.end(), trimmed(line.text));
    if (theirs.size() == ours.size()) break;
  }
  const auto has_number = [](std::string_view token) {
    return token.front() >= '0' && token.front() <= '9';
  };
  return std::ranges::equal(ours, theirs, [&](std::string_view a, std::string_view b) {
    if (a == b) return true;
    std::vector<std::string_view> left = tokens_of(a), right = tokens_of(b);
    if (2 * token_distance(a, b) > right.size()) return false;
    std::erase_if(left, [&](auto token) { return !has_number(token); });
    std::erase_if(right, [&](auto token) { return !has_number(token); });
    return left == right;
  });
}

}  // namespace

std::string_view key_in(std::string_view line) {
  const std::string_view text = trimmed(line);
  const size_t sign = text.find_first_of(":=");
  if (sign == text.npos || sign == 0 || sign + 1 == text.size() || text[0] == '-') return {};
  if (text[sign] == ':' ? text[sign + 1] != ' ' : text[sign + 1] == '=' || text[sign + 1] == '>')
    return {};
  if (is_among(text.back(), "{[(")) return {};
  const std::string_view name = trimmed(text.substr(0, sign));
  return name.find_first_of(" \t{}()[];,#/") == name.npos ? name : std::string_view();
}

void keep_nearest(std::vector<size_t>& begins, std::vector<size_t>& ends) {
  if (begins.size() <= kMaxCandidates && ends.size() <= kMaxCandidates) return;
  if (begins.size() > 1) {
    std::erase_if(begins, [&](size_t b) { return b >= ends[0]; });
    if (begins.size() > kMaxCandidates) begins.erase(begins.begin(), begins.end() - kMaxCandidates);
  } else {
    std::erase_if(ends, [&](size_t e) { return e <= begins[0]; });
    if (ends.size() > kMaxCandidates) ends.resize(kMaxCandidates);
  }
}

// A new line next to an elision may be a changed one that the elision would keep, too. So may a new
// entry, if it is nearly the file's next one.
FailureOr<void> check_region(const std::vector<LazyLine>& sketch, const std::vector<LazyLine>& file,
                             const Run& run, const Region& region, size_t from,
                             const std::vector<char>& is_new) {
  const auto next_solid = [&](size_t at, bool above) {
    while (above ? at > 0 && file[at - 1].blank : at < file.size() && file[at].blank)
      above ? --at : ++at;
    return above ? at - 1 : at;
  };
  const size_t above = next_solid(region.begin, true), below = next_solid(region.end, false);
  const auto doubt = [&](size_t item, size_t other) {
    return lazy_error(FailureKind::ambiguous, item,
                      "this line may be new, or it may be line " + std::to_string(other + 1) +
                          " of the file, changed",
                      "also show the line before or after it");
  };
  // The statement of several lines that ends at the line may come as one.
  const auto is_joined = [&](size_t item, size_t last) {
    if (!ends_block(file[last].text)) return false;
    size_t first = last;
    while (first > from && (file[--first].blank || depth_of(file[first]) > depth_of(file[last]))) {
    }
    if (first == last || depth_of(file[first]) != depth_of(file[last])) return false;
    if (name_in(file[first].text) == name_in(sketch[item].text)) return true;
    std::vector<std::string_view> words;
    for (size_t line = first; line <= last; ++line)
      std::ranges::move(words_of_line(file[line].text), std::back_inserter(words));
    return !words.empty() && are_in_order(words, words_of_line(sketch[item].text));
  };
  // Another key with another value is new, and so is one at the end of a block that is shown there.
  const auto is_other_key = [&](size_t item, size_t other, bool is_above) {
    const std::string_view ours = trimmed(sketch[item].text), theirs = trimmed(file[other].text);
    const std::string_view key = key_in(ours), their_key = key_in(theirs);
    if (key.empty() || their_key.empty() || key == their_key) return false;
    return (value_of(ours, key) != value_of(theirs, their_key) &&
            ours.substr(key.size()) != theirs.substr(their_key.size())) ||
           (is_above && region.begin < file.size() && ends_block(file[region.begin].text));
  };
  const auto compare = [&](size_t item, size_t begin, size_t end,
                           bool is_above) -> FailureOr<void> {
    if (sketch[item].blank) return {};
    if (is_new[item]) {
      if (item > run.first && is_new[item - 1]) return {};
      const size_t last = entry_end(sketch, item, run.last);
      const size_t at = is_above ? region.begin : region.end;
      if (is_renamed(sketch, item, last, file, at, is_above))
        return doubt(item, is_above ? above : below);
      return {};
    }
    const size_t other = is_above ? above : below;
    if (begin <= other && other < end && !is_other_key(item, other, is_above) &&
        (may_be_changed(file[other].text, sketch[item].text) ||
         (is_above && (is_joined(item, other) || are_words(file[other].text, sketch[item].text)))))
      return doubt(item, other);
    return {};
  };
  // A line that replaces another is not a new one next to it.
  const auto new_lines = [](auto pairs) {
    std::vector<size_t> out;
    size_t replaced = 0;
    for (const LinePair& pair : pairs) {
      if (pair.stays()) break;
      if (pair.sketch < 0)
        ++replaced;
      else
        out.push_back(static_cast<size_t>(pair.sketch));
    }
    out.resize(out.size() - std::min(out.size(), replaced));
    return out;
  };
  if (!run.at_begin && !region.is_below_outline)
    for (const size_t line : new_lines(std::views::all(region.pairs)))
      if (auto fine = compare(line, from, region.begin, true); !fine) return fine;
  // A line that replaces one shown below a blank line may be that line.
  if (!run.at_end && !region.is_closed && below < file.size()) {
    size_t k = region.pairs.size();
    while (k > 0 && region.pairs[k - 1].file < 0) --k;
    size_t next = run.last;
    while (next < sketch.size() && sketch[next].blank) ++next;
    // An elision outside of the block says that the block ends there.
    if (k < region.pairs.size() && next < sketch.size() && sketch[next].elides) {
      const size_t line = static_cast<size_t>(region.pairs.back().sketch),
                   outside = depth_of(sketch[next]);
      if (depth_of(sketch[line]) > outside && depth_of(file[below]) > outside &&
          !ends_block(file[below].text))
        return doubt(line, below);
    }
  }
  if (!run.at_end && !region.is_closed)
    for (const size_t line : new_lines(std::views::reverse(region.pairs)))
      if (auto fine = compare(line, region.end, file.size(), false); !fine) return fine;
  return {};
}

bool is_same_statement(const LazyLine& ours, const LazyLine& theirs) {
  return has_word(ours.text) && has_word(theirs.text) && depth_of(ours) == depth_of(theirs) &&
         has_more_words(ours.text, theirs.text) && name_in(ours.text) == name_in(theirs.text);
}

namespace {

// "return …", or the name that a line gives a value; empty: it does not.
std::string_view given_a_value(std::string_view line) {
  const std::string_view text = trimmed(line);
  const size_t sign = text.find(" = ");
  return first_word(text) == "return" ? first_word(text)
         : sign == text.npos          ? std::string_view()
                                      : text.substr(0, sign);
}

// An elision outside of a block without a closing line says that the block is shown to its end: as
// many lines as the file has there, each giving the same a value, are these.
void take_changed_block_end(const std::vector<LazyLine>& sketch, const std::vector<LazyLine>& file,
                            const Run& run, Run& inner, Region& region) {
  size_t next = run.last;
  while (next < sketch.size() && sketch[next].blank) ++next;
  if (next == sketch.size() || !sketch[next].elides || inner.last == run.last) return;
  const size_t outside = depth_of(sketch[next]), count = run.last - inner.last;
  const auto is_inside = [&](const LazyLine& line) {
    return !line.blank && depth_of(line) > outside;
  };
  if (region.end + count > file.size()) return;
  for (size_t i = 0; i < count; ++i) {
    const LazyLine &ours = sketch[inner.last + i], &theirs = file[region.end + i];
    const std::string_view name = given_a_value(ours.text);
    if (!is_inside(ours) || depth_of(ours) != depth_of(theirs) || name.empty() ||
        name != given_a_value(theirs.text))
      return;
  }
  size_t after = region.end + count;
  while (after < file.size() && file[after].blank) ++after;
  if (after < file.size() && (is_inside(file[after]) || ends_block(file[after].text))) return;
  for (size_t i = 0; i < count; ++i) {
    const size_t at = region.end + i;
    region.pairs.push_back({-1, static_cast<long>(at), at});
    region.pairs.push_back({static_cast<long>(inner.last + i), -1, at + 1});
  }
  region.end += count, inner.last = run.last;
}

}  // namespace

void take_changed_ends(const std::vector<LazyLine>& sketch, const std::vector<LazyLine>& file,
                       const Run& run, const std::vector<char>& is_new,
                       const std::function<size_t(int key)>& count, size_t from, Run& inner,
                       Region& region) {
  // The line of the file has more words, or sets the same key below a line that the file has once.
  const auto is_changed_line = [&](size_t line, size_t own, size_t beside) {
    if (is_new[own]) return false;
    if (is_same_statement(file[line], sketch[own])) return true;
    const std::string_view key = key_in(sketch[own].text);
    return !key.empty() && key == key_in(file[line].text) &&
           depth_of(sketch[own]) == depth_of(file[line]) && count(file[beside].key) == 1;
  };
  while (inner.first > run.first && region.begin > from) {
    size_t own = inner.first - 1, at = region.begin - 1;
    while (own > run.first && at > from && sketch[own].blank && file[at].blank) --own, --at;
    if (!is_changed_line(at, own, region.begin)) break;
    std::vector<LinePair> pairs = {{-1, static_cast<long>(at), at},
                                   {static_cast<long>(own), -1, at + 1}};
    for (size_t i = own + 1, k = at + 1; i < inner.first; ++i, ++k)
      pairs.push_back({static_cast<long>(i), static_cast<long>(k), k});
    region.pairs.insert(region.pairs.begin(), pairs.begin(), pairs.end());
    region.begin = at, inner.first = own;
  }
  while (inner.last < run.last && region.end < file.size()) {
    size_t own = inner.last, at = region.end;
    while (own + 1 < run.last && at + 1 < file.size() && sketch[own].blank && file[at].blank)
      ++own, ++at;
    if (!is_changed_line(at, own, region.end - 1)) break;
    for (size_t i = inner.last, k = region.end; i < own; ++i, ++k)
      region.pairs.push_back({static_cast<long>(i), static_cast<long>(k), k});
    region.pairs.push_back({-1, static_cast<long>(at), at});
    region.pairs.push_back({static_cast<long>(own), -1, at + 1});
    region.end = at + 1, inner.last = own + 1;
  }
  take_changed_block_end(sketch, file, run, inner, region);
}

std::optional<Region> diff_region(const std::vector<LazyLine>& sketch,
                                  const std::vector<LazyLine>& file, const Run& run, size_t begin,
                                  size_t end, size_t& cells) {
  Region region{begin, end, {}, 0, 0};
  const size_t n = run.last - run.first, m = end - begin;
  const auto same = [&](size_t r, size_t f) {
    return sketch[run.first + r].key == file[begin + f].key;
  };
  size_t head = 0, tail = 0;
  while (head < n && head < m && same(head, head)) ++head;
  while (tail < n - head && tail < m - head && same(n - 1 - tail, m - 1 - tail)) ++tail;
  const size_t rows = n - head - tail, columns = m - head - tail;
  if (rows > 0 && columns > 0 && rows > (kMaxCells - cells) / columns) return std::nullopt;
  cells += rows * columns;
  std::vector<unsigned> best((rows + 1) * (columns + 1), 0);
  const auto at = [&](size_t r, size_t c) -> unsigned& { return best[r * (columns + 1) + c]; };
  for (size_t r = rows; r-- > 0 && !is_stopped();)
    for (size_t c = columns; c-- > 0;)
      at(r, c) =
          same(head + r, head + c) ? at(r + 1, c + 1) + 1 : std::max(at(r + 1, c), at(r, c + 1));
  size_t behind = begin;
  const auto pair = [&](long r, long f) {
    region.pairs.push_back({r < 0 ? -1 : static_cast<long>(run.first) + r,
                            f < 0 ? -1 : static_cast<long>(begin) + f, behind});
    if (f >= 0) ++behind;
    region.removed += r < 0;
    region.added += f < 0;
  };
  for (size_t i = 0; i < head; ++i) pair(static_cast<long>(i), static_cast<long>(i));
  size_t r = 0, c = 0;
  while (r < rows || c < columns) {
    const long item = static_cast<long>(head + r), line = static_cast<long>(head + c);
    if (r < rows && c < columns && same(head + r, head + c)) {
      pair(item, line), ++r, ++c;
    } else if (c < columns && (r == rows || at(r, c + 1) >= at(r + 1, c))) {
      pair(-1, line), ++c;
    } else {
      pair(item, -1), ++r;
    }
  }
  for (size_t i = tail; i > 0; --i) pair(static_cast<long>(n - i), static_cast<long>(m - i));
  return region;
}

}  // namespace bodkin
