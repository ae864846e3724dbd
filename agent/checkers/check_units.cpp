// How a change of C or C++ is checked: by the units that are compiled. clangd reads the headers at
// a unit's top without the bodies of functions, templates among them, so a unit is first
// checked as it is, which is quick and finds most errors, and then in full where something may
// depend on such bodies: a header has changed, or a statement may instantiate a template. A header
// is never judged by itself: as a document, it has errors that no build has.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "agent/checkers/check.h"
#include "agent/checkers/plain_edits.h"
#include "grammars/languages.h"

namespace bodkin {

namespace {

constexpr size_t kPart = 8;  // units that are looked at in one go
constexpr auto kLongestCheck = std::chrono::seconds(90);

bool has_error(const FileProblems& problems) {
  return std::ranges::any_of(
      problems.list, [](const Diagnostic& problem) { return problem.severity == Severity::error; });
}

bool is_header_change(const ChangedFile& file) { return !is_unit(final_path(file)); }

}  // namespace

// Only units are asked about, and those that the database has, if there is one for them.
void Checkers::Check::keep_units(std::vector<std::string>& users) {
  std::set<std::string> names;
  for (const ChangedFile& file : request_.files) names.emplace(file_name(file.path));
  for (const std::string& path : users) names.emplace(file_name(path));
  for (const std::string& unit : project_.commands.forcing_units(names)) {
    if (std::ranges::find(users, relative(unit)) == users.end()) users.push_back(relative(unit));
  }
  for (const std::string& path : users) {
    if (!is_unit(path) && project_.commands.has(full(path)))
      not_checked(fmt::format(
          "{} is compiled as part of another file, which clangd does not report on", path));
  }
  std::erase_if(users, [&](const std::string& path) {
    return !is_unit(path) || (project_.commands.are_known() && !project_.commands.has(full(path)) &&
                              !project_.files.has_nested_database(path));
  });
}

// The same files for a clangd that reads whole units; any other server knows only one way.
Checkers::Check::Group Checkers::Check::whole_units_of(const Group& group) {
  Group whole = group;
  if (group.command.kind->name == "clangd") {
    whole.key += " whole";
    whole.command.reads_whole_units = true;
  }
  return whole;
}

// Whether the edit may have an effect in bodies that a quick look has not read: C has no templates,
// but what stands above an #include decides what the header's functions see.
bool Checkers::Check::may_instantiate(const Group& group) {
  return group.command.kind->name == "clangd" &&
         !std::ranges::all_of(group.files, [](const ChangedFile& file) {
           const Language* language = language_of(final_path(file));
           return language && language->id == "c" && is_unit(final_path(file)) &&
                  leaves_headers(file);
         });
}

// False: nothing is known.
bool Checkers::Check::check_units(const Group& group, const std::set<std::string>& asked) {
  std::set<std::string> units;
  bool reaches_others = std::ranges::any_of(group.files, is_header_change);
  for (const std::string& path : asked) {
    if (!is_unit(path)) continue;
    units.insert(path);
    reaches_others = reaches_others || std::ranges::none_of(group.files, [&](const auto& file) {
                       return file.path == path || final_path(file) == path;
                     });
    if (project_.commands.differ_for(full(path)))
      not_checked(fmt::format("{} is compiled in several ways, of which clangd sees one", path));
  }
  if (units.empty()) {
    not_checked(fmt::format("no file that is compiled includes {}", group.files[0].path));
    return true;
  }
  if (!look_at_units(group, units, reaches_others)) return false;
  check_with_compiler(units);
  return true;
}

// Quickly, and at all of them where that is not enough. False: nothing is known.
bool Checkers::Check::look_at_units(const Group& group, const std::set<std::string>& units,
                                    bool reaches_others) {
  const Group whole = whole_units_of(group);
  if (!reaches_others) {
    const CheckResult result = result_;
    const auto reported = reported_;
    const auto looked = check_before_and_after(group, units);
    if (!looked) {
      not_checked(looked.error().message);
      return false;
    }
    const size_t errors = new_errors_;
    compare_files(group, looked->before, looked->after);
    const bool needs_more = may_instantiate(group) && new_errors_ == errors &&
                            !std::ranges::all_of(group.files, is_plain_edit);
    if (!needs_more) return true;
    // Without an error in the whole units there is no new one, whatever they had before.
    const auto draft = check_draft(whole, units);
    if (draft &&
        std::ranges::none_of(*draft, [](const auto& file) { return has_error(file.second); }))
      return true;
    result_ = result;
    reported_ = reported;
  }
  if (!check_in_parts(whole, units)) return false;
  add_header_errors(group);
  return true;
}

// A new error in one part says enough; each unit costs up to some seconds. False: nothing is known.
bool Checkers::Check::check_in_parts(const Group& whole, const std::set<std::string>& units) {
  std::vector<std::string> order(units.begin(), units.end());
  std::ranges::stable_partition(order, [&](const std::string& path) {
    return std::ranges::any_of(whole.files,
                               [&](const auto& file) { return final_path(file) == path; });
  });
  const auto last = std::chrono::steady_clock::now() + kLongestCheck;
  const size_t errors = new_errors_;
  for (size_t i = 0; i < order.size() && new_errors_ == errors; i += kPart) {
    if (std::chrono::steady_clock::now() > last) {
      not_checked(fmt::format("only {} of the {} files that depend on {} were checked in time", i,
                              order.size(), whole.files[0].path));
      break;
    }
    const size_t end = std::min(i + kPart, order.size());
    const auto looked = check_before_and_after(
        whole,
        {order.begin() + static_cast<ptrdiff_t>(i), order.begin() + static_cast<ptrdiff_t>(end)});
    if (!looked) {
      not_checked(looked.error().message);
      return i > 0;
    }
    compare_files(whole, looked->before, looked->after);
  }
  return true;
}

// Of the errors in headers, clangd reports one for a unit, and none that is a promoted warning. As
// a document of its own, a header shows all of them; but also such warnings that no build has, and
// what follows if it does not include what it needs.
void Checkers::Check::add_header_errors(const Group& group) {
  std::set<std::string> headers;
  for (const ChangedFile& file : group.files)
    if (is_header_change(file) && file.before && file.after && !file.rename_to)
      headers.insert(file.path);
  if (headers.empty()) return;
  const auto looked = check_before_and_after(group, headers);
  if (!looked) return not_checked(looked.error().message);
  for (const ChangedFile& file : group.files) {
    const auto before = looked->before.find(full(file.path));
    const auto after = looked->after.find(full(file.path));
    if (before == looked->before.end() || after == looked->after.end()) continue;
    const DiagnosticsChange change = compare(before->second.list, after->second.list, file.edits);
    for (const Diagnostic& problem : change.added) {
      if (problem.severity != Severity::error) continue;
      if (problem.code.starts_with("-W")) {
        // What is not used in a header may be used by those that include it.
        if (!problem.code.starts_with("-Wunused-macros") &&
            !problem.code.starts_with("-Wunused-function") &&
            !problem.code.starts_with("-Wunused-const-variable") &&
            !problem.code.starts_with("-Wpragma-once"))
          not_checked(fmt::format("{} has a new warning that is an error in a build: {}", file.path,
                                  problem.message));
        continue;
      }
      // Only what the units say, too, is an error; this says where.
      const CheckedProblem one = shown(problem, after->second, full(file.path));
      const bool is_listed = std::ranges::any_of(result_.added, [&](const CheckedProblem& other) {
        return other.path == one.path && other.line == one.line;
      });
      if (new_errors_ == 0 || is_listed) continue;
      result_.added.push_back(one);
    }
  }
}

}  // namespace bodkin
