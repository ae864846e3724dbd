// Finds what only a linker reports: a function that is declared and used, and that no file defines.
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

// Whether a line outside of all blocks says the name and does not define or declare it.
bool says_at_top(const Text& text, const std::string& name) {
  for (size_t i = 0; i < text.line_count(); ++i) {
    const std::string line = text.line(i);
    if (line.empty() || line[0] == ' ' || line[0] == '\t' || !mentions(line, {name})) continue;
    const bool opens = line.contains('{');
    const Text head(line.substr(0, line.find('{')) + (opens ? "{}" : ""));
    if (mentions(head.str(), {name}) && function_names(head).used.contains(name)) return true;
  }
  return false;
}

// The functions that the edits call.
void add_called(const std::vector<Replacement>& edits, std::set<std::string>& names) {
  for (const Replacement& edit : edits) {
    const std::string_view text = edit.text;
    each_word(text, [&](std::string_view word) {
      const auto end = static_cast<size_t>(word.data() + word.size() - text.data());
      if (text.substr(end).starts_with('(')) names.emplace(word);
    });
  }
}

}  // namespace

// Looks for the definitions that the draft removes, and for those of names it newly declares or
// calls.
void UnitChecker::check_definitions() {
  FunctionNames before, after;
  std::set<std::string> called;
  for (const ChangedFile& file : server_.files) {
    if (file.before) merge(before, function_names(*file.before));
    if (!file.after) continue;
    merge(after, function_names(*file.after));
    add_called(file.edits, called);
    if (!file.before) add_called({{0, 0, file.after->str()}}, called);
  }
  std::erase_if(called, [&](const std::string& name) {
    return before.used.contains(name) || after.defines(name) || !after.used.contains(name);
  });
  std::set<Function> gone;
  std::ranges::set_difference(before.defined, after.defined, std::inserter(gone, gone.end()));
  std::set<std::string> names;  // "operator==" and "~Name" are no words
  for (const auto& [function, line] : after.declared)
    if (!before.declared.contains(function) && !before.defined.contains(function) &&
        !after.defines(function.first))
      called.insert(function.first);
  for (const Function& function : gone) names.insert(function.first);
  for (const std::string& name : called) names.insert(name);
  if (names.empty()) return;
  std::set<std::string> words;
  for (const std::string& name : names)
    each_word(name, [&](std::string_view word) { words.emplace(word); });
  std::map<Function, CheckedProblem> places;
  std::vector<std::string> paths = project_.files.all_of(Imports::include);
  for (const ChangedFile& file : request_.files) paths.push_back(file.last_path());
  FunctionNames all;
  std::set<std::string> seen;
  for (const std::string& path : paths) {
    const bool is_removed = std::ranges::any_of(request_.files, [&](const ChangedFile& file) {
      return file.path == path && (!file.after || file.rename_to);
    });
    const auto text =
        is_removed || !seen.insert(path).second ? std::nullopt : draft_.text_then(path);
    if (!text || !mentions(text->str(), words)) continue;
    FunctionNames one = function_names(*text);
    for (const auto& [function, line] : one.declared)
      places.insert({function, {path, line + 1, Severity::error, "", "", "bodkin"}});
    merge(all, std::move(one));
    std::erase_if(called, [&](const std::string& name) {  // a macro may define it
      return all.defines(name) || says_at_top(*text, name);
    });
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
    const bool is_said = std::ranges::any_of(server_.files, [&](const ChangedFile& file) {
      return std::ranges::any_of(file.edits, [&](const Replacement& edit) {
        return says_at_top(Text(edit.text), function.first);
      });
    });
    // The one that is declared elsewhere is another.
    const bool is_withdrawn =
        before.declared.contains(function) && !after.declared.contains(function);
    if (has_another || is_said || is_withdrawn || !all.used.contains(function.first)) {
      found_.doubt<doubts::undefined>(function.first, place->second.path);
      continue;
    }
    place->second.message =
        function.first + " is declared here and used, but its definition is gone";
    found_.add(std::move(place->second));
  }
  for (const auto& [function, place] : places)
    if (called.contains(function.first) && all.used.contains(function.first))
      found_.doubt<doubts::undefined>(function.first, place.path);
}

}  // namespace bodkin
