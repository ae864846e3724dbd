#include "edits/place/beside.h"

#include <algorithm>
#include <cctype>
#include <span>
#include <string>
#include <vector>

#include "edits/place/write.h"
#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

using Kind = HunkLine::Kind;

constexpr size_t kTelling = 6;  // characters of a line that is not repeated by chance
constexpr size_t kFew = 64;     // lines that are alike
constexpr size_t kMostRepeated = 40;

constexpr PlaceDoubt kRestOfLine = {
    "its new text repeats what is beside its old text in that line",
    "quote the whole line, or omit from the new text what the old text does not have"};
constexpr PlaceDoubt kNeighbour = {"its new text repeats a line that is next to its old text",
                                   "omit the lines that stay, or quote them, too"};
// Brackets and quotes that may close, or open, several times.
constexpr std::string_view kClosing = " \t)]}>\"'`", kOpening = " \t([{<\"'`";

// True if these bytes contain more than that.
bool says_more(std::string_view rest, std::string_view brackets) {
  return rest.find_first_not_of(brackets) != rest.npos;
}

// Where a part of a text is cut off, no word is cut in two.
bool is_cut_between(std::string_view text, size_t at) {
  return at == 0 || at >= text.size() || !is_word_char(text[at - 1]) || !is_word_char(text[at]);
}

bool ends_in(std::string_view text, std::string_view rest) {
  return text.ends_with(rest) && is_cut_between(text, text.size() - rest.size());
}
bool begins_with(std::string_view text, std::string_view rest) {
  return text.starts_with(rest) && is_cut_between(text, rest.size());
}

bool repeats_rest_of_line(std::string_view left, std::string_view right,
                          const std::vector<std::string_view>& before,
                          const std::vector<std::string_view>& after) {
  if (says_more(right, kClosing) && ends_in(trimmed(after.back()), right) &&
      !ends_in(trimmed(before.back()), right))
    return true;
  return says_more(left, kOpening) && begins_with(trimmed(after.front()), left) &&
         !begins_with(trimmed(before.front()), left);
}

// True if the line was duplicated by mistake, `distance` lines from its twin. Not if the file has
// such lines so far apart.
bool is_told(const MappedText& file, std::string_view line, size_t distance) {
  const std::string_view text = trimmed(line);
  if (text.size() < kTelling || !has_word(text)) return false;
  std::vector<size_t> found;
  if (!file.spend(file.cost_of_search()) || !file.lines_with(text, kFew, found)) return false;
  return std::ranges::none_of(
      found, [&](size_t at) { return std::ranges::binary_search(found, at + distance); });
}

// True if the first (last) lines that the hunk adds equal the file's lines above (below) the place.
bool repeats_lines(const MappedText& file, const Hunk& hunk, const Place& place, bool above) {
  if (hunk.lines.empty() || (above ? hunk.lines.front() : hunk.lines.back()).kind == Kind::context)
    return false;
  std::vector<std::string_view> added;  // at that edge
  const auto add_from = [&](auto begin, const auto& end) {
    for (; begin != end && begin->kind != Kind::context; ++begin)
      if (begin->kind == Kind::added) added.push_back(begin->text);
  };
  if (above)
    add_from(hunk.lines.begin(), hunk.lines.end());
  else
    add_from(hunk.lines.rbegin(), hunk.lines.rend());
  if (!above) std::ranges::reverse(added);
  const size_t room = above ? place.first : file.line_count() - place.last;
  for (size_t count = 1; count <= std::min({added.size(), room, kMostRepeated}); ++count) {
    const auto again = std::span(added).subspan(above ? 0 : added.size() - count, count);
    const size_t first = above ? place.first - count : place.last;
    bool same = true;
    for (size_t k = 0; k < count && same; ++k) same = again[k] == file.line(first + k);
    if (same && std::ranges::any_of(
                    again, [&](std::string_view line) { return is_told(file, line, count); }))
      return true;
  }
  return false;
}

bool repeats_neighbour(const MappedText& file, const Hunk& hunk, const Place& place) {
  return repeats_lines(file, hunk, place, true) || repeats_lines(file, hunk, place, false);
}

}  // namespace

PlaceDoubt doubt_beside(const MappedText& file, const Hunk& hunk, const Place& place) {
  if (hunk.all_places) return {};
  if (!hunk.computed && !place.within_lines && repeats_neighbour(file, hunk, place))
    return kNeighbour;
  if (!place.within_lines) return {};
  const std::vector<std::string_view> before = old_side(hunk), after = new_side(hunk);
  if (before.empty() || after.empty()) return {};
  const size_t end = place.offset + place.length, begin = file.begin_of(place.first),
               end_of_last = std::max(end, file.end_of(place.last - 1));
  const std::string_view left = trimmed(file.bytes().substr(begin, place.offset - begin)),
                         right = trimmed(file.bytes().substr(end, end_of_last - end));
  return repeats_rest_of_line(left, right, before, after) ? kRestOfLine : PlaceDoubt{};
}

}  // namespace bodkin
