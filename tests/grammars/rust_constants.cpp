#include "grammars/rust_constants.h"

#include <doctest/doctest.h>

#include <string>

using namespace bodkin;

TEST_CASE("Rust: constants that may fail only when code is generated") {
  const auto may_fail = [](const std::string& source) {
    return may_fail_when_generated(Text(source));
  };
  for (const char* value :
       {"assert!(N > 2)", "check(N)", "Self::check()", "N - 1", "N-1", "[1u8, 2, 3][N]", "-Self::M",
        "if N > 2 { 1 } else { panic!() }", "{ let n = size(N); n }", "&[size(N)]"}) {
    CAPTURE(value);
    CHECK(may_fail("impl<T> A<T> {\n    const M: u8 = " + std::string(value) + ";\n}\n"));
    CHECK(may_fail("impl<const N: usize> A<N> {\nconst M: u8 =\n" + std::string(value) + ";\n}\n"));
    CHECK(may_fail("trait A {\n    const M: u8 = " + std::string(value) + ";\n}\n"));
    CHECK(may_fail("fn f<T>() {\n    const { " + std::string(value) + " };\n}\n"));
    CHECK(!may_fail("impl<'a> A<'a> {\n    const M: u8 = " + std::string(value) + ";\n}\n"));
    CHECK(!may_fail("impl A for B {\n    const M: u8 = " + std::string(value) + ";\n}\n"));
    CHECK(!may_fail("const M: u8 = " + std::string(value) + ";\n"));
  }
  for (const char* value : {"1", "-1", "\"a + b(c)\"", "Self::N", "Some(1)", "Kind::One(2)",
                            "&[1, 2]", "(1, N)", "One { two: 2 }", "1 as u8"}) {
    CAPTURE(value);
    CHECK(!may_fail("impl<T> A<T> {\n    pub const M: u8 = " + std::string(value) + ";\n}\n"));
  }
  CHECK(!may_fail("trait A {\n    const M: u8;\n}\n"));
  CHECK(!may_fail("impl<T> A<T> {\n    const fn f(n: u8) -> u8 {\n        n + 1\n    }\n}\n"));
  CHECK(
      !may_fail("fn f(n: *const u8) -> u8 {\n    println!(\"{:?}\", n as *const u8);\n    1\n}\n"));
  CHECK(may_fail("macro_rules! m {\n    () => { const { assert!(N > 2) } };\n}\n"));
  CHECK(may_fail("m! {\n    trait A { const M: u8 = 1 << Self::N; }\n}\n"));
  CHECK(!may_fail("m! {\n    struct A: u8 { const M = 1 << 2; }\n}\nconst N: u8 = 2 + 1;\n"));
}

TEST_CASE("Rust: many constants are read in linear time") {
  std::string source = "trait A {\n", given = "m! {\n";
  for (int i = 0; i < 50'000; ++i) {
    source += "    const M" + std::to_string(i) + ": u8 = 1;\n";
    given += "    const M" + std::to_string(i) + " = 1;\n";
  }
  CHECK(!may_fail_when_generated(Text(source + "}\n")));
  CHECK(!may_fail_when_generated(Text(given + "}\n")));
}
