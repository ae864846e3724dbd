#include "agent/loop/known_problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "agent/context/diagnostics.h"
#include "agent/support/shown_text.h"

namespace bodkin {

namespace {

constexpr size_t kMaxFiles = 8;
constexpr size_t kMaxOfFile = 50;  // problems

std::string listed(const std::string& path, const FileReport& report) {
  if (report.problems.empty())
    return fmt::format("{} reports no problems in {}.\n", report.by, shown_name(path));
  std::string text = fmt::format("Problems that {} reports in {}:\n", report.by, shown_name(path));
  const size_t count = std::min(report.problems.size(), kMaxOfFile);
  for (size_t i = 0; i < count; ++i) text += "- " + describe(report.problems[i]) + "\n";
  if (report.problems.size() > count)
    text += fmt::format("- … and {} more\n", report.problems.size() - count);
  return text;
}

}  // namespace

std::string problems_text(const std::vector<std::string>& named, DraftChecker* checker,
                          GuardedWorkspace& guard, const Task& task) {
  std::string text;
  std::vector<std::string> paths;  // of a folder, its files
  for (const std::string& path : named) {
    if (!path.ends_with('/')) {
      paths.push_back(path);
    } else if (auto inside = guard.list(path.substr(0, path.size() - 1), kMaxFiles, task)) {
      std::ranges::move(*inside, std::back_inserter(paths));
    }
  }
  std::set<std::string> seen;
  for (size_t i = 0; i < paths.size() && seen.size() < kMaxFiles; ++i) {
    if (guard.is_private(paths[i]) || !seen.insert(paths[i]).second) continue;
    if (task.report)
      task.report({Progress::Kind::status, "Looking for problems in " + plain_line(paths[i])});
    const auto report = checker ? checker->report(paths[i], guard, task)
                                : fail(Error::Code::unavailable, "there is no language server");
    if (task.stop.stop_requested()) return text;
    if (report) {
      text += listed(paths[i], *report);
      continue;
    }
    text += fmt::format("The problems in {} are not known: {}.\n", shown_name(paths[i]),
                        report.error().message);
    if (task.report) {
      task.report({Progress::Kind::note,
                   fmt::format("the problems in {} are not known: {}", plain_line(paths[i]),
                               plain_line(report.error().message))});
    }
  }
  return text.empty() ? text : text + "\n";
}

}  // namespace bodkin
