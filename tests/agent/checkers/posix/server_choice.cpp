#include "agent/checkers/server_choice.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "agent/checkers/installed_servers.h"
#include "agent/checkers/server_view.h"
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

TEST_CASE(
    "what the editor has brought checks where nothing is installed, unless the user says no") {
  const auto home = TemporaryFolder::make(TemporaryFolder::Where::disk);
  REQUIRE(home);
  const std::string before = std::getenv("HOME") ? std::getenv("HOME") : "";
  const std::string path = std::getenv("PATH") ? std::getenv("PATH") : "";
  const std::string node = home->path() + "/node";
  std::ofstream(node) << "#!/bin/sh\n";
  std::filesystem::permissions(node, std::filesystem::perms::owner_all);
  ::setenv("HOME", home->path().c_str(), 1);
  ::setenv("PATH", "/nowhere/bin", 1);
  nlohmann::json servers = {{kEditorServers,
                             {{"typescript-language-server",
                               {{"name", "TypeScript"},
                                {"command", {node, "/x/server.js", "--stdio"}},
                                {"tsserver", "/x/tsserver.js"}}}}}};
  const auto brought = choose_server("typescript", servers, "/nowhere", true);
  const auto distrusted = choose_server("typescript", servers, "/nowhere", false);
  const auto other = choose_server("python", servers, "/nowhere", false);
  servers["*"] = {{"command", nlohmann::json::array()}};
  const auto refused = choose_server("typescript", servers, "/nowhere", true);
  ::setenv("HOME", before.c_str(), 1);
  ::setenv("PATH", path.c_str(), 1);
  REQUIRE(brought);
  CHECK(brought->name == "TypeScript");
  CHECK(brought->arguments == std::vector<std::string>{node, "/x/server.js", "--stdio"});
  CHECK(brought->options["tsserver"]["path"] == "/x/tsserver.js");
  CHECK(!distrusted);
  CHECK(!other);
  CHECK(!refused);
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
  // The packages of an environment are read, also where its interpreter may not run.
  for (const char* inside : {"lib/python3.12/site-packages", "Lib/site-packages"}) {
    const std::string environment = folder->path() + "/.venv";
    const std::string packages = environment + "/" + inside;
    std::filesystem::create_directories(packages);
    const auto server = choose_server("python", {{"python", {{"command", {program}}}}},
                                      folder->path(), true, false);
    REQUIRE(server);
    CHECK(server->settings["python.analysis"]["extraPaths"] == nlohmann::json({"lib", packages}));
    CHECK(!server->settings["python"].contains("pythonPath"));
    std::filesystem::remove_all(environment);
  }
}

TEST_CASE("a folder names no file of the home as its interpreter, and links to none") {
  namespace fs = std::filesystem;
  const auto home = TemporaryFolder::make(TemporaryFolder::Where::disk);
  REQUIRE(home);
  const std::string before = std::getenv("HOME") ? std::getenv("HOME") : "";
  ::setenv("HOME", home->path().c_str(), 1);
  const std::string top = home->path(), root = top + "/src/app";
  const auto add = [&](const std::string& path) {
    fs::create_directories(fs::path(top + path).parent_path());
    std::ofstream(top + path) << "x\n";
    return top + path;
  };
  fs::create_directories(root + "/.venv/bin");
  add("/bin/python3");
  add("/.local/bin/python3");
  ServerCommand command{.kind = &server_kind("pyright"), .imports = Imports::python};
  const auto shows = [&](const std::string& path) {
    const auto places = places_of_server(command, root).readable;
    return std::ranges::any_of(places, [&](const std::string& place) {
      return place == path || path.starts_with(place + "/");
    });
  };
  for (const char* name : {"/docs/diary.txt", "/.netrc", "/.ssh/config", "/.config/x/token",
                           "/bin/python3", "/bin/notes", "/.local/bin/notes"}) {
    CAPTURE(name);
    const std::string path = add(name);
    command.settings["python"]["pythonPath"] = path;
    CHECK(!shows(path));
    command.settings["python"]["pythonPath"] = "../.." + std::string(name);
    CHECK(!shows(path));
    fs::remove(root + "/.venv/bin/python");
    fs::create_symlink(path, root + "/.venv/bin/python");
    command.settings["python"]["pythonPath"] = root + "/.venv/bin/python";
    CHECK(!shows(path));
    command.settings.clear();
    command.arguments = {root + "/.venv/bin/python"};
    CHECK(!shows(path));
    command.arguments.clear();
    command.options["tsserver"]["path"] = root + "/.venv/bin/python";
    CHECK(!shows(path));
    command.options.clear();
    fs::create_symlink(path, root + "/pyproject.toml");
    CHECK(!shows(path));
    fs::remove(root + "/pyproject.toml");
  }
  // Environments, and configurations of the name that is looked for, are shown.
  const std::string real = add("/.pyenv/versions/3.12/bin/python3");
  add("/.pyenv/versions/3.12/lib/os.py");
  command.settings["python"]["pythonPath"] = real;
  CHECK(shows(top + "/.pyenv/versions/3.12/lib/os.py"));
  add("/envs/app/pyvenv.cfg");
  add("/envs/app/lib/six.py");
  fs::create_directory(top + "/envs/app/bin");
  fs::create_symlink(real, top + "/envs/app/bin/python");
  fs::remove_all(root + "/.venv");
  fs::create_symlink(top + "/envs/app", root + "/.venv");
  command.settings["python"]["pythonPath"] = ".venv/bin/python";
  CHECK(shows(top + "/envs/app/lib/six.py"));
  CHECK(shows(real));
  fs::create_symlink(add("/build/pyproject.toml"), root + "/pyproject.toml");
  CHECK(shows(top + "/build/pyproject.toml"));
  ::setenv("HOME", before.c_str(), 1);
}

TEST_CASE("the folder's own programs run only where they may") {
  const auto folder = TemporaryFolder::make(TemporaryFolder::Where::disk);
  REQUIRE(folder);
  namespace fs = std::filesystem;
  const std::string before = std::getenv("HOME") ? std::getenv("HOME") : "";
  const std::string path = std::getenv("PATH") ? std::getenv("PATH") : "";
  // The home folder's extensions may be the workspace, or a link to it.
  const std::string own = folder->path() + "/.vscode/extensions/ms-pyright.pyright-1.0.0/dist";
  fs::create_directories(own);
  fs::create_directories(folder->path() + "/.venv/bin");
  std::ofstream(own + "/server.js") << "\n";
  std::ofstream(folder->path() + "/.venv/bin/pyright-langserver") << "#!/bin/sh\n";
  fs::permissions(folder->path() + "/.venv/bin/pyright-langserver", fs::perms::owner_all);
  const auto programs = TemporaryFolder::make(TemporaryFolder::Where::disk);
  REQUIRE(programs);
  std::ofstream(programs->path() + "/node") << "#!/bin/sh\n";
  fs::permissions(programs->path() + "/node", fs::perms::owner_all);
  ::setenv("HOME", folder->path().c_str(), 1);
  ::setenv("PATH", programs->path().c_str(), 1);
  const auto servers = nlohmann::json::object();
  const auto distrusted = choose_server("python", servers, folder->path(), false);
  const auto left_out = choose_server("python", servers, folder->path(), true, false);
  ::setenv("HOME", before.c_str(), 1);
  ::setenv("PATH", path.c_str(), 1);
  CHECK(!distrusted);
  CHECK(!left_out);
}

TEST_CASE("settings of a folder that are nested without end are none") {
  const auto folder = TemporaryFolder::make(TemporaryFolder::Where::disk);
  REQUIRE(folder);
  const std::string program = folder->path() + "/pyright-langserver";
  std::ofstream(program) << "#!/bin/sh\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  std::filesystem::create_directories(folder->path() + "/app/.vscode");
  std::ofstream(folder->path() + "/app/.vscode/settings.json")
      << "{\"python.analysis.extraPaths\": " << std::string(200'000, '[')
      << std::string(200'000, ']') << "}";
  const auto server = choose_server("python", {{"python", {{"command", {program}}}}},
                                    folder->path() + "/app", true);
  REQUIRE(server);
  CHECK(!server->settings["python.analysis"].contains("extraPaths"));
}
