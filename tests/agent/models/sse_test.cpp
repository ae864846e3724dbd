#include "agent/models/http/sse.h"

#include <doctest/doctest.h>

#include <vector>

using namespace bodkin;

namespace {

using Events = std::vector<std::pair<std::string, std::string>>;

Events read(std::string_view stream, size_t piece) {
  SseReader reader;
  Events events;
  const auto sink = [&](std::string_view event, std::string_view data) {
    events.emplace_back(event, data);
  };
  for (size_t i = 0; i < stream.size(); i += piece)
    REQUIRE(reader.take(stream.substr(i, piece), sink));
  reader.finish(sink);
  return events;
}

}  // namespace

TEST_CASE("an event stream means the same however it is cut") {
  const std::string_view stream =
      "\xEF\xBB\xBF: hello\r\rdata:a\ndata: b\r\nid: 1\r\nretry: 5\n\nevent: x\rdata:  "
      "c\r\rdata\n\n"
      "event: none\n\n:\ndata: {\"é\":1}   \r\n\r\n";
  const Events wanted = {{"", "a\nb"}, {"x", " c"}, {"", ""}, {"", "{\"é\":1}   "}};
  for (size_t piece = 1; piece <= stream.size(); ++piece) CHECK(read(stream, piece) == wanted);
}

TEST_CASE("the last event of a stream needs no empty line") {
  CHECK(read("data: a", 3) == Events{{"", "a"}});
}

TEST_CASE("an event larger than the limit is refused, in one line and in many") {
  SseReader one(100), many(100);
  const auto sink = [](std::string_view, std::string_view) {};
  CHECK_FALSE(one.take("data: " + std::string(200, 'x'), sink));
  bool fits = true;
  for (int i = 0; i < 50 && fits; ++i) fits = many.take("data: 12345\n", sink);
  CHECK_FALSE(fits);
}

TEST_CASE("lines that are no fields are kept apart") {
  SseReader reader;
  const auto sink = [](std::string_view, std::string_view) {};
  reader.take("{\n  \"error\": {\"message\": \"busy\"}\n}\n", sink);
  CHECK(reader.stray() == "{\n  \"error\": {\"message\": \"busy\"}\n}\n");
}
