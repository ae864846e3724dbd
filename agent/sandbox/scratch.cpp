#include "agent/sandbox/scratch.h"

#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/sandbox/sandbox_files.h"
#include "agent/support/path_text.h"
#include "agent/workspace/privacy.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxCopied = 20'000;  // files
constexpr uint64_t kMaxCopiedBytes = 256u << 20;

// Whether git keeps the path in a folder that is not called .git: a copy has no history.
bool is_in_git_store(const std::string& folder, const std::string& path) {
  std::error_code error;
  for (size_t begin = 0, end = 0; (end = path.find('/', begin)) != path.npos; begin = end + 1) {
    const std::string_view name = std::string_view(path).substr(begin, end - begin);
    if ((name == "objects" || name == "lfs") &&
        fs::exists(join_path(folder, path.substr(0, begin) + "HEAD"), error))
      return true;
  }
  return false;
}

Result<std::vector<SandboxFolder::File>> copy_of(Workspace& files, const std::string& folder,
                                                 const std::string& prefix, const Task& task) {
  const std::string name = prefix.substr(0, prefix.empty() ? 0 : prefix.size() - 1);
  const auto listed = files.list(name, kMaxCopied + 1, task);
  if (!listed) return std::unexpected(listed.error());
  // Hard links to them have other names than those that were left out of the list.
  const auto found = find_private(folder, task.stop);
  if (!found) return std::unexpected(found.error());
  const std::set<std::string> hidden(found->secrets.begin(), found->secrets.end());
  std::vector<SandboxFolder::File> result;
  uint64_t left = kMaxCopiedBytes;
  for (const std::string& path : *listed) {
    if (task.stop.stop_requested()) return fail(Error::Code::cancelled, "cancelled");
    if (!path.starts_with(prefix)) continue;
    const std::string inside = path.substr(prefix.size());
    if (!is_plain_path(inside) || is_in_git_store(folder, inside) || hidden.contains(inside))
      continue;
    auto file = file_on_disk(folder, inside, kMaxCopiedBytes);
    if (!file) continue;
    if (listed->size() > kMaxCopied || file->text.size() > left) {
      return fail(Error::Code::unavailable, "the folder is too large to copy");
    }
    left -= file->text.size();
    result.push_back(std::move(*file));
  }
  return result;
}

// True if the disk now has a folder where a document was, or a file where its folder was. The
// document is older than that.
bool is_contradicted(Workspace& files, const Roots& roots, const Roots::Place& place,
                     const Task& task) {
  std::error_code error;
  if (fs::is_directory(place.absolute, error)) return true;
  const std::string& inside = place.inside;
  for (size_t end = inside.find('/'); end != std::string::npos; end = inside.find('/', end + 1)) {
    const std::string above = inside.substr(0, end);
    const auto status = fs::status(join_path(place.root.folder, above), error);
    if (!fs::exists(status)) return false;
    if (!fs::is_directory(status))
      return files.read(roots.prefix_of(place.root) + above, task).has_value();
  }
  return false;
}

}  // namespace

std::optional<SandboxFolder::File> file_on_disk(const std::string& folder, const std::string& path,
                                                uint64_t most) {
  const std::string place = join_path(folder, path);
  os::FileStatus status{};
  SandboxFolder::File result{.path = path};
  if (os::lstat(place.c_str(), &status) != 0) return std::nullopt;
  if (S_ISLNK(status.st_mode)) {
    std::error_code error;
    result.text = os::read_symlink(place, error).generic_string();
    result.is_link = true;
    return error ? std::nullopt : std::optional(std::move(result));
  }
  if (!S_ISREG(status.st_mode) || static_cast<uint64_t>(status.st_size) > most) return std::nullopt;
  const int file = os::open(place.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  result.text.resize(static_cast<size_t>(status.st_size));
  const ssize_t n = os::read(file, result.text.data(), result.text.size());
  os::close(file);
  if (n < 0) return std::nullopt;
  result.text.resize(static_cast<size_t>(n));
  result.mode = status.st_mode & 0777;
  result.time_ns = os::written_at(status);
  return result;
}

Result<SandboxRun> with_folders_of(Workspace& files, SandboxRun run, const Task& task) {
  const Roots roots = files.roots(task);
  if (roots.empty()) return fail(Error::Code::unavailable, "no folder is open");
  std::map<std::string, size_t> index_of;  // by the root's name
  std::map<std::string, std::string> prefix_by_folder;
  for (const Root& root : roots) {
    std::error_code error;
    index_of[root.name] = run.folders.size();
    run.folders.push_back({.folder = os::canonical(root.folder, error).generic_string()});
    if (error) return fail(Error::Code::unavailable, root.folder + " does not exist");
    prefix_by_folder[run.folders.back().folder] = roots.prefix_of(root);
  }
  for (const std::string& path : files.open_paths(task)) {
    const auto found = roots.find(path);
    if (!found || !is_plain_path(found->inside)) continue;
    SandboxFolder& folder = run.folders[index_of.at(found->root.name)];
    std::error_code error;
    const std::string place =
        os::weakly_canonical(join_path(folder.folder, found->inside), error).generic_string();
    if (error || !place.starts_with(folder.folder + "/")) {
      return fail(Error::Code::unavailable, path + " is a link to outside the workspace");
    }
    const std::string real = place.substr(folder.folder.size() + 1);
    if (is_contradicted(files, roots, *found, task)) continue;
    const auto file = files.read(path, task);
    if (!file) {
      if (file.error().code == Error::Code::not_found) folder.absent.push_back(real);
      continue;
    }
    std::string text = file->text.str();
    const auto old = file_on_disk(folder.folder, real, text.size());
    if (old && old->text == text) continue;  // its time stays, for make
    folder.drafts.push_back({.path = real, .text = std::move(text)});
  }
  for (SandboxFolder& folder : run.folders) {
    std::set<std::string> drafts;
    for (const SandboxFolder::File& draft : folder.drafts) drafts.insert(draft.path);
    // A draft may have put a folder there.
    std::erase_if(folder.absent, [&](const std::string& path) {
      const auto next = drafts.lower_bound(path + "/");
      return next != drafts.end() && next->starts_with(path + "/");
    });
  }
  run.copy = [&files, prefix_by_folder, task](const std::string& folder) {
    return copy_of(files, folder, prefix_by_folder.at(folder), task);
  };
  return run;
}

Result<std::map<std::string, SandboxFolder::File>> files_of_copy(const SandboxRun& run,
                                                                 const SandboxFolder& folder) {
  if (!run.copy) return fail(Error::Code::unavailable, "the folder cannot be copied");
  auto files = run.copy(folder.folder);
  if (!files) return std::unexpected(files.error());
  std::map<std::string, SandboxFolder::File> all;
  for (SandboxFolder::File& file : *files) all[file.path] = std::move(file);
  const auto erase_below = [&](const std::string& path) {
    const std::string below = path + "/";
    for (auto at = all.lower_bound(below); at != all.end() && at->first.starts_with(below);)
      at = all.erase(at);
  };
  for (SandboxFolder::File draft : folder.drafts) {
    const auto old = all.find(draft.path);
    if (draft.mode == 0 && old != all.end()) draft.mode = old->second.mode;
    if (!draft.is_folder) erase_below(draft.path);
    for (size_t end = draft.path.find('/'); end != std::string::npos;
         end = draft.path.find('/', end + 1))
      all.erase(draft.path.substr(0, end));
    std::string path = draft.path;
    all[std::move(path)] = std::move(draft);
  }
  for (const std::string& path : folder.absent) {
    all.erase(path);
    erase_below(path);
  }
  return all;
}

}  // namespace bodkin
