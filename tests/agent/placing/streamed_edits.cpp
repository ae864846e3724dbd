#include "agent/placing/streamed_edits.h"

#include <doctest/doctest.h>

#include <vector>

using namespace bodkin;

namespace {

// What is told of a reply that comes in pieces of `size` bytes.
std::vector<std::string> told(std::string_view reply, size_t size) {
  StreamedEdits edits;
  std::vector<std::string> all;
  for (size_t i = 0; i < reply.size(); i += size)
    if (auto text = edits.add(reply.substr(i, size))) all.push_back(*text);
  return all;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "; ";
  return text;
}

std::string block(const std::string& path) {
  return (path.empty() ? "" : path + "\n") + "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n";
}

}  // namespace

TEST_CASE("each edit is told when it is complete, however the reply is cut into pieces") {
  struct Case {
    std::string reply;
    std::vector<std::string> told;
  };
  const Case cases[] = {
      {"I change it.\n\n" + block("a.c") + "\nand\n\n" + block("b.c") + block(""),
       {"a.c: 1 edit", "b.c: 1 edit", "b.c: 2 edits"}},
      {"a.c\n```c\n" + block("") + "```\n\nb.c\n```c\n" + block("") + "```\n",
       {"a.c: 1 edit", "b.c: 1 edit"}},
      {"*** Begin Patch\n*** Update File: a.c\n@@\n-a\n+b\n@@\n-c\n+d\n*** Update File: "
       "b.c\n@@\n-e\n"
       "+f\n*** Add File: c.c\n+x\n*** End Patch\n",
       {"a.c: 1 edit", "a.c: 2 edits", "b.c: 1 edit", "c.c: 1 edit"}},
      {"```diff\n--- a/a.c\n+++ b/a.c\n@@ -1,1 +1,1 @@\n-a\n+b\n@@ -9,1 +9,1 @@\n-c is a longer "
       "line\n+d is another one\n```\nBye.\n",
       {"a.c: 1 edit", "a.c: 2 edits"}},
      {"a.c\n<<<<<<< SEARCH\na\n=======\nb\n", {}},
      {"a.c\n```c\nint a;\n```\nIt is only shown.\n", {}},
      {"No edit:\n\n```sh\n$ patch -p1 < x.diff\n```\n\n1,2c3\n< a\n---\n> b\n", {}},
  };
  for (const Case& one : cases) {
    CAPTURE(one.reply);
    for (const size_t size : {1, 16}) CHECK(joined(told(one.reply, size)) == joined(one.told));
  }
}

TEST_CASE("what is told of a reply in one piece is how many edits each file has") {
  CHECK(joined(told(block("a.c") + block("b.c") + block("a.c"), 1 << 20)) ==
        "a.c: 2 edits, b.c: 1 edit; ");
}
