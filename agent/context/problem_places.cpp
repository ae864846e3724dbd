#include "agent/context/problem_places.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "agent/ask/output_problems.h"
#include "agent/platform/paths.h"

namespace bodkin {

void add_problem_places(std::string_view request, Workspace& workspace, const Task& task,
                        Named& named) {
  constexpr size_t kMost = 6, kMostListed = 20'000;
  const Roots roots = workspace.roots(task);
  std::map<std::string, ParsedFile> files;
  std::set<std::pair<std::string, size_t>> shown;
  std::optional<std::vector<std::string>> listed;
  // A compiler that ran in a folder below names files from there.
  const auto only_file_below = [&](const std::string& path) -> Result<Snapshot> {
    if (!listed)
      listed = workspace.list("", kMostListed, task).value_or(std::vector<std::string>());
    std::vector<std::string> fits;
    for (const std::string& each : *listed)
      if (each.ends_with("/" + path)) fits.push_back(each);
    if (fits.size() != 1) return fail(Error::Code::not_found, path + " is not in the workspace");
    return workspace.read(fits[0], task);
  };
  for (const CheckedProblem& problem : problems_in(request)) {
    if (shown.size() == kMost) return;
    const auto place = roots.find(problem.path);
    const std::string path = place ? place->path : problem.path;
    if (os::is_absolute(path) || problem.line == 0) continue;
    auto file = files.find(path);
    if (file == files.end()) {
      auto read = workspace.read(path, task);
      if (!read) read = only_file_below(path);
      if (!read) continue;
      file = files.emplace(path, parsed(*std::move(read), task)).first;
    }
    const ParsedFile& source = file->second;
    const size_t line = problem.line - 1;
    const Symbol* const symbol = enclosing(source.outline, {line, line + 1});
    const std::string& found = source.file.path;
    if (!shown.insert({found, symbol ? symbol->lines.begin : SIZE_MAX}).second) continue;
    if (!symbol) {
      if (std::ranges::find(named.files, found) == named.files.end()) named.files.push_back(found);
      continue;
    }
    const bool is_known = std::ranges::any_of(named.symbols, [&](const FoundSymbol& known) {
      return known.file.path == found && known.symbol.lines == symbol->lines;
    });
    if (!is_known)
      named.symbols.push_back({source.file, *symbol, path_in_outline(source.outline, *symbol)});
  }
}

}  // namespace bodkin
