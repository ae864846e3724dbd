#include "edits/align/weigh.h"

#include <algorithm>

#include "edits/align/lines.h"
#include "edits/text/comments.h"
#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

constexpr size_t kMost = 400;

bool stands_once(const MappedText& file, std::string_view line) {
  const auto hits = lines_like(file, line, 1);
  return hits && hits->size() == 1;
}

// What a line is like: its depth, and the word or the signs that it begins with.
struct LineKind {
  std::string_view depth, begin;
  friend bool operator==(const LineKind&, const LineKind&) = default;
};
LineKind kind_of_line(std::string_view line) {
  const std::string_view text = trimmed(line);
  size_t end = 0;
  if (!text.empty() && is_word_char(text[0])) {
    while (end < text.size() && is_word_char(text[end])) ++end;
  } else {
    while (end < text.size() && !is_word_char(text[end])) ++end;
  }
  return {indentation_of(line), text.substr(0, end)};
}

bool has_tokens(std::string_view line, const std::vector<LineToken>& wanted) {
  const std::vector<LineToken> tokens = line_tokens(line);
  return !std::ranges::search(tokens, wanted).empty();
}

// An anchor stands above the place, and behind its body no other line of its kind begins another.
Price price_of_anchor(const MappedText& file, std::string_view anchor, const Alignment& place) {
  const std::vector<LineToken> wanted = line_tokens(anchor);
  if (wanted.empty()) return 0;
  for (size_t line = std::min(place.last, file.line_count()); line-- > 0;) {
    const std::string_view text = file.line(line);
    if (!file.spend(text.size() / 4 + 1)) return kNever;
    if (text.find(wanted[0].text) == text.npos) continue;
    if (!same_under(loose_key, text, anchor) && (is_comment(text) || !has_tokens(text, wanted)))
      continue;
    const LineKind kind = kind_of_line(text);
    bool in_body = false;
    for (size_t below = line + 1; below < place.first; ++below) {
      const std::string_view other = file.line(below);
      if (is_blank(other)) continue;
      const bool alike = kind_of_line(other) == kind;
      if (alike && in_body) return kNever;
      in_body |= !alike;
    }
    return 0;
  }
  return kNever;
}

// A number that is off says that the place may be elsewhere; one that names a place which has moved
// on contradicts any other.
Price price_of_number(const MappedText& file, const Alignment& place) {
  const Hunk& hunk = *place.reading->hunk;
  if (!hunk.line_hint || *hunk.line_hint == place.first) return 0;
  const std::vector<std::string_view> old = place.reading->old_side();
  size_t solid = 0, equal = 0;
  for (size_t i = 0; i < old.size() && *hunk.line_hint + i < file.line_count(); ++i) {
    if (!is_solid(old[i])) continue;
    ++solid;
    equal += same_under(loose_key, old[i], file.line(*hunk.line_hint + i));
  }
  const size_t off = place.first > *hunk.line_hint ? place.first - *hunk.line_hint
                                                   : *hunk.line_hint - place.first;
  return 2 * equal >= std::max<size_t>(solid, 3) && off > old.size() ? kNever : kElsewhere;
}

void weigh(const MappedText& file, const std::optional<LineRange>& selection, Alignment& place) {
  const Hunk& hunk = *place.reading->hunk;
  const Price number = price_of_number(file, place);
  if (place.differs > 0) {
    // What was read otherwise than written is not believed to differ, too.
    Price pays = place.reading->price > 0 ? -kNever : 0;
    size_t old = 0;
    for (const Row& row : place.reading->rows) {
      if (!row.is_old()) continue;
      const size_t line = place.lines[old++];
      if (row.is_kept() && line != kUnpaired && is_solid(row.old_text) &&
          same_under(loose_key, row.old_text, file.line(line)) && stands_once(file, row.old_text))
        pays += kAgrees;
    }
    if (place.differs + number > pays) place.charge("more differs than agrees", kNever);
  }
  place.charge("line number", number);
  if (selection && !(selection->begin <= place.first && place.last <= selection->end))
    place.charge("selection", kElsewhere);
  if (hunk.at_end_of_file)
    for (size_t line = place.last; line < file.line_count(); ++line)
      if (!is_blank(file.line(line))) {
        place.charge("end of file", kNever);
        break;
      }
  for (const std::string& anchor : hunk.anchors)
    place.charge("anchor", price_of_anchor(file, anchor, place));
}

// Adds the payable ones.
void add_weighed(const MappedText& file, const std::optional<LineRange>& selection,
                 Alignments found, Alignments& out) {
  out.gave_up |= found.gave_up;
  for (Alignment& place : found.all) {
    weigh(file, selection, place);
    if (place.price < kNever)
      out.all.push_back(std::move(place));
    else if (!out.contradicted)
      out.contradicted = std::move(place);
  }
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
  out = {};
  add_weighed(file, selection, alignments_of(file, written), out);
  sort_by_price(out);
  if (out.gave_up || (!out.all.empty() && out.all[0].price <= kReading)) return out;
  for (const std::shared_ptr<const Reading>& reading : other_readings(hunk))
    add_weighed(file, selection, alignments_of(file, reading), out);
  sort_by_price(out);
  return out;
}

std::vector<Alignment> within_margin(std::vector<Alignment> priced) {
  std::vector<Alignment> best;
  for (Alignment& place : priced) {
    if (!best.empty() && place.price >= best[0].price + kMargin) break;
    const auto is_same_place = [&](const Alignment& other) {
      return other.first == place.first || (other.overlaps(place) && other.lines != place.lines);
    };
    if (std::ranges::none_of(best, is_same_place)) best.push_back(std::move(place));
    if (best.size() > kMost) break;
  }
  return best;
}

bool is_done(const MappedText& file, const Hunk& hunk) {
  Hunk made;
  size_t unique = 0;
  for (const HunkLine& line : hunk.lines) {
    if (line.kind == HunkLine::Kind::removed) continue;
    made.lines.push_back({HunkLine::Kind::context, line.text});
    unique += is_solid(line.text) && stands_once(file, line.text);
  }
  if (unique < 2) return false;
  const std::vector<Alignment> places = within_margin(priced_places(file, made, std::nullopt).all);
  return places.size() == 1 && places[0].price == 0;
}

}  // namespace bodkin
