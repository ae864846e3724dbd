#include "edits/explain.h"

#include <fmt/format.h>

#include <algorithm>

namespace bodkin {
namespace {

std::string_view forgiven(MatchQuality quality) {
  switch (quality) {
    case MatchQuality::exact:
    case MatchQuality::substring:
      return {};
    case MatchQuality::trailing_space:
      return "white space at the ends of lines";
    case MatchQuality::punctuation:
      return "typographic punctuation";
    case MatchQuality::indentation:
      return "the indentation";
    case MatchQuality::trimmed:
      return "the indentation of single lines";
    case MatchQuality::whitespace:
      return "white space";
    case MatchQuality::cosmetic:
      return "line numbers, escapes or blank lines round the quote";
    case MatchQuality::elision:
      return "what an ellipsis left out";
    case MatchQuality::gaps:
      return "blank lines and comments that only one side has";
    case MatchQuality::fuzzy:
      return "a kept line that has changed since";
  }
  return {};
}

}  // namespace

std::string explain(const ApplyReport& report) {
  constexpr size_t kMostLines = 60;
  std::string out, fine, learned;
  for (const HunkReport& hunk : report.hunks) {
    if (hunk.failure) {
      out += std::string(name_of(hunk.failure->kind)) + ": " + hunk.failure->message + ".\n" +
             hunk.feedback;
      continue;
    }
    if (!report.ok) fine += fmt::format("{}{}", fine.empty() ? "" : ", ", hunk.hunk + 1);
    if (hunk.state == HunkReport::State::already_applied)
      learned += fmt::format("Hunk {}: the new text is in {} already.\n", hunk.hunk + 1, hunk.path);
    if (hunk.match && !forgiven(hunk.match->quality).empty())
      learned +=
          fmt::format("Hunk {}: matched at line {} of {} after ignoring {}.\n", hunk.hunk + 1,
                      hunk.match->lines.begin + 1, hunk.path, forgiven(hunk.match->quality));
  }
  if (report.ok) return learned;
  std::string head = "Nothing was changed.\n";
  std::string tail;
  if (!fine.empty())
    tail += fmt::format("Fine, need not be sent again (though not applied yet): hunk {}.\n", fine);
  tail += "Send the failed hunks again, with old lines copied exactly from the file.\n";
  size_t lines = 0, end = 0;
  while (end < out.size() && lines < kMostLines - 6) {
    const size_t next = out.find('\n', end);
    end = next == std::string::npos ? out.size() : next + 1;
    ++lines;
  }
  if (end < out.size()) out = out.substr(0, end) + "(more hunks failed in the same ways)\n";
  return head + out + tail;
}

}  // namespace bodkin
