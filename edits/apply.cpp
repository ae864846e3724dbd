// Applying a plan: every file is resolved, every hunk is placed against the one snapshot of its
// file, and only when all hunks have a place are the bytes made. What the file has is kept as the
// file has it; only removed lines go and added lines come.
#include "edits/apply.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "edits/diff.h"
#include "edits/lazy.h"
#include "edits/match.h"

namespace bodkin {

std::string_view name_of(MatchQuality quality) {
  static constexpr std::string_view kNames[] = {
      "exact",      "substring", "trailing_space", "punctuation", "indentation", "trimmed",
      "whitespace", "cosmetic",  "elision",        "gaps",        "fuzzy"};
  return kNames[static_cast<size_t>(quality)];
}

std::string_view name_of(FailureKind kind) {
  static constexpr std::string_view kNames[] = {"ambiguous", "not_found", "conflict",  "truncated",
                                                "malformed", "exists",    "stale_path"};
  return kNames[static_cast<size_t>(kind)];
}

namespace {

using Kind = HunkLine::Kind;

std::string made_visible(std::string_view line) {
  std::string out;
  const size_t indentation = indentation_of(line).size();
  const size_t last = line.find_last_not_of(" \t");
  for (size_t i = 0; i < line.size() && i < 200; ++i) {
    const bool edge = i < indentation || last == std::string_view::npos || i > last;
    if (edge && line[i] == ' ') {
      out += "·";
    } else if (line[i] == '\t') {
      out += "→";
    } else if (line[i] == '\r') {
      out += "␍";
    } else {
      out += line[i];
    }
  }
  if (line.size() > 200) out += "…";
  return out;
}

std::string listed(const std::vector<size_t>& lines) {
  std::string out;
  const size_t shown = std::min<size_t>(lines.size(), 12);
  for (size_t i = 0; i < shown; ++i)
    out += fmt::format("{}{}", i == 0 ? "" : i + 1 == lines.size() ? " and " : ", ", lines[i]);
  if (shown < lines.size()) out += fmt::format(" and {} more", lines.size() - shown);
  return out;
}

// ---- paths ----

std::string cleaned(std::string_view path) {
  while (!path.empty() && std::string_view(" \t`'\"*").find(path.front()) != std::string_view::npos)
    path.remove_prefix(1);
  while (!path.empty() && std::string_view(" \t`'\"*:").find(path.back()) != std::string_view::npos)
    path.remove_suffix(1);
  std::string out(path);
  std::replace(out.begin(), out.end(), '\\', '/');
  while (out.starts_with("./")) out.erase(0, 2);
  return out;
}

// A path that no edit may name, and why.
std::optional<std::string> forbidden(std::string_view path) {
  if (path.empty()) return "the edit names no file";
  if (path.starts_with('/') || (path.size() > 1 && path[1] == ':'))
    return fmt::format("{} is an absolute path; give one inside the workspace", path);
  if (path.find('\0') != std::string_view::npos) return "the path holds a NUL byte";
  for (size_t at = 0; at <= path.size();) {
    const size_t end = std::min(path.find('/', at), path.size());
    const std::string_view part = path.substr(at, end - at);
    if (part == "..") return fmt::format("{} leaves the workspace", path);
    if (part == ".git") return fmt::format("{} is inside .git, which is not edited", path);
    at = end + 1;
  }
  return std::nullopt;
}

struct Resolved {
  std::string path;
  std::optional<Text> text;
};

Resolved resolved(const Files& files, const std::string& wanted) {
  const std::string path = cleaned(wanted);
  if (auto text = files.read(path)) return {path, std::move(text)};
  if (path.starts_with("a/") || path.starts_with("b/"))
    if (auto text = files.read(path.substr(2))) return {path.substr(2), std::move(text)};
  // Too many or too few leading folders: only if exactly one file fits.
  std::optional<std::string> only;
  for (const std::string& candidate : files.paths()) {
    if (!candidate.ends_with("/" + path) && !path.ends_with("/" + candidate)) continue;
    if (only) return {path, std::nullopt};
    only = candidate;
  }
  if (only)
    if (auto text = files.read(*only)) return {*only, std::move(text)};
  return {path, std::nullopt};
}

// ---- the bytes of one placed hunk ----

// How the added lines' indentation becomes the file's: by the matched old line that has the same
// indentation, nearest first, else by the nearest one and the difference, tabs for blanks where
// the two sides differ in kind.
class Reindent {
 public:
  Reindent(const MappedText& file, const Hunk& hunk, const Place& place) {
    size_t old = 0;
    for (size_t i = 0; i < hunk.lines.size(); ++i) {
      if (hunk.lines[i].kind == Kind::added) continue;
      const size_t line = place.line_of[old++];
      if (line == kNoLine || is_blank(hunk.lines[i].text) || is_blank(file.line(line))) continue;
      pairs_.push_back({i, std::string(indentation_of(hunk.lines[i].text)),
                        std::string(indentation_of(file.line(line)))});
    }
    for (const Pair& pair : pairs_) {
      theirs_tabs_ |= pair.theirs.find('\t') != std::string::npos;
      ours_tabs_ |= pair.ours.find('\t') != std::string::npos;
    }
    // One level in blanks, from the lines of the side that has blanks.
    for (const Pair& pair : pairs_) {
      const auto level = [](const std::string& blanks, const std::string& tabs) -> size_t {
        const auto count = static_cast<size_t>(std::count(tabs.begin(), tabs.end(), '\t'));
        return count == 0 || blanks.size() % count != 0 ? 0 : blanks.size() / count;
      };
      if (ours_tabs_ && !theirs_tabs_ && unit_ == 0) unit_ = level(pair.theirs, pair.ours);
      if (theirs_tabs_ && !ours_tabs_ && unit_ == 0) unit_ = level(pair.ours, pair.theirs);
    }
    // What the whole file does, where its lines round the place do not tell.
    std::map<size_t, size_t> steps;
    size_t before = 0;
    for (size_t i = 0; i < file.lines().size(); ++i) {
      const std::string_view line = file.line(i);
      if (line.empty() || is_blank(line)) continue;
      file_tabs_ |= line[0] == '\t';
      const size_t depth = indentation_of(line).size();
      if (depth > before + 1) ++steps[depth - before];
      before = depth;
    }
    size_t most = 0;
    for (const auto& [step, count] : steps)
      if (unit_ == 0 && count > most) most = count;
    if (unit_ == 0)
      for (const auto& [step, count] : steps)
        if (count == most && unit_ == 0) unit_ = step;
    file_blanks_ = !file_tabs_ && !steps.empty();
    if (unit_ == 0) unit_ = 4;
    missing_prefix_ = is_prefix_missing(hunk);
  }

  // The lines at an exact place need no other indentation, except tabs in a file of blanks.
  bool is_foreign(std::string_view line) const {
    return file_blanks_ && !theirs_tabs_ && indentation_of(line).starts_with('\t');
  }

  std::string operator()(size_t index, const std::string& line) const {
    if (is_blank(line) || missing_prefix_) return line;
    if (pairs_.empty() && !is_foreign(line)) return line;
    const std::string_view theirs = indentation_of(line);
    const std::string_view rest = std::string_view(line).substr(theirs.size());
    const Pair* same = nullptr;
    const Pair* near = nullptr;
    const auto distance = [&](const Pair& pair) {
      return pair.index > index ? pair.index - index : index - pair.index;
    };
    for (const Pair& pair : pairs_) {
      if (pair.theirs == theirs && (!same || distance(pair) < distance(*same))) same = &pair;
      if (!near || distance(pair) < distance(*near)) near = &pair;
    }
    if (same) return same->ours + std::string(rest);
    // The deepest indentation that this one continues.
    const Pair* base = nullptr;
    for (const Pair& pair : pairs_)
      if (theirs.starts_with(pair.theirs) &&
          (!base || pair.theirs.size() > base->theirs.size() ||
           (pair.theirs.size() == base->theirs.size() && distance(pair) < distance(*base))))
        base = &pair;
    if (base) return base->ours + converted(theirs.substr(base->theirs.size())) + std::string(rest);
    if (near && near->theirs.starts_with(theirs)) {
      const std::string less = converted(std::string_view(near->theirs).substr(theirs.size()));
      if (near->ours.ends_with(less))
        return near->ours.substr(0, near->ours.size() - less.size()) + std::string(rest);
    }
    return converted(theirs) + std::string(rest);
  }

 private:
  struct Pair {
    size_t index;
    std::string theirs, ours;
  };

  // A diff whose context lines lack their column of ' ' seems to be indented one less there. Its
  // added lines have their column, as its removed lines show, or their own indentation.
  bool is_prefix_missing(const Hunk& hunk) const {
    bool missing = false, removes = false;
    for (const Pair& pair : pairs_) {
      const bool less = pair.ours == " " + pair.theirs;
      const bool removed = hunk.lines[pair.index].kind == Kind::removed;
      if (pair.ours != pair.theirs && (!less || removed)) return false;
      missing |= less;
      removes |= removed;
    }
    if (!missing || removes) return missing;
    bool all_ours = true, all_theirs = true;
    for (const HunkLine& line : hunk.lines) {
      if (line.kind != Kind::added || is_blank(line.text)) continue;
      const std::string_view own = indentation_of(line.text);
      all_ours &= std::any_of(pairs_.begin(), pairs_.end(), [&](auto& p) { return p.ours == own; });
      all_theirs &=
          std::any_of(pairs_.begin(), pairs_.end(), [&](auto& p) { return p.theirs == own; });
    }
    return all_ours && !all_theirs;
  }

  std::string converted(std::string_view indentation) const {
    if (ours_tabs_ && !theirs_tabs_) {
      const size_t blanks = indentation.size();
      return std::string(blanks / unit_, '\t') + std::string(blanks % unit_, ' ');
    }
    if (file_blanks_ && indentation.find('\t') != indentation.npos) {
      std::string out;
      for (const char c : indentation) out += c == '\t' ? std::string(unit_, ' ') : " ";
      return out;
    }
    return std::string(indentation);
  }

  std::vector<Pair> pairs_;
  bool theirs_tabs_ = false, ours_tabs_ = false, file_tabs_ = false, file_blanks_ = false;
  bool missing_prefix_ = false;
  size_t unit_ = 0;
};

bool changes_indentation(MatchQuality quality) {
  return quality == MatchQuality::indentation || quality == MatchQuality::trimmed ||
         quality == MatchQuality::whitespace || quality == MatchQuality::elision ||
         quality == MatchQuality::gaps || quality == MatchQuality::fuzzy;
}

// Whole lines [first, last) of the file become `lines`.
Replacement whole_lines(const MappedText& file, size_t first, size_t last,
                        const std::vector<std::string>& lines, std::optional<bool> final_newline) {
  const std::vector<MappedText::Line>& all = file.lines();
  const size_t bom = file.bytes().starts_with("\xEF\xBB\xBF") ? 3 : 0;
  Replacement out;
  out.offset = first < all.size() ? all[first].begin : all.empty() ? bom : all.back().next;
  out.length = (last > first ? all[last - 1].next : out.offset) - out.offset;
  const bool at_end = last == all.size();
  bool newline_at_end = all.empty() || all.back().end != all.back().next;
  if (at_end && final_newline) newline_at_end = *final_newline;
  for (size_t i = 0; i < lines.size(); ++i) {
    const bool is_last = at_end && i + 1 == lines.size();
    out.text += lines[i];
    if (is_last && !newline_at_end) continue;
    const size_t replaced = first + i;  // the line whose place this one takes
    const std::string_view own =
        replaced < last && all[replaced].end != all[replaced].next
            ? std::string_view(file.bytes())
                  .substr(all[replaced].end, all[replaced].next - all[replaced].end)
            : file.line_end_near(first);
    out.text += own;
  }
  if (!at_end || all.empty()) return out;
  const bool had_newline = all.back().end != all.back().next;
  if (lines.empty()) {
    // The last lines go: the line before them becomes the last one and ends like the file did.
    if (first > 0 && last > first && !newline_at_end) {
      out.length += out.offset - all[first - 1].end;
      out.offset = all[first - 1].end;
    }
  } else if (last == first && !had_newline) {
    out.text = std::string(file.line_end_near(all.size())) + out.text;  // behind an open last line
  }
  return out;
}

void join(std::vector<Replacement>& edits, Replacement edit) {
  if (edit.length == 0 && edit.text.empty()) return;
  if (!edits.empty() && edits.back().offset + edits.back().length == edit.offset) {
    edits.back().length += edit.length;
    edits.back().text += edit.text;
  } else {
    edits.push_back(std::move(edit));
  }
}

std::vector<Replacement> edits_of_lines(const MappedText& file, const Hunk& hunk,
                                        const Place& place) {
  const Reindent reindent(file, hunk, place);
  const bool moves = changes_indentation(place.quality);
  std::vector<Replacement> edits;
  size_t at = place.first;  // the file's line before which we stand
  size_t old = 0;
  for (size_t i = 0; i < hunk.lines.size();) {
    if (hunk.lines[i].kind == Kind::context) {
      const size_t line = place.line_of[old++];
      if (line != kNoLine) at = line + 1;
      ++i;
      continue;
    }
    // A run of removed and added lines. Where the removed lines stand apart (gaps), each goes by
    // itself and the added lines take the place of the first.
    std::vector<std::string> added;
    std::vector<size_t> removed;
    for (; i < hunk.lines.size() && hunk.lines[i].kind != Kind::context; ++i) {
      if (hunk.lines[i].kind == Kind::added) {
        const std::string& text = hunk.lines[i].text;
        added.push_back(moves || reindent.is_foreign(text) ? reindent(i, text) : text);
      } else if (const size_t line = place.line_of[old++]; line != kNoLine) {
        removed.push_back(line);
      }
    }
    // Added lines at the hunk's very end or beginning hang on the line that they are next to: an
    // elision or a gap before the next kept line does not move them.
    if (removed.empty()) {
      if (place.quality == MatchQuality::elision && old > 0 && place.line_of[old - 1] == kNoLine &&
          old < place.line_of.size() && place.line_of[old] != kNoLine)
        at = place.line_of[old];
      join(edits, whole_lines(file, at, at, added, hunk.final_newline));
      continue;
    }
    for (size_t r = 0; r < removed.size();) {
      size_t end = r + 1;
      while (end < removed.size() && removed[end] == removed[end - 1] + 1) ++end;
      join(edits, whole_lines(file, removed[r], removed[end - 1] + 1, added, hunk.final_newline));
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
  const std::vector<std::string> lines = new_side(hunk);
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) text += file.line_end_near(place.first + 1);
    text += lines[i];
  }
  std::string_view old = std::string_view(file.bytes()).substr(place.offset, place.length);
  std::string_view now = text;
  size_t offset = place.offset;
  while (!old.empty() && !now.empty() && old.front() == now.front()) {
    old.remove_prefix(1), now.remove_prefix(1), ++offset;
  }
  while (!old.empty() && !now.empty() && old.back() == now.back()) {
    old.remove_suffix(1), now.remove_suffix(1);
  }
  if (old.empty() && now.empty()) return {};
  return {{offset, old.size(), std::string(now)}};
}

std::vector<Replacement> edits_at(const MappedText& file, const Hunk& hunk, const Place& place) {
  const Hunk& read = place.hunk ? *place.hunk : hunk;
  return place.quality == MatchQuality::substring ? edits_of_substring(file, read, place)
                                                  : edits_of_lines(file, read, place);
}

// ---- evidence: which of several equal places is meant ----

// The lines behind the innermost anchor that belong to it by their indentation.
std::optional<LineRange> range_of_anchors(const MappedText& file,
                                          const std::vector<std::string>& anchors) {
  LineRange range{0, file.lines().size()};
  for (const std::string& anchor : anchors) {
    std::optional<size_t> hit;
    size_t hits = 0;
    for (const bool whole : {true, false}) {
      for (size_t i = range.begin; i < range.end && hits < 2; ++i) {
        const std::string_view line = stripped(file.line(i));
        const std::string_view wanted = stripped(anchor);
        if (wanted.empty()) return std::nullopt;
        if (whole ? line == wanted : line.find(wanted) != std::string_view::npos) hit = i, ++hits;
      }
      if (hits > 0) break;
    }
    if (hits != 1) return std::nullopt;
    const size_t depth = indentation_of(file.line(*hit)).size();
    size_t end = *hit + 1;
    for (size_t i = *hit + 1; i < range.end; ++i) {
      if (is_blank(file.line(i))) continue;
      const std::string_view text = stripped(file.line(i));
      if (indentation_of(file.line(i)).size() <= depth &&
          std::string_view("})]{:").find(text.front()) == std::string_view::npos)
        break;
      end = i + 1;
    }
    range = {*hit, std::min(end, range.end)};
  }
  return range;
}

struct Candidates {
  const Hunk* hunk = nullptr;  // the reading that was found
  std::vector<Place> places;
  std::optional<size_t> chosen;
};

std::optional<size_t> only_within(const std::vector<Place>& places, size_t begin, size_t end) {
  std::optional<size_t> only;
  for (size_t i = 0; i < places.size(); ++i) {
    if (places[i].first < begin || places[i].last > end) continue;
    if (only) return std::nullopt;
    only = i;
  }
  return only;
}

// The only place whose line above (blank lines aside) is the anchor; else, if the anchor stands
// only once, the only place behind it.
std::optional<size_t> only_behind_anchor(const MappedText& file, const std::string& anchor,
                                         const std::vector<Place>& places) {
  const std::string_view wanted = stripped(anchor);
  std::optional<size_t> only;
  size_t adjacent = 0;
  for (size_t i = 0; i < places.size(); ++i) {
    size_t above = places[i].first;
    while (above > 0 && is_blank(file.line(above - 1))) --above;
    if (above > 0 && stripped(file.line(above - 1)) == wanted) only = i, ++adjacent;
  }
  if (adjacent > 0) return adjacent == 1 ? only : std::nullopt;
  std::optional<size_t> at;
  for (size_t i = 0; i < file.lines().size(); ++i) {
    if (stripped(file.line(i)) != wanted) continue;
    if (at) return std::nullopt;
    at = i;
  }
  return at ? only_within(places, *at, file.lines().size()) : std::nullopt;
}

std::optional<size_t> chosen_by_evidence(const MappedText& file, const Hunk& hunk,
                                         const std::vector<Place>& places,
                                         const std::optional<LineRange>& selection) {
  if (!hunk.anchors.empty())
    if (const auto range = range_of_anchors(file, hunk.anchors))
      if (const auto only = only_within(places, range->begin, range->end)) return only;
  if (!hunk.anchors.empty())
    if (const auto only = only_behind_anchor(file, hunk.anchors.back(), places)) return only;
  if (hunk.at_end_of_file)
    for (size_t i = 0; i < places.size(); ++i)
      if (places[i].last == file.lines().size()) return i;
  if (hunk.line_hint) {
    const auto distance = [&](const Place& place) {
      const size_t first = place.first, hint = *hunk.line_hint;
      return first > hint ? first - hint : hint - first;
    };
    std::vector<size_t> order(places.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(),
              [&](size_t a, size_t b) { return distance(places[a]) < distance(places[b]); });
    const size_t nearest = distance(places[order[0]]), second = distance(places[order[1]]);
    if (second > 0 && second >= 2 * nearest) return order[0];
  }
  if (selection)
    if (const auto only = only_within(places, selection->begin, selection->end)) return only;
  return std::nullopt;
}

// ---- one file ----

struct PlacedFile {
  std::vector<Replacement> edits;
  bool loose = false;  // a place was found by a rung that does not see every old line
};

Failure not_found(const Hunk& hunk, size_t number, std::string_view path) {
  return {FailureKind::not_found,
          fmt::format("hunk {} (line {} of your edit): its lines are not in {}", number,
                      hunk.source_line, path)};
}

std::string nearest_feedback(const MappedText& file, const Hunk& hunk) {
  const std::optional<NearMiss> miss = nearest_lines(file, hunk);
  if (!miss) return "No line of the file is like these.\n";
  const std::vector<std::string> old = old_side(hunk);
  std::string out =
      fmt::format("The first line that differs:\n  yours: {}\n", made_visible(old[miss->old_line]));
  if (miss->file_line < file.lines().size())
    out += fmt::format("  file {}: {}\n", miss->file_line + 1,
                       made_visible(file.line(miss->file_line)));
  else
    out += "  file: (it ends here)\n";
  out += fmt::format("The nearest lines, {} to {}:\n", miss->lines.begin + 1, miss->lines.end);
  constexpr size_t kShown = 16;
  const size_t begin = miss->file_line > miss->lines.begin + kShown / 2
                           ? miss->file_line - kShown / 2
                           : miss->lines.begin;
  for (size_t i = begin; i < std::min(miss->lines.end, begin + kShown); ++i)
    out += fmt::format("{:>5} | {}\n", i + 1, file.line(i).substr(0, 300));
  return out;
}

// Lines and offsets that a pure addition without any old line goes to.
std::optional<size_t> insertion_line(const MappedText& file, const Hunk& hunk) {
  if (!hunk.anchors.empty()) {
    const auto range = range_of_anchors(file, hunk.anchors);
    if (!range) return std::nullopt;
    return range->begin + 1;
  }
  if (hunk.at_end_of_file || file.lines().empty()) return file.lines().size();
  if (hunk.line_hint && *hunk.line_hint <= file.lines().size()) return *hunk.line_hint;
  return std::nullopt;
}

class FilePlacer {
 public:
  FilePlacer(std::string path, const Text& text, std::optional<LineRange> selection)
      : path_(std::move(path)), file_(text), selection_(selection) {}

  PlacedFile place(const std::vector<Hunk>& hunks, std::vector<HunkReport>& reports,
                   size_t first_number) {
    std::vector<Candidates> found(hunks.size());
    for (size_t i = 0; i < hunks.size(); ++i) {
      HunkReport& report = reports.emplace_back();
      report.path = path_;
      report.hunk = first_number + i;
      report.source_line = hunks[i].source_line;
      found[i] = candidates(hunks[i], report);
    }
    // Several equal places: first what the hunk itself says, then its placed neighbours.
    for (size_t i = 0; i < hunks.size(); ++i)
      if (found[i].places.size() > 1 && !found[i].hunk->all_places)
        found[i].chosen = chosen_by_evidence(file_, *found[i].hunk, found[i].places, selection_);
    for (size_t i = 1; i + 1 < hunks.size(); ++i) {
      if (found[i].places.size() < 2 || found[i].chosen || found[i].hunk->all_places) continue;
      const Place* before = certain(found[i - 1]);
      const Place* after = certain(found[i + 1]);
      if (before && after && before->last <= after->first)
        found[i].chosen = only_within(found[i].places, before->last, after->first);
    }
    PlacedFile out;
    for (size_t i = 0; i < hunks.size(); ++i)
      settle(hunks[i], found[i], reports[reports.size() - hunks.size() + i], out);
    check_overlaps(hunks, found, reports);
    for (size_t i = 0; i < hunks.size(); ++i) {
      const HunkReport& report = reports[reports.size() - hunks.size() + i];
      out.edits.insert(out.edits.end(), report.edits.begin(), report.edits.end());
    }
    std::stable_sort(
        out.edits.begin(), out.edits.end(),
        [](const Replacement& a, const Replacement& b) { return a.offset < b.offset; });
    return out;
  }

 private:
  static const Place* certain(const Candidates& found) {
    if (found.chosen) return &found.places[*found.chosen];
    return found.places.size() == 1 ? &found.places[0] : nullptr;
  }

  // The reading of the hunk that exists in the file, with its places.
  Candidates candidates(const Hunk& hunk, HunkReport& report) {
    Candidates best{&hunk, places_of(hunk, report), std::nullopt};
    size_t longest = best.places.empty() ? 0 : old_side(hunk).size();
    bool tie = false;
    for (const Hunk& reading : hunk.alternatives) {
      std::vector<Place> places = places_of(reading, report);
      const size_t length = old_side(reading).size();
      if (places.empty() || length < longest) continue;
      if (length == longest) {
        tie = true;
        continue;
      }
      best = {&reading, std::move(places), std::nullopt};
      longest = length;
      tie = false;
    }
    if (tie) {
      report.failure = {FailureKind::ambiguous,
                        fmt::format("hunk {} (line {} of your edit): it can be read in two ways "
                                    "that both fit {}; write the markers so that only one is left",
                                    report.hunk + 1, report.source_line, path_)};
    }
    return best;
  }

  std::vector<Place> places_of(const Hunk& hunk, HunkReport& report) {
    if (hunk.at_lines || old_side(hunk).empty()) return {};
    std::vector<Place> places = find_places(file_, hunk);
    if (!places.empty() && places[0].quality <= MatchQuality::punctuation) return places;
    // Before a loose rung is believed: is the new text there already? Then a neighbour that looks
    // like the old text is not it.
    bool adds = false, says_much = false;
    for (const HunkLine& line : hunk.lines) {
      if (line.kind != Kind::added) continue;
      adds |= !is_blank(line.text);
      says_much |= stripped(line.text).size() > 2;
    }
    if (adds && !find_new_side(file_, hunk).empty()) {
      size_t size = 0, lines = 0;
      for (const std::string& line : new_side(hunk)) {
        size += stripped(line).size();
        lines += !is_blank(line);
      }
      if ((places.empty() && says_much) || lines >= 2 || size >= 10) {
        report.state = HunkReport::State::already_applied;
        return {};
      }
    }
    return places;
  }

  void settle(const Hunk& hunk, const Candidates& found, HunkReport& report, PlacedFile& out) {
    if (report.failure) return;
    const Hunk& read = *found.hunk;
    if (found.places.empty()) {
      if (report.state == HunkReport::State::already_applied) return;
      if (hunk.at_lines) return replace_lines(hunk, report);
      if (old_side(hunk).empty() && !hunk.lines.empty()) return insert(hunk, report);
      report.failure = not_found(hunk, report.hunk + 1, path_);
      report.feedback = nearest_feedback(file_, hunk);
      return;
    }
    if (found.places.size() > 1 && !found.chosen && !read.all_places) {
      std::vector<size_t> lines;
      for (const Place& place : found.places) lines.push_back(place.first + 1);
      report.failure = {FailureKind::ambiguous,
                        fmt::format("hunk {} (line {} of your edit): these lines occur at lines {} "
                                    "of {}; add a line above or below that tells them apart",
                                    report.hunk + 1, report.source_line, listed(lines), path_)};
      report.feedback = fmt::format("The places: lines {}.\n", listed(lines));
      return;
    }
    const bool everywhere = read.all_places && found.places.size() > 1;
    size_t behind = 0;
    for (size_t i = 0; i < found.places.size(); ++i) {
      if (!everywhere && found.places.size() > 1 && i != *found.chosen) continue;
      const Place& place = found.places[i];
      if (place.offset < behind) continue;  // overlaps the one before
      behind = place.offset + place.length;
      for (Replacement& edit : edits_at(file_, read, place))
        report.edits.push_back(std::move(edit));
      if (!report.match)
        report.match = Match{
            place.offset, place.length, {place.first, place.last}, place.quality, place.similarity};
      out.loose |= place.quality == MatchQuality::fuzzy;
    }
    drop_unchanged(report);
    report.state = report.edits.empty() ? HunkReport::State::no_change : HunkReport::State::applied;
  }

  void drop_unchanged(HunkReport& report) {
    std::erase_if(report.edits, [&](const Replacement& edit) {
      return std::string_view(file_.bytes()).substr(edit.offset, edit.length) == edit.text;
    });
  }

  void replace_lines(const Hunk& hunk, HunkReport& report) {
    const LineRange range = *hunk.at_lines;
    if (range.begin > range.end || range.end > file_.lines().size()) {
      report.failure = {FailureKind::not_found,
                        fmt::format("hunk {} (line {} of your edit): {} has {} lines, there are no "
                                    "lines {} to {}",
                                    report.hunk + 1, report.source_line, path_,
                                    file_.lines().size(), range.begin + 1, range.end)};
      return;
    }
    // Only what really changes is written: the line diff of the lines and their replacement.
    std::vector<std::string> before;
    for (size_t i = range.begin; i < range.end; ++i) before.emplace_back(file_.line(i));
    Hunk exact = hunk;
    exact.lines = line_diff(before, new_side(hunk));
    Place place;
    place.first = range.begin;
    place.last = range.end;
    for (size_t i = range.begin; i < range.end; ++i) place.line_of.push_back(i);
    place.offset = range.begin < file_.lines().size() ? file_.lines()[range.begin].begin
                                                      : file_.bytes().size();
    report.edits = edits_of_lines(file_, exact, place);
    report.match = Match{place.offset, 0, range, MatchQuality::exact, 1.0};
    report.state = report.edits.empty() ? HunkReport::State::no_change : HunkReport::State::applied;
  }

  void insert(const Hunk& hunk, HunkReport& report) {
    const std::optional<size_t> line = insertion_line(file_, hunk);
    if (!line) {
      report.failure = {
          FailureKind::not_found,
          fmt::format("hunk {} (line {} of your edit): it adds lines but nothing says "
                      "where in {}; quote the line above or below",
                      report.hunk + 1, report.source_line, path_)};
      return;
    }
    const std::vector<std::string> added = new_side(hunk);
    bool there = *line + added.size() <= file_.lines().size();
    for (size_t i = 0; i < added.size() && there; ++i) there = file_.line(*line + i) == added[i];
    if (there) {
      report.state = HunkReport::State::already_applied;
      return;
    }
    join(report.edits, whole_lines(file_, *line, *line, added, hunk.final_newline));
    report.match = Match{report.edits.empty() ? 0 : report.edits[0].offset,
                         0,
                         {*line, *line},
                         MatchQuality::exact,
                         1.0};
    report.state = HunkReport::State::applied;
  }

  // Two hunks may not change the same bytes, and none may change a line that another keeps.
  void check_overlaps(const std::vector<Hunk>& hunks, const std::vector<Candidates>& found,
                      std::vector<HunkReport>& all) {
    const size_t base = all.size() - hunks.size();
    struct Span {
      size_t begin, end, hunk;
    };
    std::vector<Span> spans;
    for (size_t i = 0; i < hunks.size(); ++i)
      for (const Replacement& edit : all[base + i].edits)
        spans.push_back({edit.offset, edit.offset + edit.length, i});
    std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
      return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
    });
    for (size_t i = 1; i < spans.size(); ++i) {
      const Span& a = spans[i - 1];
      const Span& b = spans[i];
      if (a.hunk == b.hunk) continue;
      const bool same_point = a.begin == b.begin && (a.begin == a.end || b.begin == b.end);
      if (b.begin >= a.end && !same_point) continue;
      conflict(all[base + a.hunk], all[base + b.hunk]);
    }
    for (size_t i = 0; i < hunks.size(); ++i) {
      const Place* place = certain(found[i]);
      if (!place || place->line_of.empty() || all[base + i].failure) continue;
      const Hunk& read = place->hunk ? *place->hunk : *found[i].hunk;
      size_t old = 0;
      for (const HunkLine& line : read.lines) {
        if (line.kind == Kind::added) continue;
        const size_t at = place->line_of[old++];
        if (line.kind != Kind::context || at == kNoLine) continue;
        const size_t begin = file_.lines()[at].begin, end = file_.lines()[at].next;
        auto span = std::lower_bound(spans.begin(), spans.end(), begin,
                                     [](const Span& s, size_t o) { return s.end <= o; });
        for (; span != spans.end() && span->begin < end; ++span)
          if (span->hunk != i && span->end > begin) conflict(all[base + span->hunk], all[base + i]);
      }
    }
  }

  void conflict(HunkReport& a, HunkReport& b) {
    for (HunkReport* report : {&a, &b}) {
      if (report->failure) continue;
      const HunkReport& other = report == &a ? b : a;
      report->failure = {
          FailureKind::conflict,
          fmt::format("hunks {} and {} (lines {} and {} of your edit) change the same "
                      "lines of {}; make one hunk of them",
                      a.hunk + 1, b.hunk + 1, a.source_line, b.source_line, other.path)};
    }
  }

  std::string path_;
  MappedText file_;
  std::optional<LineRange> selection_;
};

Text with_edits(const Text& before, const std::vector<Replacement>& edits) {
  Text text = before;
  for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit)
    text = text.replace(edit->offset, edit->length, edit->text);
  return text;
}

std::vector<std::string> lines_of(std::string_view bytes) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < bytes.size();) {
    const size_t end = std::min(bytes.find('\n', at), bytes.size());
    std::string_view line = bytes.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
    at = end + 1;
  }
  return lines;
}

// The whole file anew: as the line diff against what is there, so that kept lines keep their line
// ends, the byte order mark stays, and the file ends as it did.
std::vector<Replacement> overwrite_edits(const Text& before, const std::string& contents) {
  const MappedText file(before);
  std::vector<std::string> old;
  for (size_t i = 0; i < file.lines().size(); ++i) old.emplace_back(file.line(i));
  std::string_view now = contents;
  if (now.starts_with("\xEF\xBB\xBF")) now.remove_prefix(3);
  Hunk hunk;
  hunk.lines = line_diff(old, lines_of(now));
  Place place;
  place.last = old.size();
  for (size_t i = 0; i < old.size(); ++i) place.line_of.push_back(i);
  return edits_of_lines(file, hunk, place);
}

Hunk without_carriage_returns(Hunk hunk) {
  for (HunkLine& line : hunk.lines)
    if (line.text.ends_with('\r')) line.text.pop_back();
  for (Hunk& reading : hunk.alternatives) reading = without_carriage_returns(std::move(reading));
  return hunk;
}

}  // namespace

ApplyReport apply(const EditPlan& plan, const Files& files, const Syntax* syntax,
                  const ApplyOptions& options) {
  ApplyReport report;
  std::map<std::string, size_t> seen;  // path -> index in report.files
  for (const FileChange& change : plan.changes) {
    const size_t first_hunk = report.hunks.size();
    const size_t hunk_count =
        change.kind == FileChange::Kind::update ? change.hunks.size() : size_t{1};
    const Resolved target = resolved(files, change.path);
    // A change as a whole (create, remove, …) counts as one hunk of its own.
    const auto whole = [&](HunkReport::State state) -> HunkReport& {
      HunkReport& hunk = report.hunks.emplace_back();
      hunk.path = target.path;
      hunk.hunk = report.hunks.size() - 1;
      hunk.source_line = change.source_line;
      hunk.state = state;
      return hunk;
    };
    const auto refuse = [&](FailureKind kind, std::string message) {
      const Failure failure{kind, std::move(message)};
      for (size_t i = 0; i < std::max<size_t>(hunk_count, 1); ++i) {
        HunkReport& hunk = whole(HunkReport::State::failed);
        if (change.kind == FileChange::Kind::update && i < change.hunks.size())
          hunk.source_line = change.hunks[i].source_line;
        hunk.failure = failure;
      }
    };
    if (const auto why = forbidden(cleaned(change.path))) {
      refuse(FailureKind::stale_path, *why);
      continue;
    }
    ChangedFile file;
    file.kind = change.kind;
    file.path = target.path;
    file.before = target.text;
    if (change.rename_to) {
      const std::string to = cleaned(*change.rename_to);
      if (const auto why = forbidden(to)) {
        refuse(FailureKind::stale_path, *why);
        continue;
      }
      if (to != target.path && files.read(to)) {
        refuse(FailureKind::exists, fmt::format("{} exists already, nothing is moved onto it", to));
        continue;
      }
      if (to != target.path) file.rename_to = to;
    }
    if (seen.contains(target.path)) {
      refuse(FailureKind::conflict,
             fmt::format("{} is changed twice; put all of its edits together", target.path));
      continue;
    }
    switch (change.kind) {
      case FileChange::Kind::create:
        if (target.text) {
          if (target.text->str() == change.contents) {
            whole(HunkReport::State::already_applied);
            continue;
          }
          refuse(FailureKind::exists,
                 fmt::format("{} exists already; edit it, or say that it is overwritten",
                             target.path));
          continue;
        }
        file.after = Text(change.contents);
        whole(HunkReport::State::applied);
        break;
      case FileChange::Kind::overwrite:
        if (target.text) {
          file.edits = overwrite_edits(*target.text, change.contents);
          file.after = with_edits(*target.text, file.edits);
          whole(file.edits.empty() ? HunkReport::State::no_change : HunkReport::State::applied)
              .edits = file.edits;
        } else {
          file.kind = FileChange::Kind::create;
          file.after = Text(change.contents);
          whole(HunkReport::State::applied);
        }
        break;
      case FileChange::Kind::remove:
        if (!target.text) {
          refuse(FailureKind::stale_path, fmt::format("there is no file {}", target.path));
          continue;
        }
        whole(HunkReport::State::applied);
        break;
      case FileChange::Kind::lazy: {
        if (!target.text) {
          refuse(
              FailureKind::stale_path,
              fmt::format("there is no file {}, so nothing stands for what the sketch leaves out",
                          target.path));
          continue;
        }
        Result<std::vector<Replacement>> merged = merge_lazy(change.contents, *target.text);
        if (!merged) {
          const std::string& message = merged.error().message;
          const bool ambiguous = message.starts_with("ambiguous: ");
          refuse(ambiguous ? FailureKind::ambiguous : FailureKind::not_found,
                 message.substr(message.find(": ") + 2));
          continue;
        }
        file.kind = FileChange::Kind::update;
        file.edits = std::move(*merged);
        file.after = with_edits(*target.text, file.edits);
        whole(file.edits.empty() ? HunkReport::State::no_change : HunkReport::State::applied)
            .edits = file.edits;
        break;
      }
      case FileChange::Kind::update: {
        if (!target.text) {
          refuse(FailureKind::stale_path,
                 fmt::format("there is no file {}, and no single file that it could mean",
                             target.path));
          continue;
        }
        std::optional<LineRange> selection;
        if (options.selection_path == target.path) selection = options.selection;
        std::vector<Hunk> hunks;
        for (const Hunk& hunk : change.hunks) hunks.push_back(without_carriage_returns(hunk));
        FilePlacer placer(target.path, *target.text, selection);
        const PlacedFile placed = placer.place(hunks, report.hunks, first_hunk);
        file.edits = placed.edits;
        const bool failed =
            std::any_of(report.hunks.begin() + static_cast<long>(first_hunk), report.hunks.end(),
                        [](const HunkReport& hunk) { return hunk.failure.has_value(); });
        if (failed) continue;
        file.after = with_edits(*target.text, file.edits);
        if (placed.loose && syntax && syntax->knows(target.path)) {
          const std::vector<size_t> lines =
              syntax->new_errors(target.path, *target.text, *file.after);
          for (size_t i = first_hunk; i < report.hunks.size() && !lines.empty(); ++i) {
            HunkReport& hunk = report.hunks[i];
            if (!hunk.match || hunk.match->quality != MatchQuality::fuzzy) continue;
            hunk.failure = {
                FailureKind::not_found,
                fmt::format("hunk {} (line {} of your edit): it is only like lines {} to "
                            "{} of {}, and there it would break the syntax at line {}; "
                            "quote the lines exactly",
                            hunk.hunk + 1, hunk.source_line, hunk.match->lines.begin + 1,
                            hunk.match->lines.end, target.path, lines[0] + 1)};
          }
        }
        break;
      }
    }
    seen[target.path] = report.files.size();
    const bool same = file.before && file.after && file.edits.empty() && !file.rename_to;
    if (!same) report.files.push_back(std::move(file));
  }
  for (HunkReport& hunk : report.hunks) {
    if (!hunk.failure) continue;
    hunk.state = HunkReport::State::failed;
    hunk.edits.clear();
    if (!report.failure) report.failure = hunk.failure;
  }
  report.ok = !report.failure;
  if (!report.ok) report.files.clear();
  return report;
}

}  // namespace bodkin
