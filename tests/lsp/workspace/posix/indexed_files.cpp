// Links, modes, names and devices that only POSIX has.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lsp/workspace/indexed_folder.h"

using namespace bodkin;
using namespace bodkin::lsp;
namespace fs = std::filesystem;

TEST_CASE("what git ignores, private files and links are not in the index") {
  IndexedFolder folder;
  const std::string file = "def one(): pass\n";
  folder.write(".gitignore", "build/\n");
  folder.write(".bodkinignore", "hidden.py\n");
  for (const char* name : {"a.py", "build/b.py", "hidden.py", ".ssh/c.py"})
    folder.write(name, file);
  std::ofstream(folder.path / "outside.py") << file;
  fs::create_symlink(folder.path / "outside.py", folder.path / "work/link.py");
  fs::create_symlink("a.py", folder.path / "work/inner.py");
  fs::create_directory_symlink(folder.path / "work", folder.path / "work/loop");
  const std::string git = "git init -q '" + folder.work() + "'";
  CAPTURE(std::system(git.c_str()));
  Indexer indexer("");
  scan(indexer, folder);
  CHECK(places(indexer, "one") == Places{"a.py:1"});
  // Also when an editor reports them.
  indexer.changed({"build/b.py", "hidden.py", "link.py", "loop/a.py", "../outside.py"});
  REQUIRE(indexer.wait({}));
  CHECK(places(indexer, "one") == Places{"a.py:1"});
}

TEST_CASE("hostile files neither stop the index nor get into it") {
  IndexedFolder folder;
  folder.write("a.py", "def one(): pass\n");
  folder.write("bytes.py", std::string("def one(): pass\n\0\xff\xfe", 19));
  folder.write("latin.py", "def one(): pass # \xe9\n");
  folder.write("brackets.py", std::string(500'000, '('));
  folder.write("odd\xff\xfename.py", "def one(): pass\n");
  folder.write("new\nline.py", "def two(): pass\n");
  folder.write("locked/b.py", "def one(): pass\n");
  { std::ofstream(folder.path / "work/large.py") << "def one(): pass\n"; }
  fs::resize_file(folder.path / "work/large.py", 100'000'000);
  ::mkfifo((folder.path / "work/pipe.py").c_str(), 0600);
  const bool is_root = ::geteuid() == 0;  // for whom no folder is locked
  if (!is_root) fs::permissions(folder.path / "work/locked", fs::perms::none);
  Indexer indexer(folder.cache());
  scan(indexer, folder);
  Places found = places(indexer, "one");
  std::erase_if(found, [](const std::string& place) { return place.starts_with("odd"); });
  CHECK(found == (is_root ? Places{"a.py:1", "locked/b.py:1"} : Places{"a.py:1"}));
  CHECK(places(indexer, "two") == Places{"new\nline.py:1"});
  if (!is_root) fs::permissions(folder.path / "work/locked", fs::perms::owner_all);
}

TEST_CASE("nobody else reads the cache of an index") {
  IndexedFolder folder;
  folder.write("a.py", "def one(): pass\n");
  {
    Indexer indexer(folder.cache());
    scan(indexer, folder);
  }
  struct stat status {};
  size_t files = 0;
  for (const auto& entry : fs::directory_iterator(folder.cache())) {
    REQUIRE(::stat(entry.path().c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0600);
    ++files;
  }
  CHECK(files == 1);
  REQUIRE(::stat(folder.cache().c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0700);
}

TEST_CASE("a home folder is not indexed") {
  IndexedFolder folder;
  folder.write("a.py", "def one(): pass\n");
  const char* home = std::getenv("HOME");
  const std::string before = home ? home : "";
  ::setenv("HOME", folder.work().c_str(), 1);
  Indexer indexer("");
  scan(indexer, folder);
  home ? ::setenv("HOME", before.c_str(), 1) : ::unsetenv("HOME");
  CHECK(places(indexer, "one").empty());
}
