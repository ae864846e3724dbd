// What the way from a model's bytes to the editor costs: the SSE reader's speed, and the time from
// the send of an event by a server on loopback to its report as a delta.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "agent/models/http/sse.h"
#include "agent/models/providers/providers.h"

using namespace bodkin;
using Clock = std::chrono::steady_clock;

namespace {

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

const std::string kEvent =
    "data: {\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,"
    "\"delta\":{\"content\":\" word\"},\"finish_reason\":null}]}\n\n";

void sse_speed() {
  std::string stream;
  while (stream.size() < (64 << 20)) stream += kEvent;
  for (const size_t piece : {size_t{64}, size_t{1460}, size_t{16384}}) {
    SseReader reader;
    size_t events = 0;
    const auto begin = Clock::now();
    for (size_t i = 0; i < stream.size(); i += piece)
      reader.take(std::string_view(stream).substr(i, piece),
                  [&](std::string_view, std::string_view) { ++events; });
    const double ms = milliseconds_since(begin);
    std::printf("sse, pieces of %5zu bytes: %6.0f MB/s (%zu events)\n", piece,
                stream.size() / 1e6 / (ms / 1000), events);
  }
}

void say(int connection, const std::string& text) {
  const auto n = send(connection, text.data(), text.size(), MSG_NOSIGNAL);
  (void)n;
}

// One turn of `count` deltas, 2 ms apart; each is timed from its send to its report.
void delta_latency() {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(listener, reinterpret_cast<sockaddr*>(&address), size) || listen(listener, 1)) return;
  getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  constexpr int kCount = 500;
  std::atomic<Clock::rep> sent = 0;
  Clock::time_point asked, ended;
  std::jthread server([&] {
    const int connection = accept(listener, nullptr, nullptr);
    const int on = 1;
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    std::string head;
    for (char c; head.find("\r\n\r\n") == head.npos && read(connection, &c, 1) == 1;) head += c;
    asked = Clock::now();
    say(connection,
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n");
    for (int i = 0; i < kCount; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      sent = Clock::now().time_since_epoch().count();
      say(connection, kEvent);
    }
    ended = Clock::now();
    say(connection,
        "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
        "data: [DONE]\n\n");
    shutdown(connection, SHUT_WR);
    char c;
    while (read(connection, &c, 1) > 0) {
    }
    close(connection);
  });
  ModelSettings settings;
  settings.provider = "openai-compatible";
  settings.name = "m";
  settings.own.endpoint = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "/v1";
  settings.asks_server = false;
  const auto model = make_model(settings);
  if (!model) return;
  ModelRequest request;
  request.messages.push_back({Message::Role::user, {TextBlock{"x"}}});
  std::vector<double> times;
  const auto begin = Clock::now();
  const auto reply = (*model)->respond(
      request,
      {{}, [&](const Progress&) {
         times.push_back(milliseconds_since(Clock::time_point(Clock::duration(sent.load()))));
       }});
  const auto end = Clock::now();
  server.join();
  close(listener);
  if (!reply || times.empty()) {
    std::printf("the turn failed: %s\n", reply ? "no deltas" : reply.error().message.c_str());
    return;
  }
  std::printf("first delta: %.3f ms after its send\n", times.front());
  std::ranges::sort(times);
  std::printf("deltas: median %.3f ms, p99 %.3f ms, worst %.3f ms (%zu)\n", times[times.size() / 2],
              times[times.size() * 99 / 100], times.back(), times.size());
  const auto ms = [](auto d) { return std::chrono::duration<double, std::milli>(d).count(); };
  std::printf("a turn besides the model: %.3f ms\n", ms(asked - begin) + ms(end - ended));
}

}  // namespace

int main() {
  sse_speed();
  delta_latency();
}
