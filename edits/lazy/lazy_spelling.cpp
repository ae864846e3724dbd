#include "edits/lazy/lazy_spelling.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "edits/formats/reply_lines.h"
#include "edits/lazy/reindent.h"
#include "edits/plan/diff.h"

namespace bodkin {

namespace {

constexpr size_t kSlack = 8;          // lines of the file beside those that a run must reach
constexpr size_t kLongestRun = 5000;  // lines
constexpr size_t kMaxEqual = 1000;    // lines of the file

// Equally deep, if a tab is some power of two of blanks.
bool has_equal_depth(std::string_view a, std::string_view b) {
  if (a == b) return true;
  if (has_tab(a) == has_tab(b)) return false;
  const auto columns = [](std::string_view indentation, size_t tab) {
    size_t n = 0;
    for (const char c : indentation) n += c == '\t' ? tab : 1;
    return n;
  };
  return std::ranges::any_of(std::array<size_t, 3>{2, 4, 8},
                             [&](size_t tab) { return columns(a, tab) == columns(b, tab); });
}

class Respelling {
 public:
  Respelling(LazySide& sketch, const MappedText& file)
      : sketch_(sketch), file_(file), has_tabs_(has_tab(file.bytes())) {}

  void run() {
    for (size_t i = 0; i < file_.line_count(); ++i) lines_.insert(trimmed_right(file_.line(i)));
    const size_t n = sketch_.lines.size();
    for (size_t first = 0; first < n;) {
      size_t last = first;
      while (last < n && !sketch_.elides(last)) ++last;
      if (last > first && last - first <= kLongestRun) respell_run(first, last);
      first = last + 1;
    }
  }

 private:
  struct Pair {
    size_t sketch, file;
  };

  bool is_in_file(size_t i) const { return lines_.contains(trimmed_right(sketch_.lines[i])); }

  void respell_run(size_t first, size_t last) {
    size_t words = 0, known = 0;
    for (size_t i = first; i < last; ++i) {
      if (!has_word(sketch_.lines[i])) continue;
      ++words;
      known += is_in_file(i);
    }
    if (known == words) return;
    if (known * 4 <= words && move(first, last, words)) return;
    restore_spelling(first, last);
  }

  // Without indentation, typographic punctuation and runs of blanks.
  static std::string key_of(std::string_view line) {
    std::string buffer, other;
    return std::string(whitespace_key(punctuation_key(trimmed(line), buffer), other));
  }

  // The file's lines by their keys.
  const std::vector<size_t>* lines_like(std::string_view line) {
    if (like_.empty())
      for (size_t i = 0; i < file_.line_count(); ++i) like_[key_of(file_.line(i))].push_back(i);
    const auto found = like_.find(key_of(line));
    return found == like_.end() ? nullptr : &found->second;
  }

  // What two lines must have in common to be the same: blanks count, but those of a quote do not
  // where the file has tabs.
  std::string spelling_of(std::string_view line, bool is_of_file) {
    std::string buffer;
    const std::vector<size_t>* like = is_of_file ? nullptr : lines_like(line);
    const bool is_tabbed =
        is_of_file ? has_tab(trimmed(line)) : like && is_spelling(line, file_.line(like->front()));
    return is_tabbed ? key_of(line) : std::string(punctuation_key(trimmed(line), buffer));
  }

  // True if these differ only in punctuation, or in blanks that are tabs in the file.
  static bool is_spelling(std::string_view line, std::string_view in_file) {
    std::string buffer, other;
    return punctuation_key(trimmed(line), buffer) == punctuation_key(trimmed(in_file), other) ||
           (has_tab(trimmed(in_file)) && !has_tab(trimmed(line)));
  }

  // The file's line that this one is but for punctuation, or tabs for blanks; or none, if it is not
  // the only one.
  std::optional<size_t> line_meant(std::string_view line) {
    if (is_blank(line) || lines_.contains(trimmed_right(line))) return std::nullopt;
    const std::string_view own = indentation_of(line);
    if (is_ascii(line) && !file_.has_non_ascii() && !has_tab(own) && !has_tabs_)
      return std::nullopt;
    const std::vector<size_t>* like = lines_like(line);
    std::optional<size_t> meant;
    if (!like || like->size() > kMaxEqual) return std::nullopt;
    for (const size_t i : *like) {
      if (!has_equal_depth(own, indentation_of(file_.line(i))) || !is_spelling(line, file_.line(i)))
        continue;
      if (meant && file_.line(i) != file_.line(*meant)) return std::nullopt;
      if (!meant) meant = i;
    }
    return meant;
  }

  void restore_spelling(size_t first, size_t last) {
    Hunk run;
    Place place;
    bool other_tabs = false;
    for (size_t i = first; i < last; ++i) {
      std::string& line = sketch_.lines[i];
      const auto meant = line_meant(line);
      run.lines.push_back({meant ? HunkLine::Kind::context : HunkLine::Kind::added, line});
      if (!meant) continue;
      place.line_of.push_back(*meant);
      other_tabs |= has_tab(indentation_of(line)) != has_tab(indentation_of(file_.line(*meant)));
    }
    const Reindent reindent(file_, run, place);
    size_t next = 0;
    for (size_t i = first; i < last; ++i) {
      std::string& line = sketch_.lines[i];
      if (run.lines[i - first].kind == HunkLine::Kind::context)
        line = file_.line(place.line_of[next++]);
      else if ((other_tabs || Reindent::introduces_tabs(file_, run, line)) && !is_in_file(i))
        line = reindent(i - first, line);
    }
  }

  // The run's lines and the file's that are alike, in order; empty if nothing says where they are.
  std::vector<Pair> pairs_of(size_t first, size_t last) {
    std::vector<Pair> sure;  // lines that occur once in the file
    for (size_t i = first; i < last; ++i) {
      if (!has_word(sketch_.lines[i])) continue;
      const std::vector<size_t>* like = lines_like(sketch_.lines[i]);
      if (!like || like->size() != 1) continue;
      if (!sure.empty() && like->front() <= sure.back().file) return {};
      sure.push_back({i, like->front()});
    }
    if (sure.size() < 2) return {};
    const size_t above = sure.front().sketch - first + kSlack;
    const size_t below = last - sure.back().sketch + kSlack;
    const size_t begin = sure.front().file - std::min(sure.front().file, above);
    const size_t end = std::min(sure.back().file + below, file_.line_count());
    if (end - begin > kLongestRun) return {};
    std::vector<std::string> ours, theirs;
    for (size_t i = begin; i < end; ++i) theirs.push_back(spelling_of(file_.line(i), true));
    for (size_t i = first; i < last; ++i) ours.push_back(spelling_of(sketch_.lines[i], false));
    std::vector<Pair> pairs;
    size_t at = begin, i = first;
    for (const HunkLine& line : line_diff(theirs, ours)) {
      if (line.kind == HunkLine::Kind::context) pairs.push_back({i, at});
      at += line.kind != HunkLine::Kind::added;
      i += line.kind != HunkLine::Kind::removed;
    }
    std::erase_if(pairs, [&](const Pair& pair) { return is_blank(sketch_.lines[pair.sketch]); });
    extend_at_ends(pairs, sure.front(), sure.back(), first, last);
    return pairs;
  }

  // Lines that occur more than once ("else", "}"), at the ends of the run, are those next to the
  // outmost that occur once.
  void extend_at_ends(std::vector<Pair>& pairs, Pair head, Pair tail, size_t first,
                      size_t last) const {
    std::erase_if(pairs, [&](const Pair& pair) {
      return pair.sketch < head.sketch || pair.sketch > tail.sketch;
    });
    if (pairs.empty() || pairs.front().file != head.file || pairs.back().file != tail.file)
      return pairs.clear();
    const auto same = [&](size_t i, size_t line) {
      return trimmed(sketch_.lines[i]) == trimmed(file_.line(line));
    };
    for (size_t i = pairs.front().sketch, at = pairs.front().file; i-- > first;) {
      if (is_blank(sketch_.lines[i])) continue;
      while (at > 0 && is_blank(file_.line(at - 1))) --at;
      if (at == 0 || !same(i, --at)) break;
      pairs.insert(pairs.begin(), {i, at});
    }
    for (size_t i = pairs.back().sketch + 1, at = pairs.back().file + 1; i < last; ++i) {
      if (is_blank(sketch_.lines[i])) continue;
      while (at < file_.line_count() && is_blank(file_.line(at))) ++at;
      if (at == file_.line_count() || !same(i, at)) break;
      pairs.push_back({i, at++});
    }
  }

  // True if the run has the file's ends, and all lines are moved the same way.
  bool is_move(const std::vector<Pair>& pairs, size_t first, size_t last, size_t words) const {
    while (first < last && is_blank(sketch_.lines[first])) ++first;
    while (last > first && is_blank(sketch_.lines[last - 1])) --last;
    if (pairs.empty() || pairs.front().sketch != first || pairs.back().sketch + 1 != last)
      return false;
    size_t kept = 0;
    std::map<std::string_view, std::string_view> moved;
    for (const Pair& pair : pairs) {
      const std::string_view to = indentation_of(file_.line(pair.file));
      const auto known = moved.try_emplace(indentation_of(sketch_.lines[pair.sketch]), to).first;
      if (known->second != to) return false;
      kept += has_word(sketch_.lines[pair.sketch]);
    }
    return kept >= 3 && kept * 2 >= words;
  }

  bool move(size_t first, size_t last, size_t words) {
    const std::vector<Pair> pairs = pairs_of(first, last);
    if (!is_move(pairs, first, last, words)) return false;
    Hunk run;
    Place place;
    size_t next = 0;
    for (size_t i = first; i < last; ++i) {
      const bool kept = next < pairs.size() && pairs[next].sketch == i;
      run.lines.push_back(
          {kept ? HunkLine::Kind::context : HunkLine::Kind::added, sketch_.lines[i]});
      if (kept) place.line_of.push_back(pairs[next++].file);
    }
    const Reindent reindent(file_, run, place);
    for (size_t i = first; i < last; ++i)
      if (run.lines[i - first].kind == HunkLine::Kind::added)
        sketch_.lines[i] = reindent(i - first, sketch_.lines[i]);
    for (const Pair& pair : pairs) sketch_.lines[pair.sketch] = file_.line(pair.file);
    // The elisions around it say by their indentation what they stand for.
    if (first == 1) sketch_.lines[0] = reindent(0, sketch_.lines[0]);
    if (last < sketch_.lines.size())
      sketch_.lines[last] = reindent(last - first, sketch_.lines[last]);
    return true;
  }

  LazySide& sketch_;
  const MappedText& file_;
  const bool has_tabs_;
  std::unordered_set<std::string_view> lines_;  // of the file, without white space at the end
  std::unordered_map<std::string, std::vector<size_t>> like_;
};

}  // namespace

void restore_file_spelling(LazySide& sketch, const MappedText& file) {
  if (sketch.elides_anywhere()) Respelling(sketch, file).run();
}

}  // namespace bodkin
