#include "agent/rpc/message.h"

#include <doctest/doctest.h>

#include <vector>

namespace bodkin::rpc {
namespace {

struct Read {
  std::vector<std::string> bodies, problems;
};

Read read_all(const std::string& bytes, size_t step, Framing framing = Framing::content_length) {
  FrameReader reader(framing);
  Read result;
  for (size_t at = 0; at < bytes.size(); at += step) {
    reader.feed(std::string_view(bytes).substr(at, step));
    while (const auto frame = reader.next()) {
      (frame->problem.empty() ? result.bodies : result.problems)
          .push_back(frame->problem.empty() ? frame->body : frame->problem);
    }
  }
  return result;
}

TEST_CASE("messages are found however the bytes are cut") {
  const std::string bytes = frame("{}") + frame("") + frame(std::string(70000, 'x')) +
                            "content-TYPE: text\r\nCONTENT-length:  3 \r\n\r\nabc" +
                            "Content-Length: 1\n\nz";
  for (const size_t step : {1, 2, 3, 7, 4096, 1000000}) {
    const Read read = read_all(bytes, step);
    CHECK(read.problems.empty());
    CHECK(read.bodies == std::vector<std::string>{"{}", "", std::string(70000, 'x'), "abc", "z"});
  }
}

TEST_CASE("garbage is reported once and the next message is found") {
  const std::string garbage[] = {"hello\r\n",
                                 "\x01\x02\xff\r\n\r\n",
                                 "Content-Length: x\r\n\r\n",
                                 "Content-Length: -1\r\n\r\n",
                                 "{\"id\":1}\n",
                                 std::string(9000, 'a') + "\n",
                                 "Content-Length: 99999999999999999999999\r\n\r\n"};
  for (const std::string& bad : garbage) {
    CAPTURE(bad);
    const Read read = read_all(bad + frame("ok"), 5);
    CHECK(read.problems.size() == 1);
    CHECK(read.bodies == std::vector<std::string>{"ok"});
  }
}

TEST_CASE("a body above the cap is skipped and not stored") {
  FrameReader reader;
  reader.feed("Content-Length: " + std::to_string(kMaxBody + 5) + "\r\n\r\n");
  const auto refused = reader.next();
  REQUIRE(refused);
  CHECK(!refused->problem.empty());
  const std::string chunk(1 << 20, ' ');
  for (size_t i = 0; i < kMaxBody >> 20; ++i) reader.feed(chunk);
  CHECK(!reader.next());
  reader.feed("12345" + frame("next"));
  const auto next = reader.next();
  REQUIRE(next);
  CHECK(next->body == "next");
}

TEST_CASE("a message that there is no memory for is skipped, and the next one is read") {
  FrameReader reader;
  reader.feed("Content-Length: 10\r\n\r\n12345");
  CHECK(!reader.next());
  CHECK(!reader.skip_message().problem.empty());
  reader.feed("67890" + frame("next"));
  const auto next = reader.next();
  REQUIRE(next);
  CHECK(next->body == "next");
}

TEST_CASE("a line is a message, however the bytes are cut") {
  const std::string nul("\0x\xff", 3);
  const std::string bytes = frame("{}", Framing::lines) + "\r\n \t\n\n{\"a\":1}\r\n" + nul + "\n" +
                            frame(std::string(70000, 'x'), Framing::lines) + "cut";
  for (const size_t step : {1, 2, 3, 7, 4096, 1000000}) {
    const Read read = read_all(bytes, step, Framing::lines);
    CHECK(read.problems.empty());
    CHECK(read.bodies == std::vector<std::string>{"{}", "{\"a\":1}", nul, std::string(70000, 'x')});
  }
}

TEST_CASE("a line above the cap is skipped and not stored, also in one piece") {
  for (const size_t step : {1000, 300, 1}) {
    CAPTURE(step);
    FrameReader reader(Framing::lines, 100);
    std::vector<std::string> bodies;
    size_t problems = 0;
    const std::string bytes =
        std::string(100, 'a') + "\n" + std::string(899, 'b') + "\nnext\n" + std::string(500, 'c');
    for (size_t at = 0; at < bytes.size(); at += step) {
      reader.take(std::string_view(bytes).substr(at, step), [&](const Frame& frame) {
        frame.problem.empty() ? bodies.push_back(frame.body) : void(++problems);
      });
    }
    CHECK(bodies == std::vector<std::string>{std::string(100, 'a'), "next"});
    CHECK(problems == 2);
    reader.take("\nlast\n", [&](const Frame& frame) { bodies.push_back(frame.body); });
    CHECK(bodies.back() == "last");
  }
}

TEST_CASE("the end of a line does not count for its length") {
  for (const size_t step : {1, 200}) {
    FrameReader reader(Framing::lines, 100);
    std::vector<std::string> bodies;
    const std::string bytes = std::string(100, 'a') + "\r\n" + std::string(101, 'b') + "\r\n";
    for (size_t at = 0; at < bytes.size(); at += step) {
      reader.take(std::string_view(bytes).substr(at, step),
                  [&](const Frame& frame) { bodies.push_back(frame.body); });
    }
    CHECK(bodies == std::vector<std::string>{std::string(100, 'a'), ""});
  }
}

TEST_CASE("a line that there is no memory for is skipped, and the next one is read") {
  FrameReader reader(Framing::lines);
  reader.feed("12345");
  CHECK(!reader.next());
  CHECK(!reader.skip_message().problem.empty());
  reader.feed("67890\nnext\nlast\n");
  CHECK(reader.next()->body == "next");
  CHECK(!reader.skip_message().problem.empty());
  CHECK(!reader.next());
}

TEST_CASE("headers without an end are neither kept nor waited for") {
  FrameReader reader;
  size_t problems = 0;
  const auto received = [&](const Frame& frame) { problems += frame.problem.empty() ? 0 : 1; };
  for (int i = 0; i < 10'000; ++i) reader.take("X-More: of them\r\n", received);
  CHECK(problems == 0);
  for (int i = 0; i < 10'000; ++i) reader.take("no end of this line", received);
  CHECK(problems == 1);
}

}  // namespace
}  // namespace bodkin::rpc
