// PlayedWorld: answers everything that a recorded ask asks from its recording (recording.h): the
// model, the user, commands, MCP servers and checks. Nothing of this machine is used except a copy
// of the recorded files.
#pragma once

#include <deque>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "agent/loop/run.h"

namespace bodkin {

class PlayedWorld {
 public:
  // `root`: of the copy of its files. Error, for the user: invalid_input.
  static Result<std::unique_ptr<PlayedWorld>> open(nlohmann::json recording,
                                                   const std::string& name,
                                                   const std::string& root);
  ~PlayedWorld();

  // The conversation before the ask; its files as they were read.
  Conversation conversation(const Roots& roots) const;
  // `files`: of the copy. `own_profiles`: the folder of the recorded ones, or empty. This, the
  // files and the folder outlive it.
  AskContext context(Workspace& files, Limits limits, Task task, const std::string& own_profiles);
  // The differences from the recorded ask, for the user; empty if there are none.
  std::vector<std::string> differences(const Outcome& outcome) const;

 private:
  class Turns;
  class Files;
  class User;
  class McpCalls;
  class Checks;
  class Verdicts;

  // Entries of a list, each taken once, in order.
  class Tape {
   public:
    Tape() = default;
    explicit Tape(const nlohmann::json& list);
    // The first one left whose member has this value; without a name just the first.
    std::optional<nlohmann::json> take(const char* member = nullptr,
                                       const nlohmann::json& value = nullptr);

   private:
    std::deque<nlohmann::json> left_;
  };

  PlayedWorld(nlohmann::json recording, std::string root);
  void differs(std::string how);
  Tape tape(const char* name) const;

  const nlohmann::json recording_;
  const std::string root_;
  std::vector<std::string> differences_;
  std::unique_ptr<Turns> model_, second_;
  std::unique_ptr<Files> files_;
  std::unique_ptr<User> user_;
  std::unique_ptr<Verdicts> verdicts_;
  Tape commands_;
  DraftModel draft_model_;
};

}  // namespace bodkin
