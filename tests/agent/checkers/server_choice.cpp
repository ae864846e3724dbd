#include "agent/checkers/server_choice.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "agent/support/temporary_folder.h"

using namespace bodkin;

TEST_CASE("a language server is named as the program that it is") {
  const auto folder = TemporaryFolder::make(TemporaryFolder::Where::disk);
  REQUIRE(folder);
  for (const char* name : {"pyright", "basedpyright"}) {
    const std::string program = folder->path() + "/" + name + "-langserver";
    std::ofstream(program) << "#!/bin/sh\n";
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    const auto server =
        choose_server("python", {{"python", {{"command", {program}}}}}, "/nowhere", false);
    REQUIRE(server);
    CHECK(server->name == name);
  }
  const auto none = choose_server(
      "python", {{"python", {{"command", {folder->path() + "/none-langserver"}}}}}, "/", true);
  CHECK(!none);
}
