#include "edits/lazy/lazy_losses.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>

#include "edits/formats/reply_lines.h"
#include "edits/lazy/lazy_runs.h"
#include "edits/place/leaves_out.h"
#include "edits/place/tokens.h"
#include "edits/place/write.h"
#include "edits/plan/elision.h"

namespace bodkin {

namespace {

// Does the sketch's first or last line replace lines at that end of the file, with no word in
// common? A remark there was rather meant to stand for them.
bool replaces_file_edge(const ReplyLines& sketch, const MappedText& file, const Replacement& edit,
                        const Hunk& hunk) {
  for (const bool top : {true, false}) {
    if (edit.length == 0 ||
        (top ? edit.offset != 0 : edit.offset + edit.length < file.end_of(file.line_count() - 1)))
      continue;
    std::string_view shown, added;
    for (const std::string_view line : sketch.lines)
      if (!is_blank(line) && (!top || shown.empty())) shown = trimmed(line);
    std::set<std::string_view> words;
    for (const HunkLine& line : hunk.lines) {
      if (is_blank(line.text)) continue;
      if (line.kind == HunkLine::Kind::removed) {
        for (const std::string_view word : tokens_of(line.text))
          if (has_word(word)) words.insert(word);
      } else if (!top || added.empty()) {
        added = trimmed(line.text);
      }
    }
    if (added.empty() || added != shown || !is_comment_or_prose(added)) continue;
    const std::vector<std::string_view> own = tokens_of(added);
    if (std::ranges::none_of(own, [&](std::string_view word) { return words.contains(word); }))
      return true;
  }
  return false;
}

// Does the sketch begin or end with an elision, and does the edit drop lines at that end of the
// file?
bool drops_elided_edge(const ReplyLines& sketch, const MappedText& file, const Replacement& edit,
                       const Hunk& hunk) {
  size_t goes = 0, comes = 0;
  for (const HunkLine& line : hunk.lines)
    if (!is_blank(line.text)) ++(line.kind == HunkLine::Kind::removed ? goes : comes);
  if (goes <= comes) return false;
  const auto is_solid = [](std::string_view line) { return !is_blank(line); };
  const auto first = std::ranges::find_if(sketch.lines, is_solid);
  const auto last = std::find_if(sketch.lines.rbegin(), sketch.lines.rend(), is_solid);
  if (first == sketch.lines.end()) return false;
  const auto is_empty = [](std::string_view text) {
    return text.find_first_not_of(" \t\r\n") == text.npos;
  };
  return (is_empty(file.bytes().substr(0, edit.offset)) && is_elision(*first)) ||
         (is_empty(file.bytes().substr(edit.offset + edit.length)) && is_elision(*last));
}

// Are most lines that an edit adds lines of the file but for their indentation, and does the file
// keep those? Then the sketch has lost its indentation, and means them rather than copies.
bool copies_lines(const MappedText& file, const std::vector<Replacement>& edits) {
  constexpr size_t kFewest = 3;
  std::unordered_map<std::string_view, std::vector<std::string_view>> kept;  // their indentations
  size_t next = 0;
  for (size_t i = 0; i < file.line_count(); ++i) {
    const std::string_view line = file.line(i);
    while (next < edits.size() && edits[next].offset + edits[next].length <= file.begin_of(i))
      ++next;
    const bool goes = next < edits.size() && edits[next].offset <= file.begin_of(i);
    if (goes || !has_word(line)) continue;
    auto& all = kept[trimmed(line)];
    if (std::ranges::find(all, indentation_of(line)) == all.end())
      all.push_back(indentation_of(line));
  }
  return std::ranges::any_of(edits, [&](const Replacement& edit) {
    size_t lines = 0, moved = 0;
    for (const std::string& line : lines_of(edit.text)) {
      if (!has_word(line)) continue;
      ++lines;
      const auto found = kept.find(trimmed(line));
      moved += found != kept.end() &&
               std::ranges::find(found->second, indentation_of(line)) == found->second.end();
    }
    return moved >= kFewest && moved * 2 > lines;
  });
}

}  // namespace

Result<void> check_for_losses(std::string_view sketch, const Text& file, std::string_view path,
                              const std::vector<Replacement>& edits) {
  const MappedText mapped(file);
  const ReplyLines reply(sketch);
  if (copies_lines(mapped, edits))
    return lazy_error(Error::Code::ambiguous, 0,
                      "it would add lines that are already in the file with a different "
                      "indentation; write them as they are indented in the file");
  for (const Replacement& edit : edits) {
    Hunk hunk;
    for (std::string& line : lines_of(mapped.bytes().substr(edit.offset, edit.length)))
      hunk.lines.push_back({HunkLine::Kind::removed, std::move(line)});
    for (std::string& line : lines_of(edit.text))
      hunk.lines.push_back({HunkLine::Kind::added, std::move(line)});
    if (drops_elided_edge(reply, mapped, edit, hunk))
      return lazy_error(Error::Code::ambiguous, 0,
                        "it omits lines at the beginning or end of the file that would then be "
                        "removed; show the unchanged lines next to `... existing code ...`");
    if (leaves_out(hunk, "", kind_of(path), &mapped) ||
        replaces_file_edge(reply, mapped, edit, hunk))
      return lazy_error(Error::Code::ambiguous, 0,
                        "one of its comments would replace lines of the file; if those lines stay, "
                        "write `... existing code ...`");
  }
  return {};
}

}  // namespace bodkin
