#include "lsp/sessions/said_words.h"

#include <doctest/doctest.h>

#include <string>

using namespace bodkin;

namespace {

std::string streamed(const std::string& reply, size_t piece) {
  SaidWords said;
  std::string shown;
  for (size_t at = 0; at < reply.size(); at += piece) shown += said.add(reply.substr(at, piece));
  return shown + said.end();
}

const std::string kBlock = "<<<<<<< SEARCH\nint b;\n=======\nlong b;\n>>>>>>> REPLACE\n";

}  // namespace

TEST_CASE("of what streams in, edit blocks with their paths and fences are not shown") {
  const struct {
    const char* what;
    std::string reply, shown;
  } cases[] = {
      {"no edits", "One.\n\n```sh\nls -l\n```\n\nmake\nDone.",
       "One.\n\n```sh\nls -l\n```\n\nmake\nDone."},
      {"a block", "I widen b.\n\na.c\n" + kBlock + "\nThat was it.\n",
       "I widen b.\n\nThat was it.\n"},
      {"only a block", "a.c\n" + kBlock, ""},
      {"the path in the fence", "Wider:\n\n```c\na.c\n" + kBlock + "```\nThat was it.",
       "Wider:\n\nThat was it."},
      {"the fence below the path", "**`src/a.c`**:\n```c\n" + kBlock + "```\n\nSo.", "So."},
      {"two in one fence", "```\na.c\n" + kBlock + kBlock + "\nb.c\n" + kBlock + "```\nSo.", "So."},
      {"one word and a fence", "Sure!\n\n```c\na.c\n" + kBlock + "```\nSo.", "Sure!\n\nSo."},
      {"no extension", "Makefile\n" + kBlock + "So.", "So."},
      {"an illustration before", "```\nls -l\n```\na.c\n" + kBlock + "So.", "```\nls -l\n```\nSo."},
      {"a list of words", "one\ntwo\n\na.c\n" + kBlock + "So.", "one\ntwo\n\nSo."},
      {"dashes", "a.c\n------- SEARCH\nx\n=======\ny\n+++++++ REPLACE\nSo.", "So."},
      {"a patch", "So:\n*** Begin Patch\n*** Update File: a.c\n@@\n-x\n+y\n*** End Patch\n",
       "So:\n"},
      {"what only looks like one", "<<<<<<< HEAD\nx\n*** x ***\n--- a/a.c\n",
       "<<<<<<< HEAD\nx\n*** x ***\n--- a/a.c\n"},
      {"broken off", "So:\n\na.c\n<<<<<<< SEARCH\nint b;\n====", "So:\n\n"},
  };
  for (const auto& one : cases) {
    CAPTURE(one.what);
    for (const size_t piece : {size_t{1}, size_t{3}, size_t{17}, one.reply.size()})
      CHECK(streamed(one.reply, piece) == one.shown);
  }
}

TEST_CASE("of a reply that is broken off the beginning of an edit is not shown") {
  const std::pair<std::string, std::string> cases[] = {
      {"So:\n\na.c\n<<<<", "So:\n\n"},    {"So:\n\na.c", "So:\n\n"},
      {"So:\nMakefile\n<<<", "So:\n"},    {"So:\n```c\na.c\n", "So:\n"},
      {"So:\n*** Begin", "So:\n"},        {"So:\nDone.\n", "So:\nDone.\n"},
      {"I see that it", "I see that it"}, {"So:\n\na.", "So:\n\n"}};
  for (const auto& [reply, shown] : cases) {
    SaidWords said;
    std::string out = said.add(reply);
    out += said.break_off();
    CHECK(out == shown);
  }
}

TEST_CASE("words are shown as soon as they can belong to no block") {
  SaidWords said;
  CHECK(said.add("Wid") == "");
  CHECK(said.add("en b") == "Widen b");
  CHECK(said.add(" and") == " and");
  CHECK(said.add(" g") == " g");
}

TEST_CASE("what was not shown of an answer is its rest") {
  SaidWords said;
  said.add("I widen b.\n\na.c\n" + kBlock + "That was it.\n");
  said.end();
  CHECK(said.rest_of("I widen b.\n\nThat was it.") == "");
  CHECK(said.rest_of("I widen b.\n\nMore.\nThat was it.") == "More.\nThat was it.");
  said.note("More.");
  CHECK(said.rest_of("That was it.\nMore.") == "");
}
