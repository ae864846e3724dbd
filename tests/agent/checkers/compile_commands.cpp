#include "agent/checkers/compile_commands.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "agent/support/temporary_folder.h"

using namespace bodkin;

TEST_CASE("a command is split into words as a shell does") {
  auto folder = TemporaryFolder::make(TemporaryFolder::Where::disk);
  REQUIRE(folder);
  std::ofstream(folder->path() + "/a.c") << "int a;\n";
  const auto words_of = [&](const std::string& command) {
    std::ofstream(folder->path() + "/compile_commands.json")
        << nlohmann::json::array(
               {{{"directory", folder->path()}, {"file", "a.c"}, {"command", command}}})
               .dump();
    CompileCommands commands;
    commands.refresh(folder->path());
    const auto found = commands.of_gcc(folder->path() + "/a.c");
    REQUIRE(found.size() == 1);
    return found[0].words;
  };
  using Words = std::vector<std::string>;
  CHECK(words_of(R"(gcc -DNAME=\"my.h\" a.c)") == Words{"gcc", "-DNAME=\"my.h\"", "a.c"});
  CHECK(words_of(R"(gcc '-DNAME=<my "own".h>' a.c)") ==
        Words{"gcc", "-DNAME=<my \"own\".h>", "a.c"});
  CHECK(words_of(R"(gcc -I"two words" -Ithree\ words -D"A=\"b\\\"" a.c)") ==
        Words{"gcc", "-Itwo words", "-Ithree words", "-DA=\"b\\\"", "a.c"});
}

TEST_CASE("a header that a command includes is found in every spelling") {
  auto folder = TemporaryFolder::make(TemporaryFolder::Where::disk);
  REQUIRE(folder);
  std::ofstream(folder->path() + "/options") << "-include forced.h\n";
  for (const char* options :
       {"-include forced.h", "-includeforced.h", "-include inc/forced.h", "--include=forced.h",
        "--include forced.h", "-imacros forced.h", "--imacros=forced.h", "-Wp,-include,forced.h",
        "-Wp,-imacros,inc/forced.h", "-Xpreprocessor -include -Xpreprocessor forced.h",
        "-Xclang -include -Xclang forced.h", "@options", "--next-spelling:inc/forced.h"}) {
    CAPTURE(options);
    std::ofstream(folder->path() + "/compile_commands.json")
        << nlohmann::json::array({{{"directory", folder->path()},
                                   {"file", "a.c"},
                                   {"command", "gcc " + std::string(options) + " -c a.c"}}})
               .dump();
    CompileCommands commands;
    commands.refresh(folder->path());
    CHECK(commands.forcing_units({"forced.h"}) ==
          std::vector<std::string>{folder->path() + "/a.c"});
    CHECK(commands.forcing_units({"other.h"}).empty());
  }
}

TEST_CASE("a command of gcc that may run a program of the folder says so") {
  auto folder = TemporaryFolder::make(TemporaryFolder::Where::disk);
  REQUIRE(folder);
  std::ofstream(folder->path() + "/a.c") << "int a;\n";
  std::ofstream(folder->path() + "/gcc") << "#!/bin/sh\n";
  std::filesystem::permissions(folder->path() + "/gcc", std::filesystem::perms::owner_all);
  std::ofstream(folder->path() + "/options") << "-B .\n";
  const auto command_of = [&](const std::string& command) {
    std::ofstream(folder->path() + "/compile_commands.json")
        << nlohmann::json::array(
               {{{"directory", folder->path()}, {"file", "a.c"}, {"command", command}}})
               .dump();
    CompileCommands commands;
    commands.refresh(folder->path());
    const auto found = commands.of_gcc(folder->path() + "/a.c");
    REQUIRE(found.size() == 1);
    return found[0];
  };
  for (const std::string& command :
       {std::string("./gcc a.c"), std::string("../x/gcc a.c"), folder->path() + "/gcc a.c",
        std::string("/proc/self/cwd/gcc a.c"), std::string("/usr/../proc/self/cwd/gcc a.c"),
        std::string("gcc -B. a.c"), std::string("gcc -B . a.c"), std::string("gcc --prefix=. a.c"),
        std::string("gcc -wrapper ./x a.c"), std::string("gcc -fplugin=./x.so a.c"),
        std::string("gcc -Wp,-fplugin=./x.so a.c"), std::string("gcc -specs=x a.c"),
        std::string("gcc --specs=x a.c"), std::string("g++ '-fmodule-mapper=|./x' a.c"),
        std::string("gcc @options a.c"), std::string("gcc @missing a.c")}) {
    CAPTURE(command);
    CHECK(command_of(command).runs_folder);
  }
  for (const char* command : {"gcc -c a.c", "ccache g++ -Wall -DB -I./B a.c"}) {
    CAPTURE(command);
    CHECK(!command_of(command).runs_folder);
    CHECK(command_of(command).unit == "a.c");
  }
  CHECK(command_of("gcc -c b.c").unit.empty());
  CHECK(command_of("gcc -c ./x/../a.c").unit == "./x/../a.c");
}
