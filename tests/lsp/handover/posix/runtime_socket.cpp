#include "lsp/handover/runtime_socket.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <thread>

#include "agent/support/temporary_folder.h"

namespace bodkin::handover {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

struct OwnRuntime {  // a runtime folder of the test's own
  const TemporaryFolder folder = *TemporaryFolder::make(TemporaryFolder::Where::disk);
  OwnRuntime() { ::setenv("XDG_RUNTIME_DIR", folder.path().c_str(), 1); }
  ~OwnRuntime() { ::unsetenv("XDG_RUNTIME_DIR"); }
};

FileDescriptor connected(const std::string& path) {
  auto connection = connect_to(path);
  REQUIRE(connection);
  REQUIRE(*connection);
  return **std::move(connection);
}

}  // namespace

TEST_CASE("a socket is found by its root, private, and gone with its owner") {
  const OwnRuntime runtime;
  CHECK(sockets_of("/one").empty());
  {
    const auto socket = ListeningSocket::open("/one");
    REQUIRE(socket);
    const auto paths = sockets_of("/one");
    REQUIRE(paths.size() == 1);
    CHECK(sockets_of("/two").empty());
    CHECK(sockets_of("/").empty());
    CHECK(sockets_of("/one/below/it") == paths);
    CHECK(fs::status(paths[0]).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
    const FileDescriptor client = connected(paths[0]);
    const FileDescriptor server = socket->accept();
    REQUIRE(server);
    REQUIRE(write_line(client, "hello", 10s, {}));
    CHECK(read_line(server, 10s, {}) == "hello");
    CHECK(socket->accept().number() < 0);
    CHECK_FALSE(read_line(server, 0s, {}));
    const auto below = ListeningSocket::open("/one/below");
    CHECK(sockets_of("/one/below/it").size() == 1);  // of one process
    ::chmod(paths[0].c_str(), 0660);
    CHECK_FALSE(connect_to(paths[0]));
  }
  CHECK(sockets_of("/one").empty());
}

TEST_CASE("there is no socket where others can enter, or without a runtime folder") {
  const OwnRuntime runtime;
  ::chmod(runtime.folder.path().c_str(), 0755);
  CHECK_FALSE(ListeningSocket::open("/one"));
  ::chmod(runtime.folder.path().c_str(), 0700);
  fs::create_directory(runtime.folder.path() + "/elsewhere");
  fs::create_symlink("elsewhere", runtime.folder.path() + "/bodkin");
  CHECK_FALSE(ListeningSocket::open("/one"));
  for (const char* wrong : {"", "relative", "/none"}) {
    ::setenv("XDG_RUNTIME_DIR", wrong, 1);
    CHECK_FALSE(ListeningSocket::open("/one"));
    CHECK(sockets_of("/one").empty());
  }
}

TEST_CASE("a line that is too long, late, or cut off is none") {
  const OwnRuntime runtime;
  const auto socket = ListeningSocket::open("/one");
  REQUIRE(socket);
  const std::string path = sockets_of("/one").at(0);
  const FileDescriptor client = connected(path);
  const FileDescriptor server = socket->accept();
  {
    const std::jthread writer(
        [&] { (void)write_line(client, std::string(kMaxBytes + 1, 'x'), 10s, {}); });
    const auto line = read_line(server, 60s, {});
    REQUIRE_FALSE(line);
    CHECK(line.error().code == Error::Code::unavailable);
  }
  {
    const FileDescriptor other = connected(path);
    std::stop_source stop;
    stop.request_stop();
    CHECK(read_line(other, 60s, stop.get_token()).error().code == Error::Code::cancelled);
    CHECK_FALSE(read_line(other, 1ms, {}));
  }
  const FileDescriptor cut = socket->accept();  // the one that has ended
  CHECK_FALSE(read_line(cut, 10s, {}));
}

}  // namespace bodkin::handover
