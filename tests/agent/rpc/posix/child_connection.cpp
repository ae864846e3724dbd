#include "agent/rpc/child_connection.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "agent/rpc/lsp_structs.h"
#include "agent/rpc/uri.h"
#include "agent/support/program.h"
#include "agent/support/temporary_folder.h"

namespace bodkin::rpc {
namespace {

using namespace std::chrono_literals;

constexpr auto kLate = 60s;   // longer than any test may take
constexpr auto kSoon = 50ms;  // for what never comes

std::unique_ptr<Child> start(std::vector<std::string> arguments, std::string name) {
  Command command;
  command.arguments = std::move(arguments);
  command.name = std::move(name);
  command.environment = environment_for(Variables::basic, {}, {});
  auto child = Child::start(command);
  REQUIRE(child);
  return *std::move(child);
}

// What the scripts below have: messages in either framing.
constexpr char kServer[] = R"(
import sys, json
lines = sys.argv[1] == "lines"
def read():
    if lines:
        body = sys.stdin.buffer.readline()
    else:
        size = 0
        while True:
            header = sys.stdin.buffer.readline().strip()
            if not header: break
            size = int(header.split(b":")[1])
        body = sys.stdin.buffer.read(size)
    if not body: sys.exit(0)
    return json.loads(body)
def write(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
def frame(body):
    return body + b"\n" if lines else b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
def send(**message):
    write(frame(json.dumps(message).encode()))
)";

std::unique_ptr<Child> serve(const Protocol& protocol, const std::string& script) {
  return start({"python3", "-c", kServer + script,
                protocol.framing == Framing::lines ? "lines" : "content-length"},
               "the server");
}

// Answers everything with its params.
constexpr char kEcho[] = R"(
while True:
    m = read()
    if "id" in m: send(id=m["id"], result=m["params"])
)";

void in_both_framings(const std::string& script,
                      const std::function<void(ChildConnection&)>& test) {
  for (const Protocol& protocol : {kLsp, kMcp}) {
    CAPTURE(protocol.cancel);
    ChildConnection server(serve(protocol, script), protocol);
    test(server);
  }
}

TEST_CASE("a request gets its result, of any size") {
  in_both_framings(kEcho, [](ChildConnection& server) {
    for (const size_t size : {0, 1, 70'000, 3'000'000}) {
      const Json params = {{"text", std::string(size, 'x')}, {"end", "line\nend"}};
      const auto result = server.request("echo", params, {}, kLate);
      REQUIRE(result);
      CHECK(*result == params);
    }
    REQUIRE(server.notify("told", std::string(1'000'000, 'x'), {}, kLate));
    CHECK(server.stop(kLate) == 0);
    CHECK(!server.request("echo", 1, {}, kLate));
    CHECK(!server.notify("told", 1, {}, kLate));
  });
}

TEST_CASE("a refusal is a sentence, and its code and data can be read") {
  constexpr char kScript[] = R"(
m = read()
send(id=m["id"], error={"code": -32022, "message": "no\x1b such version" + 5000 * "\u00e4", "data": {"supported": ["a"]}})
m = read()
send(id=m["id"], error="odd")
m = read()
send(id=m["id"], result=1)
read()
)";
  in_both_framings(kScript, [](ChildConnection& server) {
    const auto refused = server.request("initialize", Json::object(), {}, kLate);
    REQUIRE(!refused);
    CHECK(refused.error().code == Error::Code::unavailable);
    CHECK(refused.error().message.starts_with("no^[ such version"));
    CHECK(refused.error().message.size() < 1100);
    CHECK(server.last_error()["code"] == -32022);
    CHECK(server.last_error()["data"]["supported"][0] == "a");
    const auto odd = server.request("initialize", Json::object(), {}, kLate);
    REQUIRE(!odd);
    CHECK(odd.error().message == "the server refused.");
    CHECK(server.request("initialize", Json::object(), {}, kLate));
    CHECK(server.last_error().is_null());
  });
}

TEST_CASE("garbage, batches, deep nesting and answers that nobody waits for are passed over") {
  constexpr char kScript[] = R"(
m = read()
i = m["id"]
send(id=i + 1000, result="other")
send(id=str(i), result="other")
send(id=None, error={"code": -32700, "message": "who?"})
send(id=i)
write(frame(b"[" + json.dumps({"id": i, "result": "batch"}).encode() + b"]"))
write(frame(100000 * b"[" + 100000 * b"]"))
write(frame(b"\x00\xff\xfe{}"))
write(frame(b'{"id": 1, "result": "\xff"}'))
write(b"Starting the server ...\n\n")
if not lines: write(b"Content-Length: -5\r\n\r\nContent-Length: 1e3\r\n\r\n\x00\r\n")
send(id=i, result="right")
m = read()
send(id=m["id"], result=m["method"])
)";
  in_both_framings(kScript, [](ChildConnection& server) {
    const auto result = server.request("first", Json::object(), {}, kLate);
    REQUIRE(result);
    CHECK(*result == "right");
    // It was told nothing of it: the next that it reads is our request.
    CHECK(server.request("second", Json::object(), {}, kLate).value_or("") == "second");
  });
}

TEST_CASE("a message that is too long is left out, and the next one is read") {
  constexpr char kScript[] = R"(
m = read()
write(frame(65 * 2**20 * b"x"))
send(id=m["id"], result=1)
read()
)";
  in_both_framings(kScript, [](ChildConnection& server) {
    CHECK(server.request("first", Json::object(), {}, kLate).value_or(0) == 1);
    CHECK(server.child().errors() == "A message is larger than 64 MB; it was skipped.\n");
  });
}

TEST_CASE("what the server asks and tells by itself is handled while we wait") {
  constexpr char kScript[] = R"(
m = read()
send(method="told", params=[1])
send(id="own", method="roots/list", params={})
send(id=m["id"], method="unknown")
answers = {}
for _ in range(2):
    a = read()
    answers[str(a["id"])] = a.get("result") or a["error"]["code"]
send(id=m["id"], result=[m["id"], answers])
read()
)";
  in_both_framings(kScript, [](ChildConnection& server) {
    std::vector<Json> told;
    server.handlers().on_notification("told", [&](const Json& params) { told.push_back(params); });
    server.handlers().on_request("roots/list",
                                 [](const Json&, Reply reply) { reply.result("roots"); });
    const auto result = server.request("first", Json::object(), {}, kLate);
    REQUIRE(result);
    CHECK(told == std::vector<Json>{{1}});
    CHECK((*result)[1]["own"] == "roots");
    CHECK((*result)[1][(*result)[0].dump()] == -32601);
  });
}

TEST_CASE("a request that is given up is taken back, and its late answer is dropped") {
  constexpr char kScript[] = R"(
first = read()
cancel = read()
m = read()
send(id=first["id"], result="late")
send(id=m["id"], result=[first["id"], cancel])
read()
)";
  for (const Protocol& protocol : {kLsp, kMcp}) {
    for (const bool is_stopped : {false, true}) {
      CAPTURE(is_stopped);
      ChildConnection server(serve(protocol, kScript), protocol);
      std::stop_source stop;
      std::jthread other([&] {
        if (is_stopped) stop.request_stop();
      });
      const auto none =
          server.request("slow", Json::object(), stop.get_token(), is_stopped ? kLate : kSoon);
      REQUIRE(!none);
      CHECK(none.error().message ==
            (is_stopped ? "Cancelled." : "the server did not answer slow within 0.05 s."));
      const auto result = server.request("next", Json::object(), {}, kLate);
      REQUIRE(result);
      CHECK((*result)[1]["method"] == protocol.cancel);
      CHECK((*result)[1]["params"][protocol.cancel_id] == (*result)[0]);
    }
  }
}

TEST_CASE("a server that dies in the middle of an answer is said to, with its last words") {
  constexpr char kScript[] = R"(
m = read()
write(frame(json.dumps({"id": m["id"], "result": 1}).encode())[:-9])
sys.exit("no database")
)";
  in_both_framings(kScript, [](ChildConnection& server) {
    const auto none = server.request("first", Json::object(), {}, kLate);
    REQUIRE(!none);
    CHECK(none.error().code == Error::Code::unavailable);
    CHECK(none.error().message == "the server ended with exit code 1. It wrote: no database");
    CHECK(server.request("second", Json::object(), {}, kLate).error().message ==
          none.error().message);
    CHECK(server.notify("third", Json::object(), {}, kLate).error().message ==
          none.error().message);
  });
}

TEST_CASE("a server that writes without end and answers nothing costs the time that it was given") {
  for (const char* flood :
       {"send(method='told', params=[])", "write(b'x')", "write(b'x' * 4096)", "write(b'\\n')",
        "write(b'A: b\\r\\n')", "sys.stderr.write('x' * 99)"}) {
    CAPTURE(flood);
    in_both_framings("read()\nwhile True: " + std::string(flood), [](ChildConnection& server) {
      const auto none = server.request("first", Json::object(), {}, 200ms);
      REQUIRE(!none);
      CHECK(none.error().message.starts_with("the server did not answer first within 0.2 s."));
      CHECK(server.child().errors().size() <= 8192);
    });
  }
}

TEST_CASE("a server that does not read is noticed, also when it asks without end") {
  ChildConnection deaf(start({"sleep", "1000"}, "sleep"), kMcp);
  const auto none = deaf.notify("told", std::string(1'000'000, 'x'), {}, kSoon);
  REQUIRE(!none);
  CHECK(none.error().message == "sleep did not read told within 0.05 s.");
  in_both_framings("while True: send(id=1, method='ask')", [](ChildConnection& server) {
    server.handlers().on_request(
        "ask", [](const Json&, Reply reply) { reply.result(std::string(1 << 20, 'x')); });
    const auto flooded = server.request("first", Json::object(), {}, kLate);
    REQUIRE(!flooded);
    CHECK(flooded.error().message == "the server has stopped reading its input.");
  });
}

TEST_CASE("who waits for a notification is released by it, by the time, or by the server's end") {
  constexpr char kScript[] = "read()\nsend(method='told', params=7)\nread()\nsys.exit(3)\n";
  in_both_framings(kScript, [](ChildConnection& server) {
    Json told;
    server.handlers().on_notification("told", [&](const Json& params) { told = params; });
    CHECK(server.wait_until([] { return false; }, {}, kSoon) == false);
    REQUIRE(server.notify("go", Json::object(), {}, kLate));
    CHECK(server.wait_until([&] { return told == 7; }, {}, kLate) == true);
    REQUIRE(server.notify("go", Json::object(), {}, kLate));
    const auto over = server.wait_until([] { return false; }, {}, kLate);
    REQUIRE(!over);
    CHECK(over.error().message == "the server ended with exit code 3.");
  });
}

TEST_CASE("a handler that throws fails the wait and nothing else") {
  constexpr char kScript[] = R"(
m = read()
send(method="told")
cancel = read()
m = read()
send(id=m["id"], result=cancel["method"])
read()
)";
  in_both_framings(kScript, [](ChildConnection& server) {
    server.handlers().on_notification("told", [](const Json&) { throw std::bad_alloc(); });
    const auto failed = server.request("first", Json::object(), {}, kLate);
    REQUIRE(!failed);
    CHECK(failed.error().code == Error::Code::internal);
    CHECK(server.request("second", Json::object(), {}, kLate));
  });
}

TEST_CASE("clangd tells what is wrong with a file, and ends in order") {
  const TemporaryFolder folder = *TemporaryFolder::make(TemporaryFolder::Where::disk);
  const std::string file = folder.path() + "/bad.cpp";
  const std::string text = "int main() {\n  return nothing;\n}\n";
  std::ofstream(file) << text;
  ChildConnection clangd(start({"clangd", "--background-index=false"}, "clangd"), kLsp);
  std::vector<PublishDiagnosticsParams> published;
  clangd.handlers().on_notification("textDocument/publishDiagnostics", [&](const Json& params) {
    if (auto given = decode<PublishDiagnosticsParams>(params)) published.push_back(*given);
  });
  const auto ready = clangd.request("initialize",
                                    {{"processId", ::getpid()},
                                     {"rootUri", uri_of_path(folder.path())},
                                     {"capabilities", Json::object()}},
                                    {}, kLate);
  REQUIRE(ready);
  CHECK(ready->contains("capabilities"));
  REQUIRE(clangd.notify("initialized", Json::object(), {}, kLate));
  const TextDocumentItem item{uri_of_path(file), "cpp", text, 1};
  REQUIRE(clangd.notify("textDocument/didOpen", {{"textDocument", item}}, {}, kLate));
  CHECK(clangd.wait_until([&] { return !published.empty(); }, {}, kLate) == true);
  REQUIRE(!published.empty());
  CHECK(published[0].uri == item.uri);
  REQUIRE(published[0].diagnostics.size() == 1);
  CHECK(published[0].diagnostics[0].range == Range{{1, 9}, {1, 16}});
  CHECK(published[0].diagnostics[0].severity == 1);
  CHECK(clangd.request("no/such", Json::object(), {}, kLate).error().code ==
        Error::Code::unavailable);
  CHECK(clangd.last_error()["code"] == -32601);
  REQUIRE(clangd.request("shutdown", nullptr, {}, kLate));
  REQUIRE(clangd.notify("exit", nullptr, {}, kLate));
  CHECK(clangd.stop(kLate) == 0);
}

}  // namespace
}  // namespace bodkin::rpc
