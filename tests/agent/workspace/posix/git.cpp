// What belongs to a repository: its submodules do, other work trees in its folder do not.
#include "agent/workspace/git.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "agent/support/temporary_folder.h"

using namespace bodkin;

namespace {

void write(const std::string& path, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path) << text;
}

void git(const std::string& folder, const std::string& words) {
  const std::string command = "git -C '" + folder +
                              "' -c user.name=a -c user.email=a@example.org " + words +
                              " >/dev/null 2>&1";
  REQUIRE(std::system(command.c_str()) == 0);
}

}  // namespace

TEST_CASE("git lists the files of submodules, also new ones, and not those of other work trees") {
  const auto temporary = TemporaryFolder::make(TemporaryFolder::Where::disk);
  REQUIRE(temporary);
  const std::string top = temporary->path() + "/top";
  for (const std::string& folder : {top, top + "/ext/m", top + "/copy"}) {
    write(folder + "/a.c", "int a;\n");
    git(folder, "init -q");
    git(folder, "add a.c");
    git(folder, "commit -qm a");
  }
  write(top + "/ext/m/new.c", "int n;\n");
  write(top + "/.gitmodules", "[submodule \"m\"]\n\tpath = ext/m\n\turl = ../m\n");
  git(top, "add .gitmodules ext/m");
  const auto listed = list_with_git(top, 1 << 20, {});
  REQUIRE(listed);
  const std::string names = '\0' + *listed;
  const auto has = [&](const std::string& name) {
    return names.find('\0' + name + '\0') != names.npos;
  };
  for (const char* name : {"a.c", ".gitmodules", "ext/m/a.c", "ext/m/new.c"})
    CHECK_MESSAGE(has(name), name);
  for (const char* name : {"ext/m", "copy/a.c", "copy"}) CHECK_MESSAGE(!has(name), name);

  NestedWorktrees nested(top);
  CHECK(nested.contain("copy/a.c"));
  CHECK(!nested.contain("ext/m/a.c"));
  CHECK(!nested.contain("a.c"));
  NestedWorktrees of_no_repository(temporary->path());
  CHECK(!of_no_repository.contain("top/a.c"));
}
