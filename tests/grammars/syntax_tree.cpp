#include "grammars/syntax_tree.h"

#include <doctest/doctest.h>

#include <random>
#include <thread>

#include "edits/text/stopping.h"
#include "grammars/context.h"

namespace bodkin {
namespace {

using Lines = std::vector<size_t>;

std::string repeated(std::string_view part, size_t times) {
  std::string all;
  for (size_t i = 0; i < times; ++i) all += part;
  return all;
}

const Language& language(std::string_view id) { return *language_with_id(id); }

std::vector<std::string> names(const Outline& outline) {
  std::vector<std::string> result;
  for (const Symbol& s : outline.symbols)
    result.push_back(s.name + " " + std::to_string(s.lines.begin) + "-" +
                     std::to_string(s.lines.end));
  return result;
}

}  // namespace

TEST_CASE("a thread that has parsed can end") {
  for (int i = 0; i < 60; ++i)
    std::thread([] { CHECK(SyntaxTree::parse(language("c"), Text("int a;\n"))); }).join();
}

TEST_CASE("the guard names the lines of errors that an edit brought in") {
  auto syntax = make_syntax();
  Text before("def f():\n    return 1\n\ndef g():\n    return 2\n");
  CHECK(syntax->new_errors("a.py", before, before) == Lines{});
  CHECK(syntax->new_errors("a.py", before, Text("def f():\n    return 3\n")) == Lines{});
  const auto broken = syntax->new_errors("a.py", before, before.replace(9, 12, "    return (1\n"));
  CHECK((broken && !broken->empty()));
}

TEST_CASE("what the guard cannot look at has no errors, but is not free of them either") {
  auto syntax = make_syntax();
  CHECK(syntax->new_errors("unknown.xyz", Text("()"), Text("(((")) == std::nullopt);
  const Text hopeless(std::string(100'000, '\0'));
  CHECK(syntax->new_errors("a.py", Text("a = 1\n"), hopeless) == std::nullopt);
  CHECK(syntax->new_errors("a.py", hopeless, Text("a = (\n")) == std::nullopt);
  CHECK(syntax->new_errors("a.py", hopeless, Text("a = 1\n")) == Lines{});
}

TEST_CASE("the guard does not blame an edit for what was broken before") {
  auto syntax = make_syntax();
  Text before("int f( {\n  return 1;\n}\n\nint g() {\n  return 2;\n}\n");
  CHECK(syntax->new_errors("a.cpp", before,
                           Text("int f( {\n  return 1;\n}\n\nint g() {\n  return 3;\n}\n")) ==
        Lines{});
  CHECK(syntax->new_errors("a.cpp", before, Text("// new\n" + before.str())) == Lines{});
}

TEST_CASE("the guard is silent about macros that compilers understand") {
  auto syntax = make_syntax();
  Text before("class A {\n public:\n  void f();\n};\n");
  CHECK(syntax->new_errors(
            "a.h", before,
            Text("class API_EXPORT A {\n  Q_OBJECT\n public:\n  void f() NOEXCEPT;\n};\n")) ==
        Lines{});
  CHECK(syntax->new_errors("a.h", before,
                           Text("class A {\n public:\n#if X\n  void f(int a) {\n#else\n  void f() "
                                "{\n#endif\n  }\n};\n")) == Lines{});
}

TEST_CASE("blocks are the declarations, the imports and what else has several lines") {
  auto syntax = make_syntax();
  Text text(
      "import os\n\nclass A:\n    # Does f.\n    @cache\n    def f(self):\n        if x:\n"
      "            return 1\n");
  auto blocks = syntax->blocks("a.py", text);
  std::string seen;
  for (const SyntaxBlock& block : blocks)
    seen += std::string(block.kind) + " " + block.name + " " + std::to_string(block.lines.begin) +
            "-" + std::to_string(block.lines.end) + "; ";
  CHECK(seen ==
        "import import os 0-1; class A 2-8; method f 4-8; function_definition  5-8; "
        "if_statement  6-8; ");
  CHECK(blocks[2].comment_line == 3);
  CHECK(blocks[2].body_line == 6);
}

TEST_CASE("a fragment's methods are found without their class") {
  auto syntax = make_syntax();
  Text text("  /** Adds. */\n  add(a) {\n    return a;\n  }\n");
  const std::vector<char> elided(text.line_count(), 0);
  auto blocks = syntax->blocks("a.js", text, &elided);
  REQUIRE(!blocks.empty());
  CHECK(blocks[0].name == "add");
  CHECK(blocks[0].lines == LineRange{1, 4});
  CHECK(blocks[0].comment_line == 0);
}

TEST_CASE("a tree that followed a thousand random edits equals a tree parsed anew") {
  std::mt19937 random(7);
  for (std::string_view id : {"cpp", "python", "typescript", "go"}) {
    CAPTURE(id);
    std::string source =
        id == "python"
            ? "def f(a):\r\n    return 'é'\r\n\r\nclass A:\n    def g(self):\n        pass\n"
            : "function f(a) {\r\n  return 'é';\r\n}\nclass A {\n  g() { return 1; }\n}\n";
    Text text(repeated(source, 20));
    auto tree = SyntaxTree::parse(language(id), text);
    REQUIRE(tree);
    std::vector<std::string> pieces = {"(",  ")",  "{",   "}", "\n", "\r\n",
                                       "\r", "x",  "\"",  "é", " ",  "def h():\n    pass\n",
                                       "/*", "*/", "\n  "};
    for (int i = 0; i < 250; ++i) {
      size_t at = random() % (text.size() + 1), length = random() % 3 ? 0 : random() % 8;
      text = text.replace(at, length, pieces[random() % pieces.size()]);
      tree = SyntaxTree::parse(language(id), text, {}, &*tree);
      REQUIRE(tree);
      auto anew = SyntaxTree::parse(language(id), text);
      REQUIRE(anew);
      CAPTURE(i);
      // Error recovery may differ between the two; where there is no error they must be equal.
      if (!anew->has_errors()) {
        CHECK(!tree->has_errors());
        CHECK(names(outline(*tree)) == names(outline(*anew)));
      }
    }
  }
}

TEST_CASE("in a long list, too, a tree that followed edits equals a tree parsed anew") {
  // What an incremental parse takes over of a list are subtrees of its balanced, hidden nodes.
  std::mt19937 random(11);
  for (std::string_view id : {"cpp", "javascript", "rust", "json"}) {
    CAPTURE(id);
    std::string item =
        id == "json"   ? "  {\"a\": [1, 2, {\"b\": 3}]},\n"
        : id == "rust" ? "/// Adds.\nfn add(a: u32) -> u32 {\n  a + 1\n}\n"
        : id == "cpp"  ? "// Adds.\nint add(int a) {\n  return a + 1;\n}\nstruct A { int b; };\n"
                       : "// Adds.\nfunction add(a) {\n  return a + 1;\n}\n";
    std::string tail = id == "json" ? "  1\n]\n" : "";
    Text text((id == "json" ? "[\n" : "") + repeated(item, 500) + tail);
    auto tree = SyntaxTree::parse(language(id), text);
    REQUIRE(tree);
    size_t sound = 0;
    for (int i = 0; i < 60; ++i) {
      // A digit typed, an item taken out or put in, at the beginning of any item.
      size_t line = 1 + random() % (text.line_count() - 4);
      std::string bytes = text.str();
      size_t at = bytes.find(item, text.line_begin(line));
      if (at == bytes.npos) continue;
      int what = random() % 3;
      if (what == 0) text = text.replace(bytes.find('1', at), 0, "7");
      if (what == 1) text = text.replace(at, item.size(), "");
      if (what == 2) text = text.replace(at, 0, item + item);
      tree = SyntaxTree::parse(language(id), text, {}, &*tree);
      REQUIRE(tree);
      auto anew = SyntaxTree::parse(language(id), text);
      REQUIRE(anew);
      CAPTURE(i);
      CHECK(tree->shape() == anew->shape());
      sound += !anew->has_errors();
    }
    CHECK(sound > 40);
  }
}

TEST_CASE("hostile texts end within the limits and give an outline or an error") {
  std::string texts[] = {std::string(50'000, '('),
                         std::string(50'000, '{'),
                         std::string(200'000, '\0'),
                         repeated("\"#", 100'000),
                         std::string(500'000, 'a'),
                         "\xff\xfe\x80 \xc3",
                         "\r\r\r",
                         ""};
  for (std::string_view id : {"cpp", "python", "typescriptreact"}) {
    CAPTURE(id);
    for (const std::string& bytes : texts) {
      Text text(bytes);
      auto tree = SyntaxTree::parse(language(id), text, {std::chrono::milliseconds(100), {}});
      if (!tree) {
        CHECK(tree.error().code == Error::Code::unavailable);
        continue;
      }
      Outline all = outline(*tree);
      Context context = context_of(*tree, all, {0, 1}, 1000);
      CHECK(render(text, context).size() < 2000);
    }
  }
}

TEST_CASE("a nesting deeper than a scanner's state can hold is parsed without harm") {
  std::string yaml, python, list, ruby;
  for (size_t depth = 0; depth < 600; ++depth) {
    yaml += std::string(depth, ' ') + "k:\n";
    python += std::string(depth, ' ') + "if x:\n";
    list += std::string(2 * depth, ' ') + "- a\n";
  }
  python += std::string(600, ' ') + "f'{x\n" + std::string(601, ' ') + "}'\n";
  for (const size_t length : {251, 255, 256, 300, 1010, 1017, 1018, 1019, 1020, 2000}) {
    ruby += "x = <<" + std::string(length, 'A') + "\ntext #{y}\n" + std::string(length, 'A') + "\n";
  }
  const std::pair<const char*, std::string> files[] = {
      {"yaml", yaml},
      {"yaml", repeated("- ", 600) + "a\n"},
      {"python", python},
      {"markdown", repeated("> ", 600) + "a\n"},
      {"markdown", repeated("> ", 600) + "a\n\nb\n\n" + repeated("> ", 300) + "c\n"},
      {"markdown", list},
      {"markdown", repeated("* ", 600) + "a\n"},
      {"ruby", ruby},
  };
  for (const auto& [id, text] : files) {
    CAPTURE(id);
    CHECK(SyntaxTree::parse(language(id), Text(text)));
  }
}

TEST_CASE("implausible code is not parsed, and the reason is given") {
  const auto reason = [](const std::string& bytes) {
    auto tree = SyntaxTree::parse(language("c"), Text(bytes));
    return tree ? std::string() : tree.error().message;
  };
  CHECK(reason(std::string(1'000'000, '(')).contains("nested too deeply"));
  CHECK(reason(repeated("(", 30'000) + repeated(")", 30'000)).contains("nested too deeply"));
  CHECK(reason(repeated("f((1));\n", 30'000)).empty());
  CHECK(reason(std::string(10'000'000, 'a')).contains("too long"));
  CHECK(reason("int a;\n" + std::string(1'100'000, ' ') + "\nint b;\n").contains("too long"));
  CHECK(reason(repeated("int a;\r", 200'000)).empty());
  CHECK(reason(std::string(101, '\0')).contains("NUL"));
  CHECK(reason("int a; " + std::string(10, '\0')).empty());
}

TEST_CASE("a scanner that looks from each byte to the end is stopped, too") {
  for (const size_t size : {15'000, 300'000}) {
    auto tree = SyntaxTree::parse(language("julia"), Text(std::string(size, '\xff')),
                                  {std::chrono::milliseconds(100), {}});
    REQUIRE_FALSE(tree);
    CHECK(tree.error().code == Error::Code::unavailable);
  }
}

TEST_CASE("a text that would take too much memory is given up") {
  auto tree = SyntaxTree::parse(language("hcl"), Text(std::string(1'000'000, '-')),
                                {std::chrono::seconds(60), {}});
  REQUIRE_FALSE(tree);
  CHECK(tree.error().message.contains("memory"));
}

TEST_CASE("an edit that pastes what is not parsed is refused like a new text") {
  Text text("int a;\n");
  auto tree = SyntaxTree::parse(language("c"), text);
  REQUIRE(tree);
  CHECK_FALSE(
      SyntaxTree::parse(language("c"), text.replace(0, 0, std::string(50'000, '{')), {}, &*tree));
  CHECK(SyntaxTree::parse(language("c"), text.replace(0, 0, "{"), {}, &*tree));
}

TEST_CASE("a stopped parse says that it was cancelled") {
  std::stop_source stop;
  stop.request_stop();
  const Text text(repeated("int f() { return 1; }\n", 50'000));
  auto tree =
      SyntaxTree::parse(language("cpp"), text, {std::chrono::seconds(60), stop.get_token()});
  REQUIRE_FALSE(tree);
  CHECK(tree.error().code == Error::Code::cancelled);
  const Stopping stopping(stop.get_token());
  tree = SyntaxTree::parse(language("cpp"), text);
  REQUIRE_FALSE(tree);
  CHECK(tree.error().code == Error::Code::cancelled);
}

TEST_CASE("in Python an indentation that no Python accepts is a syntax error") {
  const auto lines = [](const char* text) {
    const auto tree = SyntaxTree::parse(language("python"), Text(text));
    REQUIRE(tree);
    Lines found;
    for (const SyntaxError& error : syntax_errors(*tree)) found.push_back(error.line);
    return found;
  };
  CHECK(lines("def f():\n\nx = 2\n") == Lines{0});
  CHECK(lines("class A:\n    def f(self):\n    return 1\n") == Lines{1});
  CHECK(lines("if a:\n    # nothing yet\nelif b:\nelse:\n    c()\n") == Lines{0, 2});
  CHECK(lines("x = 1\n    y = 2\n") == Lines{1});
  CHECK(lines("if a:\n    b()\n else:\n    c()\n") == Lines{2});
  CHECK(lines("if a:\n        b()\n    c()\n") == Lines{2});
  CHECK(lines("def f():\n    a()\n      b()\n") == Lines{2});
  CHECK(lines("try:\n    a()\nexcept E:\nfinally:\n    b()\n") == Lines{2});
  CHECK(lines("match x:\n    case 1:\n    case 2:\n        pass\n") == Lines{1});
  for (const char* fine :
       {"def f(): pass\n", "if a: b(); c()\n", "class A:\n\tdef f(self):\n\t\treturn 1\n",
        "if a:\n\tb()\n        c()\n", "\xEF\xBB\xBFx = 1\ny = 2\n",
        "x = [\n  1,\n      2]\ny = 1\n", "@d\nclass A:\n  @e\n  def f(self): ...\n  x = 1\n",
        "# only\n    # this\n", "", "if a:\n    b()\n# note\n    c()\n",
        "for a in b:\n  c()\nelse:\n    d()\n", "if a:\n    x = \"\"\"\nb\n  \"\"\"\n    c()\n",
        "with a as b, \\\n  c:\n    d()\n", "with \\\n        a as b:\n    c()\n",
        "async def f():\n    async with a:\n        pass\n", "if a:\n    b()\n\x0c\n    c()\n"}) {
    CAPTURE(fine);
    CHECK(lines(fine).empty());
  }
}

}  // namespace bodkin
