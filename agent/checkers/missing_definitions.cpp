// What only a linker reports: a function that is declared and used, and that no file defines.
#include <algorithm>
#include <iterator>

#include "agent/checkers/changed_names.h"
#include "agent/checkers/imports.h"
#include "agent/checkers/unit_checker.h"
#include "grammars/function_names.h"

namespace bodkin {

namespace {

using Function = FunctionNames::Function;

void merge(FunctionNames& all, FunctionNames one) {
  all.declared.merge(one.declared);
  all.defined.merge(one.defined);
  all.used.merge(one.used);
}

// Whether the edits have a line outside of all blocks that says the name and does not define or
// declare it.
bool is_said_at_top(const std::vector<ChangedFile>& files, const std::string& name) {
  bool is_said = false;
  for (const ChangedFile& file : files) {
    for (const Replacement& edit : file.edits) {
      const Text text(edit.text);
      for (size_t i = 0; i < text.line_count(); ++i) {
        const std::string line = text.line(i);
        if (line.empty() || line[0] == ' ' || line[0] == '\t' || !mentions(line, {name})) continue;
        const bool opens = line.ends_with('{');
        is_said = is_said || function_names(Text(line + (opens ? "}" : ""))).used.contains(name);
      }
    }
  }
  return is_said;
}

}  // namespace

// A definition that the draft takes away, or a declaration that it brings.
void UnitChecker::check_definitions() {
  FunctionNames before, after;
  for (const ChangedFile& file : server_.files) {
    if (file.before) merge(before, function_names(*file.before));
    if (file.after) merge(after, function_names(*file.after));
  }
  std::set<Function> gone, brought;
  std::ranges::set_difference(before.defined, after.defined, std::inserter(gone, gone.end()));
  for (const auto& [function, line] : after.declared)
    if (!before.declared.contains(function) && !before.defined.contains(function) &&
        !after.defines(function.first))
      brought.insert(function);
  if (gone.empty() && brought.empty()) return;
  std::set<std::string> names;
  for (const std::set<Function>* functions : {&gone, &brought})
    for (const Function& function : *functions) {
      // "operator==" and "~Name" are no words.
      each_word(function.first, [&](std::string_view word) { names.emplace(word); });
    }
  std::map<Function, CheckedProblem> places;
  std::vector<std::string> paths = project_.files.all_of(Imports::include);
  for (const ChangedFile& file : request_.files) paths.push_back(final_path(file));
  FunctionNames all;
  std::set<std::string> seen;
  for (const std::string& path : paths) {
    const bool is_removed = std::ranges::any_of(request_.files, [&](const ChangedFile& file) {
      return file.path == path && (!file.after || file.rename_to);
    });
    const auto text = is_removed || !seen.insert(path).second ? std::nullopt : draft_.text_then(path);
    if (!text || !mentions(text->str(), names)) continue;
    FunctionNames one = function_names(*text);
    for (const auto& [function, line] : one.declared)
      places.insert({function, {path, line + 1, Severity::error, "", "", "bodkin"}});
    merge(all, std::move(one));
  }
  for (const Function& function : gone) {
    const auto place = places.find(function);
    if (place == places.end() || all.defined.contains(function)) continue;
    // Another of the name may be the one that is used, or a macro may define it. One that nothing
    // declares is this one, with other parameters.
    const bool has_another = std::ranges::any_of(all.defined, [&](const Function& other) {
      return other.first == function.first &&
             (before.defined.contains(other) || all.declared.contains(other));
    });
    if (has_another || is_said_at_top(server_.files, function.first) ||
        !all.used.contains(function.first)) {
      found_.doubt<doubts::undefined>(function.first, place->second.path);
      continue;
    }
    place->second.message =
        function.first + " is declared here and used, but its definition is gone";
    found_.add(std::move(place->second));
  }
  for (const Function& function : brought)
    if (!all.defines(function.first) && all.used.contains(function.first))
      found_.doubt<doubts::undefined>(function.first, places[function].path);
}

}  // namespace bodkin
