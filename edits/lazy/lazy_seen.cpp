#include "edits/lazy/lazy_seen.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "edits/lazy/lazy_words.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

// The lines of a sketch that are not blank.
struct Shown {
  std::vector<std::string_view> lines;  // trimmed; an elision is empty and equal to nothing
  std::vector<size_t> numbers;
  std::unordered_map<std::string_view, std::vector<size_t>> places;  // in `lines`

  explicit Shown(const LazySide& sketch) {
    for (size_t i = 0; i < sketch.lines.size(); ++i) {
      const std::string_view line = trimmed(sketch.lines[i]);
      if (line.empty()) continue;
      lines.push_back(sketch.elides(i) ? std::string_view() : line);
      numbers.push_back(i);
      if (!sketch.elides(i)) places[line].push_back(lines.size() - 1);
    }
  }

  bool has_at(std::span<const std::string_view> part, size_t at) const {
    return at + part.size() <= lines.size() &&
           std::equal(part.begin(), part.end(), lines.begin() + static_cast<long>(at));
  }
};

size_t depth(const Shown& shown, const LazySide& sketch, size_t at) {
  return indentation_of(sketch.lines[shown.numbers[at]]).size();
}

std::vector<std::string_view> not_blank(const std::vector<std::string>& lines, size_t begin,
                                        size_t end) {
  std::vector<std::string_view> out;
  for (size_t i = begin; i < end; ++i)
    if (const std::string_view line = trimmed(lines[i]); !line.empty()) out.push_back(line);
  return out;
}

// True if the lines end a block: an elision follows at `at`, outside of all that goes, below a
// blank line or a line that leaves the block. It stands for what comes after the block.
bool ends_above_elision(const Shown& shown, const LazySide& sketch, size_t at,
                        std::span<const std::string> removed, std::string_view last) {
  if (at == 0 || at >= shown.lines.size() || !shown.lines[at].empty()) return false;
  const size_t outside = depth(shown, sketch, at);
  return outside < depth(shown, sketch, at - 1) &&
         std::ranges::all_of(
             removed,
             [&](const std::string& line) { return is_blank(line) || depth_of(line) > outside; }) &&
         (is_blank(sketch.lines[shown.numbers[at] - 1]) || leaves_block(last));
}

bool shows_removal(const Shown& shown, const LazySide& sketch, const LazySide& file,
                   const LineEdit& edit, std::string_view behind,
                   const std::vector<std::string_view>& added) {
  size_t before = edit.begin;
  while (before > 0 && trimmed(file.lines[before - 1]).empty()) --before;
  std::vector<std::string_view> part = added;
  if (!behind.empty()) part.push_back(behind);
  const std::string_view above = before > 0 ? trimmed(file.lines[before - 1]) : std::string_view();
  if (part.empty()) return shown.lines.empty() || shown.lines.back() == above;
  const auto places = shown.places.find(part[0]);
  if (places == shown.places.end()) return false;
  const std::span<const std::string> removed(file.lines.begin() + static_cast<long>(edit.begin),
                                             file.lines.begin() + static_cast<long>(edit.end));
  return std::ranges::any_of(places->second, [&](size_t at) {
    if (!shown.has_at(part, at) &&
        (!shown.has_at(added, at) ||
         !ends_above_elision(shown, sketch, at + added.size(), removed, added.back())))
      return false;
    if (at == 0) return before == 0;
    // Above is the line that stays, or the elided body of what stays.
    return shown.lines[at - 1] == above ||
           (shown.lines[at - 1].empty() && depth(shown, sketch, at - 1) > depth(shown, sketch, at));
  });
}

// `behind`: the line of the file that comes next; shown there, too, it says where the new lines
// are.
bool is_deeper_below_elision(const Shown& shown, const LazySide& sketch, std::string_view behind,
                             std::span<const std::string_view> added) {
  for (; !added.empty(); added = added.subspan(1)) {
    const auto places = shown.places.find(added[0]);
    if (places == shown.places.end()) continue;
    for (const size_t at : places->second)
      if (at > 0 && shown.lines[at - 1].empty() && shown.has_at(added, at) &&
          depth(shown, sketch, at) > depth(shown, sketch, at - 1) &&
          (behind.empty() || !shown.has_at({&behind, 1}, at + added.size())))
        return true;
  }
  return false;
}

}  // namespace

const LineEdit* unsupported_edit(const LazySide& sketch, const LazySide& file,
                                 std::span<const LineEdit> edits) {
  const Shown shown(sketch);
  for (const LineEdit& edit : edits) {
    const auto removed = not_blank(file.lines, edit.begin, edit.end);
    const auto added = not_blank(edit.lines, 0, edit.lines.size());
    size_t next = edit.end;
    while (next < file.lines.size() && trimmed(file.lines[next]).empty()) ++next;
    const std::string_view behind =
        next < file.lines.size() ? trimmed(file.lines[next]) : std::string_view();
    const bool is_lossy = removed.size() > added.size(), is_new = added.size() > removed.size();
    if ((is_lossy && !shows_removal(shown, sketch, file, edit, behind, added)) ||
        (is_new && is_deeper_below_elision(shown, sketch, behind, added)))
      return &edit;
  }
  return nullptr;
}

}  // namespace bodkin
