#include "agent/ask/draft.h"

#include <doctest/doctest.h>

#include "agent/loop/scripted.h"

using namespace bodkin;

namespace {

ApplyReport changes(std::optional<std::string> before, std::optional<std::string> after,
                    std::string path, std::optional<std::string> to = std::nullopt) {
  ApplyReport report;
  report.ok = true;
  ChangedFile file;
  file.path = std::move(path);
  file.rename_to = std::move(to);
  if (before) file.before = Text(*before);
  if (after) file.after = Text(*after);
  report.files.push_back(std::move(file));
  return report;
}

}  // namespace

TEST_CASE("a draft is seen before the workspace, which stays as it is") {
  MemoryWorkspace workspace{{{"a", "1"}, {"b", "2"}}};
  Draft draft(workspace);
  const Task task;
  CHECK(draft.read("a", task)->text.str() == "1");
  draft.take(changes("1", "one", "a"));
  draft.take(changes(std::nullopt, "new", "c"));
  draft.take(changes("2", std::nullopt, "b"));
  CHECK(draft.read("a", task)->text.str() == "one");
  CHECK(draft.read("c", task)->text.str() == "new");
  CHECK(draft.read("b", task).error().code == Error::Code::not_found);
  CHECK(*draft.list("", 10, task) == std::vector<std::string>{"a", "c"});
  CHECK(workspace.files["a"] == "1");
  const auto files = draft.files();
  REQUIRE(files.size() == 3);
  CHECK(files[0].base->version == 1);
  CHECK(!files[1].text);
  CHECK(!files[2].base);
}

TEST_CASE("what is as it was before is not in the draft") {
  MemoryWorkspace workspace{{{{"a", "1"}}}};
  Draft draft(workspace);
  draft.take(changes("1", "2", "a"));
  draft.take(changes("2", "1", "a"));
  draft.take(changes(std::nullopt, "x", "n"));
  draft.take(changes("x", std::nullopt, "n"));
  CHECK(draft.files().empty());
}

TEST_CASE("a moved file is edited under its new path and keeps its base") {
  MemoryWorkspace workspace{{{{"a", "1"}}}};
  Draft draft(workspace);
  const Task task;
  (void)draft.read("a", task);
  draft.take(changes("1", "2", "a", "d/b"));
  CHECK(draft.read("d/b", task)->text.str() == "2");
  CHECK(!draft.read("a", task));
  draft.take(changes("2", "3", "d/b"));
  const auto files = draft.files();
  REQUIRE(files.size() == 1);
  CHECK(files[0].path == "a");
  CHECK(files[0].moved_to == "d/b");
  CHECK(files[0].text->str() == "3");
  CHECK(files[0].base->text.str() == "1");
}
