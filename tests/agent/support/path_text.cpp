#include "agent/support/path_text.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "agent/platform/walk.h"
#include "agent/support/temporary_folder.h"

namespace bodkin {
namespace {

TEST_CASE("a path is below a folder, not below one whose name it begins with") {
  CHECK(is_below("/w/a.c", "/w"));
  CHECK(is_below("/w", "/"));
  CHECK_FALSE(is_below("/wide/a.c", "/w"));
  CHECK_FALSE(is_below("/w", "/w"));
  CHECK_FALSE(is_below("/", "/"));
  CHECK_FALSE(is_below("a.c", "/"));
}

TEST_CASE("a path is what its folder and its part in it join to") {
  for (const char* folder : {"/", "/w", "/w/src"}) {
    CHECK(join_path(folder, path_in("/w/src/a.c", folder)) == "/w/src/a.c");
  }
  CHECK(path_in("/w/src/a.c", "/w") == "src/a.c");
  CHECK(path_in("/w", "/") == "w");
}

TEST_CASE("a walk goes below what it is not told to leave out, and ends when it is told to") {
  auto made = TemporaryFolder::make(TemporaryFolder::Where::memory);
  REQUIRE(made);
  const std::string top = made->path();
  std::filesystem::create_directories(top + "/in/deep");
  std::filesystem::create_directories(top + "/out/deep");
  std::ofstream(top + "/in/deep/a");
  std::ofstream(top + "/out/deep/b");
  std::error_code no_links;  // not everybody may make them on Windows
  std::filesystem::create_directory_symlink(top + "/in", top + "/link", no_links);
  std::set<std::string> seen;
  CHECK(walk(top, [&](const std::filesystem::directory_entry& entry) {
    seen.insert(path_in(entry.path().generic_string(), top));
    return entry.path().filename() == "out" ? Walk::not_below : Walk::on;
  }));
  if (no_links) seen.insert("link");
  CHECK(seen == std::set<std::string>{"in", "in/deep", "in/deep/a", "link", "out"});
  int visits = 0;
  CHECK(walk(top, [&](const auto&) {
    ++visits;
    return Walk::end;
  }));
  CHECK(visits == 1);
  CHECK_FALSE(walk(top + "/none", [](const auto&) { return Walk::on; }));
}

}  // namespace
}  // namespace bodkin
