#include "agent/checkers/quick_checks.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "agent/support/program.h"
#include "agent/support/temporary_folder.h"

using namespace bodkin;

namespace {

std::optional<QuickAnswer> answer_to(const char* path, const char* text) {
  const Text whole(text);
  const Language* language = language_of(path, whole.line(0));
  REQUIRE(language);
  return quick_check(*language, path, whole, "/nowhere", {});
}

}  // namespace

TEST_CASE("a shell's word is certain only of what no option of it makes right") {
  if (!find_program("bash")) {
    MESSAGE("skipped: bash is not installed");
    return;
  }
  const std::pair<const char*, bool> rows[] = {{"echo one)\n", false},
                                               {"alias if_so='if true; then'\nif_so\nfi\n", false},
                                               {"if true; then\n  echo one\n", true},
                                               {"echo \"one\n", true}};
  for (const auto& [text, is_certain] : rows) {
    CAPTURE(text);
    const auto answer = answer_to("a.sh", text);
    REQUIRE(answer);
    CHECK(!answer->is_right);
    CHECK(answer->is_certain == is_certain);
  }
  const auto patterns = answer_to("a.sh", "shopt -s extglob\nls !(a|b)\n");
  REQUIRE(patterns);
  CHECK(patterns->is_right);
}

TEST_CASE("dialects that no program reads are not judged") {
  for (const auto& [path, text] :
       {std::pair{".zshrc", "for x (a b) echo $x\n"},
        {"home/.zprofile", "fi\n"},
        {"a.zsh", "fi\n"},
        {"a.sh", "#!/usr/bin/env zsh\nfi\n"},
        {"a.sh", "#compdef a\nfi\n"},
        {"a.js", "/**\n * @flow strict\n */\nimport type {A} from './a';\n"}}) {
    CAPTURE(path);
    CHECK(!answer_to(path, text));
  }
}

TEST_CASE("what a launcher says when it fails is no error of the text") {
  const auto programs = TemporaryFolder::make(TemporaryFolder::Where::disk);
  REQUIRE(programs);
  const std::string before = std::getenv("PATH") ? std::getenv("PATH") : "";
  const auto install = [&](const std::string& name, const std::string& said) {
    const std::string path = programs->path() + "/" + name;
    std::ofstream(path) << "#!/bin/sh\ncat >/dev/null\necho '" << said << "' >&2\nexit 1\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  };
  ::setenv("PATH", (programs->path() + ":" + before).c_str(), 1);
  install("python3", "/opt/shims/python3: line 12: /opt/bin/launcher: No such file or directory");
  const auto failed = answer_to("a.py", (std::string(20, '\n') + "y = 2\n").c_str());
  REQUIRE(failed);
  CHECK(failed->failure.contains("python3 could not be run: /opt/shims/python3: line 12"));
  install("python3", "text:12: invalid syntax");
  const auto beyond = answer_to("a.py", "x = 1\ny = 2\n");
  REQUIRE(beyond);
  CHECK(!beyond->failure.empty());
  install("python3", "text:2: invalid syntax");
  const auto answer = answer_to("a.py", "x = 1\ny = = 2\n");
  REQUIRE(answer);
  CHECK(!answer->is_right);
  CHECK(answer->line == 2);
  ::setenv("PATH", before.c_str(), 1);
}

TEST_CASE("what Python's own parser refuses is told") {
  const auto answer = answer_to("a.py", "x = 1\ny = = 2\n");
  if (!answer || !answer->failure.empty()) {
    MESSAGE("skipped: ", answer ? answer->failure : "python3 is not installed");
    return;
  }
  CHECK(!answer->is_right);
  CHECK(answer->message.starts_with("invalid syntax"));
  CHECK(answer->may_be_newer == (answer->message != "invalid syntax"));
}
