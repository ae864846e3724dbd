#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <thread>

#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/platform/windows/native.h"

using namespace bodkin;

namespace {

os::Handle opened(const std::string& path, DWORD how) {
  return os::Handle(::CreateFileW(os::native_path(path)->c_str(), GENERIC_READ, FILE_SHARE_READ,
                                  nullptr, how, FILE_ATTRIBUTE_NORMAL, nullptr));
}

}  // namespace

TEST_CASE("names: a rename waits for who has what it replaces open for a moment") {
  std::string folder = os::temporary_folder() + "/bodkin-names-XXXXXX";
  REQUIRE(os::make_unique_folder(folder));
  const std::string from = folder + "/from", to = folder + "/to";
  REQUIRE(opened(from, CREATE_NEW));
  os::Handle scanner = opened(to, CREATE_NEW);
  REQUIRE(scanner);
  std::atomic<bool> has_ended = false;
  int result = -1;
  std::jthread renamer([&] {
    result = os::rename(from.c_str(), to.c_str());
    has_ended = true;
  });
  // Whoever renames it has it open, which is not shared with us.
  while (!has_ended && opened(from, OPEN_EXISTING)) std::this_thread::yield();
  scanner = os::Handle();
  renamer.join();
  CHECK(result == 0);
  CHECK(os::access(from.c_str(), F_OK) != 0);
  std::error_code error;
  os::remove_all(folder, error);
}
