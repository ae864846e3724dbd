#include <fmt/format.h>

#include <algorithm>

#include "agent/context/diagnostics.h"
#include "agent/tools/tool_functions.h"

namespace bodkin {

ToolOutcome diagnostics(ToolBench& bench, const nlohmann::json& arguments, const Task& task) {
  auto path = path_in_workspace(string_of(arguments, "path"), bench.draft.roots(task));
  if (!path) return failed(path.error());
  if (bench.guard.is_private(*path)) return failed(*path + " is private.");
  Result<Diagnostics> known = Diagnostics();
  if (bench.editor) known = bench.editor->diagnostics(*path, task);
  if (!known) return failed(known.error());
  std::string result = fmt::format("State: {}.\n", name_of(known->freshness));
  bool is_ours = false;
  std::string why_unknown = "no language server is available";
  if (known->freshness == Freshness::unknown && bench.report_of) {
    if (auto report = bench.report_of(*path, task)) {
      *known = {Freshness::fresh, std::move(report->problems)};
      is_ours = true;
      result = fmt::format("State: fresh, by {}.\n", report->by);
    } else {
      why_unknown = report.error().message;
    }
  }
  if (!is_ours && !known->list.empty()) {
    // The editor's servers may have read what no model may see. Ours have not, and say so if the
    // file leads there.
    const auto file = bench.shown.read(*path, task);
    const bool is_harmless = bench.report_of && bench.report_of(*path, task);
    for (Diagnostic& diagnostic : known->list) {
      if (!is_harmless)
        diagnostic.message =
            without_foreign_words(diagnostic.message, file ? file->text.str() : "");
    }
  }
  size_t count = 0;
  for (const Diagnostic& diagnostic : known->list) {
    if (diagnostic.source == "bodkin") continue;
    if (++count <= 100) result += describe(diagnostic) + "\n";
  }
  if (count > 100) result += fmt::format("… and {} more.\n", count - 100);
  if (count == 0) {
    result += known->freshness == Freshness::unknown
                  ? "Nothing has reported on this file; that does not mean it is free of "
                    "problems (" +
                        why_unknown + ").\n"
                  : "No problems.\n";
  }
  const std::vector<ChangedFile> drafted = bench.draft.files();
  if (std::ranges::any_of(drafted, [&](const ChangedFile& file) { return file.path == *path; })) {
    result += "These do not include your edits of this file.\n";
  }
  if (!drafted.empty()) {
    if (const std::string words = check_words(bench, task); !words.empty())
      result += "With all of your edits: " + words;
  }
  return {result};
}

}  // namespace bodkin
