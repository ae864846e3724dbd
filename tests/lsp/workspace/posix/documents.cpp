#include "lsp/workspace/documents.h"

#include <doctest/doctest.h>

#include <random>
#include <set>

#include "agent/rpc/uri.h"

namespace bodkin::lsp {
namespace {

DidChangeParams change(const std::string& uri, Range range, std::string text) {
  return {uri, 1, {{range, std::move(text)}}};
}

TEST_CASE("a document is found under every spelling of its URI, and answers in the client's") {
  Documents documents;
  documents.add_folder({"file:///w/a%20b", "w"});
  documents.open({"file:///w/a b/x%3Ay.c", "c", "int x;\n", 1});
  const Document* document = documents.find("file:///w/a%20b/x:y.c");
  REQUIRE(document);
  CHECK(document->uri == "file:///w/a b/x%3Ay.c");
  CHECK(document->path == "x:y.c");
  CHECK(documents.uri_of(documents.roots().file_at("x:y.c")) == "file:///w/a b/x%3Ay.c");
  CHECK(documents.uri_of(documents.roots().file_at("other file.c")) ==
        "file:///w/a%20b/other%20file.c");
}

TEST_CASE("a file that was closed keeps the client's spelling") {
  Documents documents;
  documents.add_folder({"file:///w", "w"});
  const FileInFolder file = documents.roots().file_at("x:y.c");
  CHECK(documents.uri_of(file) == "file:///w/x%3Ay.c");
  documents.open({"file:///w/x:y.c", "c", "int x;\n", 1});
  documents.close("file:///w/x%3Ay.c");
  CHECK(!documents.find(file));
  CHECK(documents.uri_of(file) == "file:///w/x:y.c");
}

TEST_CASE("a file of a folder is the same one whatever folders come and go") {
  const Roots before{{"w", "/w"}};
  const Roots after{{"w", "/w"}, {"v", "/v"}};
  const FileInFolder file = before.file_at("src/a.c");
  CHECK(file == FileInFolder{"/w", "src/a.c"});
  CHECK(after.path_of(file) == "w/src/a.c");
  CHECK(Roots({{"v", "/v"}}).path_of(file) == "/w/src/a.c");
  CHECK(before.path_of(before.file_at("untitled:a.c")) == "untitled:a.c");
  CHECK(below("/w", "/wide/a.c") == FileInFolder{"", "/wide/a.c"});
  CHECK(below("/", "/w/a.c").full() == "/w/a.c");
}

TEST_CASE("with several folders a path begins with the folder's name") {
  Documents documents;
  documents.add_folder({"file:///one/app", "app"});
  documents.add_folder({"file:///two/lib", ""});
  CHECK(documents.path_of("file:///one/app/a.c") == "app/a.c");
  CHECK(documents.path_of("file:///two/lib/b.c") == "lib/b.c");
  CHECK(documents.path_of("file:///three/c.c") == "/three/c.c");
  CHECK(documents.path_of("untitled:Untitled-1") == "untitled:Untitled-1");
  CHECK(documents.roots().find("lib/b.c")->absolute == "/two/lib/b.c");
  documents.change_folders({{"file:///one/app", ""}}, {});
  CHECK(documents.path_of("file:///two/lib/b.c") == "b.c");
}

// What the folders' files are called, in the order of the folders.
std::vector<std::string> names_in(const Documents& documents) {
  std::vector<std::string> names;
  for (const Root& root : documents.roots()) names.push_back(root.name);
  return names;
}

TEST_CASE("folders of one name are told apart, in any order and in any case") {
  using Names = std::vector<std::string>;
  for (const auto& [folders, names] : std::vector<std::pair<std::vector<WorkspaceFolder>, Names>>{
           {{{"file:///one/src", "src"}, {"file:///two/src", "src"}}, {"one-src", "two-src"}},
           {{{"file:///one/src", ""}, {"file:///two/SRC/", "SRC"}}, {"one-src", "two-SRC"}},
           {{{"file:///x/a/src", ""}, {"file:///y/a/src", ""}}, {"x-a-src", "y-a-src"}},
           {{{"file:///src", ""}, {"file:///two/src", ""}}, {"src", "two-src"}},
           {{{"file:///a/src", ""}, {"file:///b/src", ""}, {"file:///c", "a-src"}},
            {"a-src-2", "b-src", "a-src"}},
           // No single part of a path, or none: the folder's own name.
           {{{"file:///one/src", "the/name"}, {"file:///two/lib", ".."}}, {"src", "lib"}},
           {{{"file:///one/src", ".GIT"}, {"file:///two/lib", "a\nb"}}, {"src", "lib"}},
           {{{"file:///", ""}, {"file:///w", "My Work"}}, {"folder", "My Work"}},
           // The same folder twice, and one that is not here.
           {{{"file:///one", ""}, {"file:///one/", ""}, {"vscode-remote://x/one", ""}}, {"one"}},
       }) {
    Documents documents;
    documents.change_folders({}, folders);
    CHECK(names_in(documents) == names);
  }
}

TEST_CASE("a folder keeps its name while others come and go") {
  Documents documents;
  documents.change_folders({}, {{"file:///one/src", "src"}, {"file:///lib", "lib"}});
  documents.open({"file:///one/src/a.c", "c", "a", 1});
  CHECK(documents.find("file:///one/src/a.c")->path == "src/a.c");
  documents.change_folders({}, {{"file:///two/src", "src"}});
  CHECK(documents.path_of("file:///one/src/a.c") == "src/a.c");
  CHECK(documents.path_of("file:///two/src/a.c") == "two-src/a.c");
  documents.change_folders({{"file:///one/src/", ""}}, {});
  CHECK(documents.path_of("file:///two/src/a.c") == "two-src/a.c");
  CHECK(documents.find("file:///one/src/a.c")->path == "/one/src/a.c");
}

TEST_CASE("a path means the same file as long as who has it keeps the roots") {
  Documents documents;
  documents.add_folder({"file:///one/src", "src"});
  const Roots before = documents.roots();
  documents.change_folders({{"file:///one/src", ""}}, {{"file:///two/src", "src"}});
  CHECK(documents.uri_of(before.file_at("a.c")) == "file:///one/src/a.c");
  CHECK(documents.uri_of(documents.roots().file_at("a.c")) == "file:///two/src/a.c");
}

TEST_CASE("a file in two folders has one path, the inner folder's") {
  const Roots roots{{"w", "/w"}, {"sub", "/w/sub"}};
  CHECK(roots.find_absolute("/w/sub/a.c")->path == "sub/a.c");
  CHECK(roots.find("w/sub/a.c")->path == "sub/a.c");
  CHECK(roots.find("w/b.c")->path == "w/b.c");
  const Roots all{{"all", "/"}, {"w", "/w"}};
  CHECK(all.find("all/w/a.c")->path == "w/a.c");
  CHECK(all.find("all/etc/x")->absolute == "/etc/x");
  CHECK(all.find_absolute("/etc/x")->path == "all/etc/x");
}

TEST_CASE("no two documents have the same path") {
  Documents documents;
  documents.add_folder({"file:///w", "w"});
  const std::vector<std::string> uris = {"file:///w/a.c",        "untitled:a.c",
                                         "untitled:/w/a.c",      "git:/w/a.c?x",
                                         "vscode-vfs://w/a.c",   "file:///w/untitled%3Aa.c",
                                         "file:///v/a.c",        "untitled:Untitled-1",
                                         "file:///w/Untitled-1", "file:///w/w/a.c"};
  std::set<std::string> paths;
  for (const std::string& uri : uris) {
    paths.insert(documents.path_of(uri));
    if (!uri.starts_with("file:") && !is_untitled(uri)) continue;  // no model has these
    CHECK(documents.is_uri_of(uri, documents.roots().file_at(documents.path_of(uri))));
  }
  CHECK(paths.size() == uris.size());
}

TEST_CASE("no path leads out of the workspace") {
  const Roots roots{{"w", "/w"}};
  CHECK(roots.find("a/../b.c")->absolute == "/w/b.c");
  CHECK(roots.find("/w/b.c")->absolute == "/w/b.c");
  for (const char* path : {"../b.c", "a/../../b.c", "/etc/passwd", "/w/../etc/passwd", "/ww/x"}) {
    CAPTURE(path);
    CHECK(!roots.find(path));
  }
  const Roots two{{"a", "/w/a"}, {"b", "/w/b"}};
  for (const char* path : {"a/../b/x", "x", "", "c/x", "A/x", "/w/x"}) {
    CAPTURE(path);
    CHECK(!two.find(path));
  }
}

TEST_CASE("a change is reported without what is equal at both ends") {
  Documents documents;
  documents.open({"file:///a", "c", "one\ntwo\nthree\n", 1});
  // A client that sends whole lines.
  const auto changes = documents.change(change("file:///a", {{1, 0}, {2, 0}}, "tWo\n"));
  REQUIRE(changes);
  CHECK(*changes == std::vector<Replacement>{{5, 1, "W"}});
  CHECK(documents.find("file:///a")->text.str() == "one\ntWo\nthree\n");
  // A client that sends the whole text.
  const auto whole = documents.change({"file:///a", 2, {{std::nullopt, "one\nthree\n"}}});
  REQUIRE(whole);
  REQUIRE(whole->size() == 1);
  CHECK((*whole)[0].text.empty());
  CHECK(documents.find("file:///a")->text.str() == "one\nthree\n");
}

TEST_CASE("a change never reports half a character") {
  const Replacement found = difference(Text("x\xC3\xA4y"), Text("x\xC3\xA5y"));
  CHECK(found == Replacement{1, 2, "\xC3\xA5"});
}

TEST_CASE(
    "a range that cannot be is refused, and the document is lost until its text comes again") {
  Documents documents;
  documents.open({"file:///a", "c", "one\n", 1});
  CHECK(!documents.change(change("file:///a", {{1, 0}, {0, 0}}, "x")));
  CHECK(documents.find("file:///a")->lost);
  CHECK(documents.change({"file:///a", 3, {{std::nullopt, "new"}}}));
  CHECK(!documents.find("file:///a")->lost);
  CHECK(!documents.change(change("file:///unknown", {{0, 0}, {0, 0}}, "x")));
}

TEST_CASE("random changes leave the same text as in a plain string") {
  std::mt19937 random(3);
  std::string plain = "alpha\nbeta\r\n\xC3\xA4\xF0\x9F\x98\x80\n";
  Documents documents;
  documents.set_encoding(Encoding::utf16);
  documents.open({"file:///a", "c", plain, 1});
  for (int i = 0; i < 2000; ++i) {
    const Text text(plain);
    const Position a = to_position(text, random() % (plain.size() + 1), Encoding::utf16);
    const Position b = to_position(text, random() % (plain.size() + 1), Encoding::utf16);
    const Range range{std::min(a, b), std::max(a, b)};
    static const char* const kTexts[] = {"", "x", "\n", "\xC3\xB6\r\n",
                                         "\xF0\x9F\x98\x80 and more\n"};
    const std::string with = kTexts[random() % 5];
    const size_t begin = to_offset(text, range.start, Encoding::utf16);
    const size_t end = to_offset(text, range.end, Encoding::utf16);
    plain.replace(begin, end - begin, with);
    REQUIRE(documents.change(change("file:///a", range, with)));
    REQUIRE(documents.find("file:///a")->text.str() == plain);
  }
}

TEST_CASE("URIs and paths are each other's inverse") {
  for (const char* path : {"/a/b.c", "/a b/\xC3\xA4%.c", "/x:y@z#?.c"}) {
    CHECK(path_of_uri(uri_of_path(path)) == path);
  }
  CHECK(!path_of_uri("http://x/y"));
  CHECK(!path_of_uri("file://server/share"));
  CHECK(path_of_uri("file://localhost/a") == "/a");
}

}  // namespace
}  // namespace bodkin::lsp
