#include "lsp/sessions/proposal_record.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "agent/workspace/planted.h"
#include "lsp/sessions/proposal_draft.h"

using namespace bodkin;

namespace {

using State = ProposedHunk::State;

ChangedFile changed(const std::string& path, std::optional<std::string> before,
                    std::optional<std::string> after) {
  ChangedFile file;
  file.path = path;
  if (before) file.before = Text(*before);
  if (after) file.after = Text(*after);
  return file;
}

// A proposal of that change which has been applied.
Proposal applied(const std::vector<ChangedFile>& files) {
  Proposal proposal;
  proposal.id = "p1";
  proposal.title = "Wider";
  proposal.files = proposed_files(files, Roots{{"work", "/work"}});
  for (ProposedFile& file : proposal.files) {
    const Offer offer = offer_of(file, nullptr);
    file.text = offer.text;
    for (ProposedHunk& hunk : file.hunks) {
      hunk.begin = offer.regions.at(hunk.index).begin;
      hunk.end = offer.regions.at(hunk.index).end;
      hunk.state = State::applied;
      hunk.was_applied = true;
    }
  }
  update_state(proposal);
  return proposal;
}

Proposal restored(const Proposal& proposal) {
  const auto again = proposal_of(row_of(proposal, "session-1", "/work"));
  REQUIRE(again);
  return *again;
}

}  // namespace

TEST_CASE("a proposal is the same after it was kept") {
  Proposal proposal =
      applied({changed("a.c", "int a;\nint b;\n", "int a;\nlong b;\n"),
               changed("b.c", std::nullopt, "int n;\n"), changed("c.c", "int o;\n", std::nullopt)});
  proposal.notes = {"a note"};
  proposal.verification.by_servers = true;
  proposal.files[1].hunks[0].put_aside = 7;
  const Proposal again = restored(proposal);
  CHECK(again.id == "p1");
  CHECK(again.state == Proposal::State::applied);
  CHECK(again.notes == proposal.notes);
  CHECK(again.verification.by_servers);
  CHECK(again.files[1].hunks[0].put_aside == 7);
  REQUIRE(again.files.size() == 3);
  for (size_t i = 0; i < 3; ++i) {
    const ProposedFile &one = again.files[i], &other = proposal.files[i];
    CHECK(one.kind == other.kind);
    CHECK(one.text == other.text);
    CHECK(one.name.file == other.name.file);
    REQUIRE(one.hunks.size() == other.hunks.size());
    CHECK(one.hunks[0].old_text == other.hunks[0].old_text);
    CHECK(one.hunks[0].new_text == other.hunks[0].new_text);
    CHECK(one.hunks[0].begin == other.hunks[0].begin);
    CHECK(one.hunks[0].state == State::applied);
  }
  const ProposalRow row = row_of(proposal, "", "");
  CHECK(row.files[0].before == Text("int a;\nint b;\n"));
  CHECK(row.files[0].after == Text("int a;\nlong b;\n"));
  CHECK(!row.files[1].before);
  CHECK(!row.files[2].after);
  CHECK(row.files[2].before == Text("int o;\n"));
}

TEST_CASE("changes that are out of date may lie in each other") {
  Proposal proposal =
      applied({changed("a.c", "int a;\nint b;\nint c;\n", "long a;\nint b;\nlong c;\n")});
  auto& hunks = proposal.files[0].hunks;
  REQUIRE(hunks.size() == 2);
  for (ProposedHunk& hunk : hunks) hunk.state = State::stale;
  hunks[0].end = hunks[1].end;
  const auto again = proposal_of(row_of(proposal, "session-1", "/work"));
  REQUIRE(again);
  CHECK(again->files[0].hunks[1].new_text == "long c;\n");
  hunks[1].state = State::applied;
  CHECK_FALSE(proposal_of(row_of(proposal, "session-1", "/work")));
}

TEST_CASE("what a command wrote is kept to the byte") {
  const std::string token = "ghp_" + all(36);
  const std::string secret = "key = \"" + token + "\"\n";
  const std::string latin = "caf\xE9 \xC3\xA9 \x80\xFF\n";
  for (const std::string& text : {secret, latin, latin + secret}) {
    Proposal proposal = applied({changed("a.c", text + "int b;\n", text + "long b;\n" + text),
                                 changed("n.c", std::nullopt, text), changed("o.c", text, {})});
    proposal.files[2].removed = {"iso-8859-1", 0640};
    proposal.is_exact = true;
    const Proposal again = restored(proposal);
    CHECK(again.is_exact);
    REQUIRE(again.files.size() == 3);
    for (size_t i = 0; i < 3; ++i) {
      CHECK(again.files[i].text == proposal.files[i].text);
      for (size_t j = 0; j < again.files[i].hunks.size(); ++j) {
        const ProposedHunk &one = again.files[i].hunks[j], &other = proposal.files[i].hunks[j];
        CHECK(one.old_text == other.old_text);
        CHECK(one.new_text == other.new_text);
        CHECK_FALSE(one.has_secret);
      }
    }
    REQUIRE(again.files[2].removed);
    CHECK(again.files[2].removed->mode == 0640);
    CHECK(again.files[2].removed->encoding == "iso-8859-1");
    // Without that the secret is not there, and all other bytes are.
    proposal.is_exact = false;
    const ProposalRow row = row_of(proposal, "", "");
    CHECK(row.data.find(token) == std::string::npos);
    if (text == latin) CHECK(restored(proposal).files[0].text == proposal.files[0].text);
  }
}

TEST_CASE("damaged records are refused") {
  const ProposalRow row = row_of(applied({changed("a.c", "int b;\n", "long b;\n")}), "", "");
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\"end\":8", "\"end\":9"},
           {"\"begin\":0", "\"begin\":-1"},
           {"\"index\":0", "\"index\":1"},
           {"\"kind\":\"update\"", "\"kind\":\"other\""},
           {"\"state\":\"applied\"", "\"state\":\"?\""},
           {"\"files\":[", "\"files\":[7,"},
           {"{", "["}}) {
    ProposalRow broken = row;
    const size_t at = broken.data.find(from);
    REQUIRE_MESSAGE(at != std::string::npos, from);
    broken.data.replace(at, from.size(), to);
    CHECK_MESSAGE(!proposal_of(broken), to);
  }
}

TEST_CASE("what was applied is undone only where it is as it was") {
  const std::string before = "int a;\nint b;\nint c;\nint d;\nint e;\n";
  const std::string after = "int a;\nlong b;\nint c;\nint d;\nint e;\n";
  struct Case {
    const char* what;
    std::string now;
    bool is_undone;
  };
  const Case cases[] = {
      {"nothing", after, true},
      {"lines above", "// mine\n" + after, true},
      {"lines below", after + "// mine\n", true},
      {"both", "// mine\n" + after + "// mine\n", true},
      {"the line itself", "int a;\nlong b; //\nint c;\nint d;\nint e;\n", false},
      {"the line above", "int A;\nlong b;\nint c;\nint d;\nint e;\n", false},
      {"the line below", "int a;\nlong b;\nint C;\nint d;\nint e;\n", false},
      {"moved elsewhere", "int a;\nint c;\nint d;\nlong b;\nint e;\n", false},
      {"gone", "int a;\nint c;\nint d;\nint e;\n", false},
      {"the file is empty", "", false},
  };
  for (const Case& each : cases) {
    CAPTURE(each.what);
    Proposal proposal = restored(applied({changed("a.c", before, after)}));
    compare_with_now(proposal.files[0], Text(each.now));
    const auto reverse = reverse_of(proposal);
    CHECK(reverse.has_value() == each.is_undone);
    if (!reverse) continue;
    const std::string back = offer_of(reverse->proposal.files[0], nullptr).text.str();
    std::string wanted = each.now;
    CHECK(back == wanted.replace(wanted.find("long b"), 6, "int b"));
  }
}

TEST_CASE("a copy of the lines is not the place where they were") {
  const auto body = [](const char* head, const char* type, const char* end) {
    return fmt::format("{}\n{{\n  int first;\n  {} b;\n  int last;\n  work();\n  {}\n}}\n", head,
                       type, end);
  };
  const std::string f = body("int f(void)", "int", "return 0;");
  for (const bool is_applied : {true, false}) {
    const char* b = is_applied ? "long" : "int";
    const auto copy = body("int f2(void)", b, "return 0;");
    struct Case {
      const char* what;
      std::string now;
      bool is_there;
    };
    for (const Case& each : {
             Case{"a copy above, its end changed", copy + body("int f(void)", b, "return 7;"),
                  false},
             Case{"a copy above, its head too", copy + body("static int f(void)", b, "return 7;"),
                  false},
             Case{"a copy below", body("static int f(void)", b, "return 7;") + copy, false},
             Case{"a copy above, the line changed",
                  copy + body("int f(void)", "short", "return 0;"), false},
             Case{"the copy took its place", copy + "static int f(void) { return 3; }\n", false},
             Case{"a copy below, as it was", body("int f(void)", b, "return 7;") + f + copy, false},
             Case{"changes above and below",
                  "int x;\n" + body("int f(void)", b, "return 0;") + "int y;\n", true},
             Case{"changes in the function", body("int f(void)", b, "return 7;"), true},
             Case{"changes around it, in the function and behind",
                  "int x;\n" + body("int f(void)", b, "return 7;") + "int y;\n", true},
         }) {
      CAPTURE(each.what);
      CAPTURE(is_applied);
      Proposal proposal = applied({changed("a.c", f, body("int f(void)", "long", "return 0;"))});
      if (!is_applied) {
        proposal.files =
            proposed_files({changed("a.c", f, body("int f(void)", "long", "return 0;"))},
                           Roots{{"work", "/work"}});
        update_state(proposal);
      }
      Proposal again = restored(proposal);
      compare_with_now(again.files[0], Text(each.now));
      CHECK((again.files[0].hunks[0].state != State::stale) == each.is_there);
    }
  }
}

TEST_CASE("what equals a waiting or undone proposal while nobody looked was not applied by it") {
  const std::string before = "int a;\nint b;\n", after = "int a;\nlong b;\n";
  struct Case {
    State state;
    bool was_applied;
    int64_t put_aside;
    State then;
  };
  for (const Case& each : {Case{State::pending, false, 0, State::stale},
                           Case{State::discarded, true, 7, State::discarded},
                           Case{State::discarded, true, 0, State::applied},
                           Case{State::stale, true, 0, State::applied}}) {
    CAPTURE(static_cast<int>(each.state));
    CAPTURE(each.put_aside);
    Proposal proposal;
    proposal.files = proposed_files({changed("a.c", before, after)}, Roots{{"work", "/work"}});
    ProposedHunk& hunk = proposal.files[0].hunks[0];
    hunk.state = each.state;
    hunk.was_applied = each.was_applied;
    hunk.put_aside = each.put_aside;
    compare_with_now(proposal.files[0], Text(after));
    CHECK(hunk.state == each.then);
  }
}

TEST_CASE("removed lines are put back only between the lines where they were") {
  const std::string before = "{\n  a();\n}\n{\n  b();\n}\n", after = "{\n}\n{\n  b();\n}\n";
  for (const auto& [now, is_undone] :
       std::vector<std::pair<std::string, bool>>{{after, true},
                                                 {"x\n" + after, true},
                                                 {"{\n}\n", false},
                                                 {"{\n  c();\n}\n{\n  b();\n}\n", false}}) {
    CAPTURE(now);
    Proposal proposal = restored(applied({changed("a.c", before, after)}));
    compare_with_now(proposal.files[0], Text(now));
    CHECK(reverse_of(proposal).has_value() == is_undone);
  }
}

TEST_CASE("undo takes the files that are as they were, and names the others") {
  const std::vector<ChangedFile> draft = {
      changed("a.c", "int a;\n", "long a;\n"), changed("b.c", "int b;\n", "long b;\n"),
      changed("c.c", std::nullopt, "int n;\n"), changed("d.c", "int o;\n", std::nullopt)};
  Proposal proposal = restored(applied(draft));
  compare_with_now(proposal.files[0], Text("long a; // mine\n"));
  for (size_t i : {1, 2}) compare_with_now(proposal.files[i], Text(proposal.files[i].text));
  auto reverse = reverse_of(proposal);
  REQUIRE(reverse);
  CHECK(reverse->left_out == std::vector<std::string>{"a.c"});
  CHECK(reverse->hunks == std::vector<size_t>{1, 2, 3});
  CHECK(reverse->moves_files);
  reverse = reverse_of(proposal, [](const ProposedFile& file) {
    return file.kind == ProposedFile::Kind::create;  // something is where d.c was
  });
  CHECK(reverse->left_out == std::vector<std::string>{"a.c", "d.c"});
  CHECK(reverse->hunks == std::vector<size_t>{1, 2});
  for (ProposedFile& file : proposal.files) compare_with_now(file, Text("something else\n"));
  reverse = reverse_of(proposal, [](const ProposedFile&) { return true; });
  REQUIRE(!reverse);
  CHECK(reverse.error().message == "Cannot undo “" + proposal.title +
                                       "”: a.c, b.c and c.c have changed since, and the place of "
                                       "d.c is taken. Undo them in the editor.");
}

TEST_CASE("a secret next to a hunk stays, one in it keeps the file as it is") {
  const std::string secret = "ghp_" + all(36), line = "char *t = \"" + secret + "\";\n";
  Proposal proposal =
      applied({changed("a.c", "int a;\nint x;\n" + line, "long a;\nint x;\n" + line),
               changed("b.c", line + "int b;\n", "int b;\n")});
  const ProposalRow row = row_of(proposal, "", "");
  CHECK(row.data.find(secret) == row.data.npos);
  Proposal again = restored(proposal);
  for (size_t i = 0; i < 2; ++i) compare_with_now(again.files[i], proposal.files[i].text);
  const auto reverse = reverse_of(again);
  REQUIRE(reverse);
  CHECK(reverse->left_out == std::vector<std::string>{"b.c"});
  CHECK(reverse->why_left_out == "b.c contains a secret, which the history does not store");
  CHECK(offer_of(reverse->proposal.files[0], nullptr).text.str() == "int a;\nint x;\n" + line);
  // It is kept again by each server that restores it.
  Proposal third = restored(again);
  for (size_t i = 0; i < 2; ++i) compare_with_now(third.files[i], proposal.files[i].text);
  const auto last = reverse_of(third);
  REQUIRE(last);
  CHECK(last->left_out == std::vector<std::string>{"b.c"});
}

TEST_CASE("a restored proposal never writes the stars that stand for a secret") {
  const std::string secret = "ghp_" + all(36), line = "char *t = \"" + secret + "\";\n";
  Proposal proposal;
  proposal.id = "p1";
  proposal.files = proposed_files(
      {changed("a.c", "int a;\n", "int a;\n" + line), changed("b.c", std::nullopt, line)},
      Roots{{"work", "/work"}});
  Proposal again = restored(proposal);
  compare_with_now(again.files[0], Text("int a;\n"));
  compare_with_now(again.files[1], Text());
  for (const ProposedFile& file : again.files) {
    CHECK(file.hunks[0].state == State::stale);
    CHECK(offer_of(file, nullptr).text.str().find("****") == std::string::npos);
  }
  CHECK(why_not_applicable(again, nullptr)->find("contains a secret") != std::string::npos);
}
