#include "agent/sandbox/sandbox.h"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "agent/sandbox/linux/sandbox_bwrap.h"
#include "agent/sandbox/linux/sandbox_hidden.h"
#include "agent/sandbox/linux/sandbox_plan.h"
#include "agent/sandbox/linux/sandbox_shown.h"
#include "agent/sandbox/scratch.h"
#include "agent/support/path_text.h"
#include "agent/support/process.h"
#include "agent/support/real_path.h"
#include "agent/support/shown_text.h"
#include "agent/support/user_folders.h"
#include "agent/support/utf8.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;
using Isolation = SandboxPlan::Isolation;
using Mount = SandboxPlan::Place;

constexpr std::chrono::seconds kGrace{10};  // for the launcher, which knows the time itself
constexpr size_t kMaxChanges = 112u << 20;  // bytes, with what is around the texts

std::string real_path(const std::string& path) {
  std::error_code error;
  return fs::canonical(path, error).string();  // empty, if there is an error
}

std::string home_of_user() {
  if (const std::string given = home_folder(); !given.empty()) return real_path(given);
  const struct passwd* entry = ::getpwuid(::geteuid());
  return entry ? real_path(entry->pw_dir) : "";
}

bool is_of_workspace(const std::string& path, const SandboxRun& run) {
  return std::ranges::any_of(run.folders, [&](const SandboxFolder& folder) {
    return path == folder.folder || is_below(path, folder.folder);
  });
}

void add_caches(SandboxPlan& plan, const SandboxRun& run, const std::string& home,
                const std::set<std::string>& caches) {
  const bool are_hidden = is_of_workspace(home, run);  // by hidden_places()
  for (const std::string& cache : caches) {
    std::error_code error;
    if (!fs::is_directory(cache, error)) continue;
    if (!are_hidden && is_of_workspace(real_path(cache), run)) continue;
    plan.folders.push_back({.files = {.folder = cache}, .is_cache = true});
  }
}

// Sorted so that parents are mounted first, and for one path the mount that shows it last.
// Decides: what a command in the sandbox can see.
void add_places(SandboxPlan& plan, const SandboxRun& run, const std::string& home,
                const ShownPlaces& shown) {
  using Kind = Mount::Kind;
  std::map<std::pair<std::string, Kind>, uint64_t> places;
  for (const std::string& path : shown.hidden) places[{path, Kind::hidden}] = 0;
  for (std::string& path : hidden_places(home)) places[{std::move(path), Kind::hidden}] = 0;
  for (const char* path : {"/tmp", "/var/tmp", "/dev/shm"})
    if (const std::string real = real_path(path); !real.empty()) places[{real, Kind::fresh}] = 0;
  if (home.size() > 1 && !is_of_workspace(home, run)) places[{home, Kind::fresh}] = 0;
  for (size_t i = 0; i < plan.folders.size(); ++i)
    places[{plan.folders[i].files.folder, Kind::view}] = i;
  std::set<std::string> kept = shown.readable;
  if (plan.network) kept.insert(real_path("/etc/resolv.conf"));
  // Whether the nearest place above covers a path.
  const auto is_covered = [&](std::string path) {
    while (path.size() > 1) {
      path.resize(std::max<size_t>(path.rfind('/'), 1));
      for (const Kind kind : {Kind::view, Kind::kept}) {
        if (places.contains({path, kind})) return false;
      }
      for (const Kind kind : {Kind::hidden, Kind::fresh}) {
        if (places.contains({path, kind})) return true;
      }
    }
    return false;
  };
  for (const std::string& path : kept) {
    const bool is_hidden = places.contains({path, Kind::hidden});
    if (path.size() > 1 && (is_hidden || is_covered(path))) places[{path, Kind::kept}] = 0;
  }
  for (const auto& [key, index] : places) {
    const auto& [path, kind] = key;
    if (kind == Kind::hidden && is_covered(path)) continue;
    if (path.starts_with("/dev/")) continue;  // is new in any case
    plan.places.push_back({path, kind, index});
  }
}

SandboxPlan plan_of(const SandboxRun& run, Isolation way, const std::stop_token& stop) {
  const uint64_t machine = static_cast<uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                           static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::string home = home_of_user();
  SandboxPlan plan;
  plan.way = way;
  plan.command = run.command;
  plan.environment = environment_of(run.settings.environment, home);
  plan.network = run.settings.network;
  plan.wants_changes = run.wants_changes;
  plan.timeout_ms = static_cast<uint64_t>(run.timeout.count());
  plan.processes = run.limits.processes;
  plan.memory = run.limits.memory ? run.limits.memory : machine / 4 * 3;
  plan.space = run.limits.space ? run.limits.space : std::min<uint64_t>(machine / 2, 4ull << 30);
  for (const SandboxFolder& folder : run.folders) plan.folders.push_back({.files = folder});
  if (way == Isolation::open) return plan;
  const ShownPlaces shown = shown_places(run.settings, run.command, home, stop);
  add_caches(plan, run, home, shown.caches);
  add_places(plan, run, home, shown);
  plan.environment.emplace_back(shows_temporary(plan) ? "TMPDIR=/dev/shm" : "TMPDIR=/tmp");
  return plan;
}

// Makes full copies of folders that cannot be mounted, instead of the differences from the disk.
Result<void> make_copies(SandboxPlan& plan, const SandboxRun& run) {
  for (size_t i = 0; i < run.folders.size(); ++i) {
    if (run.folders[i].is_live) continue;
    auto all = files_of_copy(run, run.folders[i]);
    if (!all) return std::unexpected(all.error());
    SandboxFolder& folder = plan.folders[i].files;
    plan.folders[i].is_copy = true;
    folder.drafts.clear();
    for (auto& [path, file] : *all) folder.drafts.push_back(std::move(file));
  }
  return {};
}

std::string last_words(const std::string& errors) {
  const size_t end = errors.find_last_not_of('\n');
  if (end == std::string::npos) return "";
  const size_t line = errors.rfind('\n', end);
  const size_t begin = line == std::string::npos ? 0 : line + 1;
  return ": " + valid_utf8(errors.substr(begin, std::min<size_t>(end + 1 - begin, 300)));
}

struct Launched {
  SandboxReport report;
  std::string output;
  std::string ended;  // see SandboxOutcome
  SandboxChanges changes;
};

Result<Launched> launch_once(const SandboxPlan& plan, const SandboxRun& run,
                             const std::stop_token& stop) {
  const std::string command =
      run.name.empty() ? fmt::format("{}", fmt::join(run.command, " ")) : run.name;
  ProcessRequest request;
  request.arguments = {"/proc/self/exe", kSandboxArgument};
  if (plan.way == Isolation::inside) request.arguments = bwrap_command(plan);
  if (request.arguments.empty()) return fail(Error::Code::unavailable, "bwrap is not installed");
  request.folder = "/";
  request.input = encode(plan);
  request.max_output = run.limits.output + (run.wants_changes ? kMaxChanges : 0);
  request.timeout = run.timeout + kGrace;
  const auto end = std::chrono::steady_clock::now() + request.timeout;
  const auto late = [&] {
    return fmt::format("{} did not finish within {:.3g} s", command,
                       static_cast<double>(run.timeout.count()) / 1000);
  };
  auto outcome = run_process(request, stop);
  if (!outcome) {
    // A program that takes all processes leaves none to the sandbox itself, to end it in time.
    if (std::chrono::steady_clock::now() >= end) return Launched{{}, "", late(), {}};
    if (outcome.error().code == Error::Code::cancelled) {
      return fail(Error::Code::cancelled, "cancelled");
    }
    return fail(Error::Code::internal, "the sandbox did not start: " + outcome.error().message);
  }
  const auto flooded = [&] {
    outcome->output.resize(std::min(outcome->output.size(), run.limits.output));
    return Launched{{},
                    std::move(outcome->output),
                    fmt::format("{} wrote more than {} MB", command, run.limits.output >> 20),
                    {}};
  };
  if (outcome->cut) return flooded();
  auto report = decode_report(outcome->errors);
  if (!report) {
    return fail(Error::Code::internal, "cannot set up the sandbox" + last_words(outcome->errors));
  }
  Launched launched;
  if (report->end == SandboxReport::End::exited && run.wants_changes) {
    const size_t size = outcome->output.size();
    const size_t from = size - std::min<uint64_t>(report->changes, size);
    auto changes = decode_changes(std::string_view(outcome->output).substr(from));
    if (!changes)
      return fail(Error::Code::internal, "it is not known what " + command + " changed");
    launched.changes = std::move(*changes);
    outcome->output.resize(from);
  }
  if (outcome->output.size() > run.limits.output) return flooded();
  switch (report->end) {
    case SandboxReport::End::exited:
    case SandboxReport::End::no_overlay:
      break;
    case SandboxReport::End::timed_out:
      launched.ended = late();
      break;
    case SandboxReport::End::limit:
      launched.ended = fmt::format("{} was killed: {}", command, report->text);
      break;
    case SandboxReport::End::withheld:
      outcome->output.clear();
      launched.ended =
          fmt::format("{} has ended, but what it said and changed is withheld: {} while it ran",
                      command, report->text);
      break;
    case SandboxReport::End::failed:
      return fail(Error::Code::internal, report->text);
  }
  launched.report = std::move(*report);
  launched.output = std::move(outcome->output);
  return launched;
}

struct Chosen {
  SandboxAbility ability;
  Isolation way = Isolation::open;
};

Chosen try_all_ways() {
  Chosen chosen;
  SandboxRun probe;
  probe.command = {"true"};
  probe.timeout = std::chrono::seconds(20);
  const auto works = [&](Isolation way, Confinement kind) {
    const auto outcome = run_with(probe, way, {});
    if (outcome && outcome->ended.empty() && outcome->exit_code == 0) {
      chosen.ability.kind = kind;
      chosen.way = way;
      return true;
    }
    const std::string why =
        outcome ? "programs fail in it" : without_period(outcome.error().message);
    std::string& reason = chosen.ability.reason;
    if (!reason.ends_with(why)) reason += (reason.empty() ? "" : "; ") + why;
    return false;
  };
  if (works(Isolation::user_namespaces, Confinement::namespaces) ||
      (::geteuid() == 0 && works(Isolation::root_namespaces, Confinement::namespaces)))
    return {{chosen.ability.kind, ""}, chosen.way};
  if (!works(Isolation::inside, Confinement::bubblewrap)) chosen.ability.program = "bwrap";
  return chosen;
}

const Chosen& chosen_way() {
  static const Chosen chosen = try_all_ways();
  return chosen;
}

}  // namespace

const SandboxAbility& sandbox_ability() { return chosen_way().ability; }

// Decides: which kind of sandbox a command gets.
Result<SandboxOutcome> run_in_sandbox(const SandboxRun& run, const std::stop_token& stop) {
  const Chosen& chosen = chosen_way();
  if (chosen.way == Isolation::open && !run.may_be_unconfined) {
    return fail(Error::Code::unavailable, "this machine has no sandbox");
  }
  return run_with(run, chosen.way, stop);
}

Result<SandboxedServer> sandboxed_server(std::vector<std::string> command,
                                         const SandboxSettings& settings,
                                         const std::vector<std::string>& variables,
                                         const std::stop_token& stop,
                                         std::vector<SandboxFolder> folders) {
  const Chosen& chosen = chosen_way();
  if (chosen.way == Isolation::open)
    return fail(Error::Code::unavailable, "this machine has no sandbox");
  SandboxRun run;
  run.command = std::move(command);
  run.settings = settings;
  run.folders = std::move(folders);
  const auto is_live = [](const SandboxFolder& folder) { return folder.is_live; };
  if (chosen.way == Isolation::inside && !std::ranges::all_of(run.folders, is_live))
    return fail(Error::Code::unavailable, "this machine has no sandbox with an overlay");
  SandboxPlan plan = plan_of(run, chosen.way, stop);
  plan.serves = true;
  plan.timeout_ms = 0;
  for (const std::string& variable : variables) {
    const std::string name = variable.substr(0, variable.find('=') + 1);
    std::erase_if(plan.environment,
                  [&](const std::string& other) { return other.starts_with(name); });
    plan.environment.push_back(variable);
  }
  SandboxedServer server{{"/proc/self/exe", kSandboxArgument}, encode(plan)};
  if (plan.way == Isolation::inside) server.arguments = bwrap_command(plan);
  if (server.arguments.empty()) return fail(Error::Code::unavailable, "bwrap is not installed");
  return server;
}

Result<SandboxOutcome> run_with(const SandboxRun& run, SandboxPlan::Isolation way,
                                const std::stop_token& stop) {
  if (run.command.empty()) return fail(Error::Code::unavailable, "the command is empty");
  for (const SandboxFolder& folder : run.folders) {
    if (folder.folder.size() < 2) {
      return fail(Error::Code::unavailable, "the workspace is the root directory");
    }
  }
  SandboxPlan plan = plan_of(run, way, stop);
  if (way == Isolation::inside || way == Isolation::open) {
    if (auto made = make_copies(plan, run); !made) return std::unexpected(made.error());
  }
  auto launched = launch_once(plan, run, stop);
  if (launched && launched->report.end == SandboxReport::End::no_overlay) {
    if (auto made = make_copies(plan, run); !made) return std::unexpected(made.error());
    launched = launch_once(plan, run, stop);
  }
  if (!launched) return std::unexpected(launched.error());
  return SandboxOutcome{launched->report.exit_code, std::move(launched->output),
                        std::move(launched->report.hidden), std::move(launched->ended),
                        std::move(launched->changes)};
}

}  // namespace bodkin
