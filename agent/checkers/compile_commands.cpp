#include "agent/checkers/compile_commands.h"

#include <sys/stat.h>

#include <filesystem>

#include "agent/support/json.h"
#include "agent/support/read_file.h"
#include "agent/support/wire_json.h"

namespace bodkin {

namespace {

constexpr size_t kMostDatabase = 256u << 20;

}  // namespace

bool CompileCommands::refresh(const std::string& root) {
  namespace fs = std::filesystem;
  struct stat info {};
  std::string path;
  for (fs::path folder = root;; folder = folder.parent_path()) {
    for (const fs::path& candidate :
         {folder / "compile_commands.json", folder / "build" / "compile_commands.json"}) {
      if (path.empty() && ::stat(candidate.c_str(), &info) == 0 && S_ISREG(info.st_mode))
        path = candidate.string();
    }
    if (!path.empty() || !folder.has_relative_path()) break;
  }
  const int64_t time_ns =
      path.empty() ? 0 : info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec;
  const uint64_t size = path.empty() ? 0 : static_cast<uint64_t>(info.st_size);
  if (path == path_ && time_ns == time_ns_ && size == size_) return false;
  path_ = path;
  time_ns_ = time_ns;
  size_ = size;
  files_.clear();
  if (path.empty()) return true;
  const auto text = read_file(path, kMostDatabase);
  const auto list = text ? parse_json(*text) : std::nullopt;
  if (!list || !list->is_array()) {
    path_.clear();
    return true;
  }
  for (const nlohmann::json& entry : *list) {
    const fs::path file = fs::path(string_at(entry, "directory")) / string_at(entry, "file");
    std::error_code error;
    const fs::path canonical = fs::weakly_canonical(file, error);
    files_.insert(error ? file.lexically_normal().string() : canonical.string());
  }
  return true;
}

}  // namespace bodkin
