#include "agent/ask/step.h"

#include <doctest/doctest.h>

using namespace bodkin;

namespace {

ChangedFile changed(const char* path, const char* before, const char* after) {
  ChangedFile file;
  file.path = path;
  if (before) file.before = Text(before);
  if (after) file.after = Text(after);
  return file;
}

Step step_of(const std::vector<ChangedFile>& changes) {
  return {"edit", std::chrono::milliseconds(120), false, "", step_files(changes)};
}

}  // namespace

TEST_CASE("a step counts the lines that a diff shows as added and removed") {
  struct Row {
    const char *before, *after;
    size_t added, removed;
  };
  for (const Row& row : {Row{"a\nb\nc\n", "a\nB\nc\n", 1, 1}, Row{"a\n", "a\nb\nc\n", 2, 0},
                         Row{"a\nb\nc", "a\n", 0, 2}, Row{nullptr, "a\nb", 2, 0},
                         Row{"a\nb\n", nullptr, 0, 2}, Row{"a\n", "a", 1, 1}}) {
    const Step step = step_of({changed("f.c", row.before, row.after)});
    CAPTURE(step.files[0].diff);
    CHECK(step.files[0].added == row.added);
    CHECK(step.files[0].removed == row.removed);
  }
}

TEST_CASE("a step is one line with its files, and the first of many") {
  ChangedFile moved = changed("old.c", "a\n", "a\n");
  moved.rename_to = "new.c";
  CHECK(words_of(step_of({changed("a.c", "x\n", "y\nz\n"), changed("b.c", nullptr, "b\n"),
                          moved})) == "a.c +2 −1, b.c (new) +1 −0, old.c → new.c +0 −0, 0.1 s");
  const ChangedFile gone = changed("d.c", "d\n", nullptr);
  CHECK(words_of(step_of({gone, gone, gone, gone, gone})).ends_with(" and 2 more, 0.1 s"));
  Step command = step_of({changed("a.c", "x\n", "y\n")});
  command.command = Step::Command{2, "no\n"};
  CHECK(words_of(command) == "a.c +1 −1, exit 2, 0.1 s");
  CHECK(words_of({"read_file", std::chrono::milliseconds(2340), true, {}}) ==
        "read_file failed, 2.3 s");
  // A time of nothing says nothing.
  CHECK(words_of({"edit", std::chrono::milliseconds(49), true, "no such text"}) ==
        "edit failed: no such text");
  CHECK(words_of({"edit", std::chrono::milliseconds(50), false, {}}) == "edit, 0.1 s");
}

TEST_CASE("the diffs of a step are bounded") {
  const std::string text(30'000, 'x');
  std::vector<ChangedFile> changes(40,
                                   changed("a.c", nullptr, (text + "\n" + text + "\n").c_str()));
  size_t bytes = 0;
  for (const Step::File& file : step_files(changes)) {
    CHECK(file.diff.size() < 25'000);
    bytes += file.diff.size();
  }
  CHECK(bytes < 300'000);
}
