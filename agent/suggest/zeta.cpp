// Zeta 2.1, a Seed-Coder that Zed trained: the code after the region, then edits and code before
// it, then the region itself between numbered markers. It answers with the markers around what
// changes: <|marker_2|>…new lines…<|marker_3|>; the same marker twice says that nothing does.
#include <fmt/format.h>

#include <charconv>

#include "agent/suggest/suggest_format.h"
#include "edits/place/write.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

constexpr char kZetaEnd[] = "<[end▁of▁sentence]>";
constexpr char kZetaCursor[] = "<|user_cursor|>";
constexpr std::string_view kZetaMarker = "<|marker_", kZetaMarkerEnd = "|>";
// As in its training, with tokens of three bytes.
constexpr size_t kZetaRegionBytes = 350 * 3, kZetaAroundBytes = 150 * 3;
constexpr size_t kLeastLines = 6, kMostLines = 16;  // between two markers
constexpr size_t kNudge = 5;                        // lines by which a marker moves to a good place
constexpr size_t kZetaMostEdits = 6;

bool begins_well(std::string_view line) {
  line = trimmed(line);
  if (line.empty() || std::string_view("}])").contains(line[0])) return false;
  while (line.ends_with(';')) line.remove_suffix(1);
  for (const char* word : {"break", "continue", "return", "throw", "end"})
    if (line == word) return false;
  return true;
}

// The lines before which its markers go: after blank lines, if there are any in time.
std::vector<size_t> marks_in(const Text& text, const LineRange& region) {
  std::vector<size_t> marks = {region.begin};
  const auto good_from = [&](size_t line) {
    for (size_t at = line; at < std::min(line + kNudge, region.end); ++at)
      if (begins_well(text.line(at))) return at;
    return line;
  };
  for (size_t line = region.begin; line < region.end; ++line) {
    const size_t length = line - marks.back(), target = good_from(line);
    const bool is_after_blank =
        line > region.begin && is_blank(text.line(line - 1)) && !is_blank(text.line(line));
    const bool is_break =
        length >= kLeastLines && is_after_blank && region.end - target >= kLeastLines;
    if (!is_break && length < kMostLines) continue;
    marks.push_back(target);
    line = target;
  }
  marks.push_back(region.end);
  return marks;
}

std::string marker(size_t number) {
  return fmt::format("{}{}{}", kZetaMarker, number, kZetaMarkerEnd);
}

SuggestPrompt zeta_prompt(const SuggestContext& context, std::string_view) {
  const Text& text = context.text;
  SuggestPrompt out{.stop = {kZetaEnd}, .max_tokens = 512};
  out.region = lines_around(text, context.cursor, kZetaRegionBytes);
  out.marks = marks_in(text, out.region);
  const LineRange shown = lines_around(text, context.cursor, kZetaRegionBytes + kZetaAroundBytes);
  const LineRange before{std::min(shown.begin, out.region.begin), out.region.begin};
  const LineRange after{out.region.end, std::max(shown.end, out.region.end)};
  const std::string behind = text_of_lines(text, after);
  out.text = "<[fim-suffix]>" + (behind.empty() ? "\n" : behind) + "<[fim-prefix]>";
  if (!context.history.empty()) {
    out.text += "<filename>edit_history\n";
    const size_t first = context.history.size() - std::min(context.history.size(), kZetaMostEdits);
    for (size_t i = first; i < context.history.size(); ++i) out.text += diff_of(context.history[i]);
    out.text += "\n";
  }
  out.text += "<filename>" + context.path + "\n" + text_of_lines(text, before);
  const size_t own = text.line_of(context.cursor);
  for (size_t i = 0; i < out.marks.size(); ++i) {
    out.text += marker(i + 1);
    for (size_t line = out.marks[i]; i + 1 < out.marks.size() && line < out.marks[i + 1]; ++line) {
      std::string each = text.line(line);
      if (line == own)
        each.insert(std::min(context.cursor - text.line_begin(line), each.size()), kZetaCursor);
      out.text += each + "\n";
    }
  }
  out.text += "\n<[fim-middle]>";
  return out;
}

std::vector<Replacement> read_zeta(const SuggestContext& context, const SuggestPrompt& prompt,
                                   std::string_view reply, bool is_cut) {
  reply = reply.substr(0, reply.find(kZetaEnd));
  std::string lines;
  size_t first = 0, last = 0, at = 0;
  for (size_t end = 0; (at = reply.find(kZetaMarker, end)) != reply.npos;) {
    const size_t digits = at + kZetaMarker.size(), close = reply.find(kZetaMarkerEnd, digits);
    size_t number = 0;
    if (close == reply.npos ||
        std::from_chars(reply.data() + digits, reply.data() + close, number).ptr !=
            reply.data() + close)
      break;
    if (first > 0) lines += reply.substr(end, at - end);
    // One marker may be missing between two, never out of order.
    if (number == 0 || number > prompt.marks.size() || number < last) return {};
    if (first == 0) first = number;
    last = number;
    end = close + kZetaMarkerEnd.size();
  }
  if (first == 0 || first == last) return {};
  if (const size_t cursor = lines.find(kZetaCursor); cursor != lines.npos)
    lines.erase(cursor, std::string_view(kZetaCursor).size());
  if (has_tokens(lines) || is_cut) return {};
  return changes_of(context, {{prompt.marks[first - 1], prompt.marks[last - 1]}, lines_of(lines)});
}

}  // namespace

const SuggestFormat kZetaFormat = {"zeta", false, "zeta", zeta_prompt, read_zeta};

}  // namespace bodkin
