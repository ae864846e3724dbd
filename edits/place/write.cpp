#include "edits/place/write.h"

#include "edits/plan/diff.h"
#include "edits/text/pieces.h"

namespace bodkin {
namespace {

using Kind = HunkLine::Kind;

// Adds an edit after the others. Where the last lines of a file without a final line end go, the
// edit begins with the line end before them, which the edit there may have written or taken.
void join(const MappedText& file, std::vector<Replacement>& edits, Replacement edit) {
  if (edit.length == 0 && edit.text.empty()) return;
  const size_t behind = edits.empty() ? 0 : edits.back().offset + edits.back().length;
  if (edits.empty() || edit.offset > behind) {
    edits.push_back(std::move(edit));
    return;
  }
  Replacement& last = edits.back();
  const size_t end = edit.offset + edit.length;
  if (edit.offset < behind && last.text.empty()) {
    const size_t line = file.line_at(last.offset);
    if (line > 0) last.offset = file.end_of(line - 1);
  } else if (edit.offset < behind) {
    if (last.text.ends_with('\n')) last.text.pop_back();
    if (last.text.ends_with('\r')) last.text.pop_back();
  }
  last.length = end - last.offset;
  last.text += edit.text;
}

std::vector<Replacement> edits_of_lines(const MappedText& file, const Hunk& hunk,
                                        const Place& place) {
  std::vector<Replacement> edits;
  size_t at = place.first;  // the file's line before which to write
  const DiffHunk* const diff = hunk.as<DiffHunk>();
  const std::optional<bool> final_newline = diff ? diff->final_newline : std::nullopt;
  size_t old = 0, old_count = 0;
  for (const HunkLine& line : hunk.lines) old_count += line.kind != Kind::added;
  for (size_t i = 0; i < hunk.lines.size();) {
    if (hunk.lines[i].kind == Kind::context) {
      const size_t line = place.line_for(old++);
      if (line != kNoLine) at = line + 1;
      ++i;
      continue;
    }
    // A run of removed and added lines. Where the removed lines are apart, each is removed by
    // itself and the added lines take the place of the first.
    std::vector<std::string> added;
    std::vector<size_t> removed;
    for (; i < hunk.lines.size() && hunk.lines[i].kind != Kind::context; ++i) {
      if (hunk.lines[i].kind == Kind::added) {
        added.push_back(hunk.lines[i].text);
      } else if (const size_t line = place.line_for(old++); line != kNoLine) {
        removed.push_back(line);
      }
    }
    if (removed.empty()) {
      // Added lines hang on the line that they are next to: after an elision on the one below.
      if (place.quality == MatchQuality::elision && old > 0 && place.line_for(old - 1) == kNoLine &&
          old < old_count && place.line_for(old) != kNoLine)
        at = place.line_for(old);
      join(file, edits, whole_lines(file, at, at, added, final_newline));
      continue;
    }
    for (size_t r = 0; r < removed.size();) {
      size_t end = r + 1;
      while (end < removed.size() && removed[end] == removed[end - 1] + 1) ++end;
      join(file, edits, whole_lines(file, removed[r], removed[end - 1] + 1, added, final_newline));
      added.clear();
      r = end;
    }
    at = removed.back() + 1;
  }
  return edits;
}

std::vector<Replacement> edits_of_substring(const MappedText& file, const Hunk& hunk,
                                            const Place& place) {
  std::string text;
  const std::vector<std::string_view> lines = new_side(hunk);
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) text += file.line_end_near(place.first + 1);
    text += lines[i];
  }
  size_t offset = place.offset;
  const size_t end = place.offset + place.length;
  // The first line lost its indentation in the quote alone: the new text's takes the file's place.
  const std::string_view before =
      file.bytes().substr(file.begin_of(place.first), offset - file.begin_of(place.first));
  const std::string_view own = indentation_of(text);
  const bool lost = !own.empty() && own != indentation_of(old_side(hunk).front());
  if (lost && is_blank(before) && (place.last > place.first + 1 || own == before))
    offset = file.begin_of(place.first);
  std::string_view old = file.bytes().substr(offset, end - offset);
  std::string_view now = text;
  while (!old.empty() && !now.empty() && old.front() == now.front()) {
    old.remove_prefix(1), now.remove_prefix(1), ++offset;
  }
  while (!old.empty() && !now.empty() && old.back() == now.back()) {
    old.remove_suffix(1), now.remove_suffix(1);
  }
  if (old.empty() && now.empty()) return {};
  return {{offset, old.size(), std::string(now)}};
}

}  // namespace

std::vector<std::string> lines_of(std::string_view bytes) {
  const auto lines = split_lines(bytes, Returns::dropped);
  return {lines.begin(), lines.end()};
}

Replacement whole_lines(const MappedText& file, size_t first, size_t last,
                        const std::vector<std::string>& lines, std::optional<bool> final_newline) {
  const size_t count = file.line_count();
  const bool at_end = last == count;
  const bool had_newline = count == 0 || !file.line_end(count - 1).empty();
  const bool newline_at_end = at_end && final_newline ? *final_newline : had_newline;
  Replacement out;
  out.offset = file.begin_of(first);
  out.length = file.begin_of(last) - out.offset;
  size_t size = 0;
  for (const std::string& line : lines) size += line.size() + 2;
  out.text.reserve(size);
  for (size_t i = 0; i < lines.size(); ++i) {
    out.text += lines[i];
    if (at_end && i + 1 == lines.size() && !newline_at_end) continue;
    const size_t replaced = first + i;  // the line whose place this one takes
    out.text += replaced < last && !file.line_end(replaced).empty() ? file.line_end(replaced)
                                                                    : file.line_end_near(first);
  }
  if (!at_end || count == 0) return out;
  if (lines.empty()) {
    // The last lines go: the line before them becomes the last one and ends like the file did.
    if (first > 0 && last > first && !newline_at_end) {
      out.length += out.offset - file.end_of(first - 1);
      out.offset = file.end_of(first - 1);
    }
  } else if (last == first && !had_newline) {
    out.text.insert(0, file.line_end_near(count));  // after an open last line
  }
  return out;
}

std::vector<Replacement> edits_at(const MappedText& file, const Hunk& hunk, const Place& place) {
  const Hunk& read = place.hunk ? *place.hunk : hunk;
  std::vector<Replacement> edits = place.within_lines ? edits_of_substring(file, read, place)
                                                      : edits_of_lines(file, read, place);
  std::erase_if(edits, [&](const Replacement& edit) {
    return file.bytes().substr(edit.offset, edit.length) == edit.text;
  });
  return edits;
}

Text with_edits(const Text& before, const std::vector<Replacement>& edits) {
  // Text::replace costs a chunk or two each time; a new text costs all of it once.
  constexpr size_t kChunk = 32 * 1024;
  Text text = before;
  if (edits.size() <= 1 || edits.size() * kChunk < before.size()) {
    for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit)
      text = text.replace(edit->offset, edit->length, edit->text);
    return text;
  }
  const std::string old = before.str();
  std::string bytes;
  bytes.reserve(old.size());
  size_t at = 0;
  for (const Replacement& edit : edits) {
    bytes.append(old, at, edit.offset - at).append(edit.text);
    at = edit.offset + edit.length;
  }
  return Text(bytes.append(old, at));
}

}  // namespace bodkin
