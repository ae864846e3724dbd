// What becomes of the changes of a plan as a whole: new, removed and moved files, the same one
// twice, and what the syntax says.
#include <doctest/doctest.h>

#include <map>
#include <stop_token>
#include <string>

#include "edits/apply/apply.h"
#include "edits/apply/explain.h"
#include "edits/lazy/lazy.h"
#include "edits/plan/syntax.h"
#include "edits/text/mapped_text.h"
#include "edits/text/stopping.h"

using namespace bodkin;
using Change = FileChange::Kind;
using Kind = HunkLine::Kind;
using State = HunkReport::State;

namespace {

struct MapFiles : Files {
  std::map<std::string, std::string> texts;
  explicit MapFiles(std::map<std::string, std::string> t) : texts(std::move(t)) {}
  std::optional<Text> read(std::string_view path) const override {
    const auto it = texts.find(std::string(path));
    return it == texts.end() ? std::nullopt : std::optional(Text(it->second));
  }
  std::vector<std::string> paths() const override {
    std::vector<std::string> all;
    for (const auto& [path, text] : texts) all.push_back(path);
    return all;
  }
};

FileChange change(Change kind, const std::string& path, const std::string& contents = "") {
  FileChange out;
  out.kind = kind;
  out.path = path;
  out.contents = contents;
  return out;
}

FileChange update(const std::string& path, const std::string& old, const std::string& with) {
  FileChange out = change(Change::update, path);
  Hunk& hunk = out.hunks.emplace_back();
  hunk.lines = {{Kind::removed, old}, {Kind::added, with}};
  hunk.source_line = 7;
  return out;
}

FileChange moved(FileChange from, const std::string& to) {
  from.rename_to = to;
  return from;
}

ApplyReport applied(std::vector<FileChange> changes,
                    const std::map<std::string, std::string>& files,
                    const Syntax* syntax = nullptr) {
  EditPlan plan;
  plan.changes = std::move(changes);
  return apply(plan, MapFiles(files), syntax, {});
}

// The kind of the failure; the plan must have a report for each of its hunks, and no more.
std::string refused(const ApplyReport& report, size_t hunks) {
  CHECK(report.hunks.size() == hunks);
  CHECK(report.files.empty());
  return report.failure ? std::string(name_of(report.failure->kind)) : "";
}

}  // namespace

TEST_CASE("a file is moved only to where none is, and is meant beyond doubt") {
  const std::map<std::string, std::string> files = {{"a", "x\n"}, {"b", "y\n"}, {"d/e/c", "z\n"}};
  const FileChange a = update("a", "x", "w");
  CHECK(refused(applied({moved(a, "../a")}, files), 1) == "stale_path");
  CHECK(refused(applied({moved(a, "b")}, files), 1) == "exists");
  CHECK(refused(applied({moved(update("f/c", "z", "w"), "q/r")}, files), 1) == "stale_path");
  CHECK(refused(applied({moved(update("c", "z", "w"), "q/r")}, files), 1) == "stale_path");
  const ApplyReport same = applied({moved(a, "a")}, files);
  REQUIRE(same.ok);
  REQUIRE(same.files.size() == 1);
  CHECK(same.files[0].after->str() == "w\n");
  CHECK(!same.files[0].rename_to);
  const ApplyReport other = applied({moved(a, "n")}, files);
  REQUIRE(other.ok);
  CHECK(other.files.at(0).rename_to == "n");
  CHECK(refused(applied({change(Change::create, "n", "1\n"), moved(a, "n")}, files), 2) ==
        "exists");
  CHECK(refused(applied({moved(a, "n"), change(Change::create, "n", "1\n")}, files), 2) ==
        "conflict");
}

TEST_CASE("the same change of a whole file twice is one, another is a conflict") {
  const FileChange n = change(Change::create, "n", "1\n");
  const ApplyReport twice = applied({n, n}, {});
  REQUIRE(twice.ok);
  CHECK(twice.files.size() == 1);
  REQUIRE(twice.hunks.size() == 2);
  CHECK(twice.hunks[0].state == State::applied);
  CHECK(twice.hunks[1].state == State::no_change);
  CHECK(twice.hunks[1].hunk == 1);
  CHECK(refused(applied({n, change(Change::create, "n", "2\n")}, {}), 2) == "conflict");
  CHECK(refused(applied({n, change(Change::overwrite, "n", "1\n")}, {}), 2) == "conflict");
  CHECK(refused(applied({n, change(Change::create, "m", "2\n"), change(Change::create, "m", "1\n")},
                        {}),
                3) == "conflict");
  const FileChange o = change(Change::overwrite, "a", "1\n");
  CHECK(refused(applied({o, moved(o, "b")}, {{"a", "x\n"}}), 2) == "conflict");
  CHECK(applied({o, o}, {{"a", "x\n"}}).ok);
  // A removal that shows what it removes.
  FileChange removal = change(Change::remove, "a");
  removal.hunks = update("a", "x", "").hunks;
  removal.hunks[0].lines.pop_back();
  CHECK(applied({removal}, {{"a", "x\n"}}).ok);
  CHECK(refused(applied({removal, removal}, {{"a", "x\n"}}), 2) == "conflict");
}

TEST_CASE("what is refused is reported for each hunk at its line") {
  FileChange two = update("a", "x", "w");
  two.hunks.push_back(two.hunks[0]);
  two.hunks[1].source_line = 9;
  const ApplyReport report = applied({two}, {});
  CHECK(refused(report, 2) == "stale_path");
  CHECK(report.hunks[0].source_line == 7);
  CHECK(report.hunks[1].source_line == 9);
  FileChange removal = change(Change::remove, "a");
  removal.hunks = two.hunks;
  CHECK(refused(applied({removal}, {}), 1) == "stale_path");
}

TEST_CASE("a new file, and one that is there") {
  const ApplyReport there = applied({change(Change::create, "a", "x\n")}, {{"a", "x\n"}});
  REQUIRE(there.ok);
  CHECK(there.hunks.at(0).state == State::already_applied);
  CHECK(refused(applied({change(Change::create, "a", "y\n")}, {{"a", "x\n"}}), 1) == "exists");
  CHECK(refused(applied({change(Change::lazy, "n", "x\n")}, {}), 1) == "stale_path");
  const std::string sketch = "one();\n// ... existing code ...\ntwo();\n";
  CHECK(refused(applied({change(Change::create, "n.c", sketch)}, {}), 1) == "malformed");
  CHECK(refused(applied({change(Change::overwrite, "n.c", sketch)}, {}), 1) == "malformed");
  CHECK(refused(applied({change(Change::overwrite, "a.c", sketch)}, {{"a.c", "one();\n"}}), 1) ==
        "malformed");
  // What the file says itself is no elision.
  CHECK(applied({change(Change::overwrite, "a.c", sketch)},
                {{"a.c", "zero();\n// ... existing code ...\ntwo();\n"}})
            .ok);
  // Many systems take names in other cases for the same.
  CHECK(refused(applied({change(Change::create, "A.c", "x\n")}, {{"a.c", "y\n"}}), 1) == "exists");
  CHECK(refused(applied({change(Change::overwrite, "A.c", "x\n")}, {{"a.c", "y\n"}}), 1) ==
        "exists");
  CHECK(refused(applied({change(Change::remove, "A.c")}, {{"a.c", "y\n"}}), 1) == "stale_path");
}

TEST_CASE("updates that name one file in two ways are put together, a new file is not guessed") {
  const ApplyReport two =
      applied({update("d/a", "x", "1"), update("./d/a", "y", "2")}, {{"d/a", "x\ny\n"}});
  REQUIRE(two.ok);
  REQUIRE(two.files.size() == 1);
  CHECK(two.files[0].after->str() == "1\n2\n");
  const ApplyReport guess =
      applied({change(Change::create, "a", "n\n"), update("d/a", "x", "1")}, {{"d/a", "x\n"}});
  REQUIRE(guess.ok);
  CHECK(guess.files.size() == 2);
}

TEST_CASE("a file is removed by a diff only if it takes all lines from it") {
  FileChange removal = change(Change::remove, "a");
  Hunk& hunk = removal.hunks.emplace_back();
  hunk.lines = {{Kind::removed, "x"}, {Kind::removed, ""}, {Kind::removed, "  y"}};
  CHECK(applied({removal}, {{"a", "x\n\n  y\n"}}).ok);
  CHECK(applied({removal}, {{"a", "\nx\ny\n\n"}}).ok);
  CHECK(refused(applied({removal}, {{"a", "x\ny\nz\n"}}), 1) == "not_found");
  CHECK(refused(applied({removal}, {{"a", "x\n"}}), 1) == "not_found");
  hunk.lines[2].kind = Kind::context;
  CHECK(refused(applied({removal}, {{"a", "x\n\n  y\n"}}), 1) == "not_found");
}

TEST_CASE("an absolute path is a file of the folder, wherever it stands") {
  struct InFolder : MapFiles {
    using MapFiles::MapFiles;
    Result<std::string> inside(const std::string& path) const override {
      for (const std::string_view folder : {"/w/", "~/w/", "file://w/"})  // as plain paths
        if (path.starts_with(folder)) return path.substr(folder.size());
      if (path.starts_with('/')) return fail(Error::Code::not_found, "is elsewhere");
      return path;
    }
  };
  const InFolder files({{"a", "x\n"}, {"b", "y\n"}});
  const auto changed = [&](FileChange change) {
    EditPlan plan;
    plan.changes = {std::move(change)};
    const ApplyReport report = apply(plan, files, nullptr, {});
    if (!report.ok) return "refused: " + std::string(name_of(report.failure->kind));
    const ChangedFile& file = report.files.at(0);
    return file.path + " > " + file.rename_to.value_or("") + " " + file.after->str();
  };
  for (const std::string folder : {"", "/w/", "~/w/", "file:///w/"}) {
    INFO(folder);
    CHECK(changed(update(folder + "a", "x", "z")) == "a >  z\n");
    CHECK(changed(moved(update("a", "x", "z"), folder + "c")) == "a > c z\n");
  }
  CHECK(changed(update("/v/a", "x", "z")) == "refused: stale_path");
}

TEST_CASE("of a UTF-16 text nothing is changed, but it may be moved and deleted") {
  for (const std::string mark : {"\xff\xfe", "\xfe\xff"}) {
    const std::string text = mark + std::string("x\0\n\0", 4);
    CHECK(refused(applied({update("a", "x", "z")}, {{"a", text}}), 1) == "malformed");
    CHECK(refused(applied({change(Change::overwrite, "a", "z\n")}, {{"a", text}}), 1) ==
          "malformed");
    CHECK(applied({change(Change::remove, "a")}, {{"a", text}}).ok);
    CHECK(applied({moved(change(Change::update, "a"), "b")}, {{"a", text}}).ok);
  }
}

namespace {

struct OneError : Syntax {
  size_t line = 0;
  bool known = true;
  mutable std::string before;
  bool knows(std::string_view) const override { return known; }
  std::optional<std::vector<size_t>> new_errors(std::string_view, const Text& text,
                                                const Text&) const override {
    before = text.str();
    return std::vector<size_t>{line};
  }
  std::vector<SyntaxBlock> blocks(std::string_view, const Text&,
                                  const std::vector<char>*) const override {
    return {};
  }
};

}  // namespace

TEST_CASE("where signs may be bent, the syntax has a say") {
  OneError syntax;
  const auto is_refused = [&](const std::string& added) {
    return !applied({update("a", "x", added)}, {{"a", "x \ny\n"}}, &syntax).ok;
  };
  for (const char* bent : {"a \\n b", "a &lt; b", "&123456;", "a “b”", "\\", "&;"}) {
    INFO(std::string(bent));
    CHECK(is_refused(bent));
  }
  for (const char* plain : {"a b", "a & b", "&1234567;", "a; b", "é", "", ";"}) {
    INFO(std::string(plain));
    CHECK(!is_refused(plain));
  }
  syntax.line = 1;  // which is not bent
  CHECK(!is_refused("a \\n b"));
  syntax.line = 0;
  CHECK(applied({update("a", "x", "\\")}, {{"a", "x\ny\n"}}, &syntax).ok);  // exact
  syntax.known = false;
  CHECK(applied({update("a", "x", "\\")}, {{"a", "x \ny\n"}}, &syntax).ok);
}

TEST_CASE("only the hunks that are in doubt are laid to the syntax, and only at their own lines") {
  OneError syntax;
  FileChange two = update("a", "x", "\\");
  two.hunks.push_back(update("a", "y", "\\").hunks[0]);
  syntax.line = 1;
  const ApplyReport report = applied({two}, {{"a", "x\ny \nz\n"}}, &syntax);
  CHECK(syntax.before == "\\\ny \nz\n");
  CHECK(report.hunks.at(0).state == State::applied);
  CHECK(report.hunks.at(1).state == State::failed);
  CHECK(report.hunks.at(1).failure->message ==
        "it only resembles lines 2 to 2 of a, and there it would break the syntax at line 2");
  CHECK(report.hunks.at(1).failure->advice == "quote the lines exactly");
  FileChange lines = update("a", "x", "\\");
  lines.hunks[0].lines.push_back({Kind::added, "plain"});
  CHECK(applied({lines}, {{"a", "x \nz\n"}}, &syntax).ok);
}

TEST_CASE("a long text is not parsed") {
  OneError syntax;
  std::string text = "x \n";
  text.resize(kParsedAtOnce, 'y');
  CHECK(!applied({update("a", "x", "\\")}, {{"a", text}}, &syntax).ok);
  CHECK(applied({update("a", "x", "\\")}, {{"a", text + "y"}}, &syntax).ok);
}

TEST_CASE("a fence that names a file which no edit changes shows its lines, or is an edit lost") {
  const auto report = [](const std::string& path, const std::string& contents) {
    EditPlan plan;
    plan.changes = {update("a", "old();", "new();")};
    plan.plain_fences.push_back(
        {.contents = contents, .path = path, .source_line = 9, .line_count = 1});
    const std::map<std::string, std::string> files = {{"a", "old();\n"}, {"b", "x();\ny();\n"}};
    return apply(plan, MapFiles(files), nullptr, {});
  };
  for (const auto& [path, contents] :
       {std::pair("", "any();\n"), {"a", "any();\n"}, {"b", "y();\n"}}) {
    const ApplyReport shown = report(path, contents);
    CHECK(shown.ok);
    REQUIRE(shown.shown.size() == 1);
    CHECK(shown.shown[0].source_line == 9);
    CHECK(explain(shown) == "Shown, not applied: line 9, 1 line.\n");
  }
  CHECK(!report("b", "z();\n").ok);
  CHECK(!report("c", "z();\n").ok);
}

TEST_CASE("a placing ends within a hunk or a sketch where it is stopped") {
  std::stop_source stop;
  const std::stop_token token = stop.get_token();
  const Text text("def f():\n    x = 1\n    return x\n\ndef g():\n    return 2\n");
  const std::string sketch = "# ... existing code ...\ndef g():\n    return 3\n";
  const auto can_go_on = [&] { return MappedText(text).spend(1); };
  const auto merges = [&] { return merge_lazy(sketch, text).has_value(); };
  const Stopping outer(token);
  {
    const Stopping inner{std::stop_token()};
    CHECK((can_go_on() && merges()));
    stop.request_stop();
    CHECK(!can_go_on());
    CHECK(!merges());
  }
  CHECK(is_stopped());
}
