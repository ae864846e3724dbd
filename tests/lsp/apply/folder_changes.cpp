// What the writers of a process share.
#include "lsp/apply/folder_changes.h"

#include <doctest/doctest.h>

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
  auto a = Writing::begin(*first, "test"), b = Writing::begin(*second, "test");
  REQUIRE((a && b));
  a->reset();
  CHECK((handler_of(SIGTERM) == SIG_IGN));  // the other one still writes
  b->reset();
  CHECK((handler_of(SIGTERM) == before));
}

}  // namespace
}  // namespace bodkin
