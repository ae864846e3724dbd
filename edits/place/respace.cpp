#include "edits/place/respace.h"

#include <algorithm>
#include <vector>

#include "edits/text/literals.h"

namespace bodkin {

namespace {

// The words of a line, and the white space before each.
struct Words {
  std::vector<std::string_view> words, gaps;

  explicit Words(std::string_view line) {
    while (!line.empty()) {
      const size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
      const size_t end = std::min(line.find_first_of(" \t", begin), line.size());
      if (begin == end) break;
      gaps.push_back(line.substr(0, begin));
      words.push_back(line.substr(begin, end - begin));
      line.remove_prefix(end);
    }
  }
};

bool same_words(std::string_view a, std::string_view b) { return Words(a).words == Words(b).words; }

bool has_inner_tab(std::string_view line) { return trimmed(line).find('\t') != line.npos; }

}  // namespace

Respace::Respace(const MappedText& file, const Hunk& hunk, const Place& place) {
  std::vector<size_t> spaced;  // lines of the file with blanks other than the quote's
  std::vector<Pair> blanks;
  size_t old = 0;
  for (size_t i = 0; i < hunk.lines.size(); ++i) {
    const std::string& theirs = hunk.lines[i].text;
    if (hunk.lines[i].kind == HunkLine::Kind::added) continue;
    const size_t line = place.line_for(old++);
    if (line == kNoLine || trimmed(file.line(line)) == trimmed(theirs)) continue;
    const Pair pair{i, theirs, file.line(line)};
    if (!same_words(pair.theirs, pair.ours)) continue;
    if (has_inner_tab(pair.ours)) {
      pairs_.push_back(pair);
    } else {
      blanks.push_back(pair);
      spaced.push_back(line);
    }
  }
  if (spaced.empty()) return;
  std::vector<std::string_view> lines;
  for (size_t i = 0; i < file.line_count(); ++i) lines.push_back(file.line(i));
  const std::vector<Literal> literals = literals_in(lines);
  for (size_t k = 0; k < spaced.size(); ++k)
    if (std::ranges::any_of(literals, [&](const Literal& literal) {
          return literal.opening < spaced[k] && spaced[k] < literal.end;
        }))
      pairs_.push_back(blanks[k]);
  std::ranges::sort(pairs_, {}, &Pair::index);
}

std::string Respace::operator()(size_t index, std::string_view line) const {
  const Pair* like = nullptr;
  const Words own(line);
  const auto distance = [&](const Pair& pair) {
    return pair.index > index ? pair.index - index : index - pair.index;
  };
  const auto shared = [&](const Pair& pair) {
    const Words theirs(pair.theirs);
    size_t same = theirs.words.size() == own.words.size();
    for (const std::string_view word : own.words)
      same += 2 * static_cast<size_t>(std::ranges::count(theirs.words, word) > 0);
    return same;
  };
  const auto shares_word = [&](const Pair& pair) {
    const Words theirs(pair.theirs);
    return std::ranges::any_of(own.words, [&](std::string_view word) {
      return std::ranges::count(theirs.words, word) > 0;
    });
  };
  for (const Pair& pair : pairs_) {
    // Columns hold other words in another line; blanks within a literal are those of its words.
    if (!has_inner_tab(pair.ours) && !shares_word(pair)) continue;
    if (!like || shared(pair) > shared(*like) ||
        (shared(pair) == shared(*like) && distance(pair) < distance(*like)))
      like = &pair;
  }
  if (!like || own.words.empty() || shared(*like) == 0) return std::string(line);
  const Words theirs(like->theirs), ours(like->ours);
  // The words of both, from both ends; in lines of as many words, each stands for its like.
  const size_t n = own.words.size(), m = theirs.words.size();
  size_t head = 0, tail = 0;
  while (head < n && head < m && own.words[head] == theirs.words[head]) ++head;
  while (tail < n - head && tail < m - head &&
         own.words[n - 1 - tail] == theirs.words[m - 1 - tail])
    ++tail;
  std::string out(own.gaps[0]);
  for (size_t i = 0; i < n; ++i) {
    if (i > 0 && (i < head || n == m))
      out += ours.gaps[i];
    else if (i > n - tail)
      out += ours.gaps[i + m - n];
    else if (i > 0)
      out += m > 1 && has_inner_tab(like->ours) ? ours.gaps[1] : own.gaps[i];
    out += own.words[i];
  }
  return out;
}

}  // namespace bodkin
