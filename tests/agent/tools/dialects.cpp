// What foreign calls mean: the table in dialects.json, and whose call it is.
#include <doctest/doctest.h>

#include <fstream>

#include "agent/loop/scripted.h"
#include "agent/loop/tags.h"
#include "agent/models/model_facts.h"
#include "agent/tools/tool_set.h"

using namespace bodkin;
using nlohmann::json;

namespace {

struct Spoken {
  std::vector<std::string> results;  // of the calls, one reply each
  std::vector<ToolSpec> offered;
  Outcome outcome;
};

class KnownModel : public ScriptedModel {
 public:
  KnownModel(std::string dialect, std::vector<ModelReply> replies)
      : ScriptedModel(true, std::move(replies)), dialect_(std::move(dialect)) {}
  ModelFacts facts() const override { return {.dialect = dialect_}; }

 private:
  std::string dialect_;
};

Spoken speak(const std::string& dialect, std::vector<std::pair<std::string, json>> wanted,
             const std::string& of_model = "", const std::string& profile = "tools") {
  MemoryWorkspace workspace{
      {{"a.py", "A = 1\nB = 2\nC = 3\n"}, {"src/b.py", "B = 1\n"}, {"src/d.txt", "one\ntwo\n"}}};
  std::vector<ModelReply> replies;
  for (auto& one : wanted) replies.push_back(calls({one}));
  replies.push_back(says("Done."));
  KnownModel model(of_model, std::move(replies));
  Conversation conversation;
  Ask ask;
  ask.prompt = "Go.";
  ask.dialect = dialect;
  ask.profile = profile;
  Spoken spoken;
  const Task task;
  spoken.outcome = run(conversation, ask, {.model = model, .workspace = workspace, .task = task});
  for (size_t i = 1; i < model.requests.size(); ++i)
    spoken.results.push_back(words(model.requests[i].messages.back()));
  if (!model.requests.empty()) spoken.offered = model.requests[0].tools;
  return spoken;
}

std::string names_of(const std::vector<ToolSpec>& tools) {
  std::string names;
  for (const ToolSpec& tool : tools) names += tool.name + " ";
  return names;
}

std::string drafted_by(const Spoken& spoken, const std::string& path) {
  for (const ChangedFile& file : spoken.outcome.files) {
    if (file.path == path) return file.after ? file.after->str() : "(removed)";
  }
  return "(not in the draft)";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a dialect's call means what the table says") {
  std::ifstream file(std::string(BODKIN_TESTS_DIR) + "/agent/tools/dialects.json");
  const json table = json::parse(file);
  for (const json& row : table) {
    const json& call = row["call"];
    CAPTURE(call.dump());
    const ToolDialect* dialect = find_dialect(call[0].get<std::string>());
    REQUIRE(dialect);
    const ForeignTool* tool = dialect->find(call[1].get<std::string>());
    REQUIRE(tool);
    const auto own = translate(*tool, call[2]);
    if (row.contains("error")) {
      REQUIRE(!own);
      CHECK_MESSAGE(has(with_advice(own.error()), row["error"]), with_advice(own.error()));
      continue;
    }
    REQUIRE_MESSAGE(own.has_value(), own.error().message);
    if (row.contains("is")) {
      CHECK(own->meaning->tool == row["is"][0]);
      CHECK(own->arguments == row["is"][1]);
    }
    CHECK(own->meaning->answer == row.value("answer", ""));
    CHECK(own->meaning->ends == row.value("ends", false));
    CHECK(own->reason == row.value("reason", ""));
    CHECK(own->says == row.value("says", ""));
    CHECK(own->notes.empty() == !row.contains("notes"));
    CHECK_MESSAGE(has(own->notes, row.value("notes", "")), own->notes);
  }
}

TEST_CASE("each dialect maps onto tools and arguments that exist, and uses all of its own") {
  CHECK(dialects().size() == 7);
  for (const ToolDialect& dialect : dialects()) {
    CHECK(!dialect.guide.empty());
    for (const std::string& name : dialect.replaces) CHECK(load_tool_spec(name).has_value());
    for (const ForeignTool& tool : dialect.tools) {
      CAPTURE(dialect.name + ": " + tool.spec.name);
      std::string used = tool.reason + tool.says;
      bool answers = false;
      for (const ForeignCase& one : tool.cases) {
        used += one.arguments.dump() + one.when.dump() + json(one.unneeded).dump();
        answers = answers || one.tool.empty();
        if (one.tool.empty()) continue;
        const auto own = load_tool_spec(one.tool);
        REQUIRE(own.has_value());
        for (const auto& [name, value] : one.arguments.items())
          CHECK_MESSAGE(own->parameters["properties"].contains(name), name);
      }
      for (const auto& [name, value] : tool.spec.parameters["properties"].items())
        CHECK_MESSAGE((answers || has(used, name)), name);
    }
  }
}

TEST_CASE("the models' dialects exist") {
  std::ifstream file(std::string(BODKIN_TESTS_DIR) + "/../agent/models/models.json");
  const json table = json::parse(file);
  for (const auto& [name, entry] : table["models"].items()) {
    const std::string dialect = facts_of(name).dialect;
    CHECK(dialect == entry.value("dialect", ""));
    CHECK_MESSAGE((dialect.empty() || find_dialect(dialect)), name);
  }
  CHECK(facts_of("openai/gpt-6-sol").dialect == "codex");
}

TEST_CASE("a dialect is offered in place of our tools that do the same") {
  const std::string codex = names_of(speak("codex", {}).offered);
  CHECK(has(codex, "apply_patch "));
  CHECK(!has(codex, "edit "));
  CHECK(!has(codex, "write_file "));
  CHECK(has(codex, "grep_search "));
  CHECK(has(codex, "update_plan "));
  CHECK(!has(codex, "shell "));  // there is none here
  CHECK(has(names_of(speak("auto", {}, "claude").offered), "MultiEdit "));
  CHECK(has(names_of(speak("auto", {}).offered), "read_file "));
  CHECK(speak("no such", {}).outcome.end == Outcome::End::failed);
  // A profile that edits nothing does so in no dialect.
  const std::string explains = names_of(speak("claude", {}, "", "explain").offered);
  CHECK(has(explains, "Read "));
  CHECK(!has(explains, "Edit "));
  const auto refused = speak(
      "anthropic",
      {{"str_replace_based_edit_tool", {{"command", "create"}, {"path", "n"}, {"file_text", "x"}}}},
      "", "explain");
  CHECK(has(refused.results[0], "not possible here"));
  CHECK(refused.outcome.files.empty());
}

TEST_CASE("a foreign call is taken if it fits one dialect only, and nothing is ignored") {
  const auto spoken = speak("auto", {
                                        {"read_file", {{"target_file", "a.py"}}},
                                        {"Read", {{"file_path", "src/b.py"}}},
                                        {"view", {{"file_path", "src/d.txt"}, {"offset", 1}}},
                                        {"str_replace_editor",
                                         {{"command", "str_replace"},
                                          {"path", "a.py"},
                                          {"old_str", "B = 2"},
                                          {"new_str", "B = 3"}}},
                                        {"edit", {{"path", "a.py"}, {"old_string", "C"}}},
                                        {"list_dir", {{"path", "."}, {"depth", 3}}},
                                        {"no_tool", json::object()},
                                    });
  CHECK(has(spoken.results[0], "1| A = 1"));
  CHECK(has(spoken.results[1], "1| B = 1"));
  CHECK(has(spoken.results[2], "2| two"));
  CHECK(!has(spoken.results[2], "1| one"));
  CHECK(drafted_by(spoken, "a.py") == "A = 1\nB = 3\nC = 3\n");
  CHECK(has(spoken.results[4], "\"old_string\" is not an argument. The arguments are new_str"));
  CHECK(has(spoken.results[5], "\"depth\" is not an argument. The arguments are exclude"));
  CHECK(has(spoken.results[6], "Unknown tool \"no_tool\". Available tools: read_file"));
  // With a dialect, ours are taken too.
  CHECK(has(speak("claude", {{"read_file", {{"path", "a.py"}}}}).results[0], "1| A = 1"));
}

TEST_CASE("line numbers count in the draft as it is at the call") {
  const auto spoken =
      speak("cursor",
            {{"read_file", {{"target_file", "a.py"}}},
             {"insert_file", {{"target_file", "a.py"}, {"content", "X = 0"}, {"line_number", 1}}},
             {"replace_file",
              {{"target_file", "a.py"}, {"start_line", 2}, {"end_line", 2}, {"content", "A = 9"}}},
             {"remove_file", {{"target_file", "a.py"}, {"start_line", 4}, {"end_line", 4}}},
             {"remove_file", {{"target_file", "a.py"}, {"start_line", 4}, {"end_line", 9}}}});
  CHECK(drafted_by(spoken, "a.py") == "X = 0\nA = 9\nB = 2\n");
  CHECK(has(spoken.results[4], "a.py has 3 lines"));
}

TEST_CASE("line tools of the tutorial agent take lines past the end") {
  const auto insert = [](const char* path, int at) {
    return std::pair<std::string, json>(
        "insert_file", {{"target_file", path}, {"content", "X = 0"}, {"line_number", at}});
  };
  const auto spoken = speak(
      "cursor", {{"read_file", {{"target_file", "a.py"}}},
                 {"read_file", {{"target_file", "src/b.py"}}},
                 {"remove_file", {{"target_file", "a.py"}, {"start_line", 3}, {"end_line", 9}}},
                 insert("a.py", 5),
                 insert("n.py", 2),
                 insert("src/b.py", 0),
                 insert("src/b.py", 1'000'000'000)});
  CHECK(drafted_by(spoken, "a.py") == "A = 1\nB = 2\n\n\nX = 0\n");
  CHECK(drafted_by(spoken, "n.py").starts_with("\nX = 0"));
  CHECK(has(spoken.results[5], "src/b.py has 1 lines, so nothing can be inserted"));
  CHECK(has(spoken.results[6], "nothing can be inserted"));
}

TEST_CASE("OpenHands' start and end of -1 add at the end") {
  const auto add = [](const char* path, const char* text) {
    return std::pair<std::string, json>(
        "edit_file", {{"path", path}, {"content", text}, {"start", -1}, {"end", -1}});
  };
  const auto spoken = speak("openhands", {{"read_file", {{"path", "a.py"}}},
                                          add("a.py", "A = 1\n"),
                                          add("n.py", "N = 1\n"),
                                          add("a.py", "# ... existing code ...\nD = 4\n")});
  CHECK(drafted_by(spoken, "a.py") == "A = 1\nB = 2\nC = 3\nA = 1\n");
  CHECK(drafted_by(spoken, "n.py") == "N = 1\n");
  CHECK(has(spoken.results[3], "Give only new lines"));
}

TEST_CASE("what goes wrong is told in words that are true in every dialect") {
  struct Row {
    std::string dialect, tool;
    json arguments;
  };
  const Row rows[] = {
      {"claude", "Edit", {{"file_path", "a.py"}, {"old_string", ""}, {"new_string", "x"}}},
      {"claude", "Edit", {{"file_path", "a.py"}, {"old_string", "A = 1"}, {"new_string", "A = 1"}}},
      {"claude", "Read", {{"file_path", "nowhere.py"}}},
      {"claude", "Read", {{"file_path", "a.py"}, {"limit", 0}}},
      {"anthropic",
       "str_replace_based_edit_tool",
       {{"command", "insert"}, {"path", "a.py"}, {"insert_line", 9}, {"insert_text", "x"}}},
      {"cursor", "insert_file", {{"target_file", "a.py"}, {"content", "x"}, {"line_number", 0}}},
      {"codex",
       "apply_patch",
       {{"input", "*** Begin Patch\n*** Add File: a.py\n+x\n*** End Patch\n"}}},
  };
  for (const auto& [dialect, tool, arguments] : rows) {
    CAPTURE(arguments.dump());
    const std::pair<std::string, json> read("read_file", {{"path", "a.py"}});
    const auto spoken = speak(dialect, {read, {tool, arguments}});
    CHECK(spoken.outcome.files.empty());
    for (const char* own :
         {"old_str ", "old_str.", "new_str", "after_line", "list_dir", "max_lines", "explicitly"})
      CHECK_MESSAGE(!has(spoken.results[1], own), spoken.results[1]);
  }
}

TEST_CASE("undo_edit takes back one edit after the other, of that path only") {
  const auto change = [](const char* path, const char* from, const char* to) {
    return std::pair<std::string, json>(
        "str_replace_editor",
        {{"command", "str_replace"}, {"path", path}, {"old_str", from}, {"new_str", to}});
  };
  const auto editor = [](const char* command, const char* path) {
    return std::pair<std::string, json>("str_replace_editor",
                                        {{"command", command}, {"path", path}});
  };
  const std::pair<std::string, json> create(
      "str_replace_editor", {{"command", "create"}, {"path", "n.py"}, {"file_text", "N = 1\n"}});
  const auto spoken =
      speak("openhands", {editor("view", "a.py"), editor("view", "src/b.py"),
                          change("a.py", "A = 1", "A = 2"), change("a.py", "A = 2", "A = 3"),
                          change("src/b.py", "B = 1", "B = 2"), create, editor("undo_edit", "n.py"),
                          editor("undo_edit", "a.py"), editor("undo_edit", "n.py")});
  CHECK(drafted_by(spoken, "a.py") == "A = 2\nB = 2\nC = 3\n");
  CHECK(drafted_by(spoken, "src/b.py") == "B = 2\n");
  CHECK(drafted_by(spoken, "n.py") == "(not in the draft)");
  CHECK(has(spoken.results[8], "No edit of n.py"));
}

TEST_CASE("several edits in one call are made in sequence, all or none") {
  const auto edits = [](json list) {
    return std::pair<std::string, json>("MultiEdit",
                                        {{"file_path", "a.py"}, {"edits", std::move(list)}});
  };
  const json first = {{"old_string", "A = 1"}, {"new_string", "A = 10"}};
  const auto spoken = speak(
      "claude", {edits(json::array({first})),
                 {"Read", {{"file_path", "a.py"}}},
                 edits(json::array({first, {{"old_string", "D = 4"}, {"new_string", ""}}})),
                 {"diff", json::object()},
                 edits(json::array({first, {{"old_string", "A = 10"}, {"new_string", "A = 11"}}})),
                 {"diff", json::object()}});
  CHECK(has(spoken.results[0], "has not been read"));
  CHECK(has(spoken.results[2], "Edit 2 of 2"));
  CHECK(spoken.results[3] == "Nothing has been changed.");
  CHECK(has(spoken.results[5], "-A = 1\n+A = 11\n"));
  CHECK(drafted_by(spoken, "a.py") == "A = 11\nB = 2\nC = 3\n");
}

TEST_CASE("Codex edits by context without reading, and never overwrites") {
  const char* const patch =
      "*** Begin Patch\n*** Update File: a.py\n@@\n-B = 2\n+B = 4\n*** Add File: n.py\n+N = 1\n"
      "*** End Patch\n";
  const char* const add = "*** Begin Patch\n*** Add File: src/b.py\n+N = 1\n*** End Patch\n";
  const auto spoken =
      speak("codex", {{"apply_patch", {{"input", add}}},
                      {"shell", {{"command", {"apply_patch", patch}}}},
                      {"edit", {{"path", "src/b.py"}, {"old_str", "B"}, {"new_str", "C"}}}});
  CHECK(has(spoken.results[0], "<returncode>1</returncode>"));
  CHECK(has(spoken.results[0], "exists"));
  CHECK(spoken.results[1].starts_with("<returncode>0</returncode>\n<output>\nEdited a.py"));
  CHECK(has(spoken.results[2], "has not been read"));
  CHECK(drafted_by(speak("codex", {{"apply_patch", {{"patch", patch}}}}), "n.py") == "N = 1\n");
  CHECK(drafted_by(spoken, "a.py") == "A = 1\nB = 4\nC = 3\n");
  CHECK(drafted_by(spoken, "n.py") == "N = 1\n");
}

TEST_CASE("a draft of some lines takes their place") {
  const auto spoken = speak(
      "openhands",
      {{"read_file", {{"path", "a.py"}}},
       {"edit_file", {{"path", "a.py"}, {"content", "B = 2\nC = 4\n"}, {"start", 2}, {"end", -1}}},
       {"edit_file", {{"path", "n.py"}, {"content", "N = 1\n"}}}});
  CHECK_MESSAGE(drafted_by(spoken, "a.py") == "A = 1\nB = 2\nC = 4\n", spoken.results[1]);
  CHECK(drafted_by(spoken, "n.py") == "N = 1\n");
}

TEST_CASE("finish ends the ask with the reply's text, or the names of what changed") {
  const auto spoken =
      speak("cursor", {{"insert_file", {{"target_file", "n.py"}, {"content", "N = 1\n"}}},
                       {"finish", json::object()}});
  CHECK(spoken.outcome.end == Outcome::End::done);
  CHECK(spoken.outcome.answer == "Changed n.py (new).");
  CHECK(spoken.outcome.turns == 2);
}

TEST_CASE("what a call that ends the ask says is the answer") {
  const std::pair<std::string, json> finish("finish", {{"message", "N is new."}});
  const std::pair<std::string, json> create(
      "str_replace_editor", {{"command", "create"}, {"path", "n.py"}, {"file_text", "N = 1\n"}});
  CHECK(speak("openhands", {create, finish}).outcome.answer == "N is new.");
  CHECK(!has(names_of(speak("openhands", {}).offered), "finish "));
}

TEST_CASE("what a dialect does not offer is honoured, and not in the list") {
  const auto spoken =
      speak("auto", {{"todo_write", {{"todos", json::array()}, {"merge", false}}},
                     {"read", {{"filePath", "a.py"}}},
                     {"search_replace",
                      {{"file_path", "a.py"}, {"old_string", "B = 2"}, {"new_string", "B = 3"}}}});
  CHECK(spoken.results[0] == "Noted.");
  CHECK(has(spoken.results[1], "2| B = 2"));
  CHECK(drafted_by(spoken, "a.py") == "A = 1\nB = 3\nC = 3\n");
  // Nor are the arguments of other versions.
  for (const ToolSpec& tool : speak("cursor", {}).offered)
    CHECK_MESSAGE(!tool.parameters.dump().contains("one_indexed"), tool.name);
}

TEST_CASE("tags are not shown, wherever the text is cut") {
  const std::string text =
      "<chat>\nHi <b> <chatty> a < b</chat>\n<file-edit filePath=\"a\">\nx\n</file-edit>";
  const std::vector<std::string> names = {"chat", "file-edit"};
  const std::string plain = "\nHi <b> <chatty> a < b\n\nx\n";
  CHECK(without_tags(text, names) == plain.substr(1));
  for (size_t size = 1; size < text.size(); ++size) {
    TagFilter filter(names);
    std::string shown;
    for (size_t at = 0; at < text.size(); at += size) shown += filter.add(text.substr(at, size));
    CHECK(shown + filter.end() == plain);
  }
}
