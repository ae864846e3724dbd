#include "agent/support/path_text.h"

namespace bodkin {

bool is_below(std::string_view path, std::string_view folder) {
  if (folder.ends_with('/')) return path.size() > folder.size() && path.starts_with(folder);
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

std::string path_in(std::string_view path, std::string_view folder) {
  return std::string(path.substr(folder.size() + !folder.ends_with('/')));
}

std::string join_path(std::string_view folder, std::string_view inside) {
  return std::string(folder) + (folder.ends_with('/') ? "" : "/") + std::string(inside);
}

}  // namespace bodkin
