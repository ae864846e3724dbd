#include "agent/support/kept_json.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "agent/platform/file_descriptor.h"
#include "agent/platform/files.h"
#include "agent/support/json.h"
#include "agent/support/read_file.h"
#include "agent/support/user_folders.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr size_t kMaxKept = 16 << 20;

bool write_kept(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = os::write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

std::unexpected<Error> cannot_keep(const std::string& file) {
  return fail(Error::Code::unavailable,
              fmt::format("Cannot write {}: {}.", file, os::strerror(errno)));
}

}  // namespace

json read_kept_json(const std::string& file) {
  const auto text = read_file(file, kMaxKept);
  if (!text) return nullptr;
  return parse_json(*text).value_or(json());
}

Result<void> change_kept_json(const std::string& file, const std::function<void(json&)>& change) {
  if (!make_private_folder(fs::path(file).parent_path())) return cannot_keep(file);
  const FileDescriptor lock(os::open((file + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock) return cannot_keep(file);
  while (os::flock(lock.number(), LOCK_EX) != 0 &&
         errno == EINTR) {  // released with the descriptor
  }
  json kept = read_kept_json(file);
  change(kept);
  const std::string made = file + ".new";
  FileDescriptor out(os::open(made.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!out || !write_kept(out.number(), kept.dump(1, ' ', false, json::error_handler_t::replace)) ||
      os::rename(made.c_str(), file.c_str()) != 0)
    return cannot_keep(file);
  return {};
}

}  // namespace bodkin
