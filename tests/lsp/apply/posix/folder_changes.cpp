// What the writers of a process share.
#include "lsp/apply/folder_changes.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "agent/support/temporary_folder.h"

namespace bodkin {
namespace {

using Handler = void (*)(int);

Handler handler_of(int signal) {
  struct sigaction action {};
  ::sigaction(signal, nullptr, &action);
  return action.sa_handler;
}

// The journals of this test are in a folder of its own, not among the user's.
class OwnState {
 public:
  explicit OwnState(const std::string& folder) {
    if (const char* value = std::getenv(kName)) before_ = value;
    ::setenv(kName, folder.c_str(), 1);
  }
  ~OwnState() { before_ ? ::setenv(kName, before_->c_str(), 1) : ::unsetenv(kName); }

 private:
  static constexpr const char* kName = "XDG_STATE_HOME";
  std::optional<std::string> before_;
};

TEST_CASE("Two writers at once leave the signals' handlers as they were") {
  // Not the roots: a temporary folder is locked for as long as it is used.
  const auto temporary = TemporaryFolder::make(TemporaryFolder::Where::disk);
  REQUIRE(temporary);
  const auto make = [&](const char* name) {
    const std::string path = temporary->path() + "/" + name;
    std::filesystem::create_directory(path);
    return path;
  };
  const auto first = ConfinedFolder::open(make("one")),
             second = ConfinedFolder::open(make("other"));
  REQUIRE((first && second));
  const OwnState own(make("state"));
  const Handler before = handler_of(SIGTERM);
  auto a = Writing::begin(*first), b = Writing::begin(*second);
  REQUIRE((a && b));
  a->reset();
  CHECK((handler_of(SIGTERM) != before));  // the other one still writes
  b->reset();
  CHECK((handler_of(SIGTERM) == before));
}

std::atomic<int> terms = 0;
extern "C" void count_term(int) { ++terms; }

TEST_CASE("A signal that comes while files are written is delivered after it") {
  const auto temporary = TemporaryFolder::make(TemporaryFolder::Where::disk);
  REQUIRE(temporary);
  std::filesystem::create_directory(temporary->path() + "/one");
  const OwnState own(temporary->path());
  const auto folder = ConfinedFolder::open(temporary->path() + "/one");
  REQUIRE(folder);
  const auto before = std::signal(SIGTERM, count_term);
  const auto ignored = std::signal(SIGHUP, SIG_IGN);
  auto writing = Writing::begin(*folder);
  REQUIRE(writing);
  ::kill(::getpid(), SIGTERM);
  ::kill(::getpid(), SIGHUP);  // nohup: it stays ignored
  REQUIRE((*writing)->write({{"a.txt", std::nullopt, "a\n"}}));
  CHECK(terms == 0);
  CHECK(std::filesystem::exists(folder->path() + "/a.txt"));
  writing->reset();
  CHECK(terms == 1);
  std::signal(SIGTERM, before);
  std::signal(SIGHUP, ignored);
}

TEST_CASE("A folder that another one has replaced is not written") {
  const auto temporary = TemporaryFolder::make(TemporaryFolder::Where::disk);
  REQUIRE(temporary);
  const std::string path = temporary->path() + "/one";
  std::filesystem::create_directory(path);
  const OwnState own(temporary->path());
  const auto folder = ConfinedFolder::open(path);
  REQUIRE(folder);
  auto writing = Writing::begin(*folder);
  REQUIRE(writing);
  std::filesystem::rename(path, temporary->path() + "/moved");
  CHECK_FALSE(folder->is_in_place());
  std::filesystem::create_directory(path);
  const auto done = (*writing)->write({{"a.txt", std::nullopt, "a\n"}});
  REQUIRE_FALSE(done);
  CHECK(done.error().code == Error::Code::stale);
  writing->reset();
  CHECK_FALSE(Writing::begin(*folder));
  CHECK(std::filesystem::is_empty(path));
  CHECK(std::filesystem::is_empty(temporary->path() + "/moved"));
}

}  // namespace
}  // namespace bodkin
