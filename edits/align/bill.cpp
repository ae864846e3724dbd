#include "edits/align/bill.h"

#include <fmt/format.h>

#include <utility>

#include "edits/align/lines.h"
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
  size_t old = 0, lines = 0, below = kUnpaired;  // below: the last line that is paired
  for (const Row& row : place.reading->rows) {
    if (++lines > kShownLines) {
      old += row.is_old();
      continue;
    }
    if (!row.is_old()) {
      out += fmt::format("      + {}\n", shortened_to(row.new_text, kShownBytes));
      continue;
    }
    const size_t line = place.lines[old++];
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

}  // namespace bodkin
