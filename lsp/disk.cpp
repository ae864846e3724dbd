#include "lsp/disk.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "agent/process.h"
#include "agent/utf8.h"

namespace bodkin::lsp {

namespace {

namespace fs = std::filesystem;

constexpr uintmax_t kMaxFile = 32u << 20;
constexpr size_t kMaxListing = 32u << 20;  // bytes of file names

// What git knows and does not ignore; empty where there is no repository, or no git.
std::vector<std::string> list_with_git(const std::string& folder, size_t limit,
                                       const std::stop_token& stop) {
  ProcessRequest git;
  git.arguments = {"git", "-C",       folder,     "ls-files",
                   "-z",  "--cached", "--others", "--exclude-standard"};
  git.max_output = kMaxListing;
  const auto listed = run_process(git, stop);
  std::vector<std::string> result;
  if (!listed || (listed->exit_code != 0 && !listed->cut)) return result;
  for (size_t at = 0; result.size() < limit;) {
    const size_t end = listed->output.find('\0', at);
    if (end == std::string::npos) break;  // a name that was cut is no name
    result.push_back(listed->output.substr(at, end - at));
    at = end + 1;
  }
  return result;
}

std::vector<std::string> list_by_walking(const std::string& folder, size_t limit,
                                         const std::stop_token& stop) {
  std::vector<std::string> result;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (stop.stop_requested() || result.size() >= limit) break;
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
  if (fs::file_size(real, error) > kMaxFile || error) {
    return fail(Error::Code::invalid_input, absolute + " is larger than 32 MB.");
  }
  std::ifstream file(real, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file) return fail(Error::Code::internal, absolute + " cannot be read.");
  if (bytes.find('\0') != std::string::npos || valid_utf8(bytes) != bytes) {
    return fail(Error::Code::invalid_input, absolute + " is not UTF-8 text.");
  }
  return Text(std::move(bytes));
}

std::vector<std::string> list_files(const std::string& folder, size_t limit,
                                    const std::stop_token& stop) {
  auto result = list_with_git(folder, limit, stop);
  if (result.empty()) result = list_by_walking(folder, limit, stop);
  std::ranges::sort(result);
  result.erase(std::ranges::unique(result).begin(), result.end());
  return result;
}

}  // namespace bodkin::lsp
