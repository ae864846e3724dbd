// Url: what a person may be shown of an address, and whether it is on this machine.
#pragma once

#include <string>
#include <string_view>

namespace bodkin {

// "https://host:port": what may be shown of a URL (no user, path or query).
std::string origin_of(std::string_view url);
bool is_loopback(std::string_view url);

}  // namespace bodkin
