// For systems without a sandbox of ours, Windows and macOS: the kind is `none`. A command that the
// user allowed runs on a bounded copy in the temporary folder; a Keeper ends what it leaves behind.
#include "agent/sandbox/sandbox.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "agent/platform/file_descriptor.h"
#include "agent/platform/paths.h"
#include "agent/platform/processes.h"
#include "agent/platform/walk.h"
#include "agent/sandbox/scratch.h"
#include "agent/support/path_text.h"
#include "agent/support/process.h"
#include "agent/support/shown_text.h"
#include "agent/support/temporary_folder.h"
#include "agent/support/utf8.h"

namespace bodkin {

namespace {

constexpr size_t kMaxText = 1'000'000;  // bytes of a changed file, as on Linux
constexpr size_t kMaxChanges = 20'000;

struct Copy {
  std::string folder;
  std::map<std::string, SandboxFolder::File> before;  // by path
};

bool make_folders(const std::string& path) {
  if (os::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST) return true;
  const size_t slash = path.rfind('/');
  return errno == ENOENT && slash != path.npos && slash > os::root_of(path).size() &&
         make_folders(path.substr(0, slash)) && os::mkdir(path.c_str(), 0700) == 0;
}

// True if a program that writes through the link would write outside of the copy.
bool leads_out(const std::string& path, const std::string& target) {
  const std::string at =
      (std::filesystem::path(path).parent_path() / target).lexically_normal().generic_string();
  return target.empty() || os::is_absolute(target) || at == ".." || at.starts_with("../");
}

// Makes no links where the system does not support them.
void make_links(const Copy& copy) {
  for (const auto& [path, file] : copy.before) {
    const std::string name = join_path(copy.folder, path);
    if (file.is_link && !leads_out(path, file.text) &&
        make_folders(name.substr(0, name.rfind('/'))))
      (void)os::symlinkat(file.text.c_str(), AT_FDCWD, name.c_str());
  }
}

Result<void> write_copy(const Copy& copy) {
  for (const auto& [path, file] : copy.before) {
    const std::string name = join_path(copy.folder, path);
    if (file.is_link) continue;  // and written through
    const std::string above = file.is_folder ? name : name.substr(0, name.rfind('/'));
    bool is_done = make_folders(above);
    if (is_done && !file.is_folder) {
      const FileDescriptor made(
          os::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600));
      is_done = static_cast<bool>(made);
      for (size_t done = 0; is_done && done < file.text.size();) {
        const ssize_t count =
            os::write(made.number(), file.text.data() + done, file.text.size() - done);
        is_done = count > 0;
        if (is_done) done += static_cast<size_t>(count);
      }
      if (is_done && file.mode != 0)
        is_done = os::fchmod(made.number(), (file.mode & 0777) | 0600) == 0;
    }
    if (!is_done)
      return fail(Error::Code::internal, fmt::format("{} cannot be copied: {}", path,
                                                     std::generic_category().message(errno)));
  }
  make_links(copy);
  return {};
}

// Adds what is in the copy now and was missing or different before.
void add_changes(const Copy& copy, size_t index, SandboxChanges& changes) {
  using State = SandboxChange::State;
  std::set<std::string> seen;
  const auto add = [&](SandboxChange change) {
    if (changes.list.size() >= kMaxChanges) return void(changes.are_all = false);
    change.folder = index;
    changes.list.push_back(std::move(change));
  };
  walk(copy.folder, [&](const std::filesystem::directory_entry& entry) {
    const std::string full = os::text_of(entry.path());
    const std::string path = path_in(full, copy.folder);
    const auto before = copy.before.find(path);
    os::FileStatus status{};
    if (os::lstat(full.c_str(), &status) != 0) return Walk::on;
    if (S_ISDIR(status.st_mode)) return Walk::on;
    seen.insert(path);
    if (S_ISLNK(status.st_mode) && before != copy.before.end() && before->second.is_link) {
      std::error_code error;
      if (os::text_of(os::read_symlink(entry.path(), error)) == before->second.text)
        return Walk::not_below;
    }
    if (!S_ISREG(status.st_mode)) {
      add({.path = path, .state = State::other, .is_link = S_ISLNK(status.st_mode)});
      return Walk::not_below;
    }
    const auto size = static_cast<uint64_t>(status.st_size);
    if (size > kMaxText) {
      if (before == copy.before.end() || before->second.text.size() != size)
        add({.path = path, .state = State::large});
      return Walk::on;
    }
    auto now = file_on_disk(copy.folder, path, kMaxText);
    if (!now || (before != copy.before.end() && before->second.text == now->text)) return Walk::on;
    const bool is_text =
        valid_utf8(now->text) == now->text && now->text.find('\0') == std::string::npos;
    add({.path = path,
         .state = is_text ? State::text : State::binary,
         .text = std::move(now->text),
         .has_text = true,
         .mode = now->mode,
         .time_ns = now->time_ns});
    return Walk::on;
  });
  for (const auto& [path, file] : copy.before)
    if (!file.is_folder && !file.is_link && !seen.contains(path))
      add({.path = path, .state = State::removed});
}

}  // namespace

const SandboxAbility& sandbox_ability() {
  static const SandboxAbility none{Confinement::none, "bodkin has one for Linux alone"};
  return none;
}

Result<SandboxOutcome> run_in_sandbox(const SandboxRun& run, const std::stop_token& stop) {
  if (!run.may_be_unconfined) return fail(Error::Code::unavailable, "this machine has no sandbox");
  if (run.command.empty()) return fail(Error::Code::unavailable, "the command is empty");
  auto place = TemporaryFolder::make(TemporaryFolder::Where::disk);
  if (!place) return std::unexpected(place.error());
  std::vector<Copy> copies;
  for (const SandboxFolder& folder : run.folders) {
    auto files = files_of_copy(run, folder);
    if (!files) return std::unexpected(files.error());
    copies.push_back({place->path() + "/" + std::to_string(copies.size()), *std::move(files)});
    make_folders(copies.back().folder);
    if (auto written = write_copy(copies.back()); !written) return std::unexpected(written.error());
    if (stop.stop_requested()) return fail(Error::Code::cancelled, "cancelled");
  }
  const std::string name =
      run.name.empty() ? fmt::format("{}", fmt::join(run.command, " ")) : run.name;
  ProcessRequest request;
  request.arguments = run.command;
  request.name = name;
  request.folder = copies.empty() ? "" : copies[0].folder;
  request.max_output = run.limits.output;
  request.timeout = run.timeout;
  request.also_variables = run.settings.environment;
  request.joins_errors = true;
  request.most_memory = run.limits.memory ? run.limits.memory : machine_memory() / 4 * 3;
  request.most_processes = static_cast<unsigned>(run.limits.processes);
  const auto outcome = run_process(request, stop);
  SandboxOutcome result;
  if (!outcome && outcome.error().code == Error::Code::cancelled)
    return fail(Error::Code::cancelled, "cancelled");
  if (!outcome) {
    const std::string why = without_period(outcome.error().message);
    if (!why.contains("did not finish")) return fail(Error::Code::internal, why);
    result.ended = why;
    return result;
  }
  result.exit_code = outcome->exit_code;
  result.output = outcome->output;
  if (outcome->cut)
    result.ended = fmt::format("{} wrote more than {} MB", name, run.limits.output >> 20);
  if (run.wants_changes && result.ended.empty())
    for (size_t i = 0; i < copies.size(); ++i) add_changes(copies[i], i, result.changes);
  return result;
}

Result<SandboxedServer> sandboxed_server(std::vector<std::string>, const SandboxSettings&,
                                         const std::vector<std::string>&, const std::stop_token&,
                                         std::vector<SandboxFolder>) {
  return fail(Error::Code::unavailable, "this machine has no sandbox");
}

bool run_as_sandbox_launcher(int, char**, int&) { return false; }

}  // namespace bodkin
