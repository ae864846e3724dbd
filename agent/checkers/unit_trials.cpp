// In which units and lines clangd must report an error that is put there.
#include <array>

#include "agent/checkers/file_kinds.h"
#include "agent/checkers/unit_checker.h"
#include "grammars/conditional_code.h"

namespace bodkin {

namespace {

constexpr size_t kMostUnits = 8;

}  // namespace

std::set<std::string> UnitChecker::files_to_try(const std::set<std::string>& asked) const {
  std::set<std::string> result;
  for (const std::string& path : asked)
    if (is_unit(path) && !of_gcc_.contains(path) && !is_unnamed(path) && result.size() < kMostUnits)
      result.insert(path);
  return result;
}

// Of a header's wrong lines a unit may report only the first.
void UnitChecker::doubt_silence(const std::set<std::string>& asked) {
  ServerChecker::doubt_silence(asked);
  const AskedServer& server = asked_server();
  if (!found_.result().reason.empty() || !server.was_asked()) return;
  std::set<std::string> units;
  for (const std::string& path : asked)
    if (is_unit(path) && units.size() < kMostUnits) units.insert(path);
  for (const ChangedFile& file : server_.files) {
    const std::string path = file.last_path();
    for (const ConditionalChange& change : changes_below_if(file)) {
      const Trial trial = trial_of(Imports::include, *file.after, std::array{change.line});
      const auto missing = server.unreported({trial.text, {trial.lines[1]}}, path,
                                             is_unit(path) ? std::set{path} : units);
      if (!missing) return found_.doubt<doubts::failed>(missing.error().message);
      if (*missing)
        return found_.doubt<doubts::conditional>(server.command.name, change.line + 1, path,
                                                 change.condition);
    }
  }
}

}  // namespace bodkin
