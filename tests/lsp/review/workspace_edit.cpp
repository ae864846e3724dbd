#include "lsp/review/workspace_edit.h"

#include <doctest/doctest.h>

#include <map>
#include <random>

#include "lsp/sessions/proposal_draft.h"

namespace bodkin::lsp {
namespace {

using Disk = std::map<std::string, std::string, std::less<>>;

class Files : public Workspace {
 public:
  explicit Files(const Disk& disk) : disk_(disk) {}
  Result<Snapshot> read(std::string_view path, const Task&) override {
    const auto file = disk_.find(path);
    if (file == disk_.end()) return fail(Error::Code::not_found, "no such file");
    return Snapshot{file->first, 1, Text(file->second)};
  }
  Result<std::vector<std::string>> list(std::string_view, size_t, const Task&) override {
    return std::vector<std::string>();
  }
  Roots roots(const Task&) override { return {}; }
  std::vector<std::string> open_paths(const Task&) override { return {}; }

 private:
  const Disk& disk_;
};

// An editor that does what it is told and nothing else: it neither overwrites nor ignores.
Disk applied(Disk disk, const Json& edit) {
  const auto name_of = [](const Json& uri) {
    const std::string text = uri.get<std::string>();  // the drive is written in several ways
    return text.substr(text.find("/w/") + 3);
  };
  for (const Json& each : edit["documentChanges"]) {
    const std::string kind = each.value("kind", "");
    if (kind == "create") {
      CHECK(disk.emplace(name_of(each["uri"]), "").second);
    } else if (kind == "rename") {
      auto file = disk.extract(name_of(each["oldUri"]));
      REQUIRE(!file.empty());
      file.key() = name_of(each["newUri"]);
      CHECK(disk.insert(std::move(file)).inserted);
    } else if (kind == "delete") {
      CHECK(disk.erase(name_of(each["uri"])) == 1);
    } else {
      const auto file = disk.find(name_of(each["textDocument"]["uri"]));
      REQUIRE(file != disk.end());
      const Text before(file->second);
      std::string after = file->second;
      const auto offset = [&](const Json& position) {
        return before.line_begin(position["line"].get<size_t>()) +
               position["character"].get<size_t>();
      };
      for (size_t i = each["edits"].size(); i-- > 0;) {
        const Json& one = each["edits"][i];
        const size_t begin = offset(one["range"]["start"]), end = offset(one["range"]["end"]);
        after.replace(begin, end - begin, one["newText"].get<std::string>());
      }
      file->second = after;
    }
  }
  return disk;
}

TEST_CASE("an editor that applies the proposal has the draft's files") {
  Documents documents;
  documents.add_folder({"file:///C:/w", "w"});
  Capabilities client;
  client.document_changes = client.resource_operations = true;
  std::mt19937 random(5);
  const std::vector<std::string> names = {"a", "b", "c", "d/e"};
  const std::vector<std::string> texts = {"", "x\n", "x\ny\nz\n", "y\nz\nq"};
  for (int round = 0; round < 2000; ++round) {
    const Disk disk{{"a", texts[random() % 4]}, {"b", texts[random() % 4]}};
    Files workspace(disk);
    Draft draft(workspace);
    Disk now = disk;
    for (int step = 0; step < 6; ++step) {
      const std::string& path = names[random() % names.size()];
      const std::string& other = names[random() % names.size()];
      const auto there = now.find(path);
      ChangedFile file;
      file.path = path;
      if (there != now.end()) file.before = Text(there->second);
      if (there == now.end() || random() % 4 > 0) file.after = Text(texts[random() % 4]);
      if (file.before && file.after && random() % 2) file.after = file.before;
      if (file.before && file.after && !now.contains(other)) file.rename_to = other;
      draft.take({file});
      now.erase(path);
      if (file.after) now[file.rename_to.value_or(path)] = file.after->str();
    }
    Proposal proposal;
    proposal.files = proposed_files(draft.files(), documents.roots());
    CHECK(applied(disk, workspace_edit(proposal, nullptr, documents, client)) == now);
  }
}

}  // namespace
}  // namespace bodkin::lsp
