#include "edits/suggest/region_change.h"

#include <doctest/doctest.h>

#include <string>

#include "edits/place/write.h"

using namespace bodkin;

namespace {

const Text kFile(
    "import os\n"              // 1
    "\n"                       // 2
    "def load(path):\n"        // 3
    "    check(path)\n"        // 4
    "    data = read(path)\n"  // 5
    "    close(path)\n"        // 6
    "    return data\n"        // 7
    "\n"                       // 8
    "def save(path):\n"        // 9
    "    check(path)\n"        // 10
    "    write(path)\n");      // 11

// What the file becomes if lines [first, last] from 1 are written anew as `reply`; "": unchanged.
std::string after(size_t first, size_t last, const std::string& reply, bool is_cut = false) {
  const auto edits = region_change(kFile, {{first - 1, last}, lines_of(reply), is_cut});
  return edits.empty() ? "" : with_edits(kFile, edits).str();
}

std::string with_line(const std::string& old, const std::string& now) {
  std::string text = kFile.str();
  return text.replace(text.find(old), old.size(), now);
}

const std::string kWanted = with_line("    data = read(path)\n", "    data = read(path, True)\n");
const std::string kHead = "def load(path):\n    check(path)\n";
const std::string kNew = "    data = read(path, True)\n";
const std::string kTail = "    close(path)\n    return data\n";

}  // namespace

TEST_CASE("a region that was written anew changes what differs in it") {
  CHECK(after(3, 7, kHead + kNew + kTail) == kWanted);
  CHECK(after(3, 7, kHead + "    data = read(path)\n" + kTail) == "");
  // A line that is new, and one that goes.
  CHECK(after(3, 7, kHead + "    data = read(path)\n    log(path)\n" + kTail) ==
        with_line("    close(path)\n", "    log(path)\n    close(path)\n"));
  CHECK(after(3, 7, kHead + "    data = read(path)\n    return data\n") ==
        with_line("    close(path)\n", ""));
}

TEST_CASE("lines that are missing at an end of the region stay") {
  CHECK(after(3, 7, kHead + kNew + "    close(path)\n") == kWanted);
  CHECK(after(3, 7, "    check(path)\n" + kNew + kTail) == kWanted);
  CHECK(after(3, 7, kHead + kNew + "    close(pa", true) == kWanted);
  CHECK(after(3, 7, kHead) == "");
}

TEST_CASE("a reply may run on into the lines around the region") {
  CHECK(after(3, 7, kHead + kNew + kTail + "\ndef save(path):\n    check(path)\n") == kWanted);
  CHECK(after(4, 7, "import os\n\n" + kHead + kNew + kTail) == kWanted);
  CHECK(after(5, 6, kHead + kNew + kTail) == kWanted);
}

TEST_CASE("a change at an end of the region counts only if it is no slip") {
  // The last line became another one.
  CHECK(after(3, 5, kHead + kNew) == kWanted);
  // Two lines for one: the model may have gone on with something else.
  CHECK(after(3, 5, kHead + "    log(path)\n    other = 1\n") == "");
  // What comes behind the last line stands there already, or may not be all.
  CHECK(after(3, 4, kHead + "    data = read(path)\n") == "");
  CHECK(after(9, 11, "def save(path):\n    check(path)\n    write(path)\n    more()\n") == "");
}

TEST_CASE("half of what is meant is no change") {
  const std::string now = kFile.str() + "\ndef last():\n    old()\n\n";
  const Text file(now);
  const auto edits = region_change(
      file, {{11, 15}, lines_of("\ndef last():\n\n    new()\n\n    more()\n"), false});
  CHECK(edits.empty());
  // One change, and another text at the end.
  CHECK(after(3, 6, kHead + kNew + "    log(path)\n    other = 1\n") == "");
}

TEST_CASE("a blank line before the first marker of a region is none") {
  CHECK(after(3, 7, "\n" + kHead + kNew + kTail) == kWanted);
}

TEST_CASE("much that is added to a region that stays is a change") {
  std::string much;
  for (int i = 0; i < 20; ++i) much += "    step(" + std::to_string(i) + ")\n";
  CHECK(after(3, 7, kHead + much + "    data = read(path)\n" + kTail) ==
        with_line("    data = read(path)\n", much + "    data = read(path)\n"));
}

TEST_CASE("another text is no change") {
  CHECK(after(3, 7, "class Other:\n    pass\n\n    x = 1\n    y = 2\n") == "");
  CHECK(after(3, 7, "I would add a parameter to read.\n") == "");
  CHECK(after(3, 7, "") == "");
}

TEST_CASE("what continues at the cursor ends where the file goes on") {
  const Text file("def f(a, b):\n    return max()\n\nprint(1)\n");
  const auto put = [&](const std::string& written, bool is_cut = false) {
    const size_t cursor = file.str().find(")\n\n");
    const auto edits = insertion_at(file, cursor, written, is_cut);
    return edits.empty() ? "" : edits[0].text;
  };
  CHECK(put("a, b") == "a, b");
  CHECK(put("a, b)") == "a, b");
  CHECK(put("a, b)\n\nprint(1)\n") == "a, b");
  CHECK(put("a, b)\n\nprint(2)\n") == "a, b)\n\nprint(2");
  CHECK(put("a, b)\n\npri", true) == "a, b");
  CHECK(put("") == "");
}
