#include "agent/url.h"

namespace bodkin {

std::string origin_of(std::string_view url) {
  const size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return {};
  std::string_view rest = url.substr(scheme + 3);
  rest = rest.substr(0, rest.find_first_of("/?#"));
  if (const size_t at = rest.rfind('@'); at != std::string_view::npos) rest.remove_prefix(at + 1);
  return std::string(url.substr(0, scheme + 3)) + std::string(rest);
}

bool is_loopback(std::string_view url) {
  const std::string origin = origin_of(url);
  const size_t scheme = origin.find("://");
  if (scheme == std::string::npos) return false;
  std::string_view host = std::string_view(origin).substr(scheme + 3);
  host =
      host.starts_with('[') ? host.substr(0, host.find(']') + 1) : host.substr(0, host.find(':'));
  if (host == "localhost" || host == "[::1]") return true;
  return host.starts_with("127.") && host.find_first_not_of("0123456789.") == host.npos;
}

}  // namespace bodkin
