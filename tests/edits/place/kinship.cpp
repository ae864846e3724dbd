#include <doctest/doctest.h>

#include <string>

#include "edits/place/moved_on.h"
#include "edits/place/tokens.h"
#include "edits/text/text.h"

using namespace bodkin;

namespace {

Kinship kinship(const std::string& quoted, const std::string& ours) {
  return kinship_of(MappedText(Text(ours + "\n")), quoted, ours);
}

}  // namespace

TEST_CASE("words that were replaced by their opposite make another line") {
  for (const auto& [quoted, ours] : {std::pair("set(verbose, true)", "set(verbose, false)"),
                                     {"x = a and b", "x = a or b"},
                                     {"sort(rows, asc)", "sort(rows, desc)"},
                                     {"public void run()", "private void run()"},
                                     {"x = max(a, b)", "x = min(a, b)"}})
    CHECK_MESSAGE(kinship(quoted, ours) == Kinship::other, quoted);
}

TEST_CASE("words that were inserted make the same line, but not a negation or a number") {
  CHECK(kinship("if (ready", "if (ready && open") == Kinship::moved_on);
  CHECK(kinship("run(ready)", "run(ready, open)") == Kinship::moved_on);
  CHECK(kinship("x = ready", "x = open + ready") == Kinship::moved_on);
  CHECK(kinship("run a b", "run ? a b open") == Kinship::other);
  CHECK(kinship("if ready then", "if not ready then") == Kinship::other);
  CHECK(kinship("if ready then", "if never ready then") == Kinship::other);
  CHECK(kinship("step(ready)", "step(ready, 2)") == Kinship::other);
  CHECK(kinship("x = ready", "x = !ready") == Kinship::other);
}

TEST_CASE("a comment at the end and spelling make no other line") {
  CHECK(kinship("run(ready)", "run(ready)  // at once") == Kinship::same);
  CHECK(kinship("say('ready')", "say(\"ready\")") == Kinship::same);
  CHECK(kinship("load_configuration()", "load_configuraton()") == Kinship::same);
  CHECK(kinship("loadConfiguration()", "loadConfiguraton()") == Kinship::same);
  CHECK(kinship("loadUsr()", "loadUser()") == Kinship::renamed);
  CHECK(kinship("open_file(name)", "open_sock(name)") == Kinship::renamed);
  CHECK(kinship("open_file1(name)", "open_file2(name)") == Kinship::other);
}

TEST_CASE("a typo is inside a long part of a name, and of one letter, or two that are swapped") {
  for (const auto& [typo, word] : {std::pair("authrize", "authorize"),
                                   {"lettter", "letter"},
                                   {"get_ersponse", "get_response"},
                                   {"sevre", "sever"},
                                   {"seer", "sever"},
                                   {"service", "servize"},
                                   {"loadCtomerName", "loadCutomerName"}}) {
    CHECK_MESSAGE(is_clear_typo(typo, word), typo);
    CHECK_MESSAGE(is_clear_typo(word, typo), typo);
  }
  for (const auto& [name, other] : {std::pair("loadItemName", "loadItmName"),
                                    {"MAX_ITEM_SIZE", "MAX_ITM_SIZE"},
                                    {"serve1r", "server1"},
                                    {"SERVICE", "SERV1CE"},
                                    {"serxyzver", "seryxver"},
                                    {"xservice", "service"},
                                    {"servxyce", "servzce"},
                                    {"sever", "seser"},
                                    {"same", "same"}}) {
    CHECK_MESSAGE(!is_clear_typo(name, other), name);
    CHECK_MESSAGE(!is_clear_typo(other, name), name);
  }
}

TEST_CASE("two typos are spelling; three, or one beside another word, are not") {
  CHECK(kinship("colect the reslt now", "collect the result now") == Kinship::same);
  CHECK(kinship("colect the reslt overal", "collect the result overall") != Kinship::same);
  CHECK(kinship("colect reslt aftrnoon", "collect result afternoon") == Kinship::other);
  CHECK(kinship("colect the pears", "collect the plums") == Kinship::other);
  CHECK(kinship("fetch some pears", "drop some plums") == Kinship::other);
}

TEST_CASE("lines of equal words are the same, with or without a comment") {
  CHECK(kinship("run( ready )", "run(ready)") == Kinship::same);
  CHECK(kinship("run(ready)  // at once", "run(ready) // at once") == Kinship::same);
  CHECK(kinship("=", "= open") == Kinship::other);
  CHECK(kinship("= open", "=") == Kinship::other);
}

TEST_CASE("a line of more than 200 words is not compared") {
  const auto words = [](size_t count) {
    std::string line;
    for (size_t i = 0; i < count; ++i) line += "word ";
    return line;
  };
  CHECK(kinship(words(200), words(199)) == Kinship::moved_on);
  CHECK(kinship(words(199), words(200)) == Kinship::moved_on);
  CHECK(kinship(words(201), words(200)) == Kinship::other);
  CHECK(kinship(words(200), words(201)) == Kinship::other);
}

TEST_CASE("the names of variants have an end in common") {
  for (const auto& [a, b] : {std::pair("load", "loadAll"),
                             {"valid", "id"},
                             {"xabcx", "abc"},
                             {"created", "createAll"},
                             {"created", "CREATEALL"},
                             {"last_name", "first_name"}}) {
    CHECK_MESSAGE(share_affix(a, b), a);
    CHECK_MESSAGE(share_affix(b, a), a);
  }
  CHECK(!share_affix("alpha", "omega2"));
  CHECK(!share_affix("ab", "ac"));
  CHECK(!share_affix("alpha", "ha2"));
}

TEST_CASE("a word stands in a file between other signs than a name's") {
  const auto is_in = [](const std::string& text, const std::string& word) {
    return occurs_as_word(MappedText(Text(text)), word);
  };
  for (const std::string text : {"open", "open(", "(open", "(open)", "reopen, opened, open"})
    CHECK_MESSAGE(is_in(text, "open"), text);
  for (const std::string text : {"reopen", "opened", "reopened", "(reopen)", "(opened)", ""})
    CHECK_MESSAGE(!is_in(text, "open"), text);
}

TEST_CASE("two lines may differ in one number") {
  CHECK(differ_only_in_number("wait(2, now)", "wait(3, now)"));
  CHECK(!differ_only_in_number("wait(2, now)", "wait(2, now)"));
  CHECK(!differ_only_in_number("wait(2, 4)", "wait(3, 5)"));
  CHECK(!differ_only_in_number("wait(2)", "wait(long)"));
  CHECK(!differ_only_in_number("wait(long)", "wait(2)"));
  CHECK(!differ_only_in_number("wait(2)", "wait(3, 4)"));
}

TEST_CASE("a rename is of one word that is no number, sign, or literal") {
  const Rename rename = rename_between("open(file, 2)", "open(sock, 2)");
  CHECK(rename.theirs == "file");
  CHECK(rename.ours == "sock");
  for (const auto& [quoted, ours] : {std::pair("a < b", "a foo b"),
                                     {"set true", "set maybe"},
                                     {"step 1", "step one"},
                                     {"v1 a", "v2 a"},
                                     {"open(file)", "open(sock, now)"},
                                     {"open file", "shut sock"}}) {
    CHECK_MESSAGE(rename_between(quoted, ours).theirs.empty(), quoted);
    CHECK_MESSAGE(rename_between(ours, quoted).theirs.empty(), quoted);
  }
  CHECK(rename_between("open(file)", "open(file)").theirs.empty());
  CHECK(rename_between("open(file, now)", "open(sock").theirs.empty());
}

TEST_CASE("a rename may be a typo") {
  const auto is_typo = [](std::string_view a, std::string_view b) {
    return rename_between(a, b).typo && rename_between(b, a).typo;
  };
  const auto is_none = [](std::string_view a, std::string_view b) {
    return !rename_between(a, b).typo && !rename_between(b, a).typo;
  };
  CHECK(is_typo("the letter is", "the lettter is"));
  CHECK(is_typo("get_ersponse", "get_response"));
  CHECK(is_typo("toin", "toni"));
  CHECK(is_none("tin", "tni"));
  CHECK(is_typo("x_abcde", "xa_bcde"));
  CHECK(is_typo("namex", "name"));
  CHECK(is_none("names", "name"));
  CHECK(is_none("xname", "name"));
  CHECK(is_typo("get_xname", "get_name"));
  CHECK(is_none("get_xnam", "get_nam"));
  CHECK(is_typo("nme", "name"));
  CHECK(is_none("nm", "nam"));
  CHECK(is_typo("server", "serzer"));
  CHECK(is_none("sever", "sezer"));
  CHECK(is_none("server", "zerver"));
  CHECK(is_none("serv1ce", "service"));
  CHECK(is_none("servzzer", "server"));
  CHECK(is_none("servxyer", "servzer"));
}

TEST_CASE("one letter of a rename, other than in case") {
  const auto is_one = [](std::string_view a, std::string_view b) {
    return rename_between(a, b).one_letter && rename_between(b, a).one_letter;
  };
  CHECK(is_one("cart", "card"));
  for (const auto& [a, b] : {std::pair("cat", "car"),
                             {"Server", "server"},
                             {"vert", "v_rt"},
                             {"lettter", "letter"},
                             {"toin", "toni"}}) {
    CHECK_MESSAGE(!rename_between(a, b).one_letter, a);
    CHECK_MESSAGE(!rename_between(b, a).one_letter, a);
  }
}

TEST_CASE("a slip of the pen is inside the word, and makes no other word") {
  CHECK(rename_between("repsonse", "response").slip);
  CHECK(rename_between("resuult", "result").slip);
  CHECK(rename_between("result", "resuult").slip);
  CHECK(!rename_between("ersponse", "response").slip);
  CHECK(!rename_between("respones", "response").slip);
  CHECK(!rename_between("ressult", "result").slip);
  CHECK(!rename_between("resultx", "result").slip);
  CHECK(!rename_between("result", "resunt").slip);
}

TEST_CASE("a declaration names what it declares, a statement nothing") {
  CHECK(declared_name("class A: public B {") == "A");
  CHECK(declared_name("func (d *Dock) Load(n int) {") == "(d *Dock) Load");
  CHECK(declared_name("load(path) {") == "load");
  CHECK(declared_name("if (path) {") == "");
  CHECK(declared_name("while (path):") == "");
}
