#include "agent/workspace/redaction.h"

#include <doctest/doctest.h>

#include "agent/loop/scripted.h"
#include "agent/workspace/planted.h"
#include "agent/workspace/secrets.h"

using namespace bodkin;

namespace {

std::string search_replace(const std::string& search, const std::string& replace) {
  return "config.py\n```\n<<<<<<< SEARCH\n" + search + "=======\n" + replace +
         ">>>>>>> REPLACE\n```\n";
}

// A file with two secrets and what a model makes of it.
struct SecretWorld {
  const std::string token = std::string("gh") + "p_" + all(36);
  const std::string other = std::string("sk") + "_live_" + all(24);
  const std::string config =
      "HOST = 'a'\nTOKEN = '" + token + "'\nOTHER = '" + other + "'\nPORT = 1\n";
  const WithoutSecrets shown = without_secrets(config);
  MemoryWorkspace workspace{{{"config.py", config},
                             {"key.txt", key_block("PRIVATE KEY", 8)},
                             {"AGENTS.md", "Use " + token + ".\n"}}};
  Conversation conversation;
  Limits limits;

  std::string line(size_t number) const { return Text(shown.text).line(number); }

  // What the model was sent, and what came of it.
  Outcome ask(ScriptedModel& model, const std::string& prompt = "Change it.") {
    Ask ask;
    ask.prompt = prompt;
    ask.selection = Selection{"config.py", {0, 4}};
    Outcome outcome =
        run(conversation, ask, {.model = model, .workspace = workspace, .limits = limits});
    for (const ModelRequest& request : model.requests) {
      std::string all_words = request.system;
      for (const Message& message : request.messages) all_words += words(message);
      for (const std::string& secret : {token, other, random_text(64, kBody, 101)}) {
        CHECK(all_words.find(secret) == std::string::npos);
      }
    }
    return outcome;
  }
  std::string result(const Outcome& outcome, const std::string& path = "config.py") const {
    for (const ChangedFile& file : outcome.files)
      if (file.path == path) return file.after ? file.after->str() : "(removed)";
    return "(unchanged)";
  }
};

}  // namespace

TEST_CASE("no secret leaves for a model, by whatever way it is shown") {
  SecretWorld world;
  ScriptedModel model(true, {calls({{"read_file", {{"path", "config.py"}}},
                                    {"read_file", {{"path", "key.txt"}, {"start_line", 3}}}}),
                             says("Done.")});
  const Outcome outcome = world.ask(model, "My token is " + world.token);
  CHECK(model.requests.size() == 2);
  CHECK(outcome.withheld.find("2 in config.py") != std::string::npos);
  CHECK(outcome.withheld.find("1 in key.txt") != std::string::npos);
}

TEST_CASE("an edit around a secret keeps it, byte for byte") {
  SecretWorld world;
  ScriptedModel model(
      false, {says(search_replace(
                 "HOST = 'a'\n" + world.line(1) + "\n" + world.line(2) + "\nPORT = 1\n",
                 "HOST = 'b'\n" + world.line(1) + "\n" + world.line(2) + "\nPORT = 2\n"))});
  const Outcome outcome = world.ask(model);
  CHECK(outcome.end == Outcome::End::done);
  std::string wanted = world.config;
  wanted.replace(wanted.find("'a'"), 3, "'b'");
  wanted.replace(wanted.find("PORT = 1"), 8, "PORT = 2");
  CHECK(world.result(outcome) == wanted);
}

TEST_CASE("a secret can be taken out") {
  SecretWorld world;
  ScriptedModel model(true, {calls({{"read_file", {{"path", "config.py"}}}}),
                             calls({{"edit",
                                     {{"path", "config.py"},
                                      {"old_str", world.line(2)},
                                      {"new_str", "OTHER = os.environ['OTHER']"}}}}),
                             says("Done.")});
  const Outcome outcome = world.ask(model);
  CHECK(world.result(outcome) ==
        "HOST = 'a'\nTOKEN = '" + world.token + "'\nOTHER = os.environ['OTHER']\nPORT = 1\n");
}

TEST_CASE("a file that is written anew keeps the secrets that its markers stand for") {
  SecretWorld world;
  std::string anew = world.shown.text;
  anew.replace(anew.find("'a'"), 3, "'c'");
  ScriptedModel model(
      true, {calls({{"read_file", {{"path", "config.py"}}}}),
             calls({{"write_file", {{"path", "config.py"}, {"content", anew}}}}), says("Done.")});
  std::string wanted = world.config;
  wanted.replace(wanted.find("'a'"), 3, "'c'");
  CHECK(world.result(world.ask(model)) == wanted);
}

TEST_CASE("a marker is never written, and a secret never copied or swapped") {
  struct Row {
    const char* why;
    std::string replace;
  };
  SecretWorld first;
  const std::string one = first.line(1), two = first.line(2);
  const std::string marker = first.shown.secrets.begin()->first;
  const Row rows[] = {
      {"copied", one + "\nCOPY" + one.substr(5) + "\n" + two + "\n"},
      {"of another secret", "TOKEN = '[secret 0000 removed by bodkin]'\n" + two + "\n"},
      {"cut", "TOKEN = '[secret removed by bodkin]'\n" + two + "\n"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.why);
    SecretWorld world;
    const std::string bad = search_replace(one + "\n" + two + "\n", row.replace);
    ScriptedModel model(false, {says(bad), says(bad), says(bad), says("I give up.")});
    const Outcome outcome = world.ask(model);
    CHECK(outcome.files.empty());
    CHECK(outcome.end != Outcome::End::done);
  }
  SecretWorld world;
  ScriptedModel model(false, {says("new.py\n```\n<<<<<<< SEARCH\n=======\nX = '" + marker +
                                   "'\n>>>>>>> REPLACE\n```\n"),
                              says("I give up.")});
  const Outcome outcome = world.ask(model);
  CHECK(outcome.files.empty());
  // Two lines that change places take their own secrets along.
  SecretWorld third;
  ScriptedModel swaps(false,
                      {says(search_replace(one + "\n" + two + "\n", two + "\n" + one + "\n"))});
  CHECK(third.result(third.ask(swaps)) ==
        "HOST = 'a'\nOTHER = '" + third.other + "'\nTOKEN = '" + third.token + "'\nPORT = 1\n");
}
