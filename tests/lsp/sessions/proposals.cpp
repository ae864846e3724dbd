#include "lsp/sessions/proposals.h"

#include <doctest/doctest.h>

#include <random>

#include "lsp/sessions/changed_files.h"
#include "lsp/sessions/hunk_tracking.h"
#include "lsp/workspace/documents.h"

namespace bodkin::lsp {
namespace {

using State = ProposedHunk::State;

Proposal proposal_of(const std::string& before, const std::string& after) {
  ChangedFile file;
  file.path = "a.c";
  file.before = Text(before);
  file.after = Text(after);
  Proposal proposal;
  proposal.files = proposed_files({file}, {});
  return proposal;
}

// One notification of one change: replaces the first `what` in the text.
void type(ProposedFile& file, const std::string& what, const std::string& with) {
  const size_t at = file.text.str().find(what);
  REQUIRE(at != std::string::npos);
  track(file, {at, what.size(), with});
  update_hunks(file, was_seen);
}

const std::string kBefore = "a\nb\nc\nd\ne\n";
const std::string kAfter = "a\nB\nc\nd\nE\nF\n";

TEST_CASE("each run of changed lines is a hunk") {
  const Proposal proposal = proposal_of(kBefore, kAfter);
  REQUIRE(proposal.hunk_count() == 2);
  const auto& hunks = proposal.files[0].hunks;
  CHECK(hunks[0].old_text == "b\n");
  CHECK(hunks[0].new_text == "B\n");
  CHECK(hunks[1].old_text == "e\n");
  CHECK(hunks[1].new_text == "E\nF\n");
  CHECK(offer_of(proposal.files[0], nullptr).text.str() == kAfter);
}

TEST_CASE("typing above moves the hunks, typing below and between does not touch them") {
  Proposal proposal = proposal_of(kBefore, kAfter);
  ProposedFile& file = proposal.files[0];
  type(file, "a\n", "new\nlines\na\n");
  type(file, "c\n", "c, changed\n");
  track(file, {file.text.size(), 0, "more\n"});
  update_hunks(file, was_seen);
  CHECK(proposal.count(State::pending) == 2);
  CHECK(offer_of(file, nullptr).text.str() == "new\nlines\na\nB\nc, changed\nd\nE\nF\nmore\n");
}

TEST_CASE("typing inside a hunk makes it stale, typing it back makes it good again") {
  Proposal proposal = proposal_of(kBefore, kAfter);
  ProposedFile& file = proposal.files[0];
  type(file, "b", "bb");
  CHECK(file.hunks[0].state == State::stale);
  CHECK(file.hunks[1].state == State::pending);
  update_state(proposal);
  CHECK(proposal.state == Proposal::State::ready);
  type(file, "bb", "b");
  CHECK(file.hunks[0].state == State::pending);
  CHECK(offer_of(file, nullptr).text.str() == kAfter);
}

const std::string kFunctions =
    "import math\n\ndef area(r):\n    return r * r\n\n\ndef square(a):\n    return a * a\n";
const std::string kDocumented =
    "import math\n\ndef area(r):\n    return r * r\n\n\ndef square(a):\n    \"\"\"Squares "
    "it.\"\"\"\n    return a * a\n";

TEST_CASE("lines that replace none go where they were proposed, or are stale until that is back") {
  const std::string head = "def square(a):\n", body = "    return a * a\n";
  const std::string end = kFunctions.substr(kFunctions.find(head));
  for (const auto& [gone, with] :
       std::vector<std::pair<std::string, std::string>>{{head, ""},          // dd above
                                                        {body, ""},          // dd below
                                                        {end, ""},           // both
                                                        {end, body + head},  // swapped
                                                        {"(a):\n    return", "(a): return"},  // J
                                                        {"\n\n" + head, "\n"}}) {
    CAPTURE(gone);
    CAPTURE(with);
    Proposal proposal = proposal_of(kFunctions, kDocumented);
    ProposedFile& file = proposal.files[0];
    REQUIRE(file.hunks[0].old_text.empty());
    type(file, gone, with);
    CHECK(file.hunks[0].state == State::stale);
    const size_t at = kFunctions.find(gone);
    track(file, {at, with.size(), gone});
    update_hunks(file, was_seen);
    CHECK(file.hunks[0].state == State::pending);
    CHECK(offer_of(file, nullptr).text.str() == kDocumented);
  }
}

TEST_CASE("lines that replace none move with those beside them") {
  Proposal proposal = proposal_of(kFunctions, kDocumented);
  ProposedFile& file = proposal.files[0];
  const std::string function = "def square(a):\n    return a * a\n";
  type(file, function, "");
  CHECK(file.hunks[0].state == State::stale);
  track(file, {0, 0, function});
  update_hunks(file, was_seen);
  CHECK(file.hunks[0].state == State::pending);
  CHECK(offer_of(file, nullptr)
            .text.str()
            .starts_with("def square(a):\n    \"\"\"Squares it.\"\"\"\n    return a * a\n"));
}

TEST_CASE("lines that replace none stay in place while what is beside them is edited") {
  Proposal proposal = proposal_of(kFunctions, kDocumented);
  ProposedFile& file = proposal.files[0];
  type(file, "square", "squared");
  type(file, "def squared(a):\n", "def squared(n):\n");
  type(file, "a * a\n", "n * n\n    # more\n");
  type(file, "import math\n\n", "");
  CHECK(offer_of(file, nullptr).text.str() ==
        "def area(r):\n    return r * r\n\n\ndef squared(n):\n    \"\"\"Squares it.\"\"\"\n"
        "    return n * n\n    # more\n");
  track(file, {0, file.text.size(), file.text.str()});  // a filter
  update_hunks(file, was_seen);
  CHECK(file.hunks[0].state == State::pending);
  CHECK(offer_of(file, nullptr).text.str().find("squared(n):\n    \"\"\"") != std::string::npos);
}

// What is applied, and then changed as a whole by somebody else in one notification.
Proposal applied_and_then(const std::string& before, const std::string& after,
                          const std::string& then, bool at_once) {
  Proposal proposal = proposal_of(before, after);
  ProposedFile& file = proposal.files[0];
  file.offered = offer_of(file, nullptr);
  if (!at_once) {
    track(file, difference(file.text, Text(after)));
    update_hunks(file, was_seen);
    REQUIRE(proposal.count(State::applied) == proposal.hunk_count());
  }
  track(file, difference(file.text, Text(then)));
  update_hunks(file, was_seen);
  return proposal;
}

TEST_CASE("what a formatter makes of an applied change is applied, and can be undone") {
  const std::string before = "def f(a,b):\n    return a+b\n\n\nx=['q']\n";
  const std::string after = "def f(a,b):\n    return a-b\n\n\nx=['q', 'r']\n";
  for (const char* then : {"def f(a, b):\n    return a - b\n\n\nx = [\"q\", \"r\"]\n",
                           "def f(a, b):\n  return a - b\n\nx = [\n  'q',\n  'r',\n];\n",
                           "def f(a,b):\n    return a -b\n\n\nx=['q', 'r']\n"}) {
    for (const bool at_once : {false, true}) {
      CAPTURE(then);
      CAPTURE(at_once);
      const Proposal proposal = applied_and_then(before, after, then, at_once);
      CHECK(proposal.count(State::applied) == 2);
      CHECK(proposal.files[0].text.str() == then);
      const auto reverse = reverse_of(proposal);
      REQUIRE(reverse);
      const std::string undone = offer_of(reverse->proposal.files[0], nullptr).text.str();
      CHECK(undone.find("    return a+b\n") != std::string::npos);
      CHECK(undone.find("x=['q']\n") != std::string::npos);
      CHECK(undone.find("a - b") == std::string::npos);
    }
  }
}

TEST_CASE("a change that is more than formatting, or of which it cannot be told, is not applied") {
  const std::string before = "a(1)\nb\n", after = "a(2)\nb\n";
  CHECK(applied_and_then(before, after, "a(3)\nb\n", false).count(State::stale) == 1);
  CHECK(applied_and_then(before, after, "a(3)\nb\n", true).count(State::applied) == 0);
  // Only the white space was to change: that of others is none of it.
  CHECK(applied_and_then("a\n", "  a\n", " a\n", true).count(State::applied) == 0);
  CHECK(applied_and_then("a\n", "  a\n", "    a\n", false).count(State::applied) == 0);
}

TEST_CASE("the refusal names the lines whose text has changed") {
  Proposal proposal = proposal_of(kBefore, kAfter);
  CHECK(changed_places(proposal, nullptr).empty());
  type(proposal.files[0], "b\n", "bb\n");
  CHECK(changed_places(proposal, nullptr) == "line 2 of a.c");
  CHECK(why_not_applicable(proposal, nullptr)->find("(line 2 of a.c)") != std::string::npos);
  type(proposal.files[0], "e\n", "ee\n");
  CHECK(changed_places(proposal, nullptr) == "line 2 of a.c and 1 other place");
  const std::vector<size_t> only = {1};
  CHECK(changed_places(proposal, &only) == "line 5 of a.c");
}

TEST_CASE("typing at the beginning of the hunk's line is inside of it") {
  Proposal proposal = proposal_of(kBefore, kAfter);
  track(proposal.files[0], {2, 0, "x"});
  update_hunks(proposal.files[0], was_seen);
  CHECK(proposal.files[0].hunks[0].state == State::stale);
}

TEST_CASE("joining the line above with the hunk's line makes it stale") {
  Proposal proposal = proposal_of(kBefore, kAfter);
  track(proposal.files[0], {1, 1, ""});
  update_hunks(proposal.files[0], was_seen);
  CHECK(proposal.files[0].hunks[0].state == State::stale);
}

TEST_CASE(
    "a hunk that the editor took is seen as applied, its undo as a refusal, its redo as applied") {
  Proposal proposal = proposal_of(kBefore, kAfter);
  ProposedFile& file = proposal.files[0];
  type(file, "e", "E\nF");
  CHECK(file.hunks[1].state == State::applied);
  update_state(proposal);
  CHECK(proposal.state == Proposal::State::partly);
  type(file, "E\nF", "e");
  CHECK(file.hunks[1].state == State::discarded);
  update_state(proposal);
  CHECK(proposal.state == Proposal::State::ready);  // the other hunk waits
  CHECK(offer_of(file, nullptr).text.str() == "a\nB\nc\nd\ne\n");
  type(file, "b\n", "B\n");
  type(file, "e\n", "E\nF\n");
  CHECK(file.hunks[1].state == State::applied);
  update_state(proposal);
  CHECK(proposal.state == Proposal::State::applied);
}

TEST_CASE(
    "a text that was typed, or is another proposal's, is not applied by equalling the new one") {
  Proposal proposal = proposal_of(kBefore, kAfter);
  ProposedFile& file = proposal.files[0];
  type(file, "e", "E");
  type(file, "E\n", "E\nF\n");
  CHECK(file.hunks[1].state == State::stale);
  track(file, {2, 1, "B"});
  update_hunks(file, [](const ProposedHunk&) { return false; });
  CHECK(file.hunks[0].state == State::stale);
  type(file, "B", "b");
  CHECK(file.hunks[0].state == State::pending);
}

TEST_CASE("an inserted line that the editor reports some equal lines away is still the hunk") {
  Proposal proposal = proposal_of("{\n}\n}\nend\n", "{\n}\n}\n}\nend\n");
  ProposedFile& file = proposal.files[0];
  track(file, {1, 0, "\n}"});
  update_hunks(file, was_seen);
  CHECK(file.hunks[0].state == State::applied);
}

TEST_CASE("however the editor cuts the edit into changes, the whole is seen as applied") {
  Proposal proposal = proposal_of(kBefore, kAfter);
  ProposedFile& file = proposal.files[0];
  file.offered = offer_of(file, nullptr);
  track(file, {2, 8, "B\nc\nd\nE\nF\n"});
  update_hunks(file, was_seen);
  CHECK(proposal.count(State::applied) == 2);
  CHECK(file.text.str() == kAfter);
  type(file, "B", "b");
  CHECK(file.hunks[0].state == State::discarded);
}

TEST_CASE("one change that takes several hunks back, or brings them, is seen as that") {
  // The editor reports what lies between them, too; and the user has typed elsewhere meanwhile.
  struct Case {
    std::string before, after;
  };
  const Case cases[] = {
      {kBefore, kAfter},
      {"a\nb\nc\nd\ne\nf\ng\n", "a\nB\nc\nD\ne\nF\ng\n"},
      {"{\n}\nx\n{\n}\n", "{\n}\n}\nx\n{\n}\n}\n"},  // lines added beside equal ones
      {"{\n}\n}\nx\n{\n}\n}\n", "{\n}\nx\n{\n}\n"},
  };
  for (const Case& each : cases) {
    CAPTURE(each.after);
    Proposal proposal = proposal_of(each.before, each.after);
    ProposedFile& file = proposal.files[0];
    REQUIRE(file.hunks.size() > 1);
    const auto becomes = [&](const std::string& text) {
      track(file, difference(file.text, Text(text)));
      update_hunks(file, was_seen);
      update_state(proposal);
    };
    becomes(each.after);
    CHECK(proposal.state == Proposal::State::applied);
    becomes(each.after + "typed\n");
    becomes("typed\n" + each.after + "typed\n");
    becomes("typed\n" + each.before + "typed\n");
    CHECK(proposal.count(State::applied) == 0);
    CHECK(proposal.count(State::stale) == 0);
    CHECK(proposal.state == Proposal::State::discarded);
    becomes("typed\n" + each.after + "typed\n");
    CHECK(proposal.state == Proposal::State::applied);
    for (const ProposedHunk& hunk : file.hunks) {
      CHECK(file.text.substr(hunk.begin, hunk.end - hunk.begin) == hunk.new_text);
    }
  }
}

TEST_CASE("the last line's undo is seen as Neovim reports it, with another newline than its own") {
  Proposal proposal = proposal_of("c\nd = 4\n", "c\nd = 40\n");
  ProposedFile& file = proposal.files[0];
  for (const Replacement& change : {Replacement{7, 0, "0\n"}, {9, 1, ""}, {9, 0, "\n"}}) {
    track(file, change);
    update_hunks(file, [](const ProposedHunk&) { return true; });  // it was asked to apply it
  }
  CHECK(file.text.str() == "c\nd = 40\n\n");
  CHECK(file.hunks[0].state == State::applied);
  track(file, {7, 2, ""});
  update_hunks(file, was_seen);
  CHECK(file.text.str() == "c\nd = 4\n");
  CHECK(file.hunks[0].state == State::discarded);
  CHECK(file.hunks[0].end == file.text.size());
}

TEST_CASE("one change that does something besides does not pass as the hunks' undo") {
  Proposal proposal = proposal_of(kBefore, kAfter);
  ProposedFile& file = proposal.files[0];
  track(file, difference(file.text, Text(kAfter)));
  update_hunks(file, was_seen);
  CHECK(proposal.count(State::applied) == 2);
  track(file, difference(file.text, Text("a\nb\nc\nD\ne\n")));
  update_hunks(file, was_seen);
  CHECK(proposal.count(State::stale) == 2);
}

TEST_CASE("what takes a proposal back: texts, and files that came, went or moved") {
  const auto file_of = [](const char* path, std::optional<const char*> before,
                          std::optional<const char*> after, std::optional<std::string> to = {}) {
    ChangedFile file;
    file.path = path;
    if (before) file.before = Text(*before);
    if (after) file.after = Text(*after);
    file.rename_to = std::move(to);
    return file;
  };
  Proposal proposal;
  proposal.title = "All";
  proposal.files = proposed_files(
      {file_of("made.c", std::nullopt, "new\n"), file_of("gone.c", "old\n", std::nullopt),
       file_of("from.c", "a\nb\n", "a\nB\n", "to.c"), file_of("kept.c", "x\n", "y\n")},
      {});
  CHECK(!reverse_of(proposal).has_value());  // nothing is applied
  CHECK(named(proposal) == "“All” (made.c, gone.c, from.c and 1 other file)");
  for (ProposedFile& file : proposal.files) {
    if (file.moved_to) adopt_new_name(file);
    file.offered = offer_of(file, nullptr);
    file.text = file.offered->text;
    update_hunks(file, [](const ProposedHunk&) { return true; });
  }
  update_state(proposal);
  REQUIRE(proposal.state == Proposal::State::applied);

  const auto reverse = reverse_of(proposal);
  REQUIRE(reverse.has_value());
  CHECK(reverse->moves_files);
  CHECK(reverse->hunks.size() == 4);
  const auto& files = reverse->proposal.files;
  CHECK(files[0].kind == ProposedFile::Kind::remove);
  CHECK(files[1].kind == ProposedFile::Kind::create);
  CHECK(offer_of(files[1], nullptr).text.str() == "old\n");
  CHECK(files[2].name.path == "to.c");
  CHECK(files[2].moved_to.value().path == "from.c");
  CHECK(offer_of(files[2], nullptr).text.str() == "a\nb\n");
  CHECK(offer_of(files[3], nullptr).text.str() == "x\n");

  // By file: a created one that was written in since is not deleted, and named.
  track(proposal.files[0], {0, 0, "mine\n"});
  update_hunks(proposal.files[0], was_seen);
  const auto rest = reverse_of(proposal);
  REQUIRE(rest.has_value());
  CHECK(rest->left_out == std::vector<std::string>{"made.c"});
  CHECK(rest->hunks.size() == 3);
  CHECK(rest->proposal.files[0].hunks[0].state == State::discarded);
  // If that is all of it, it is refused.
  for (size_t i : {1, 2, 3}) {
    for (ProposedHunk& hunk : proposal.files[i].hunks) hunk.state = State::discarded;
    proposal.files[i].moved_from.reset();  // and it has its old name
  }
  const auto refused = reverse_of(proposal);
  REQUIRE(!refused.has_value());
  CHECK(refused.error().code == Error::Code::stale);
  CHECK(refused.error().message.find("made.c") != std::string::npos);
}

TEST_CASE("a file that is to be removed is stale once anything has come to it") {
  const auto removal_of = [](const std::string& text) {
    ChangedFile file;
    file.path = "t.c";
    file.before = Text(text);
    return proposed_files({file}, {}).at(0);
  };
  const std::string more = "int mine;\n";
  for (const std::string text : {"int a;\nint b;\n", "int a;", ""}) {
    for (const size_t at : {size_t{0}, text.size()}) {
      ProposedFile file = removal_of(text);
      track(file, {at, 0, more});
      update_hunks(file, was_seen);
      CHECK(file.hunks[0].state == State::stale);
      track(file, {at, more.size(), ""});
      update_hunks(file, was_seen);
      CHECK(file.hunks[0].state == State::pending);
    }
  }
}

TEST_CASE("a file that moves is not removed alone") {
  ChangedFile file;
  file.path = "t.c";
  file.before = Text("a\n");
  file.after = Text("a\n");
  file.rename_to = "u.c";
  Proposal proposal;
  proposal.files = proposed_files({file}, {});
  const std::vector<size_t> made{0}, gone{1};
  CHECK(!why_not_applicable(proposal, nullptr));
  CHECK(!why_not_applicable(proposal, &made));
  CHECK(why_not_applicable(proposal, &gone));
  proposal.files[0].hunks[0].state = State::discarded;
  CHECK(why_not_applicable(proposal, nullptr));
}

TEST_CASE("a change across a border makes stale only what it touches") {
  Proposal proposal = proposal_of(kBefore, kAfter);
  ProposedFile& file = proposal.files[0];
  track(file, {0, 3, "?"});
  update_hunks(file, was_seen);
  CHECK(file.hunks[0].state == State::stale);
  CHECK(file.hunks[1].state == State::pending);
  CHECK(offer_of(file, nullptr).text.str() == "?\nc\nd\nE\nF\n");
}

TEST_CASE("a line that goes or comes above a hunk is not in it, though the two begin alike") {
  Proposal proposal = proposal_of("int a;\nint c;\nint d;\n", "int a;\nint c;\nint d0;\nint d;\n");
  ProposedFile& file = proposal.files[0];
  type(file, "int d;\n", "int d0;\nint d;\n");
  REQUIRE(file.hunks[0].state == State::applied);
  type(file, "c;\nint ", "");  // as it is reported that "int c;\n" went
  CHECK(file.text.str() == "int a;\nint d0;\nint d;\n");
  CHECK(file.hunks[0].state == State::applied);
  const size_t at = file.text.str().find("d0");
  track(file, {at, 0, "c;\nint "});
  update_hunks(file, was_seen);
  CHECK(file.text.str() == "int a;\nint c;\nint d0;\nint d;\n");
  CHECK(file.hunks[0].state == State::applied);
  CHECK(file.text.substr(file.hunks[0].begin, file.hunks[0].end - file.hunks[0].begin) ==
        "int d0;\n");
}

TEST_CASE("lines that come and go again leave every change as it was") {
  // Neovim reports what differs between two texts, which may be a part of each of two equal lines.
  struct Case {
    std::string before, after;
  };
  const Case cases[] = {{kBefore, kAfter},
                        {kFunctions, kDocumented},
                        {"a\na\nb\nb\n", "a\na\nB\nb\n"},
                        {"x = 1\nx = 2\n", "x = 1\nx = 3\n"},
                        {"x = 1\nx = 2\n", "import x\nx = 1\nx = 2\n"}};
  std::mt19937 random(5);
  for (const Case& each : cases) {
    for (int round = 0; round < 300; ++round) {
      Proposal proposal = proposal_of(each.before, each.after);
      ProposedFile& file = proposal.files[0];
      std::vector<std::string> texts{each.before};
      for (int i = 0; i < 3; ++i) {
        std::string text = texts.back();
        const Text now(text);
        const size_t line = random() % now.line_count(), at = now.line_begin(line);
        const size_t end = line + 1 < now.line_count() ? now.line_begin(line + 1) : now.size();
        const std::string own = text.substr(at, end - at);
        switch (random() % 4) {
          case 0:
            text.insert(at, own);
            break;
          case 1:
            text.insert(at, "x = 0\n");
            break;
          case 2:
            text.erase(at, end - at);
            break;
          case 3:
            text.insert(at, "\n");
            break;
        }
        texts.push_back(text);
      }
      for (const size_t i : {1, 2, 3, 2, 1, 0}) {
        track(file, difference(file.text, Text(texts[i])));
        update_hunks(file, was_seen);
      }
      CAPTURE(texts[1]);
      CAPTURE(texts[2]);
      CAPTURE(texts[3]);
      REQUIRE(file.text.str() == each.before);
      CHECK(offer_of(file, nullptr).text.str() == each.after);
    }
  }
}

TEST_CASE("after any typing a pending hunk's region holds the old text") {
  std::mt19937 random(11);
  const std::string lines[] = {"a\n", "b\n", "x", "\n", "", "e\n", "B\n", "ab"};
  for (int round = 0; round < 2000; ++round) {
    Proposal proposal = proposal_of(kBefore, kAfter);
    ProposedFile& file = proposal.files[0];
    for (int i = 0; i < 6; ++i) {
      const size_t begin = random() % (file.text.size() + 1);
      const size_t length = random() % (std::min<size_t>(file.text.size() - begin, 4) + 1);
      track(file, {begin, length, lines[random() % 8]});
      if (random() % 2) update_hunks(file, was_seen);
    }
    update_hunks(file, was_seen);
    for (const ProposedHunk& hunk : file.hunks) {
      REQUIRE(hunk.begin <= hunk.end);
      REQUIRE(hunk.end <= file.text.size());
      const std::string region = file.text.substr(hunk.begin, hunk.end - hunk.begin);
      if (hunk.state == State::pending) REQUIRE(region == hunk.old_text);
      if (hunk.state == State::applied) REQUIRE(region == hunk.new_text);
    }
  }
}

TEST_CASE("the diff is one that patch reads") {
  const Proposal proposal = proposal_of("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\nx",
                                        "1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n11\n12\ny");
  CHECK(diff_of(proposal) ==
        "--- a/a.c\n+++ b/a.c\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
        "@@ -10,4 +10,4 @@\n 10\n 11\n 12\n-x\n\\ No newline at end of file\n+y\n"
        "\\ No newline at end of file\n");
}

TEST_CASE("the diff of a proposal shows what has no lines, too") {
  Proposal proposal;
  proposal.files = proposed_files(
      {{.path = "a.c", .rename_to = "b.c", .before = Text("1\n"), .after = Text("2\n")},
       {.path = "e.c", .after = Text()}},
      {});
  const std::string moved =
      "diff --git a/a.c b/b.c\nrename from a.c\nrename to b.c\n--- a/a.c\n+++ b/b.c\n@@ -1,1 +1,1 "
      "@@\n-1\n+2\n";
  CHECK(diff_of(proposal) == moved + "diff --git a/e.c b/e.c\nnew file mode 100644\n");
  proposal.files[1].hunks[0].state = State::discarded;
  CHECK(diff_of(proposal) == moved);
}

TEST_CASE("proposals stand in the order in which they were made, not of their names") {
  ProposalsById proposals;
  for (const char* id : {"p10", "p9", "p100", "p2"}) proposals[id].id = id;
  std::vector<std::string> ids;
  for (const auto& [id, proposal] : proposals) ids.push_back(id);
  CHECK(ids == std::vector<std::string>{"p2", "p9", "p10", "p100"});
}

TEST_CASE("too many proposals: what is over goes before what is open, the oldest first") {
  ProposalsById proposals;
  const auto add = [&](int from, int to, bool open) {
    for (int i = from; i < to; ++i) {
      const std::string id = "p" + std::to_string(i);
      proposals[id] = proposal_of(kBefore, kAfter);
      if (open) continue;
      for (ProposedHunk& hunk : proposals[id].files[0].hunks) {
        hunk.state = ProposedHunk::State::applied;
      }
    }
  };
  add(1, 151, true);
  add(151, 201, false);
  CHECK(ids_to_forget(proposals).empty());
  add(201, 204, false);
  CHECK(ids_to_forget(proposals) == std::vector<std::string>{"p151", "p152", "p153"});
  proposals["p152"].state = Proposal::State::applying;
  CHECK(ids_to_forget(proposals) == std::vector<std::string>{"p151", "p153", "p154"});
  proposals["p152"].state = Proposal::State::ready;
  add(204, 604, true);
  const auto gone = ids_to_forget(proposals);
  REQUIRE(gone.size() == 53 + 50);
  CHECK(gone[52] == "p203");  // the last that is over
  CHECK(gone[53] == "p1");
  CHECK(gone.back() == "p50");
}

TEST_CASE("too large proposals are too many, too") {
  ProposalsById proposals;
  std::string large(1 << 20, 'x');
  for (int i = 1; i <= 80; ++i) {
    Proposal& proposal = proposals["p" + std::to_string(i)];
    proposal = proposal_of(large, "");
    proposal.files[0].hunks[0].state = ProposedHunk::State::applied;
  }
  const auto gone = ids_to_forget(proposals);
  CHECK(gone.size() > 40);
  CHECK(gone.size() < 60);
  CHECK(gone.front() == "p1");
}

TEST_CASE("a hunk is found by its index, in any file") {
  Proposal proposal = proposal_of(kBefore, kAfter);
  ProposedFile more = proposal.files[0];
  for (ProposedHunk& hunk : more.hunks) hunk.index += 2;
  proposal.files.push_back(more);
  for (size_t i = 0; i < 4; ++i) CHECK(hunk_at(proposal, i)->index == i);
  CHECK(hunk_at(proposal, 4) == nullptr);
}

TEST_CASE("what was put aside last comes first, of one proposal or of several, once each") {
  Proposals proposals("RUN");
  ChangedFile file;
  file.path = "a.c";
  file.before = Text(kBefore);
  file.after = Text(kAfter);
  const std::string one = proposals.add({file}, {.title = "One"});
  const std::string two = proposals.add({file}, {.title = "Two"});
  CHECK(proposals.last_put_aside().empty());
  const std::vector<size_t> first = {0}, second = {1};
  REQUIRE(proposals.discard(one, &second));
  REQUIRE(proposals.discard(two, nullptr));
  REQUIRE(proposals.discard(one, &first));
  CHECK(proposals.last_put_aside() == one);
  const Proposal& of_parts = *proposals.find(one);
  CHECK(put_aside_at(of_parts, last_put_aside(of_parts)) == first);
  const Proposal& whole = *proposals.find(two);
  CHECK(put_aside_at(whole, last_put_aside(whole)) == std::vector<size_t>{0, 1});
  // What is in place again is not put aside any more.
  for (ProposedHunk& hunk : proposals.find(one)->files[0].hunks)
    if (hunk.index == 0) hunk.put_aside = 0, hunk.state = State::pending;
  CHECK(proposals.last_put_aside() == two);
}

}  // namespace
}  // namespace bodkin::lsp
