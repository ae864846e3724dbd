#include "agent/models/http/curl_setup.h"

#include <filesystem>
#include <mutex>

#include "agent/platform/paths.h"
#include "agent/support/url.h"

namespace bodkin {

namespace {

// A folder in which OpenSSL looks up the one certificate that it needs, by a hash of its subject;
// "" if there is none. A bundle is read as a whole, after its hello: 30 ms that nothing interrupts.
std::string certificate_folder() {
  const curl_version_info_data* facts = curl_version_info(CURLVERSION_NOW);
  const char* said = os::getenv("SSL_CERT_DIR");
  if (!said || !*said) said = facts->capath;
  if (!said || !facts->ssl_version || !std::string_view(facts->ssl_version).starts_with("OpenSSL"))
    return {};
  std::error_code error;
  for (const auto& file : std::filesystem::directory_iterator(said, error)) {
    const std::string name = file.path().filename().generic_string();  // "4042bcee.0"
    if (name.size() == 10 && name[8] == '.' && name.find_first_not_of("0123456789abcdef") == 8)
      return said;
  }
  return {};
}

// One file with all certificates: the user's, else the distribution's; "" if there is none.
std::string certificate_bundle() {
  for (const char* name : {"SSL_CERT_FILE", "CURL_CA_BUNDLE"}) {
    if (const char* file = os::getenv(name); file && *file) return file;
  }
  const char* own = curl_version_info(CURLVERSION_NOW)->cainfo;
  std::error_code error;
  for (const char* file : {own, "/etc/ssl/certs/ca-certificates.crt",    // Debian
                           "/etc/pki/tls/certs/ca-bundle.crt",           // Fedora
                           "/var/lib/ca-certificates/ca-bundle.pem"}) {  // SUSE
    if (file && std::filesystem::exists(file, error)) return file;
  }
  return {};
}

// Returns the "HOST:PORT" of "Failed to connect to HOST port PORT after …", if the host is not the
// URL's.
std::string proxy_in(std::string_view detail, const std::string& url) {
  constexpr std::string_view kBefore = "Failed to connect to ", kPort = " port ";
  const size_t at = detail.find(kPort);
  if (!detail.starts_with(kBefore) || at == std::string_view::npos) return "";
  const std::string host(detail.substr(kBefore.size(), at - kBefore.size()));
  const std::string_view port = detail.substr(at + kPort.size());
  const auto server = parse_url(url);
  if (!server || server->host == host || server->host == "[" + host + "]") return "";
  return host + ":" + std::string(port.substr(0, port.find(' ')));
}

}  // namespace

void start_curl() {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
}

bool set_trust(CURL* easy, bool with_bundle) {
  const std::string bundle = certificate_bundle();
  const char* own = curl_version_info(CURLVERSION_NOW)->cainfo;
  const auto set = [&](CURLoption option, CURLoption of_proxy, const char* value) {
    curl_easy_setopt(easy, option, value);
    curl_easy_setopt(easy, of_proxy, value);
  };
  static const std::string kFolder = certificate_folder();
  const bool chosen = !bundle.empty() && (!own || bundle != own);
  if (chosen || kFolder.empty()) {
    if (chosen) set(CURLOPT_CAINFO, CURLOPT_PROXY_CAINFO, bundle.c_str());
    return false;
  }
  set(CURLOPT_CAPATH, CURLOPT_PROXY_CAPATH, kFolder.c_str());
  set(CURLOPT_CAINFO, CURLOPT_PROXY_CAINFO, with_bundle ? own : nullptr);
  return true;
}

void set_common(CURL* easy, const std::string& url, bool with_bundle) {
  curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);  // a cancelled name look-up is not waited for
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS);
  // libcurl reads the small letters only, since a web server sets HTTP_PROXY for its CGI scripts.
  const char* proxy = os::getenv("HTTP_PROXY");
  if (proxy && *proxy && url.starts_with("http:") && !os::getenv("http_proxy"))
    curl_easy_setopt(easy, CURLOPT_PROXY, proxy);
  if (is_loopback(url)) curl_easy_setopt(easy, CURLOPT_PROXY, "");
  if (url.starts_with("https:")) set_trust(easy, with_bundle);
  // For Windows' TLS alone, which else refuses a company's own authority that lists no revocations.
  curl_easy_setopt(easy, CURLOPT_SSL_OPTIONS, static_cast<long>(CURLSSLOPT_REVOKE_BEST_EFFORT));
  curl_easy_setopt(easy, CURLOPT_PROXY_SSL_OPTIONS,
                   static_cast<long>(CURLSSLOPT_REVOKE_BEST_EFFORT));
}

ModelError error_of(CURLcode code, const std::string& url, const char* detail) {
  const std::string where = origin_of(url);
  // A header line above 100 kB. CURLE_TOO_LARGE, which libcurl has since 8.6, is 100.
  if (code == CURLE_OUT_OF_MEMORY || static_cast<int>(code) == 100)
    return {"protocol", "The server at " + where + " sent a header that is too long."};
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return {"network",
              "Cannot resolve the host of " + where + ": check the endpoint and the network."};
    case CURLE_COULDNT_CONNECT:
      if (const std::string proxy = proxy_in(detail, url); !proxy.empty())
        return {"network", "Cannot connect to the proxy " + proxy + " on the way to " + where +
                               ": check HTTPS_PROXY, HTTP_PROXY and ALL_PROXY."};
      return {"network", "Cannot connect to " + where + ": is the server running?"};
    case CURLE_OPERATION_TIMEDOUT:
      return {"timeout", "Connecting to " + where + " timed out."};
    case CURLE_PEER_FAILED_VERIFICATION: {
      // "schannel: CertGetCertificateChain trust error CERT_TRUST_IS_UNTRUSTED_ROOT"
      const bool is_said = std::string_view(detail).find("certificate") != std::string_view::npos;
      return {"network", "TLS connection to " + where + " failed: " +
                             (is_said ? detail
                                      : std::string("the server's certificate is not trusted (") +
                                            detail + ")") +
                             ". If a certificate authority of your own signs it, name its file in "
                             "SSL_CERT_FILE."};
    }
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CACERT_BADFILE:
      return {"network", "TLS connection to " + where + " failed: " + detail + "."};
    case CURLE_PARTIAL_FILE:
      return {"network",
              "The connection to " + where + " broke off before the reply was complete."};
    case CURLE_GOT_NOTHING:
      return {"network", "The server at " + where + " closed the connection without a reply."};
    case CURLE_BAD_CONTENT_ENCODING:
      return {"protocol", "The response from " + where + " uses an unknown compression."};
    case CURLE_WEIRD_SERVER_REPLY:
      return {"protocol", "The server at " + where + " does not speak HTTP."};
    case CURLE_UNSUPPORTED_PROTOCOL:
      if (std::string_view(detail).find("HTTP/0.9") != std::string_view::npos)
        return {"protocol", "The server at " + where + " does not speak HTTP."};
      [[fallthrough]];
    case CURLE_URL_MALFORMAT:
      return {"invalid_request", "The endpoint " + where + " is not an http or https URL."};
    default:
      return {"network", "The connection to " + where +
                             " failed: " + (*detail ? detail : curl_easy_strerror(code)) + "."};
  }
}

}  // namespace bodkin
