// Decides which problems are errors with any options and any version that a server may assume for
// the project: in JavaScript, in files that no project includes, in newer syntax.
#include <algorithm>
#include <filesystem>

#include "agent/checkers/script_projects.h"
#include "agent/checkers/server_checker.h"
#include "edits/plan/paths.h"
#include "grammars/languages.h"
#include "grammars/script_module.h"

namespace bodkin {

namespace {

std::string quoted_in(const std::string& message) {
  const size_t begin = message.find('\'');
  const size_t end = begin == message.npos ? begin : message.find('\'', begin + 1);
  return end == message.npos ? "" : message.substr(begin + 1, end - begin - 1);
}

// Whether TypeScript only misses type declarations, without which JavaScript runs all the same.
bool wants_types(const Diagnostic& problem) {
  static constexpr std::string_view kCodes[] = {"2580", "2581", "2582", "2591",
                                                "2592", "2593", "7016", "7006"};
  return std::ranges::find(kCodes, problem.code) != std::end(kCodes);
}

// Whether node brings the module itself. `module`: "fs/promises", "node:test".
bool is_of_node(std::string_view module) {
  static constexpr std::string_view kModules =
      " assert async_hooks buffer child_process cluster console constants crypto dgram dns domain "
      "events fs http http2 https inspector module net os path perf_hooks process punycode "
      "querystring readline repl stream string_decoder timers tls tty url util v8 vm "
      "worker_threads zlib ";
  if (module.starts_with("node:")) return true;
  const std::string name(module.substr(0, module.find('/')));
  return kModules.contains(" " + name + " ");
}

}  // namespace

// JavaScript that nobody has asked to be checked like TypeScript. `path`: relative.
bool ServerChecker::is_plain_script(const std::string& path) const {
  const Language* language = language_of(path);
  if (!language || !language->id.starts_with("javascript")) return false;
  const auto text = draft_.text_then(path);
  if (text && text->str().contains("@ts-check")) return false;
  return std::ranges::none_of(project_.files.script_projects(), [&](const std::string& project) {
    const auto settings = draft_.text_now(project);
    return settings && settings->str().contains("checkJs");
  });
}

bool ServerChecker::is_in_script_project(const std::string& path) const {
  return is_in_project(project_.files.script_projects(), path,
                       [&](const std::string& name) { return draft_.text_of_project(name); });
}

// Whether TypeScript's problem is an error with any compiler options: syntax, names and members
// that nothing declares, assignments to constants, missing files and, outside of JavaScript, types.
bool ServerChecker::is_certain_outside(const Diagnostic& problem, const std::string& path) const {
  if (problem.code.size() == 4 && problem.code < "1200") return true;
  static constexpr std::string_view kNames[] = {"1308", "2304", "2552", "2588", "2451"};
  static constexpr std::string_view kTypes[] = {"2305", "2322", "2339", "2345",
                                                "2551", "2554", "2724"};
  if (std::ranges::find(kNames, problem.code) != std::end(kNames)) return true;
  if ((problem.code == "2305" || problem.code == "2724") && is_plain_script(path)) {
    std::string module = quoted_in(problem.message);
    std::erase(module, '"');
    if (!module.starts_with('.')) return false;
    const auto file = (std::filesystem::path(folder_part(path)) / module).lexically_normal();
    const ScriptModule found = script_module(
        file.generic_string(), draft_.text_then(file.generic_string()).value_or(Text()));
    return !found.syntax.empty() && found.commonjs.empty();  // nothing else may export it
  }
  if (problem.code != "2307")
    return !is_plain_script(path) && std::ranges::find(kTypes, problem.code) != std::end(kTypes);
  const std::string module = quoted_in(problem.message);
  const std::string name(last_part(module));
  return module.starts_with('.') &&
         (!name.contains('.') || name.ends_with("js") || name.ends_with(".ts"));
}

// A module that node finds, although TypeScript does not.
bool ServerChecker::is_installed_here(const Diagnostic& problem) const {
  const std::string module = quoted_in(problem.message);
  if (problem.code != "2307" || module.starts_with('.')) return false;
  const size_t scope = module.starts_with('@') ? module.find('/') : module.npos;
  const std::string package =
      module.substr(0, module.find('/', scope == module.npos ? 0 : scope + 1));
  std::error_code error;
  return is_of_node(module) ||
         std::filesystem::exists(draft_.full("node_modules/" + package), error);
}

// Whether pyright only finds the syntax too new for the Python on PATH, and nothing else says which
// Python the project is for.
bool ServerChecker::is_of_newer_python(const Diagnostic& problem) const {
  const std::string& message = problem.message;
  const bool is_newer = (message.contains("Python 3.") && message.contains(" or newer")) ||
                        message.contains("prior to Python 3.");
  if (server_.command.imports != Imports::python || !is_newer) return false;
  std::error_code error;
  for (const char* environment : {".venv", "venv"})
    if (std::filesystem::exists(draft_.full(environment), error)) return false;
  return std::ranges::none_of(projects(), [&](const std::string& project) {
    return draft_.text_of_project(project).value_or("").contains("pythonVersion");
  });
}

bool ServerChecker::is_guess(const Diagnostic& problem, const std::string& path) const {
  return !is_certain_outside(problem, path) &&
         !(is_plain_script(path) && (wants_types(problem) || is_installed_here(problem)));
}

}  // namespace bodkin
