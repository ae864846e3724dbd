#include "edits/align/bill.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "edits/align/lines.h"
#include "edits/place/write.h"
#include "edits/plan/diff.h"
#include "edits/text/line_keys.h"
#include "edits/text/shortened.h"

namespace bodkin {
namespace {

constexpr size_t kShownBytes = 100;  // of a line
constexpr size_t kShownLines = 40;

std::string shown(Price price) {
  return price >= kNever ? "too much" : fmt::format("{}.{}", price / 100, price % 100 / 10);
}

// A charge by its name (align.cpp, depth_price.cpp, weigh.cpp), as a person would say it.
std::string_view in_words(std::string_view charge) {
  static constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"lines", "lines that differ"},
      {"reading", "it is read otherwise than it was written"},
      {"depth", "it stands at another depth"},
      {"uneven depth", "its lines are moved unevenly"},
      {"line number", "the line number says another place"},
      {"selection", "another place is selected"},
      {"anchor", "its @@ line names another place"},
      {"heading", "the heading names another section"},
      {"end of file", "text comes below it, though it is at the end of the file"}};
  for (const auto& [name, words] : kWords)
    if (name == charge) return words;
  return charge;
}

// "exact", "price 4.0 = it stands at another depth 3.0 + …"
std::string words_of(const Alignment& place) {
  if (place.bill.empty()) return "exact";
  std::string out = place.price >= kNever ? "" : "price " + shown(place.price);
  for (const Charge& charge : place.bill) {
    if (place.price >= kNever && charge.price < kNever) continue;  // what alone decides
    const bool is_first = &charge == &place.bill[0];
    out += place.price >= kNever ? std::string(out.empty() ? "" : ", and ")
           : is_first            ? " = "
                                 : " + ";
    out += in_words(charge.what);
    if (place.price < kNever) out += " " + shown(charge.price);
  }
  return out;
}

}  // namespace

std::string bill_of(const MappedText& file, const Alignment& place,
                    const std::optional<Alignment>& next) {
  std::string out = fmt::format("line {}: {}", place.first + 1, words_of(place));
  if (!next)
    out += "; there is no other place\n";
  else if (next->price >= kNever)
    out += fmt::format("; line {}, where it reads so, too, is not meant: {}\n", next->first + 1,
                       words_of(*next));
  else
    out += fmt::format("; the next place, line {}, has {} (within {} it would be ambiguous)\n",
                       next->first + 1, words_of(*next), shown(kMargin));
  size_t lines = 0, below = kUnpaired;  // below: the last line that is paired
  for (const Row& row : place.reading->rows) {
    if (++lines > kShownLines) continue;
    if (!row.is_old()) {
      out += fmt::format("      + {}\n", shortened_to(row.new_text, kShownBytes));
      continue;
    }
    const size_t line = place.lines[lines - 1];
    const char mark = row.is_kept() ? ' ' : '-';
    if (line == kUnpaired) {
      out += fmt::format("      {} {}  (stands for lines that stay, or is blank)\n", mark,
                         shortened_to(row.old_text, kShownBytes));
      continue;
    }
    if (below < line && line - below > 1)
      out += fmt::format("      … {} here that the quote leaves out\n",
                         line - below == 2 ? "a line" : fmt::format("{} lines", line - below - 1));
    below = line;
    const std::string_view ours = file.line(line);
    out += fmt::format("{:>5} {} {}", line + 1, mark, shortened_to(ours, kShownBytes));
    if (trimmed(row.old_text) != trimmed(ours)) {
      const Price price = same_under(loose_key, row.old_text, ours)
                              ? kSpelled
                              : price_of_difference(file, row.old_text, ours);
      out += fmt::format("   ({}, quoted as: {})", shown(price),
                         shortened_to(trimmed(row.old_text), kShownBytes));
    }
    out += '\n';
  }
  if (lines > kShownLines) out += fmt::format("      … and {} more lines\n", lines - kShownLines);
  return out;
}

std::string bill_of_result(const Text& before, const Text& after, std::string_view shown,
                           bool is_sketch) {
  using Kind = HunkLine::Kind;
  const std::vector<std::string> now = lines_of(after.str());
  const std::vector<HunkLine> changes = line_diff(lines_of(before.str()), now);
  std::vector<size_t> shown_at(now.size(), kUnpaired);  // of each line: that of the sketch
  if (is_sketch) {
    const auto bare = [](std::vector<std::string> lines) {
      for (std::string& line : lines) line = trimmed(line);
      return lines;
    };
    size_t at = 0, in_sketch = 0;
    for (const HunkLine& line : line_diff(bare(now), bare(lines_of(shown)))) {
      if (line.kind == Kind::context && !line.text.empty()) shown_at[at] = in_sketch;
      at += line.kind != Kind::added;
      in_sketch += line.kind != Kind::removed;
    }
  }
  const auto lines_that = [&](Kind kind, const char* one, const char* many) {
    const auto count = std::ranges::count(changes, kind, &HunkLine::kind);
    return fmt::format("{} {}", count, count == 1 ? one : many);
  };
  std::string out =
      fmt::format("{}: {}, {}, {}\n{}", is_sketch ? "sent in part" : "sent as a whole",
                  lines_that(Kind::context, "line stays", "lines stay"),
                  lines_that(Kind::removed, "goes", "go"),
                  lines_that(Kind::added, "is new", "are new"), is_sketch ? " file   sent\n" : "");
  size_t count = 0, old = 0, at = 0, stay = 0;  // stay: lines up to `old` that are not shown
  const auto end_of_stay = [&] {
    if (stay == 1) out += fmt::format("{:>5} stays\n", old);
    if (stay > 1) out += fmt::format("{:>5}–{} stay\n", old + 1 - stay, old);
    stay = 0;
  };
  for (const HunkLine& line : changes) {
    const size_t row = line.kind == Kind::removed ? kUnpaired : shown_at[at++];
    if (line.kind == Kind::context && row == kUnpaired) {
      ++old, ++stay;
      continue;
    }
    end_of_stay();
    if (++count > 2 * kShownLines) return out + "      … and more\n";
    const char sign = line.kind == Kind::context ? '=' : line.kind == Kind::removed ? '-' : '+';
    out += fmt::format("{:>5} {} {:<4} {}\n", sign == '+' ? "" : std::to_string(++old), sign,
                       row == kUnpaired ? "" : std::to_string(row + 1),
                       shortened_to(line.text, kShownBytes));
  }
  end_of_stay();
  return out;
}

}  // namespace bodkin
