#include "lsp/workspace/settings_file.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "agent/support/read_file.h"
#include "lsp/workspace/settings.h"

namespace bodkin::lsp {
namespace {

namespace fs = std::filesystem;

// A folder for the user's settings, while this lives.
struct OwnFolder {
  std::string path = (fs::temp_directory_path() / "bodkin-settings-XXXXXX").string();
  std::string before = std::getenv("XDG_CONFIG_HOME") ? std::getenv("XDG_CONFIG_HOME") : "";
  OwnFolder() {
    path = fs::canonical(::mkdtemp(path.data())).string();
    ::setenv("XDG_CONFIG_HOME", path.c_str(), 1);
  }
  ~OwnFolder() {
    fs::remove_all(path);
    before.empty() ? ::unsetenv("XDG_CONFIG_HOME") : ::setenv("XDG_CONFIG_HOME", before.c_str(), 1);
  }
  static fs::path file(const char* name = "settings.json") {
    fs::create_directories(config_folder());
    return fs::path(config_folder()) / name;
  }
  static std::string text(const fs::path& path) {
    return read_file(path.string(), 1 << 20).value_or("(nothing)");
  }
  static void put(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }
};

Result<void> set(const std::string& key, const std::string& value) {
  return edit_own_settings([&](const std::string& text) -> Result<std::string> {
    if (auto with = with_texts(text, {{key, value}})) return *with;
    return left_to_the_user("Set it");
  });
}

}  // namespace

TEST_CASE("settings are written beside what is there, which stays as it is") {
  const TextSettings own = {{"model.provider", "ollama"}, {"model.name", "a\"b"}};
  const std::string added = R"(  "bodkin.model.provider": "ollama",)"
                            "\n"
                            R"(  "bodkin.model.name": "a\"b")";
  CHECK(with_texts("{}\n", own) == "{\n" + added + "\n}\n");
  CHECK(with_texts("{ // mine\n  \"bodkin.agent.mode\": \"plan\", // kept\n}", own) ==
        std::nullopt);  // that comma is none of JSON's
  CHECK(with_texts("{\n  \"bodkin.agent.mode\": \"plan\" // kept\n}", own) ==
        "{\n" + added + ",\n  \"bodkin.agent.mode\": \"plan\" // kept\n}");
  CHECK(with_texts(R"({/* "bodkin.model.provider": "x" */ "bodkin.model.provider": "auto",
                       "model.name": "a\"b"})",
                   own) ==
        R"({/* "bodkin.model.provider": "x" */ "bodkin.model.provider": "ollama",
                       "model.name": "a\"b"})");
  CHECK(with_texts(R"({"model.name" : "x\"\\", "bodkin.model.provider":"auto"})", own) ==
        R"({"model.name" : "a\"b", "bodkin.model.provider":"ollama"})");
}

TEST_CASE("a setting is set and cleared under each of its names") {
  const TextSettings own = {{"model.provider", "ollama"}, {"model.endpoint", ""}};
  CHECK(with_texts(R"({"a": {"provider": "1"}, "bodkin": {"model": {"provider": "openai",
    "endpoint": "http://other", "name": "m"}}, "model.endpoint": "http://third"})",
                   own) == R"({"a": {"provider": "1"}, "bodkin": {"model": {"provider": "ollama",
    "endpoint": "", "name": "m"}}, "model.endpoint": ""})");
  CHECK(with_texts(R"({"model": {"provider": "x"}, "bodkin.model": {"provider": "y"}})", own) ==
        R"({"model": {"provider": "ollama"}, "bodkin.model": {"provider": "ollama"}})");
  CHECK(with_texts(R"({"bodkin.model.provider": "ollama"})", own) ==
        R"({"bodkin.model.provider": "ollama"})");
}

TEST_CASE("settings that only a person can write are left alone") {
  const TextSettings own = {{"model.provider", "ollama"}};
  for (const char* text :
       {"", "[]", "{", R"({"bodkin.model.provider": 1})", R"({"bodkin.model.provider": null})",
        R"({"bodkin.model.provider": {"a": "b"}})", R"({"model": {"provider": ["a"]}})"})
    CHECK_MESSAGE(with_texts(text, own) == std::nullopt, text);
}

TEST_CASE("of changes of the settings at the same time none is lost") {
  const OwnFolder own;
  const char* const keys[] = {"model.name", "model.endpoint", "model.apiKeyEnv",
                              "model.apiVersion"};
  {
    std::vector<std::jthread> threads;
    for (const char* key : keys)
      threads.emplace_back([key] {
        for (int i = 0; i <= 20; ++i) (void)set(key, std::to_string(i));
      });
  }
  const std::string text = OwnFolder::text(OwnFolder::file());
  for (const char* key : keys)
    CHECK_MESSAGE(text.find(std::string(key) + "\": \"20\"") != text.npos, text);
  const auto files = fs::directory_iterator(config_folder());
  CHECK(std::distance(begin(files), end(files)) == 1);
}

TEST_CASE("a settings file is written where it really is, with its mode, and nothing beside it") {
  const OwnFolder own;
  REQUIRE(set("model.name", "a"));
  struct stat status {};
  REQUIRE(::stat(OwnFolder::file().c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  const fs::path kept = own.path + "/kept.json", beside = OwnFolder::file("settings.json.new");
  OwnFolder::put(kept, "{}");
  OwnFolder::put(beside, "the user's");
  fs::permissions(kept, fs::perms(0640));
  fs::remove(OwnFolder::file());
  fs::create_symlink(kept, OwnFolder::file());
  REQUIRE(set("model.name", "b"));
  CHECK(fs::is_symlink(OwnFolder::file()));
  CHECK(OwnFolder::text(kept).find("\"b\"") != std::string::npos);
  CHECK(fs::status(kept).permissions() == fs::perms(0640));
  CHECK(OwnFolder::text(beside) == "the user's");

  fs::remove(kept);
  for (const auto& done : {set("model.name", "c"), can_edit_own_settings()}) {
    REQUIRE(!done);
    CHECK(done.error().message == OwnFolder::file().string() + " is a link to " + kept.string() +
                                      ", which does not exist; nothing was written.");
  }
  CHECK(fs::is_symlink(OwnFolder::file()));
}

TEST_CASE("why settings cannot be written is said") {
  const OwnFolder own;
  OwnFolder::put(OwnFolder::file(), std::string((16 << 20) + 1, ' '));
  CHECK(set("model.name", "a").error().message ==
        OwnFolder::file().string() + " is larger than 16 MB.");
  fs::remove_all(config_folder());
  CHECK(can_edit_own_settings());
  CHECK(!fs::exists(config_folder()));
  OwnFolder::put(config_folder(), "a file");
  CHECK(!set("model.name", "a"));
  CHECK(!can_edit_own_settings());
  const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "";
  ::setenv("XDG_CONFIG_HOME", "relative", 1);
  ::setenv("HOME", "relative", 1);
  CHECK(config_folder().empty());
  CHECK(can_edit_own_settings().error().message.find("set HOME") != std::string::npos);
  ::setenv("HOME", home.c_str(), 1);
}

}  // namespace bodkin::lsp
