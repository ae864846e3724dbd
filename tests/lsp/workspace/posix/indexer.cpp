#include "lsp/workspace/indexer.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

using namespace bodkin;
using namespace bodkin::lsp;
namespace fs = std::filesystem;

namespace {

struct Folder {
  Folder() {
    std::string name = (fs::temp_directory_path() / "bodkin-index-XXXXXX").string();
    path = ::mkdtemp(name.data());
    fs::create_directories(path / "work");
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  std::string work() const { return (path / "work").string(); }
  std::string cache() const { return (path / "cache").string(); }
  void write(const std::string& name, const std::string& text) const {
    const fs::path file = path / "work" / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
  }
  fs::path path;
};

// An old file: its stamp alone says that it has not changed.
void make_old(const fs::path& file) {
  fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(1));
}

std::vector<std::string> places(const Indexer& indexer, const std::string& name) {
  std::vector<std::string> result;
  for (const IndexedSymbol& symbol : indexer.index()->find(std::vector{name})) {
    result.push_back(symbol.path + ":" + std::to_string(symbol.lines.begin + 1));
  }
  return result;
}

void scan(Indexer& indexer, const Folder& folder) {
  indexer.set_roots({{"work", folder.work()}}, true);
  REQUIRE(indexer.wait({}));
}

FileSymbols symbols_in(const std::string& text) {
  const auto tree = SyntaxTree::parse(*language_with_id("python"), Text(text));
  REQUIRE(tree.has_value());
  return symbols_of(*tree, outline(*tree));
}

using Places = std::vector<std::string>;

}  // namespace

TEST_CASE("an index has the workspace's declarations, and follows files that change") {
  Folder folder;
  folder.write("a.py", "def one(): pass\n");
  folder.write("sub/b.py", "\ndef two(): pass\n");
  folder.write("notes.txt", "def three(): pass\n");
  Indexer indexer(folder.cache());
  CHECK(!indexer.index()->is_complete());
  scan(indexer, folder);
  CHECK(indexer.index()->is_complete());
  CHECK(places(indexer, "one") == Places{"a.py:1"});
  CHECK(places(indexer, "two") == Places{"sub/b.py:2"});
  CHECK(places(indexer, "three").empty());

  folder.write("a.py", "x = 1\ndef uno(): pass\n");
  indexer.changed({"a.py"});
  REQUIRE(indexer.wait({}));
  CHECK(places(indexer, "one").empty());
  CHECK(places(indexer, "uno") == Places{"a.py:2"});

  fs::rename(folder.path / "work/sub/b.py", folder.path / "work/sub/c.py");
  indexer.changed({"sub/b.py", "sub/c.py"});
  REQUIRE(indexer.wait({}));
  CHECK(places(indexer, "two") == Places{"sub/c.py:2"});

  fs::remove_all(folder.path / "work/sub");
  indexer.changed({"sub/c.py"});
  REQUIRE(indexer.wait({}));
  CHECK(places(indexer, "two").empty());
}

TEST_CASE("an open document stays in the index when only the trust in its folder changes") {
  Folder folder;
  folder.write("a.py", "def one(): pass\n");
  Indexer indexer("");
  scan(indexer, folder);
  indexer.opened("a.py", symbols_in("def uno(): pass\n"));
  indexer.opened("new.py", symbols_in("def two(): pass\n"));  // not saved yet
  for (const bool trusted : {false, true}) {
    indexer.set_roots({{"work", folder.work()}}, trusted);
    REQUIRE(indexer.wait({}));
    CHECK(places(indexer, "uno") == Places{"a.py:1"});
    CHECK(places(indexer, "one").empty());
    CHECK(places(indexer, "two") == Places{"new.py:1"});
  }
}

TEST_CASE("what git ignores, private files and links are not in the index") {
  Folder folder;
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
  Folder folder;
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

TEST_CASE(
    "a large file that a program wrote is left out, a small one and a large one of a user's are "
    "not") {
  Folder folder;
  std::string rows;
  for (int i = 0; i < 10'000; ++i) rows += "row" + std::to_string(i) + " = [1, 2, 3, 4, 5]\n";
  folder.write("small.py", "# Generated by tables.py. DO NOT EDIT.\ndef one(): pass\n");
  folder.write("tables.py", "# Generated by tables.py. DO NOT EDIT.\ndef one(): pass\n" + rows);
  folder.write("person.py", "def one(): pass\n" + rows);
  Indexer indexer("");
  scan(indexer, folder);
  CHECK(places(indexer, "one") == Places{"person.py:1", "small.py:2"});
}

TEST_CASE("an open document counts as it is in the editor") {
  Folder folder;
  folder.write("a.py", "def one(): pass\n");
  Indexer indexer("");
  scan(indexer, folder);
  indexer.opened("a.py", symbols_in("\n\ndef one(): pass\n"));
  CHECK(places(indexer, "one") == Places{"a.py:3"});
  folder.write("a.py", "\ndef one(): pass\n");
  indexer.changed({"a.py"});
  REQUIRE(indexer.wait({}));
  CHECK(places(indexer, "one") == Places{"a.py:3"});
  indexer.closed("a.py");
  REQUIRE(indexer.wait({}));
  CHECK(places(indexer, "one") == Places{"a.py:2"});
  indexer.opened("unsaved.py", symbols_in("def two(): pass\n"));
  CHECK(places(indexer, "two") == Places{"unsaved.py:1"});
  indexer.closed("unsaved.py");
  CHECK(places(indexer, "two").empty());
}

TEST_CASE("with several folders their names come first, and a folder that leaves is forgotten") {
  Folder folder;
  folder.write("x/a.py", "def one(): pass\n");
  folder.write("y/a.py", "\ndef one(): pass\n");
  Indexer indexer(folder.cache());
  indexer.set_roots({{"x", folder.work() + "/x"}, {"y", folder.work() + "/y"}}, true);
  REQUIRE(indexer.wait({}));
  CHECK(places(indexer, "one") == Places{"x/a.py:1", "y/a.py:2"});
  indexer.set_roots({{"y", folder.work() + "/y"}}, true);
  REQUIRE(indexer.wait({}));
  CHECK(places(indexer, "one") == Places{"a.py:2"});
  indexer.set_roots({}, true);
  REQUIRE(indexer.wait({}));
  CHECK(places(indexer, "one").empty());
}

TEST_CASE("a cache is used for files that are as they were, and for no others") {
  Folder folder;
  folder.write("same.py", "def one(): pass\n");
  folder.write("moved.py", "def two(): pass\n");
  folder.write("changed.py", "def three(): pass\n");
  for (const char* name : {"same.py", "moved.py", "changed.py"})
    make_old(folder.path / "work" / name);
  {
    Indexer indexer(folder.cache());
    scan(indexer, folder);
  }
  // A cache that says something else shows what was read from it.
  CachedFiles cached = load_cache(folder.cache(), folder.work());
  REQUIRE(cached.size() == 3);
  CHECK(cached["same.py"].has_reliable_stamp);
  for (auto& [path, file] : cached) {
    file.symbols = std::make_shared<FileSymbols>(symbols_in("\n\n\n\ndef from_cache(): pass\n"));
  }
  save_cache(folder.cache(), folder.work(), cached);
  struct stat status {};
  for (const auto& entry : fs::directory_iterator(folder.cache())) {
    REQUIRE(::stat(entry.path().c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0600);
  }
  REQUIRE(::stat(folder.cache().c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0700);

  fs::rename(folder.path / "work/moved.py", folder.path / "work/new.py");
  folder.write("changed.py", "def four(): pass\n");
  make_old(folder.path / "work/changed.py");  // the same size and time, but written anew
  Indexer indexer(folder.cache());
  scan(indexer, folder);
  CHECK(places(indexer, "from_cache")[0].starts_with("new.py"));
  CHECK(places(indexer, "from_cache").back() == "same.py:5");
  CHECK(places(indexer, "one").empty());
}

TEST_CASE("no damage to a cache does harm") {
  Folder folder;
  folder.write("a.py", "def one(): pass\n\nclass A:\n    def two(self): one()\n");
  {
    Indexer indexer(folder.cache());
    scan(indexer, folder);
  }
  const CachedFiles files = load_cache(folder.cache(), folder.work());
  const std::string good = encode(files);
  const auto again = decode(good);
  REQUIRE(again.has_value());
  CHECK(*again->at("a.py").symbols == *files.at("a.py").symbols);
  CHECK(again->at("a.py").stamp == files.at("a.py").stamp);
  for (size_t size = 0; size < good.size(); ++size) CHECK(!decode(good.substr(0, size)));
  CHECK(!decode(good + "x"));
  for (size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] ^= 0x41;
    CHECK(!decode(bad));
  }
  for (const auto& entry : fs::directory_iterator(folder.cache())) {
    std::ofstream(entry.path()) << "garbage";
  }
  Indexer indexer(folder.cache());
  scan(indexer, folder);
  CHECK(places(indexer, "two") == Places{"a.py:4"});
}

TEST_CASE("a home folder is not indexed") {
  Folder folder;
  folder.write("a.py", "def one(): pass\n");
  const char* home = std::getenv("HOME");
  const std::string before = home ? home : "";
  ::setenv("HOME", folder.work().c_str(), 1);
  Indexer indexer("");
  scan(indexer, folder);
  home ? ::setenv("HOME", before.c_str(), 1) : ::unsetenv("HOME");
  CHECK(places(indexer, "one").empty());
}

TEST_CASE("an indexer ends at once, whatever it is doing") {
  Folder folder;
  for (int i = 0; i < 300; ++i) {
    folder.write(std::to_string(i) + ".py", "def f" + std::to_string(i) + "(): pass\n");
  }
  for (int i = 0; i < 10; ++i) {
    Indexer indexer(folder.cache());
    indexer.set_roots({{"work", folder.work()}}, true);
    indexer.changed({"1.py", "none.py"});
    if (i % 2) std::this_thread::sleep_for(std::chrono::milliseconds(i));
  }
  Indexer indexer(folder.cache());
  std::stop_source stop;
  stop.request_stop();
  indexer.set_roots({{"work", folder.work()}}, true);
  indexer.wait(stop.get_token());  // returns
  REQUIRE(indexer.wait({}));
  CHECK(indexer.index()->size().files == 300);
}
