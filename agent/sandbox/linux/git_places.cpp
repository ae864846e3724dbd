#include "agent/sandbox/linux/git_places.h"

#include <filesystem>
#include <set>

#include "agent/sandbox/linux/sandbox_hidden.h"
#include "agent/support/path_text.h"
#include "agent/support/read_file.h"
#include "agent/workspace/git_settings.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxConfig = 1 << 20;  // bytes

// The paths that a path in a setting of the file `from` may mean below `lower`, relative to it. An
// absolute path lies below the folder's own path, which is not known here.
std::vector<std::string> meant_by(const std::string& lower, const std::string& from,
                                  const std::string& path, bool is_folder) {
  std::vector<std::string> places;
  std::error_code error;
  const std::string top = fs::canonical(lower, error).string();
  const auto add = [&](const fs::path& place) {
    const std::string real = fs::canonical(place, error).string();
    if (error || (real != top && !is_below(real, top))) return;
    if (is_folder ? fs::is_directory(real, error) : fs::is_regular_file(real, error))
      places.push_back(real == top ? "" : path_in(real, top));
  };
  if (path.starts_with('/') || path.starts_with('~') || path.starts_with("%(prefix)/")) {
    for (size_t at = path.find('/'); at != path.npos; at = path.find('/', at + 1))
      add(lower + path.substr(at));
  } else if (!path.empty()) {
    const fs::path folder = fs::path(join_path(lower, from)).parent_path();
    add(folder / path);
    if (!is_folder) {
      add(folder.parent_path() / path);
      add(join_path(lower, path));
    }
  }
  return places;
}

}  // namespace

std::vector<std::string> logins_named_by_git(const std::string& lower, const std::string& config) {
  constexpr size_t kMaxFiles = 100;  // that include each other
  std::vector<std::string> read = {config}, logins;
  std::set<std::string> known = {config};
  for (size_t i = 0; i < read.size() && i < kMaxFiles; ++i) {
    const std::string from = read[i];
    const std::string text = read_start_of_file(join_path(lower, from), kMaxConfig).value_or("");
    if (i > 0 && has_git_credentials(text)) logins.push_back(from);
    for (const GitSetting& setting : git_settings(text)) {
      const bool includes = setting.section.starts_with("include") && setting.key == "path";
      const bool has_login = setting.section == "credential" || setting.key == "cookiefile" ||
                             setting.key.ends_with("sslkey") || setting.key == "signingkey";
      std::vector<std::string> words;
      if (has_login) words = paths_in_command(setting.value);
      if (includes || has_login) words.push_back(setting.value);
      for (const std::string& word : words) {
        for (const std::string& place : meant_by(lower, from, word, false))
          if (known.insert(place).second) (includes ? read : logins).push_back(place);
      }
    }
  }
  return logins;
}

std::vector<std::string> folders_named_in_config(const std::string& lower,
                                                 const std::string& git_folder,
                                                 std::string_view section, std::string_view key) {
  const std::string config = git_folder.empty() ? "config" : git_folder + "/config";
  const std::string text = read_start_of_file(join_path(lower, config), kMaxConfig).value_or("");
  std::vector<std::string> folders;
  for (const GitSetting& setting : git_settings(text)) {
    if (setting.section != section || setting.key != key) continue;
    for (std::string& place : meant_by(lower, config, setting.value, true))
      folders.push_back(std::move(place));
  }
  return folders;
}

std::vector<std::string> git_folders_meant_by(const std::string& lower, const std::string& file) {
  const std::string text = read_start_of_file(join_path(lower, file), 4096).value_or("");
  if (!text.starts_with("gitdir:")) return {};
  return meant_by(lower, file, std::string(trimmed(std::string_view(text).substr(7))), true);
}

}  // namespace bodkin
