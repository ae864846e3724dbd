// What go build refuses and go/types, which gopls asks, does not: functions without a body,
// compiler directives in the wrong place, a program without main.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "agent/checkers/check.h"
#include "agent/checkers/imports.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

struct GoRefusal {
  size_t line = 0;  // from 0
  std::string about, message;
};

std::string without_comment(std::string line) {
  for (const std::string_view type : {"interface{}", "struct{}"})
    for (size_t at = line.find(type); at != line.npos; at = line.find(type, at))
      line.erase(at, type.size());
  return std::string(trimmed(std::string_view(line).substr(0, line.find("//"))));
}

bool begins_declaration(std::string_view line) {
  return !line.empty() && line[0] != ' ' && line[0] != '\t' && line[0] != ')' && line[0] != '}';
}

// Functions that are only declared, and directives that do not stand above what they are about.
std::vector<GoRefusal> refusals_in(const Text& text) {
  static constexpr std::array<std::string_view, 6> kOfFunctions = {
      "//go:noinline", "//go:nosplit",    "//go:noescape",
      "//go:norace",   "//go:nocheckptr", "//go:uintptrescapes"};
  std::vector<GoRefusal> found;
  const size_t count = text.line_count();
  bool is_linked = false;
  for (size_t i = 0; i < count; ++i) {
    const std::string line = text.line(i);
    if (line.starts_with("//go:")) {
      const std::string directive = line.substr(0, line.find_first_of(" \t"));
      is_linked = is_linked || directive == "//go:linkname";
      const bool is_of_function = std::ranges::find(kOfFunctions, directive) != kOfFunctions.end();
      if (!is_of_function && directive != "//go:embed") continue;
      size_t next = i + 1;
      while (next < count &&
             (text.line(next).starts_with("//") || trimmed(text.line(next)).empty()))
        ++next;
      const std::string below = next < count ? text.line(next) : "";
      if (!below.starts_with(is_of_function ? "func" : "var"))
        found.push_back({i, line + below, "misplaced compiler directive"});
      continue;
    }
    if (line.starts_with("func ") && !is_linked) {
      size_t end = i + 1;
      while (end < count && !begins_declaration(text.line(end))) ++end;
      bool has_body = end < count && text.line(end).starts_with("{");
      for (size_t at = i; at < end; ++at)
        has_body = has_body || without_comment(text.line(at)).contains('{');
      if (!has_body) found.push_back({i, line, "missing function body"});
    }
    if (begins_declaration(line) && !line.starts_with("//")) is_linked = false;
  }
  return found;
}

bool is_of_program(const Text& text) {
  for (size_t i = 0; i < text.line_count(); ++i)
    if (text.line(i).starts_with("package "))
      return without_comment(text.line(i)) == "package main";
  return false;
}

bool has_main(const Text& text) {
  for (size_t i = 0; i < text.line_count(); ++i)
    if (text.line(i).starts_with("func main()")) return true;
  return false;
}

bool has_embed(std::string_view text) { return text.contains("//go:embed"); }

bool has_assembly(const std::string& folder) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".s") return true;
  return false;
}

}  // namespace

void Checkers::Check::check_go(const Group& group) {
  const auto add = [&](const std::string& path, size_t line, const std::string& message) {
    ++new_errors_;
    result_.added.push_back({path, line + 1, Severity::error, "", message, "go build"});
  };
  std::set<std::string> folders;
  for (const ChangedFile& file : group.files) {
    const std::string path = final_path(file);
    folders.emplace(folder_of(file.path));
    folders.emplace(folder_of(path));
    if (!file.after) continue;
    std::vector<GoRefusal> old;
    if (file.before) old = refusals_in(*file.before);
    for (const GoRefusal& refusal : refusals_in(*file.after)) {
      const bool is_old = std::ranges::any_of(
          old, [&](const GoRefusal& other) { return other.about == refusal.about; });
      const bool may_be_elsewhere = refusal.message.starts_with("missing") &&
                                    has_assembly(full(std::string(folder_of(path))));
      if (!is_old && !may_be_elsewhere) add(path, refusal.line, refusal.message);
    }
    for (const Replacement& edit : file.edits)
      if (has_embed(edit.text))
        not_checked(fmt::format("what {} embeds is found by go build alone", path));
  }
  for (const std::string& folder : folders) {
    bool was_program = false, had_main = false, is_program = false, runs = false;
    std::string first;
    const auto count = [&](const Text& text, bool& program, bool& main) {
      if (!is_of_program(text)) return;
      program = true;
      main = main || has_main(text);
    };
    const auto is_here = [&](const std::string& path) {
      return folder_of(path) == folder && !path.ends_with("_test.go");
    };
    for (const ChangedFile& file : group.files) {
      if (file.before && is_here(file.path)) count(*file.before, was_program, had_main);
      if (!file.after || !is_here(final_path(file))) continue;
      count(*file.after, is_program, runs);
      first = final_path(file);
    }
    for (const std::string& path : project_.files.all_of(Imports::go)) {
      const bool is_changed = std::ranges::any_of(group.files, [&](const ChangedFile& file) {
        return file.path == path || final_path(file) == path;
      });
      const auto text = is_changed || !is_here(path) ? std::nullopt : text_now(path);
      if (!text) continue;
      count(*text, was_program, had_main);
      count(*text, is_program, runs);
      if (first.empty() && is_of_program(*text)) first = path;
    }
    if (is_program && !runs && (had_main || !was_program))
      add(first, 0, "function main is undeclared in the main package");
  }
}

}  // namespace bodkin
