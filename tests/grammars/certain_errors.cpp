#include "grammars/certain_errors.h"

#include <doctest/doctest.h>

#include "grammars/same_code.h"
#include "grammars/syntax_tree.h"

namespace bodkin {
namespace {

struct Row {
  const char *path, *before, *after;
};

}  // namespace

TEST_CASE("certain errors: syntax that a grammar may be too old for is none") {
  const Row rows[] = {
      {"a.css", "a { color: red }\n", "@media (width >= 600px) { a { color: red } }\n"},
      {"a.rs", "fn f() {}\n", "unsafe extern \"C\" { safe fn g(); }\n"},
      {"a.ts", "const a = 1;\n", "interface Source<out T> { next(): T }\n"},
      {"A.java", "class A {}\n", "import module java.sql;\nclass A {}\n"},
      {"A.cs", "class A { }\n", "class A { int n; void M(A? other) { other?.n = 1; } }\n"},
      {"A.swift", "let a = 1\n", "func load() throws(LoadError) {}\n"},
      {"A.kt", "val a = 1\n", "val price = $$\"costs $5 {\"\n"},
      {"a.c", "int x;\n", "enum Color : unsigned char { RED };\n"},
      {"a.cpp", "int x;\n", "int f(int n) { if consteval { return 0; } return n; }\n"},
      {"a.c", "int f(void) { return 1; }\n", "int f(void) {\n  return 1;\nend:\n}\n"},
      {"a.php", "<?php\n$a = 1;\n", "<?php\n$a = clone($b, [\"x\" => 1]);\n"},
      {"a.sh", "x=1\n", "x=${ date; }\n"},
      {"a.sh", "case $x in a) ;; esac\n", "case $x in a) ;; b) x=${ date; } ;; esac\n"},
      {"a.lua", "a = 1\n", "global b = 1\n"},
      {"tsconfig.json", "{\n  \"a\": 1\n}\n", "{\n  // why\n  \"a\": 1,\n}\n"},
      {"chart/d.yaml", "name: b\n", "{{- if .Values.on }}\nname: b\n{{- end }}\n"},
  };
  const auto syntax = make_syntax();
  for (const Row& row : rows) {
    CAPTURE(std::string(row.path));
    CAPTURE(std::string(row.after));
    const auto certain = certain_errors(*syntax, row.path, Text(row.before), Text(row.after));
    CHECK((!certain || certain->empty()));
  }
}

TEST_CASE("certain errors: what lacks its other half is wrong in any version") {
  const Row rows[] = {
      {"a.c", "int f(void) { return 1; }\n", "int f(void) { return 1;\n"},
      {"a.cpp", "int x = f(1);\n", "int x = f(1;\n"},
      {"a.c", "int a;\nint b;\n", "int a\nint b;\n"},
      {"a.cpp", "int f() { int a = 1; return a; }\n", "int f() { int a = 1 return a; }\n"},
      {"A.java", "class A { int a; }\n", "class A { int a }\n"},
      {"a.rs", "fn f() {}\n", "fn f() {}}\n"},
      {"a.js", "let a = [1];\n", "let a = [1;\n"},
      {"a.py", "def f():\n    return 1\n", "def f():\nreturn 1\n"},
      {"a.py", "a = (1)\n", "a = (1\n"},
      {"a.sh", "if a; then\n  b\nfi\n", "if a; then\n  b\n"},
      {"a.css", "a { color: red }\n", "a { color: red\n"},
      {"package.json", "{\"a\": 1}\n", "{\"a\": 1,}\n"},
      {"d.yaml", "a: 1\n", "a: 1\n b: [\n"},
  };
  const auto syntax = make_syntax();
  for (const Row& row : rows) {
    CAPTURE(std::string(row.path));
    CAPTURE(std::string(row.after));
    const auto certain = certain_errors(*syntax, row.path, Text(row.before), Text(row.after));
    CHECK((certain && !certain->empty()));
  }
}

TEST_CASE("same code: comments and blanks alone") {
  const Row same[] = {
      {"a.c", "// old\nint f(void) { return 1; }\n",
       "/* new: one */\n\nint f(void) {\n  return 1;\n}\n"},
      {"a.py", "def f():\n    # Adds.\n    return 1\n", "def f():\n\n    return 1  # one\n"},
      {"a.go", "package a\n\n// F adds.\nfunc F() {}\n",
       "package a\n\n// F subtracts.\nfunc F() {}\n"},
      {"a.ts", "f(1, 2); // go on\n", "f(1,\n  2);\n"},
      {"a.rs", "fn f() {} // one\n", "fn f() {}\n"},
      {"a.sh", "# a\necho a\n", "# b\necho a\n"},
  };
  for (const Row& row : same) {
    CAPTURE(std::string(row.after));
    CHECK(is_same_code(row.path, Text(row.before), Text(row.after)));
  }
  const Row other[] = {
      {"a.c", "int a;\n", "int b;\n"},
      {"a.c", "char s[] = \"a b\";\n", "char s[] = \"a  b\";\n"},
      {"a.c", "int a = 1; // one\n", "int a = 1; // one \\\n"},
      {"a.c", "switch (a) { case 1: b(); /* fall through */ case 2: c(); }\n",
       "switch (a) { case 1: b(); case 2: c(); }\n"},
      {"a.c", "// x\nint a[__LINE__];\n", "int a[__LINE__];\n"},
      {"a.py", "if a:\n    b()\n    c()\n", "if a:\n    b()\nc()\n"},
      {"a.py", "a = f()  # type: ignore\n", "a = f()\n"},
      {"a.py", "a = f()  # type: ignore\nb = f()\n", "a = f()\nb = f()  # type: ignore\n"},
      {"a.py", "s = 'a b'\n", "s = 'a  b'\n"},
      {"a.go", "package a\n", "//go:build linux\n\npackage a\n"},
      {"a.js", "return\na\n", "return a\n"},
      {"a.js", "const a = `x y`;\n", "const a = `x  y`;\n"},
      {"a.ts", "// @ts-ignore\nf();\n", "f();\n"},
      {"a.rs", "fn f() {}\n", "fn f() {}\n/// of nothing\n"},
      {"a.sh", "echo a b\n", "echo a\\ b\n"},
      {"a.sh", "cat <<E\na b\nE\n", "cat <<E\na  b\nE\n"},
      {"a.txt", "a\n", "a\n\n"},
  };
  for (const Row& row : other) {
    CAPTURE(std::string(row.after));
    CHECK_FALSE(is_same_code(row.path, Text(row.before), Text(row.after)));
  }
}

}  // namespace bodkin
