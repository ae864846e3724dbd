// Url: what a person may be shown of an address, and whether it is on this machine. Read by
// libcurl, as the one who connects reads it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bodkin {

struct Url {
  std::string scheme, host, port;  // in lower case; IPv6 in brackets; the usual port is left out
  bool has_login = false;          // user:password@
  bool has_path = false;           // more than "/", or a query
};
std::optional<Url> parse_url(std::string_view url);  // nothing: it is none, or has no scheme

// "https://host:port": what may be shown of a URL (no user, path or query); "": it is none.
std::string origin_of(std::string_view url);
// "localhost", or an address that never leaves the machine.
bool is_loopback(std::string_view url);

}  // namespace bodkin
