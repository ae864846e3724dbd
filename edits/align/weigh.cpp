#include "edits/align/weigh.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "edits/align/anchors.h"
#include "edits/align/lines.h"
#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

constexpr size_t kMost = 400;

bool stands_once(const MappedText& file, std::string_view line) {
  const auto hits = lines_like(file, line, 1);
  return hits && hits->size() == 1;
}

// A number that is off says that the place may be elsewhere; one that names a place which has moved
// on contradicts any other. An example of the latter: the hunk changes `case 3` at line 40, whose
// body was rewritten since; line 80 has the same body below `case 7`. Half of the quote is still at
// the number, so that is the place that was meant, and line 80 is refused.
Price price_of_number(const MappedText& file, const Alignment& place) {
  const Evidence& evidence = place.reading->hunk->evidence;
  if (!evidence.line) return 0;
  const size_t hint = *evidence.line;
  if (hint == place.first) return 0;
  const std::vector<std::string_view> old = place.reading->old_side();
  size_t solid = 0, equal = 0, others = 0, equal_others = 0;
  bool is_moved = false;  // one of them stands at another depth
  for (size_t i = 0; i < old.size() && hint + i < file.line_count(); ++i) {
    if (is_blank(old[i])) continue;
    const bool is_equal = same_under(loose_key, old[i], file.line(hint + i));
    ++(is_solid(old[i]) ? solid : others);
    if (is_equal) ++(is_solid(old[i]) ? equal : equal_others);
    is_moved |= is_equal && indentation_of(old[i]) != indentation_of(file.line(hint + i));
  }
  const size_t off = place.first > hint ? place.first - hint : hint - place.first;
  // Ends of blocks alone ("}") are placed only as they are written, so nothing else would notice
  // that they are also at the number, at another depth.
  const bool has_twin = solid == 0 && others > 0 && equal_others == others && is_moved;
  if ((has_twin || 2 * equal >= std::max<size_t>(solid, 3)) && off >= old.size()) return kNever;
  // Numbers are off by what was added or removed above: a place that is twice as far off costs a
  // margin more, and beyond twenty lines all are alike.
  constexpr size_t kNear = 20;
  return kMargin + static_cast<Price>(kMargin * std::log2(std::min(off, kNear)));
}

// True if the line heads a block that has all lines below it up to `last`.
bool heads_all(const MappedText& file, size_t head, size_t last) {
  // A name and what kind of thing it is, at least.
  if (std::ranges::count(line_tokens(file.line(head)), LineToken::Kind::word, &LineToken::kind) < 2)
    return false;
  const size_t depth = indentation_of(file.line(head)).size();
  for (size_t line = head + 1; line <= last; ++line)
    if (!is_blank(file.line(line)) && indentation_of(file.line(line)).size() <= depth) return false;
  return last > head;
}

// Equal lines pay for differences: each kept line that occurs once in the file, and the head of the
// block that contains all differences and changes, pays as much as another word costs. A line that
// the file has several times speaks for each of its places alike, and so for none.
Price pay_for_doubts(const MappedText& file, const Alignment& place) {
  // A text read other than as written is not believed to differ, too.
  if (place.reading->price > 0) return -kNever;
  Price pays = 0;
  std::optional<size_t> first, last;  // of what differs or changes
  std::vector<size_t> agree;
  size_t above = kUnpaired;
  for (size_t k = 0; k < place.lines.size(); ++k) {
    const Row& row = place.reading->rows[k];
    if (!row.is_old()) {
      if (!first && above != kUnpaired) first = above;
      continue;
    }
    const size_t line = above = place.lines[k];
    if (line == kUnpaired || is_blank(row.old_text)) continue;
    const bool same = same_under(loose_key, row.old_text, file.line(line));
    if (!same || !row.is_kept()) {
      first = std::min(first.value_or(line), line);
      last = line;
    } else if (is_solid(row.old_text) && stands_once(file, row.old_text)) {
      pays += kAgrees;
      agree.push_back(line);
    }
  }
  if (first && std::ranges::any_of(agree, [&](size_t line) {
        return line <= *first && heads_all(file, line, *last);
      }))
    pays += kWord;
  return pays;
}

// Decides: which evidence counts for a place, and how much.
void weigh(const MappedText& file, const std::optional<LineRange>& selection, Alignment& place) {
  // It is added to what the lines cost, and never taken off: evidence can make a place doubtful,
  // but no place that its lines do not pay for is believed because a number points to it.
  const Evidence& evidence = place.reading->hunk->evidence;
  const Price number = price_of_number(file, place);
  if (place.differs > 0 && place.differs + number > pay_for_doubts(file, place))
    place.charge("more differs than agrees", kNever);
  place.charge("line number", number);
  if (selection && !(selection->begin <= place.first && place.last <= selection->end))
    place.charge("selection", kElsewhere);
  if (evidence.at_end_of_file)
    for (size_t line = place.last; line < file.line_count(); ++line)
      if (!is_blank(file.line(line))) {
        place.charge("end of file", kNever);
        break;
      }
  const LineRange lines = {place.first, place.last};
  if (anchors_contradict(file, evidence, lines) || heading_contradicts(file, evidence, lines))
    place.charge("anchor", kNever);
  if (!evidence.heading.empty())
    if (const auto range = range_of_anchors(file, {evidence.heading});
        range && (place.first < range->begin || range->end < place.last))
      place.charge("heading", kHeading);
}

// Adds the payable ones.
void add_weighed(const MappedText& file, const std::optional<LineRange>& selection,
                 Alignments found, Alignments& out) {
  out.gave_up |= found.gave_up;
  for (Alignment& place : found.all) {
    const auto is_known = [&](const Alignment& one) {
      return one.is_exact && one.first == place.first && one.last == place.last;
    };
    if (std::ranges::any_of(out.all, is_known)) continue;
    place.quoted = place.price;
    weigh(file, selection, place);
    if (place.price < kNever)
      out.all.push_back(std::move(place));
    else if (!out.contradicted || place.quoted < out.contradicted->quoted)
      out.contradicted = std::move(place);
  }
}

// True if all lines but the first are quoted as deep as they are.
bool only_first_is_moved(const MappedText& file, const Alignment& place) {
  bool is_first = true;
  for (size_t k = 0; k < place.lines.size(); ++k) {
    const Row& row = place.reading->rows[k];
    if (!row.is_old() || std::exchange(is_first, false)) continue;
    const size_t line = place.lines[k];
    if (line == kUnpaired || is_blank(row.old_text)) continue;
    if (indentation_of(row.old_text) != indentation_of(file.line(line))) return false;
  }
  return true;
}

// If the old half is quoted right, except for its first line, and the lines that both halves keep
// are less deep in the new one, they say best how deep that is meant.
void prefer_halves(const MappedText& file, Alignments& places) {
  for (Alignment& halves : places.all) {
    if (!halves.reading->halves || halves.reading->deeper) continue;
    for (Alignment& other : places.all)
      if (!other.reading->halves && other.reading->price == 0 && other.first == halves.first &&
          other.last == halves.last && only_first_is_moved(file, other)) {
        halves.price = std::min(halves.price, other.price);
        other.price = kNever;
      }
  }
  std::erase_if(places.all, [](const Alignment& place) { return place.price >= kNever; });
}

void sort_by_price(Alignments& places) {
  std::ranges::stable_sort(places.all, {}, &Alignment::price);
}

}  // namespace

Alignments priced_places(const MappedText& file, const Hunk& hunk,
                         const std::optional<LineRange>& selection) {
  Alignments out;
  const std::shared_ptr<const Reading> written = as_written(hunk);
  add_weighed(file, selection, exact_alignments(file, written), out);
  sort_by_price(out);
  if (!out.gave_up && !out.all.empty() && out.all[0].price == 0) return out;
  add_weighed(file, selection, alignments_of(file, written), out);
  sort_by_price(out);
  const bool is_cheap = !out.all.empty() && out.all[0].price <= kReading;
  if (out.gave_up) return out;
  const bool says_nothing = std::ranges::all_of(
      written->rows, [](const Row& row) { return !row.is_old() || is_blank(row.old_text); });
  if (!is_cheap && !says_nothing)
    for (const std::shared_ptr<const Reading>& reading : other_readings(hunk))
      add_weighed(file, selection, alignments_of(file, reading), out);
  prefer_halves(file, out);
  sort_by_price(out);
  // No evidence alone beats a place that has the quote line for line.
  if (out.contradicted && out.contradicted->quoted == 0 && !out.all.empty() &&
      out.all[0].quoted > 0) {
    out.contradicted->price = out.all[0].price;
    out.all.push_back(*std::move(out.contradicted));
  }
  return out;
}

namespace {

// The lines that go, and those below which lines are added: two ways to read one place agree on
// them.
std::vector<size_t> changed_lines(const Alignment& place) {
  std::vector<size_t> lines;
  size_t above = kUnpaired;
  bool adds = false, removes = false;
  const auto end_run = [&](size_t below) {
    if (adds && !removes) lines.push_back(above != kUnpaired ? above + 1 : below);
    adds = removes = false;
  };
  for (size_t k = 0; k < place.lines.size(); ++k) {
    const Row& row = place.reading->rows[k];
    const size_t line = place.lines[k];
    if (row.is_kept()) {
      end_run(line);
      if (line != kUnpaired || !is_blank(row.old_text)) above = line;
    } else if (row.is_old()) {
      if (line != kUnpaired) lines.push_back(line);
      removes = true;
    } else {
      adds = true;
    }
  }
  end_run(kUnpaired);
  return lines;
}

}  // namespace

// Decides: when several places match equally well.
std::vector<Alignment> within_margin(std::vector<Alignment> priced) {
  std::vector<Alignment> best;
  for (Alignment& place : priced) {
    // No evidence alone beats a place that has the quote line for line.
    const bool contradicts = !best.empty() && ((best[0].quoted > 0 && place.quoted == 0) ||
                                               (!best[0].is_exact && place.is_exact));
    // … and a merely similar place does not win without evidence for it.
    if (!best.empty() && best[0].is_exact && place.quoted > 0 &&
        place.price - place.quoted >= best[0].price)
      continue;
    if (!best.empty() && place.price >= best[0].price + kMargin && !contradicts) continue;
    const std::vector<size_t> changes = changed_lines(place);
    const auto is_same_place = [&](const Alignment& other) {
      const bool is_same = changes.empty() || changed_lines(other) == changes;
      if (other.first != place.first) return other.overlaps(place) && is_same;
      return is_same || other.reading != place.reading;
    };
    if (std::ranges::none_of(best, is_same_place)) best.push_back(std::move(place));
    if (best.size() > kMost) break;
  }
  return best;
}

namespace {

// True if the new side, which is in the file from line `first` on, has the head of an outermost
// block that contains all of its added lines and occurs once.
bool is_in_quoted_section(const MappedText& file, const Reading& reading, size_t first) {
  std::optional<size_t> top, bottom;  // of the added lines
  size_t line = first;
  for (const Row& row : reading.rows) {
    if (row.kind == HunkLine::Kind::removed) continue;
    if (row.kind == HunkLine::Kind::added && !is_blank(row.new_text)) {
      top = top.value_or(line);
      bottom = line;
    }
    ++line;
  }
  for (size_t head = first; top && head <= *top; ++head)
    if (indentation_of(file.line(head)).empty() && heads_all(file, head, *bottom) &&
        stands_once(file, file.line(head)))
      return true;
  return false;
}

}  // namespace

bool is_added_already(const MappedText& file, const Alignment& place) {
  constexpr size_t kTelling = 8;  // bytes of a line that is not repeated by chance
  Hunk made;
  bool tells = false;
  for (const Row& row : place.reading->rows) {
    if (row.kind == HunkLine::Kind::removed) return false;
    tells |= row.kind == HunkLine::Kind::added && trimmed(row.new_text).size() >= kTelling;
    made.lines.push_back({HunkLine::Kind::context, std::string(row.new_text)});
  }
  return tells && std::ranges::any_of(exact_alignments(file, as_written(made)).all,
                                      [&](const Alignment& one) {
                                        return one.first <= place.first && place.last <= one.last;
                                      });
}

NewSide new_side_in(const MappedText& file, const Hunk& hunk, const Alignment* place) {
  const std::shared_ptr<const Reading> reading = place ? place->reading : as_written(hunk);
  Hunk made;
  made.evidence = hunk.evidence;
  size_t unique = 0, solid = 0, bytes = 0;
  bool adds = false;
  for (const Row& row : reading->rows) {
    adds |= row.kind == HunkLine::Kind::added && !is_blank(row.new_text);
    if (row.kind == HunkLine::Kind::removed) continue;
    made.lines.push_back({HunkLine::Kind::context, std::string(row.new_text)});
    if (!is_solid(row.new_text)) continue;
    ++solid;
    bytes += trimmed(row.new_text).size();
    unique += stands_once(file, row.new_text);
  }
  constexpr size_t kTelling = 10;  // bytes of a single line
  const auto written = as_written(made);
  Alignments found = place ? alignments_of(file, written) : exact_alignments(file, written);
  if (place)
    std::erase_if(found.all, [&](const Alignment& one) {
      return one.overlaps(*place) ? !adds || one.price >= place->quoted : one.price > place->quoted;
    });
  const auto is_numbered = [&](const Alignment& one) {
    return one.price == 0 && adds && hunk.evidence.line == one.first;
  };
  if (place && std::ranges::any_of(found.all, is_numbered)) return NewSide::elsewhere;
  if (found.all.empty() || (solid < 2 && bytes < kTelling)) return NewSide::absent;
  // At an exact place, lines like the new ones elsewhere prove nothing.
  if (place) return place->quoted > 0 ? NewSide::elsewhere : NewSide::absent;
  Alignments there;
  add_weighed(file, std::nullopt, std::move(found), there);
  if (there.all.size() != 1 || !adds) return NewSide::absent;
  const Alignment& one = there.all[0];
  const bool is_proven = !hunk.evidence.anchors.empty() || hunk.evidence.line == one.first ||
                         is_in_quoted_section(file, *reading, one.first);
  if (one.price == 0 && is_proven) return NewSide::proven;
  return unique >= 2 ? NewSide::there : NewSide::elsewhere;
}

}  // namespace bodkin
