#include "grammars/same_name.h"

#include <doctest/doctest.h>

#include <string>

using namespace bodkin;

namespace {

// The text once `count` has become `total` wherever it is the same name as the first `total`; "?"
// if that is not certain.
std::string renamed(const char* path, const std::string& text) {
  const auto tree = SyntaxTree::parse(*language_of(path), Text(text));
  REQUIRE(tree);
  const auto places = same_name(*tree, {text.find("total"), "count", "total"});
  if (!places) return "?";
  std::string out = text;
  for (const size_t at : *places) out.replace(at, 5, "total");
  return out;
}

struct Row {
  const char *path, *text, *wanted;
};

}  // namespace

TEST_CASE("a name is the same where its scope declares it and nothing else") {
  const Row rows[] = {
      // Keywords and members.
      {"a.py", "total = 1\nh(count=count, b=o.count)\n", "total = 1\nh(count=total, b=o.count)\n"},
      {"a.js", "let total = 1;\nf({ count: count }, o.count);\n",
       "let total = 1;\nf({ count: total }, o.count);\n"},
      {"a.ts", "let total = 1;\ninterface A { count: number }\nclass B { count = count; }\n",
       "let total = 1;\ninterface A { count: number }\nclass B { count = total; }\n"},
      {"a.c", "int total;\nstruct S { int count; };\nvoid f(struct S *s) { s->count = count; }\n",
       "int total;\nstruct S { int count; };\nvoid f(struct S *s) { s->count = total; }\n"},
      {"a.c",
       "int total;\nstruct S s = { .count = count };\nvoid f(void) { goto count; count: ; }\n",
       "int total;\nstruct S s = { .count = total };\nvoid f(void) { goto count; count: ; }\n"},
      {"a.cpp", "void f(int total) { s.count = count; N::count(count); }\n",
       "void f(int total) { s.count = total; N::count(total); }\n"},
      {"a.go",
       "package a\n\nfunc f(total int) {\n\tm := map[string]int{count: s.count}\n\tg(m)\n}\n",
       "package a\n\nfunc f(total int) {\n\tm := map[string]int{total: s.count}\n\tg(m)\n}\n"},
      {"a.rs", "fn f(total: i32) { g(S { count: count }, s.count, a::count); }\n",
       "fn f(total: i32) { g(S { count: total }, s.count, a::count); }\n"},
      {"a.rs", "fn f(total: i32) { assert!(s.count(count), \"count\"); }\n",
       "fn f(total: i32) { assert!(s.count(total), \"count\"); }\n"},
      // Scopes.
      {"a.py", "def f(total):\n    return [count for row in count for count in row]\n",
       "def f(total):\n    return [count for row in total for count in row]\n"},
      {"a.py", "total = 0\nclass A:\n    count = 3\n    a = [count for _ in b]\n",
       "total = 0\nclass A:\n    count = 3\n    a = [total for _ in b]\n"},
      {"a.py", "def f(total):\n    return g(\"count\", count)\n",
       "def f(total):\n    return g(\"count\", total)\n"},
      {"a.py", "def f(total):\n    return g(count=count)\n",
       "def f(total):\n    return g(count=total)\n"},
      {"a.py",
       "total = 1\ndef f(count=count):\n    return count\nclass A:\n    count = 3\n"
       "    def m(self):\n        return self.count + count\nprint(count)\n",
       "total = 1\ndef f(count=total):\n    return count\nclass A:\n    count = 3\n"
       "    def m(self):\n        return self.count + total\nprint(total)\n"},
      {"a.py",
       "def f():\n    total = 1\n    def g(count):\n        return count\n    return g(count)\n"
       "print(count)\n",
       "def f():\n    total = 1\n    def g(count):\n        return count\n    return g(total)\n"
       "print(count)\n"},
      {"a.py", "total = 1\na = [count for count in b]\nf'{count} count'\nx = lambda count: count\n",
       "total = 1\na = [count for count in b]\nf'{total} count'\nx = lambda count: count\n"},
      {"a.js",
       "function f(total) { const g = count => count; { let count = 1; } return count; }\n"
       "count();\n",
       "function f(total) { const g = count => count; { let count = 1; } return total; }\n"
       "count();\n"},
      {"a.tsx",
       "class total {}\nlet a: count = new count();\nfunction f(count: number) { g(count) }\n",
       "class total {}\nlet a: total = new total();\nfunction f(count: number) { g(count) }\n"},
      {"a.c",
       "int f(void) { int total = 0; for (;;) { int count = 1; use(count); } return count; }\n"
       "int g(void) { int count = 4; return count; }\n",
       "int f(void) { int total = 0; for (;;) { int count = 1; use(count); } return total; }\n"
       "int g(void) { int count = 4; return count; }\n"},
      {"a.c", "int total(int);\nint count(int n) { return n ? count(n - 1) : 0; }\n",
       "int total(int);\nint total(int n) { return n ? total(n - 1) : 0; }\n"},
      {"a.go",
       "package a\n\nfunc f() int {\n\ttotal := 1\n\tif count := count; count > 1 "
       "{\n\t\tg(count)\n\t}\n"
       "\treturn count\n}\n",
       "package a\n\nfunc f() int {\n\ttotal := 1\n\tif count := total; count > 1 "
       "{\n\t\tg(count)\n\t}\n"
       "\treturn total\n}\n"},
      {"a.go", "package a\n\nfunc f(total error) {\n\tx, count := g(count)\n\th(x, count)\n}\n",
       "package a\n\nfunc f(total error) {\n\tx, total := g(total)\n\th(x, total)\n}\n"},
      {"a.rs", "fn f(total: i32) { let count = count + 1; g(count); }\n",
       "fn f(total: i32) { let count = total + 1; g(count); }\n"},
      {"a.rs", "fn f(total: A) { if let Some(count) = count { g(count) } else { h(count) } }\n",
       "fn f(total: A) { if let Some(count) = total { g(count) } else { h(total) } }\n"},
      {"a.rs", "fn f(total: i32) { fn g() -> i32 { count() } h(count, g()); }\n",
       "fn f(total: i32) { fn g() -> i32 { count() } h(total, g()); }\n"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(renamed(row.path, row.text) == row.wanted);
  }
}

TEST_CASE("where it may be something else, nothing is certain") {
  const Row rows[] = {
      {"a.py", "total = 1\ndef f():\n    from m import count\n    return count\n", nullptr},
      {"a.py", "total = 1\nimport count.sub\nf(count)\n", nullptr},
      {"a.py", "total = 1\ndef f():\n    global count\n    count = 2\n", nullptr},
      {"a.py", "class A:\n    total = 1\n    b = count\n", nullptr},
      {"a.py", "def f(o):\n    o.total = 1\n    return o.count\n", nullptr},
      {"a.py", "f(total)\ng(count)\n", nullptr},
      {"a.js", "let total = 1;\nsend({ count });\n", nullptr},
      {"a.js", "let total = 1;\nexport { count };\n", nullptr},
      {"a.js", "const { total } = o;\nf(count);\n", nullptr},
      {"a.ts", "class A { constructor(private total: number) { f(count); } }\n", nullptr},
      {"a.ts", "let total = 1;\nlet a: count = count;\n", nullptr},
      {"a.c", "int total;\n#define COUNT count\n#define count 3\nint f(void) { return count; }\n",
       nullptr},
      {"a.c", "void f(int total) { FIELD(s, count); }\n", nullptr},
      {"a.cpp", "int total;\nint f() { return count; }\n", nullptr},  // a member, maybe
      {"a.go", "package a\n\nfunc f(total int) {\n\tg(S{count: count})\n}\n", nullptr},
      {"a.rs", "fn f(total: i32) { g(S { count }); }\n", nullptr},
      {"a.rs", "fn f(total: i32) { println!(\"{count}\"); }\n", nullptr},
      {"a.rs", "fn f(total: i32) { info!(count); }\n", nullptr},
      {"a.py", "total = 1\nprint(count\nx = (\n", nullptr},  // broken
      // Declared otherwise, or used where it is only text.
      {"a.rs", "fn total() {}\nfn f() { use a::count; count() }\nfn g() { count() }\n", nullptr},
      {"a.rs", "fn f(total: usize) { println!(\"{:>count$}\", 1); }\n", nullptr},
      {"a.cpp", "void f() { int total; { using n::count; g(count); } g(count); }\n", nullptr},
      {"a.c", "int total;\n#define NEXT (count + 1)\nint f(void) { return count + NEXT; }\n",
       nullptr},
      {"a.c", "int total;\nint f(void) { extern int count; return count; }\n", nullptr},
      {"a.js", "function f(a = count) { var total = 2; return a + count; }\n", nullptr},
      {"a.ts", "namespace N { export const total = 1; f(count); }\ng(N.count);\n", nullptr},
      {"a.py", "total = 1\n__all__ = [\"count\"]\nf(count)\n", nullptr},
      {"a.py", "def f(total):\n    return count\n\n\nf(count=1)\n", nullptr},
      {"a.py", "total = 0\nclass A:\n    a = count\n    count = 3\n", nullptr},
      {"a.lua", "local total = 1\nprint(count)\n", nullptr},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(renamed(row.path, row.text) == "?");
  }
}
