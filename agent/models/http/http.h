// Http: one request at a time over libcurl, with a stop token. TLS is verified, proxies come from
// the environment (not for loopback), redirects are refused, HTTP/2 is used if available. A client
// keeps its connections: use one client per conversation, on one thread at a time.
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
  std::string method = {};           // if neither
  std::chrono::milliseconds connect{15'000};
  std::chrono::milliseconds first_byte{120'000};  // of the body
  std::chrono::milliseconds idle{120'000};        // between chunks that the sink reports as alive
  std::chrono::milliseconds progress{300'000};  // between chunks that the sink reports as progress
  size_t max_bytes = 64 << 20;
};

struct HttpHead {
  int status = 0;
  std::map<std::string, std::string> headers;  // names in lower case
};

// A body sink's decision after a chunk.
struct SinkResult {
  bool alive = true;     // at least one line arrived, even a keep-alive: the idle limit restarts
  bool progress = true;  // the chunk was more than a keep-alive
  std::optional<std::chrono::milliseconds> grace =
      {};              // everything has arrived: wait this long for the end
  bool close = false;  // give up now
};
using BodySink = std::function<SinkResult(const HttpHead&, std::string_view bytes)>;

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

  // Closes kept connections; the next request reconnects.
  void close();

  // Blocks until the body ends, the sink closes, a limit is reached, or a stop is requested, which
  // closes the connection at once. HTTP statuses are not errors here; redirects are.
  std::expected<HttpHead, HttpFailure> send(const HttpRequest& request, const BodySink& sink,
                                            const std::stop_token& stop);

 private:
  void* multi_ = nullptr;      // CURLM; made with the first request
  bool needs_bundle_ = false;  // a server's certificate was not in the certificate folder
};

struct Fetch {
  std::string url;
  std::optional<std::string> body = {};  // POST, JSON; else GET
  std::vector<std::string> headers = {};
};
struct Fetched : std::optional<std::string> {  // the body, with status 200
  using std::optional<std::string>::optional;
  int status = 0;  // 0: there was no response
};
// Fetches in parallel, at most 4 MB each, within `limit`, or until a stop is requested.
std::vector<Fetched> fetch_all(const std::vector<Fetch>& fetches, std::chrono::milliseconds limit,
                               const std::stop_token& stop = {});

}  // namespace bodkin
