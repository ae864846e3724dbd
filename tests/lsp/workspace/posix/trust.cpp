#include "lsp/workspace/trust.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

namespace bodkin::lsp {
namespace {

namespace fs = std::filesystem;

struct Folders {  // work/ with app/ and apple/, and links to and out of it
  std::string top;
  Folders() {
    std::string name = (fs::temp_directory_path() / "bodkin-trust-XXXXXX").string();
    top = fs::canonical(::mkdtemp(name.data())).string();
    for (const char* each : {"work/app", "work/apple", "other"}) fs::create_directories(at(each));
    fs::create_directory_symlink(at("other"), at("work/app/out"));
    fs::create_directory_symlink(at("work/app"), at("way"));
  }
  ~Folders() { fs::remove_all(top); }
  std::string at(const std::string& name) const { return top + "/" + name; }
};

}  // namespace

TEST_CASE("a folder is trusted with what is below it, by where it really is") {
  const Folders folders;
  const Trust trust({folders.at("work/app/")});
  CHECK(trust.covers({{"app", folders.at("work/app")}}));
  CHECK(trust.covers({{"app", folders.at("work/app/src/not/there")}}));
  CHECK(trust.covers({{"app", folders.at("way")}}));
  CHECK(!trust.covers({{"app", folders.at("work/app/out")}}));
  CHECK(!trust.covers({{"app", folders.at("work/app/../apple")}}));
  CHECK(!trust.covers({{"app", folders.at("work/apple")}}));
  CHECK(!trust.covers({{"app", folders.at("work")}}));
  CHECK(!trust.covers({{"app", "work/app"}}));
  CHECK(!trust.covers({}));
}

TEST_CASE("of several folders each must be trusted") {
  const Folders folders;
  const Trust trust({folders.at("work"), ""});
  CHECK(trust.covers({{"app", folders.at("work/app")}, {"apple", folders.at("work/apple")}}));
  CHECK(!trust.covers({{"app", folders.at("work/app")}, {"other", folders.at("other")}}));
}

TEST_CASE("what the editor says holds instead of the user's file") {
  const Folders folders;
  Trust trust({folders.at("work")});
  trust.set_by_editor(false);
  CHECK(!trust.covers({{"app", folders.at("work")}}));
  trust.set_by_editor(true);
  CHECK(trust.covers({{"app", folders.at("other")}}));
}

TEST_CASE("~ is the home folder") {
  const Folders folders;
  const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "";
  ::setenv("HOME", folders.top.c_str(), 1);
  CHECK(Trust({"~/work"}).covers({{"app", folders.at("work/app")}}));
  CHECK(!Trust({"~/work"}).covers({{"app", folders.at("other")}}));
  CHECK(Trust({"~"}).covers({{"app", folders.at("other")}}));
  ::setenv("HOME", home.c_str(), 1);
}

}  // namespace bodkin::lsp
