#include "agent/platform/windows/local_pipes.h"

#include <doctest/doctest.h>

#include <string>

#include "agent/platform/file_descriptor.h"
#include "agent/platform/polling.h"
#include "agent/platform/processes.h"
#include "agent/platform/windows/descriptors.h"

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

// Every write of nothing was the end of what is said. Wine drops such a write.
TEST_CASE("local pipes: what is written as nothing is no end") {
  const std::string name = "bodkin-test-nothing-" + std::to_string(os::getpid());
  const FileDescriptor listening(os::listen_at(name)), client(os::connect_to_local(name));
  REQUIRE(client);
  REQUIRE(becomes_ready(listening.number(), POLLIN));
  const FileDescriptor server(os::accept_connection(listening.number()));
  REQUIRE(server);
  for (const std::string word : {"", "", "abc"})
    CHECK(os::write(client.number(), word.data(), word.size()) ==
          static_cast<ssize_t>(word.size()));
  char buffer[10];
  ssize_t count = 0;
  do {
    REQUIRE(becomes_ready(server.number(), POLLIN));
    count = os::read(server.number(), buffer, sizeof buffer);
  } while (count < 0 && errno == EAGAIN);
  CHECK(count == 3);
}

TEST_CASE("pipes of others: what is written as nothing is no end") {
  HANDLE from = nullptr, to = nullptr;
  REQUIRE(::CreatePipe(&from, &to, nullptr, 0));
  const os::Handle reads(from), writes(to);
  CHECK(os::file_write(writes.get(), "", 0) == 0);
  CHECK(os::file_write(writes.get(), "abc", 3) == 3);
  char buffer[10];
  CHECK(os::file_read(reads.get(), buffer, sizeof buffer) == 3);
}
