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

TEST_CASE("a language server of the user alone is found, also where PATH does not lead") {
  const auto home = TemporaryFolder::make(TemporaryFolder::Where::disk);
  REQUIRE(home);
  const std::string before = std::getenv("HOME") ? std::getenv("HOME") : "";
  const std::string path = std::getenv("PATH") ? std::getenv("PATH") : "";
  const std::string folder = home->path() + "/.local/share/nvim/mason/bin";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/pyright-langserver") << "#!/bin/sh\n";
  std::filesystem::permissions(folder + "/pyright-langserver", std::filesystem::perms::owner_all);
  ::setenv("HOME", home->path().c_str(), 1);
  ::setenv("PATH", "/usr/bin:/bin", 1);
  const auto server = choose_server("python", nlohmann::json::object(), "/nowhere", false);
  const auto inside = choose_server("python", nlohmann::json::object(), home->path(), false);
  ::setenv("HOME", before.c_str(), 1);
  ::setenv("PATH", path.c_str(), 1);
  REQUIRE(server);
  CHECK(server->arguments[0] == folder + "/pyright-langserver");
  CHECK(!inside);
}

TEST_CASE("servers of an editor's extensions, and of a trusted folder, are found") {
  const auto home = TemporaryFolder::make(TemporaryFolder::Where::disk);
  const auto folder = TemporaryFolder::make(TemporaryFolder::Where::disk);
  REQUIRE((home && folder));
  const auto add = [](const std::string& path) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path) << "#!/bin/sh\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  };
  const std::string before = std::getenv("HOME") ? std::getenv("HOME") : "";
  const std::string path = std::getenv("PATH") ? std::getenv("PATH") : "";
  ::setenv("HOME", home->path().c_str(), 1);
  ::setenv("PATH", (home->path() + "/bin").c_str(), 1);
  add(home->path() + "/bin/node");
  const std::string extensions = home->path() + "/.vscode/extensions";
  for (const char* version : {"1.9.0", "1.10.0"})
    add(extensions + "/ms-pyright.pyright-" + version + "/dist/server.js");
  add(folder->path() + "/node_modules/.bin/pyright-langserver");
  const auto brought = choose_server("python", nlohmann::json::object(), folder->path(), false);
  const auto own = find_server("pyright-langserver", folder->path(), true);
  const auto distrusted = find_server("pyright-langserver", folder->path(), false);
  ::setenv("HOME", before.c_str(), 1);
  ::setenv("PATH", path.c_str(), 1);
  REQUIRE(brought);
  CHECK(brought->name == "pyright");
  CHECK(brought->arguments ==
        std::vector<std::string>{home->path() + "/bin/node",
                                 extensions + "/ms-pyright.pyright-1.10.0/dist/server.js",
                                 "--stdio"});
  REQUIRE(own);
  CHECK(*own == folder->path() + "/node_modules/.bin/pyright-langserver");
  CHECK(!distrusted);
}

TEST_CASE("an entry of verify.servers names the files that it checks") {
  const nlohmann::json servers = {{"vue", {{"command", {"v"}}, {"files", {".vue", 1, ""}}}},
                                  {"python", nlohmann::json::array({"p"})}};
  CHECK(language_by_settings("src/a.vue", servers) == "vue");
  CHECK(language_by_settings("src/a.py", servers).empty());
  CHECK(language_by_settings("a.vue", nlohmann::json()).empty());
}

TEST_CASE("a language server is configured as the folder says, if that is trusted") {
  const auto folder = TemporaryFolder::make(TemporaryFolder::Where::disk);
  const auto programs = TemporaryFolder::make(TemporaryFolder::Where::disk);
  REQUIRE((folder && programs));
  const std::string program = programs->path() + "/pyright-langserver";
  std::ofstream(program) << "#!/bin/sh\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  std::filesystem::create_directory(folder->path() + "/.vscode");
  std::ofstream(folder->path() + "/.vscode/settings.json")
      << "{\n  // where the sources are\n  \"python.analysis.extraPaths\": [\"lib\"],\n"
         "  \"python.analysis.typeCheckingMode\": \"off\"\n}\n";
  for (const bool trusted : {false, true}) {
    CAPTURE(trusted);
    const auto server =
        choose_server("python", {{"python", {{"command", {program}}}}}, folder->path(), trusted);
    REQUIRE(server);
    const auto& analysis = server->settings["python.analysis"];
    CHECK(analysis.contains("extraPaths") == trusted);
    CHECK(!analysis.contains("typeCheckingMode"));
  }
}
