// CargoChecker: Rust, by the compiler: rust-analyzer does not see what that sees, and it runs what
// the folder's build scripts say.

#include <algorithm>
#include <set>

#include "agent/checkers/server_checker.h"
#include "agent/checkers/server_view.h"
#include "agent/platform/paths.h"
#include "agent/support/json.h"
#include "agent/support/path_text.h"
#include "agent/support/program.h"
#include "agent/support/shown_text.h"
#include "agent/support/user_folders.h"
#include "agent/support/wire_json.h"
#include "grammars/conditional_code.h"
#include "grammars/rust_constants.h"

namespace bodkin {

namespace {

using nlohmann::json;
using namespace std::chrono_literals;

constexpr auto kCargoLimit = 120s;

struct CargoProblems {
  std::map<std::string, FileProblems> problems;  // by absolute path
  // If false, not everything was compiled: cargo skips crates that depend on a failed one.
  bool succeeded = false;
  std::set<std::string> compiled;  // the files that the compiler has read, absolute
  // The packages that were compiled or need not be: their features, by manifest.
  std::map<std::string, std::set<std::string>> manifests;
  std::set<std::string> cfg;  // of the compiler, and "test" if tests were compiled
};

// The compiler's messages, and whether the build ran to its end.
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
      if (!path.empty()) files.insert(os::is_absolute(path) ? path : join_path(root, path));
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
      if (result.is_finished && !line.contains(' ')) result.said.cfg.insert(line);
      continue;
    }
    const std::string reason = string_at(*message, "reason");
    if (reason == "build-finished") {
      result.is_finished = true;
      result.said.succeeded = at(*message, "success") == true;
    }
    if (const std::string manifest = string_at(*message, "manifest_path"); !manifest.empty()) {
      auto& features = result.said.manifests[manifest];
      for (const json& feature : at(*message, "features"))
        if (feature.is_string()) features.insert("feature=\"" + feature.get<std::string>() + "\"");
    }
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
    if (!os::is_absolute(path)) path = join_path(root, path);
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

// Runs `cargo check`, or `cargo build` if it `generates`, on the view of a folder; what it writes
// is lost. Blocks; some seconds, since it rebuilds each time. Error, the end of a sentence for
// the user: cancelled; unavailable (cargo or a sandbox is missing, the packages cannot be resolved
// offline, …).
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
    // After the messages, what the compiler sets, and the rules of everything compiled now.
    run.command = {"sh",
                   "-c",
                   "mark=$(mktemp); \"$@\"; rustc --print cfg 2>/dev/null; find "
                   "\"${CARGO_TARGET_DIR:-target}\" -name '*.d' -newer "
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
    // For a toolchain and packages outside of the home folder.
    run.settings.oldest_search = kOldSearch;
    run.settings.environment = {"CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN",
                                "CARGO_TARGET_DIR"};
    add_named_places(run.settings, "CARGO_HOME RUSTUP_HOME");
    if (const std::string folder = absolute_variable("CARGO_HOME"); !folder.empty())
      for (const char* packages : {"/registry", "/git"})
        run.settings.caches.push_back(folder + packages);
    run.folders = {view};
    run.timeout = kCargoLimit;
    const auto outcome = run_in_sandbox(run, stop);
    if (!outcome) return std::unexpected(outcome.error());
    if (!outcome->ended.empty())
      return fail(Error::Code::unavailable, "cargo check: " + outcome->ended);
    CargoOutput output = read_output(outcome->output, view.folder);
    if (has_tests) output.said.cfg.insert("test");
    if (output.is_finished) return std::move(output.said);
    if (!output.last_line.empty()) why = "cargo check: " + plain_line(output.last_line);
  }
  return fail(Error::Code::unavailable, why);
}

ServerCommand cargo_command() {
  ServerCommand command;
  command.name = "cargo check";
  return command;
}

class CargoChecker : public ServerChecker {
 public:
  CargoChecker(Check& check, std::vector<ChangedFile> files)
      : ServerChecker(check, "", cargo_command(), std::move(files)) {}
  void compare() override { run(false); }
  void report() override { run(true); }
  void warm_up() override {}

 private:
  void run(bool is_report);
};

void CargoChecker::run(bool is_report) {
  const auto& chosen = request_.servers;
  if (!chosen.empty() && !chosen.contains(server_.command.name) && !chosen.contains("cargo"))
    return found_.doubt<doubts::excluded>(server_.command.name);
  if (!settings_.trusted) return found_.doubt<doubts::cargo_untrusted>();
  std::vector<std::string> all = project_.files.of_language("rust");
  for (const ChangedFile& file : server_.files) all.push_back(file.last_path());
  SandboxFolder base = draft_.view(false);
  const bool is_disk = base.drafts.empty();  // what is known is of the disk
  const bool generates = !is_report && std::ranges::any_of(all, [&](const std::string& path) {
    const auto text = draft_.text_then(path);
    return text && may_fail_when_generated(*text);
  });
  if (!is_disk || !project_.rust_base || (generates && !project_.is_rust_built)) {
    auto before = cargo_check(base, server_.files, generates, task_.stop);
    if (!before) return found_.doubt<doubts::failed>(before.error().message);
    project_.rust_base = std::move(before->problems);
    project_.is_rust_built = generates;
  }
  if (is_report) {
    for (const ChangedFile& file : server_.files)
      found_.result().now[file.path] = (*project_.rust_base)[draft_.full(file.path)].list;
    found_.judged_by(server_.command.name);
    if (!is_disk) project_.rust_base.reset();
    return;
  }
  const auto after = cargo_check(draft_.view(true), server_.files, generates, task_.stop);
  if (!after) return found_.doubt<doubts::failed>(after.error().message);
  compare_files(*project_.rust_base, after->problems);
  if (!is_disk) project_.rust_base.reset();
  found_.judged_by(generates ? "cargo build" : "cargo check");
  if (!after->succeeded) return found_.doubt<doubts::cargo_failed>();
  for (const ChangedFile& file : server_.files) {
    if (file.after && !after->compiled.contains(draft_.full(file.last_path())))
      found_.doubt<doubts::cargo_leaves_out>(file.last_path());
  }
  for (const ChangedFile& file : server_.files) {
    std::set<std::string> known = after->cfg;
    size_t nearest = 0;  // bytes of the folder of the file's package
    for (const auto& [manifest, features] : after->manifests) {
      const std::string package(folder_part(manifest));
      if (package.size() < nearest || !is_below(draft_.full(file.last_path()), package)) continue;
      nearest = package.size();
      known = after->cfg;
      known.insert(features.begin(), features.end());
    }
    for (const ConditionalChange& change : changes_below_cfg(file, known))
      found_.doubt<doubts::conditional>(found_.result().by.back(), change.line + 1,
                                        file.last_path(), change.condition);
  }
  for (const std::string& path : project_.files.named("Cargo.toml")) {
    if (after->manifests.contains(draft_.full(path))) continue;
    const auto text = draft_.text_now(path);
    if (!text || text->str().contains("path"))
      found_.doubt<doubts::cargo_leaves_out_user>(path, server_.files[0].path);
  }
}

}  // namespace

std::unique_ptr<Checker> cargo_checker(Check& check, std::vector<ChangedFile> files) {
  return std::make_unique<CargoChecker>(check, std::move(files));
}

}  // namespace bodkin
