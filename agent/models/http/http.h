// Http: one request at a time over libcurl, with a stop token. TLS is verified, proxies come from
// the environment (not for loopback), redirects are refused, HTTP/2 where the server has it. A
// client keeps its connections: one client for one conversation, on one thread at a time.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "agent/models/model.h"

namespace bodkin {

struct HttpRequest {
  std::string url;
  std::vector<std::string> headers;  // "Name: value"
  std::optional<std::string> body;   // POST, else GET
  std::chrono::milliseconds connect{15'000};
  std::chrono::milliseconds first_byte{120'000};  // of the body
  std::chrono::milliseconds idle{120'000};        // between pieces that the sink calls alive
  std::chrono::milliseconds progress{300'000};    // between pieces that the sink calls progress
  size_t max_bytes = 64 << 20;
};

struct HttpHead {
  int status = 0;
  std::map<std::string, std::string> headers;  // names in lower case
};

// What the reader of a body wants after a piece.
struct HttpWish {
  bool alive = true;     // a line or more ended, be it a keep-alive: the idle limit begins again
  bool progress = true;  // the piece was more than a keep-alive
  std::optional<std::chrono::milliseconds> grace = {};  // all is there: wait so long for the end
  bool close = false;                                   // give up now
};
using BodySink = std::function<HttpWish(const HttpHead&, std::string_view bytes)>;

struct HttpFailure {
  ModelError error;
  HttpHead head;           // status 0: no answer began
  bool had_bytes = false;  // of the body
};

class HttpClient {
 public:
  HttpClient() = default;
  ~HttpClient() { close(); }
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // Closes what is kept open; the next request connects anew.
  void close();

  // Blocks until the body ended, the sink had enough, a limit was met, or a stop was asked for,
  // which closes the connection at once. Statuses are not errors here; redirects are.
  std::expected<HttpHead, HttpFailure> send(const HttpRequest& request, const BodySink& sink,
                                            std::stop_token stop);

 private:
  void* multi_ = nullptr;      // CURLM; made with the first request
  bool needs_bundle_ = false;  // a server's certificate was not found in the folder of them
};

struct Fetch {
  std::string url;
  std::optional<std::string> body = {};  // POST, JSON; else GET
  std::vector<std::string> headers = {};
};
// The bodies, at most 1 MB each, of those that were answered with 200 within `limit`, side by side.
std::vector<std::optional<std::string>> fetch_all(const std::vector<Fetch>& fetches,
                                                  std::chrono::milliseconds limit);

}  // namespace bodkin
