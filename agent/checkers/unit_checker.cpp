// Checks a change of C or C++ by the units that are compiled. clangd reads the headers at a unit's
// top without the bodies of functions, including templates, so a unit is first checked as it is,
// which is quick and finds most errors, and then in full if something may depend on such bodies: a
// header has changed, or a statement may instantiate a template. A header is never judged by
// itself: as a document, it has errors that no build has. If gcc compiles the project and may run,
// it looks at the whole units instead.
//
// More than 350 lines: which units are looked at, and what is reported about the others, is one
// decision.
#include "agent/checkers/unit_checker.h"

#include <algorithm>
#include <chrono>

#include "agent/checkers/changed_names.h"
#include "agent/checkers/file_kinds.h"
#include "agent/checkers/plain_edits.h"
#include "agent/platform/paths.h"
#include "edits/plan/paths.h"
#include "grammars/certain_errors.h"
#include "grammars/languages.h"
#include "grammars/syntax_tree.h"

namespace bodkin {

namespace {

constexpr size_t kPart = 8;                               // units that are looked at in one go
constexpr auto kLongestCheck = std::chrono::seconds(40);  // longer, nobody waits

bool has_error(const FileProblems& problems) {
  return std::ranges::any_of(
      problems.list, [](const Diagnostic& problem) { return problem.severity == Severity::error; });
}

// Whether the problem may only mean that clangd, not knowing the standard, took a word or sign of a
// newer one for something else.
bool may_be_newer(const CheckedProblem& problem) {
  if (problem.code.starts_with("expected")) return !problem.code.starts_with("expected_semi");
  if (problem.code.starts_with("-Wc++2") || problem.code.starts_with("-Wc2")) return true;
  if (problem.code == "pp_invalid_directive") return problem.message.contains("directive");
  if (problem.message.contains("in namespace 'std'")) return true;
  static constexpr std::string_view kNewWords =
      " char8_t co_await co_return co_yield concept consteval constinit nullptr requires typeof ";
  bool is_keyword = false;
  each_word(problem.message, [&](std::string_view word) {
    is_keyword = is_keyword || kNewWords.contains(" " + std::string(word) + " ");
  });
  return is_keyword;
}

bool is_header_change(const ChangedFile& file) { return !is_unit(file.last_path()); }

}  // namespace

std::vector<ClangdFile> UnitChecker::files_of_clangd() const {
  return clangd_files(
      project_.root, project_.files, [&](const std::string& path) -> std::optional<std::string> {
        const auto text = os::is_absolute(path) ? draft_.disk_text(path) : draft_.text_now(path);
        return text ? std::optional(text->str()) : std::nullopt;
      });
}

// Only units are asked about.
void UnitChecker::keep_units(std::vector<std::string>& users) {
  std::set<std::string> names;
  for (const ChangedFile& file : request_.files) names.emplace(last_part(file.path));
  for (const std::string& path : users) names.emplace(last_part(path));
  std::set<std::string> forced;
  for (const std::string& unit : project_.commands.forcing_units(names))
    forced.insert(draft_.relative(unit));
  for (const ClangdFile& file : files_of_clangd()) {
    if (!may_force(file, names)) continue;
    for (std::string& unit : project_.files.all_of(Imports::include))
      if (file.folder.empty() || unit.starts_with(file.folder + "/"))
        forced.insert(std::move(unit));
  }
  for (const std::string& path : users) forced.erase(path);
  users.insert(users.end(), forced.begin(), forced.end());
  for (const std::string& path : users)
    if (!is_unit(path) && project_.commands.has(draft_.full(path)))
      found_.doubt<doubts::part_of_unit>(path);
  std::erase_if(users, [](const std::string& path) { return !is_unit(path); });
}

// Adds, for each concerned header, one unit that includes it for every way in which such units are
// compiled.
void UnitChecker::add_compiling_units(const std::vector<std::string>& units,
                                      std::vector<std::string>& users) {
  std::set<std::string> chosen;
  for (const std::string& path : users)
    if (is_unit(path)) chosen.insert(path);
  for (const std::string& header : std::vector<std::string>(users)) {
    if (is_unit(header)) continue;
    std::map<std::string, std::string> by_view;  // a unit each, one that is chosen if there is one
    ChangedFile file;
    file.path = header;
    for (const std::string& user : project_.files.dependents(Imports::include, {file})) {
      if (std::ranges::find(units, user) == units.end()) continue;
      std::string& unit = by_view[project_.commands.view_of(draft_.full(user))];
      if (unit.empty() || (chosen.contains(user) && !chosen.contains(unit))) unit = user;
    }
    for (const auto& [view, unit] : by_view)
      if (chosen.insert(unit).second) users.push_back(unit);
  }
}

// Whether the compilation database has no command for a unit that is not changed itself.
bool UnitChecker::is_unnamed(const std::string& path) const {
  return project_.commands.are_known() && !project_.commands.has(draft_.full(path)) &&
         !project_.files.has_nested_database(path) && !is_changed(path);
}

// Whether the edit may have an effect in bodies that a quick look has not read: C has no templates,
// but the text above an #include decides what the header's functions see.
bool UnitChecker::may_instantiate() const {
  return server_.command.kind->name == "clangd" &&
         !std::ranges::all_of(server_.files, [](const ChangedFile& file) {
           const Language* language = language_of(file.last_path());
           return language && language->id == "c" && is_unit(file.last_path()) &&
                  leaves_headers(file);
         });
}

bool UnitChecker::look(const std::set<std::string>& asked) {
  std::set<std::string> units, unnamed;
  bool reaches_others = std::ranges::any_of(server_.files, is_header_change);
  for (const std::string& path : asked) {
    if (!is_unit(path)) continue;
    if (is_unnamed(path)) {
      unnamed.insert(path);
      continue;
    }
    units.insert(path);
    reaches_others = reaches_others || !is_changed(path);
    if (project_.commands.differ_for(draft_.full(path)) && !may_run_gcc(path))
      found_.doubt<doubts::several_ways>(path);
  }
  if (units.empty() && unnamed.empty()) {
    found_.doubt<doubts::no_unit>(server_.files[0].path);
    return true;
  }
  is_late_ = may_fail_late(units);
  const Findings::Mark before = found_.mark();
  if (!units.empty() && !look_at_units(units, reaches_others)) return false;
  if (found_.errors() == before.errors) check_unnamed(unnamed);
  doubt_errors(before);
  if (found_.errors() == before.errors) {
    for (const std::string& path : units)
      for (const auto& command : project_.commands.of_gcc(draft_.full(path)))
        if (command.is_strict && !may_run_gcc(path))
          found_.doubt<doubts::strict_gcc>(settings_.trusted
                                               ? "its command may run a program of the folder"
                                               : "gcc runs only in a trusted folder");
    const auto files = files_of_clangd();
    for (const ClangdFile& file : files)
      if (!project_.commands.are_known() && hides_errors(files, file))
        found_.doubt<doubts::suppressed>(file.path);
    if (is_late_ && !found_.is_judged_by("gcc")) found_.doubt<doubts::needs_code>();
    check_definitions();
  }
  if (!settings_.trusted && std::ranges::any_of(found_.added(), [](const CheckedProblem& problem) {
        return problem.code == "-Wreorder-init-list";
      }))
    found_.doubt<doubts::gcc_rejects_more>();
  return true;
}

// Errors that the build need not have, of those behind these.
void UnitChecker::doubt_errors(const Findings::Mark& before) {
  // The new commands are known only once the build has been configured again; run() says so.
  bool are_doubted = std::ranges::any_of(request_.files, [](const ChangedFile& file) {
    return configures_compilation(file.path) || configures_compilation(file.last_path());
  });
  // Without a database clangd takes the file for C++17, or C17: what it does not expect may be
  // newer.
  const bool is_guessed = !project_.commands.are_known() && files_of_clangd().empty();
  for (size_t i = before.listed; i < found_.added().size(); ++i) {
    const CheckedProblem& problem = found_.added()[i];
    const Language* language = language_of(problem.path);
    const bool is_of_gnu = problem.code == "function_definition_not_allowed" ||
                           problem.code == "typecheck_field_variable_size";
    if (is_of_gnu && language && language->id == "c" && !found_.is_judged_by("gcc")) {
      found_.doubt<doubts::gnu_c>(problem.path, problem.message);
      are_doubted = true;
    }
    if (!is_guessed || !may_be_newer(problem)) continue;
    const auto file = std::ranges::find_if(
        request_.files, [&](const auto& each) { return each.last_path() == problem.path; });
    if (file == request_.files.end() || !file->after) continue;
    const auto certain =
        certain_errors(*make_syntax(), problem.path, file->before.value_or(Text()), *file->after);
    if (certain && !certain->empty()) continue;
    found_.doubt<doubts::newer_standard>(problem.line, problem.path, problem.message,
                                         database_hint());
    are_doubted = true;
  }
  if (are_doubted) found_.weaken(before);
}

// Quickly, and at all of them where that is not enough. False: nothing is known.
bool UnitChecker::look_at_units(std::set<std::string> units, bool reaches_others) {
  const Findings::Mark before = found_.mark();
  const auto gcc = settings_.trusted ? start_gcc(units) : nullptr;
  std::set<std::string> first;
  for (const std::string& path : units)
    if (is_changed(path)) first.insert(path);
  // An error in a header is one in each unit that includes it.
  const bool is_of_header = first.empty();
  if (gcc && is_of_header) first.insert(*units.begin());
  if (!reaches_others || gcc) {
    const Findings without = found_;
    const auto looked = server_.both(first);
    if (!looked && !is_of_header) {
      found_.doubt<doubts::failed>(looked.error().message);
      return false;
    }
    if (looked) compare_files(looked->before, looked->after);
    const bool is_clean = found_.errors() == before.errors;
    if (!is_clean && (!gcc || is_certain(before))) return true;
    if (gcc) {
      check_with_gcc(*gcc, units, before);
      if (units.empty() || found_.errors() > before.errors) return true;
    }
    if ((!reaches_others && !is_clean) || !may_instantiate()) return true;
    if (!reaches_others) {
      // If the whole units have no error, there is no new one, whatever they had before.
      const auto draft = whole_.after(units);
      if (draft &&
          std::ranges::none_of(*draft, [](const auto& file) { return has_error(file.second); }))
        return true;
    }
    found_ = without;
  }
  if (!check_in_parts(units)) return false;
  if (found_.errors() == before.errors) doubt_header_warnings();
  return true;
}

// Whether a unit mentions what the draft changes for others.
bool UnitChecker::uses_change(const std::string& path) const {
  std::vector<ChangedFile> files;
  for (const ChangedFile& file : whole_.files)
    if (!changes_bodies_alone(file)) files.push_back(file);
  if (files.empty()) return false;
  const std::set<std::string> names = changed_names(files, true);
  const auto text = draft_.text_now(path);
  return names.empty() || !text || mentions(text->str(), names);
}

// Units that use what has changed and are not in the compilation database: it may be one of a part
// of the build. clangd guesses how they are compiled, so only what it can read decides.
void UnitChecker::check_unnamed(const std::set<std::string>& units) {
  const auto last = std::chrono::steady_clock::now() + kLongestCheck;
  for (auto at = units.begin(); at != units.end();) {
    std::set<std::string> part;
    for (; at != units.end() && part.size() < kPart; ++at) part.insert(*at);
    if (std::chrono::steady_clock::now() > last)
      return found_.doubt<doubts::in_time>(
          static_cast<size_t>(std::distance(units.begin(), at)) - part.size(), units.size(),
          whole_.files[0].path);
    const auto after = whole_.after(part);
    if (!after) return found_.doubt<doubts::failed>(after.error().message);
    std::set<std::string> doubted;
    for (const auto& [path, problems] : *after)
      if (has_error(problems)) doubted.insert(draft_.relative(path));
    if (doubted.empty()) continue;
    const auto before = whole_.before(doubted);
    if (!before) return found_.doubt<doubts::failed>(before.error().message);
    Problems old_of_right, new_of_right;
    for (const std::string& path : doubted) {
      const auto old = before->find(draft_.full(path));
      if (old != before->end() && !has_error(old->second)) {
        old_of_right[draft_.full(path)] = old->second;
        new_of_right[draft_.full(path)] = after->at(draft_.full(path));
        continue;
      }
      // If clangd guesses the options, only a new unreadable part says anything. clangd reads
      // nothing of the blocks of macros that it does not know.
      const bool says_nothing_new =
          old != before->end() &&
          bodkin::compare(old->second.list, after->at(draft_.full(path)).list, {}).added.empty();
      if (says_nothing_new && !uses_change(path)) {
        found_.add({path, 1, Severity::information, "",
                    "not in compile_commands.json, and not checked: with guessed "
                    "options clangd finds errors in it",
                    whole_.command.name});
        continue;
      }
      found_.doubt<doubts::unnamed_unit>(path, whole_.files[0].path);
    }
    compare_files(old_of_right, new_of_right);
  }
}

// A new error in one part says enough; each unit costs up to some seconds. False: nothing is known.
bool UnitChecker::check_in_parts(const std::set<std::string>& units) {
  std::vector<std::string> order(units.begin(), units.end());
  std::ranges::stable_partition(order, [&](const std::string& path) {
    return std::ranges::any_of(whole_.files,
                               [&](const auto& file) { return file.last_path() == path; });
  });
  const auto last = std::chrono::steady_clock::now() + kLongestCheck;
  const size_t errors = found_.errors();
  for (size_t i = 0; i < order.size() && found_.errors() == errors; i += kPart) {
    if (std::chrono::steady_clock::now() > last) {
      found_.doubt<doubts::in_time>(i, order.size(), whole_.files[0].path);
      break;
    }
    const size_t end = std::min(i + kPart, order.size());
    const auto looked = whole_.both(
        {order.begin() + static_cast<ptrdiff_t>(i), order.begin() + static_cast<ptrdiff_t>(end)});
    if (!looked) {
      found_.doubt<doubts::failed>(looked.error().message);
      return i > 0;
    }
    compare_files(looked->before, looked->after);
  }
  return true;
}

// In a header, clangd reports no warning that the command makes an error. As a document of its own
// a header shows them; but also those that no build has, and errors if it does not include what it
// needs.
void UnitChecker::doubt_header_warnings() {
  std::set<std::string> headers;
  for (const ChangedFile& file : server_.files)
    if (is_header_change(file) && file.before && file.after && !file.rename_to)
      headers.insert(file.path);
  if (headers.empty()) return;
  const auto looked = server_.both(headers);
  if (!looked) return found_.doubt<doubts::failed>(looked.error().message);
  for (const ChangedFile& file : server_.files) {
    const auto before = looked->before.find(draft_.full(file.path));
    const auto after = looked->after.find(draft_.full(file.path));
    if (before == looked->before.end() || after == looked->after.end()) continue;
    for (const Diagnostic& problem :
         bodkin::compare(before->second.list, after->second.list, file.edits).added) {
      // Anything unused in a header may be used by the files that include it.
      if (problem.severity == Severity::error && problem.code.starts_with("-W") &&
          !problem.code.starts_with("-Wunused-macros") &&
          !problem.code.starts_with("-Wunused-function") &&
          !problem.code.starts_with("-Wunused-const-variable") &&
          !problem.code.starts_with("-Wpragma-once"))
        found_.doubt<doubts::warning_of_header>(file.path, problem.message);
    }
  }
}

void UnitChecker::warm_up() {
  ServerChecker::warm_up();
  std::set<std::string> paths;
  for (const ChangedFile& file : server_.files) paths.insert(file.path);
  if (may_instantiate()) (void)whole_.before(paths);
}

std::vector<std::string> UnitChecker::users_to_ask(std::vector<std::string> users) {
  std::vector<std::string> units = users;
  keep_units(units);
  // If only function bodies changed, every unit reports the same problems of them.
  const bool change_bodies =
      units.size() > 1 && std::ranges::all_of(server_.files, changes_bodies_alone);
  if (!change_bodies && units.size() <= server_.command.kind->most_dependents) return units;
  if (change_bodies) {
    users.clear();
    for (const ChangedFile& file : server_.files)
      users.insert(users.end(), {file.last_path(), file.path});
  } else {
    keep_concerned(users);
  }
  add_compiling_units(units, users);
  keep_units(users);
  return users.empty() ? units : users;  // at least those that are compiled with it
}

void UnitChecker::doubt_scope(const std::set<std::string>& asked) {
  ServerChecker::doubt_scope(asked);
  const std::string outside = project_.files.user_outside(project_.commands.files(), asked);
  if (!outside.empty()) found_.doubt<doubts::user_outside>(outside, server_.files[0].path);
}

std::unique_ptr<Checker> unit_checker(Check& check, std::string key, ServerCommand command,
                                      std::vector<ChangedFile> files) {
  return std::make_unique<UnitChecker>(check, std::move(key), std::move(command), std::move(files));
}

}  // namespace bodkin
