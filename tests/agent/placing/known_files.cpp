#include "agent/placing/known_files.h"

#include <doctest/doctest.h>

#include <map>
#include <stop_token>
#include <string>

#include "edits/apply/apply.h"

using namespace bodkin;

namespace {

// How often it is asked; it stops the placing when it is read for the second time.
struct CountedFiles : Files {
  std::map<std::string, std::string> texts;
  explicit CountedFiles(std::map<std::string, std::string> t) : texts(std::move(t)) {}
  mutable size_t reads = 0, listings = 0;
  mutable std::stop_source stop = std::stop_source(std::nostopstate);
  std::optional<Text> read(std::string_view path) const override {
    if (++reads == 2 && stop.stop_possible()) stop.request_stop();
    const auto it = texts.find(std::string(path));
    return it == texts.end() ? std::nullopt : std::optional(Text(it->second));
  }
  std::vector<std::string> paths() const override {
    ++listings;
    std::vector<std::string> all;
    for (const auto& [path, text] : texts) all.push_back(path);
    return all;
  }
};

FileChange update(const std::string& path, const std::string& old, const std::string& with) {
  FileChange change;
  change.path = path;
  change.hunks.emplace_back().lines = {{HunkLine::Kind::removed, old},
                                       {HunkLine::Kind::added, with}};
  return change;
}

}  // namespace

TEST_CASE("one placing reads a file once and lists the files once, however many are missing") {
  EditPlan plan;
  for (int i = 0; i < 50; ++i) {
    plan.changes.push_back(update("gone/" + std::to_string(i) + ".c", "x", "w"));
    plan.changes.push_back(update("src/a.c", "x", "w"));
  }
  const CountedFiles files({{"src/a.c", "x\n"}, {"lib/3.c", "y\n"}});
  const KnownFiles known(files), others(files, &known);
  CHECK(!apply(plan, known, nullptr, {}).ok);
  CHECK(!apply(plan, others, nullptr, {}).ok);
  CHECK(files.listings == 1);
  CHECK(files.reads <= 2 * 102);
  CHECK(known.paths_named("x/A.C") == std::vector<std::string>{"src/a.c"});
}

TEST_CASE("a placing ends at the file where it is stopped") {
  EditPlan plan;
  std::map<std::string, std::string> texts;
  for (int i = 0; i < 50; ++i) {
    plan.changes.push_back(update(std::to_string(i) + ".c", "x", "w"));
    texts[std::to_string(i) + ".c"] = "x\n";
  }
  CountedFiles files(texts);
  files.stop = std::stop_source();
  const KnownFiles known(files, nullptr, files.stop.get_token());
  const ApplyReport report = apply(plan, known, nullptr, {.stop = files.stop.get_token()});
  CHECK(!report.ok);
  CHECK(report.failure);
  CHECK(report.files.empty());
  CHECK(files.reads == 2);
}
