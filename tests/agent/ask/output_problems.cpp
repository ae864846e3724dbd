#include "agent/ask/output_problems.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace bodkin;

namespace {

std::string words_of(const std::vector<CheckedProblem>& problems) {
  std::string words;
  for (const CheckedProblem& each : problems) {
    words += fmt::format("{}:{}:{}:{}:{}\n", each.path, each.line,
                         each.severity == Severity::error ? "error" : "warning", each.code,
                         each.message);
  }
  return words;
}

}  // namespace

TEST_CASE("problems_in: the forms of compilers, test runners and linters") {
  struct Row {
    const char* output;
    const char* wanted;  // path:line:severity:code:message, one a line
  };
  const Row rows[] = {
      // gcc, clang
      {"src/a.c: In function ‘f’:\nsrc/a.c:3:5: error: ‘x’ undeclared (first use in this "
       "function)\n"
       "    3 |     x = 1;\n      |     ^\nsrc/a.c:7:9: warning: unused variable ‘y’ "
       "[-Wunused-variable]\nsrc/a.c:9:1: note: declared here\n",
       "src/a.c:3:error::‘x’ undeclared (first use in this function)\n"
       "src/a.c:7:warning:-Wunused-variable:unused variable ‘y’\n"},
      {"/w/b.cc:1:10: fatal error: none.h: No such file or directory\n",
       "/w/b.cc:1:error::none.h: No such file or directory\n"},
      {"\x1b[1ma.c:2:1:\x1b[0m \x1b[31merror: \x1b[0mexpected ';'\r\n",
       "a.c:2:error::expected ';'\n"},
      {"a.c:2: error: too old\n", "a.c:2:error::too old\n"},
      // tsc, with and without --pretty
      {"src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.\n",
       "src/a.ts:3:error:TS2322:Type 'string' is not assignable to type 'number'.\n"},
      {"src/a.ts:3:5 - error TS2304: Cannot find name 'x'.\n\n3     x;\n      ~\n",
       "src/a.ts:3:error:TS2304:Cannot find name 'x'.\n"},
      // rustc
      {"error[E0308]: mismatched types\n --> src/main.rs:4:18\n  |\n4 |     let a: i32 = \"x\";\n"
       "error: aborting due to 1 previous error\n",
       "src/main.rs:4:error:E0308:mismatched types\n"},
      {"warning: unused variable: `x`\n  --> src/lib.rs:2:9\n",
       "src/lib.rs:2:warning::unused variable: `x`\n"},
      {R"({"reason":"compiler-message","message":{"level":"error","message":"mismatched types",)"
       R"("code":{"code":"E0308"},"spans":[{"file_name":"src/a.rs","line_start":4,"is_primary":true}]}})"
       "\n"
       R"({"reason":"build-finished","success":false})"
       "\n",
       "src/a.rs:4:error:E0308:mismatched types\n"},
      {R"({"$message_type":"diagnostic","level":"warning","message":"unused","code":null,)"
       R"("spans":[{"file_name":"a.rs","line_start":1,"is_primary":true}]})"
       "\n",
       "a.rs:1:warning::unused\n"},
      // go build, go vet, go test
      {"# example.org/shop\n./a.go:5:2: undefined: x\nvet: ./b.go:3:1: no\n",
       "./a.go:5:error::undefined: x\n./b.go:3:error::no\n"},
      {"--- FAIL: TestA (0.00s)\n    a_test.go:9: got 1, want 2\nFAIL\n",
       "a_test.go:9:error::got 1, want 2\n"},
      // pytest, python
      {"    def test_a():\n>       assert f() == 2\nE       assert 1 == 2\nE        +  where 1 = "
       "f()\n\n"
       "tests/test_a.py:4: AssertionError\nFAILED tests/test_a.py::test_a - assert 1 == 2\n",
       "tests/test_a.py:4:error:AssertionError:assert 1 == 2\n"},
      {"Traceback (most recent call last):\n  File \"main.py\", line 9, in <module>\n    f()\n"
       "  File \"/w/lib.py\", line 3, in f\n    raise ValueError(1)\nValueError: 1\n",
       "/w/lib.py:3:error:ValueError:ValueError: 1\n"},
      {"  File \"a.py\", line 2\n    def f(:\n          ^\nSyntaxError: invalid syntax\n",
       "a.py:2:error:SyntaxError:SyntaxError: invalid syntax\n"},
      // eslint: stylish, unix
      {"\n/w/src/a.js\n  3:5  error    'x' is not defined  no-undef\n  4:1  warning  Unexpected "
       "console statement  no-console\n\n✖ 2 problems (1 error, 1 warning)\n",
       "/w/src/a.js:3:error:no-undef:'x' is not defined\n"
       "/w/src/a.js:4:warning:no-console:Unexpected console statement\n"},
      {"/w/a.js:3:5: 'x' is not defined. [Error/no-undef]\n",
       "/w/a.js:3:error:no-undef:'x' is not defined.\n"},
      // msbuild
      {"Program.cs(7,13): error CS1002: ; expected [/w/app.csproj]\n",
       "Program.cs:7:error:CS1002:; expected\n"},
      // each once; what looks like it but is none
      {"a.c:3:5: error: x\na.c:3:5: error: x\n", "a.c:3:error::x\n"},
      {"12:30:05 INFO started\nhttp://host:80/x\nmake: *** [Makefile:3: all] Error 1\nkey: 3: "
       "value\n"
       "a.c:0:1: error: line nought\nDone in 3.5s\n",
       ""},
      {"", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.output);
    CHECK(words_of(problems_in(row.output)) == row.wanted);
  }
  std::string many;
  for (int i = 1; i < 1000; ++i) many += fmt::format("a.c:{}:1: error: x\n", i);
  CHECK(problems_in(many).size() == 200);
}
