#include "edits/apply/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace bodkin {
namespace {

// What was forgiven, by the quality of a match; empty for an exact one.
constexpr std::string_view kForgiven[] = {"",
                                          "",
                                          "trailing whitespace",
                                          "typographic punctuation",
                                          "the indentation",
                                          "the indentation of some lines",
                                          "whitespace",
                                          "line numbers, escapes or blank lines around the quote",
                                          "the lines that an ellipsis represents",
                                          "blank lines and comments that only one side has",
                                          "a context line that was changed since"};
static_assert(std::size(kForgiven) == static_cast<size_t>(MatchQuality::fuzzy) + 1);
std::string_view forgiven(MatchQuality quality) { return kForgiven[static_cast<size_t>(quality)]; }

// Tells what to send, by the kinds of the failures.
std::string advice(const ApplyReport& report) {
  bool differs = false, twice = false, cut = false;
  const auto note = [&](const std::optional<Failure>& failure) {
    if (!failure) return;
    // A failure that is not about its old lines says itself what helps.
    differs |= failure->kind == FailureKind::not_found && failure->advice.empty();
    twice |= failure->kind == FailureKind::ambiguous;
    cut |= failure->kind == FailureKind::truncated && failure->advice.empty();
  };
  note(report.failure);
  for (const HunkReport& hunk : report.hunks) note(hunk.failure);
  if (cut) return "Send all edits again, in smaller parts.\n";
  if (differs && twice)
    return "Send the failed hunks again, with old lines copied exactly from the file, and enough "
           "of them to match only one place.\n";
  if (differs) return "Send the failed hunks again, with old lines copied exactly from the file.\n";
  if (twice)
    return "Send the failed hunks again, with enough surrounding lines to match only one place.\n";
  return "Send the failed edits again, corrected.\n";
}

// The first `most` lines of a text.
std::string first_lines(const std::string& text, size_t most) {
  size_t end = 0;
  for (size_t lines = 0; end < text.size() && lines < most; ++lines)
    end = std::min(text.find('\n', end), text.size() - 1) + 1;
  if (end == text.size()) return text;
  return text.substr(0, end) + "(truncated: more hunks failed in similar ways)\n";
}

// Says what was not taken for an edit, in one line.
std::string shown(const ApplyReport& report) {
  constexpr size_t kMaxShown = 8;
  std::string words;
  for (size_t i = 0; i < std::min(report.shown.size(), kMaxShown); ++i) {
    const auto& [line, count] = report.shown[i];
    words += fmt::format("{}line {}, {} line{}", i > 0 ? "; " : "Shown, not applied: ", line, count,
                         count == 1 ? "" : "s");
  }
  if (report.shown.size() > kMaxShown)
    words += fmt::format("; and {} more", report.shown.size() - kMaxShown);
  return words.empty() ? words : words + ".\n";
}

}  // namespace

// Decides: what the model is told of an edit that was refused or placed loosely.
std::string explain(const ApplyReport& report, bool keeps_good) {
  constexpr size_t kMaxLines = 50, kMaxLearned = 8;
  std::string failed, fine, learned, last;
  size_t notes = 0;
  for (const HunkReport& hunk : report.hunks) {
    if (hunk.failure) {
      std::string why = with_advice(*hunk.failure);
      if (hunk.failure->is_of_hunk)
        why =
            fmt::format("hunk {} (line {} of your edit): {}", hunk.hunk + 1, hunk.source_line, why);
      if (why == last) continue;  // of both hunks of a conflict
      last = std::move(why);
      failed += fmt::format("{}: {}.\n{}", name_of(hunk.failure->kind), last, hunk.feedback);
      continue;
    }
    if (!report.ok) fine += fmt::format("{}{}", fine.empty() ? "" : ", ", hunk.hunk + 1);
    std::string note = hunk.note;
    if (hunk.state == HunkReport::State::already_applied)
      note = fmt::format("{} already has the new text; nothing to do", hunk.path);
    if (hunk.state == HunkReport::State::no_change)
      note = fmt::format("it changes nothing in {}", hunk.path);
    if (hunk.match && !forgiven(hunk.match->quality).empty())
      note = fmt::format("matched at line {} of {} after ignoring {}", hunk.match->lines.begin + 1,
                         hunk.path, forgiven(hunk.match->quality));
    if (!note.empty() && ++notes <= kMaxLearned)
      learned += fmt::format("Hunk {}: {}.\n", hunk.hunk + 1, note);
  }
  if (notes > kMaxLearned)
    learned += fmt::format("({} more hunks were matched loosely)\n", notes - kMaxLearned);
  if (report.ok) return learned + shown(report);
  if (failed.empty() && report.failure) failed = for_model(*report.failure) + ".\n";
  if (!fine.empty())
    fine =
        fmt::format("{}: hunk {}.\n",
                    keeps_good ? "These can be placed and need not be sent again (not applied yet)"
                               : "These can be placed, but were not applied: send them again, too",
                    fine.size() > 200 ? fine.substr(0, fine.find(',', 200)) + ", …" : fine);
  return "Nothing was changed.\n" + first_lines(failed, kMaxLines) + fine + advice(report);
}

}  // namespace bodkin
