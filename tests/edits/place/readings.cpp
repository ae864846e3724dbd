// The rungs that read the edit text in another way: where it is then, and what its new half says.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "edits/place/rungs.h"

using namespace bodkin;
using Kind = HunkLine::Kind;

namespace {

Hunk hunk_of(const std::string& signs) {
  Hunk hunk;
  for (size_t at = 0; at < signs.size();) {
    const size_t end = signs.find('\n', at);
    const Kind kind = signs[at] == '-'   ? Kind::removed
                      : signs[at] == '+' ? Kind::added
                                         : Kind::context;
    hunk.lines.push_back({kind, signs.substr(at + 1, end - at - 1)});
    at = end + 1;
  }
  return hunk;
}

// "FIRST: the lines of the new half, joined by '/'" of the only place; "none", "several", "doubt".
std::string read(Rung& rung, const std::string& text, const std::string& signs) {
  const Hunk hunk = hunk_of(signs);
  const MappedText file{Text(text)};
  const std::vector<Place> places = rung({file, hunk, old_side(hunk)});
  if (places.empty()) return "none";
  if (places.size() > 1) return "several";
  if (!places[0].doubt.empty()) return "doubt";
  std::string out = std::to_string(places[0].first) + ":";
  for (const std::string_view line : new_side(places[0].hunk ? *places[0].hunk : hunk))
    out += (out.ends_with(':') ? "" : "/") + std::string(line);
  return out;
}

}  // namespace

TEST_CASE("line numbers, escapes and blank lines at the ends are no part of the text") {
  const auto as = [](const std::string& text, const std::string& signs) {
    return read(find_cosmetic, text, signs);
  };
  // Numbers.
  const std::string file = "q\n  a\nb\n\nc\n";
  CHECK(as(file, "-9 |   a\n-10 | b\n+9 |   x\n+10 | b\n") == "1:  x/b");
  CHECK(as(file, "-2:   a\n-3: b\n+2:   x\n+3: b\n") == "1:  x/b");
  CHECK(as(file, "-2\t  a\n-3\tb\n+2\t  x\n+3\tb\n") == "1:  x/b");
  CHECK(as(file, "-3|b\n-4|\n-5|c\n+3|x\n+4|\n+5|c\n") == "2:x//c");
  CHECK(as(file, "- 2 |   a\n- 3 | b\n+ 2 |   x\n+ 3 | b\n") == "1:  x/b");
  CHECK(as(file, " 3 | b\n 4 |\n-5 | c\n+5 | x\n") == "2:b//x");
  CHECK(as(file, " 3 | b\n 4|\n-5 | c\n+5 | x\n") == "2:b//x");
  CHECK(as(file, " 3 | b\n   \n-5 | c\n+5 | x\n") == "2:b//x");
  CHECK(as(file, " 3 | b\n 4 | \n-5 | c\n+5 | x\n") == "2:b//x");
  CHECK(as(file, "-2 |   a\n-b\n+2 |   x\n+b\n") == "none");
  CHECK(as(file, "-2   a\n-3 b\n+2   x\n+3 b\n") == "none");
  CHECK(as(file, "-| b\n+| x\n") == "none");
  CHECK(as(file, "-2 |   a\n-3 | b\n+  x\n+b\n") == "1:  x/b");
  CHECK(as(file, "-3 | b\n-4 |\n-5 | c\n+x\n+\n+c\n") == "2:x//c");
  CHECK(as(file, "-3 | b\n-c\n+x\n") == "none");
  CHECK(as(file, " 3 | b\n-4 |\n-5 | c\n+x\n") == "none");
  // Entities.
  CHECK(as("a < b\n", "-a &lt; b\n+a &lt;= b\n") == "0:a <= b");
  CHECK(as("a > b\n", "-a &gt; b\n+a &gt;= b\n") == "0:a >= b");
  CHECK(as("a && b\n", "-a &amp;&amp; b\n+a &#38; b\n") == "0:a & b");
  CHECK(as("a && b\n", "-a &#38;&#x26; b\n+a &#X26; b\n") == "0:a & b");
  CHECK(as("a \"'\n", "-a &quot;&apos;\n+&quot;\n") == "0:\"");
  CHECK(as("a < b\n", "-a &lt; b\n+&#31; &#127; &#32; &#126; &#; &#x; &#12\n") ==
        "0:&#31; &#127;   ~ &#; &#x; &#12");
  CHECK(as("a < b\n", "-a &lt; b\n+&#0000065; &#000065; &#6a; &bad; &\n") ==
        "0:&#0000065; &#000065; &#6a; &bad; &");
  CHECK(as("a < b\n", "-a &lt; b\n+&#00065; &#x0041;\n") == "0:A A");
  // Escapes.
  CHECK(as("say(\"a\");\n", "-say(\\\"a\\\");\n+say(\\\"b\\\");\n") == "0:say(\"b\");");
  CHECK(as("say('a');\n", "-say(\\'a\\');\n+say(\\'b\\');\n") == "0:say('b');");
  CHECK(as("a();\n\tb();\n", "-a();\\n\\tb();\n+a();\\n\\tc();\\r\\nd\\/e;\n") ==
        "0:a();/\tc();/d/e;");
  CHECK(as("a < b\n", "-a \\u003c b\n+\\u003C \\u0000 \\u0080 \\u007f \\u00 \\u003\n") ==
        "0:< \\u0000 \\u0080 \x7f \\u00 \\u003");
  CHECK(as("a < b\n", "-a \\u003c b\n+\\\\ \\\" \\' \\q \\\n") == "0:\\ \" ' \\q \\");
  CHECK(as("__init__\n", "-\\_\\_init\\_\\_\n+\\_x\\* \\a\n") == "0:_x* \\a");
  CHECK(as("a\n", "-b\n+c\n") == "none");
  // How far the new half was escaped, where the old one shows only quotes.
  const std::string old = "-say(\\\"a\\\");\n", say = "say(\"a\");\n";
  CHECK(as(say, old + "+say(\\\"a\\nb\\\");\n") == "0:say(\"a\\nb\");");
  CHECK(as(say, old + "+say(\\\"a\\\");\\nb();\n") == "0:say(\"a\");/b();");
  CHECK(as(say, old + "+say(\\\"a\\tb\\\");\n") == "0:say(\"a\\tb\");");
  CHECK(as(say, old + "+say(\\\"a\\\");\\n\\tb(\\\"c\\n\\\");\n") == "doubt");
  CHECK(as(say, old + "+say(\\\"a\\\\nb\\\");\n") == "0:say(\"a\\nb\");");
  CHECK(as(say, old + "+say(\\\"a\\\\nb\\\");\\nc();\n") == "0:say(\"a\\nb\");/c();");
  CHECK(as(say, old + "+say(\\\"a\\\\nb\\nc\\\");\n") == "doubt");
  CHECK(as(say, old + "+say(\\\"a\\\");\n+b(\\'\\n\\');\n") == "0:say(\"a\");/b('\\n');");
  CHECK(as(say, old + "+say(\\\"a\\\");\n+b();\\nc();\n") == "0:say(\"a\");/b();\\nc();");
  CHECK(as(say, old + "+say(\\\"it\\'s\\n\\\");\n") == "0:say(\"it's\\n\");");
  CHECK(as("x();\n" + say, " x();\n" + old + "+say(\\\"a\\\");\\nb();\n") ==
        "0:x();/say(\"a\");\\nb();");
  CHECK(as("x();\n" + say, "-x();\n" + old + "+say(\\\"a\\\");\\nb();\n") ==
        "0:say(\"a\");\\nb();");
  CHECK(as(say, old + "+say(\\\"a\\\\\\\\b\\\");\n+c();\n") == "0:say(\"a\\\\b\");/c();");
  CHECK(as("a <\n", "-a \\u003c\n+b \\u003c\n") == "0:b <");
  // Blank lines at the ends.
  CHECK(as("a\nb\n", " \n a\n-b\n+c\n \n") == "0:a/c");
  CHECK(as("a\nb\n", "-\n-a\n+\n+c\n") == "0:c");
  CHECK(as("a\nb\n", " \n a\n \n") == "none");
  CHECK(as("a\n\nb\n", " \n-\n+c\n") == "none");
}

TEST_CASE("where the file spells a sign plainly, the new half does, too") {
  const auto as = [](const std::string& text, const std::string& signs) {
    return read(find_punctuated, text, signs);
  };
  CHECK(as("x\nsay(\"a\");\n", "-say(“a”);\n+say(“b”);\n") == "1:say(\"b\");");
  CHECK(as("say(\"a\");\n", "-say(“a”);\n+say(“é”, 1);\n") == "0:say(\"é\", 1);");
  CHECK(as("say(\"a\");\n", "-say(“a”);\n+say(“b – c”);\n") == "doubt");
  CHECK(as("say(\"a\"); // –\n", "-say(“a”); // –\n+say(“b – c”);\n") == "0:say(\"b – c\");");
  CHECK(as("say(“a”);\n", "-say(\"a\");\n+say(“b”);\n") == "0:say(“b”);");
  CHECK(as("say(“a”);\n", "-say(\"a\");\n+say(\"b\");\n") == "0:say(\"b\");");
  CHECK(as("“ say(\"a\");\n", "-“ say(“a”);\n+say(“b”);\n") == "0:say(\"b\");");
}

TEST_CASE("an elision stands for lines that stay, and each piece round it has one place") {
  const auto as = [](const std::string& text, const std::string& signs) {
    return read(find_elided, text, signs);
  };
  const std::string file = "a();\nb();\nc();\nd();\ne();\nf();\n";
  CHECK(as(file, " a();\n ...\n-e();\n+x();\n") == "4:a();/.../x();");
  CHECK(as(file, "-a();\n+x();\n ...\n-e();\n+y();\n") == "0:x();/.../y();");
  CHECK(as(file, " ...\n-e();\n+x();\n ...\n") == "4:.../x();/...");
  CHECK(as(file, " e();\n ...\n-a();\n+x();\n") == "none");
  CHECK(as(file, " a();\n ...\n ...\n-e();\n+x();\n") == "4:a();/.../.../x();");
  CHECK(as(file, " q();\n ...\n-e();\n+x();\n") == "none");
  CHECK(as(file, " a();\n-...\n-e();\n+x();\n") == "none");
  CHECK(as(file, " a();\n ...\n+x();\n ...\n e();\n") == "none");
  CHECK(as(file, " a();\n ...\n+x();\n") == "none");
  CHECK(as(file, " a();\n ...\n+x();\n e();\n") == "4:a();/.../x();/e();");
  CHECK(as(file, " a();\n+...\n ...\n-e();\n") == "none");
  CHECK(as(file, "-a();\n+x();\n") == "none");
  CHECK(as(file, " a();\n ...\n e();\n") == "none");
  CHECK(as(file, " a();\n-// ... existing code ...\n+// ... unchanged ...\n-e();\n+x();\n") ==
        "4:a();/// ... existing code .../x();");
  // A piece that stands twice, but once between its neighbours.
  const std::string twice = "b();\na();\nb();\nc();\nb();\n";
  CHECK(as(twice, " a();\n ...\n-b();\n+x();\n ...\n c();\n") == "2:a();/.../x();/.../c();");
  CHECK(as(twice, " a();\n ...\n-b();\n+x();\n") == "none");
  CHECK(as(twice, "-b();\n+x();\n ...\n a();\n") == "0:x();/.../a();");
  CHECK(as("a();\n  c();\nc();\n", " a();\n ...\n-c();\n+x();\n") == "2:a();/.../x();");
  // Blank lines alone are no piece.
  CHECK(as(file, " a();\n ...\n \n ...\n-e();\n+x();\n") == "4:a();/...//.../x();");
  CHECK(as(file, " a();\n ...\n-\n ...\n-e();\n+x();\n") == "none");
  // Pieces may be off in white space.
  CHECK(as("  a();\n  b();\n  c();\n", " a();\n ...\n-c();\n+x();\n") == "2:a();/.../x();");
  CHECK(as("a( 1 );\nb();\nc();\n", " a( 1  );\n ...\n-c();\n+x();\n") == "2:a( 1  );/.../x();");
}
