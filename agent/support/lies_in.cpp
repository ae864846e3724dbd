#include "agent/support/lies_in.h"

#include <algorithm>
#include <filesystem>

namespace bodkin {

bool lies_in(const std::string& path, const std::string& folder) {
  namespace fs = std::filesystem;
  if (!path.starts_with('/') || !folder.starts_with('/')) return false;
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  if (error) return false;
  fs::path top = fs::weakly_canonical(folder, error);
  if (error) return false;
  if (!top.has_filename()) top = top.parent_path();  // "/a/" ends with an empty part
  return std::ranges::mismatch(top, real).in1 == top.end();
}

}  // namespace bodkin
