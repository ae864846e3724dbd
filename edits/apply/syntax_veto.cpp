#include "edits/apply/syntax_veto.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "edits/place/write.h"
#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

// True if the text has backslashes, entities or typographic characters. They may be meant, or come
// from a text that was made typographic or escaped once too often.
bool may_be_distorted(std::string_view text) {
  for (size_t at = 0; at < text.size(); ++at) {
    const std::string_view rest = text.substr(at);
    if (text[at] == '\\' || (text[at] == '&' && rest.find(';') < 8) ||
        (static_cast<unsigned char>(text[at]) >= 0x80 && typographic_at(rest)))
      return true;
  }
  return false;
}

// True for three words or more and nothing else: "pass the rest along unchanged".
bool is_prose(std::string_view line) {
  line = trimmed(line);
  if (line.ends_with('.') || line.ends_with(':')) line.remove_suffix(1);
  const auto is_word = [](char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; };
  return std::ranges::count(line, ' ') >= 2 && line.find("  ") == line.npos &&
         std::ranges::all_of(line, [&](char c) { return c == ' ' || is_word(c); });
}

// The lines of words that the edit puts in the place of more lines than it adds.
std::vector<std::string_view> prose_for_code(const Replacement& edit, const Text& before) {
  std::vector<std::string_view> found;
  if (edit.length <= edit.text.size()) return found;
  const std::string goes = before.substr(edit.offset, edit.length);
  if (std::ranges::count(goes, '\n') <= std::ranges::count(edit.text, '\n')) return found;
  for (std::string_view rest = edit.text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    if (is_prose(line)) found.push_back(trimmed(line));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  }
  return found;
}

}  // namespace

// Decides: whether a doubtful place that breaks the syntax is refused.
void veto_by_syntax(const Syntax& syntax, const std::string& path, const Text& before,
                    const Text& after, std::span<HunkReport> hunks) {
  enum class Doubt { none, place, text, repeats, prose };
  const auto doubt_of = [&](const HunkReport& hunk) {
    if (!hunk.match || hunk.edits.empty()) return Doubt::none;
    const MatchQuality quality = hunk.match->quality;
    if (quality == MatchQuality::trimmed) return Doubt::place;
    if (hunk.match->repeats_neighbour) return Doubt::repeats;
    if (quality == MatchQuality::exact) return Doubt::none;
    // The quote has such signs byte for byte as the file has them: they are spelled right.
    const bool keeps_signs =
        quality == MatchQuality::substring || quality == MatchQuality::trailing_space ||
        quality == MatchQuality::indentation || quality == MatchQuality::trimmed;
    if (keeps_signs && may_be_distorted(before.substr(hunk.match->offset, hunk.match->length)))
      return Doubt::none;
    const bool distorted = std::ranges::any_of(
        hunk.edits, [](const Replacement& edit) { return may_be_distorted(edit.text); });
    return distorted ? Doubt::text : Doubt::none;
  };
  std::vector<Doubt> doubts;
  for (const HunkReport& hunk : hunks) {
    Doubt doubt = doubt_of(hunk);
    if (doubt == Doubt::none && std::ranges::any_of(hunk.edits, [&](const Replacement& edit) {
          return !prose_for_code(edit, before).empty();
        }))
      doubt = Doubt::prose;
    doubts.push_back(doubt);
  }
  const auto is_sure = [](Doubt doubt) { return doubt == Doubt::none; };
  if (std::ranges::all_of(doubts, is_sure) || !syntax.knows(path)) return;
  std::vector<Replacement> sure;
  for (size_t i = 0; i < hunks.size(); ++i)
    if (is_sure(doubts[i])) sure.insert(sure.end(), hunks[i].edits.begin(), hunks[i].edits.end());
  std::ranges::stable_sort(sure, {}, &Replacement::offset);
  const auto lines =
      syntax.new_errors(path, sure.empty() ? before : with_edits(before, sure), after);
  if (!lines || lines->empty()) return;
  for (size_t i = 0; i < hunks.size(); ++i) {
    HunkReport& hunk = hunks[i];
    const auto has_distorted_line = [&] {
      return std::ranges::any_of(*lines, [&](size_t line) {
        const std::string text = after.line(line);
        return may_be_distorted(text) &&
               std::ranges::any_of(hunk.edits, [&](const Replacement& edit) {
                 return edit.text.find(trimmed(text)) != std::string::npos;
               });
      });
    };
    std::string why, advice;
    FailureKind kind = FailureKind::not_found;
    switch (doubts[i]) {
      case Doubt::none:
        continue;
      case Doubt::text:
        if (!has_distorted_line()) continue;
        [[fallthrough]];
      case Doubt::place:
        why = fmt::format(
            "it only resembles lines {} to {} of {}, and there it would break the syntax at line "
            "{}",
            hunk.match->lines.begin + 1, hunk.match->lines.end, path, lines->front() + 1);
        advice = "quote the lines exactly";
        break;
      case Doubt::repeats:
        why = fmt::format(
            "its new text repeats a line that is next to its old text in {}, and that would "
            "break the syntax at line {}",
            path, lines->front() + 1);
        advice = "quote that line, too, or omit it";
        break;
      case Doubt::prose: {
        const auto is_said = [&](size_t line) {
          const std::string text = after.line(line);
          return std::ranges::any_of(hunk.edits, [&](const Replacement& edit) {
            return std::ranges::count(prose_for_code(edit, before), trimmed(text)) > 0;
          });
        };
        const auto line = std::ranges::find_if(*lines, is_said);
        if (line == lines->end()) continue;
        why = fmt::format("its new text has words at line {} of {} that are not code", *line + 1,
                          path);
        advice = "write out the lines that they stand for";
        kind = FailureKind::malformed;
      }
    }
    hunk.failure = {kind, std::move(why), std::move(advice), true};
  }
}

}  // namespace bodkin
