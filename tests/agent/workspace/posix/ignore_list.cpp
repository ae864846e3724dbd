#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "agent/support/temporary_folder.h"
#include "agent/workspace/privacy.h"

namespace bodkin {
namespace {

namespace fs = std::filesystem;

void put(const std::string& path, const std::string& text) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

TEST_CASE("a .bodkinignore protects at least what a .gitignore with its lines ignores") {
  struct Case {
    const char *lines, *path;
  };
  for (const auto& [lines, path] : {Case{"priv/\n!priv/a.txt\n", "priv/a.txt"},
                                    {"priv\n!*.txt\n", "priv/a.txt"},
                                    {"*.txt\n!sub/\n", "sub/a.txt"},
                                    {"*.txt\n!Keep.txt\n", "keep.txt"},
                                    {"pr[[:alpha:]]v.txt\n", "priv.txt"},
                                    {"pr[[:digit:][:lower:]]v.txt\n", "priv.txt"},
                                    {"pr[[:upper:]]v.txt\n", "priv.txt"},
                                    {"pr[[:unknown:]]v.txt\n", "priv.txt"},
                                    {"*.txt\n![[:unknown:]].txt\n", "a.txt"},
                                    {"[!]a]x\n", "bx"},
                                    {"[]a]x\n", "]x"},
                                    {"[\\]]x\n", "]x"},
                                    {"[A-z]x\n", "_x"},
                                    {"[!a-z]x\n", "Ax"},
                                    {"a{b}.txt\n", "a{b}.txt"},
                                    {"\\{a,b\\}\n", "{a,b}"},
                                    {"a\\ \n", "a "}})
    CHECK_MESSAGE(IgnoreList(lines).ignores(path), lines);
  CHECK(!IgnoreList("*.txt\n!keep.txt\n").ignores("sub/keep.txt"));
  CHECK(!IgnoreList("*\n!*/\n!*.c\n").ignores("src/a.c"));
  CHECK(!IgnoreList("[!a-z]x\n").ignores("ax"));
  CHECK(!IgnoreList("[[:digit:]]x\n").ignores("ax"));
  CHECK(!IgnoreList("[[:alpha:]]x\n").ignores("/x"));
}

TEST_CASE("each list above a folder and in it counts, relative to its own folder") {
  auto top = TemporaryFolder::make(TemporaryFolder::Where::disk);
  REQUIRE(top.has_value());
  const std::string folder = top->path() + "/a/b";
  put(top->path() + "/.bodkinignore", "/a/b/far.txt\n*.key\n!own.key\n");
  put(top->path() + "/a/.bodkinignore", "b/near.txt\n/own.txt\n");
  put(folder + "/.bodkinignore", "top.txt\n!a.key\n");
  put(folder + "/c/.bodkinignore", "/deep.txt\nd/x\n");
  put(folder + "/e/f/.bodkinignore", "*\n");
  fs::create_directory_symlink(folder, top->path() + "/link");
  const IgnoreLists lists(folder), linked(top->path() + "/link");
  for (const IgnoreLists* each : {&lists, &linked}) {
    for (const char* path :
         {"far.txt", "near.txt", "top.txt", "c/top.txt", "a.key", "c/deep.txt", "c/d/x", "e/f/g"})
      CHECK_MESSAGE(each->ignores(path), path);
    for (const char* path : {"own.txt", "c/far.txt", "deep.txt", "c/d/deep.txt", "e/g", "d/x"})
      CHECK_MESSAGE(!each->ignores(path), path);
  }
  IgnoreLists copy = lists;
  put(folder + "/c/.bodkinignore", "new.txt\n");
  CHECK(!lists.ignores("c/new.txt"));
  copy.read_again("c", folder + "/c");
  CHECK(copy.ignores("c/new.txt"));
  CHECK(copy.ignores("c/deep.txt"));
}

TEST_CASE("a list is obeyed however it was saved, and one that cannot be read hides its folder") {
  auto top = TemporaryFolder::make(TemporaryFolder::Where::disk);
  REQUIRE(top.has_value());
  const std::string list = top->path() + "/.bodkinignore";
  put(list, std::string("\xFF\xFEp\0r\0i\0v\0\r\0\n\0", 14));
  CHECK(IgnoreLists(top->path()).ignores("priv"));
  CHECK(!IgnoreLists(top->path()).ignores("open"));
  for (const std::string& text : {std::string("pr\xEFv\n"), std::string("p\0r\0", 4)}) {
    put(list, text);
    CHECK(IgnoreLists(top->path()).ignores("open"));
  }
  fs::remove(list);
  CHECK(!IgnoreLists(top->path()).ignores("open"));
  fs::create_symlink("nowhere", list);
  CHECK(IgnoreLists(top->path()).ignores("open"));
  CHECK(IgnoreLists(top->path()).blocking_folder() == top->path());
  CHECK(IgnoreLists(top->path() + "/sub").ignores("open"));
  fs::remove(list);
  put(top->path() + "/sub/a.txt", "");
  fs::create_symlink("nowhere", top->path() + "/sub/.bodkinignore");
  CHECK(IgnoreLists(top->path()).ignores("sub/a.txt"));
  CHECK(!IgnoreLists(top->path()).ignores("open"));
}

}  // namespace
}  // namespace bodkin
