// Quotes that are in the file byte for byte: most are, and a search for bytes finds them.
#include "edits/align/align.h"
#include "edits/text/line_keys.h"

namespace bodkin {

Alignments exact_alignments(const MappedText& file, const std::shared_ptr<const Reading>& reading) {
  Alignments out;
  const std::vector<std::string_view> old = reading->old_side();
  if (old.empty() || old.size() > file.line_count()) return out;
  const auto try_at = [&](size_t first) {
    if (first + old.size() > file.line_count()) return;
    for (size_t i = 0; i < old.size(); ++i)
      if (file.line(first + i) != old[i]) return;
    Alignment& found = out.all.emplace_back();
    found.reading = reading;
    found.first = first;
    found.last = first + old.size();
    size_t line = first;
    for (const Row& row : reading->rows) found.lines.push_back(row.is_old() ? line++ : kUnpaired);
    found.is_exact = true;
    found.charge("reading", reading->price);
  };
  size_t longest = 0;
  for (size_t i = 0; i < old.size(); ++i)
    if (trimmed(old[i]).size() > trimmed(old[longest]).size()) longest = i;
  std::vector<size_t> hits;
  if (!file.spend(file.cost_of_search())) return out;
  if (is_blank(old[longest])) {
    if (!file.spend(file.line_count())) return out;
    for (size_t line = 0; line < file.line_count() && hits.size() <= kMostCandidates; ++line)
      if (file.line(line) == old[longest]) hits.push_back(line);
  }
  const bool are_all = is_blank(old[longest])
                           ? hits.size() <= kMostCandidates
                           : file.lines_with(trimmed(old[longest]), kMostCandidates, hits);
  if (!are_all) {
    // Too many to tell, unless a number is on one: then every other one is elsewhere.
    if (const auto hint = reading->hunk->evidence.line) try_at(*hint);
    out.gave_up = out.all.empty();
    return out;
  }
  for (const size_t hit : hits)
    if (hit >= longest) try_at(hit - longest);
  return out;
}

}  // namespace bodkin
