#include "edits/align/rewrite.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "edits/align/depth_map.h"
#include "edits/align/new_half.h"
#include "edits/align/spelling.h"
#include "edits/text/line_keys.h"
#include "edits/text/literals.h"

namespace bodkin {
namespace {

using Kind = HunkLine::Kind;

MatchQuality quality_of(const MappedText& file, const Alignment& alignment) {
  const auto has = [&](std::string_view what) {
    return std::ranges::any_of(alignment.bill, [&](const Charge& one) { return one.what == what; });
  };
  if (alignment.differs > 0) return MatchQuality::fuzzy;
  bool gaps = false, elides = false, inner = false, moved = false, typographic = false;
  size_t before = kUnpaired;
  for (size_t k = 0; k < alignment.lines.size(); ++k) {
    const Row& row = alignment.reading->rows[k];
    if (!row.is_old()) continue;
    const size_t line = alignment.lines[k];
    if (line == kUnpaired) {
      (is_blank(row.old_text) ? gaps : elides) = true;
      continue;
    }
    gaps |= before != kUnpaired && line != before + 1;
    before = line;
    const std::string_view ours = file.line(line);
    moved |= indentation_of(row.old_text) != indentation_of(ours);
    if (trimmed(row.old_text) == trimmed(ours)) continue;
    (is_ascii(row.old_text) && is_ascii(ours) ? inner : typographic) = true;
  }
  if (elides) return MatchQuality::elision;
  if (alignment.reading->price > 0 && !alignment.reading->halves) return MatchQuality::cosmetic;
  if (gaps) return MatchQuality::gaps;
  if (inner) return MatchQuality::whitespace;
  if (has("uneven depth")) return MatchQuality::trimmed;
  if (moved) return MatchQuality::indentation;
  if (typographic) return MatchQuality::punctuation;
  return MatchQuality::trailing_space;
}

// Writes the rows of one alignment. An example: the file is indented with tabs, and the quote with
// four blanks from the margin on, as models show a method without its class:
//
//   row                           pair                       written
//   "def load(p):"                line 41, "\tdef load(p):"   stays as the file has it
//   "    log(p)"                  line 42, "\t\tlog(p)"       stays
// - "    return x"                line 43                     goes
// + "    if x:"                   0 → 1 tab, 4 → 2 tabs       "\t\tif x:"
// + "        return x + 1"        … so 8 is 3 tabs            "\t\t\treturn x + 1"
//
// The map (depth_map.h) knows 0 and 4 from the pairs and continues from the nearest, step for step.
// A depth that does not follow from a pair is not guessed: the hunk is refused, and says which line
// it is about.
class Rewriter {
 public:
  Rewriter(const MappedText& file, const Alignment& alignment)
      : file_(file),
        alignment_(alignment),
        rows_(alignment.reading->rows),
        lines_(alignment.lines) {
    learn();
  }

  FailureOr<Place> rewrite() {
    auto hunk = std::make_shared<Hunk>(*alignment_.reading->hunk);
    hunk->lines.clear();
    if (hunk->as<SearchReplace>()) hunk->format = SearchReplace{};
    Place place;
    const auto put = [&](Kind kind, std::string text, size_t line) {
      hunk->lines.push_back({kind, std::move(text)});
      if (kind != Kind::added) place.line_of.push_back(line);
    };
    for (size_t k = 0; k < rows_.size();) {
      if (rows_[k].is_kept()) {
        if (lines_[k] != kUnpaired) {
          put(Kind::context, std::string(file_.line(lines_[k])), lines_[k]);
        } else if (!is_blank(rows_[k].old_text)) {
          // At another depth in the new half, an elision would move the lines that it stands for.
          if (indentation_of(rows_[k].old_text) != indentation_of(rows_[k].new_text))
            return failure(FailureKind::not_found,
                           "its new text moves lines that it omits to another depth",
                           "write these lines in both halves");
          put(Kind::context, std::string(rows_[k].old_text), kNoLine);
        }
        ++k;
        continue;
      }
      const size_t begin = k;
      while (k < rows_.size() && !rows_[k].is_kept()) ++k;
      if (auto failed = put_run(begin, k, put)) return std::unexpected(*std::move(failed));
    }
    const auto changes = [](const auto& line) { return line.kind != Kind::context; };
    if (std::ranges::any_of(rows_, changes) && std::ranges::none_of(hunk->lines, changes))
      return failure(FailureKind::not_found, "the blank lines that it removes are not there");
    place.hunk = std::move(hunk);
    place.quality = quality_of(file_, alignment_);
    place.first = alignment_.first, place.last = alignment_.last;
    place.offset = file_.begin_of(place.first);
    place.length = file_.begin_of(place.last) - place.offset;
    return place;
  }

 private:
  void learn() {
    const Reading& reading = *alignment_.reading;
    const bool unsigned_context = reading.hunk->shares_context() && lost_signs(file_, alignment_);
    std::vector<DepthPair> pairs, boxed;
    std::vector<std::string_view> quote;
    for (size_t k = 0; k < rows_.size(); ++k) {
      const Row& row = rows_[k];
      // The lines of a comment in a box are aligned below its first line, as no code is.
      const bool in_box = trimmed(row.shown()).starts_with('*');
      if (!in_box) quote.push_back(row.shown());
      if (lines_[k] == kUnpaired) continue;
      learn_spelling(row.old_text, file_.line(lines_[k]), spellings_);
      if (is_blank(row.old_text) || (reading.halves && !row.is_kept())) continue;
      std::string_view quoted = indentation_of(row.shown());
      const std::string_view ours = indentation_of(file_.line(lines_[k]));
      if (unsigned_context && row.is_kept() && ours.size() == quoted.size() + 1 &&
          ours.substr(1) == quoted && ours[0] == ' ')
        quoted = ours;
      boxed.push_back({k, quoted, ours});
      if (!in_box) pairs.push_back(boxed.back());
    }
    if (pairs.empty()) pairs = boxed;
    find_literals();
    new_half_ = new_half_of(file_, alignment_, pairs);
    box_depths_.emplace(std::move(boxed), quote, file_);
    depths_.emplace(std::move(pairs), quote, file_);
  }

  // Lines of a literal that does not move with the code are written as they are.
  void find_literals() {
    in_literal_.assign(rows_.size(), 0);
    std::vector<std::string_view> lines;
    std::vector<size_t> numbers;
    for (size_t k = 0; k < rows_.size(); ++k)
      if (rows_[k].kind != Kind::removed) lines.push_back(rows_[k].new_text), numbers.push_back(k);
    for (const Literal& literal : literals_in(lines)) {
      const std::string_view opening = lines[literal.opening];
      if (is_docstring(opening)) continue;
      bool stays = literal.is_at_margin;
      for (size_t i = literal.opening + 1; i + 1 < literal.end; ++i)
        stays |= !is_blank(lines[i]) &&
                 indentation_of(lines[i]).size() <= indentation_of(opening).size();
      for (size_t i = literal.opening + 1; i < literal.end && stays; ++i)
        in_literal_[numbers[i]] = 1;
    }
  }

  // The nearest row above (below) that says something. kUnpaired: there is none.
  size_t row_above(size_t k) const {
    while (k-- > 0)
      if (rows_[k].is_old() && !is_blank(rows_[k].old_text)) return k;
    return kUnpaired;
  }
  size_t row_below(size_t k) const {
    while (++k < rows_.size())
      if (rows_[k].is_old() && !is_blank(rows_[k].old_text)) return k;
    return kUnpaired;
  }
  bool is_pair(size_t k) const { return k != kUnpaired && lines_[k] != kUnpaired; }

  // Lines are added between two that are kept: where exactly, must be known.
  std::optional<Failure> open_place(size_t begin, size_t end) const {
    const size_t top = row_above(begin), bottom = row_below(end - 1);
    const auto is_elided = [&](size_t k) { return k != kUnpaired && lines_[k] == kUnpaired; };
    if ((is_elided(top) && !is_pair(bottom)) || (is_elided(bottom) && !is_pair(top)))
      return Failure{FailureKind::not_found, "it adds lines beside an elision alone",
                     "quote the line above or below them", true};
    // A line directly next to it in the quote and in the file says where it goes.
    const auto is_next = [&](size_t k, size_t line) {
      return k < rows_.size() && is_pair(k) && lines_[k] == line;
    };
    if (is_pair(top) && is_pair(bottom) && !is_next(end, lines_[top] + 1) &&
        !is_next(begin - 1, lines_[bottom] - 1))
      for (size_t line = lines_[top] + 1; line < lines_[bottom]; ++line)
        if (!is_blank(file_.line(line)))
          return Failure{
              FailureKind::not_found,
              fmt::format("it adds lines above or below line {}, which it does not quote",
                          line + 1),
              "quote it, too", true};
    return std::nullopt;
  }

  // True if an added line is a comment that is already next to the run.
  bool repeats_comment(size_t begin, size_t end) const {
    const size_t top = row_above(begin), bottom = row_below(end - 1);
    if (!is_pair(top) || !is_pair(bottom)) return false;
    for (size_t k = begin; k < end; ++k) {
      if (rows_[k].kind != Kind::added || is_blank(rows_[k].new_text)) continue;
      for (size_t line = lines_[top] + 1; line < lines_[bottom]; ++line)
        if (trimmed(file_.line(line)) == trimmed(rows_[k].new_text) &&
            std::ranges::count(lines_, line) == 0)
          return true;
    }
    return false;
  }

  // A new line among the rows [begin, end), with the file's signs in what it has in common with the
  // removed line that it is most like, or with the one that it is and that moves; one that is
  // quoted as it is says how it is spelled. Nullopt: some would be lost.
  std::optional<std::string> spelled_as_file(std::string_view text, size_t begin,
                                             size_t end) const {
    size_t most = text.size() / 2, like = rows_.size();
    for (size_t k = 0; k < rows_.size(); ++k) {
      if (!rows_[k].is_old() || lines_[k] == kUnpaired) continue;
      const std::string_view quoted = trimmed(rows_[k].old_text);
      const bool is_near = k >= begin && k < end;
      const size_t same = quoted == text ? text.size() + is_near
                          : is_near      ? bytes_in_common(quoted, text)
                                         : 0;
      if (same >= most) most = same, like = k;
    }
    if (like == rows_.size()) return respelled(text, spellings_, file_);
    const std::string_view quoted = trimmed(rows_[like].old_text),
                           ours = trimmed(file_.line(lines_[like]));
    if (quoted == ours && !is_ascii(ours)) return std::string(text);
    if (is_ascii(quoted) && is_ascii(ours)) return respelled(text, spellings_, file_);
    return with_signs_of(ours, quoted, text, spellings_, file_);
  }

  // The removed and added rows [begin, end).
  template <class Put>
  std::optional<Failure> put_run(size_t begin, size_t end, const Put& put) {
    std::vector<size_t> gone, added;
    for (size_t k = begin; k < end; ++k) {
      if (rows_[k].kind == Kind::added)
        added.push_back(k);
      else if (lines_[k] != kUnpaired)
        gone.push_back(lines_[k]);
    }
    if (!gone.empty())
      for (size_t line = gone.front(); line <= gone.back(); ++line) {
        if (!is_blank(file_.line(line)) && std::ranges::count(gone, line) == 0)
          return Failure{
              FailureKind::not_found,
              fmt::format("line {} would be lost, which its old text does not have", line + 1),
              "quote it, too", true};
        put(Kind::removed, std::string(file_.line(line)), line);
      }
    if (gone.empty() && !added.empty())
      if (auto failed = open_place(begin, end)) return failed;
    if (repeats_comment(begin, end))
      return Failure{FailureKind::not_found, "a comment that it adds is there already",
                     "quote it, too", true};
    // Line for line: each new line follows the one that it replaces.
    const bool pairwise = 2 * added.size() == end - begin;
    for (size_t n = 0; n < added.size(); ++n) {
      const size_t row = added[n];
      const std::string_view text = rows_[row].new_text;
      if (is_blank(text) || in_literal_[row]) {
        put(Kind::added, std::string(text), kUnpaired);
        continue;
      }
      const std::string_view own = indentation_of(text);
      if (new_half_ == NewHalf::contradicts)
        return Failure{FailureKind::not_found,
                       "some of its new lines are indented like the quote and others like the file",
                       "indent both halves like the file", true};
      const DepthMap& depths = trimmed(text).starts_with('*') ? *box_depths_ : *depths_;
      const auto depth = new_half_ == NewHalf::like_file
                             ? std::optional(std::string(own))
                             : depths.of(own, pairwise ? begin + n : row);
      if (!depth)
        return Failure{FailureKind::not_found,
                       fmt::format("how deep its new line \"{}\" belongs follows from no line of "
                                   "its old text",
                                   std::string(trimmed(text).substr(0, 60))),
                       "send both halves indented like the file", true};
      const auto spelled = spelled_as_file(text.substr(own.size()), begin, end);
      if (!spelled)
        return Failure{FailureKind::not_found,
                       fmt::format("its new line \"{}\" has plain quotes or dashes "
                                   "where the file has typographic ones",
                                   std::string(trimmed(text).substr(0, 60))),
                       "quote and write them as the file has them", true};
      put(Kind::added, *depth + *spelled, kUnpaired);
    }
    return std::nullopt;
  }

  const MappedText& file_;
  const Alignment& alignment_;
  const std::vector<Row>& rows_;
  const std::vector<size_t>& lines_;             // of each row
  std::optional<DepthMap> depths_, box_depths_;  // of code, and of a comment in a box
  NewHalf new_half_ = NewHalf::like_quote;
  Spellings spellings_;
  std::vector<char> in_literal_;  // of each row
};

// True if new lines are indented by tabs, which the file has nowhere, and no line of the quote
// shows how the file indents.
bool shows_foreign_tabs(const MappedText& file, const Reading& reading) {
  bool any = false;
  for (const Row& row : reading.rows) {
    if (row.is_old() && !indentation_of(row.old_text).empty() && !is_blank(row.old_text))
      return false;
    any |= row.kind == Kind::added && row.new_text.starts_with('\t');
  }
  return any && !reading.hunk->as<DiffHunk>() && !file.indentation().tabs &&
         file.indentation().unit > 0;
}

std::shared_ptr<const Hunk> with_blanks_for_tabs(const MappedText& file, const Hunk& hunk) {
  auto out = std::make_shared<Hunk>(hunk);
  for (HunkLine& line : out->lines) {
    const size_t tabs = std::min(line.text.find_first_not_of('\t'), line.text.size());
    if (line.kind == Kind::added)
      line.text.replace(0, tabs, std::string(tabs * file.indentation().unit, ' '));
  }
  return out;
}

}  // namespace

FailureOr<Place> rewritten(const MappedText& file, const Alignment& alignment, bool needs_tabs) {
  if (!alignment.is_exact) return Rewriter(file, alignment).rewrite();
  Place place;
  place.first = alignment.first, place.last = alignment.last;
  place.offset = file.begin_of(place.first);
  place.length = file.begin_of(place.last) - place.offset;
  if (!needs_tabs && shows_foreign_tabs(file, *alignment.reading))
    place.hunk = with_blanks_for_tabs(file, *alignment.reading->hunk);
  return place;
}

}  // namespace bodkin
