// The rung "elision": pieces of the old side around lines that say "...". The pieces are in order,
// and each that changes has one place between the pieces around it, or one in the section that the
// piece above begins ("[server]", "...", "port = 80"). What elides in the old half must elide in
// the new half, in the same order, even if in other words. A file that has such a line itself among
// those that it would stand for was rather quoted with it.
//
// An elision that is deeper in the new half than what it stands for, or less deep, moves it there:
// into an "if" that is new, or out of one. These lines are then part of the change, as if both
// halves had them. Where it is not clear which lines these are, or how deep, nothing is written.
//
// More than 350 lines: where the pieces are and where what stands for them moves is one search.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "edits/formats/reply_lines.h"
#include "edits/place/evidence.h"
#include "edits/place/rungs.h"
#include "edits/place/sections.h"
#include "edits/plan/elision.h"
#include "edits/text/literals.h"

namespace bodkin {
namespace {

struct Piece {
  std::vector<std::string_view> lines;
  bool changes = false;
  std::vector<Place> hits;
};

struct Pieces {
  std::vector<Piece> all;
  std::vector<bool> elided;  // for each old line
};

// Nothing if an added line elides, which stands for something that we do not know, or what an
// elision stands for would be removed.
std::optional<Pieces> pieces_of(const Hunk& hunk) {
  Pieces out;
  out.all.emplace_back();
  for (const HunkLine& line : hunk.lines) {
    Piece& piece = out.all.back();
    const bool elides = is_elision(line.text);
    if (line.kind == HunkLine::Kind::added) {
      if (elides) return std::nullopt;
      piece.changes = true;
      continue;
    }
    out.elided.push_back(elides);
    if (!elides) {
      piece.changes |= line.kind == HunkLine::Kind::removed;
      piece.lines.push_back(line.text);
      continue;
    }
    if (line.kind == HunkLine::Kind::removed) return std::nullopt;
    out.all.emplace_back();
  }
  return out;
}

std::vector<Place> places_of(const Search& search, const Piece& piece) {
  const Search part{search.file, search.hunk, piece.lines};
  for (const LineKey key : {exact_key, trailing_key, punctuation_key})
    if (std::vector<Place> hits = find_by_key(part, key); !hits.empty()) return hits;
  if (std::vector<Place> hits = find_indented(part); !hits.empty()) return hits;
  return find_by_key(part, whitespace_key);
}

// Of several places of a piece, the only one in the section that the piece above begins is meant.
void stay_in_sections(const MappedText& file, std::vector<Piece>& pieces) {
  for (size_t i = 1; i < pieces.size(); ++i) {
    const std::vector<Place>& above = pieces[i - 1].hits;
    if (above.size() != 1 || pieces[i].hits.size() < 2) continue;
    if (!file.spend(file.line_count() - above[0].first)) return;
    const LineRange section = section_of(file, above[0].first, file.line_count());
    if (const auto only = only_within(pieces[i].hits, section.begin, section.end))
      pieces[i].hits = {pieces[i].hits[*only]};
  }
}

// Finds the pieces' places, and leaves those that are in order.
bool occur_in_order(const Search& search, std::vector<Piece>& pieces, bool unique) {
  size_t behind = 0;  // where the earliest place of the pieces before ends
  for (Piece& piece : pieces) {
    if (all_blank(piece.lines)) {  // nothing says its place
      if (piece.changes) return false;
      continue;
    }
    piece.hits = places_of(search, piece);
    std::erase_if(piece.hits, [&](const Place& hit) { return hit.first < behind; });
    if (piece.hits.empty()) return false;
    behind = piece.hits.front().last;
  }
  if (unique) stay_in_sections(search.file, pieces);
  size_t before = search.file.line_count();  // where the latest place of the pieces after begins
  for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) {
    if (piece->hits.empty()) continue;
    std::erase_if(piece->hits, [&](const Place& hit) { return hit.last > before; });
    if (unique && piece->changes && piece->hits.size() != 1) return false;
    before = piece->hits.back().first;
  }
  return true;
}

// True if the file has one of the eliding lines itself, between the places of the surrounding
// pieces.
bool contains_elision_line(const Search& search, const Pieces& pieces) {
  if (!search.file.spend(search.file.line_count())) return true;
  size_t piece = 0, from = 0;
  for (size_t i = 0; i < pieces.elided.size(); ++i) {
    if (!pieces.elided[i]) continue;
    if (const auto& hits = pieces.all[piece++].hits; !hits.empty()) from = hits[0].last;
    const auto& below = pieces.all[piece].hits;
    const size_t to = below.empty() ? search.file.line_count() : below[0].first;
    for (size_t line = from; line < to; ++line)
      if (trimmed(search.file.line(line)) == trimmed(search.old[i])) return true;
  }
  return false;
}

// The hunk with its new half's elisions in the words of its old half's; null: they are already, or
// are not as many.
std::shared_ptr<const Hunk> with_matching_elisions(const Hunk& hunk) {
  std::vector<std::string> before, after;
  std::vector<size_t> elided_before, elided_after;
  bool differ = false;
  for (const HunkLine& line : hunk.lines) {
    const bool elides = is_elision(line.text);
    differ |= elides && line.kind != HunkLine::Kind::context;
    if (line.kind != HunkLine::Kind::added) {
      if (elides) elided_before.push_back(before.size());
      before.push_back(line.text);
    }
    if (line.kind != HunkLine::Kind::removed) {
      if (elides) elided_after.push_back(after.size());
      after.push_back(line.text);
    }
  }
  if (!differ || elided_before.size() != elided_after.size()) return nullptr;
  for (size_t i = 0; i < elided_after.size(); ++i)
    after[elided_after[i]] = before[elided_before[i]];
  auto equal = std::make_shared<Hunk>(hunk);
  equal->lines = lines_of_halves(before, after);
  return equal;
}

constexpr PlaceDoubt kMovedElision = {"its new text moves lines that it omits to another depth",
                                      "write these lines in both halves"};

// What the elisions of the new half move.
class MovedElisions {
 public:
  // `hunk` as it was written, with as many elisions in both halves.
  MovedElisions(const MappedText& file, const Hunk& hunk, const Pieces& pieces)
      : file_(file), hunk_(hunk), pieces_(pieces) {
    std::vector<std::string_view> before, after;
    std::optional<std::string_view> below;  // of the line below in the new half
    for (auto line = hunk.lines.rbegin(); line != hunk.lines.rend(); ++line) {
      const bool elides = is_elision(line->text);
      const std::string_view own = indentation_of(line->text);
      if (elides && line->kind != HunkLine::Kind::added) before.push_back(own);
      if (elides && line->kind != HunkLine::Kind::removed) {
        after.push_back(own);
        is_above_deeper_.push_back(below && below->size() > own.size());
      } else if (line->kind != HunkLine::Kind::removed && !is_blank(line->text)) {
        below = own;
      }
    }
    std::ranges::reverse(is_above_deeper_);
    for (size_t k = before.size(); k-- > 0;) depths_.push_back({before[k], after[k]});
    moved_.resize(depths_.size());
    for (size_t k = 0; k < depths_.size(); ++k) find(k);
  }

  bool any() const { return std::ranges::count(moved_, 1) > 0; }
  bool is_open() const { return is_open_; }

  // The place with the lines that move written in both halves; nothing: that is not possible.
  std::optional<Place> spelled_out() const {
    std::vector<std::string> before, after;
    Place place;
    const auto add_old = [&](std::string text, size_t line) {
      before.push_back(std::move(text));
      place.line_of.push_back(line);
    };
    size_t piece = 0, at = 0, k = 0;
    for (const HunkLine& line : hunk_.lines) {
      const bool elides = is_elision(line.text);
      if (line.kind != HunkLine::Kind::added) {
        if (!elides) {
          const auto& hits = pieces_.all[piece].hits;
          const size_t own = hits.size() == 1 ? hits[0].first + at : kNoLine;
          ++at;
          if (own != kNoLine && indentation_of(line.text) != indentation_of(file_.line(own)))
            return std::nullopt;
          add_old(line.text, own);
        } else if (moved_[piece]) {
          const LineRange region = region_of(piece);
          for (size_t i = region.begin; i < region.end; ++i) add_old(std::string(file_.line(i)), i);
          ++piece, at = 0;
        } else {
          add_old(line.text, kNoLine);
          ++piece, at = 0;
        }
      }
      if (line.kind == HunkLine::Kind::removed) continue;
      if (!elides) {
        after.push_back(line.text);
      } else if (!moved_[k]) {
        after.push_back(old_elision(k++));
      } else {
        const LineRange region = region_of(k);
        const std::string_view own = least_depth(region);
        for (size_t i = region.begin; i < region.end; ++i) {
          const std::string_view text = file_.line(i);
          if (!is_blank(text) && !text.starts_with(own)) return std::nullopt;
          after.push_back(is_blank(text) ? std::string(text)
                                         : std::string(depths_[k].after) +
                                               std::string(text.substr(own.size())));
        }
        ++k;
      }
    }
    auto hunk = std::make_shared<Hunk>(hunk_);
    hunk->lines = lines_of_halves(std::move(before), std::move(after));
    place.hunk = std::move(hunk);
    place.indented = true;
    place.first = kNoLine;
    for (const size_t line : place.line_of) {
      if (line == kNoLine) continue;
      if (place.first == kNoLine) place.first = line;
      place.last = line + 1;
    }
    return place;
  }

 private:
  struct Depths {
    std::string_view before, after;
  };

  void find(size_t k) {
    const auto [before, after] = depths_[k];
    if (before == after) return;
    const auto &above = pieces_.all[k].hits, &below = pieces_.all[k + 1].hits;
    if (above.size() != 1 || below.size() != 1) {
      is_open_ = true;
      return;
    }
    const LineRange region = region_of(k);
    const std::string_view own = least_depth(region);
    if (own == after) return;
    // At the margin, above a deeper line, it says nothing of depth.
    if (is_above_deeper_[k] && after.empty()) return;
    if (region.begin == region.end || is_above_deeper_[k]) {
      is_open_ = true;
      return;
    }
    std::vector<std::string_view> lines;
    for (size_t i = region.begin; i < region.end; ++i) lines.push_back(file_.line(i));
    is_open_ = is_open_ || !literals_in(lines).empty();
    moved_[k] = 1;
  }

  LineRange region_of(size_t k) const {
    return {pieces_.all[k].hits[0].last, pieces_.all[k + 1].hits[0].first};
  }

  std::string_view least_depth(const LineRange& region) const {
    std::optional<std::string_view> least;
    for (size_t i = region.begin; i < region.end; ++i)
      if (const std::string_view own = indentation_of(file_.line(i));
          !is_blank(file_.line(i)) && (!least || own.size() < least->size()))
        least = own;
    return least.value_or("");
  }

  std::string old_elision(size_t k) const {
    for (const HunkLine& line : hunk_.lines)
      if (line.kind != HunkLine::Kind::added && is_elision(line.text) && k-- == 0) return line.text;
    return "";
  }

  const MappedText& file_;
  const Hunk& hunk_;
  const Pieces& pieces_;
  std::vector<Depths> depths_;                 // of each elision in both halves
  std::vector<char> moved_, is_above_deeper_;  // of each elision; the latter in the new half
  bool is_open_ = false;
};

}  // namespace

bool may_match_elided(const Search& search) {
  std::optional<Pieces> pieces = pieces_of(search.hunk);
  return pieces && occur_in_order(search, pieces->all, false);
}

std::vector<Place> find_elided(const Search& written) {
  const auto elides = [](const HunkLine& line) { return is_elision(line.text); };
  if (std::ranges::none_of(written.hunk.lines, elides)) return {};
  // At an end nothing is found behind it: there it must be one, not a comment that names the rest.
  const auto says = [](std::string_view line) { return !is_blank(line); };
  const auto first = std::ranges::find_if(written.old, says);
  const auto last = std::find_if(written.old.rbegin(), written.old.rend(), says);
  if (first == written.old.end() || elision_in(*first) == Elision::perhaps ||
      elision_in(*last) == Elision::perhaps)
    return {};
  const std::shared_ptr<const Hunk> equal = with_matching_elisions(written.hunk);
  const Search reread{written.file, equal ? *equal : written.hunk,
                      equal ? old_side(*equal) : std::vector<std::string_view>()};
  const Search& search = equal ? reread : written;
  std::optional<Pieces> pieces = pieces_of(search.hunk);
  if (!pieces || pieces->all.size() == 1 || !occur_in_order(search, pieces->all, true)) return {};
  if (contains_elision_line(search, *pieces)) return {};
  PlaceDoubt doubt;
  if (equal) {
    const MovedElisions moved(search.file, written.hunk, *pieces);
    if (moved.any() && !moved.is_open())
      if (std::optional<Place> place = moved.spelled_out()) {
        place->offset = search.file.begin_of(place->first);
        place->length = search.file.begin_of(place->last) - place->offset;
        return {*std::move(place)};
      }
    if (moved.any() || moved.is_open()) doubt = kMovedElision;
  }
  // Only the pieces that change something are part of the place.
  Place place;
  place.hunk = equal;
  place.doubt = doubt;
  size_t piece = 0, at = 0;
  bool found = false;
  for (const bool elided : pieces->elided) {
    const Piece& here = pieces->all[piece];
    if (elided) {
      place.line_of.push_back(kNoLine);
      ++piece;
      at = 0;
    } else if (here.changes && !here.hits.empty()) {
      const size_t line = here.hits[0].first + at++;
      if (!found) place.first = line;
      found = true;
      place.last = line + 1;
      place.line_of.push_back(line);
    } else {
      place.line_of.push_back(kNoLine);
    }
  }
  if (!found) return {};
  place.offset = search.file.begin_of(place.first);
  place.length = search.file.begin_of(place.last) - place.offset;
  return {place};
}

}  // namespace bodkin
