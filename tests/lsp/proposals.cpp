#include "lsp/proposals.h"

#include <doctest/doctest.h>

#include <random>

namespace bodkin::lsp {
namespace {

using State = ProposedHunk::State;

Proposal proposal_of(const std::string& before, const std::string& after) {
  DraftFile file;
  file.path = "a.c";
  file.base = Snapshot{"a.c", 1, Text(before)};
  file.text = Text(after);
  Proposal proposal;
  proposal.files = proposed_files({file});
  return proposal;
}

// One notification of one change: replaces the first `what` in the text.
void type(ProposedFile& file, const std::string& what, const std::string& with) {
  const size_t at = file.text.str().find(what);
  REQUIRE(at != std::string::npos);
  track(file, {at, what.size(), with});
  settle(file);
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
  settle(file);
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

TEST_CASE("typing at the beginning of the hunk's line is inside of it") {
  Proposal proposal = proposal_of(kBefore, kAfter);
  track(proposal.files[0], {2, 0, "x"});
  settle(proposal.files[0]);
  CHECK(proposal.files[0].hunks[0].state == State::stale);
}

TEST_CASE("joining the line above with the hunk's line makes it stale") {
  Proposal proposal = proposal_of(kBefore, kAfter);
  track(proposal.files[0], {1, 1, ""});
  settle(proposal.files[0]);
  CHECK(proposal.files[0].hunks[0].state == State::stale);
}

TEST_CASE("a hunk that the editor took is seen as applied, and its undo as pending") {
  Proposal proposal = proposal_of(kBefore, kAfter);
  ProposedFile& file = proposal.files[0];
  type(file, "e", "E\nF");
  CHECK(file.hunks[1].state == State::applied);
  update_state(proposal);
  CHECK(proposal.state == Proposal::State::partly);
  type(file, "E\nF", "e");
  CHECK(file.hunks[1].state == State::pending);
  type(file, "b\n", "B\n");
  type(file, "e\n", "E\nF\n");
  update_state(proposal);
  CHECK(proposal.state == Proposal::State::applied);
}

TEST_CASE("an inserted line that the editor reports some equal lines away is still the hunk") {
  Proposal proposal = proposal_of("{\n}\n}\nend\n", "{\n}\n}\n}\nend\n");
  ProposedFile& file = proposal.files[0];
  track(file, {1, 0, "\n}"});
  settle(file);
  CHECK(file.hunks[0].state == State::applied);
}

TEST_CASE("however the editor cuts the edit into changes, the whole is seen as applied") {
  Proposal proposal = proposal_of(kBefore, kAfter);
  ProposedFile& file = proposal.files[0];
  file.offered = offer_of(file, nullptr);
  track(file, {2, 8, "B\nc\nd\nE\nF\n"});
  settle(file);
  CHECK(proposal.count(State::applied) == 2);
  CHECK(file.text.str() == kAfter);
  type(file, "B", "b");
  CHECK(file.hunks[0].state == State::pending);
}

TEST_CASE("a change across a border makes stale only what it touches") {
  Proposal proposal = proposal_of(kBefore, kAfter);
  ProposedFile& file = proposal.files[0];
  track(file, {0, 3, "?"});
  settle(file);
  CHECK(file.hunks[0].state == State::stale);
  CHECK(file.hunks[1].state == State::pending);
  CHECK(offer_of(file, nullptr).text.str() == "?\nc\nd\nE\nF\n");
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
      if (random() % 2) settle(file);
    }
    settle(file);
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
  CHECK(unified_diff(proposal) ==
        "--- a/a.c\n+++ b/a.c\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
        "@@ -10,4 +10,4 @@\n 10\n 11\n 12\n-x\n\\ No newline at end of file\n+y\n"
        "\\ No newline at end of file\n");
}

}  // namespace
}  // namespace bodkin::lsp
