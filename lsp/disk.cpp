#include "lsp/disk.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

namespace bodkin::lsp {

namespace {

namespace fs = std::filesystem;

constexpr uintmax_t kMaxFile = 32u << 20;

bool is_utf8(const std::string& bytes) {
  for (size_t i = 0; i < bytes.size();) {
    const auto lead = static_cast<unsigned char>(bytes[i]);
    const size_t length = lead < 0x80   ? 1
                          : lead < 0xC2 ? 0
                          : lead < 0xE0 ? 2
                          : lead < 0xF0 ? 3
                          : lead < 0xF5 ? 4
                                        : 0;
    if (length == 0 || i + length > bytes.size()) return false;
    for (size_t k = 1; k < length; ++k) {
      if ((static_cast<unsigned char>(bytes[i + k]) & 0xC0) != 0x80) return false;
    }
    i += length;
  }
  return true;
}

std::string quoted_for_shell(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

// What git knows and does not ignore; empty where there is no repository.
std::vector<std::string> list_with_git(const std::string& folder, size_t limit,
                                       const std::stop_token& stop) {
  const std::string command = "git -C " + quoted_for_shell(folder) +
                              " ls-files --cached --others --exclude-standard -z 2>/dev/null";
  std::vector<std::string> result;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  if (!pipe) return result;
  std::string name;
  for (int c;
       result.size() < limit && !stop.stop_requested() && (c = std::getc(pipe.get())) != EOF;) {
    if (c != 0) {
      name += static_cast<char>(c);
    } else {
      result.push_back(std::move(name));
      name.clear();
    }
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
  if (bytes.find('\0') != std::string::npos || !is_utf8(bytes)) {
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
