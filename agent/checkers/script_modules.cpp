// Finds what node refuses when it loads a file, and TypeScript accepts as a bundler would: CommonJS
// in an ES module, and imports of files without their extensions.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "agent/checkers/server_checker.h"
#include "agent/support/json.h"
#include "agent/support/wire_json.h"
#include "edits/plan/paths.h"
#include "grammars/script_module.h"

namespace bodkin {

namespace {

using nlohmann::json;

// The package names what node loads.
bool is_run_by_node(const json& package) {
  for (const char* entry : {"main", "exports", "bin"})
    if (!at(package, entry).is_null()) return true;
  return std::ranges::any_of(at(package, "scripts"), [](const json& script) {
    return script.is_string() && script.get_ref<const std::string&>().starts_with("node ");
  });
}

bool is_relative(std::string_view source) {
  return source.starts_with("./") || source.starts_with("../") || source == "." || source == "..";
}

enum class Kind { es_module, commonjs, by_syntax };

Kind kind_of(std::string_view path, const json& package) {
  if (path.ends_with(".mjs")) return Kind::es_module;
  if (path.ends_with(".cjs")) return Kind::commonjs;
  const std::string type = string_at(package, "type");
  return type == "module" ? Kind::es_module : type.empty() ? Kind::by_syntax : Kind::commonjs;
}

}  // namespace

// Whether node finds the file that a module at `path` imports, with the draft.
bool ServerChecker::is_found_by_node(const std::string& path, const std::string& source) const {
  const std::string named = source.substr(0, source.find_first_of("?#"));
  const std::string file =
      (std::filesystem::path(folder_part(path)) / named).lexically_normal().generic_string();
  for (const ChangedFile& changed : request_.files) {
    if (changed.last_path() == file) return changed.after.has_value();
    if (changed.path == file) return false;
  }
  std::error_code error;
  return std::filesystem::is_regular_file(draft_.full(file), error);
}

// A bundler puts the project together, if something is imported without an extension now.
bool ServerChecker::imports_as_bundlers_do() const {
  return std::ranges::any_of(project_.files.all_of(Imports::script), [&](const std::string& path) {
    const auto text = draft_.text_now(path);
    if (!text || !(path.ends_with(".js") || path.ends_with(".mjs"))) return false;
    return std::ranges::any_of(script_module(path, *text).sources, [&](const auto& source) {
      return is_relative(source.first) && !is_found_by_node(path, source.first);
    });
  });
}

void ServerChecker::check_modules() {
  for (const ChangedFile& file : server_.files) {
    const std::string path = file.last_path();
    if (!file.after || !is_plain_script(path) || path.ends_with("x")) continue;
    json package;
    for (std::string_view folder = folder_part(path);; folder = folder_part(folder)) {
      const std::string name = std::string(folder) + (folder.empty() ? "" : "/") + "package.json";
      const auto text = draft_.text_then(name);
      if (text) package = parse_json(text->str()).value_or(json());
      if (text || folder.empty()) break;
    }
    const Kind kind = kind_of(path, package);
    const auto problems = [&](const Text& text) {
      const ScriptModule module = script_module(path, text);
      std::map<std::string, size_t> found;
      if (kind == Kind::commonjs) {
        for (const auto& [word, line] : module.syntax)
          found.emplace(fmt::format("{} is a syntax error in a CommonJS module", word), line);
        return found;
      }
      if (kind == Kind::by_syntax && module.syntax.empty()) return found;
      for (const auto& [word, line] : module.commonjs)
        found.emplace(fmt::format("{} is not defined in an ES module", word), line);
      for (const auto& [source, line] : module.sources)
        if (is_relative(source) && !is_found_by_node(path, source))
          found.emplace(
              fmt::format("node finds no file {}: an import names it with its extension", source),
              line);
      return found;
    };
    auto added = problems(*file.after);
    for (const auto& [message, line] : problems(file.before.value_or(Text()))) added.erase(message);
    if (added.empty() || imports_as_bundlers_do()) continue;
    const bool is_certain =
        path.ends_with(".mjs") || path.ends_with(".cjs") || is_run_by_node(package);
    for (const auto& [message, line] : added) {
      if (found_.has_error_at(path, line + 1)) continue;
      if (is_certain)
        found_.add({path, line + 1, Severity::error, "", message, "node"});
      else
        found_.doubt<doubts::not_for_node>(path, message);
    }
  }
}

}  // namespace bodkin
