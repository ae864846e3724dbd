#include "edits/apply/place_hunks.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "edits/align/seams.h"
#include "edits/place/match.h"
#include "edits/place/write.h"
#include "edits/plan/diff.h"
#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

using State = HunkReport::State;

// Blocks that build on one another: each is placed in what the blocks before it have made.
// Nullopt: one of them has no place there, either.
std::optional<PlacedEdits> place_in_sequence(const std::string& path, const Text& text,
                                             const std::vector<Hunk>& hunks,
                                             const std::vector<char>& is_missing,
                                             const std::stop_token& stop,
                                             std::span<HunkReport> reports) {
  constexpr size_t kMost = size_t{1} << 30;  // bytes that are read in all
  if (text.size() > kMost / hunks.size()) return std::nullopt;
  static const std::optional<LineRange> kNone;
  Text now = text;
  for (size_t i = 0; i < hunks.size(); ++i) {
    const std::vector<Hunk> one = {hunks[i]};
    PlacedEdits placed = place_in_file(path, now, one, kNone, false, stop, reports.subspan(i, 1));
    // A quote of an earlier block's text must match what that block wrote.
    if (placed.failed || (is_missing[i] && (!reports[i].match || reports[i].match->quality >
                                                                     MatchQuality::trailing_space)))
      return std::nullopt;
    now = with_edits(now, placed.edits);
    reports[i].edits.clear();
    if (is_missing[i]) reports[i].note = "it builds on what an earlier block of the reply writes";
  }
  PlacedEdits out;
  out.edits = changed_lines(text, now);
  reports.back().edits = out.edits;
  return out;
}

// Hunks whose quotes leave out lines without saying so, each piece placed by itself. Nullopt: there
// are none, or a piece is not in the file as it is quoted.
std::optional<PlacedEdits> place_in_pieces(const std::string& path, const Text& text,
                                           const std::vector<Hunk>& hunks,
                                           const std::optional<LineRange>& selection,
                                           bool with_bills, const std::vector<char>& is_missing,
                                           const std::stop_token& stop,
                                           std::span<HunkReport> reports) {
  const MappedText file(text);
  std::vector<Hunk> pieces;
  std::vector<size_t> counts;  // of each hunk's pieces
  for (size_t i = 0; i < hunks.size(); ++i) {
    std::vector<Hunk> cut;
    const SearchReplace* const block = hunks[i].as<SearchReplace>();
    if (is_missing[i] && !(block && !block->alternatives.empty()) &&
        !hunks[i].as<StringReplacement>())
      cut = cut_at_seams(file, hunks[i]);
    if (cut.empty() && is_missing[i]) return std::nullopt;
    if (cut.empty()) cut.push_back(hunks[i]);
    counts.push_back(cut.size());
    std::ranges::move(cut, std::back_inserter(pieces));
  }
  std::vector<HunkReport> own(pieces.size());
  PlacedEdits out = place_in_file(path, text, pieces, selection, with_bills, stop, own);
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
      report.bill += own[k].bill;
      if (own[k].state == State::applied) report.state = State::applied;
    }
  }
  return out;
}

}  // namespace

// Three attempts, of which the first that succeeds counts, and the reports of the first if none
// does: they say what is wrong with the quotes as they are.
PlacedEdits place_hunks(const std::string& path, const Text& text, const std::vector<Hunk>& hunks,
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
  // Lines alone do not prove that a hunk was applied already, so that is not all that is reported.
  const auto refuse_unproven = [&](std::vector<HunkReport>& some, PlacedEdits& placed) {
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
  PlacedEdits out = place_in_file(path, text, hunks, selection, with_bills, stop, own);
  std::vector<char> is_missing;
  for (const HunkReport& report : own)
    is_missing.push_back(report.failure && report.failure->kind == FailureKind::not_found);
  const auto may_build_on_others = [](const Hunk& hunk) {
    return !hunk.shares_context() && !hunk.as<NumberedEdit>() && !old_side(hunk).empty();
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
    if (auto placed = place_in_pieces(path, text, hunks, selection, with_bills, is_missing, stop,
                                      in_pieces)) {
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
