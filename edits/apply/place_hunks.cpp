// More than 350 lines: one class, because the places of a file's hunks decide one another.
#include "edits/apply/place_hunks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "edits/align/bill.h"
#include "edits/align/choose.h"
#include "edits/align/depth_price.h"
#include "edits/align/lines.h"
#include "edits/align/rewrite.h"
#include "edits/align/seams.h"
#include "edits/align/weigh.h"
#include "edits/apply/feedback.h"
#include "edits/place/beside.h"
#include "edits/place/dressed.h"
#include "edits/place/evidence.h"
#include "edits/place/leaves_out.h"
#include "edits/place/overlaps.h"
#include "edits/place/parts_of_lines.h"
#include "edits/place/write.h"
#include "edits/plan/diff.h"

namespace bodkin {
namespace {

using Kind = HunkLine::Kind;
using State = HunkReport::State;

// The lines of both halves that are not written as a divider is: the fewer, the longer the rulers
// that were read as one.
size_t count_without_dividers(const Hunk& hunk) {
  size_t count = 0;
  for (const HunkLine& line : hunk.lines)
    if (line.text != "=======") count += line.kind == Kind::context ? 2 : 1;
  return count;
}

constexpr PlaceDoubt kMadeAlready = {"its new text is there already",
                                     "omit the hunk, or quote more around it"};

class FilePlacer {
 public:
  FilePlacer(const std::string& path, const Text& text, const std::vector<Hunk>& hunks,
             const std::optional<LineRange>& selection, bool with_bills,
             const std::stop_token& stop, std::span<HunkReport> reports)
      : path_(path),
        kind_(kind_of(path)),
        file_(text),
        hunks_(hunks),
        selection_(selection),
        with_bills_(with_bills),
        stop_(stop),
        reports_(reports) {}

  PlacedFile place() {
    found_.resize(hunks_.size());
    aligned_.resize(hunks_.size());
    for (size_t i = 0; i < hunks_.size() && !stop_.stop_requested(); ++i) find(i);
    if (stop_.stop_requested()) return {.edits = {}, .failed = true};
    choose_among_places(found_);
    PlacedFile out;
    for (size_t i = 0; i < hunks_.size() && !stop_.stop_requested(); ++i) resolve_hunk(i);
    if (stop_.stop_requested()) return {.edits = {}, .failed = true};
    mark_overlaps(path_, file_, found_, reports_);
    for (const HunkReport& report : reports_) {
      out.failed |= report.failure.has_value();
      out.edits.insert(out.edits.end(), report.edits.begin(), report.edits.end());
    }
    std::ranges::sort(out.edits, {}, &Replacement::offset);
    return out;
  }

 private:
  void fail(size_t i, FailureKind kind, std::string message, std::string advice = {}) {
    reports_[i].failure = {kind, std::move(message), std::move(advice), true};
  }

  // Finds the interpretation of the hunk that matches the file, and its places. If several match,
  // the hunk is ambiguous, unless one splits the dividers evenly and every other match is a shorter
  // one (the start of its old half).
  void find(size_t i) {
    const Hunk& hunk = hunks_[i];
    found_[i] = {&hunk, {}, std::nullopt};
    size_t most_lines = count_without_dividers(hunk);
    for (const Hunk& reading : hunk.alternatives)
      most_lines = std::max(most_lines, count_without_dividers(reading));
    // A long ruler in the content is not a divider if a plain one follows.
    const auto is_misread_ruler = [&](const Hunk& reading) {
      return count_without_dividers(reading) < most_lines;
    };
    if (!is_misread_ruler(hunk)) found_[i].places = places_of(hunk, i);
    const bool is_middle = hunk.alternatives.size() % 2 == 0 && !found_[i].places.empty();
    const size_t length = old_side(hunk).size();
    bool tie = false;
    for (const Hunk& reading : hunk.alternatives) {
      if (is_misread_ruler(reading)) continue;
      if (is_middle && old_side(reading).size() < length) continue;
      std::vector<Place> places = places_of(reading, i);
      if (places.empty()) continue;
      tie |= !found_[i].places.empty();
      found_[i] = {&reading, std::move(places), std::nullopt};
    }
    if (tie)
      fail(i, FailureKind::ambiguous,
           fmt::format("it can be parsed in two ways that both match {}", path_),
           "rewrite the markers so that it is unambiguous");
  }

  // The places of a hunk within the margin; their alignments are in `aligned_`.
  std::vector<Place> places_of(const Hunk& hunk, size_t i) {
    const std::vector<std::string_view> old = old_side(hunk);
    if (old.empty()) return {};
    if (hunk.within_lines || hunk.all_places) {
      std::vector<Place> places = bytes_of(hunk);
      if (!places.empty()) {
        aligned_[i].clear();
        return places;
      }
    }
    const std::shared_ptr<const Hunk> lines = whole_lines_of(hunk);
    const Hunk& read = lines ? *lines : hunk;
    if (lines) kept_.push_back(lines);
    Alignments priced = priced_places(file_, read, selection_);
    for (const Alignment& one : priced.all) {
      if (with_bills_ && !priced.all[0].overlaps(one)) {
        next_[i] = one;
        break;
      }
    }
    if (with_bills_ && !next_.contains(i) && priced.contradicted && priced.contradicted->reading)
      next_[i] = *priced.contradicted;
    std::vector<Alignment> best = within_margin(file_, std::move(priced.all));
    if (priced.gave_up) {
      best.clear();
      too_many_.insert(i);
    }
    if (best.size() == 1 && best[0].is_exact && is_added_already(file_, best[0])) {
      reports_[i].state = State::already_applied;
      return {};
    }
    if ((best.empty() || best[0].price > 0) && hunk.alternatives.empty() && &hunk == &hunks_[i]) {
      switch (new_side_in(file_, read, best.empty() ? nullptr : &best[0])) {
        case NewSide::absent:
          break;
        case NewSide::proven:
          reports_[i].state = State::already_applied;
          return {};
        case NewSide::there:
          if (best.empty()) reports_[i].state = State::already_applied;
          [[fallthrough]];
        case NewSide::elsewhere:
          reports_[i].feedback =
              "Its new text seems to be in the file already: if so, omit the hunk; if not, quote "
              "more lines exactly.\n";
          return {};
      }
    }
    if (best.empty() && !hunk.within_lines)
      if (std::vector<Place> glued = glued_places(hunk); glued.size() == 1) return glued;
    if (best.empty()) {
      if (priced.contradicted) contradicted_[i] = std::move(*priced.contradicted);
      return {};
    }
    std::ranges::sort(best, {}, &Alignment::first);
    std::vector<Place> places;
    for (const Alignment& one : best) {
      Place& place = places.emplace_back();
      place.first = one.first, place.last = one.last;
      place.offset = file_.begin_of(one.first);
      place.length = file_.begin_of(one.last) - place.offset;
    }
    aligned_[i] = std::move(best);
    return places;
  }

  // The places where a quote of several lines stands byte for byte behind the end of a block: it
  // was once added to a file whose last line was not ended.
  std::vector<Place> glued_places(const Hunk& hunk) const {
    constexpr size_t kSeveral = 3;
    const Search search{file_, hunk, old_side(hunk)};
    if (search.old.size() < kSeveral || is_blank(search.old[0])) return {};
    std::vector<Place> places = find_in_bytes(search);
    std::erase_if(places, [&](const Place& place) {
      const size_t begin = file_.begin_of(place.first);
      return !place.within_lines || place.offset + place.length != file_.end_of(place.last - 1) ||
             !only_ends_block(trimmed(file_.bytes().substr(begin, place.offset - begin)));
    });
    return places;
  }

  std::vector<Place> bytes_of(const Hunk& hunk) {
    const Search search{file_, hunk, old_side(hunk)};
    std::vector<Place> places =
        hunk.within_lines ? find_in_bytes(search) : find_lines(file_, search.old);
    for (Place& place : places)
      if (place.within_lines) place.quality = MatchQuality::substring;
    // All of some lines but the indentation of the first: lines.
    if (places.size() == 1 && places[0].within_lines && search.old.size() > 1 &&
        places[0].offset + places[0].length == file_.end_of(places[0].last - 1) &&
        is_blank(file_.bytes().substr(file_.begin_of(places[0].first),
                                      places[0].offset - file_.begin_of(places[0].first))))
      return {};
    return places;
  }

  // A string replacement as whole lines; null: it is none.
  static std::shared_ptr<const Hunk> whole_lines_of(const Hunk& hunk) {
    if (!hunk.within_lines) return nullptr;
    const auto is_edge = [](const HunkLine& line) {
      return line.kind == Kind::context && line.text.empty();
    };
    auto out = std::make_shared<Hunk>(hunk);
    out->within_lines = false;
    if (!out->lines.empty() && is_edge(out->lines.back())) out->lines.pop_back();
    if (!out->lines.empty() && is_edge(out->lines.front())) out->lines.erase(out->lines.begin());
    return old_side(*out).empty() ? nullptr : out;
  }

  // The only place in the selection.
  std::optional<size_t> only_selected(const std::vector<Place>& places) const {
    std::optional<size_t> only;
    for (size_t i = 0; selection_ && i < places.size(); ++i) {
      if (places[i].first < selection_->begin || places[i].last > selection_->end) continue;
      if (only) return std::nullopt;
      only = i;
    }
    return only;
  }

  // Decides: when a hunk is refused because several places match equally well.
  void resolve_hunk(size_t i) {
    HunkReport& report = reports_[i];
    Placed& found = found_[i];
    if (report.failure || report.state == State::already_applied) return;
    if (found.places.empty()) return report_unplaced(i);
    if (found.places.size() > 1 && !found.chosen && !found.hunk->all_places && aligned_[i].empty())
      found.chosen = only_selected(found.places);
    const Place* only = found.certain();
    if (!only && !found.hunk->all_places) {
      std::vector<size_t> lines;
      for (const Place& place : found.places) lines.push_back(place.first + 1);
      fail(i, FailureKind::ambiguous,
           fmt::format("the lines it changes occur at lines {} of {}", listed(lines), path_),
           "add a line above or below that distinguishes them");
      report.feedback = places_feedback(file_, found.places);
      return;
    }
    if (const size_t count = found.hunk->places; count > 0 && count != found.places.size())
      return fail(i, FailureKind::ambiguous,
                  fmt::format("its text is in {} places of {}, and {} were expected",
                              found.places.size(), path_, count),
                  "quote more around it");
    if (only && is_repeated(i, only->offset, only->length)) return;
    for (size_t at = 0; at < aligned_[i].size(); ++at) {
      if (only && only != &found.places[at]) continue;
      if (with_bills_) report.bill += bill_of(file_, aligned_[i][at], next_place(i, at));
      FailureOr<Place> final = rewritten(file_, aligned_[i][at], kind_.needs_tabs);
      if (!final) {
        final.error().message =
            fmt::format("its lines are at line {} of {}, but {}", found.places[at].first + 1, path_,
                        final.error().message);
        report.failure = std::move(final.error());
        return;
      }
      if (!final->hunk && aligned_[i][at].reading->hunk != found.hunk)
        final->hunk = std::make_shared<Hunk>(*aligned_[i][at].reading->hunk);
      found.places[at] = *std::move(final);
    }
    const Place first = only ? *only : found.places[0];
    const Hunk& read = first.hunk ? *first.hunk : *found.hunk;
    PlaceDoubt doubt = first.doubt;
    if (doubt.empty() && first.within_lines && begins_or_ends_as_new(read, first))
      doubt = kMadeAlready;
    if (doubt.empty()) doubt = doubt_of_dress(file_, kind_, *found.hunk);
    if (doubt.empty()) doubt = doubt_beside(file_, read, first);
    if (!doubt.empty())
      return fail(i, FailureKind::not_found,
                  fmt::format("its lines are at line {} of {}, but {}", first.first + 1, path_,
                              doubt.message),
                  std::string(doubt.advice));
    if (refuse_elision(i, read, first.first)) return;
    size_t behind = 0;
    for (const Place& place : found.places) {
      if ((only && &place != only) || place.offset < behind) continue;
      behind = place.offset + place.length;
      for (Replacement& edit : edits_at(file_, *found.hunk, place)) {
        if (!report.edits.empty() &&
            report.edits.back().offset + report.edits.back().length == edit.offset) {
          report.edits.back().length += edit.length;
          report.edits.back().text += edit.text;
        } else {
          report.edits.push_back(std::move(edit));
        }
      }
      if (!report.match)
        report.match = Match{place.offset,
                             place.length,
                             {place.first, place.last},
                             place.quality,
                             place.quality == MatchQuality::trimmed,
                             repeats_neighbour(read, place)};
    }
    report.state = report.edits.empty() ? State::no_change : State::applied;
  }

  // True if the first (last) line that the hunk adds equals the file's line before (after) the
  // place.
  bool repeats_neighbour(const Hunk& hunk, const Place& place) const {
    const auto first_solid = [](auto begin, const auto& end) {
      while (begin != end && (begin->kind == Kind::removed || is_blank(begin->text))) ++begin;
      return begin != end && begin->kind == Kind::added ? &*begin : nullptr;
    };
    size_t above = place.first, below = place.last;
    while (above > 0 && is_blank(file_.line(above - 1))) --above;
    while (below < file_.line_count() && is_blank(file_.line(below))) ++below;
    const HunkLine* top = first_solid(hunk.lines.begin(), hunk.lines.end());
    const HunkLine* bottom = first_solid(hunk.lines.rbegin(), hunk.lines.rend());
    return (top && above > 0 && file_.line(above - 1) == top->text) ||
           (bottom && below < file_.line_count() && file_.line(below) == bottom->text);
  }

  // The same block twice in one reply is one edit.
  bool is_repeated(size_t i, size_t begin, size_t length) {
    const auto [first, is_new] = first_hunk_at_.try_emplace({begin, length}, i);
    if (is_new || found_[first->second].hunk->lines != found_[i].hunk->lines) return false;
    found_[i].repeated = true;
    reports_[i].state = State::no_change;
    return true;
  }

  bool refuse_elision(size_t i, const Hunk& hunk, size_t first) {
    while (first > 0 && is_blank(file_.line(first - 1))) --first;
    if (!leaves_out(hunk, first > 0 ? file_.line(first - 1) : "", kind_, &file_)) return false;
    fail(i, FailureKind::malformed,
         fmt::format("its new text omits lines of {} (\"...\"), but its old text does not", path_),
         "write them, or omit the same lines from both");
    return true;
  }

  // True if the bytes from the place on, or up to its end, are the new text already.
  bool begins_or_ends_as_new(const Hunk& hunk, const Place& place) const {
    const std::vector<std::string_view> before = old_side(hunk), after = new_side(hunk);
    if (before.size() == 2 && before[1].empty() && after.size() == 1)
      return trimmed_right(before[0]) == trimmed_right(after[0]);
    if (before.size() != 1 || after.size() != 1 || after[0].size() <= before[0].size())
      return false;
    const std::string_view bytes = file_.bytes();
    const size_t end = place.offset + place.length;
    return bytes.substr(place.offset).starts_with(after[0]) ||
           bytes.substr(0, end).ends_with(after[0]);
  }

  // The cheapest place of a hunk beside this one.
  std::optional<Alignment> next_place(size_t i, size_t at) const {
    std::optional<Alignment> next;
    if (const auto known = next_.find(i); known != next_.end()) next = known->second;
    for (size_t k = 0; k < aligned_[i].size(); ++k)
      if (k != at && (!next || next->first == aligned_[i][at].first)) next = aligned_[i][k];
    return next;
  }

  void report_unplaced(size_t i) {
    const Hunk& hunk = hunks_[i];
    if (hunk.at_lines) return replace_lines(i);
    if (old_side(hunk).empty() && !hunk.lines.empty()) return insert(i);
    if (file_.gave_up())
      return fail(i, FailureKind::not_found,
                  fmt::format("the search for its lines in {} was stopped because too many hunks "
                              "differ from the file",
                              path_),
                  "send fewer, and quote exactly");
    if (too_many_.contains(i))
      return fail(i, FailureKind::ambiguous,
                  fmt::format("its lines may be in too many places of {}", path_),
                  "quote a line that stands once");
    if (const auto at = contradicted_.find(i); at != contradicted_.end())
      if (report_contradicted(i, at->second)) return;
    if (hunk.within_lines && occurs_inside_words(hunk))
      return fail(
          i, FailureKind::not_found,
          fmt::format(
              "its text is in {} only as a part of longer words, numbers, operators, or lines",
              path_),
          "quote all of them");
    fail(i, FailureKind::not_found, fmt::format("the lines it changes are not in {}", path_));
    reports_[i].feedback += nearest_feedback(file_, hunk);
  }

  // Says what contradicts the only place of a hunk. False: the lines that differ say it better.
  bool report_contradicted(size_t i, const Alignment& place) {
    const Hunk& hunk = *place.reading->hunk;
    const auto refused = [&](std::string_view what) {
      return std::ranges::any_of(place.bill, [&](const Charge& charge) {
        return charge.what == what && charge.price >= kNever;
      });
    };
    const size_t line = place.first + 1;
    if (refused("anchor") && !hunk.anchors.empty()) {
      fail(i, FailureKind::not_found,
           fmt::format("its lines are in {} only at line {}, which is not below \"{}\"", path_,
                       line, hunk.anchors.back()),
           "quote the lines that you mean");
    } else if (refused("anchor")) {
      fail(i, FailureKind::not_found,
           fmt::format("its lines are in {} only at line {}, but its line number and its heading "
                       "\"{}\" belong to a different part",
                       path_, line, hunk.heading),
           "quote the lines that you mean");
    } else if (refused("line number")) {
      fail(i, FailureKind::ambiguous,
           fmt::format("its lines are at line {} of {}, but the line number points to line {}, "
                       "which is nearly the same",
                       line, path_, *hunk.line_hint + 1),
           "also quote a line above or below");
    } else if (refused("end of file")) {
      fail(i, FailureKind::not_found,
           fmt::format("its lines are in {} only at line {}, which is not the end of the file",
                       path_, line),
           "quote the lines that you mean");
    } else {
      return false;
    }
    return true;
  }

  bool occurs_inside_words(const Hunk& hunk) const {
    const std::vector<std::string_view> old = old_side(hunk);
    return old.size() == 1 && !is_blank(old[0]) &&
           file_.bytes().find(old[0]) != std::string_view::npos;
  }

  void replace_lines(size_t i) {
    const LineRange range = *hunks_[i].at_lines;
    if (range.begin > range.end || range.end > file_.line_count())
      return fail(i, FailureKind::not_found,
                  fmt::format("{} has only {} line{}, so lines {} to {} do not exist", path_,
                              file_.line_count(), file_.line_count() == 1 ? "" : "s",
                              range.begin + 1, range.end),
                  "read its line numbers again");
    if (range.begin < range.end &&
        is_repeated(i, file_.begin_of(range.begin),
                    file_.begin_of(range.end) - file_.begin_of(range.begin)))
      return;
    // Only what really changes is written: the line diff of the lines and their replacement.
    std::vector<std::string> before, after;
    for (size_t line = range.begin; line < range.end; ++line) before.emplace_back(file_.line(line));
    for (const std::string_view line : new_side(hunks_[i])) after.emplace_back(line);
    Hunk exact = hunks_[i];
    exact.lines = line_diff(before, after);
    if (refuse_elision(i, exact, range.begin)) return;
    Place place;
    place.first = range.begin;
    place.last = range.end;
    place.offset = file_.begin_of(range.begin);
    PlaceDoubt doubt = doubt_of_dress(file_, kind_, exact);
    if (doubt.empty()) doubt = doubt_beside(file_, exact, place);
    if (!doubt.empty())
      return fail(
          i, FailureKind::not_found,
          fmt::format("it changes {} at line {}, but {}", path_, range.begin + 1, doubt.message),
          std::string(doubt.advice));
    write(i, exact, place);
  }

  void insert(size_t i) {
    const Hunk& hunk = hunks_[i];
    const std::optional<size_t> line = insertion_line(file_, hunk);
    if (line && hunk.line_hint == line && hunk.anchors.empty() && line_hints_are_wrong())
      return fail(
          i, FailureKind::not_found,
          fmt::format(
              "it adds lines at line {}, but the line numbers of the surrounding hunks are wrong",
              *line + 1),
          "quote the line above or below");
    if (!line)
      return fail(i, FailureKind::not_found,
                  fmt::format("it adds lines but does not say where in {}", path_),
                  "quote the line above or below");
    const std::vector<std::string_view> added = new_side(hunk);
    bool there = *line + added.size() <= file_.line_count();
    for (size_t k = 0; k < added.size() && there; ++k) there = file_.line(*line + k) == added[k];
    if (there) {
      reports_[i].state = State::already_applied;
      return;
    }
    if (refuse_elision(i, hunk, *line)) return;
    Place place;
    place.first = place.last = *line;
    place.offset = file_.begin_of(*line);
    write(i, hunk, place);
  }

  // True if another hunk is not at the line number it gives.
  bool line_hints_are_wrong() const {
    return std::ranges::any_of(found_, [](const Placed& found) {
      const Place* place = found.certain();
      return place && found.hunk->line_hint && *found.hunk->line_hint != place->first;
    });
  }

  void write(size_t i, const Hunk& hunk, const Place& place) {
    HunkReport& report = reports_[i];
    report.edits = edits_at(file_, hunk, place);
    report.match = Match{place.offset, 0, {place.first, place.last}, MatchQuality::exact};
    report.state = report.edits.empty() ? State::no_change : State::applied;
  }

  const std::string& path_;
  const FileKind kind_;
  MappedText file_;
  const std::vector<Hunk>& hunks_;
  const std::optional<LineRange>& selection_;
  const bool with_bills_;
  const std::stop_token& stop_;
  std::span<HunkReport> reports_;
  std::vector<Placed> found_;
  std::vector<std::vector<Alignment>> aligned_;    // of each hunk: of its places
  std::set<size_t> too_many_;                      // hunks of which too many places are alike
  std::map<size_t, Alignment> next_;               // hunk -> its cheapest place beside the cheapest
  std::map<size_t, Alignment> contradicted_;       // hunk -> its cheapest place that may not be
  std::vector<std::shared_ptr<const Hunk>> kept_;  // what alignments point into
  std::map<std::pair<size_t, size_t>, size_t>
      first_hunk_at_;  // where a place begins and its length, in bytes -> its first hunk
};

// Blocks that build on one another: each is placed in what the blocks before it have made.
// Nothing: one of them has no place there, either.
std::optional<PlacedFile> place_in_sequence(const std::string& path, const Text& text,
                                            const std::vector<Hunk>& hunks,
                                            const std::vector<char>& is_missing,
                                            const std::stop_token& stop,
                                            std::span<HunkReport> reports) {
  static const std::optional<LineRange> kNone;
  Text now = text;
  for (size_t i = 0; i < hunks.size(); ++i) {
    const std::vector<Hunk> one = {hunks[i]};
    PlacedFile placed =
        FilePlacer(path, now, one, kNone, false, stop, reports.subspan(i, 1)).place();
    // What an earlier block wrote is quoted as it was written.
    if (placed.failed || (is_missing[i] && (!reports[i].match || reports[i].match->quality >
                                                                     MatchQuality::trailing_space)))
      return std::nullopt;
    now = with_edits(now, placed.edits);
    reports[i].edits.clear();
    if (is_missing[i]) reports[i].note = "it builds on what an earlier block of the reply writes";
  }
  PlacedFile out;
  out.edits = changed_lines(text, now);
  reports.back().edits = out.edits;
  return out;
}

// Hunks whose quotes leave out lines without saying so, each piece placed by itself.
// Nothing: there are none, or a piece does not stand in the file as it is quoted.
std::optional<PlacedFile> place_in_pieces(const std::string& path, const Text& text,
                                          const std::vector<Hunk>& hunks,
                                          const std::optional<LineRange>& selection,
                                          const std::vector<char>& is_missing,
                                          const std::stop_token& stop,
                                          std::span<HunkReport> reports) {
  const MappedText file(text);
  std::vector<Hunk> pieces;
  std::vector<size_t> counts;  // of each hunk's pieces
  for (size_t i = 0; i < hunks.size(); ++i) {
    std::vector<Hunk> cut;
    if (is_missing[i] && hunks[i].alternatives.empty() && !hunks[i].within_lines)
      cut = cut_at_seams(file, hunks[i]);
    if (cut.empty() && is_missing[i]) return std::nullopt;
    if (cut.empty()) cut.push_back(hunks[i]);
    counts.push_back(cut.size());
    std::ranges::move(cut, std::back_inserter(pieces));
  }
  std::vector<HunkReport> own(pieces.size());
  PlacedFile out = FilePlacer(path, text, pieces, selection, false, stop, own).place();
  if (out.failed) return std::nullopt;
  for (size_t i = 0, at = 0; i < hunks.size(); at += counts[i++]) {
    HunkReport& report = reports[i];
    const size_t number = report.hunk;
    report = own[at];
    report.path = path, report.hunk = number, report.source_line = hunks[i].source_line;
    for (size_t k = at + 1; k < at + counts[i]; ++k) {
      const auto &above = own[k - 1].match, &below = own[k].match;
      if (!above || !below ||
          std::max(above->quality, below->quality) > MatchQuality::trailing_space ||
          !stays_in_block(file, above->lines.end, below->lines.begin,
                          is_blank(pieces[k - 1].lines.back().text)))
        return std::nullopt;
      report.note = fmt::format("it quotes nothing of lines {} to {}, which stay",
                                above->lines.end + 1, below->lines.begin);
      report.match->lines.end = below->lines.end;
      report.match->length = below->offset + below->length - report.match->offset;
      report.edits.insert(report.edits.end(), own[k].edits.begin(), own[k].edits.end());
      if (own[k].state == State::applied) report.state = State::applied;
    }
  }
  return out;
}

}  // namespace

PlacedFile place_hunks(const std::string& path, const Text& text, const std::vector<Hunk>& hunks,
                       const std::optional<LineRange>& selection, bool with_bills,
                       const std::stop_token& stop, std::vector<HunkReport>& reports) {
  const size_t first = reports.size();
  const auto new_reports = [&] {
    std::vector<HunkReport> own(hunks.size());
    for (size_t i = 0; i < own.size(); ++i) {
      own[i].path = path;
      own[i].hunk = first + i;
      own[i].source_line = hunks[i].source_line;
    }
    return own;
  };
  // That a hunk was applied already is not proven by lines alone: then it is not all that is said.
  const auto refuse_unproven = [&](std::vector<HunkReport>& some, PlacedFile& placed) {
    if (!placed.edits.empty()) return;
    for (HunkReport& report : some) {
      if (report.state != State::already_applied || report.feedback.empty()) continue;
      report.failure = {
          FailureKind::not_found,
          fmt::format("the lines it changes are not in {}, but its new ones are: it may "
                      "be applied already",
                      path),
          "", true};
      placed.failed = true;
    }
  };
  std::vector<HunkReport> own = new_reports();
  PlacedFile out = FilePlacer(path, text, hunks, selection, with_bills, stop, own).place();
  std::vector<char> is_missing;
  for (const HunkReport& report : own)
    is_missing.push_back(report.failure && report.failure->kind == FailureKind::not_found);
  const auto may_build_on_others = [](const Hunk& hunk) {
    return !hunk.shares_context && !hunk.at_lines && !old_side(hunk).empty();
  };
  if (out.failed && hunks.size() > 1 && std::ranges::count(is_missing, 1) > 0 &&
      std::ranges::all_of(hunks, may_build_on_others)) {
    std::vector<HunkReport> in_sequence = new_reports();
    if (auto placed = place_in_sequence(path, text, hunks, is_missing, stop, in_sequence)) {
      out = *std::move(placed);
      own = std::move(in_sequence);
    }
  }
  if (out.failed && std::ranges::count(is_missing, 1) > 0) {
    std::vector<HunkReport> in_pieces = new_reports();
    if (auto placed = place_in_pieces(path, text, hunks, selection, is_missing, stop, in_pieces)) {
      out = *std::move(placed);
      own = std::move(in_pieces);
    }
  }
  refuse_unproven(own, out);
  reports.insert(reports.end(), std::make_move_iterator(own.begin()),
                 std::make_move_iterator(own.end()));
  return out;
}

}  // namespace bodkin
