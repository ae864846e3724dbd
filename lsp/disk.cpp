#include "lsp/disk.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "agent/process.h"
#include "agent/utf8.h"

namespace bodkin::lsp {

namespace {

namespace fs = std::filesystem;

constexpr uintmax_t kMaxFile = 32u << 20;
constexpr size_t kMaxListing = 32u << 20;  // bytes of file names
constexpr size_t kMaxWalked = 1'000'000;   // entries of folders

// The names, each ended by a NUL, that a program prints; also what it prints before it fails (at a
// folder that it may not read).
std::vector<std::string> names_printed_by(std::vector<std::string> arguments,
                                          const std::string& folder, size_t limit,
                                          const std::stop_token& stop) {
  ProcessRequest request;
  request.arguments = std::move(arguments);
  request.folder = folder;
  request.max_output = kMaxListing;
  request.with_basics_only = true;
  const auto listed = run_process(request, stop);
  std::vector<std::string> result;
  if (!listed) return result;
  for (size_t at = 0; result.size() < limit;) {
    const size_t end = listed->output.find('\0', at);
    if (end == std::string::npos) break;  // a name that was cut is no name
    result.push_back(listed->output.substr(at, end - at));
    at = end + 1;
  }
  return result;
}

std::vector<std::string> list_with_git(const std::string& folder, size_t limit,
                                       const std::stop_token& stop) {
  // A repository's own configuration could name a program to run as its file system monitor.
  return names_printed_by({"git", "-c", "core.fsmonitor=false", "-C", folder, "ls-files", "-z",
                           "--cached", "--others", "--exclude-standard"},
                          "", limit, stop);
}

std::vector<std::string> list_with_rg(const std::string& folder, size_t limit,
                                      const std::stop_token& stop) {
  return names_printed_by({"rg", "--no-config", "--files", "--null", "--no-messages",
                           "--no-require-git", "--glob=!node_modules/"},
                          folder, limit, stop);
}

std::vector<std::string> list_by_walking(const std::string& folder, size_t limit,
                                         const std::stop_token& stop) {
  std::vector<std::string> result;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
  size_t seen = 0;
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (stop.stop_requested() || result.size() >= limit || ++seen > kMaxWalked) break;
    const std::string name = at->path().filename().string();
    std::error_code ignored;
    if (at->is_directory(ignored)) {
      if (name.starts_with('.') || name == "node_modules") at.disable_recursion_pending();
    } else if (at->is_regular_file(ignored)) {
      result.push_back(at->path().lexically_relative(folder).string());
    }
  }
  return result;
}

}  // namespace

Result<Text> read_from_disk(const std::string& absolute, const std::string& folder) {
  std::error_code error;
  const fs::path real = fs::canonical(absolute, error);
  if (error) return fail(Error::Code::not_found, "There is no file " + absolute + ".");
  if (!folder.empty()) {
    const std::string root = fs::weakly_canonical(folder, error).string();
    if (!real.string().starts_with(root == "/" ? root : root + "/")) {
      return fail(Error::Code::invalid_input, absolute + " is a link that leaves the workspace.");
    }
  }
  if (!fs::is_regular_file(real, error)) {
    return fail(Error::Code::invalid_input, absolute + " is not a file.");
  }
  const uintmax_t size = fs::file_size(real, error);
  if (size > kMaxFile || error) {
    return fail(Error::Code::invalid_input, absolute + " is larger than 32 MB.");
  }
  std::ifstream file(real, std::ios::binary);
  std::string bytes(size + 1, '\0');  // one more: it may have grown
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  const bool is_read = file.is_open() && (file || file.eof()) && !file.bad();
  bytes.resize(static_cast<size_t>(file.gcount()));
  if (!is_read) return fail(Error::Code::internal, absolute + " cannot be read.");
  if (bytes.find('\0') != std::string::npos || valid_utf8(bytes) != bytes) {
    return fail(Error::Code::invalid_input, absolute + " is not UTF-8 text.");
  }
  return Text(std::move(bytes));
}

std::optional<FileStamp> stamp_of(const std::string& absolute) {
  struct stat found {};
  if (::lstat(absolute.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return std::nullopt;
#ifdef __APPLE__
  const timespec changed = found.st_mtimespec;
#else
  const timespec changed = found.st_mtim;
#endif
  return FileStamp{int64_t{changed.tv_sec} * 1'000'000'000 + changed.tv_nsec,
                   static_cast<uint64_t>(found.st_size), static_cast<uint64_t>(found.st_ino)};
}

bool is_settled(const FileStamp& stamp) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::nanoseconds(now).count() - stamp.changed_ns > 2'000'000'000;
}

std::vector<std::string> list_files(const std::string& folder, size_t limit,
                                    const std::stop_token& stop) {
  auto result = list_with_git(folder, limit, stop);
  if (result.empty()) result = list_with_rg(folder, limit, stop);
  if (result.empty()) result = list_by_walking(folder, limit, stop);
  std::ranges::sort(result);
  result.erase(std::ranges::unique(result).begin(), result.end());
  return result;
}

}  // namespace bodkin::lsp
