#include "lsp/documents.h"

#include <doctest/doctest.h>

#include <random>

#include "lsp/uri.h"

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
  CHECK(documents.uri_of("x:y.c") == "file:///w/a b/x%3Ay.c");
  CHECK(documents.uri_of("other file.c") == "file:///w/a%20b/other%20file.c");
}

TEST_CASE("with several folders a path begins with the folder's name") {
  Documents documents;
  documents.add_folder({"file:///one/app", "app"});
  documents.add_folder({"file:///two/lib", ""});
  CHECK(documents.path_of("file:///one/app/a.c") == "app/a.c");
  CHECK(documents.path_of("file:///two/lib/b.c") == "lib/b.c");
  CHECK(documents.path_of("file:///three/c.c") == "/three/c.c");
  CHECK(documents.path_of("untitled:Untitled-1") == "Untitled-1");
  CHECK(place_on_disk(roots_of(documents), "lib/b.c") == "/two/lib/b.c");
  documents.remove_folder("file:///one/app");
  CHECK(documents.path_of("file:///two/lib/b.c") == "b.c");
}

TEST_CASE("no path leads out of the workspace") {
  const std::vector<Root> roots{{"w", "/w"}};
  CHECK(place_on_disk(roots, "a/../b.c") == "/w/b.c");
  CHECK(place_on_disk(roots, "/w/b.c") == "/w/b.c");
  for (const char* path :
       {"../b.c", "a/../../b.c", "/etc/passwd", "/w/../etc/passwd", "", "/ww/x"}) {
    CAPTURE(path);
    CHECK(!place_on_disk(roots, path));
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
