#include "agent/checkers/compile_commands.h"

#include <doctest/doctest.h>

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
