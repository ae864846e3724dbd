// More than 350 lines: the questions that a finished merge must answer, each by the same lines of
// sketch and file.
#include "edits/lazy/lazy_losses.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>

#include "edits/formats/reply_lines.h"
#include "edits/lazy/lazy_region.h"
#include "edits/lazy/lazy_repeats.h"
#include "edits/lazy/lazy_runs.h"
#include "edits/lazy/lazy_words.h"
#include "edits/place/leaves_out.h"
#include "edits/place/tokens.h"
#include "edits/place/write.h"
#include "edits/plan/elision.h"
#include "edits/text/stopping.h"

namespace bodkin {

namespace {

// True if the sketch's first or last line replaces lines at that end of the file, with no word in
// common. A remark there was probably meant to stand for them.
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

// True if most lines that an edit adds are lines of the file but for their indentation, and the
// file keeps those. Then the sketch has lost its indentation, and means them rather than copies.
bool copies_lines(const MappedText& file, const std::vector<Replacement>& edits) {
  constexpr size_t kFewest = 3, kFewestInARow = 2, kFewestTokens = 4;
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
    size_t lines = 0, moved = 0, in_a_row = 0, most_in_a_row = 0;
    for (const std::string& line : lines_of(edit.text)) {
      if (!has_word(line)) continue;
      ++lines;
      const auto found = kept.find(trimmed(line));
      const bool is_moved =
          found != kept.end() &&
          std::ranges::find(found->second, indentation_of(line)) == found->second.end();
      moved += is_moved;
      in_a_row = is_moved && tokens_of(line).size() >= kFewestTokens ? in_a_row + 1 : 0;
      most_in_a_row = std::max(most_in_a_row, in_a_row);
    }
    return (moved >= kFewest && moved * 2 > lines) || most_in_a_row >= kFewestInARow;
  });
}

// The file's lines that are not blank, and where each of them is.
struct SolidLines {
  std::vector<std::string_view> lines;
  std::vector<size_t> offsets;
  std::unordered_map<std::string_view, std::vector<size_t>> places;  // in `lines`, by trimmed text

  explicit SolidLines(const MappedText& file) {
    for (size_t i = 0; i < file.line_count(); ++i) {
      if (is_blank(file.line(i))) continue;
      places[trimmed(file.line(i))].push_back(lines.size());
      lines.push_back(file.line(i));
      offsets.push_back(file.begin_of(i));
    }
  }
};

// The sketch's lines that are not blank, trimmed, and how often it has each.
struct ShownLines {
  std::vector<std::string_view> lines;
  std::unordered_map<std::string_view, size_t> times;

  explicit ShownLines(const ReplyLines& sketch) {
    for (const std::string_view line : sketch.lines) {
      if (is_blank(line)) continue;
      lines.push_back(trimmed(line));
      ++times[lines.back()];
    }
  }
  size_t count(std::string_view line) const {
    const auto found = times.find(trimmed(line));
    return found == times.end() ? 0 : found->second;
  }
};

// If an edit adds an entry, a head and its deeper lines, that the file keeps under another head
// that the sketch does not show, or one with a head that the file keeps, the entry is that one,
// changed: the line of the file, else nothing.
std::optional<std::string_view> entry_added_again(const SolidLines& file, const ShownLines& shown,
                                                  bool has_tables,
                                                  const std::vector<Replacement>& edits) {
  constexpr size_t kFewestWords = 3, kMaxPlaces = 64;  // of a body
  const auto depth = [&](std::string_view line) {      // the keys of a table are not indented
    return has_tables && line.starts_with('[') ? 0 : indentation_of(line).size() + has_tables;
  };
  const auto goes = [&](size_t line) {
    return std::ranges::any_of(edits, [&](const Replacement& edit) {
      return edit.offset <= file.offsets[line] && file.offsets[line] < edit.offset + edit.length;
    });
  };
  for (const Replacement& edit : edits) {
    if (is_stopped()) break;
    const std::vector<std::string> text = lines_of(edit.text);
    std::vector<std::string_view> added;
    for (const std::string& line : text)
      if (!is_blank(line)) added.push_back(line);
    size_t outermost = std::string::npos;
    for (const std::string_view line : added) outermost = std::min(outermost, depth(line));
    const size_t next = static_cast<size_t>(
        std::ranges::lower_bound(file.offsets, edit.offset + edit.length) - file.offsets.begin());
    for (size_t i = 0; i + 1 < added.size(); ++i) {
      size_t end = i + 1, words = 0;
      for (; end < added.size() && depth(added[end]) > depth(added[i]); ++end)
        words += static_cast<size_t>(std::ranges::count_if(tokens_of(added[end]), has_word));
      const bool says_nothing =
          std::none_of(added.begin() + static_cast<long>(i) + 1,
                       added.begin() + static_cast<long>(end), says_something);
      if ((words < kFewestWords && says_nothing) || !has_word(added[i]) ||
          depth(added[i]) > outermost)
        continue;
      const auto bodies = file.places.find(trimmed(added[i + 1]));
      // What occurs in many places says nothing.
      if (bodies == file.places.end() || bodies->second.size() > kMaxPlaces) continue;
      for (const size_t body : bodies->second) {
        size_t equal = 0;
        while (i + 1 + equal < end && body + equal < file.lines.size() &&
               trimmed(added[i + 1 + equal]) == trimmed(file.lines[body + equal]) &&
               !goes(body + equal))
          ++equal;
        if (equal < end - i - 1 || body == 0 || goes(body - 1)) continue;
        // Of few words many entries have the same, but rather not two beside each other.
        const bool is_beside = body - 1 == next || body + equal == next;
        if (words < kFewestWords && !is_beside) continue;
        // A sketch that ends there may have left out the rest.
        const bool is_all = body + equal == file.lines.size() || end == added.size() ||
                            depth(file.lines[body + equal]) <= depth(added[i]);
        const std::string_view head = file.lines[body - 1];
        const bool is_same = trimmed(head) == trimmed(added[i]);
        if (is_all && depth(head) == depth(added[i]) && shown.count(head) <= is_same) return head;
      }
      i = end - 1;
    }
  }
  return std::nullopt;
}

// True if a new block head is directly above a line that stays and is not deeper.
bool adds_empty_block(const SolidLines& file, const std::vector<Replacement>& edits) {
  return std::ranges::any_of(edits, [&](const Replacement& edit) {
    std::string_view head;
    const std::vector<std::string> text = lines_of(edit.text);
    for (const std::string& line : text)
      if (!is_blank(line)) head = line;
    const auto next = std::ranges::lower_bound(file.offsets, edit.offset + edit.length);
    if (!trimmed(head).ends_with(':') || next == file.offsets.end()) return false;
    const std::string_view below = file.lines[static_cast<size_t>(next - file.offsets.begin())];
    return indentation_of(below).size() <= indentation_of(head).size();
  });
}

// True if an edit adds a heading that the file keeps and the sketch shows once, or a table or
// section of data between the keys of another.
bool misplaces_section(const SolidLines& file, const ShownLines& shown, std::string_view path,
                       const std::vector<Replacement>& edits) {
  const bool is_prose = path.ends_with(".md") || path.ends_with(".markdown");
  const bool is_data = path.ends_with(".toml") || path.ends_with(".ini") || path.ends_with(".cfg");
  if (!is_prose && !is_data) return false;
  return std::ranges::any_of(edits, [&](const Replacement& edit) {
    const std::vector<std::string> text = lines_of(edit.text);
    const auto is_head = [&](const std::string& line) {
      return line.starts_with(is_data ? '[' : '#');
    };
    if (edit.length > 0 || std::ranges::none_of(text, is_head)) return false;
    if (is_data) {
      const auto next = std::ranges::lower_bound(file.offsets, edit.offset);
      return next != file.offsets.end() && *next == edit.offset && !is_blank(text.back()) &&
             !trimmed(file.lines[static_cast<size_t>(next - file.offsets.begin())])
                  .starts_with('[');
    }
    return std::ranges::any_of(text, [&](const std::string& line) {
      return is_head(line) && file.places.contains(trimmed(line)) && shown.count(line) < 2;
    });
  });
}

// True if new lines repeat the file's own lines above or below: at least half of them are the same
// and the others nearly so, or each is nearly so (several, or with a blank line), and the sketch
// shows them only once. Then they are those, changed: a blank line next to an elision does not say
// what else is there.
bool repeats_neighbours(const SolidLines& file, const ShownLines& shown,
                        const std::vector<Replacement>& edits) {
  constexpr size_t kFewest = 4;  // lines, where one is changed
  const auto is_shown_twice = [&](const std::vector<std::string_view>& added) {
    std::vector<std::string_view> twice = added;
    twice.insert(twice.end(), added.begin(), added.end());
    return !std::ranges::search(shown.lines, twice).empty();
  };
  return std::ranges::any_of(edits, [&](const Replacement& edit) {
    std::vector<std::string_view> added;
    const std::vector<std::string> text = lines_of(edit.text);
    for (const std::string& line : text)
      if (!is_blank(line)) added.push_back(trimmed(line));
    if (edit.length > 0 || std::ranges::none_of(added, has_word)) return false;
    const size_t below = static_cast<size_t>(std::ranges::lower_bound(file.offsets, edit.offset) -
                                             file.offsets.begin());
    for (size_t count = 2; count < added.size(); ++count)
      for (const bool is_above : {true, false}) {
        if (is_above ? below < count : below + count > file.lines.size()) continue;
        const size_t own = is_above ? 0 : added.size() - count;
        const auto begin = file.lines.begin() + static_cast<long>(is_above ? below - count : below);
        const std::span<const std::string_view> part(added.data() + own, count);
        if (std::ranges::equal(part, std::span(begin, begin + static_cast<long>(count)), {}, {},
                               trimmed) &&
            std::ranges::any_of(part, says_something) &&
            !is_shown_twice({part.begin(), part.end()}))
          return true;
      }
    for (const bool is_above : {true, false}) {
      if (is_above ? below < added.size() : below + added.size() > file.lines.size()) continue;
      const size_t first = is_above ? below - added.size() : below;
      size_t differing = 0;
      // One line alone may be like another and new.
      bool is_changed = true, are_all_changed = text.size() > 1;
      for (size_t i = 0; i < added.size(); ++i) {
        const std::string_view own = trimmed(file.lines[first + i]);
        if (own == added[i]) {
          is_changed =
              is_changed && (!has_word(own) || own.starts_with("</") || shown.count(own) < 2);
        } else {
          ++differing;
          const size_t distance = 2 * token_distance(own, added[i]), tokens = tokens_of(own).size();
          const std::string_view key = key_in(own), other = key_in(added[i]);
          is_changed = is_changed && shown.count(own) == 0 && distance <= tokens &&
                       (added.size() > 1 || key.empty() || other.empty() || key == other);
          are_all_changed = are_all_changed && distance < tokens;
        }
      }
      if (differing == 0
              ? !is_shown_twice(added)
              : is_changed && (differing == added.size()
                                   ? are_all_changed
                                   : 2 * differing <= added.size() && added.size() >= kFewest))
        return true;
    }
    return false;
  });
}

// What an edit takes and brings, without blank lines, and what stays next to it.
struct Taken {
  std::vector<std::string_view> goes, comes;
  std::string_view above, below, deeper;  // `deeper`: the line after `below`
};

Taken taken_by(const SolidLines& file, const Replacement& edit,
               const std::vector<std::string>& text) {
  const auto at = [&](size_t offset) {
    return static_cast<size_t>(std::ranges::lower_bound(file.offsets, offset) -
                               file.offsets.begin());
  };
  const size_t begin = at(edit.offset), end = at(edit.offset + edit.length);
  Taken out;
  out.goes.assign(file.lines.begin() + static_cast<long>(begin),
                  file.lines.begin() + static_cast<long>(end));
  for (const std::string& line : text)
    if (!is_blank(line)) out.comes.push_back(line);
  if (begin > 0) out.above = file.lines[begin - 1];
  if (end < file.lines.size()) out.below = file.lines[end];
  if (end + 1 < file.lines.size()) out.deeper = file.lines[end + 1];
  return out;
}

// True if a sketch that changes other lines shows two lines next to each other that have many
// between them which are not an entry, or what belongs to the head below them: a comment above an
// elided body, statements between two blocks. An elision was probably forgotten there.
bool forgets_elision(const Taken& taken, const ReplyLines& sketch, bool brings) {
  constexpr size_t kMany = 4, kOfEntry = 2;  // lines, and of those the outermost in one entry
  if (!taken.comes.empty() || taken.goes.empty()) return false;
  size_t code = 0, outermost = std::string::npos, at_level = 0;
  for (const std::string_view line : taken.goes) {
    if (!has_word(line) || is_comment_or_prose(trimmed(line))) continue;
    ++code;
    const size_t depth = depth_of(line);
    if (depth < outermost) at_level = 0;
    outermost = std::min(outermost, depth);
    at_level += depth == outermost;
  }
  if (code >= kMany && at_level > kOfEntry) return true;
  const bool is_above_head = depth_of(taken.deeper) > depth_of(taken.below) &&
                             depth_of(taken.goes.back()) == depth_of(taken.below);
  if (!is_above_head || at_level > kOfEntry || code > at_level) return false;
  if (code > 0 && outermost == 0 && ends_block(taken.above)) return true;
  bool is_below = false;
  for (const std::string_view line : sketch.lines) {
    if (is_blank(line)) continue;
    if (is_below && is_elision(line)) return brings;
    is_below = trimmed(line) == trimmed(taken.below);
  }
  return false;
}

// True if the sketch, which leaves lines out, ends within a block of the file: the lines that it
// ends with take the place of more, or go into a block whose end it does not show.
bool ends_within_block(const Taken& taken, std::string_view last, bool is_less) {
  if (ends_block(last) || is_elision(last)) return false;
  const bool is_end = taken.comes.empty() ? trimmed(taken.above) == trimmed(last)
                                          : trimmed(taken.comes.back()) == trimmed(last);
  if (!is_end) return false;
  return is_less || (!taken.comes.empty() && ends_block(taken.below) && !taken.below.empty() &&
                     depth_of(taken.below) < depth_of(last));
}

}  // namespace

FailureOr<void> check_for_losses(std::string_view sketch, const Text& file, std::string_view path,
                                 const std::vector<Replacement>& edits) {
  const MappedText mapped(file);
  const ReplyLines reply(sketch);
  if (copies_lines(mapped, edits))
    return lazy_error(FailureKind::ambiguous, 0,
                      "it would add lines that are already in the file with a different "
                      "indentation",
                      "write them as they are indented in the file");
  if (edits.empty()) return {};
  const SolidLines solid(mapped);
  const ShownLines shown(reply);
  if (const auto entry = entry_added_again(solid, shown, path.ends_with(".toml"), edits))
    return lazy_error(
        FailureKind::ambiguous, 0,
        "what it adds may be `" + std::string(trimmed(*entry)) + "` of the file, changed",
        "show that, too, if it stays");
  if (path.ends_with(".py") && adds_empty_block(solid, edits))
    return lazy_error(FailureKind::ambiguous, 0, "the lines below a new block would not be in it",
                      "write them, too");
  if (misplaces_section(solid, shown, path, edits))
    return lazy_error(FailureKind::ambiguous, 0,
                      "it is not clear which section of the file it means",
                      "show the heading above and the one below each change");
  if (const auto line = line_added_again(reply.lines, mapped, path, edits))
    return lazy_error(FailureKind::ambiguous, 0,
                      "it would add `" + *line + "` to a block that has this line",
                      "show both if it is to be there twice");
  if (repeats_neighbours(solid, shown, edits))
    return lazy_error(FailureKind::ambiguous, 0,
                      "it would add lines beside the same ones of the file",
                      "show both if they are to be there twice");
  const bool brings = std::ranges::any_of(edits, [](const Replacement& edit) {
    return edit.text.find_first_not_of(" \t\r\n") != edit.text.npos;
  });
  const bool elides = std::ranges::any_of(reply.lines, [](auto line) { return is_elision(line); });
  for (const Replacement& edit : edits) {
    std::vector<std::string> gone = lines_of(mapped.bytes().substr(edit.offset, edit.length));
    std::vector<std::string> text = lines_of(edit.text);
    const Taken taken = taken_by(solid, edit, text);
    const bool is_less = taken.goes.size() > taken.comes.size();
    if (forgets_elision(taken, reply, brings))
      return lazy_error(FailureKind::ambiguous, 0,
                        "it would remove lines between two that it shows beside each other",
                        "write `... existing code ...` there if they stay, or remove them in an "
                        "edit that changes nothing else");
    if (elides && ends_within_block(taken, shown.lines.back(), gone.size() > text.size()))
      return lazy_error(FailureKind::ambiguous, 0, "it ends inside a block of the file",
                        "write `... existing code ...` for what follows, or show all of the block");
    if (is_less && ((taken.above.empty() && is_elision(shown.lines.front())) ||
                    (taken.below.empty() && is_elision(shown.lines.back()))))
      return lazy_error(FailureKind::ambiguous, 0,
                        "it omits lines at the beginning or end of the file that would then be "
                        "removed",
                        "show the unchanged lines next to `... existing code ...`");
    Hunk hunk;
    for (std::string& line : gone) hunk.lines.push_back({HunkLine::Kind::removed, std::move(line)});
    for (std::string& line : text) hunk.lines.push_back({HunkLine::Kind::added, std::move(line)});
    if (leaves_out(hunk, "", kind_of(path), &mapped) ||
        replaces_file_edge(reply, mapped, edit, hunk))
      return lazy_error(FailureKind::ambiguous, 0,
                        "one of its comments would replace lines of the file",
                        "if those lines stay, "
                        "write `... existing code ...`");
  }
  return {};
}

}  // namespace bodkin
