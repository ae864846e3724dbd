// What a path means, and which one is forbidden.
#include "edits/plan/paths.h"

#include <doctest/doctest.h>

#include <string>

#include "edits/plan/report.h"

using namespace bodkin;

namespace {

struct Names : Files {
  std::vector<std::string> names;
  explicit Names(std::vector<std::string> all) : names(std::move(all)) {}
  std::optional<Text> read(std::string_view path) const override {
    for (const std::string& name : names)
      if (name == path) return Text("x\n");
    return std::nullopt;
  }
  std::vector<std::string> paths() const override { return names; }
};

// … of the folder /w; there is a folder /etc, too.
struct InFolder : Names {
  using Names::Names;
  Result<std::string> inside(const std::string& path) const override {
    if (path.starts_with("/w/")) return path.substr(3);
    if (path.starts_with("/etc/")) return fail(Error::Code::invalid_input, "is of the system");
    if (path.starts_with('/')) return fail(Error::Code::not_found, "is elsewhere");
    if (path.starts_with("../")) return fail(Error::Code::not_found, "is above");
    return path;
  }
};

// The file that is meant, with a '?' behind it if it is guessed; "": none.
std::string meant(const std::string& written, std::vector<std::string> names) {
  const TargetFile target = target_file(Names(std::move(names)), written, true);
  return target.text ? target.path + (target.is_guess ? "?" : "") : "";
}

}  // namespace

TEST_CASE("a name is shown as it is, bytes that are no UTF-8 and what is not seen aside") {
  for (const std::string name : {"a b.py", "\xC3\xA9.py", "\xE0\xA0\x80", "\xEF\xBF\xBD",
                                 "\xF0\x90\x80\x80", "\xF4\x80\x80\x80"}) {
    CHECK(is_printable(name));
    CHECK(printable(name) == name);
  }
  const std::pair<std::string, std::string> rows[] = {
      {"a\x80", "a\\x80"},
      {"\xC1\x80", "\\xC1\\x80"},
      {"\xC3(", "\\xC3("},
      {"\xE2\x82", "\\xE2\\x82"},
      {"\xE0\x80\x80", "\\xE0\\x80\\x80"},
      {"\xED\xA0\x80", "\\xED\\xA0\\x80"},
      {"\xF4\x90\x80\x80", "\\xF4\\x90\\x80\\x80"},
      {"\xF5\x80\x80\x80", "\\xF5\\x80\\x80\\x80"},
      {"\xED\xBF\xBF", "\\xED\\xBF\\xBF"},
      {"\xF4\x8F\xBF\xBF", "\\u{10FFFF}"},
      {"\xC2\x80", "\\u{0080}"},
      {"a\xE2\x80\x8B.py", "a\\u{200B}.py"},
      {"\x07", "\\u{0007}"},
  };
  for (const auto& [name, shown] : rows) {
    CHECK(!is_printable(name));
    CHECK(printable(name) == shown);
  }
}

TEST_CASE("what leads out of the workspace, or into .git, is forbidden") {
  for (const char* path :
       {"", "/a", "C:/a", "c:", "..", "a/..", "a/../b", "../a", ".git", "a/.git", ".git/config",
        ".GIT/x", ".git./x", "GIT~1/x", ".git:a/x", "a\x01", "-rf", "a/--help"})
    CHECK_MESSAGE(forbidden(path), path);
  for (const char* path :
       {"a", "a/b", "...", "a..b", ".gitignore", "git/x", ".github/x", "a.git", "a-b", "-"})
    CHECK_MESSAGE(!forbidden(path), path);
}

TEST_CASE("a file's name has an ending, or is one that many have") {
  for (const char* path : {"a.py", "b/a.C", "a.c++", "a.x-z_9", "a.A0", "Makefile", "src/LICENSE",
                           "a.Zz", "a.abcdefghijk"})
    CHECK_MESSAGE(names_file(path), path);
  for (const char* path : {"a", "a.", "makefile", "a.b c", "a.abcdefghijkl", "Makefile/a", "a.(b)"})
    CHECK_MESSAGE(!names_file(path), path);
}

TEST_CASE("a path means the file that it names, else the only one that it may mean") {
  CHECK(meant("src/a.py", {"src/a.py", "a.py"}) == "src/a.py");
  CHECK(meant("./src//a.py", {"src/a.py"}) == "src/a.py");
  CHECK(meant("`src/a.py`:", {"src/a.py"}) == "src/a.py");
  CHECK(meant("(src/a.py)", {"src/a.py"}) == "src/a.py");
  CHECK(meant("b/src/a.py", {"src/a.py"}) == "src/a.py?");
  CHECK(meant("b/a.py", {"b/a.py", "a.py"}) == "b/a.py");
  CHECK(meant("a/x.py", {"src/a/x.py", "x.py"}) == "x.py?");
  CHECK(meant("b/x.py", {"src/b/x.py", "x.py"}) == "x.py?");
  CHECK(meant("a.py", {"src/a.py"}) == "src/a.py?");
  CHECK(meant("lib/src/a.py", {"src/a.py"}) == "src/a.py?");
  CHECK(meant("a.py", {"src/a.py", "lib/a.py"}) == "");
  CHECK(meant("A.PY", {"a.py"}) == "a.py?");
  CHECK(meant("A.PY", {"a.py", "a.Py"}) == "");
  CHECK(meant("a.py", {"aa.py"}) == "");
  CHECK(meant("a.py", {}) == "");
}

TEST_CASE("an absolute path may point into the workspace") {
  CHECK(points_into_workspace("/home/me/box/src/a.py", "src/a.py"));
  CHECK(points_into_workspace("C:/box/src/a.py", "src/a.py"));
  CHECK(!points_into_workspace("/etc/box/src/a.py", "src/a.py"));
  CHECK(!points_into_workspace("/src/a.py", "src/a.py"));
  CHECK(!points_into_workspace("/home/../src/a.py", "src/a.py"));
  CHECK(!points_into_workspace("/home/mysrc/a.py", "src/a.py"));
  CHECK(!points_into_workspace("home/src/a.py", "src/a.py"));
  CHECK(!points_into_workspace("/home/me/b.py", "src/a.py"));
}

TEST_CASE("a path may mean one that ends in it") {
  CHECK(may_mean("a.py", "a.py"));
  CHECK(may_mean("./a.py", "src/a.py"));
  CHECK(may_mean("a.py", "./src/a.py"));
  CHECK(!may_mean("", "src/a.py"));
  CHECK(!may_mean("a.py", "src/aa.py"));
  CHECK(!may_mean("src/a.py", "a.py"));
}

TEST_CASE("a path that is absolute, or leads out, means a file of the folder or none") {
  const InFolder files({"src/a.py", "b.py"});
  const auto meant = [&](const char* written) {
    const TargetFile target = target_file(files, written, true);
    return target.why_outside.empty()
               ? (target.text ? "" : "no ") + target.path + (target.is_guess ? "?" : "")
               : "outside: " + target.why_outside;
  };
  CHECK(meant("/w/src/a.py") == "src/a.py");
  CHECK(meant("(/w/src/a.py)") == "src/a.py");
  CHECK(meant("/w/c.py") == "no c.py");
  CHECK(meant("/w/a.py") == "src/a.py?");
  CHECK(meant("/v/src/a.py") == "outside: is elsewhere");
  CHECK(meant("../b.py") == "outside: is above");
  CHECK(meant("a/../b.py") == "outside: is above");
  CHECK(meant("a/src/a.py") == "src/a.py?");
  CHECK(meant("top/src/a.py") == "src/a.py?");
  CHECK(meant("etc/src/a.py") == "outside: is of the system");
  CHECK(meant("a/etc/src/a.py") == "outside: is of the system");
  for (const char* path : {"/w/src/a.py", "src/a.py", "b.py", "a.py", "`b.py`"})
    CHECK_MESSAGE(is_file(files, path), path);
  for (const char* path : {"/w/c.py", "/v/src/a.py", "../b.py", "c.py", "/etc/src/a.py"})
    CHECK_MESSAGE(!is_file(files, path), path);
}

TEST_CASE("no copy that tools make or bring along is guessed, unless the path names its folder") {
  for (const char* folder :
       {"dist/", "web/dist/", ".venv/x/", "target/debug/", "vendor/", ".w/t/"}) {
    const std::string copy = std::string(folder) + "lib/a.js";
    CHECK(meant("lib/a.js", {copy, "b.js"}).empty());
    CHECK(meant("lib/a.js", {copy, "web/lib/a.js"}) == "web/lib/a.js?");
    CHECK(meant("top/" + copy, {copy}) == copy + "?");
    CHECK(meant(copy, {copy}) == copy);
  }
  CHECK(meant("dist/lib/a.js", {"web/dist/lib/a.js"}) == "web/dist/lib/a.js?");
}
