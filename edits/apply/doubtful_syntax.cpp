#include "edits/apply/doubtful_syntax.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "edits/formats/reply_lines.h"
#include "edits/place/write.h"
#include "edits/text/escapes.h"
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

// True for a line that a format of edits, a chat or a tool call has around a text.
bool may_be_mark(std::string_view line) {
  line = trimmed(line);
  for (const std::string_view mark : {":start_line:", ":end_line:", "<<<<<<<", "=======", ">>>>>>>",
                                      "-------", "```", "]]>", "<|"})
    if (line.starts_with(mark)) return true;
  return gutter_of(line) > 0;
}

// "</replace>": a mark where the file has no tags.
bool may_be_tag(std::string_view line) { return is_lone_tag(line) && line.contains("</"); }

// True if the edit adds such a line, and the old text of its hunk has none: "1: x" may be a key.
bool adds_line(const Replacement& edit, const Match& match, const Text& before,
               bool (*is_one)(std::string_view)) {
  for (std::string_view rest = edit.text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    if (is_one(line))
      return std::ranges::none_of(lines_of(before.substr(match.offset, match.length)), is_one);
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  }
  return false;
}

// What may be wrong with a hunk that breaks the syntax.
enum class Doubt { none, place, text, repeats, prose, marks, distorted };

// Files of markup may end a tag that another file begins.
bool is_markup(std::string_view path) {
  return is_one_of(path.substr(path.rfind('.') + 1),
                   {"html", "htm", "xhtml", "xml", "svg", "php", "jsx", "tsx"});
}

Doubt doubt_of(const HunkReport& hunk, const std::string& path, const Text& before) {
  if (hunk.edits.empty()) return Doubt::none;
  const Match match = hunk.match.value_or(Match{});
  const MatchQuality quality = match.quality;
  if (quality == MatchQuality::trimmed) return Doubt::place;
  if (match.repeats_neighbour) return Doubt::repeats;
  // Signs that the quote has byte for byte as the file has them are spelled right.
  const bool keeps_signs = quality == MatchQuality::substring ||
                           quality == MatchQuality::trailing_space ||
                           quality == MatchQuality::indentation;
  if (quality != MatchQuality::exact &&
      !(keeps_signs && may_be_distorted(before.substr(match.offset, match.length))) &&
      std::ranges::any_of(hunk.edits, may_be_distorted, &Replacement::text))
    return Doubt::text;
  const bool has_prose = std::ranges::any_of(
      hunk.edits, [&](const Replacement& edit) { return !prose_for_code(edit, before).empty(); });
  if (has_prose) return Doubt::prose;
  const auto adds = [&](bool (*is_one)(std::string_view)) {
    return std::ranges::any_of(hunk.edits, [&](const Replacement& edit) {
      return adds_line(edit, match, before, is_one);
    });
  };
  const bool has_tag = !is_markup(path) && adds(may_be_tag) && !before.str().contains("</");
  return has_tag || adds(may_be_mark) ? Doubt::marks
         : adds(looks_distorted)      ? Doubt::distorted
                                      : Doubt::none;
}

// True if the text of a hunk's edits, without what may have been done to all of it, breaks nothing.
bool is_right_undistorted(const Syntax& syntax, const std::string& path, const Text& before,
                          std::span<const HunkReport> hunks, size_t doubtful) {
  std::vector<Replacement> all;
  for (const HunkReport& hunk : hunks) all.insert(all.end(), hunk.edits.begin(), hunk.edits.end());
  std::ranges::stable_sort(all, {}, &Replacement::offset);
  for (const Replacement& edit : hunks[doubtful].edits) {
    for (std::string& text : undistorted(edit.text)) {
      std::vector<Replacement> edits = all;
      std::ranges::find(edits, edit)->text = std::move(text);
      const auto errors = syntax.new_errors(path, before, with_edits(before, edits));
      if (errors && errors->empty()) return true;
    }
  }
  return false;
}

// True if the doubt may be why this line of the new text is an error.
bool explains(Doubt doubt, std::string_view line, const HunkReport& hunk, const Text& before) {
  if (doubt == Doubt::marks || doubt == Doubt::distorted) {
    const auto is_its = [&](const Replacement& edit) { return edit.text.contains(trimmed(line)); };
    return (doubt == Doubt::marks ? may_be_mark(line) || may_be_tag(line)
                                  : looks_distorted(line)) &&
           std::ranges::any_of(hunk.edits, is_its);
  }
  if (doubt == Doubt::text)
    return may_be_distorted(line) && std::ranges::any_of(hunk.edits, [&](const Replacement& edit) {
             return edit.text.contains(trimmed(line));
           });
  return doubt != Doubt::prose || std::ranges::any_of(hunk.edits, [&](const Replacement& edit) {
           return std::ranges::count(prose_for_code(edit, before), trimmed(line)) > 0;
         });
}

Failure refusal(Doubt doubt, const HunkReport& hunk, const std::string& path, size_t line) {
  switch (doubt) {
    case Doubt::repeats:
      return {FailureKind::not_found,
              fmt::format("its new text repeats a line that is next to its old text in {}, and "
                          "that would break the syntax at line {}",
                          path, line),
              "quote that line, too, or omit it", true};
    case Doubt::prose:
      return {FailureKind::malformed,
              fmt::format("its new text has words at line {} of {} that are not code", line, path),
              "write out the lines that they stand for", true};
    case Doubt::marks:
      return {FailureKind::malformed,
              fmt::format("its new text has a marker, not code, at line {} of {}", line, path),
              "send the edit again without it", true};
    case Doubt::distorted:
      return {FailureKind::malformed,
              fmt::format("its new text is escaped or typographic at line {} of {}, which breaks "
                          "the syntax",
                          line, path),
              "write it as it should be in the file", true};
    default:
      return {FailureKind::not_found,
              fmt::format("it only resembles lines {} to {} of {}, and there it would break the "
                          "syntax at line {}",
                          hunk.match->lines.begin + 1, hunk.match->lines.end, path, line),
              "quote the lines exactly", true};
  }
}

}  // namespace

// Decides: whether a doubtful place that breaks the syntax is refused.
void refuse_broken_syntax(const Syntax& syntax, const std::string& path, const Text& before,
                          const Text& after, std::span<HunkReport> hunks) {
  std::vector<Doubt> doubts;
  std::vector<Replacement> sure;
  for (const HunkReport& hunk : hunks) {
    doubts.push_back(doubt_of(hunk, path, before));
    if (doubts.back() == Doubt::none) sure.insert(sure.end(), hunk.edits.begin(), hunk.edits.end());
  }
  if (std::ranges::count(doubts, Doubt::none) == std::ssize(doubts) || !syntax.knows(path)) return;
  std::ranges::stable_sort(sure, {}, &Replacement::offset);
  const auto errors =
      syntax.new_errors(path, sure.empty() ? before : with_edits(before, sure), after);
  if (!errors) return;
  for (size_t i = 0; i < hunks.size(); ++i) {
    if (doubts[i] == Doubt::none) continue;
    const auto line = std::ranges::find_if(
        *errors, [&](size_t at) { return explains(doubts[i], after.line(at), hunks[i], before); });
    if (doubts[i] == Doubt::distorted && line != errors->end() &&
        !is_right_undistorted(syntax, path, before, hunks, i))
      continue;
    if (line != errors->end()) hunks[i].failure = refusal(doubts[i], hunks[i], path, *line + 1);
  }
}

}  // namespace bodkin
