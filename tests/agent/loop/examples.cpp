// The worked examples that the model is shown, each taken from the text that is compiled in:
// applied to the file that it is about, it gives what it says.
#include <doctest/doctest.h>

#include <algorithm>

#include "agent/loop/scripted.h"
#include "agent/support/embedded.h"
#include "agent/tools/tools.h"

using namespace bodkin;
using nlohmann::json;

namespace {

// "lines 4-7 of src/find.py"
constexpr char kFind[] =
    "import re\n\ndef find_all(text):\n    matches = re.findall(r\"\\w+\", text)\n"
    "    if not matches:\n        return None\n    return matches\n";
constexpr char kFound[] =
    "import re\n\ndef find_all(text):\n    matches = re.findall(r\"\\w+\", text)\n"
    "    if not matches:\n        return []\n    return matches\n";
constexpr char kSum[] = "def area(width, height):\n    return width + height\n";
constexpr char kProduct[] = "def area(width, height):\n    return width * height\n";

// What stands between the two in `text`; an empty `end`: all that follows.
std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const size_t at = text.rfind(begin);
  REQUIRE_MESSAGE(at != std::string::npos, begin);
  const size_t from = at + begin.size();
  const size_t to = end.empty() ? std::string::npos : text.find(end, from);
  REQUIRE_MESSAGE((end.empty() || to != std::string::npos), end);
  return text.substr(from, to - from);
}

// "NAME {JSON}", or "NAME with the ARGUMENT VALUE and the ARGUMENT" and its value below.
std::pair<std::string, json> call_in(const std::string& guide) {
  const std::string call = between(guide, "\nCall: ", "\nAnswer: ");
  const std::string name = call.substr(0, call.find(' '));
  const size_t line_end = call.find('\n');
  if (const size_t brace = call.find('{'); brace < line_end) {
    return {name, json::parse(call.substr(brace, call.find("\nResult: ") - brace))};
  }
  std::string given = call.substr(name.size(), line_end - name.size());
  json arguments;
  for (const std::string word : {" with the ", " and the "}) {
    if (!given.starts_with(word)) continue;
    given.erase(0, word.size());
    const std::string argument = given.substr(0, given.find(' '));
    given.erase(0, argument.size());
    const size_t end = std::min(given.find(" and the "), given.size());
    arguments[argument] = end == 0 ? call.substr(line_end + 1) : given.substr(1, end - 1);
    given.erase(0, end);
  }
  return {name, arguments};
}

Outcome outcome_of(Ask ask, std::vector<ModelReply> replies,
                   std::map<std::string, std::string, std::less<>> files,
                   std::vector<ModelRequest>* requests = nullptr) {
  MemoryWorkspace workspace{std::move(files)};
  ScriptedModel model(true, std::move(replies));
  Conversation conversation;
  ask.prompt = "Do it.";
  const Task task;
  Outcome outcome = run(conversation, ask, {.model = model, .workspace = workspace, .task = task});
  if (requests) *requests = model.requests;
  return outcome;
}

std::string drafted(const Outcome& outcome, const std::string& path) {
  const auto file = std::ranges::find(outcome.files, path, &ChangedFile::path);
  if (file == outcome.files.end()) return "(unchanged)";
  return file->after ? file->after->str() : "(removed)";
}

}  // namespace

TEST_CASE("the example in each guide applies, with its tool, to the file that it is about") {
  size_t count = 0;
  for (const EmbeddedText& text : embedded_texts()) {
    const std::string name(text.name.substr(text.name.rfind('/') + 1));
    const bool is_dialect = text.name.starts_with("tools/dialects/") && name.ends_with(".md");
    if (!is_dialect && text.name != "context/profiles/tools.md") continue;
    CAPTURE(name);
    ++count;
    const std::string guide(text.text);
    Ask ask;
    ask.profile = "tools";
    if (is_dialect) ask.dialect = name.substr(0, name.size() - 3);
    ask.selection = Selection{"src/find.py", {3, 7}};  // the lines 4-7 of the request
    std::vector<ModelRequest> requests;
    const Outcome outcome =
        outcome_of(ask, {calls({call_in(guide)}), says(between(guide, "\nAnswer: ", ""))},
                   {{"src/find.py", kFind}}, &requests);
    REQUIRE(requests.size() == 2);
    const std::string result = words(requests[1].messages.back());
    CHECK_MESSAGE(drafted(outcome, "src/find.py") == kFound, result);
    CHECK(outcome.answer == "`find_all` now returns an empty list when there is no match.");
    if (guide.find("\nResult: ") != std::string::npos)
      CHECK(result.starts_with(between(guide, "\nResult: ", "\n")));
  }
  CHECK(count == 8);
}

TEST_CASE("the edit blocks of the guide apply to the files that they are about") {
  const std::string guide(embedded_text("context/formats/diff.md").value());
  Ask ask;
  ask.profile = "blocks";
  ask.selection = Selection{"src/find.py", {3, 7}};
  const std::string form = guide.substr(0, guide.find("\n- "));
  for (const std::string& reply : {form, between(guide, "\nAnswer: ", "")}) {
    const Outcome outcome =
        outcome_of(ask, {says(reply)}, {{"src/find.py", kFind}, {"src/shapes.py", kSum}});
    CAPTURE(reply);
    CHECK(outcome.end == Outcome::End::done);
    const bool is_form = reply == form;
    CHECK(drafted(outcome, "src/shapes.py") == (is_form ? kProduct : "(unchanged)"));
    CHECK(drafted(outcome, "src/find.py") == (is_form ? "(unchanged)" : kFound));
  }
}

TEST_CASE("the example of apply_patch changes, adds and removes what it says") {
  const auto spec = load_tool_spec("apply_patch");
  REQUIRE(spec.has_value());
  Ask ask;
  ask.profile = "tools";
  ask.attachments = {"src/a.py", "src/c.py"};
  const json patch = {
      {"patch", "*** Begin Patch\n" + between(spec->description, "*** Begin Patch\n", "")}};
  std::vector<ModelRequest> requests;
  const Outcome outcome = outcome_of(ask, {calls({{"apply_patch", patch}}), says("Done.")},
                                     {{"src/a.py", kSum}, {"src/c.py", "OLD = 1\n"}}, &requests);
  REQUIRE(requests.size() == 2);
  CAPTURE(words(requests[1].messages.back()));
  CHECK(drafted(outcome, "src/a.py") == kProduct);
  CHECK(drafted(outcome, "src/b.py") == "SIZE = 1\n");
  CHECK(drafted(outcome, "src/c.py") == "(removed)");
}
