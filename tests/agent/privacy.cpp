#include "agent/privacy.h"

#include <doctest/doctest.h>

using namespace bodkin;

TEST_CASE("a glob matches names, paths, sets and alternatives") {
  struct Row {
    const char *pattern, *path;
    bool matches;
  };
  const Row rows[] = {
      {"*.cpp", "src/a.cpp", true},
      {"*.cpp", "src/a.cppx", false},
      {"src/*.cpp", "src/a.cpp", true},
      {"src/*.cpp", "src/b/a.cpp", false},
      {"src/**", "src/b/a.cpp", true},
      {"**/a.cpp", "a.cpp", true},
      {"**/b/*.cpp", "x/y/b/a.cpp", true},
      {"/a.cpp", "src/a.cpp", false},
      {"*.{h,cpp}", "x/a.h", true},
      {"*.{h,cpp}", "x/a.c", false},
      {"[a-c].py", "b.py", true},
      {"[!a-c].py", "b.py", false},
      {"?.py", "ab.py", false},
      {"A.PY", "a.py", true},
      {"**", "x/y", true},
      {"a*b*c", "aXbXbXc", true},
      {"", "x", false},
      {"src/**/t.c", "src/t.c", true},
  };
  for (const Row& row : rows) {
    CAPTURE(row.pattern);
    CAPTURE(row.path);
    CHECK(glob_matches(row.pattern, row.path) == row.matches);
  }
}

TEST_CASE("secrets are known by their names, samples and code are none") {
  for (const char* path : {".env", "a/b/.env.local", "prod.env", "certs/server.pem", "id_rsa",
                           "home/.ssh/config", ".aws/credentials", ".netrc", "secrets.yaml"}) {
    CHECK_MESSAGE(is_secret(path), path);
  }
  for (const char* path : {".env.example", "env.py", "id_rsa.pub", "src/credentials.py",
                           "secrets.go", "keyboard.c", "environment.ts", "monkey.h"}) {
    CHECK_MESSAGE(!is_secret(path), path);
  }
}

TEST_CASE(".bodkinignore reads like .gitignore") {
  const IgnoreList list("# comment\n\nprivate/\n*.dat\n!keep.dat\n/top.txt\ndocs/*.md\r\n");
  CHECK(list.ignores("private/a/b.c"));
  CHECK(list.ignores("x/private/b.c"));
  CHECK(!list.ignores("private"));
  CHECK(list.ignores("x/a.dat"));
  CHECK(!list.ignores("x/keep.dat"));
  CHECK(list.ignores("top.txt"));
  CHECK(!list.ignores("x/top.txt"));
  CHECK(list.ignores("docs/a.md"));
  CHECK(!list.ignores("docs/x/a.md"));
}

TEST_CASE("only one spelling of a path is plain") {
  for (const char* path : {"a", "a/b.c", ".env", "..a/b"}) CHECK_MESSAGE(is_plain_path(path), path);
  for (const char* path : {"", "/a", "a/", "a//b", "./a", "a/../b", ".."}) {
    CHECK_MESSAGE(!is_plain_path(path), path);
  }
}
