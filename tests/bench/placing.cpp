// Prints what placing costs in large files: processor time of apply() and the program's peak
// memory.
//
//   bench_placing
#include <sys/resource.h>

#include <cstdio>
#include <string>

#include "edits/apply/apply.h"

using namespace bodkin;

namespace {

struct OneFile : Files {
  Text text;
  std::optional<Text> read(std::string_view path) const override {
    return path == "f.c" ? std::optional(text) : std::nullopt;
  }
  std::vector<std::string> paths() const override { return {"f.c"}; }
};

double processor_micros() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const auto micros = [](const timeval& time) {
    return 1e6 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec);
  };
  return micros(usage.ru_utime) + micros(usage.ru_stime);
}

double peak_megabytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

// A quote of `count` lines from the middle, one of them changed. Misquoted: a kept line differs.
EditPlan plan_for(const Text& text, size_t count, bool misquoted) {
  Hunk hunk;
  const size_t first = text.line_count() / 2;
  for (size_t i = 0; i < count; ++i) {
    std::string line = text.line(first + i);
    if (misquoted && i == count / 4) line.replace(line.find(" = "), 3, " = 1 + ");
    const bool changes = i == count / 2;
    hunk.lines.push_back({changes ? HunkLine::Kind::removed : HunkLine::Kind::context, line});
    if (changes) hunk.lines.push_back({HunkLine::Kind::added, "    changed();"});
  }
  EditPlan plan;
  plan.changes.push_back({.kind = FileChange::Kind::update, .path = "f.c", .hunks = {hunk}});
  return plan;
}

void measure(const char* what, size_t lines, size_t quote, bool misquoted) {
  OneFile files;
  std::string bytes;
  for (size_t i = 0; i < lines; ++i)
    bytes += "    value_" + std::to_string(i) + " = compute(" + std::to_string(i * 7919 % 1000003) +
             ", name);\n";
  files.text = Text(std::move(bytes));
  const EditPlan plan = plan_for(files.text, quote, misquoted);
  const double before = processor_micros();
  const ApplyReport report = apply(plan, files, nullptr, {});
  const double after = processor_micros();
  std::printf("%-34s %5.1f MB  %8.0f micros  peak %5.1f MB  %s\n", what,
              static_cast<double>(files.text.size()) / 1048576, after - before, peak_megabytes(),
              report.ok ? name_of(report.hunks[0].match->quality).data() : "REFUSED");
}

// Many quotes of four lines, each without the blank line that the file has below the first.
void measure_many(size_t lines, size_t hunks) {
  OneFile files;
  std::string bytes;
  EditPlan plan;
  FileChange change{.kind = FileChange::Kind::update, .path = "f.c"};
  const auto line = [](size_t i) {
    return "    value_" + std::to_string(i) + " = compute(" + std::to_string(i * 7919 % 1000003) +
           ", name);";
  };
  for (size_t i = 0; i < lines; ++i)
    bytes += line(i) + (i % 6 == 2 && i / 6 < hunks ? "\n\n" : "\n");
  files.text = Text(std::move(bytes));
  for (size_t i = 2; i / 6 < hunks; i += 6)
    change.hunks.push_back({.lines = {{HunkLine::Kind::context, line(i)},
                                      {HunkLine::Kind::context, line(i + 1)},
                                      {HunkLine::Kind::removed, line(i + 2)},
                                      {HunkLine::Kind::added, line(i + 2) + " // new"},
                                      {HunkLine::Kind::context, line(i + 3)}}});
  plan.changes.push_back(std::move(change));
  const double before = processor_micros();
  const ApplyReport report = apply(plan, files, nullptr, {});
  std::printf("%5zu drifted hunks in %zu lines    %5.1f MB  %8.0f micros  %s\n", hunks, lines,
              static_cast<double>(files.text.size()) / 1048576, processor_micros() - before,
              report.ok ? name_of(report.hunks[0].match->quality).data() : "REFUSED");
}

}  // namespace

int main() {
  measure("5 lines in 50,000, exact", 50'000, 5, false);
  measure("200 lines in 250,000, exact", 250'000, 200, false);
  measure("200 lines in 250,000, misquoted", 250'000, 200, true);
  measure_many(20'000, 200);
  measure_many(20'000, 3'000);
}
