#include "agent/support/url.h"

#include <curl/curl.h>

#include <algorithm>
#include <memory>

#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

std::string part_of(CURLU* url, CURLUPart what, unsigned flags = 0) {
  char* text = nullptr;
  if (curl_url_get(url, what, &text, flags) != CURLUE_OK) return {};
  std::string part = text;
  curl_free(text);
  return part;
}

}  // namespace

std::optional<Url> parse_url(std::string_view text) {
  const std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> url(curl_url(), curl_url_cleanup);
  if (text.find('\0') != text.npos ||
      curl_url_set(url.get(), CURLUPART_URL, std::string(text).c_str(), 0) != CURLUE_OK) {
    return std::nullopt;
  }
  Url result;
  result.scheme = part_of(url.get(), CURLUPART_SCHEME);
  result.host = part_of(url.get(), CURLUPART_HOST);
  result.port = part_of(url.get(), CURLUPART_PORT, CURLU_NO_DEFAULT_PORT);
  for (std::string* part : {&result.scheme, &result.host}) *part = lower_case(*part);
  result.has_login = !part_of(url.get(), CURLUPART_USER).empty() ||
                     !part_of(url.get(), CURLUPART_PASSWORD).empty();
  const std::string path = part_of(url.get(), CURLUPART_PATH);
  result.has_path = (!path.empty() && path != "/") || !part_of(url.get(), CURLUPART_QUERY).empty();
  if (result.host.empty()) return std::nullopt;
  return result;
}

std::string origin_of(std::string_view text) {
  const auto url = parse_url(text);
  if (!url) return {};
  return url->scheme + "://" + url->host + (url->port.empty() ? "" : ":" + url->port);
}

std::string_view password_in_url(std::string_view url) {
  const size_t scheme = url.find("://");
  if (scheme == url.npos) return {};
  const size_t begin = scheme + 3, end = std::min(url.find_first_of("/?#", begin), url.size());
  const std::string_view server = url.substr(begin, end - begin);
  const size_t sign = server.rfind('@');
  if (sign == server.npos) return {};
  const size_t colon = server.find(':');
  return colon < sign ? server.substr(colon + 1, sign - colon - 1) : server.substr(0, sign);
}

bool is_loopback(std::string_view text) {
  const auto url = parse_url(text);
  if (!url) return false;
  if (url->host == "localhost" || url->host == "[::1]") return true;
  // curl has normalized any way of writing an IPv4 address to four plain numbers.
  const std::string_view host = url->host;
  return host.starts_with("127.") && host.find_first_not_of("0123456789.") == host.npos &&
         std::ranges::count(host, '.') == 3 && !host.ends_with('.') && !host.contains("..");
}

}  // namespace bodkin
