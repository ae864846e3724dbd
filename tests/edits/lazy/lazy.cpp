#include "edits/lazy/lazy.h"

#include <doctest/doctest.h>

#include <string>

using namespace bodkin;

namespace {

// The merged text, or the error.
std::string merged(std::string_view sketch, const std::string& file) {
  Text text(file);
  auto edits = merge_lazy(sketch, text);
  if (!edits) return for_model(edits.error());
  for (size_t i = edits->size(); i-- > 0;) {
    text = text.replace((*edits)[i].offset, (*edits)[i].length, (*edits)[i].text);
  }
  return text.str();
}

}  // namespace

TEST_CASE("an elision keeps what it stands for, with the file's own line ends") {
  const std::string file = "a\r\nb\r\nc\r\nd\r\ne\r\nf";
  CHECK(merged("// ... existing code ...\nc\nD\nd\n// ... existing code ...\n", file) ==
        "a\r\nb\r\nc\r\nD\r\nd\r\ne\r\nf");
  CHECK(merged("a\nB\nc\n# ... rest unchanged ...\n", file) == "a\r\nB\r\nc\r\nd\r\ne\r\nf");
  CHECK(merged("...\ne\nf(1)\n", file) == "a\r\nb\r\nc\r\nd\r\ne\r\nf(1)");
  CHECK(merged("...\ne\nG\n", file).starts_with("ambiguous"));
  CHECK(merged("...\ne\nf\ng\n", file) == "a\r\nb\r\nc\r\nd\r\ne\r\nf\r\ng");
  CHECK(merged("...\ne\n", file).starts_with("not_found"));  // nothing in it is new
}

TEST_CASE("a sketch that fits two places, or none, or forgot to elide is refused") {
  CHECK(merged("...\nx\ny\n...\n", "x\na\ny\n1\nx\nb\ny\n").starts_with("ambiguous"));
  CHECK(merged("...\na(2)\nx\n...\n", "a(1)\nx\nb\n").starts_with("ambiguous"));
  CHECK(merged("x\nnew\n", "1\n2\n3\n4\n5\n6\n7\n8\nx\n").starts_with("ambiguous"));
  CHECK(merged("...\nb\n...\na\n...\n", "a\nb\nc\n").starts_with("not_found"));
}

TEST_CASE("a byte order mark stays where it is") {
  CHECK(merged("A\nb\n...\n",
               "\xEF\xBB\xBF"
               "a\nb\nc\n") ==
        "\xEF\xBB\xBF"
        "A\nb\nc\n");
}

TEST_CASE("lines that a sketch puts into a block keep the sketch's indentation") {
  const std::string file = "def f():\n    a()\n    b()\n    c()\n    d()\n    e()\n    g()\n";
  CHECK(merged("# ...\n    a()\n    if x:\n        b()\n        c()\n        d()\n    e()\n# ...\n",
               file) ==
        "def f():\n    a()\n    if x:\n        b()\n        c()\n        d()\n    e()\n    g()\n");
}
