#include "agent/workspace/grants.h"

#include <doctest/doctest.h>

#include <fstream>

#include "agent/platform/files.h"
#include "agent/support/kept_json.h"
#include "agent/support/temporary_folder.h"
#include "agent/workspace/planted.h"

namespace bodkin {
namespace {

const Roots kOne{{"one", "/home/me/one"}}, kTwo{{"two", "/home/me/two"}};

TEST_CASE("what is allowed in a workspace is kept for it alone, in a file of the user's") {
  const auto folder = TemporaryFolder::make(TemporaryFolder::Where::disk);
  REQUIRE(folder);
  const std::string file = folder->path() + "/state/bodkin/permissions.json";
  Grants first(file, kOne), second(file, kOne), other(file, kTwo);
  CHECK(!first.holds("run make"));
  CHECK(first.add("run make").has_value());
  CHECK(second.add("run make test").has_value());  // a second server does not lose the first's
  CHECK(other.add("run npm test").has_value());
  const Grants later(file, kOne);
  CHECK(later.holds("run make"));
  CHECK(later.holds("run make test"));
  CHECK(!later.holds("run npm test"));
  CHECK(!Grants(file, Roots{{"one", "/home/me/one"}, {"two", "/home/me/two"}}).holds("run make"));
  os::FileStatus status{};
  REQUIRE(os::stat(file.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
}

TEST_CASE("what cannot be kept is not: no file, no folders, a secret") {
  const auto folder = TemporaryFolder::make(TemporaryFolder::Where::disk);
  REQUIRE(folder);
  const std::string file = folder->path() + "/permissions.json";
  CHECK(!Grants("", kOne).can_keep("run make"));
  CHECK(!Grants(file, Roots()).can_keep("run make"));
  const Grants grants(file, kOne);
  CHECK(grants.can_keep("run make"));
  CHECK(!grants.can_keep("run curl -H 'Authorization: Bearer " + ("ghp_" + all(36)) + "'"));
}

TEST_CASE("a file that is no such file holds nothing, and is replaced") {
  const auto folder = TemporaryFolder::make(TemporaryFolder::Where::disk);
  REQUIRE(folder);
  const std::string file = folder->path() + "/permissions.json";
  for (const char* text : {"", "garbage", "[]", R"({"workspaces": 1})",
                           R"({"workspaces": {"/home/me/one": {"run make": true}}})"}) {
    std::ofstream(file) << text;
    Grants grants(file, kOne);
    CHECK(!grants.holds("run make"));
    CHECK(grants.add("run make").has_value());
    CHECK(Grants(file, kOne).holds("run make"));
  }
}

}  // namespace
}  // namespace bodkin
