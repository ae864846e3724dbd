#include "agent/checkers/cargo_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "agent/support/json.h"
#include "agent/support/path_text.h"
#include "agent/support/program.h"
#include "agent/support/shown_text.h"
#include "agent/support/wire_json.h"

namespace bodkin {

namespace {

using nlohmann::json;
using namespace std::chrono_literals;

constexpr auto kCargoLimit = 120s;

// What the compiler said, and whether the build came to its end.
struct CargoOutput {
  CargoProblems said;
  bool is_finished = false;
  std::string last_line;  // not JSON: the reason it failed
};

// A makefile's rule, as the compiler writes it for each target: "target: src/lib.rs
// src/my\ file.rs".
void read_rule(std::string_view line, const std::string& root, std::set<std::string>& files) {
  const size_t colon = line.find(": ");
  if (colon == line.npos) return;
  std::string path;
  for (size_t i = colon + 2; i <= line.size(); ++i) {
    if (i == line.size() || line[i] == ' ') {
      if (!path.empty()) files.insert(path.starts_with('/') ? path : join_path(root, path));
      path.clear();
    } else {
      if (line[i] == '\\' && i + 1 < line.size()) ++i;
      path += line[i];
    }
  }
}

CargoOutput read_output(std::string_view output, const std::string& root) {
  CargoOutput result;
  std::set<std::tuple<std::string, size_t, std::string>> seen;  // a target may be built twice
  for (const std::string& line : words_of_list(output, '\n')) {
    const auto message = line.starts_with('{') ? parse_json(line) : std::nullopt;
    if (!message) {
      // The last that it wrote, unless a line says that it is the error.
      if (line.starts_with("error") ||
          (!result.last_line.starts_with("error") && !line.ends_with(':') && line.contains(' ')))
        result.last_line = line;
      read_rule(line, root, result.said.compiled);
      continue;
    }
    const std::string reason = string_at(*message, "reason");
    if (reason == "build-finished") {
      result.is_finished = true;
      result.said.succeeded = at(*message, "success") == true;
    }
    if (const std::string manifest = string_at(*message, "manifest_path"); !manifest.empty())
      result.said.manifests.insert(manifest);
    if (reason != "compiler-message") continue;
    const json& words = at(*message, "message");
    const std::string level = string_at(words, "level");
    const json* span = nullptr;
    for (const json& one : at(words, "spans")) {
      const json& primary = at(one, "is_primary");
      if (primary.is_boolean() && primary.get<bool>() && !span) span = &one;
    }
    if (!span) continue;
    std::string path = string_at(*span, "file_name");
    if (!path.starts_with('/')) path = join_path(root, path);
    Diagnostic problem;
    problem.begin_byte = static_cast<size_t>(std::max<int64_t>(int_at(*span, "byte_start"), 0));
    problem.end_byte = static_cast<size_t>(std::max<int64_t>(int_at(*span, "byte_end"), 0));
    const auto first = static_cast<size_t>(std::max<int64_t>(int_at(*span, "line_start"), 1));
    problem.lines = {first - 1, first};
    problem.severity = level.starts_with("error") ? Severity::error
                       : level == "warning"       ? Severity::warning
                                                  : Severity::information;
    problem.message = string_at(words, "message");
    problem.code = string_at(at(words, "code"), "code");
    problem.source = "rustc";
    if (!seen.insert({path, problem.begin_byte, problem.message}).second) continue;
    result.said.problems[path].list.push_back(std::move(problem));
  }
  return result;
}

}  // namespace

Result<CargoProblems> cargo_check(const SandboxFolder& view,
                                  const std::vector<ChangedFile>& changed, bool generates,
                                  const std::stop_token& stop) {
  const auto cargo = find_program("cargo", {view.folder});
  if (!cargo) return fail(Error::Code::unavailable, "no checker for Rust: cargo is not installed");
  // Tests and examples, too, if what they need is there.
  const bool is_library_only = std::ranges::all_of(changed, [](const ChangedFile& file) {
    return file.path.starts_with("src/") || file.path.find("/src/") != file.path.npos;
  });
  std::string why = "cargo check failed";
  for (const bool has_tests : {true, false}) {
    if (!has_tests && !is_library_only) break;
    SandboxRun run;
    // After the messages, the rules of what was compiled now.
    run.command = {
        "sh",
        "-c",
        "mark=$(mktemp); \"$@\"; find \"${CARGO_TARGET_DIR:-target}\" -name '*.d' -newer "
        "\"$mark\" -exec cat {} + 2>/dev/null",
        "sh",
        *cargo,
        generates ? "build" : "check",
        "--offline",
        "--quiet",
        "--workspace",
        "--message-format=json"};
    if (has_tests) run.command.push_back("--all-targets");
    run.name = "cargo check";
    // Where the toolchain and the packages are, if not in the home folder.
    run.settings.environment = {"CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN",
                                "CARGO_TARGET_DIR"};
    for (const char* variable : {"CARGO_HOME", "RUSTUP_HOME"})
      if (const char* folder = std::getenv(variable); folder && folder[0] == '/')
        run.settings.readable.emplace_back(folder);
    if (const char* folder = std::getenv("CARGO_HOME"); folder && folder[0] == '/')
      for (const char* packages : {"/registry", "/git"})
        run.settings.caches.push_back(std::string(folder) + packages);
    run.folders = {view};
    run.timeout = kCargoLimit;
    const auto outcome = run_in_sandbox(run, stop);
    if (!outcome) return std::unexpected(outcome.error());
    if (!outcome->ended.empty())
      return fail(Error::Code::unavailable, "cargo check: " + outcome->ended);
    CargoOutput output = read_output(outcome->output, view.folder);
    if (output.is_finished) return std::move(output.said);
    if (!output.last_line.empty()) why = "cargo check: " + plain_line(output.last_line);
  }
  return fail(Error::Code::unavailable, why);
}

}  // namespace bodkin
