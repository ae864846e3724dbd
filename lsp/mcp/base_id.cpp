#include "lsp/mcp/base_id.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/support/fnv1a.h"

namespace bodkin::mcp {

std::string base_entry(std::string_view path, std::string_view bytes) {
  const uint64_t of_path = fnv1a(std::string_view("\0", 1), fnv1a(path));
  return fmt::format("{:016x}", fnv1a(bytes, of_path));
}

bool names_text(std::string_view base, std::string_view path, std::string_view bytes) {
  const std::string wanted = base_entry(path, bytes);
  for (size_t at = 0; at < base.size();) {
    const size_t end = std::min(base.find(',', at), base.size());
    std::string_view entry = base.substr(at, end - at);
    while (entry.starts_with(' ')) entry.remove_prefix(1);
    while (entry.ends_with(' ')) entry.remove_suffix(1);
    if (entry == wanted) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace bodkin::mcp
