#include "edits/lazy/lazy.h"

#include <algorithm>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "edits/formats/reply_lines.h"
#include "edits/lazy/lazy_checks.h"
#include "edits/lazy/lazy_runs.h"
#include "edits/lazy/lazy_words.h"
#include "edits/lazy/part_of_file.h"
#include "edits/place/tokens.h"
#include "edits/place/write.h"
#include "edits/plan/elision.h"

namespace bodkin {

namespace {

// Lines [begin, end) of the file become these.
struct LineEdit {
  size_t begin = 0, end = 0;
  std::vector<std::string> lines;
};

std::vector<Replacement> written(const MappedText& file, const std::vector<LineEdit>& edits) {
  std::vector<Replacement> out;
  for (const LineEdit& edit : edits) {
    Replacement now = whole_lines(file, edit.begin, edit.end, edit.lines, std::nullopt);
    if (file.bytes().substr(now.offset, now.length) == now.text) continue;
    if (!out.empty() && out.back().offset + out.back().length == now.offset) {
      out.back().length += now.length;
      out.back().text += now.text;
    } else {
      out.push_back(std::move(now));
    }
  }
  return out;
}

// Blank lines that only one side has, with no other change there: they are the sketch's layout.
std::vector<char> layout_of(const std::vector<LazyLine>& sketch, const std::vector<LazyLine>& file,
                            const std::vector<LinePair>& pairs) {
  std::vector<char> out(pairs.size(), 0);
  const auto is_blank = [&](const LinePair& pair) {
    return pair.sketch >= 0 ? sketch[static_cast<size_t>(pair.sketch)].blank
                            : file[static_cast<size_t>(pair.file)].blank;
  };
  for (size_t i = 0, end = 0; i < pairs.size(); i = end + 1) {
    for (end = i; end < pairs.size() && !pairs[end].stays();) ++end;
    if (std::all_of(pairs.begin() + static_cast<long>(i), pairs.begin() + static_cast<long>(end),
                    is_blank))
      std::fill(out.begin() + static_cast<long>(i), out.begin() + static_cast<long>(end), 1);
  }
  return out;
}

bool elides_anywhere(const std::vector<LazyLine>& lines) {
  return std::ranges::any_of(lines, &LazyLine::elides);
}

// A comment that only may elide, and that no line of the file is left out for, is one.
void keep_remarks(const std::vector<LazyLine>& sketch, const std::vector<LazyLine>& file,
                  std::vector<LinePair>& pairs) {
  for (size_t k = 1; k < pairs.size(); ++k) {
    const LinePair above = pairs[k - 1], below = pairs[k];
    if (above.sketch < 0 || below.sketch < 0) continue;
    size_t line = above.file < 0 ? above.at : static_cast<size_t>(above.file) + 1;
    while (line < below.at && file[line].blank) ++line;
    if (line < below.at) continue;
    for (long own = above.sketch + 1; own < below.sketch; ++own) {
      const LazyLine& remark = sketch[static_cast<size_t>(own)];
      if (!remark.elides || elision_in(remark.text) != Elision::perhaps) continue;
      pairs.insert(pairs.begin() + static_cast<long>(k++), {own, -1, below.at});
    }
  }
}

// The edits by which the file becomes what the sketch shows.
FailureOr<std::vector<LineEdit>> merged_lines(const std::vector<LazyLine>& sketch,
                                              const std::vector<LazyLine>& file) {
  auto pairs = place_runs(sketch, file);
  if (!pairs) return std::unexpected(pairs.error());
  keep_remarks(sketch, file, *pairs);
  std::vector<char> layout(pairs->size(), 0);
  if (elides_anywhere(sketch)) layout = layout_of(sketch, file, *pairs);
  std::vector<LineEdit> edits;
  bool open = false;
  for (size_t k = 0; k < pairs->size(); ++k) {
    const LinePair& pair = (*pairs)[k];
    if (layout[k] || pair.stays()) {
      open = false;
      continue;
    }
    if (!open || edits.back().end != pair.at) edits.push_back({pair.at, pair.at, {}});
    open = true;
    if (pair.file >= 0)
      edits.back().end = pair.at + 1;
    else
      edits.back().lines.emplace_back(sketch[static_cast<size_t>(pair.sketch)].text);
  }
  return edits;
}

// "// mostly unchanged" of the file, shown next to the lines that it has there, stands for nothing.
// If the sketch has another elision on one side, that one stands for them. A comment that only may
// elide and is a changed line of the file stands for nothing either.
void keep_quoted_elisions(std::vector<LazyLine>& sketch, const std::vector<LazyLine>& file) {
  const auto next = [](const std::vector<LazyLine>& side, size_t line,
                       bool down) -> std::optional<size_t> {
    while (down ? line + 1 < side.size() : line > 0)
      if (down ? ++line : --line; !side[line].blank) return line;
    return std::nullopt;
  };
  std::unordered_map<std::string_view, std::vector<size_t>> places;  // of the file's lines, trimmed
  for (size_t line = 0; line < file.size(); ++line)
    places[trimmed(file[line].text)].push_back(line);
  const auto places_of = [&](std::string_view text) -> const std::vector<size_t>& {
    static const std::vector<size_t> kNone;
    const auto found = places.find(text);
    return found == places.end() ? kNone : found->second;
  };
  // True if the file has a line with most words of this one next to the one that the sketch has
  // above or below, where that is once.
  const auto is_changed_line = [&](size_t i) {
    const std::vector<std::string_view> words = words_of_line(sketch[i].text);
    for (const bool down : {true, false}) {
      const auto beside = next(sketch, i, !down);
      if (!beside || sketch[*beside].elides) continue;
      const std::vector<size_t>& there = places_of(trimmed(sketch[*beside].text));
      const auto line = there.size() == 1 ? next(file, there[0], down) : std::nullopt;
      if (!line) continue;
      const std::vector<std::string_view> own = words_of_line(file[*line].text);
      const auto shared = std::ranges::count_if(
          words, [&](std::string_view word) { return std::ranges::count(own, word) > 0; });
      if (2 * static_cast<size_t>(shared) >= words.size()) return true;
    }
    return false;
  };
  for (size_t i = 0; i < sketch.size(); ++i) {
    if (!sketch[i].elides) continue;
    const std::string_view text = trimmed(sketch[i].text);
    const std::vector<size_t>& own = places_of(text);
    if (own.empty()) {
      if (elision_in(text) == Elision::perhaps && is_changed_line(i)) sketch[i].elides = false;
      continue;
    }
    const size_t there = own.front();
    size_t equal = 0, elided = 0;
    for (const bool down : {false, true}) {
      const auto here = next(sketch, i, down), ours = next(file, there, down);
      if (here && sketch[*here].elides)
        ++elided;
      else if (here && ours)
        equal += trimmed(sketch[*here].text) == trimmed(file[*ours].text);
    }
    if (equal > 0 && equal + elided == 2) sketch[i].elides = false;
  }
}

// True if an edit only drops attributes, which models forget and do not mean to remove.
bool drops_attributes(std::span<const LazyLine> file, const LineEdit& edit) {
  return edit.lines.empty() && std::ranges::all_of(file.subspan(edit.begin, edit.end - edit.begin),
                                                   is_attribute, &LazyLine::text);
}

FailureOr<std::vector<Replacement>> merged(std::string_view sketch, const Text& file,
                                           const MappedText& mapped) {
  const ReplyLines reply(sketch);
  const std::vector<char> elided = elisions_of(reply.lines);
  std::unordered_map<std::string_view, int> keys;
  const auto line_of = [&](std::string_view text, bool elides) {
    const auto count = static_cast<int>(keys.size());
    const int key = keys.try_emplace(trimmed_right(text), count).first->second;
    return LazyLine{text, key, elides, is_blank(text)};
  };
  std::vector<LazyLine> ours, theirs;
  for (size_t i = 0; i < reply.size(); ++i) ours.push_back(line_of(reply.lines[i], elided[i]));
  for (size_t i = 0; i < mapped.line_count(); ++i) theirs.push_back(line_of(mapped.line(i), false));
  keep_quoted_elisions(ours, theirs);
  if (!elides_anywhere(ours))
    if (const auto why = left_out({}, file, std::string(sketch), nullptr))
      return lazy_error(FailureKind::ambiguous, 0,
                        "it has no `... existing code ...`, and " + *why + ", which would be lost",
                        "elide what stays, or write all of it");

  auto edits = merged_lines(ours, theirs);
  if (!edits) return std::unexpected(edits.error());
  std::erase_if(*edits, [&](const LineEdit& edit) { return drops_attributes(theirs, edit); });
  if (edits->empty() && elides_anywhere(ours))
    return lazy_error(FailureKind::not_found, 0, "everything in the new code is already there",
                      "to remove lines, show the lines before "
                      "and after them next to each other");
  return written(mapped, *edits);
}

}  // namespace

std::optional<std::string> as_part(std::string_view sketch, const Text& file, size_t least_beyond) {
  constexpr std::string_view kElision = "// ... existing code ...\n";
  constexpr size_t kShown = 3;  // lines that show where it begins or ends
  const MappedText mapped(file);
  const ReplyLines shown(sketch);
  const std::vector<char> elided = elisions_of(shown.lines);
  std::vector<std::string_view> lines, ours;
  for (size_t i = 0; i < mapped.line_count(); ++i)
    if (!is_blank(mapped.line(i))) lines.push_back(trimmed(mapped.line(i)));
  size_t outermost = std::string::npos;
  for (size_t i = 0; i < shown.lines.size(); ++i)
    if (!is_blank(shown.lines[i])) outermost = std::min(outermost, depth_of(shown.lines[i]));
  // An elision within a block does not end the part: the file goes on beyond that block, too.
  bool is_elided_above = false, is_elided_below = false, begins = false;
  for (size_t i = 0; i < shown.lines.size(); ++i) {
    if (is_blank(shown.lines[i])) continue;
    const bool ends_part = elided[i] && depth_of(shown.lines[i]) == outermost;
    is_elided_above |= !begins && ends_part;
    is_elided_below = ends_part || (elided[i] && is_elided_below);
    begins |= !elided[i];
    if (!elided[i]) ours.push_back(trimmed(shown.lines[i]));
  }
  const auto lies_beyond = [&](const auto& begin, const auto& end, const auto& first) {
    for (size_t k = std::min<size_t>(kShown, ours.size()); k > 1; --k)
      if (const auto at = std::search(begin, end, first, first + static_cast<long>(k)); at != end)
        return static_cast<size_t>(at - begin) >= least_beyond;
    // One line alone may be anywhere.
    const auto beyond = begin + std::min<long>(end - begin, static_cast<long>(least_beyond));
    return std::find(beyond, end, *first) != end;
  };
  const bool above = !is_elided_above, below = !is_elided_below;
  if (!above && !below) return std::string(sketch);  // it says so
  if (ours.empty()) return std::nullopt;
  if (!(above && lies_beyond(lines.begin(), lines.end(), ours.begin())) &&
      !(below && lies_beyond(lines.rbegin(), lines.rend(), ours.rbegin())))
    return std::nullopt;
  std::string part(above ? kElision : std::string_view());
  part += sketch;
  if (below) part.append(part.ends_with('\n') ? "" : "\n").append(kElision);
  return part;
}

namespace {

// An element that is shown as if it were outermost: the sketch at the depth of its first line in
// the file, if that occurs once, all lines that both have agree, and at least one other does.
// Nullopt if the depth is the same.
std::optional<std::string> moved_to_file(std::string_view sketch, const MappedText& mapped) {
  const ReplyLines reply(sketch);
  const std::vector<char> elided = elisions_of(reply.lines);
  std::unordered_map<std::string_view, std::vector<std::string_view>> depths;  // by trimmed line
  for (size_t i = 0; i < mapped.line_count(); ++i)
    depths[trimmed(mapped.line(i))].push_back(indentation_of(mapped.line(i)));
  size_t first = 0;
  while (first < reply.lines.size() && (elided[first] || is_blank(reply.lines[first]))) ++first;
  if (first == reply.lines.size()) return std::nullopt;
  const auto there = depths.find(trimmed(reply.lines[first]));
  if (there == depths.end() || there->second.size() != 1) return std::nullopt;
  const std::string shift(there->second[0]);
  if (shift.empty() || !indentation_of(reply.lines[first]).empty()) return std::nullopt;
  std::string out;
  size_t agree = 0;
  for (size_t i = 0; i < reply.lines.size(); ++i) {
    const std::string_view line = reply.lines[i];
    const auto known = depths.find(trimmed(line));
    if (!is_blank(line) && !elided[i] && known != depths.end()) {
      if (std::ranges::find(known->second, shift + std::string(indentation_of(line))) ==
          known->second.end())
        return std::nullopt;
      ++agree;
    }
    out += (is_blank(line) ? "" : shift) + std::string(line) + "\n";
  }
  return agree > 1 ? std::optional(out) : std::nullopt;
}

}  // namespace

FailureOr<std::vector<Replacement>> merge_lazy(std::string_view sketch, const Text& file,
                                               std::string_view path) {
  const MappedText mapped(file);
  const std::optional<std::string> moved = moved_to_file(sketch, mapped);
  const std::string_view shown = moved ? *moved : sketch;
  auto edits = merged(shown, file, mapped);
  if (edits)
    if (auto fine = check_merged(shown, mapped, path, *edits); !fine)
      return std::unexpected(fine.error());
  return edits;
}

}  // namespace bodkin
