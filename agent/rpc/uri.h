// file: URIs <-> paths on this machine (RFC 3986 and RFC 8089). Clients spell the same file in many
// ways ("%3A", "file:/x", upper-case hex); what we send back is always the client's own spelling.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bodkin::rpc {

std::optional<std::string> path_of_uri(
    std::string_view uri);                       // nothing: not a file on this machine
std::string uri_of_path(std::string_view path);  // of an absolute path
std::string percent_decoded(std::string_view text);

}  // namespace bodkin::rpc
