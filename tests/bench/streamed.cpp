// What it costs to tell the complete edits of a reply of 1 MB that comes in pieces of 16 bytes.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "agent/placing/streamed_edits.h"

int main() {
  using Clock = std::chrono::steady_clock;
  constexpr size_t kSize = 1 << 20, kPiece = 16;
  const std::string block =
      "src/a.cpp\n<<<<<<< SEARCH\nint old = 1;\n=======\nint now = 1;\n>>>>>>> REPLACE\n\n";
  const std::string hunk = "@@ -10,3 +10,3 @@\n before\n-int old = 1;\n+int now = 1;\n after\n";
  const struct {
    const char* what;
    std::string head, part;
  } replies[] = {
      {"SEARCH blocks", "", block},
      {"one diff", "```diff\n--- a/a.c\n+++ b/a.c\n", hunk},
      {"one patch", "*** Begin Patch\n*** Update File: a.c\n", hunk},
      {"one long block", "a.c\n<<<<<<< SEARCH\n", "int a;\n"},
      {"prose", "", "It is what it is, and it is so in every line of this answer.\n"},
      {"one line", "", "0123456789abcdef"},
      {"hunk headers", "", "@@\n"},
      {"ends of blocks", "", ">>>>>>> REPLACE\n"},
      {"a block, then its ends", "a.c\n<<<<<<< SEARCH\na\n", ">>>>>>> REPLACE\n"},
      {"fences", "", "```\n"},
      {"fences that open", "", "a.c\n```c\n"},
      {"patches that begin", "", "*** Begin Patch\n"},
  };
  for (const auto& [what, head, part] : replies) {
    std::string reply = head;
    while (reply.size() < kSize) reply += part;
    bodkin::StreamedEdits edits;
    size_t told = 0;
    Clock::duration longest{};
    const auto begin = Clock::now();
    for (size_t i = 0; i < reply.size(); i += kPiece) {
      const auto before = Clock::now();
      told += edits.add(std::string_view(reply).substr(i, kPiece)).has_value();
      longest = std::max(longest, Clock::now() - before);
    }
    const auto ms = [](Clock::duration time) {
      return std::chrono::duration<double, std::milli>(time).count();
    };
    fmt::print("{:24} {:8.1f} ms, the longest piece {:7.2f} ms, told {:6} times\n", what,
               ms(Clock::now() - begin), ms(longest), told);
  }
}
