#include "agent/workspace/outside.h"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

using namespace bodkin;
namespace fs = std::filesystem;

namespace {

// root/src, place/src, and links between them.
struct Folders {
  Folders() {
    char name[] = "/tmp/bodkin-outside-XXXXXX";
    top = fs::canonical(::mkdtemp(name)).string();
    for (const char* folder : {"/open/src", "/open/inner", "/place/src"})
      fs::create_directories(top + folder);
    fs::create_directory_symlink(top + "/place", top + "/open/out");
    fs::create_directory_symlink(top + "/open", top + "/link");
    fs::create_directory_symlink("inner", top + "/open/near");
  }
  ~Folders() { fs::remove_all(top); }
  Folders(const Folders&) = delete;
  Roots one() const { return {{"root", top + "/open"}}; }
  std::string top;
};

std::string of(const std::string& path, const Roots& roots) {
  const auto in = path_inside(path, roots);
  return in ? *in : in.error().message;
}

}  // namespace

TEST_CASE("a path in the folder is relative, however it is spelled") {
  const Folders folders;
  const std::string root = folders.top + "/open";
  for (const std::string& above :
       {root, folders.top + "/link", root + "/src/..", root + "/near/.."}) {
    CAPTURE(above);
    CHECK(of(above + "/src/a.py", folders.one()) == "src/a.py");
    CHECK(of("file://" + above + "/src/a.py", folders.one()) == "src/a.py");
  }
  for (const char* same :
       {"src/a.py", "new/b.py", "near/a.py", "a.py", "~a.py", "x:y", "untitled:Untitled-1", ""})
    CHECK(of(same, folders.one()) == same);
  const Roots two{{"root", root}, {"place", folders.top + "/place"}};
  CHECK(of(folders.top + "/place/src/a.py", two) == "place/src/a.py");
  CHECK(of("root/out/src/a.py", two) == "root/out/src/a.py");  // in the other folder
  CHECK(of("/x/a.py", Roots()) == "/x/a.py");
}

TEST_CASE("a path outside of the folder is not one of its files") {
  const Folders folders;
  const std::string root = folders.top + "/open";
  for (const std::string& path :
       {folders.top + "/place/src/a.py", std::string("/no/src/a.py"), std::string("out/src/a.py"),
        root + "/out/src/a.py", root + "/../place/src/a.py", std::string("../place/src/a.py"),
        std::string("file://host/src/a.py"), std::string("file:///no/src/a.py"),
        std::string("https://example.org/src/a.py"), std::string("C:/src/a.py"),
        root + "/out/../src/a.py", root + "-more/src/a.py"}) {
    CAPTURE(path);
    CHECK(of(path, folders.one()) == path + " is outside the folder " + root);
  }
  const std::string home = ::getenv("HOME") ? ::getenv("HOME") : "";
  ::setenv("HOME", (folders.top + "/place").c_str(), 1);
  CHECK(of("~/src/a.py", folders.one()).find(" is outside ") != std::string::npos);
  CHECK(path_inside("~/src", folders.one()).error().code == Error::Code::invalid_input);
  CHECK(path_inside("~/none", folders.one()).error().code == Error::Code::not_found);
  ::setenv("HOME", root.c_str(), 1);
  CHECK(of("~/src/a.py", folders.one()) == "src/a.py");
  ::setenv("HOME", home.c_str(), 1);
}
