#include "edits/align/overlaps.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace bodkin {
namespace {

struct Span {
  size_t begin, end, hunk;
};

std::string same_lines(const std::string& path) {
  return fmt::format("two edits change the same lines of {}", path);
}

void mark_conflict(const std::string& what, HunkReport& a, HunkReport& b) {
  for (HunkReport* report : {&a, &b})
    report->failure = {
        FailureKind::conflict, what,
        fmt::format("combine hunks {} and {} (lines {} and {} of your edit) into one", a.hunk + 1,
                    b.hunk + 1, a.source_line, b.source_line)};
}

// Lines that two hunks name by number, though one of the two may leave them as they are.
void mark_shared_lines(const std::string& path, const std::vector<Placed>& found,
                       std::span<HunkReport> reports) {
  std::vector<Span> named;
  for (size_t i = 0; i < reports.size(); ++i)
    if (const auto* edit = found[i].hunk->as<NumberedEdit>();
        edit && !reports[i].failure && !found[i].repeated)
      named.push_back({edit->lines.begin, edit->lines.end, i});
  std::sort(named.begin(), named.end(), [](const Span& a, const Span& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  for (size_t i = 1, widest = 0; i < named.size(); ++i) {
    if (named[i].begin < named[widest].end)
      mark_conflict(same_lines(path), reports[named[widest].hunk], reports[named[i].hunk]);
    if (named[i].end > named[widest].end) widest = i;
  }
}

// Two hunks that quote the same lines, one of which adds something between them: each says that the
// other's text is not there. They are alternatives.
void mark_alternatives(const std::string& path, const MappedText& file,
                       const std::vector<Placed>& found, std::span<HunkReport> reports) {
  std::map<std::pair<size_t, size_t>, size_t> quoting;  // these lines: the first such hunk
  for (size_t i = 0; i < reports.size(); ++i) {
    const Place* place = found[i].certain();
    if (!place || place->within_lines || reports[i].failure || found[i].repeated) continue;
    const auto adds_between = [&](const HunkReport& report) {
      return std::ranges::any_of(report.edits, [&](const Replacement& edit) {
        return file.begin_of(place->first) < edit.offset &&
               edit.offset < file.begin_of(place->last);
      });
    };
    const auto [other, is_first] = quoting.try_emplace({place->first, place->last}, i);
    if (!is_first && (adds_between(reports[i]) || adds_between(reports[other->second])))
      mark_conflict(
          fmt::format("two edits quote the same lines of {} and change them differently", path),
          reports[other->second], reports[i]);
  }
}

// Two hunks that change the same bytes into the same ones, with more or less of the text around
// them, are one. Lines that are only added may be meant twice, unless the whole hunk is the same.
void drop_repeated(std::vector<Placed>& found, std::span<HunkReport> reports) {
  std::map<std::pair<size_t, size_t>, size_t> first_at;  // where a hunk's first edit is
  for (size_t i = 0; i < reports.size(); ++i) {
    if (reports[i].edits.empty()) continue;
    const Replacement& edit = reports[i].edits.front();
    const auto [first, is_new] = first_at.try_emplace({edit.offset, edit.length}, i);
    if (is_new || reports[i].edits != reports[first->second].edits) continue;
    const Hunk &hunk = *found[i].hunk, &other = *found[first->second].hunk;
    if (edit.length == 0 && (old_side(hunk).empty() || hunk.lines != other.lines)) continue;
    found[i].repeated = true;
    reports[i].edits.clear();
    reports[i].state = HunkReport::State::no_change;
  }
}

}  // namespace

void mark_overlaps(const std::string& path, const MappedText& file, std::vector<Placed>& found,
                   std::span<HunkReport> reports) {
  if (reports.size() < 2) return;
  drop_repeated(found, reports);
  std::vector<Span> spans;
  for (size_t i = 0; i < reports.size(); ++i)
    for (const Replacement& edit : reports[i].edits)
      spans.push_back({edit.offset, edit.offset + edit.length, i});
  std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  for (size_t i = 1; i < spans.size(); ++i) {
    const Span &a = spans[i - 1], &b = spans[i];
    if (a.hunk != b.hunk && (b.begin < a.end || b.begin == a.begin))
      mark_conflict(same_lines(path), reports[a.hunk], reports[b.hunk]);
  }
  mark_shared_lines(path, found, reports);
  mark_alternatives(path, file, found, reports);
  for (size_t i = 0; i < reports.size(); ++i) {
    const Place* place = found[i].certain();
    if (!place || place->within_lines || reports[i].failure || found[i].repeated) continue;
    const Hunk& read = place->hunk ? *place->hunk : *found[i].hunk;
    size_t old = 0;
    for (const HunkLine& line : read.lines) {
      if (line.kind == HunkLine::Kind::added) continue;
      const size_t at = place->line_for(old++);
      if (at == kNoLine) continue;
      const size_t begin = file.begin_of(at), end = file.next_of(at);
      auto span = std::lower_bound(spans.begin(), spans.end(), begin,
                                   [](const Span& s, size_t offset) { return s.end <= offset; });
      for (; span != spans.end() && span->begin < end; ++span)
        if (span->hunk != i) mark_conflict(same_lines(path), reports[span->hunk], reports[i]);
    }
  }
}

}  // namespace bodkin
