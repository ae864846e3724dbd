#include "agent/ask/draft.h"

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <random>
#include <set>

#include "agent/loop/scripted.h"

using namespace bodkin;

namespace {

std::vector<ChangedFile> changes(std::optional<std::string> before,
                                 std::optional<std::string> after, std::string path,
                                 std::optional<std::string> to = std::nullopt) {
  ChangedFile file;
  file.path = std::move(path);
  file.rename_to = std::move(to);
  if (before) file.before = Text(*before);
  if (after) file.after = Text(*after);
  return {std::move(file)};
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
  CHECK(!files[1].after);
  CHECK(!files[2].before);
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
  CHECK(files[0].rename_to == "d/b");
  CHECK(files[0].after->str() == "3");
  CHECK(files[0].before->str() == "1");
}

namespace {

using Disk = std::map<std::string, std::string, std::less<>>;

// The files that an editor would have, whatever the order in which it makes the changes.
Disk applied(Disk disk, const std::vector<ChangedFile>& files) {
  std::set<std::string> named;
  for (const ChangedFile& file : files) {
    const auto before = disk.find(file.path);
    CHECK(file.before.has_value() == (before != disk.end()));
    if (file.before && before != disk.end()) CHECK(file.before->str() == before->second);
    CHECK(named.insert(file.path).second);
    if (file.rename_to) {
      CHECK(named.insert(*file.rename_to).second);
      CHECK(!disk.contains(*file.rename_to));
      CHECK(file.after.has_value());
    }
  }
  for (const ChangedFile& file : files) {
    if (file.rename_to || !file.after) disk.erase(file.path);
    if (file.after) disk[file.last_path()] = file.after->str();
  }
  return disk;
}

}  // namespace

TEST_CASE("a file that comes to a path which another one has left is not that one") {
  const Task task;
  MemoryWorkspace workspace{{{"a", "1"}, {"b", "2"}}};
  const auto changed = [&](std::vector<std::vector<ChangedFile>> edits) {
    Draft draft(workspace);
    for (const auto& files : edits) draft.take(files);
    return changes_in_words(draft.files());
  };
  CHECK(changed({changes("1", "1", "a", "c"), changes(std::nullopt, "new", "a")}) ==
        "Changed a, c (new).");
  CHECK(changed({changes("1", "1", "a", "c"), changes("1", "1", "c", "a")}).empty());
  CHECK(changed({changes("1", "1", "a", "c"), changes(std::nullopt, "1", "a"),
                 changes("1", std::nullopt, "c")})
            .empty());
  CHECK(changed({changes("1", "1", "a", "c"), changes("2", "2", "b", "a"),
                 changes("1", "1", "c", "b")}) == "Changed a, b.");
  CHECK(changed({changes("2", std::nullopt, "b"), changes("1", "1", "a", "b")}) ==
        "Changed a (removed), b.");
  CHECK(changed({changes("1", "1", "a", "c"), changes("1", "x", "c", "d")}) ==
        "Changed a (moved to d).");
}

TEST_CASE("after any changes a draft has the files that a file system would have") {
  std::mt19937 random(7);
  const Task task;
  const std::vector<std::string> names = {"a", "b", "c", "d/e"};
  for (int round = 0; round < 500; ++round) {
    const Disk disk{{"a", "A"}, {"b", "B"}};
    MemoryWorkspace workspace{disk};
    auto draft = std::make_unique<Draft>(workspace);
    Disk now = disk;
    for (int step = 0; step < 12; ++step) {
      const std::string& path = names[random() % names.size()];
      const std::string& other = names[random() % names.size()];
      const std::string text(1, static_cast<char>('A' + random() % 4));
      const auto there = now.find(path);
      if (there == now.end()) {
        draft->take(changes(std::nullopt, text, path));
        now[path] = text;
      } else if (const std::string before = there->second; random() % 4 == 0) {
        draft->take(changes(before, std::nullopt, path));
        now.erase(path);
      } else if (random() % 3 == 0) {
        draft->take(changes(before, text, path));
        now[path] = text;
      } else if (!now.contains(other)) {
        const std::string after = random() % 2 ? before : text;
        draft->take(changes(before, after, path, other));
        now.erase(path);
        now[other] = after;
      }
      if (random() % 8 == 0) {  // a refinement goes on with it
        auto next = std::make_unique<Draft>(workspace);
        next->begin_with(draft->files());
        draft = std::move(next);
      }
      CHECK(applied(disk, draft->files()) == now);
      std::vector<std::string> paths;
      for (const auto& [name, content] : now) paths.push_back(name);
      CHECK(draft->list("", 10, task).value() == paths);
      for (const std::string& name : names) {
        const auto read = draft->read(name, task);
        REQUIRE(read.has_value() == now.contains(name));
        if (read) CHECK(read->text.str() == now[name]);
      }
    }
  }
}

TEST_CASE("a draft follows what its files have become, and what touches that is dropped") {
  const auto follow = [](const char* before, const char* drafted, const char* now,
                         std::string* dropped = nullptr) {
    MemoryWorkspace workspace{{{"a", before}}};
    Draft draft(workspace);
    const Task task;
    draft.take(changes(before, drafted ? std::optional<std::string>(drafted) : std::nullopt, "a"));
    workspace.files["a"] = now;
    const auto followed = draft.follow(task);
    if (dropped)
      for (const auto& file : followed)
        for (const size_t line : file.dropped) *dropped += std::to_string(line);
    CHECK(draft.follow(task).empty());
    for (const ChangedFile& file : draft.files()) CHECK(file.before->str() == now);
    const auto read = draft.read("a", task);
    return read ? read->text.str() : "(removed)";
  };
  CHECK(follow("1\n2\n3\n", "1\n2\nthree\n", "one\n2\n3\n") == "one\n2\nthree\n");
  CHECK(follow("1\n2\n3\n", "1\nx\n2\n3\n", "1\n2\n3\n4\n") == "1\nx\n2\n3\n4\n");
  CHECK(follow("1\n2\n3\n", "one\n2\n3\n", "one\n2\n3\n") == "one\n2\n3\n");
  std::string dropped;
  CHECK(follow("1\n2\n3\n", "one\n2\nthree\n", "ONE\n2\n3\n", &dropped) == "ONE\n2\nthree\n");
  CHECK(dropped == "0");
  // What is put at the top is above its lines, whatever they say, but not above others.
  CHECK(follow("1\n2\n", "x\n1\n2\n", "one\n2\n") == "x\none\n2\n");
  CHECK(follow("1\n2\n", "x\n1\n2\n", "y\none\n2\n", &dropped) == "y\none\n2\n");
  // Two texts at one place have no order.
  CHECK(follow("1\n2\n", "1\nx\n2\n", "1\ny\n2\n", &dropped) == "1\ny\n2\n");
  CHECK(follow("1\n2\n", nullptr, "1\n2\n3\n", &dropped) == "1\n2\n3\n");
  CHECK(dropped == "0010");
}

TEST_CASE("a moved file is followed at its new place") {
  MemoryWorkspace workspace{{{"a", "1\n2\n"}}};
  Draft draft(workspace);
  const Task task;
  draft.take(changes("1\n2\n", "1\ntwo\n", "a", "b"));
  workspace.files["a"] = "one\n2\n";
  REQUIRE(draft.follow(task).size() == 1);
  REQUIRE(draft.files().size() == 1);
  CHECK(draft.files()[0].rename_to == "b");
  CHECK(draft.files()[0].after->str() == "one\ntwo\n");
}
