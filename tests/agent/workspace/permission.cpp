#include "agent/workspace/permission.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace bodkin;
using nlohmann::json;

namespace {

Access decided(const json& rules, const char* kind, const char* subject) {
  const auto parsed = Permissions::parse(rules);
  CHECK(parsed.problems().empty());
  return parsed.rule_for(kind, subject).access;
}

}  // namespace

TEST_CASE("what no rule names: reading and editing are allowed, running and foreign tools ask") {
  for (const json& rules :
       {json(nullptr), json::object(), json::array(), json{{"edit", json::object()}},
        json{{"edit", {{"other", "deny"}}}, {"run", {{"make*", "allow"}}}}}) {
    CAPTURE(rules.dump());
    CHECK(decided(rules, "edit", "a.c") == Access::allow);
    CHECK(decided(rules, "read", "") == Access::allow);
    CHECK(decided(rules, "run", "cargo test") == Access::ask);
    CHECK(decided(rules, "mcp", "fetch") == Access::ask);
  }
  CHECK(decided({{"read", "deny"}}, "edit", "a.c") == Access::allow);
  CHECK(decided({{"read", "deny"}}, "run", "make") == Access::ask);
  CHECK(Permissions().rule_for("run", "make").access == Access::ask);
  CHECK(Permissions().rule_for("unheard of", "x").access == Access::deny);
}

TEST_CASE("the special pattern counts over the general one") {
  const json rules = {{"edit", {{"*", "ask"}, {"db/**", "deny"}, {"*.md", "allow"}}}};
  CHECK(decided(rules, "edit", "a.c") == Access::ask);
  CHECK(decided(rules, "edit", "src/deep/a.c") == Access::ask);
  CHECK(decided(rules, "edit", "db/schema/1.sql") == Access::deny);
  CHECK(decided(rules, "edit", "doc/a.md") == Access::allow);
  CHECK(decided({{"edit", {{"*", "deny"}, {"doc/**", "allow"}}}}, "edit", "doc/a.md") ==
        Access::allow);
}

TEST_CASE("of the patterns that match the strictest counts, whatever their order") {
  // By the alphabet the allowing ones come last.
  const json rules = {
      {"edit", {{"db/**", "deny"}, {"src/*.sql", "ask"}, {"z*", "allow"}, {"**/*.sql", "allow"}}}};
  CHECK(decided(rules, "edit", "db/z.sql") == Access::deny);
  CHECK(decided(rules, "edit", "src/z.sql") == Access::ask);
  CHECK(decided(rules, "edit", "src/z.c") == Access::allow);
}

TEST_CASE("in a pattern of commands a star stands for any characters") {
  const json rules = {{"run", {{"*", "deny"}, {"make *", "allow"}, {"*--install*", "ask"}}}};
  CHECK(decided(rules, "run", "make -C build/debug all") == Access::allow);
  CHECK(decided(rules, "run", "make --install a/b") == Access::ask);
  CHECK(decided(rules, "run", "make") == Access::deny);
  CHECK(decided(rules, "run", "cmake x") == Access::deny);
}

TEST_CASE("a pattern of commands is about each simple command of a line, and never about more") {
  const json rules = {
      {"run", {{"a*", "allow"}, {"git log*", "allow"}, {"echo *", "allow"}, {"rm *", "deny"}}}};
  struct Case {
    std::string line;
    Access wanted;
  };
  using enum Access;
  const Case cases[] = {
      {"a", allow},
      {"a  -b   c", allow},
      {"  a -b 'c d' \"e\"  ", allow},
      {"a && a b || a; a\na", allow},
      {"a | a", allow},
      {"a; ", allow},
      {"git log --format='%s $(rm x)'", allow},
      {"echo 'a; b' x.py a~x", allow},
      {"echo *.py", ask},
      {"echo ~/x", ask},
      {"echo a=~", ask},
      {"a && b", ask},
      {"a;b", ask},
      {"a | b", ask},
      {"a\nb", ask},
      {"a & a", ask},
      {"a |& a", ask},
      {"a $(a)", ask},
      {"a `a`", ask},
      {"a \"$(a)\"", ask},
      {"a \"`b`\"", ask},
      {"a $HOME", ask},
      {"a \"$HOME\"", ask},
      {"a > x", ask},
      {"a 2>&1", ask},
      {"a < x", ask},
      {"a <<E\nrm x\nE", ask},
      {"a <(a)", ask},
      {"(a)", ask},
      {"{ a; }", ask},
      {"! a", ask},
      {"if a; then a; fi", ask},
      {"X=1 a", ask},
      {"a\\ b", ask},
      {"a \\\nb", ask},
      {"a # b", ask},
      {"a 'b", ask},
      {"a \"b", ask},
      {"a {b,c}", ask},
      {"a* b", ask},
      {"[ -f x ]", ask},
      {"a\x01", ask},
      {"a;; a", ask},
      {"&& a", ask},
      {"a()\n{ b; }", ask},
      {"", ask},
      {"# a", ask},
      {"gi't' log", ask},
      {"b", ask},
      {"rm x", deny},
      {"'rm' x", deny},
      {"r'm' x", deny},
      {"r\\m x", deny},
      {"a && rm x", deny},
      {"a $(rm x)", deny},
      {"a \"$(rm x)\" b", deny},
      {"a \"$(a)\"; rm x", deny},
      {"a `rm x`; b", deny},
      {"X=1 rm x", deny},
      {"if a; then rm x; fi", deny},
      {"(rm x)", deny},
      {"rm x > y", deny},
      {"a & rm x", deny},
      {"A=\"x\" rm a.c", deny},
      {"A='' rm a.c", deny},
      {"A+=\"\" rm a.c", deny},
      {"A[\"b\"]=1 rm a.c", deny},
      {"A[$i]+='' rm a.c", deny},
      {"A=\"$(a)\" rm a.c", deny},
      {"A=`a` rm a.c", deny},
      {"> y rm x", deny},
      {"2>&1 rm x", deny},
      {"&>y rm x", deny},
      {">| y rm x", deny},
      {"{fd}> y rm x", deny},
      {"r\\\nm x", deny},
      {"r? x", deny},
      {"[r]m x", deny},
      {"r{m,x} x", deny},
      {"$X x", deny},
      {"\"$X\" x", deny},
      {"r$X x", deny},
      {"$(a) x", deny},
      {"rm$IFS", deny},
      {"a $X", ask},
      {"ra* x", ask},
  };
  for (const Case& each : cases) {
    CAPTURE(each.line);
    CHECK(decided(rules, "run", each.line.c_str()) == each.wanted);
  }
}

TEST_CASE("a command that may be one that is denied is denied") {
  const json rules = {{"run", {{"*", "allow"}, {"git push*", "deny"}}}};
  for (const char* line : {"git pus?", "git p*", "git *", "git $X", "git {push,x}", "git $(a)",
                           "git `a` x", "git \"$(a)\"", "git >x push", "git &>x push",
                           "git > $(a) push", "git pu[\"s\"]h", "g* p*", "git ~/x", "$(a)t push"}) {
    CAPTURE(line);
    CHECK(decided(rules, "run", line) == Access::deny);
  }
  for (const char* line : {"git l*", "git log $X", "echo $(date)", "git > x log", "ls *.c"}) {
    CAPTURE(line);
    CHECK(decided(rules, "run", line) == Access::ask);
  }
  // Only what is denied: else a rule that allows would beat "*".
  CHECK(decided({{"run", {{"*", "deny"}, {"make*", "allow"}, {"g*", "ask"}}}}, "run", "$X a") ==
        Access::deny);
}

TEST_CASE("what another command runs is asked for and denied as if it stood alone") {
  const json deny = {{"run", {{"*", "allow"}, {"git push*", "deny"}}}};
  const json ask = {{"run", {{"*", "allow"}, {"git push*", "ask"}}}};
  const char* lines[] = {
      "env git push",
      "env A=1 -u B git push origin",
      "/usr/bin/env -i git push",
      "/usr/bin/git push",
      "command git push",
      "command -p git push",
      "exec -a x git push",
      "time git push",
      "time -p git push",
      "/usr/bin/time -f %e git push",
      "nice -n 5 git push",
      "nice git push",
      "nohup git push",
      "timeout 5 git push",
      "script -qc 'git push' /dev/null",
      "script --command='git push'",
      "su -c'git push'",
      "/lib64/ld-linux-x86-64.so.2 /usr/bin/git push",
      "timeout -k 1 5 git push",
      "timeout --signal=KILL 5s git push",
      "stdbuf -oL git push",
      "sudo -u root git push",
      "env nice -n 1 timeout 5 git push",
      "xargs git push",
      "xargs -n 1 -I {} git push {}",
      "echo push | xargs git",
      "find . -name x -exec git push {} ';'",
      "find . -execdir git push +",
      "sh -c 'git push'",
      "bash -lc \"git push\"",
      "bash -o pipefail -c 'cd x && git push'",
      "env bash -ec 'sh -c \"git push\"'",
      "eval git push",
      "eval 'cd x; git push'",
      "trap 'git push' EXIT",
      "watch git push",
      "env -S 'git push'",
      "bash -c \"$X\"",
      "cat <<E\nx\nE\ngit push",
      "cat <<'E' >y\nx\nE\ngit push",
      "cat <<-E\n\tx\n\tE\ngit push",
      "cat <<E\n$(git push)\nE",
      "cat <<E\n\"`git push`\"\nE",
      "cat <<A <<B\nx\nA\ny\nB\ngit push",
      "bash <<E\ngit push\nE",
      "bash -s <<'E'\ngit push\nE",
      "cat <<E | sh\ngit push\nE",
      "sh <<<'git push'",
      "echo 'git push' | sh",
      "$(cat <<E\nx\nE\ngit push)",
      "git -c x=y push",
      "git -c core.pager=cat push origin",
      "git -C dir push",
      "git -C dir -c a.b=c --no-pager push",
      "git --git-dir=x/.git push",
      "git --git-dir x/.git --work-tree x push",
      "git -p push",
      "git -c alias.p=push p",
      "git -c 'alias.p=!git push' p",
      "git -c core.pager='git push' log",
      "git -c \"$X\" push",
      "env A=1 git -C dir push",
      "time git -C dir push",
      "command git -c x=y push",
      "nice -n 5 git --git-dir=x push",
      "xargs git -C dir push",
      "bash <<E\ngit -C dir push\nE",
      "sh -c 'git --no-pager push'",
      "/usr/bin/git -C dir push",
  };
  for (const char* line : lines) {
    CAPTURE(line);
    CHECK(decided(deny, "run", line) == Access::deny);
    CHECK(decided(ask, "run", line) == Access::ask);
  }
  // Deeper than anybody writes.
  std::string deep = "git log";
  for (int i = 0; i < 12; ++i) deep = "eval " + deep;
  CHECK(decided(deny, "run", deep.c_str()) == Access::deny);
  // Text, and other commands.
  for (const char* line :
       {"env git log", "echo git push", "grep -r 'git push' .", "nice -n 5 git pull",
        "cat <<E\ngit push\nE", "cat <<'E'\n$(git push)\nE", "sh -c 'git log'",
        "find . -name git -exec ls push ';'", "timeout 5 git log", "git -C push log",
        "git -c push.default=simple log", "git --no-pager log push", "git log --grep push"}) {
    CAPTURE(line);
    CHECK(decided(deny, "run", line) != Access::deny);
  }
  const json publish = {
      {"run", {{"*", "allow"}, {"npm publish*", "deny"}, {"make deploy*", "deny"}}}};
  for (const char* line : {"npm --prefix x publish", "make -C x deploy", "make -j2 deploy"}) {
    CAPTURE(line);
    CHECK(decided(publish, "run", line) == Access::deny);
  }
  CHECK(decided(publish, "run", "make -C x test") == Access::allow);
  // A wrapper never makes a pattern allow.
  const json allow = {{"run", {{"git log*", "allow"}}}};
  for (const char* line : {"git -c core.pager=x log", "git -C dir log"}) {
    CAPTURE(line);
    CHECK(decided(allow, "run", line) == Access::ask);
  }
  for (const char* line : {"env git log", "sh -c 'git log'", "xargs git log", "time git log",
                           "/tmp/git log", "sh <<E\ngit log\nE"}) {
    CAPTURE(line);
    CHECK(decided(allow, "run", line) == Access::ask);
  }
}

TEST_CASE("a line that is not clear is allowed only where everything is") {
  for (const char* line : {"make > log", "a && b", "echo $(date)"}) {
    CAPTURE(line);
    CHECK(decided({{"run", "allow"}}, "run", line) == Access::allow);
    CHECK(decided({{"run", {{"*", "allow"}, {"make*", "allow"}}}}, "run", line) == Access::allow);
    CHECK(decided({{"run", "deny"}}, "run", line) == Access::deny);
  }
  const json rules = {{"run", {{"*", "allow"}, {"rm *", "deny"}}}};
  CHECK(decided(rules, "run", "a && b") == Access::allow);
  CHECK(decided(rules, "run", "make > log") == Access::ask);
  CHECK(decided(rules, "run", "a; rm x > log") == Access::deny);
}

TEST_CASE("what cannot be read denies, and says so") {
  struct Case {
    json rules;
    const char *denied_kind, *denied, *allowed_kind, *allowed;  // "": nothing is allowed
  };
  const Case cases[] = {
      {"deny", "edit", "a.c", "", ""},
      {json::array({"edit"}), "read", "", "", ""},
      {{{"edit", "no"}}, "edit", "a.c", "read", ""},
      {{{"edit", nullptr}}, "edit", "a.c", "read", ""},
      {{{"edit", {{"*", true}}}}, "edit", "a.c", "read", ""},
      {{{"edit", {{"*", "allow"}, {"db/**", "dney"}}}}, "edit", "db/a", "edit", "a.c"},
      {{{"edit", {{"", "ask"}}}}, "edit", "a.c", "read", ""},
      {{{"edit", {{"db/", "deny"}}}}, "edit", "db/a", "read", ""},
      {{{"edit", {{"../x", "deny"}}}}, "edit", "x", "read", ""},
      {{{"read", {{"*.c", "ask"}}}}, "read", "a.c", "edit", "a.c"},
      {{{"edti", "ask"}}, "edit", "a.c", "", ""},
      {{{"edti", "ask"}, {"read", "allow"}}, "edit", "a.c", "read", ""},
      {{{"Edit", "ask"}, {"edit", "allow"}}, "run", "make", "edit", "a.c"},
  };
  for (const Case& each : cases) {
    CAPTURE(each.rules.dump());
    const auto parsed = Permissions::parse(each.rules);
    REQUIRE(!parsed.problems().empty());
    CHECK(parsed.problems()[0].starts_with("bodkin.agent.permissions"));
    const AccessRule rule = parsed.rule_for(each.denied_kind, each.denied);
    CHECK(rule.access == Access::deny);
    CHECK(rule.problem == parsed.problems()[0]);
    if (*each.allowed_kind) {
      CHECK(parsed.rule_for(each.allowed_kind, each.allowed).access == Access::allow);
    } else {
      CHECK(parsed.rule_for("read", "").access == Access::deny);
    }
  }
}

TEST_CASE("a mistake in a kind's name is told also when every kind is named besides") {
  const auto parsed = Permissions::parse(
      {{"read", "allow"}, {"edit", "allow"}, {"run", "ask"}, {"mcp", "ask"}, {"edits", "deny"}});
  CHECK(parsed.problems().size() == 1);
}

TEST_CASE("a pattern that would match less than it says denies") {
  for (const char* pattern :
       {"{src/{gen,out},db}/**", "*.{lock,sum", " *.lock", "[db/**", "*.lock,*.sum", "!(src)/**"}) {
    CAPTURE(pattern);
    const auto parsed = Permissions::parse({{"edit", {{"*", "allow"}, {pattern, "deny"}}}});
    CHECK(!parsed.problems().empty());
    CHECK(parsed.rule_for("edit", "any.c").access == Access::deny);
  }
  for (const char* pattern : {"app/(group)/**", "*.{lock,sum}", "a,b.txt", "db/**"}) {
    CAPTURE(pattern);
    CHECK(Permissions::parse({{"edit", {{"*", "allow"}, {pattern, "deny"}}}}).problems().empty());
  }
  const auto parsed = Permissions::parse({{"edit", {{"*", "deny"}, {"**/gen.c", "allow"}}}});
  CHECK(parsed.rule_for("edit", "src/gen.c").access == Access::allow);
  CHECK(parsed.rule_for("edit", "gen.c").access == Access::allow);
  CHECK(parsed.rule_for("edit", "src/mygen.c").access == Access::deny);
}

TEST_CASE("what may be meant by a rule to ask is known as such, wherever it stands in a line") {
  const Permissions rules = Permissions::parse({{"run", {{"git push*", "ask"}}}});
  for (const char* line : {"git push", "git push && ls", "ls && git push", "git pu$x",
                           "git pus? origin", "eval \"$x\"", "ls; git `cat what`"}) {
    INFO(line);
    const AccessRule rule = rules.rule_for("run", line);
    CHECK(rule.access == Access::ask);
    CHECK(rule.pattern == "git push*");
  }
  CHECK(rules.rule_for("run", "ls && git status").pattern.empty());
  const Permissions most = Permissions::parse({{"run", {{"*", "allow"}, {"git push*", "ask"}}}});
  CHECK(most.rule_for("run", "git $x").pattern == "git push*");
  CHECK(most.rule_for("run", "ls && git status").access == Access::allow);
}
