#include "lsp/workspace/disk.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>

#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/platform/walk.h"
#include "agent/support/encoding.h"
#include "agent/support/path_text.h"
#include "agent/support/process.h"
#include "agent/support/read_file.h"
#include "agent/support/real_path.h"
#include "agent/workspace/file_rules.h"
#include "agent/workspace/git.h"
#include "agent/workspace/git_run.h"
#include "agent/workspace/privacy.h"

namespace bodkin::lsp {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxFile = 32u << 20;
constexpr size_t kMaxListing = 32u << 20;              // bytes of file names
constexpr std::chrono::milliseconds kListing{10'000};  // then the folder is walked
constexpr size_t kMaxWalked = 1'000'000;               // entries of folders

// NUL-terminated names. Untrusted: git's and rg's output may come from a repository's index.
std::vector<std::string> names_in(std::string_view listed, size_t limit) {
  std::vector<std::string> result;
  for (size_t at = 0; result.size() < limit;) {
    const size_t end = listed.find('\0', at);
    if (end == std::string_view::npos) break;  // a name that was cut is no name
    if (const std::string_view name = listed.substr(at, end - at); is_plain_path(name))
      result.emplace_back(name);
    at = end + 1;
  }
  return result;
}

// Includes what it prints before it fails (at a folder that it may not read).
std::string listed_by_rg(const std::string& folder, bool trusted, const std::stop_token& stop) {
  ProcessRequest request;
  request.arguments = {"rg",
                       "--no-config",
                       "--files",
                       "--null",
                       "--no-messages",
                       "--no-require-git",
                       "--no-pre",
                       "--no-search-zip",
                       "--path-separator=/",
                       "--glob=!node_modules/"};
  if (!trusted) request.arguments.push_back("--no-ignore-exclude");  // .git is not looked into
  request.folder = folder;
  request.max_output = kMaxListing;
  request.timeout = kListing;
  request.never_from = {folder};
  auto listed = run_process(request, stop);
  return listed ? std::move(listed->output) : "";
}

// Folders in which listing files hung: git's configuration may name a pipe, or an ignore file be
// one. Thread: any.
class SlowFolders {
 public:
  bool contains(const std::string& folder) {
    std::lock_guard lock(mutex_);
    std::erase_if(until_, [](const auto& each) { return each.second < Clock::now(); });
    return until_.contains(folder);
  }
  void add(const std::string& folder) {
    std::lock_guard lock(mutex_);
    until_[folder] = Clock::now() + std::chrono::minutes(5);
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::mutex mutex_;
  std::map<std::string, Clock::time_point> until_;
};

// Whether git or rg would read a pipe or a device for ever as rules of what to ignore: here, or
// above in the repository. One in a folder below is met only when they hang.
bool has_endless_rules(const std::string& folder) {
  const fs::path top = top_of_repository(folder);
  std::error_code error;
  for (fs::path at = os::canonical(folder, error); !error; at = at.parent_path()) {
    for (const char* name : {".gitignore", ".ignore", ".rgignore", ".git/info/exclude"}) {
      std::error_code ignored;
      const fs::file_status found = fs::status(at / name, ignored);
      if (fs::exists(found) && !fs::is_regular_file(found) && !fs::is_directory(found)) return true;
    }
    if (at == top || at == at.parent_path()) break;
  }
  return false;
}

std::vector<std::string> list_with_programs(const std::string& folder, size_t limit, bool trusted,
                                            const std::stop_token& stop) {
  static SlowFolders slow;
  if (slow.contains(folder) || has_endless_rules(folder)) return {};
  for (const bool by_git : {true, false}) {
    if (by_git && !trusted) continue;
    const auto begin = std::chrono::steady_clock::now();
    auto result = names_in(by_git ? list_with_git(folder, kMaxListing, stop).value_or("")
                                  : listed_by_rg(folder, trusted, stop),
                           limit);
    // Git leaves them out by itself.
    if (NestedWorktrees nested(folder); !by_git)
      std::erase_if(result, [&](const std::string& path) { return nested.contain(path); });
    if (!result.empty() || stop.stop_requested()) return result;
    if (std::chrono::steady_clock::now() - begin < kListing) continue;
    slow.add(folder);
    return {};
  }
  return {};
}

std::vector<std::string> list_by_walking(const std::string& folder, size_t limit,
                                         const std::stop_token& stop) {
  std::vector<std::string> result;
  size_t seen = 0;
  NestedWorktrees nested(folder);
  walk(folder, [&](const fs::directory_entry& entry) {
    if (stop.stop_requested() || result.size() >= limit || ++seen > kMaxWalked) return Walk::end;
    const std::string name = os::text_of(entry.path().filename());
    std::error_code ignored;
    if (entry.is_directory(ignored)) {
      const std::string inside = os::text_of(entry.path().lexically_relative(folder)) + "/";
      if (name.starts_with('.') || name == "node_modules" || nested.contain(inside))
        return Walk::not_below;
    } else if (entry.is_regular_file(ignored)) {
      result.push_back(os::text_of(entry.path().lexically_relative(folder)));
    }
    return Walk::on;
  });
  return result;
}

}  // namespace

Result<Text> read_from_disk(const std::string& absolute, const std::string& folder) {
  const auto file = read_encoded(absolute, folder);
  return file ? Result<Text>(file->text) : std::unexpected(file.error());
}

Result<DiskFile> read_encoded(const std::string& absolute, const std::string& folder) {
  const auto real = real_path(absolute);
  std::error_code error;
  if (!real || !fs::exists(*real, error))
    return fail(Error::Code::not_found, absolute + " does not exist.");
  const auto inside = folder.empty() ? std::optional<std::string>() : path_below(*real, folder);
  if (!folder.empty() && (!inside || inside->empty()))
    return fail(Error::Code::invalid_input, absolute + " is a link to outside the workspace.");
  auto bytes = read_file(*real, kMaxFile);
  if (!bytes) return std::unexpected(bytes.error());
  const bool has_nul = bytes->find('\0') != std::string::npos;
  if (!has_nul && is_utf8(*bytes)) return DiskFile{Text(*std::move(bytes)), ""};
  const std::string encoding =
      encoding_of(inside.value_or(""), *bytes, [&](const std::string& path) {
        auto text = inside ? read_file(join_path(folder, path), kMaxFile)
                           : Result<std::string>(fail(Error::Code::not_found, ""));
        return text ? std::optional(*std::move(text)) : std::nullopt;
      });
  auto text = encoding.empty() ? std::nullopt : decoded(*bytes, encoding);
  if (text) return DiskFile{Text(*std::move(text)), encoding};
  return fail(Error::Code::invalid_input,
              absolute + " is not UTF-8 text" +
                  (encoding.empty() ? "; " + std::string(kNamesEncoding) + "."
                                    : ", nor is it " + encoding + "."));
}

std::optional<FileStamp> stamp_of(const std::string& absolute) {
  os::FileStatus found{};
  if (os::lstat(absolute.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return std::nullopt;
  return FileStamp{os::written_at(found), static_cast<uint64_t>(found.st_size),
                   static_cast<uint64_t>(found.st_ino)};
}

bool is_reliable(const FileStamp& stamp) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::nanoseconds(now).count() - stamp.changed_ns > 2'000'000'000;
}

std::vector<std::string> list_files(const std::string& folder, size_t limit, bool trusted,
                                    const std::stop_token& stop) {
  auto result = list_with_programs(folder, limit, trusted, stop);
  if (result.empty()) result = list_by_walking(folder, limit, stop);
  std::ranges::sort(result);
  result.erase(std::ranges::unique(result).begin(), result.end());
  return result;
}

}  // namespace bodkin::lsp
