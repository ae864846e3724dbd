#include "edits/apply/feedback.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "edits/align/align.h"
#include "edits/align/lines.h"
#include "edits/text/find_bytes.h"
#include "edits/text/shortened.h"

namespace bodkin {
namespace {

constexpr size_t kShownBytes = 200;  // of a line
constexpr size_t kShownLines = 14;   // of the nearest lines

// Blanks at the ends, and all tabs and returns, as signs.
std::string with_visible_whitespace(std::string_view line) {
  const size_t indentation = indentation_of(line).size();
  const size_t last = line.find_last_not_of(" \t\r");
  const std::string shown = shortened_to(line, kShownBytes);
  std::string out;
  for (size_t i = 0; i < shown.size(); ++i) {
    const bool edge = i < indentation || last == std::string_view::npos || i > last;
    if (edge && shown[i] == ' ') {
      out += "·";
    } else if (shown[i] == '\t') {
      out += "→";
    } else if (shown[i] == '\r') {
      out += "␍";
    } else {
      out += shown[i];
    }
  }
  return out;
}

// The lines most like the old side: [first, last), and the old line that differs first.
struct NearMiss {
  LineRange lines;
  size_t old_line = 0;
  size_t file_line = 0;
};

// No line is the same: the one most like the first old line that says something.
std::optional<NearMiss> closest_window(const MappedText& file,
                                       const std::vector<std::string_view>& old) {
  constexpr size_t kMaxTokens = 4, kMaxLines = 5000, kMaxBytes = 400;
  const auto line = std::ranges::find_if_not(old, is_blank);
  const size_t count = std::min(file.line_count(), kMaxLines);
  if (line == old.end() || line->size() > kMaxBytes || !file.spend(count * 100))
    return std::nullopt;
  const std::vector<LineToken> wanted = line_tokens(*line);
  const auto differ = [&](const std::vector<LineToken>& other) {  // after their common ends
    const size_t least = std::min(wanted.size(), other.size());
    size_t head = 0, tail = 0;
    while (head < least && wanted[head] == other[head]) ++head;
    while (head + tail < least && wanted.rbegin()[tail] == other.rbegin()[tail]) ++tail;
    return std::max(wanted.size(), other.size()) - head - tail;
  };
  std::optional<size_t> best;
  size_t least = std::min(kMaxTokens, wanted.size() / 2 + 1);
  for (size_t i = 0; i < count; ++i) {
    if (is_blank(file.line(i)) || file.line(i).size() > kMaxBytes) continue;
    if (const size_t differs = differ(line_tokens(file.line(i))); differs < least)
      least = differs, best = i;
  }
  if (!best) return std::nullopt;
  return NearMiss{{*best, std::min(file.line_count(), *best + old.size())},
                  static_cast<size_t>(line - old.begin()),
                  *best};
}

// Where the hunk begins by most of its old lines that occur in few places; may be before the file.
std::optional<long> begin_by_vote(const MappedText& file,
                                  const std::vector<std::string_view>& old) {
  constexpr size_t kMaxHits = 64;
  std::map<long, size_t> votes;
  for (size_t i = 0; i < old.size(); ++i) {
    if (is_blank(old[i])) continue;
    for (const size_t line : lines_like(file, old[i], kMaxHits).value_or(std::vector<size_t>()))
      ++votes[static_cast<long>(line) - static_cast<long>(i)];
  }
  const auto most =
      std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; });
  return most == votes.end() ? std::nullopt : std::optional(most->first);
}

std::optional<NearMiss> nearest_lines(const MappedText& file,
                                      const std::vector<std::string_view>& old) {
  const std::optional<long> begins = begin_by_vote(file, old);
  if (!begins) return closest_window(file, old);
  const long first = *begins;
  const size_t count = file.line_count(), size = old.size();
  const size_t begin = first < 0 ? 0 : static_cast<size_t>(first);
  const size_t end = static_cast<size_t>(std::max(0L, first + static_cast<long>(size)));
  NearMiss miss{{begin, std::min(count, end)}, 0, begin};
  // The first old line that differs at all; one that differs in more than white space is preferred.
  for (const LineKey key : {whitespace_key, trailing_key}) {
    for (size_t i = 0; i < size; ++i) {
      const long at = first + static_cast<long>(i);
      const bool inside = at >= 0 && at < static_cast<long>(count);
      if (inside && same_under(key, old[i], file.line(static_cast<size_t>(at)))) continue;
      miss.old_line = i;
      miss.file_line = at < 0 ? 0 : static_cast<size_t>(at);
      return miss;
    }
  }
  return miss;
}

}  // namespace

std::string listed_places(const MappedText& file, const std::vector<Place>& places) {
  constexpr size_t kMax = 12;
  const auto all_have = [&](size_t Place::*part) {
    return std::ranges::all_of(places,
                               [&](const Place& one) { return one.*part == places[0].*part; });
  };
  if (all_have(&Place::offset))
    return fmt::format("line {} (in several ways)", places[0].first + 1);
  const bool in_one_line = all_have(&Place::first);
  std::string out = in_one_line ? fmt::format("line {}, columns ", places[0].first + 1) : "lines ";
  const size_t shown = std::min(places.size(), kMax);
  size_t last = 0;
  for (size_t i = 0; i < shown; ++i) {
    const size_t number =
        1 + (in_one_line ? places[i].offset - file.begin_of(places[i].first) : places[i].first);
    if (number == last) continue;
    last = number;
    out += fmt::format("{}{}", i == 0 ? "" : i + 1 == places.size() ? " and " : ", ", number);
  }
  if (shown < places.size()) out += fmt::format(" and {} more", places.size() - shown);
  return out;
}

namespace {

// The lines that have the old text with more around it, so that it is not whole lines; or "".
std::string part_of_lines_feedback(const MappedText& file,
                                   const std::vector<std::string_view>& old) {
  std::string wanted;
  for (const std::string_view line : old) wanted.append(wanted.empty() ? "" : "\n").append(line);
  const std::string_view bytes = file.bytes();
  if (is_blank(wanted) || !file.spend(bytes.size() / 4)) return "";
  const size_t at = find_bytes(bytes, wanted, 0);
  if (at == bytes.npos) return "";
  const size_t first = file.line_at(at) + 1, last = file.line_at(at + wanted.size() - 1) + 1;
  const std::string lines =
      first == last ? fmt::format("line {}", first) : fmt::format("lines {} to {}", first, last);
  return fmt::format("The old text is only part of {}: quote whole lines.\n", lines);
}

// The first line that differs from the closest lines, both sides with visible whitespace, and those
// lines with their numbers.
std::string nearest_feedback(const MappedText& file, const Hunk& hunk) {
  const std::vector<std::string_view> old = old_side(hunk);
  if (std::string part = part_of_lines_feedback(file, old); !part.empty()) return part;
  const std::optional<NearMiss> miss = nearest_lines(file, old);
  if (!miss) return "No lines of the file are close enough.\n";
  std::string out = fmt::format("The first line that differs:\n  yours: {}\n",
                                with_visible_whitespace(old[miss->old_line]));
  if (miss->file_line < file.line_count())
    out += fmt::format("  file {}: {}\n", miss->file_line + 1,
                       with_visible_whitespace(file.line(miss->file_line)));
  else
    out += "  file: (end of file)\n";
  out += fmt::format("The closest lines, {} to {}:\n", miss->lines.begin + 1, miss->lines.end);
  const size_t begin = miss->file_line > miss->lines.begin + kShownLines / 2
                           ? miss->file_line - kShownLines / 2
                           : miss->lines.begin;
  for (size_t i = begin; i < std::min(miss->lines.end, begin + kShownLines); ++i)
    out += fmt::format("{:>5} | {}\n", i + 1, shortened_to(file.line(i), kShownBytes));
  return out;
}

// What contradicts the only place of a hunk; nullopt if the lines that differ say it better.
std::optional<Failure> contradiction(const std::string& path, const Alignment& place) {
  const Hunk& hunk = *place.reading->hunk;
  const auto refused = [&](std::string_view what) {
    return std::ranges::any_of(place.bill, [&](const Charge& charge) {
      return charge.what == what && charge.price >= kNever;
    });
  };
  const size_t line = place.first + 1;
  const auto only = [&](std::string_view why) {
    return Failure{FailureKind::not_found,
                   fmt::format("its lines are in {} only at line {}, {}", path, line, why),
                   "quote the lines that you mean", true};
  };
  if (refused("anchor"))
    return only(hunk.evidence.anchors.empty()
                    ? fmt::format("but its line number and its heading \"{}\" belong to a "
                                  "different part",
                                  hunk.evidence.heading)
                    : fmt::format("which is not below \"{}\"", hunk.evidence.anchors.back()));
  if (refused("line number"))
    return Failure{FailureKind::ambiguous,
                   fmt::format("its lines are at line {} of {}, but the line number points to line "
                               "{}, which is nearly the same",
                               line, path, *hunk.evidence.line + 1),
                   "also quote a line above or below", true};
  if (refused("end of file")) return only("which is not the end of the file");
  return std::nullopt;
}

}  // namespace

Failure why_unplaced(const MappedText& file, const std::string& path, const Hunk& hunk,
                     const Placed& found, std::string& feedback) {
  if (file.gave_up())
    return {FailureKind::not_found,
            fmt::format("the search for its lines in {} was stopped because too many hunks differ "
                        "from the file",
                        path),
            "send fewer, and quote exactly", true};
  if (found.has_too_many)
    return {FailureKind::ambiguous, fmt::format("its lines may be in too many places of {}", path),
            "quote a line that stands once", true};
  if (found.contradicted)
    if (auto why = contradiction(path, *found.contradicted)) return *std::move(why);
  const std::vector<std::string_view> old = old_side(hunk);
  if (hunk.as<StringReplacement>() && old.size() == 1 && !is_blank(old[0]) &&
      file.bytes().find(old[0]) != std::string_view::npos)
    return {FailureKind::not_found,
            fmt::format("its text is in {} only as a part of longer words, numbers, operators, or "
                        "lines",
                        path),
            "quote all of them", true};
  feedback += nearest_feedback(file, hunk);
  return {FailureKind::not_found, fmt::format("the lines it changes are not in {}", path), "",
          true};
}

std::string places_feedback(const MappedText& file, const std::vector<Place>& places) {
  constexpr size_t kMax = 6;
  std::string out = "The matches, each with the line above it:\n";
  for (size_t i = 0; i < std::min(places.size(), kMax); ++i) {
    const size_t first = places[i].first;
    if (i > 0) out += "   --\n";
    if (first > 0)
      out += fmt::format("{:>5} | {}\n", first, shortened_to(file.line(first - 1), kShownBytes));
    out += fmt::format("{:>5} | {}\n", first + 1, shortened_to(file.line(first), kShownBytes));
  }
  if (places.size() > kMax) out += fmt::format("   … and {} more\n", places.size() - kMax);
  return out;
}

}  // namespace bodkin
