#include <doctest/doctest.h>

#include "agent/platform/windows/native.h"

using namespace bodkin;

// Wine has no reparse points that could be made.
TEST_CASE("links: what stands for another name is one, and a file in a cloud is none") {
  constexpr DWORD kPoint = FILE_ATTRIBUTE_REPARSE_POINT;
  CHECK(os::is_link(kPoint, IO_REPARSE_TAG_SYMLINK));
  CHECK(os::is_link(kPoint | FILE_ATTRIBUTE_DIRECTORY, IO_REPARSE_TAG_MOUNT_POINT));  // junctions
  CHECK(os::is_link(kPoint, 0xA000001D));   // WSL's symbolic link
  CHECK(os::is_link(kPoint, 0xA0000027));   // a container image's link
  CHECK(!os::is_link(kPoint, 0x9000601A));  // OneDrive
  CHECK(!os::is_link(kPoint, 0x80000013));  // deduplicated
  CHECK(!os::is_link(kPoint, 0x80000023));  // a socket
  CHECK(!os::is_link(FILE_ATTRIBUTE_NORMAL, IO_REPARSE_TAG_SYMLINK));
}
