#include "agent/platform/paths.h"

#include <unistd.h>

#include <cstdlib>

extern char** environ;

namespace bodkin::os {

const char kListSeparator = ':';
#ifdef __APPLE__
const std::string_view kUsualPath = "/opt/homebrew/bin:/usr/local/bin:/usr/bin:/bin";
#else
const std::string_view kUsualPath = "/usr/local/bin:/usr/bin:/bin";
#endif
const std::span<const std::string_view> kSystemVariables;

bool is_absolute(std::string_view path) { return path.starts_with('/'); }

bool means_one_place(std::string_view path) { return is_absolute(path); }

std::string_view root_of(std::string_view path) { return path.substr(0, is_absolute(path)); }

std::string inner_form(std::string_view written) { return std::string(written); }

std::optional<std::string> path_in_uri(std::string_view host, std::string_view path) {
  if (!host.empty() || !path.starts_with('/')) return std::nullopt;
  return std::string(path);
}

std::string host_and_path_for_uri(std::string_view path) { return "//" + std::string(path); }

std::string_view refused_as(std::string_view) { return ""; }

const char* getenv(const char* name) { return std::getenv(name); }

std::vector<std::string> environment() {
  std::vector<std::string> all;
  for (char** each = environ; each && *each; ++each) all.emplace_back(*each);
  return all;
}

std::string temporary_folder() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  return error ? "" : folder.native();
}

}  // namespace bodkin::os
