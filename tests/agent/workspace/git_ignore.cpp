#include "agent/workspace/git_ignore.h"

#include <doctest/doctest.h>

#include <string>

using namespace bodkin;

namespace {

struct Case {
  std::string top, of_src, excludes;  // the rules
  std::string ignored;                // of kFiles
};

constexpr const char* kFiles[] = {"new.c",
                                  "src/new.c",
                                  "src/keep.gen",
                                  "y.gen",
                                  "logs/a.log",
                                  "b{a,b}.c",
                                  "ba.c",
                                  "#h",
                                  "!x",
                                  "tr ",
                                  "out/x",
                                  "src/out/y",
                                  "foo/bar/baz.c",
                                  "x1.txt",
                                  "x[1].txt",
                                  "UP.LOG",
                                  "a\\b.txt",
                                  "deep/a/b/d.o",
                                  "d.o"};

}  // namespace

TEST_CASE("what is ignored is what git check-ignore names") {
  // The last column is what `git check-ignore --no-index --stdin` of git 2.39 says of the files.
  const Case cases[] = {
      {"*.gen\n", "!keep.gen\n", "", "y.gen"},
      {"*\n!*/\n!*.c\n", "", "",
       "src/keep.gen|y.gen|logs/a.log|#h|!x|tr "
       "|out/x|src/out/y|x1.txt|x[1].txt|UP.LOG|a\\b.txt|deep/a/b/d.o|d.o"},
      {"/*\n!/src/\n", "", "",
       "new.c|y.gen|logs/a.log|b{a,b}.c|ba.c|#h|!x|tr "
       "|out/x|foo/bar/baz.c|x1.txt|x[1].txt|UP.LOG|a\\b.txt|deep/a/b/d.o|d.o"},
      {"b{a,b}.c\n", "", "", "b{a,b}.c"},
      {std::string(5000, 'x') + "\n*.o\n", "", "", "deep/a/b/d.o|d.o"},
      {"\\#h\n\\!x\n", "", "", "#h|!x"},
      {"tr\\ \n", "", "", "tr "},
      {"tr \n", "", "", ""},
      {"out/\n", "", "", "out/x|src/out/y"},
      {"/out\n", "", "", "out/x"},
      {"foo/*\n!foo/bar\n", "", "", ""},
      {"foo/**\n!foo/bar/baz.c\n", "", "", "foo/bar/baz.c"},
      {"logs/**/\n", "", "", ""},
      {"deep/**/d.o\n", "", "", "deep/a/b/d.o"},
      {"*.log\n", "", "", "logs/a.log"},
      {"src/\n!src/new.c\n", "", "", "src/new.c|src/keep.gen|src/out/y"},
      {"a\\\\b.txt\n", "", "", "a\\b.txt"},
      {"[!a-c].o\n", "", "", "deep/a/b/d.o|d.o"},
      {"\xEF\xBB\xBF"
       "new.c\r\nba.c\r\n",
       "", "", "new.c|src/new.c|ba.c"},
      {"", "*\n!new.c\n", "", "src/keep.gen|src/out/y"},
      {"[", "", "", ""},
      {"x[[:digit:]].txt\n", "", "", "x1.txt"},
      {"x[]1].txt\n", "", "", "x1.txt"},
      {"./new.c\n", "", "", ""},
      {"src//new.c\n", "", "", ""},
      {"*.c # c\n", "", "", ""},
      {"!y.gen\n", "", "*.gen\n", "src/keep.gen"},
      {"foo**/baz.c\n", "", "", "foo/bar/baz.c"},
      {"d?*.o\n", "", "", ""},
  };
  for (const Case& each : cases) {
    CAPTURE(each.top);
    CAPTURE(each.of_src);
    GitIgnore rules;
    rules.add_excludes(each.excludes);
    rules.add("", each.top);
    rules.add("src/", each.of_src);
    std::string ignored;
    for (const char* file : kFiles) {
      if (rules.ignores(file)) ignored += (ignored.empty() ? "" : "|") + std::string(file);
    }
    CHECK(ignored == each.ignored);
  }
}

TEST_CASE("rules that are made to take forever end, and many rules are read") {
  GitIgnore rules;
  std::string many;
  for (int i = 0; i < 5000; ++i) many += "x" + std::to_string(i) + "\n";
  for (int i = 0; i < 50; ++i) many += "**/*a/**/*a/**/*a/**/*a/**/*a/**/*a/**/*a/**/*a/**/*b\n";
  rules.add("", many + "*.o\n");
  std::string path;
  for (int i = 0; i < 400; ++i) path += "a/";
  CHECK(rules.ignores("x4999"));
  CHECK(rules.ignores("a/c.o"));
  CHECK(!rules.ignores(path + "c"));
}
