#include "agent/rpc/uri.h"

#include <algorithm>
#include <cctype>

#include "agent/platform/paths.h"

namespace bodkin::rpc {

namespace {

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// A scheme and a host are the same in any case. `word`: lower case.
bool starts_with_word(std::string_view text, std::string_view word) {
  if (text.size() < word.size()) return false;
  for (size_t i = 0; i < word.size(); ++i)
    if (std::tolower(static_cast<unsigned char>(text[i])) != word[i]) return false;
  return true;
}

}  // namespace

std::string percent_decoded(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hex(text[i + 1]) >= 0 && hex(text[i + 2]) >= 0) {
      decoded += static_cast<char>(hex(text[i + 1]) * 16 + hex(text[i + 2]));
      i += 2;
    } else {
      decoded += text[i];
    }
  }
  return decoded;
}

std::optional<std::string> path_of_uri(std::string_view uri) {
  if (!starts_with_word(uri, "file:")) return std::nullopt;
  uri.remove_prefix(5);
  std::string_view host;
  if (uri.starts_with("//")) {
    uri.remove_prefix(2);
    if (starts_with_word(uri, "localhost/")) uri.remove_prefix(9);
    host = uri.substr(0, std::min(uri.find('/'), uri.size()));
    uri.remove_prefix(host.size());
  }
  auto path = os::path_in_uri(percent_decoded(host),
                              percent_decoded(uri.substr(0, uri.find_first_of("?#"))));
  if (!path || path->find('\0') != std::string::npos) return std::nullopt;
  while (path->size() > os::root_of(*path).size() && path->back() == '/') path->pop_back();
  return path;
}

std::string uri_of_path(std::string_view path) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string uri = "file:";
  for (const char c : os::host_and_path_for_uri(path)) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || std::string_view("/-._~").find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += '%';
      uri += kDigits[byte >> 4];
      uri += kDigits[byte & 15];
    }
  }
  return uri;
}

}  // namespace bodkin::rpc
