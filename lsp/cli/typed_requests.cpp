#include "lsp/cli/typed_requests.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "agent/history/store.h"
#include "agent/platform/file_descriptor.h"
#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/support/json.h"
#include "agent/support/read_file.h"
#include "agent/support/user_folders.h"
#include "agent/support/wire_json.h"
#include "agent/workspace/secrets.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr size_t kMostInFile = 1 << 20, kKeptOfFile = kMostInFile / 2;  // of the file

// One {"folder", "time", "request"} a line; the time in milliseconds since 1970.
fs::path file_of_requests() {
  const fs::path folder = state_folder();
  return folder.empty() ? folder : folder / "requests";
}

bool append_all(int file, std::string_view bytes) {
  return os::write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
}

// The later part of a file that has grown too long takes its place.
void shorten(const fs::path& path) {
  const auto bytes = read_file(os::text_of(path), kMostInFile * 4);
  if (!bytes || bytes->size() <= kMostInFile) return;
  const size_t line = bytes->find('\n', bytes->size() - kKeptOfFile);
  const std::string next = os::text_of(path) + ".new";
  const FileDescriptor file(
      os::open(next.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (file && line != bytes->npos && append_all(file.number(), bytes->substr(line + 1)))
    os::rename(next.c_str(), os::text_of(path).c_str());
}

}  // namespace

std::vector<std::string> typed_requests(std::string_view folder, double days) {
  std::vector<std::string> found;
  const fs::path path = file_of_requests();
  const auto bytes = path.empty() || days <= 0 ? Result<std::string>("")
                                               : read_file(os::text_of(path), kMostInFile * 4);
  if (!bytes) return found;
  const double oldest = static_cast<double>(history_time()) - days * 24 * 60 * 60 * 1000;
  for (size_t at = 0; at < bytes->size();) {
    const size_t end = std::min(bytes->find('\n', at), bytes->size());
    const auto entry = parse_json(bytes->substr(at, end - at));
    at = end + 1;
    if (entry && string_at(*entry, "folder") == folder &&
        static_cast<double>(int_at(*entry, "time")) >= oldest)
      found.push_back(string_at(*entry, "request"));
  }
  return found;
}

void keep_typed_request(std::string_view folder, std::string_view request) {
  const fs::path path = file_of_requests();
  if (path.empty() || !make_private_folder(path.parent_path())) return;
  const FileDescriptor file(os::open(os::text_of(path).c_str(),
                                     O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file || os::flock(file.number(), LOCK_EX) != 0) return;
  const json entry = {{"folder", folder},
                      {"time", history_time()},
                      {"request", hide_secrets(std::string(request))}};
  if (append_all(file.number(), text_of_json(entry) + "\n")) shorten(path);
}

bool forget_typed_requests() {
  const fs::path path = file_of_requests();
  return path.empty() || os::unlink(os::text_of(path).c_str()) == 0 || errno == ENOENT;
}

}  // namespace bodkin
