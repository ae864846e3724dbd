// The HTTP client against a server of its own on loopback.
#include "agent/models/http/http.h"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <thread>

#include "agent/models/providers/providers.h"
#include "agent/support/url.h"

using namespace bodkin;
using namespace std::chrono_literals;

namespace {

// Accepts one connection, reads the request's head, and lets `talk` have the socket.
class Server {
 public:
  explicit Server(std::function<void(int)> talk) {
    listener_ = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    REQUIRE(bind(listener_, reinterpret_cast<sockaddr*>(&address), size) == 0);
    REQUIRE(listen(listener_, 1) == 0);
    getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    url = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
    thread_ = std::jthread([this, talk = std::move(talk)] {
      const int connection = accept(listener_, nullptr, nullptr);
      std::string head;
      for (char c; head.find("\r\n\r\n") == head.npos && read(connection, &c, 1) == 1;) head += c;
      talk(connection);
      close(connection);
    });
  }
  ~Server() {
    thread_.join();
    close(listener_);
  }
  std::string url;

 private:
  int listener_;
  std::jthread thread_;
};

void say(int connection, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::send(connection, text.data(), text.size(), MSG_NOSIGNAL);
    if (n <= 0) return;
    text.remove_prefix(n);
  }
}

// Waits until the other side closes.
bool was_closed(int connection) {
  char c;
  ssize_t n;
  while ((n = recv(connection, &c, 1, 0)) > 0) {
  }
  return n == 0 || errno == ECONNRESET;
}

constexpr const char kChunkedHead[] =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

}  // namespace

TEST_CASE("a stop closes the connection of a stream that goes on") {
  std::atomic<bool> closed = false;
  Server server([&](int connection) {
    say(connection, std::string(kChunkedHead) + "5\r\nhello\r\n");
    closed = was_closed(connection);
  });
  HttpClient client;
  std::stop_source stop;
  HttpRequest request;
  request.url = server.url;
  const auto head = client.send(
      request,
      [&](const HttpHead&, std::string_view) {
        stop.request_stop();
        return SinkResult{};
      },
      stop.get_token());
  REQUIRE(!head.has_value());
  CHECK(head.error().error.kind == "cancelled");
  CHECK(head.error().had_bytes);
  // ~Server waits for the close.
}

TEST_CASE("a stop from another thread ends a request that nobody answers") {
  std::atomic<bool> asked = false;
  Server server([&](int connection) {
    asked = true;
    asked.notify_all();
    was_closed(connection);
  });
  HttpClient client;
  HttpRequest request;
  request.url = server.url;
  std::jthread client_thread([&](std::stop_token stop) {
    const auto head = client.send(
        request, [](const HttpHead&, std::string_view) { return SinkResult{}; }, stop);
    REQUIRE(!head.has_value());
    CHECK(head.error().error.kind == "cancelled");
  });
  asked.wait(false);
  client_thread.request_stop();
  client_thread.join();
}

TEST_CASE("a body larger than the limit ends in an error and a close") {
  Server server([](int connection) {
    say(connection, "HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n");
    const std::string block(1 << 16, 'x');
    for (int i = 0; i < 100; ++i) say(connection, block);
  });
  HttpClient client;
  HttpRequest request;
  request.url = server.url;
  request.max_bytes = 1 << 20;
  const auto head =
      client.send(request, [](const HttpHead&, std::string_view) { return SinkResult{}; }, {});
  REQUIRE(!head.has_value());
  CHECK(head.error().error.kind == "protocol");
}

TEST_CASE("keep-alives are no progress") {
  Server server([](int connection) {
    say(connection, kChunkedHead);
    while (::send(connection, "2\r\n:\n\r\n", 7, MSG_NOSIGNAL) > 0)
      std::this_thread::sleep_for(2ms);
  });
  HttpClient client;
  HttpRequest request;
  request.url = server.url;
  request.progress = request.first_byte = 60ms;
  const auto head = client.send(
      request, [](const HttpHead&, std::string_view) { return SinkResult{.progress = false}; }, {});
  REQUIRE(!head.has_value());
  CHECK(head.error().error.kind == "timeout");
}

TEST_CASE("a port that nobody listens on is a network error that says what to check") {
  HttpClient client;
  HttpRequest request;
  request.url = "http://127.0.0.1:1";
  const auto head =
      client.send(request, [](const HttpHead&, std::string_view) { return SinkResult{}; }, {});
  REQUIRE(!head.has_value());
  CHECK(head.error().error.kind == "network");
  CHECK(head.error().error.message.find("is the server running?") != std::string::npos);
}

TEST_CASE("a proxy that nobody listens on is named, and not taken for the server") {
  for (const char* name : {"http_proxy", "https_proxy", "no_proxy", "NO_PROXY"}) ::unsetenv(name);
  HttpClient client;
  HttpRequest request;
  for (const std::string scheme : {"http", "https"}) {
    CAPTURE(scheme);
    const std::string variable = scheme == "http" ? "HTTP_PROXY" : "HTTPS_PROXY";
    ::setenv(variable.c_str(), "http://127.0.0.1:1", 1);
    request.url = scheme + "://127.0.0.1.test/v1";
    const auto head =
        client.send(request, [](const HttpHead&, std::string_view) { return SinkResult{}; }, {});
    ::unsetenv(variable.c_str());
    REQUIRE(!head.has_value());
    CHECK(head.error().error.message ==
          "Cannot connect to the proxy 127.0.0.1:1 on the way to " + scheme +
              "://127.0.0.1.test: check HTTPS_PROXY, HTTP_PROXY and ALL_PROXY.");
  }
}

TEST_CASE("what is shown of a URL has no user, path or query") {
  CHECK(origin_of("https://me:secret@host:8/v1?key=secret") == "https://host:8");
  CHECK(is_loopback("http://[::1]:3/x"));
  CHECK(is_loopback("http://localhost/x"));
  CHECK(is_loopback("http://LOCALHOST:1"));
  CHECK(is_loopback("http://127.1/"));
  CHECK(is_loopback("http://2130706433/"));
  for (const char* other :
       {"http://127.0.0.1.example.com/", "http://localhost@evil.example/", "http://localhost.",
        "http://127.0.0.1:1@evil.example/", "http://[::2]/", "http://128.0.0.1/", "localhost", "",
        "http://localhost.evil.example/", "http://evil.example/?http://localhost"}) {
    CAPTURE(other);
    CHECK_FALSE(is_loopback(other));
  }
  CHECK(origin_of("https://HOST.example:443/x") == "https://host.example");
}

TEST_CASE("a provider without a key, a name or an address says what to do") {
  const auto message = [](ModelSettings settings) {
    const auto model = make_model(settings);
    return model ? "made" : model.error().message;
  };
  CHECK(message({.provider = "nonsense"}).find("use one of auto, anthropic") != std::string::npos);
  CHECK(message({.provider = "azure"}).find("model.endpoint") != std::string::npos);
  CHECK(message({.provider = "editor"}).find("does not provide models") != std::string::npos);
  CHECK(message({.provider = "openai", .own = {.api_key_env = "BODKIN_TEST_NOT_SET"}})
            .find("BODKIN_TEST_NOT_SET") != std::string::npos);
  CHECK(message({.provider = "openai", .own = {.api_key_command = {"false"}}}).find("failed") !=
        std::string::npos);
  CHECK(message({.provider = "openai", .own = {.api_key_command = {"echo", "sk-test"}}}) == "made");
}
