#include "agent/models/http/http.h"

#include <curl/curl.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <memory>

#include "agent/models/http/curl_setup.h"
#include "agent/support/url.h"
#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr size_t kMaxHead = 256 << 10;  // bytes of all header lines

struct Transfer {
  const BodySink* sink = nullptr;
  size_t max_bytes = 0;
  HttpHead head;
  size_t bytes = 0, head_bytes = 0;
  std::exception_ptr thrown;  // by the sink: it must not pass through curl
  Clock::time_point last_alive, last_progress;
  std::optional<Clock::time_point> end_by;
  bool has_progress = false, closed = false, too_large = false;
  char detail[CURL_ERROR_SIZE] = "";  // of curl's last error
};

void read_header(Transfer& transfer, std::string_view line) {
  if (line.starts_with("HTTP/")) {  // a new head: an interim answer came before
    transfer.head = {};
    if (const size_t space = line.find(' '); space != std::string_view::npos)
      transfer.head.status = std::atoi(std::string(line.substr(space + 1, 3)).c_str());
  } else if (const size_t colon = line.find(':');
             colon != std::string_view::npos && transfer.head.headers.size() < 200) {
    std::string name = lower_case(line.substr(0, colon));
    std::string_view value = line.substr(colon + 1);
    while (!value.empty() && (value.front() == ' ' || value.front() == '\t'))
      value.remove_prefix(1);
    while (!value.empty() && (value.back() == '\r' || value.back() == '\n' || value.back() == ' '))
      value.remove_suffix(1);
    transfer.head.headers[std::move(name)] = value;
  }
}

size_t take_header(char* data, size_t size, size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  const std::string_view line(data, size * count);
  transfer.head_bytes += line.size();
  if (transfer.head_bytes > kMaxHead) {
    transfer.too_large = true;
    return CURL_WRITEFUNC_ERROR;
  }
  try {
    read_header(transfer, line);
  } catch (...) {
    transfer.thrown = std::current_exception();
    return CURL_WRITEFUNC_ERROR;
  }
  return size * count;
}

size_t take_body(char* data, size_t size, size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  const std::string_view bytes(data, size * count);
  transfer.bytes += bytes.size();
  if (transfer.bytes > transfer.max_bytes) {
    transfer.too_large = true;
    return CURL_WRITEFUNC_ERROR;
  }
  const auto now = Clock::now();
  SinkResult result;
  try {
    result = (*transfer.sink)(transfer.head, bytes);
  } catch (...) {
    transfer.thrown = std::current_exception();
    return CURL_WRITEFUNC_ERROR;
  }
  if (result.alive) transfer.last_alive = now;
  if (result.progress) {
    transfer.last_progress = now;
    transfer.has_progress = true;
  }
  if (result.grace) {
    const auto by = now + *result.grace;
    transfer.end_by = transfer.end_by ? std::min(*transfer.end_by, by) : by;
  }
  if (result.close) {
    transfer.closed = true;
    return CURL_WRITEFUNC_ERROR;
  }
  return bytes.size();
}

int milliseconds_until(Clock::time_point when) {
  const auto left = std::chrono::ceil<milliseconds>(when - Clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, 1000));
}

// `headers` and the transfer are used until its end.
void set_options(CURL* easy, const HttpRequest& request, curl_slist* headers, Transfer& transfer) {
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
  // Compression is not requested ("Accept-Encoding:" is then not sent), but read if it comes.
  curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
  if (request.body) {
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                     static_cast<curl_off_t>(request.body->size()));
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request.body->c_str());
  }
  if (!request.method.empty())
    curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, long(request.connect.count()));
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_header);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, &transfer);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer.detail);
}

// Why a transfer that curl has done is of no use; nullopt: it is good.
std::optional<ModelError> error_after(Transfer& transfer, const HttpRequest& request,
                                      CURLcode done) {
  const std::string where = origin_of(request.url);
  if (transfer.too_large)
    return ModelError{
        "protocol",
        where + (transfer.head_bytes > kMaxHead
                     ? " sent more than 256 kB of headers."
                     : " sent more than " + std::to_string(request.max_bytes >> 20) + " MB.")};
  if (!transfer.closed && done != CURLE_OK && !transfer.end_by)
    return error_of(done, request.url, transfer.detail);
  if (transfer.head.status < 300 || transfer.head.status >= 400) return std::nullopt;
  const std::string to = origin_of(transfer.head.headers["location"]);
  return ModelError{"protocol",
                    where + " redirects" + (to.empty() ? "" : " to " + to) +
                        "; redirects are not followed: set the endpoint to the final address."};
}

}  // namespace

void HttpClient::close() {
  if (multi_) curl_multi_cleanup(static_cast<CURLM*>(multi_));
  multi_ = nullptr;
}

// Decides: which line sends a request.
std::expected<HttpHead, HttpFailure> HttpClient::send(const HttpRequest& request,
                                                      const BodySink& sink,
                                                      const std::stop_token& stop) {
  start_curl();
  if (!multi_) {
    multi_ = curl_multi_init();
    if (multi_) curl_multi_setopt(static_cast<CURLM*>(multi_), CURLMOPT_MAXCONNECTS, 4L);
  }
  CURLM* multi = static_cast<CURLM*>(multi_);
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> easy(curl_easy_init(),
                                                                 curl_easy_cleanup);
  // Fails without descriptors or memory.
  if (!multi || !easy) {
    return std::unexpected(HttpFailure{
        {"network",
         "No connection can be made: there are too few descriptors or too little memory."},
        {},
        false});
  }
  curl_slist* list = nullptr;
  for (const std::string& header : request.headers) list = curl_slist_append(list, header.c_str());
  list = curl_slist_append(list, "Accept-Encoding:");
  const std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> headers(list,
                                                                            curl_slist_free_all);
  Transfer transfer;
  transfer.sink = &sink;
  transfer.max_bytes = request.max_bytes;
  transfer.last_alive = transfer.last_progress = Clock::now();
  set_common(easy.get(), request.url, needs_bundle_);
  set_options(easy.get(), request, list, transfer);

  CURLMcode state = curl_multi_add_handle(multi, easy.get());
  const std::stop_callback wake(stop, [multi] { curl_multi_wakeup(multi); });
  std::optional<CURLcode> done;
  std::optional<ModelError> ended;
  const std::string where = origin_of(request.url);
  while (!done && !ended) {
    int running = 0;
    if (state == CURLM_OK) state = curl_multi_perform(multi, &running);
    if (state != CURLM_OK) {
      ended = ModelError{"network", std::string("The connection to ") + where +
                                        " failed: " + curl_multi_strerror(state) + "."};
      break;
    }
    int left = 0;
    bool again = false;
    while (CURLMsg* message = curl_multi_info_read(multi, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      // The bundle may have what the folder lacks: people append to it.
      again = message->data.result == CURLE_PEER_FAILED_VERIFICATION && !needs_bundle_ &&
              set_trust(easy.get(), needs_bundle_ = true);
      if (!again) done = message->data.result;
    }
    if (done) break;
    if (again) {
      curl_multi_remove_handle(multi, easy.get());
      curl_multi_add_handle(multi, easy.get());
      continue;
    }
    const auto now = Clock::now();
    // Before the first event, a model may spend long on the prompt, sending keep-alives.
    const auto idle = transfer.bytes ? request.idle : request.first_byte;
    const auto progress =
        transfer.has_progress ? request.progress : std::max(request.progress, request.first_byte);
    const auto idle_end = transfer.last_alive + idle;
    const auto progress_end = transfer.last_progress + progress;
    if (stop.stop_requested()) {
      ended = ModelError{"cancelled", "Cancelled."};
    } else if (transfer.end_by && now >= *transfer.end_by) {
      done = CURLE_OK;
    } else if (now >= std::min(idle_end, progress_end) && transfer.end_by) {
      done = CURLE_OK;  // all is there, and nothing more comes
    } else if (now >= std::min(idle_end, progress_end)) {
      const auto limit = now >= idle_end ? idle : progress;
      ended = ModelError{"timeout", where + " made no progress for " +
                                        std::to_string(limit.count() / 1000) + " seconds."};
    } else {
      auto next = std::min(idle_end, progress_end);
      if (transfer.end_by) next = std::min(next, *transfer.end_by);
      state = curl_multi_poll(multi, nullptr, 0, milliseconds_until(next), nullptr);
    }
  }
  curl_multi_remove_handle(multi, easy.get());  // closes the connection if it is not at its end
  if (transfer.thrown) std::rethrow_exception(transfer.thrown);
  if (!ended || transfer.too_large) ended = error_after(transfer, request, done.value_or(CURLE_OK));
  if (ended) {
    ended->status = transfer.head.status;
    return std::unexpected(HttpFailure{*ended, transfer.head, transfer.bytes > 0});
  }
  return transfer.head;
}

std::vector<Fetched> fetch_all(const std::vector<Fetch>& fetches, milliseconds limit,
                               const std::stop_token& stop) {
  start_curl();
  struct Running {
    CURL* easy = nullptr;
    curl_slist* headers = nullptr;
    std::string body;
    int status = 0;
  };
  std::vector<Running> all(fetches.size());
  CURLM* multi = curl_multi_init();
  if (!multi) return std::vector<Fetched>(fetches.size());
  for (size_t i = 0; i < fetches.size(); ++i) {
    Running& one = all[i];
    one.easy = curl_easy_init();
    if (!one.easy) continue;
    set_common(one.easy, fetches[i].url, /*with_bundle=*/true);
    for (const std::string& header : fetches[i].headers)
      one.headers = curl_slist_append(one.headers, header.c_str());
    if (fetches[i].body) {
      one.headers = curl_slist_append(one.headers, "Content-Type: application/json");
      curl_easy_setopt(one.easy, CURLOPT_POSTFIELDS, fetches[i].body->c_str());
    }
    curl_easy_setopt(one.easy, CURLOPT_HTTPHEADER, one.headers);
    curl_easy_setopt(one.easy, CURLOPT_TIMEOUT_MS, long(limit.count()));
    curl_easy_setopt(one.easy, CURLOPT_PRIVATE, &one);
    curl_easy_setopt(one.easy, CURLOPT_WRITEDATA, &one);
    curl_easy_setopt(
        one.easy, CURLOPT_WRITEFUNCTION,
        +[](char* data, size_t size, size_t count, void* user) -> size_t {
          auto& to = *static_cast<Running*>(user);
          if (to.body.size() + size * count > (4 << 20)) return CURL_WRITEFUNC_ERROR;
          to.body.append(data, size * count);
          return size * count;
        });
    curl_multi_add_handle(multi, one.easy);
  }
  {
    const auto end = Clock::now() + limit;
    const std::stop_callback wake(stop, [multi] { curl_multi_wakeup(multi); });
    int running = 1;
    while (running > 0 && Clock::now() < end && !stop.stop_requested()) {
      curl_multi_perform(multi, &running);
      int left = 0;
      while (CURLMsg* message = curl_multi_info_read(multi, &left)) {
        if (message->msg != CURLMSG_DONE || message->data.result != CURLE_OK) continue;
        void* one = nullptr;
        long status = 0;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &one);
        curl_easy_getinfo(message->easy_handle, CURLINFO_RESPONSE_CODE, &status);
        static_cast<Running*>(one)->status = static_cast<int>(status);
      }
      if (running > 0) curl_multi_poll(multi, nullptr, 0, milliseconds_until(end), nullptr);
    }
  }
  std::vector<Fetched> bodies(all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    Running& one = all[i];
    curl_multi_remove_handle(multi, one.easy);
    curl_easy_cleanup(one.easy);
    curl_slist_free_all(one.headers);
    bodies[i].status = one.status;
    if (one.status == 200) bodies[i].emplace(std::move(one.body));
  }
  curl_multi_cleanup(multi);
  return bodies;
}

}  // namespace bodkin
