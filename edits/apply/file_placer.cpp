#include "edits/apply/file_placer.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "edits/align/anchors.h"
#include "edits/align/bill.h"
#include "edits/align/choose.h"
#include "edits/align/overlaps.h"
#include "edits/align/rewrite.h"
#include "edits/apply/check_result.h"
#include "edits/apply/feedback.h"
#include "edits/apply/find_hunk.h"
#include "edits/place/write.h"
#include "edits/plan/diff.h"

namespace bodkin {
namespace {

using State = HunkReport::State;

// The hunks of one file, in three passes, as each needs what the one before says of all of them:
// every hunk is found; of several places the other hunks choose; each becomes bytes, or a failure.
// All are placed in the one text, so that it does not matter in which order the reply has them.
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

  // If placing is stopped, some hunks have no answer, and so there are no edits.
  PlacedEdits place() {
    found_.resize(hunks_.size());
    for (size_t i = 0; i < hunks_.size() && !stop_.stop_requested(); ++i)
      found_[i] = find_hunk(file_, path_, hunks_[i], selection_, reports_[i]);
    if (stop_.stop_requested()) return {.edits = {}, .failed = true};
    choose_among_places(found_);
    PlacedEdits out;
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

  // Decides: when a hunk is refused because several places match equally well.
  // From places to bytes: one place, or as many as were asked for; the new lines in the file's
  // words; no check that doubts it. What fails first is what the report says.
  void resolve_hunk(size_t i) {
    HunkReport& report = reports_[i];
    Placed& found = found_[i];
    if (report.failure || report.state == State::already_applied) return;
    if (found.places.empty()) return report_unplaced(i);
    const Place* only = found.certain();
    if (!only && found.hunk->places == 1) {
      fail(i, FailureKind::ambiguous,
           fmt::format("the lines it changes occur at {} of {}", listed_places(file_, found.places),
                       path_),
           "add a line above or below that distinguishes them");
      report.feedback = places_feedback(file_, found.places);
      return;
    }
    if (const size_t count = found.hunk->places; count > 1 && count != found.places.size())
      return fail(i, FailureKind::ambiguous,
                  fmt::format("its text is in {} places of {}, and {} were expected",
                              found.places.size(), path_, count),
                  "quote more around it");
    for (size_t at = 0; at < found.aligned.size(); ++at) {
      if (only && only != &found.places[at]) continue;
      const Alignment& aligned = found.aligned[at];
      if (with_bills_) report.bill += bill_of(file_, aligned, next_place(found, at));
      FailureOr<Place> final = rewritten(file_, aligned, kind_.needs_tabs);
      if (!final) {
        final.error().message =
            fmt::format("its lines are at line {} of {}, but {}", found.places[at].first + 1, path_,
                        final.error().message);
        report.failure = std::move(final.error());
        return;
      }
      if (!final->hunk && aligned.reading->hunk != found.hunk)
        final->hunk = std::make_shared<Hunk>(*aligned.reading->hunk);
      if (found.is_wrapped) final->quality = std::max(final->quality, MatchQuality::whitespace);
      found.places[at] = *std::move(final);
    }
    const Place& first = only ? *only : found.places[0];
    report.failure = check_result({path_, kind_, file_, *found.hunk, first});
    if (report.failure) return;
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
                             repeats_neighbour({path_, kind_, file_, *found.hunk, place})};
    }
    report.state = report.edits.empty() ? State::no_change : State::applied;
  }

  // The cheapest place of the hunk besides this one.
  static std::optional<Alignment> next_place(const Placed& found, size_t at) {
    std::optional<Alignment> next = found.next;
    for (size_t k = 0; k < found.aligned.size(); ++k)
      if (k != at && (!next || next->first == found.aligned[at].first)) next = found.aligned[k];
    return next;
  }

  void report_unplaced(size_t i) {
    const Hunk& hunk = hunks_[i];
    if (const auto* edit = hunk.as<NumberedEdit>()) return replace_lines(i, edit->lines);
    if (old_side(hunk).empty() && !hunk.lines.empty()) return insert(i);
    reports_[i].failure = why_unplaced(file_, path_, hunk, found_[i], reports_[i].feedback);
  }

  // Line edits: no line is quoted that could be compared, so the numbers must be in the file.
  void replace_lines(size_t i, const LineRange& range) {
    if (range.begin > range.end || range.end > file_.line_count())
      return fail(i, FailureKind::not_found,
                  fmt::format("{} has only {} line{}, so lines {} to {} do not exist", path_,
                              file_.line_count(), file_.line_count() == 1 ? "" : "s",
                              range.begin + 1, range.end),
                  "read its line numbers again");
    // Only what really changes is written: the line diff of the lines and their replacement.
    std::vector<std::string> before, after;
    for (size_t line = range.begin; line < range.end; ++line) before.emplace_back(file_.line(line));
    for (const std::string_view line : new_side(hunks_[i])) after.emplace_back(line);
    Hunk exact = hunks_[i];
    exact.lines = line_diff(before, after);
    Place place;
    place.first = range.begin;
    place.last = range.end;
    place.offset = file_.begin_of(range.begin);
    write(i, exact, place);
  }

  // A hunk with nothing but new lines: its number or the file's end says where they go, and they
  // may be there already.
  void insert(size_t i) {
    const Hunk& hunk = hunks_[i];
    const std::optional<size_t> line = insertion_line(file_, hunk.evidence);
    if (line && hunk.evidence.line == line && line_hints_are_wrong())
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
    Place place;
    place.first = place.last = *line;
    place.offset = file_.begin_of(*line);
    write(i, hunk, place);
  }

  // True if another hunk is not at the line number it gives.
  bool line_hints_are_wrong() const {
    return std::ranges::any_of(found_, [](const Placed& found) {
      const Place* place = found.certain();
      const auto& line = found.hunk->evidence.line;
      return place && line && *line != place->first;
    });
  }

  // At a place that was not found by its lines.
  void write(size_t i, const Hunk& hunk, const Place& place) {
    HunkReport& report = reports_[i];
    report.failure = check_result({path_, kind_, file_, hunk, place});
    if (report.failure) return;
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
};

}  // namespace

PlacedEdits place_in_file(const std::string& path, const Text& text, const std::vector<Hunk>& hunks,
                          const std::optional<LineRange>& selection, bool with_bills,
                          const std::stop_token& stop, std::span<HunkReport> reports) {
  return FilePlacer(path, text, hunks, selection, with_bills, stop, reports).place();
}

}  // namespace bodkin
