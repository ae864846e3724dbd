#include "agent/platform/paths.h"

#include <doctest/doctest.h>

#include "agent/platform/files.h"
#include "agent/rpc/uri.h"

using namespace bodkin;

TEST_CASE("paths: an absolute one has a drive or a server, and a root") {
  CHECK(os::is_absolute("C:/a"));
  CHECK(os::is_absolute("c:\\a"));
  CHECK(os::is_absolute("//server/share/a"));
  CHECK(os::is_absolute("/a"));  // as on Linux: no path below a folder
  CHECK(!os::means_one_place("/a"));
  CHECK(!os::is_absolute("C:a"));
  CHECK(!os::is_absolute("a/b"));
  CHECK(os::root_of("C:/a/b") == "C:/");
  CHECK(os::root_of("//server/share/a") == "//server/share/");
}

TEST_CASE("paths: every way to write one has the same inner form") {
  CHECK(os::inner_form("c:\\a\\b") == "C:/a/b");
  CHECK(os::inner_form("\\\\?\\C:\\a") == "C:/a");
  CHECK(os::inner_form("\\\\?\\UNC\\server\\share\\a") == "//server/share/a");
  CHECK(os::inner_form("\\\\server\\share\\a") == "//server/share/a");
  CHECK(os::inner_form("a\\b") == "a/b");
}

TEST_CASE("paths: a name that Windows takes for something else is refused, and cannot be made") {
  for (const char* name : {"NUL", "nul.txt", "a/con", "COM1", "lpt9.c", "a.c:stream", "a.c::$DATA",
                           "a.c.", "a ", "a?b", "AUX/x.c", "com\xC2\xB2"}) {
    CAPTURE(name);
    CHECK(!os::refused_as(name).empty());
    CHECK(os::open((os::temporary_folder() + "/" + name).c_str(), O_WRONLY | O_CREAT, 0600) == -1);
    CHECK(errno == EINVAL);
  }
  for (const char* name :
       {"null", "a.c", "COM", "COM10", "a/../b", ".", ".git/x", "C:/a/b.c", "console.c"}) {
    CAPTURE(name);
    CHECK(os::refused_as(name).empty());
  }
}

TEST_CASE("paths: URIs as editors write them") {
  CHECK(rpc::path_of_uri("file:///c%3A/a%20b/c.txt") == "C:/a b/c.txt");
  CHECK(rpc::path_of_uri("file:///C:/a") == "C:/a");
  CHECK(rpc::path_of_uri("file:///c%3A/") == "C:/");
  CHECK(rpc::path_of_uri("file://server/share/a") == "//server/share/a");
  CHECK(!rpc::path_of_uri("file:///home/a"));
  CHECK(rpc::uri_of_path("C:/a b/c") == "file:///c%3A/a%20b/c");
  CHECK(rpc::uri_of_path("//server/share/a") == "file://server/share/a");
}

TEST_CASE("paths: what is on a server stays there") {
  const std::filesystem::path path("//server/share/a/../b/./c");
  CHECK(os::text_of(path.lexically_normal()) == "//server/share/b/c");
  CHECK(os::text_of(std::filesystem::path("C:/a/../b").lexically_normal()) == "C:/b");
  CHECK(os::text_of(std::filesystem::path("a//b/..").lexically_normal()) == "a/");
  std::error_code error;
  const auto missing = os::weakly_canonical("//no-such-server/share/a/b", error);
  CHECK((error || os::text_of(missing) == "//no-such-server/share/a/b"));
}
