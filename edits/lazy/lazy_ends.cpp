#include "edits/lazy/lazy_ends.h"

#include <algorithm>
#include <string>

#include "edits/lazy/lazy_runs.h"
#include "edits/place/tokens.h"
#include "edits/place/write.h"
#include "edits/plan/elision.h"

namespace bodkin {

namespace {

// The last line that is not blank; empty if there is none.
template <class Lines>
std::string_view last_of(const Lines& lines) {
  std::string_view last;
  for (const std::string_view line : lines)
    if (!is_blank(line)) last = line;
  return last;
}

// True if the line neither closes nor leaves out anything.
bool is_inside(std::string_view line) {
  static constexpr std::string_view kClosers[] = {"end", "fi", "done", "esac", "endif"};
  const std::string_view text = trimmed(line);
  return has_word(text) && !text.starts_with("</") && !is_elision(text) &&
         std::ranges::count(kClosers, text) == 0;
}

// True if new lines go into a block whose end is right below them.
bool is_in_a_block(const MappedText& file, const Replacement& edit, std::string_view added) {
  if (added.empty()) return false;
  size_t next = file.line_at(edit.offset + edit.length);
  if (file.begin_of(next) < edit.offset + edit.length) ++next;
  while (next < file.line_count() && is_blank(file.line(next))) ++next;
  if (next >= file.line_count()) return false;
  const std::string_view below = file.line(next);
  return !has_word(below) && indentation_of(below).size() < indentation_of(added).size();
}

// True if the removed lines are the body of the line above them, with which the sketch ends.
bool takes_body(const MappedText& file, const Replacement& edit,
                const std::vector<std::string>& goes, std::string_view last) {
  size_t above = file.line_at(edit.offset);
  while (above > 0 && is_blank(file.line(above - 1))) --above;
  const auto first =
      std::ranges::find_if(goes, [](std::string_view line) { return !is_blank(line); });
  return above > 0 && first != goes.end() && trimmed(file.line(above - 1)) == trimmed(last) &&
         indentation_of(*first).size() > indentation_of(last).size();
}

// True if the line replaces the file's last line and others, with no word in common.
bool takes_files_end(const MappedText& file, const Replacement& edit, std::string_view added) {
  if (edit.length == 0 || file.bytes().find_first_not_of(" \t\r\n", edit.offset + edit.length) !=
                              std::string_view::npos)
    return false;
  const std::vector<std::string> goes = lines_of(file.bytes().substr(edit.offset, edit.length));
  if (goes.size() <= lines_of(edit.text).size()) return false;
  const std::vector<std::string_view> words = tokens_of(added);
  const std::vector<std::string_view> own = tokens_of(last_of(goes));
  return std::ranges::any_of(own, has_word) &&
         std::ranges::none_of(own, [&](std::string_view word) {
           return has_word(word) && std::ranges::count(words, word) > 0;
         });
}

bool is_placed_by_depth(const ReplyLines& sketch, const MappedText& file) {
  constexpr size_t kMost = 64;  // places of a line
  const auto is_solid = [](std::string_view line) { return !is_blank(line); };
  auto line = std::ranges::find_if(sketch.lines, is_solid);
  if (line == sketch.lines.end() || !is_elision(*line)) return false;
  const size_t outer = indentation_of(*line).size();
  bool is_first = true, at_other_depths = false;
  for (++line; line != sketch.lines.end() && !is_elision(*line); ++line) {
    if (!has_word(*line)) continue;
    if (is_first && indentation_of(*line).size() <= outer) return false;
    is_first = false;
    std::vector<size_t> found;
    if (!file.lines_with(trimmed(*line), kMost, found)) continue;
    if (found.size() == 1) return false;
    at_other_depths = at_other_depths || std::ranges::any_of(found, [&](size_t at) {
                        return indentation_of(file.line(at)) != indentation_of(*line);
                      });
  }
  return at_other_depths;
}

}  // namespace

FailureOr<void> check_ends(const ReplyLines& sketch, const MappedText& file,
                           const std::vector<Replacement>& edits) {
  if (is_placed_by_depth(sketch, file))
    return lazy_error(FailureKind::ambiguous, 0, "the file has its lines at more than one depth",
                      "show the heads of the blocks "
                      "that they are in");
  const std::string_view last = last_of(sketch.lines);
  if (is_elision(last) ||
      std::ranges::none_of(sketch.lines, [](std::string_view line) { return is_elision(line); }))
    return {};
  for (const Replacement& edit : edits) {
    const std::vector<std::string> comes = lines_of(edit.text);
    const std::string_view added = last_of(comes);
    const std::vector<std::string> goes = lines_of(file.bytes().substr(edit.offset, edit.length));
    const auto is_solid = [](std::string_view line) { return !is_blank(line); };
    if (added.empty() ? !takes_body(file, edit, goes, last)
                      : trimmed_right(added) != trimmed_right(last))
      continue;
    const bool is_less =
        std::ranges::count_if(goes, is_solid) > std::ranges::count_if(comes, is_solid);
    if ((is_less && is_inside(last)) || is_in_a_block(file, edit, added) ||
        takes_files_end(file, edit, added))
      return lazy_error(FailureKind::ambiguous, 0, "it ends inside a block of the file",
                        "write `... existing code ...` for "
                        "what follows, or show all of the block");
  }
  return {};
}

}  // namespace bodkin
