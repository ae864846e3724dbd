// Url: the parts of a URL that may be displayed, and whether it is on this machine. Parsed by
// libcurl, exactly as when connecting.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bodkin {

struct Url {
  std::string scheme, host, port;  // in lower case; IPv6 in brackets; the default port is omitted
  bool has_login = false;          // user:password@
  bool has_path = false;           // more than "/", or a query
};
std::optional<Url> parse_url(std::string_view url);  // nothing: invalid, or without a scheme

// "https://host:port": the part of a URL that may be shown (no user, path or query); "": not a URL.
std::string origin_of(std::string_view url);
// Returns the part between "://" and "@" after the first ":", else all of it; or empty.
std::string_view password_in_url(std::string_view url);
// "localhost", or an address that never leaves the machine.
bool is_loopback(std::string_view url);

}  // namespace bodkin
