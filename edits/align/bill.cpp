#include "edits/align/bill.h"

#include <fmt/format.h>

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

}  // namespace

std::string bill_of(const MappedText& file, const Alignment& place,
                    const std::optional<Alignment>& next) {
  std::string out = fmt::format("line {}: {}", place.first + 1,
                                place.is_exact ? "exact" : "price " + shown(place.price));
  const char* sign = " = ";
  for (const Charge& charge : place.bill) {
    out += fmt::format("{}{} {}", sign, charge.what, shown(charge.price));
    sign = " + ";
  }
  out += next ? fmt::format("; the next place, line {}, costs {}\n", next->first + 1,
                            shown(next->price))
              : "; there is no other place\n";
  size_t old = 0, lines = 0;
  for (const Row& row : place.reading->rows) {
    if (!row.is_old()) continue;
    const size_t line = place.lines[old++];
    if (++lines > kShownLines) continue;
    const char mark = row.is_kept() ? ' ' : '-';
    if (line == kUnpaired) {
      out += fmt::format("      {} {}  (stands for lines that stay, or is blank)\n", mark,
                         shortened_to(row.old_text, kShownBytes));
      continue;
    }
    const std::string_view ours = file.line(line);
    out += fmt::format("{:>5} {} {}", line + 1, mark, shortened_to(ours, kShownBytes));
    if (trimmed(row.old_text) != trimmed(ours)) {
      const Price price = same_under(loose_key, row.old_text, ours)
                              ? kSpelled
                              : price_of_difference(file, row.old_text, ours);
      out += fmt::format("  {}, quoted as: {}", shown(price),
                         shortened_to(trimmed(row.old_text), kShownBytes));
    }
    out += '\n';
  }
  if (lines > kShownLines) out += fmt::format("      … and {} more lines\n", lines - kShownLines);
  return out;
}

}  // namespace bodkin
