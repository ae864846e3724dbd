#include "agent/platform/windows/local_pipes.h"

#include <doctest/doctest.h>

#include <string>

#include "agent/platform/file_descriptor.h"
#include "agent/platform/polling.h"
#include "agent/platform/processes.h"

using namespace bodkin;

namespace {

bool becomes_ready(int number, short events) {
  os::PollEntry entry{number, events, 0};
  return os::poll(&entry, 1, 10'000) == 1;
}

}  // namespace

TEST_CASE("local pipes: each who connects gets a connection of its own, both ways") {
  const std::string name = "bodkin-test-" + std::to_string(os::getpid());
  CHECK(os::connect_to_local(name) == -1);
  CHECK(errno == ENOENT);
  {
    const FileDescriptor listening(os::listen_at(name));
    REQUIRE(listening);
    // Nobody else takes the name; Wine does not know that flag.
    if (os::system_name().version != "wine") CHECK(os::listen_at(name) == -1);
    CHECK(os::accept_connection(listening.number()) == -1);
    CHECK(errno == EAGAIN);
    for (const std::string word : {"one", "two"}) {
      const FileDescriptor client(os::connect_to_local(name));
      REQUIRE(client);
      REQUIRE(becomes_ready(listening.number(), POLLIN));
      const FileDescriptor server(os::accept_connection(listening.number()));
      REQUIRE(server);
      char buffer[10];
      for (const auto& [from, to] : {std::pair{&client, &server}, std::pair{&server, &client}}) {
        CHECK(os::write(from->number(), word.data(), word.size()) == 3);
        REQUIRE(becomes_ready(to->number(), POLLIN));
        CHECK(os::read(to->number(), buffer, sizeof buffer) == 3);
        CHECK(std::string_view(buffer, 3) == word);
      }
      CHECK(os::read(server.number(), buffer, sizeof buffer) == -1);
      CHECK(errno == EAGAIN);
    }
  }
  CHECK(os::connect_to_local(name) == -1);
}
