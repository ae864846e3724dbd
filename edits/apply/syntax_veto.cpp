#include "edits/apply/syntax_veto.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "edits/place/write.h"
#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

// Has the text backslashes, entities or typographic characters? They may be meant, or come from a
// text that was made typographic or escaped once too often.
bool may_be_distorted(std::string_view text) {
  for (size_t at = 0; at < text.size(); ++at) {
    const std::string_view rest = text.substr(at);
    if (text[at] == '\\' || (text[at] == '&' && rest.find(';') < 8) ||
        (static_cast<unsigned char>(text[at]) >= 0x80 && typographic_at(rest)))
      return true;
  }
  return false;
}

bool is_doubtful(const Match& match) {
  constexpr double kBeyondDoubt = 0.7;  // of a fuzzy place's lines
  return match.infers_depth ||
         (match.quality == MatchQuality::fuzzy && match.similarity < kBeyondDoubt);
}

}  // namespace

void veto_by_syntax(const Syntax& syntax, const std::string& path, const Text& before,
                    const Text& after, std::span<HunkReport> hunks) {
  const auto asks = [&](const HunkReport& hunk) {
    if (!hunk.match || hunk.match->quality == MatchQuality::exact || hunk.edits.empty())
      return false;
    // The quote has such signs byte for byte as the file has them: they are spelled right.
    if (hunk.match->quality == MatchQuality::substring &&
        may_be_distorted(before.substr(hunk.match->offset, hunk.match->length)))
      return false;
    return is_doubtful(*hunk.match) || std::ranges::any_of(hunk.edits, [](const Replacement& edit) {
             return may_be_distorted(edit.text);
           });
  };
  if (std::ranges::none_of(hunks, asks) || !syntax.knows(path)) return;
  std::vector<Replacement> sure;
  for (const HunkReport& hunk : hunks)
    if (!asks(hunk)) sure.insert(sure.end(), hunk.edits.begin(), hunk.edits.end());
  std::ranges::stable_sort(sure, {}, &Replacement::offset);
  const auto lines =
      syntax.new_errors(path, sure.empty() ? before : with_edits(before, sure), after);
  if (!lines || lines->empty()) return;
  for (HunkReport& hunk : hunks) {
    if (!asks(hunk)) continue;
    const auto is_distorted_line = [&](size_t line) {
      const std::string text = after.line(line);
      return may_be_distorted(text) &&
             std::ranges::any_of(hunk.edits, [&](const Replacement& edit) {
               return edit.text.find(trimmed(text)) != std::string::npos;
             });
    };
    if (!is_doubtful(*hunk.match) && std::ranges::none_of(*lines, is_distorted_line)) continue;
    hunk.failure = {
        FailureKind::not_found,
        fmt::format("hunk {} (line {} of your edit): it only resembles lines {} to {} of {}, and "
                    "there it would break the syntax at line {}; quote the lines exactly",
                    hunk.hunk + 1, hunk.source_line, hunk.match->lines.begin + 1,
                    hunk.match->lines.end, path, lines->front() + 1)};
  }
}

}  // namespace bodkin
