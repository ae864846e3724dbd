// A document behind links, symbolic and hard.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "lsp/workspace/documents.h"
#include "lsp/workspace/editor_workspace.h"

namespace bodkin::lsp {
namespace {

namespace fs = std::filesystem;

struct LinkedFolder {
  LinkedFolder() {
    char name[] = "/tmp/bodkin-documents-XXXXXX";
    top = fs::canonical(::mkdtemp(name)).string();
    fs::create_directories(top + "/real/lib");
    for (const char* file : {"/real/a.py", "/real/b.py", "/real/lib/c.py"})
      std::ofstream(top + file) << "x\n";
    fs::create_directory_symlink("real", top + "/link");
    fs::create_directory_symlink("lib", top + "/real/near");
    fs::create_symlink("a.py", top + "/real/other.py");
    fs::create_symlink("real/b.py", top + "/outside.py");
    fs::create_hard_link(top + "/real/lib/c.py", top + "/real/lib/C.py");
    fs::create_hard_link(top + "/real/lib/c.py", top + "/real/lib/hard.py");
  }
  ~LinkedFolder() { fs::remove_all(top); }
  LinkedFolder(const LinkedFolder&) = delete;
  std::string top;
};

TEST_CASE("a file is one document, however its path leads to it") {
  const LinkedFolder made;
  struct Row {
    std::string folder, opened, path, asked;
  };
  for (const Row& row :
       {Row{"link", "real/a.py", "a.py", "a.py"}, Row{"real", "link/a.py", "a.py", "a.py"},
        Row{"real", "outside.py", "b.py", "b.py"},
        Row{"link", "real/near/c.py", "lib/c.py", "near/c.py"},
        Row{"real", "real/other.py", "other.py", "a.py"},
        Row{"real", "real//lib/./c.py", "lib/c.py", "near/c.py"},
        Row{"real", "real/lib/C.py", "lib/C.py", "lib/c.py"}}) {
    CAPTURE(row.opened);
    Documents documents;
    documents.add_folder({"file://" + made.top + "/" + row.folder, "w"});
    const std::string uri = "file://localhost" + made.top + "/" + row.opened;
    documents.open({uri, "python", "unsaved\n", 3});
    const FileInFolder file = documents.roots().file_at(row.asked);
    REQUIRE(documents.find(file));
    CHECK(documents.find(file)->path == row.path);
    CHECK(documents.uri_of(file) == uri);
    CHECK(documents.is_uri_of("file://" + made.top + "/" + row.opened, file));
    EditorWorkspace workspace(documents);
    const auto snapshot = workspace.read(row.asked, {});
    REQUIRE(snapshot);
    CHECK(snapshot->text.str() == "unsaved\n");
    CHECK(snapshot->version == 3);
    documents.close(uri);
    CHECK(!documents.find(file));
  }
}

TEST_CASE(
    "a file that is open under two names is the one that is named; hard links are two files") {
  const LinkedFolder made;
  Documents documents;
  documents.add_folder({"file://" + made.top + "/real", "w"});
  documents.open({"file://" + made.top + "/real/other.py", "python", "by the link\n", 1});
  documents.open({"file://" + made.top + "/real/a.py", "python", "itself\n", 1});
  documents.open({"file://" + made.top + "/real/lib/hard.py", "python", "hard\n", 1});
  const auto text_of = [&](const char* path) {
    const Document* found = documents.find(documents.roots().file_at(path));
    return found ? found->text.str() : "not open";
  };
  CHECK(text_of("a.py") == "itself\n");
  CHECK(text_of("other.py") == "by the link\n");
  CHECK(text_of("lib/c.py") == "not open");
}

}  // namespace
}  // namespace bodkin::lsp
