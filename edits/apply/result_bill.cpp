#include "edits/apply/result_bill.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "edits/place/write.h"
#include "edits/plan/diff.h"
#include "edits/plan/elision.h"
#include "edits/text/shortened.h"

namespace bodkin {
namespace {

using Kind = HunkLine::Kind;

constexpr size_t kBillBytes = 100;  // of a line
constexpr size_t kBillLines = 80;
constexpr size_t kNone = static_cast<size_t>(-1);

struct Line {
  Kind kind = Kind::context;
  std::string text;
  size_t in_file = kNone, in_sketch = kNone;
};

// The lines from `at` on, blank ones aside, that are `run`, whose last one is returned; kNone.
size_t end_of_run(const std::vector<Line>& lines, size_t at, const std::vector<std::string>& sketch,
                  const std::vector<size_t>& run) {
  size_t last = kNone;
  for (const size_t row : run) {
    while (at < lines.size() &&
           (lines[at].kind == Kind::removed || trimmed(lines[at].text).empty()))
      ++at;
    if (at == lines.size() || trimmed(lines[at].text) != trimmed(sketch[row])) return kNone;
    last = at++;
  }
  return last;
}

// Each run of lines between two elisions goes where it stands; among equal places rather to new
// lines, which no other part of the sketch can have brought.
void pair_with(const std::vector<std::string>& sketch, std::vector<Line>& lines) {
  const std::vector<std::string_view> views(sketch.begin(), sketch.end());
  const std::vector<char> elided = elisions_of(views, true);
  size_t at = 0;
  for (size_t row = 0; row < sketch.size();) {
    std::vector<size_t> run;
    for (; row < sketch.size() && !elided[row]; ++row)
      if (!trimmed(sketch[row]).empty()) run.push_back(row);
    while (row < sketch.size() && elided[row]) ++row;
    if (run.empty()) continue;
    const auto next_new = static_cast<size_t>(
        std::find_if(lines.begin() + static_cast<long>(at), lines.end(),
                     [](const Line& line) {
                       return line.kind == Kind::added && !trimmed(line.text).empty();
                     }) -
        lines.begin());
    size_t begin = kNone, end = kNone;
    for (size_t from = at; from < lines.size() && from <= next_new; ++from) {
      if (lines[from].kind == Kind::removed || trimmed(lines[from].text).empty()) continue;
      const size_t last = end_of_run(lines, from, sketch, run);
      if (last == kNone) continue;
      if (begin == kNone || last >= next_new) begin = from, end = last;
      if (last >= next_new) break;
    }
    if (begin == kNone) begin = at, end = lines.size() - 1;  // with lines between that stay
    size_t i = begin;
    for (const size_t of_run : run) {
      size_t found = i;
      while (found <= end && (lines[found].kind == Kind::removed ||
                              trimmed(lines[found].text) != trimmed(sketch[of_run])))
        ++found;
      if (found > end) continue;
      lines[found].in_sketch = of_run;
      at = i = found + 1;
    }
  }
}

}  // namespace

std::string bill_of_result(const Text& before, const Text& after, std::string_view shown,
                           bool is_sketch) {
  std::vector<Line> lines;
  size_t in_file = 0, stay = 0, go = 0, come = 0;
  for (HunkLine& each : line_diff(lines_of(before.str()), lines_of(after.str()))) {
    Line& line = lines.emplace_back(Line{each.kind, std::move(each.text)});
    if (each.kind != Kind::added) line.in_file = in_file++;
    ++(each.kind == Kind::context ? stay : each.kind == Kind::removed ? go : come);
  }
  if (is_sketch) pair_with(lines_of(shown), lines);
  const auto lines_that = [](size_t count, const char* one, const char* many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
  };
  std::string out =
      fmt::format("{}: {}, {}, {}\n{}", is_sketch ? "a sketch" : "sent as a whole",
                  lines_that(stay, "line stays", "lines stay"), lines_that(go, "goes", "go"),
                  lines_that(come, "is new", "are new"), is_sketch ? " file   sketch\n" : "");
  size_t count = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    const Line& line = lines[i];
    if (++count > kBillLines) return out + "      … and more\n";
    if (line.kind == Kind::context && line.in_sketch == kNone) {
      size_t end = i + 1;
      while (end < lines.size() && lines[end].kind == Kind::context &&
             lines[end].in_sketch == kNone)
        ++end;
      const std::string last = end - i > 1 ? fmt::format("–{}", lines[end - 1].in_file + 1) : "";
      out += fmt::format("{:>5}{} {}\n", line.in_file + 1, last, last.empty() ? "stays" : "stay");
      i = end - 1;
      continue;
    }
    const char sign = line.kind == Kind::context ? '=' : line.kind == Kind::removed ? '-' : '+';
    const std::string number = line.in_file == kNone ? "" : fmt::format("{}", line.in_file + 1);
    const std::string row = line.in_sketch == kNone ? "" : fmt::format("{}", line.in_sketch + 1);
    out +=
        fmt::format("{:>5} {} {:<4} {}\n", number, sign, row, shortened_to(line.text, kBillBytes));
  }
  return out;
}

}  // namespace bodkin
