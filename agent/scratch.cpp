#include "agent/scratch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>

#include "agent/privacy.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxOutput = 32u << 20;
constexpr size_t kMaxCopied = 20'000;  // files
constexpr uintmax_t kMaxCopiedBytes = 512u << 20;

// $1: the folder, $2: ours, with draft/ and gone. `ready` tells a command that failed from a mount
// that did.
constexpr char kOverlay[] = R"(
mount -t tmpfs tmpfs "$2/memory" && mkdir "$2/memory/upper" "$2/memory/work" &&
mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/memory/upper,workdir=$2/memory/work" "$1" &&
cp -R "$2/draft/." "$1/" || exit 1
while IFS= read -r path; do rm -f -- "$1/$path"; done <"$2/gone"
cd "$1" && : >"$2/ready" || exit 1
shift 2
exec "$@" 2>&1
)";
constexpr char kPlain[] = R"(exec "$@" 2>&1)";

// A folder of our own that goes with the object.
struct Folder {
  fs::path path;
  Folder() {
    std::error_code error;
    std::string name = (fs::temp_directory_path(error) / "bodkin-scratch-XXXXXX").string();
    if (!error && ::mkdtemp(name.data())) path = name;
  }
  Folder(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    if (!path.empty()) fs::remove_all(path, ignored);
  }
};

Result<void> write(const fs::path& file, const Text& text) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  std::ofstream out(file, std::ios::binary);
  for (size_t at = 0; at < text.size();) {
    const std::string_view chunk = text.chunk_at(at);
    out.write(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    at += chunk.size();
  }
  out.close();
  if (!out) return fail(Error::Code::internal, "the temporary folder cannot be written");
  return {};
}

bool is_on_disk(const fs::path& file, const Text& text) {
  std::error_code error;
  if (fs::file_size(file, error) != text.size() || error) return false;
  std::ifstream in(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  return in && Text(bytes) == text;
}

// What stands in place of the disk: `draft/` below `ours`, and the names in `gone`.
Result<void> lay_out(Workspace& files, const fs::path& root, const fs::path& ours,
                     const Task& task) {
  std::error_code error;
  const std::string real_root = fs::canonical(root, error).string();
  std::ofstream gone(ours / "gone", std::ios::binary);
  fs::create_directories(ours / "draft", error);
  fs::create_directories(ours / "memory", error);
  for (const std::string& path : files.open_paths(task)) {
    if (!is_plain_path(path) || path.find('\n') != std::string::npos) continue;
    const std::string place = fs::weakly_canonical(root / path, error).string();
    if (error || !place.starts_with(real_root + "/")) {
      return fail(Error::Code::unavailable, path + " is a link that leaves the workspace");
    }
    const auto file = files.read(path, task);
    if (!file) {
      if (file.error().code == Error::Code::not_found && fs::exists(place, error)) {
        gone << path << "\n";
      }
      continue;
    }
    if (is_on_disk(place, file->text)) continue;  // its time stays, for make
    if (const auto written = write(ours / "draft" / path, file->text); !written) return written;
    // Programs stay executable.
    const fs::perms mode = fs::status(place, error).permissions();
    if (!error && (mode & fs::perms::owner_exec) != fs::perms::none) {
      fs::permissions(ours / "draft" / path, mode, error);
    }
  }
  gone.close();
  return {};
}

Result<ProcessOutcome> run_here(const char* script, const std::vector<std::string>& before,
                                std::vector<std::string> after, const fs::path& folder,
                                const ScratchRun& run, const Task& task) {
  ProcessRequest request;
  request.arguments = before;
  request.hidden_variable = run.hidden_variable;
  for (const char* word : {"sh", "-c", script, "bodkin"}) request.arguments.emplace_back(word);
  for (std::string& word : after) request.arguments.push_back(std::move(word));
  request.arguments.insert(request.arguments.end(), run.command.begin(), run.command.end());
  request.folder = folder.string();
  request.max_output = kMaxOutput;
  request.timeout = run.timeout;
  auto outcome = run_process(request, task.stop);
  if (outcome && outcome->cut) {
    return fail(Error::Code::internal,
                fmt::format("{} wrote more than 32 MB", fmt::join(run.command, " ")));
  }
  if (!outcome && outcome.error().code == Error::Code::internal) {
    return fail(Error::Code::internal,
                fmt::format("{} did not end within {:.3g} s", fmt::join(run.command, " "),
                            static_cast<double>(run.timeout.count()) / 1000));
  }
  return outcome;
}

// Nothing: such a mount is not allowed here.
std::optional<Result<ProcessOutcome>> run_in_overlay(const fs::path& root, const fs::path& ours,
                                                     const ScratchRun& run, const Task& task) {
  if ((root.string() + ours.string()).find_first_of(",:\\") != std::string::npos) return {};
  auto outcome = run_here(kOverlay, {"unshare", "--user", "--map-root-user", "--mount", "--"},
                          {root.string(), ours.string()}, "/", run, task);
  std::error_code error;
  if (fs::exists(ours / "ready", error)) return outcome;
  if (!outcome && outcome.error().code != Error::Code::unavailable) return outcome;
  return {};
}

Result<ProcessOutcome> run_in_copy(Workspace& files, const fs::path& root, const fs::path& ours,
                                   const ScratchRun& run, const Task& task) {
  const fs::path copy = ours / "copy";
  std::error_code error;
  fs::create_directories(copy, error);
  const auto listed = files.list("", kMaxCopied + 1, task);
  if (!listed) return std::unexpected(listed.error());
  uintmax_t bytes = 0;
  for (const std::string& path : *listed) {
    if (task.stop.stop_requested()) return fail(Error::Code::cancelled, "cancelled");
    const fs::path from = root / path;
    if (!is_plain_path(path) || !fs::is_regular_file(from, error)) continue;
    bytes += fs::file_size(from, error);
    if (listed->size() > kMaxCopied || bytes > kMaxCopiedBytes) {
      return fail(Error::Code::unavailable, "the folder is too large to copy");
    }
    fs::create_directories((copy / path).parent_path(), error);
    fs::copy_file(from, copy / path, fs::copy_options::overwrite_existing, error);
    fs::last_write_time(copy / path, fs::last_write_time(from, error), error);
  }
  fs::copy(ours / "draft", copy, fs::copy_options::recursive | fs::copy_options::overwrite_existing,
           error);
  if (error) return fail(Error::Code::internal, "the temporary folder cannot be written");
  std::ifstream gone(ours / "gone");
  for (std::string path; std::getline(gone, path);) fs::remove(copy / path, error);
  return run_here(kPlain, {}, {}, copy, run, task);
}

}  // namespace

Result<ProcessOutcome> run_in_scratch(Workspace& files, const ScratchRun& run, const Task& task) {
  const std::vector<std::string> roots = files.roots(task);
  if (roots.size() != 1) {
    return fail(
        Error::Code::unavailable,
        roots.empty() ? "no folder is open" : "several folders are open: only one can be checked");
  }
  if (run.command.empty()) return fail(Error::Code::unavailable, "there is no command");
  const fs::path root = roots[0];
  const Folder ours;
  if (ours.path.empty()) {
    return fail(Error::Code::internal, "the temporary folder cannot be written");
  }
  if (const auto done = lay_out(files, root, ours.path, task); !done) {
    return std::unexpected(done.error());
  }
  if (run.may_overlay) {
    if (auto outcome = run_in_overlay(root, ours.path, run, task)) return std::move(*outcome);
  }
  return run_in_copy(files, root, ours.path, run, task);
}

}  // namespace bodkin
