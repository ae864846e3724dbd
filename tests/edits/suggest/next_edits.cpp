#include "edits/suggest/next_edits.h"

#include <doctest/doctest.h>

#include <string>

#include "edits/place/write.h"

using namespace bodkin;

namespace {

// A file that a person edits.
struct Edited {
  Text text;
  RecentEdit recent;
  FunctionAt function_at = [](size_t) { return std::nullopt; };

  NameAt is_name = [](size_t, size_t) { return true; };
  NameAt is_bound = [](size_t, size_t) { return false; };

  explicit Edited(const std::string& bytes) : text(bytes) {}

  void put(size_t offset, size_t length, const std::string& with) {
    const Text before = text;
    text = text.replace(offset, length, with);
    recent.note(before, text, {offset, length, with});
  }
  // Letter by letter, as people do, at the first such place at or after `from`.
  void type_over(const std::string& old, const std::string& with, size_t from = 0) {
    const size_t at = text.str().find(old, from);
    REQUIRE(at != std::string::npos);
    for (size_t i = 0; i < old.size(); ++i) put(at + old.size() - 1 - i, 1, "");
    for (size_t i = 0; i < with.size(); ++i) put(at + i, 0, std::string(1, with[i]));
  }
  // The lines, from 1, and what they become; with "?" where a person has to look for it.
  std::string next() const {
    const auto edit = recent.last();
    if (!edit) return "";
    std::string out;
    for (const NextEdit& each :
         next_edits(text, *edit, recent.earlier(), {function_at, is_name, is_bound}).edits) {
      out += std::to_string(each.lines.begin + 1) + "-" + std::to_string(each.lines.end) +
             (each.is_sure ? ": " : "? ");
      const Text after = with_edits(text, {each.change});
      out += after.str().substr(each.change.offset, each.change.text.size());
    }
    return out;
  }
};

const std::string kCalls =
    "def load(path):\n"
    "    check(path, strict=False)\n"
    "    return read(path)\n"
    "\n"
    "class Store:\n"
    "    def load(self, path):\n"
    "        check(path, strict=False)\n"
    "        return read(path)\n"
    "\n"
    "def save(path):\n"
    "    check(path, strict=False)\n";

}  // namespace

TEST_CASE("what was changed in one place is offered where the same lines stand") {
  Edited file(kCalls);
  file.type_over("strict=False", "strict=True");
  CHECK(file.next() ==
        "7-7?         check(path, strict=True)\n"
        "11-11?     check(path, strict=True)\n");
}

// What is said around a line says nothing of it.
std::optional<LineRange> one_line(size_t line) {
  return line > 0 ? std::optional(LineRange{line - 1, line + 1}) : std::nullopt;
}

TEST_CASE("it is certain once it was made three times, at the same depth") {
  const std::string call = "run(one, two)\n", end = "stop()\n\n";
  Edited file("\n" + call + end + call + end + call + end + "if:\n" + call + "go()\n\n    " + call +
              end);
  file.function_at = one_line;
  const auto next = [&] {
    file.type_over("two", "three");
    return file.next();
  };
  const std::string others = "12-12? run(one, three)\n15-15?     run(one, three)\n";
  CHECK(next() == "5-5? run(one, three)\n8-8? run(one, three)\n" + others);
  CHECK(next() == "8-8? run(one, three)\n" + others);
  CHECK(next() == "12-12: run(one, three)\n15-15?     run(one, three)\n");
}

TEST_CASE("nothing is certain any more once a place was passed over") {
  for (const bool is_going_up : {false, true}) {
    const std::string call = "run(one, two)\nstop()\n\n";
    Edited file("\n" + call + call + call + call + call + call);
    file.function_at = one_line;
    const auto change = [&](size_t number) {
      size_t at = 1;
      for (size_t k = is_going_up ? 5 - number : number; k > 0; --k)
        at = file.text.str().find("run", at + 1);
      file.type_over("two", "three", at);
      return file.next();
    };
    change(0);
    CHECK(!change(1).contains(": "));
    CHECK(change(2).contains(": "));
    const std::string passed = change(4);
    CHECK(passed.contains("? "));
    CHECK(!passed.contains(": "));
  }
}

const std::string kUses = "run(size);\nrun(size);\nend(size);\n";

TEST_CASE("a new name is certain once it was made twice, where three places or more are left") {
  for (const size_t uses : {2, 3}) {
    Edited file("let size = 1;\n\ngo(size);\n\n" + kUses.substr((3 - uses) * 11));
    file.type_over("size", "count");
    CHECK(!file.next().contains(": "));
    file.type_over("size", "count");
    CHECK(file.next().contains("5-5: run(count);\n") == (uses == 3));
  }
}

TEST_CASE("a new name that was made seven times is certain to the end") {
  std::string text = "let size = 1;\n\n";
  for (int i = 0; i < 7; ++i) text += "go" + std::to_string(i) + "(size);\n\n";
  Edited file(text);
  for (int i = 0; i < 6; ++i) file.type_over("size", "count");
  CHECK(file.next() == "13-13? go5(count);\n15-15? go6(count);\n");
  file.type_over("size", "count");
  CHECK(file.next() == "15-15: go6(count);\n");
}

TEST_CASE("a pattern may bind a name anew") {
  Edited file("fn f(\n  size: Option<u8>,\n) {\n  log(size);\n  if let Some(size) = size {\n" +
              kUses + "}\n");
  file.function_at = [](size_t) { return std::optional(LineRange{0, 9}); };
  file.is_bound = [](size_t, size_t) { return true; };
  file.type_over("size", "count");
  file.type_over("size", "count");
  CHECK(file.next().starts_with("5-5?   if let Some(count) = count {\n6-6: run(count);\n7-7: "));
}

TEST_CASE("what is left of a name, declared once more or bound by a closure is uncertain") {
  const auto next = [](const std::string& second, const std::string& later) {
    Edited file("let size = 1;\n\n" + second + "\n\n" + kUses + later);
    file.type_over("size", "count");
    file.type_over("size", "count");
    return file.next();
  };
  CHECK(next("go(size);", "").starts_with("5-5: run(count);\n"));
  CHECK(!next("go(size, size);", "").contains(": "));
  CHECK(!next("go(size);", "let size = 2;\n").contains(": "));
  CHECK(next("go(size);", "all.map(|size| size);\n")
            .ends_with("7-7: end(count);\n8-8? all.map(|count| count);\n"));
}

TEST_CASE("what is below the edit comes first") {
  Edited file(kCalls);
  file.type_over("strict=False", "strict=True", 100);
  CHECK(file.next() ==
        "11-11?     check(path, strict=True)\n"
        "2-2?     check(path, strict=True)\n");
}

TEST_CASE("several lines become several lines at the depth of their place") {
  Edited file(kCalls);
  const std::string old = "    check(path, strict=False)\n    return read(path)\n";
  file.put(file.text.str().find(old), old.size(),
           "    with opened(path) as it:\n        return read(it)\n");
  CHECK(file.next() == "7-8?         with opened(path) as it:\n            return read(it)\n");
}

TEST_CASE("a line that says little, and one that is only added, imply nothing") {
  Edited brackets("f(\n)\ng(\n)\n");
  brackets.put(3, 1, "]");
  CHECK(brackets.next() == "");
  Edited added(kCalls);
  added.put(0, 0, "import os\n");
  CHECK(added.next() == "");
}

TEST_CASE("a name that the file did not have takes the place of the old one") {
  Edited file(
      "int total(int limit) {\n"
      "  // limit counts\n"
      "  log(\"limit\");\n"
      "  return limit + limits[limit];\n"
      "}\n");
  file.type_over("limit", "bound");
  CHECK(file.next() == "4-4?   return bound + limits[bound];\n");
}

TEST_CASE("a word that becomes one that the file has is no new name") {
  Edited file("int a = size(x);\nlong b = a;\nint c = b;\n");
  file.type_over("int", "long");
  CHECK(file.next() == "");
}

TEST_CASE("a name of one function is not renamed in another one") {
  Edited file(
      "function a(rooms) {\n"
      "  rooms.forEach((value) => {\n"
      "    show(value);\n"
      "  });\n"
      "  rooms.map((value) => value);\n"
      "  return value;\n"
      "}\n"
      "function b() {\n"
      "  const wall = 1;\n"
      "  return wall;\n"
      "}\n"
      "function c() {\n"
      "  const wall = 2;\n"
      "  return wall;\n"
      "}\n");
  file.function_at = [](size_t line) {
    return std::optional(line < 7    ? LineRange{0, 7}
                         : line < 11 ? LineRange{7, 11}
                                     : LineRange{11, 15});
  };
  file.type_over("value", "each");
  CHECK(file.next() == "3-3?     show(each);\n");
  file.recent.forget();
  file.type_over("wall", "door");
  CHECK(file.next() == "10-10?   return door;\n");
}

TEST_CASE("a member of something is another name than what stands alone, and than another's") {
  const auto with_function = [](const std::string& text) {
    Edited file(text);
    file.function_at = [](size_t) { return std::optional(LineRange{0, 9}); };
    return file;
  };
  Edited local =
      with_function("void f() {\n  auto user = get();\n  show(user, it.user, it->user);\n}\n");
  local.type_over("user", "reply");
  CHECK(local.next() == "3-3?   show(reply, it.user, it->user);\n");
  Edited member("a.size = 1\nb.size = 2\na.size = 3\nb?.size\na?.size\nf(...size)\n");
  member.is_bound = [](size_t, size_t) { return true; };
  member.type_over("size", "count");
  CHECK(member.next() == "3-3? a.count = 3\n5-5? a?.count\n");
  // Of a class, by its name alone where it is declared.
  Edited field(
      "struct Box {\n  int size = 0;\n};\nint a = box.size;\n\nint b = box.size;\n"
      "int c = box.size;\nint d = box.size;\nint e = it.box.size;\n");
  field.type_over("size", "count", field.text.str().find("box"));
  field.type_over("size", "count");
  CHECK(field.next().starts_with("6-6: int b = box.count;\n7-7: int c = box.count;\n"));
  CHECK(field.next().ends_with("8-8: int d = box.count;\n9-9? int e = it.box.count;\n"));
}

TEST_CASE("a new name is used where it is known") {
  Edited file("void f(int form) {\n  go(form);\n}\nshow(form);\n");
  file.function_at = [](size_t line) {
    return line < 3 ? std::optional(LineRange{0, 3}) : std::nullopt;
  };
  file.type_over("form", "data");
  file.type_over("form", "data");
  CHECK(file.next() == "");
}

TEST_CASE("a function's name is known outside of the function, and in the one that holds it") {
  const auto with_functions = [](const std::string& text, std::vector<LineRange> functions) {
    Edited file(text);
    file.function_at = [functions](size_t line) {
      std::optional<LineRange> innermost;
      for (const LineRange& each : functions)
        if (each.begin <= line && line < each.end) innermost = each;
      return innermost;
    };
    return file;
  };
  const std::string zork = "def zork(x):\n    return x\n\n";
  Edited calls = with_functions(zork + "zork(1)\n", {{0, 2}});
  calls.type_over("zork", "zirk");
  CHECK(calls.next() == "4-4? zirk(1)\n");
  Edited arrow = with_functions("const zork = (x) => {\n  go(x);\n};\nzork(1);\n", {{0, 3}});
  arrow.type_over("zork", "zirk");
  CHECK(arrow.next() == "4-4? zirk(1);\n");
  Edited go = with_functions("func (r *Room) zork(x int) {\n}\nvar a = r.zork(1)\n", {{0, 2}});
  go.type_over("zork", "zirk");
  CHECK(go.next() == "3-3? var a = r.zirk(1)\n");
  // Another function has a parameter, and another class a method, of this name.
  Edited other = with_functions(zork + "def f(zork):\n    return zork(1)\n", {{0, 2}, {3, 5}});
  other.type_over("zork", "zirk");
  CHECK(other.next() == "");
  Edited parameter =
      with_functions("def f(\n    zork=1,\n):\n    return zork\n\nzork(2)\n", {{0, 4}});
  parameter.type_over("zork", "zirk");
  CHECK(parameter.next() == "4-4?     return zirk\n");
  Edited inner = with_functions(
      "def f():\n    def zork(x):\n        return x\n    return zork(1)\n\nzork(2)\n",
      {{0, 4}, {1, 3}});
  inner.type_over("zork", "zirk");
  CHECK(inner.next() == "4-4?     return zirk(1)\n");
}

TEST_CASE("a use that becomes another name is no new name of what is declared") {
  Edited file("def size(x):\n    pass\n\nsize(1)\nsize(2)\n");
  file.type_over("size", "measure", 20);
  CHECK(file.next() == "");
}

TEST_CASE("a rename goes on at the next place when one is done") {
  Edited file("def size(x):\n    pass\n\na = size(1)\nz = 0\nb = size(2)\n");
  file.type_over("size", "measure");
  file.type_over("size", "measure");
  CHECK(file.next() == "6-6? b = measure(2)\n");
}

TEST_CASE("what only the function of the edit declares is no change of another one") {
  Edited file(
      "void a() {\n"
      "  auto reply = send();\n"
      "  check(old, 1);\n"
      "}\n"
      "void b(int reply) {\n"
      "  check(old, 1);\n"
      "}\n"
      "void c() {\n"
      "  check(old, 1);\n"
      "}\n");
  file.function_at = [](size_t line) {
    return std::optional(line < 4   ? LineRange{0, 4}
                         : line < 7 ? LineRange{4, 7}
                                    : LineRange{7, 10});
  };
  file.type_over("old", "reply");
  CHECK(file.next() == "6-6?   check(reply, 1);\n");
}

TEST_CASE("lines that become many, or a comment, imply nothing") {
  Edited file("run(first);\nother();\nrun(first);\n");
  file.put(0, 11, "if (a) {\n  run(first);\n}");
  CHECK(file.next() == "");
  Edited comment("run(first);\nother();\nrun(first);\n");
  comment.put(0, 0, "// ");
  CHECK(comment.next() == "");
}

TEST_CASE(
    "what goes, or makes place for something else, does so elsewhere once it did twice or three "
    "times") {
  for (const char* const with : {"", "    return measure(self, other)\n"}) {
    const std::string stub = "    raise Missing('one')\n";
    const std::string gap = "    pass\n\n\ndef b():\n";
    Edited file("def a():\n" + stub + gap + stub + gap + stub + gap + stub);
    file.put(9, stub.size(), with);
    CHECK(file.next() == "");
    const size_t second = file.text.str().find(stub);
    file.put(second, stub.size(), with);
    CHECK(file.next().contains("? "));
    file.put(file.text.str().find(stub), stub.size(), with);
    CHECK(file.next().contains(": "));
  }
}

TEST_CASE("a name that is only used becomes another one elsewhere once it did twice") {
  Edited file(
      "write(OUT, 1);\n\nwrite(OUT, 2);\n\nwrite(OUT, 3);\n\nwrite(OUT, 4);\nwrite(OUT, 5);\n"
      "write(OUT, 6);\n");
  file.type_over("OUT, 1", "ERR, 1");
  CHECK(file.next() == "");
  file.type_over("OUT, 2", "ERR, 2");
  CHECK(file.next().starts_with("5-5? write(ERR, 3);\n7-7? write(ERR, 4);\n"));
  file.type_over("OUT, 3", "ERR, 3");
  CHECK(file.next().starts_with("7-7: write(ERR, 4);\n8-8: "));
  Edited imported("from doors import shut\n\nshut()\n");
  imported.is_bound = [](size_t offset, size_t) { return offset == 18; };
  imported.type_over("shut", "close_all");
  CHECK(imported.next() == "3-3? close_all()\n");
}

TEST_CASE("a keyword is no name") {
  Edited file("auto one = 1;\nauto two = 2;\n");
  file.is_bound = [](size_t, size_t) { return true; };
  file.is_name = [&](size_t offset, size_t) { return file.text.substr(offset, 4) != "auto"; };
  file.type_over("auto", "Zork");
  CHECK(file.next() == "");
}

TEST_CASE("the same lines that are changed in two ways imply nothing more") {
  Edited file(kCalls);
  file.type_over("strict=False", "strict=True");
  file.type_over("strict=False", "depth=3");
  CHECK(file.next() == "");
}

TEST_CASE("an edit that is taken back, and one that somebody else made, implies nothing") {
  Edited file(kCalls);
  file.type_over("strict=False", "strict=True");
  file.type_over("strict=True", "strict=False");
  CHECK(file.next() == "");
  file.type_over("strict=False", "strict=True");
  file.recent.forget();
  CHECK(file.next() == "");
}

TEST_CASE("line ends stay as they are") {
  Edited file("open(first);\r\nrun();\r\nopen(first);\r\nrun();\r\n");
  file.type_over("first", "first, 2");
  CHECK(file.next() == "3-3? open(first, 2);\r\n");
}

TEST_CASE("an edit grows with what is typed beside it") {
  Edited file("alpha = load(one)\nbeta = load(two)\ngamma = load(three)\n");
  file.put(0, 5, "first");
  file.put(file.text.str().find("beta"), 4, "second");
  const auto edit = file.recent.last();
  REQUIRE(edit);
  CHECK(edit->before == std::vector<std::string>{"alpha = load(one)", "beta = load(two)"});
  CHECK(edit->after == std::vector<std::string>{"first = load(one)", "second = load(two)"});
  CHECK(edit->first == 0);
}
