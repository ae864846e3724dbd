// Questions: requests that wait for the user's permission. Our own clients show a question as they
// see fit (bodkin/permit). Any other editor shows a plain message, and the answers are code actions
// everywhere in the workspace: nothing pops up that could take a keystroke meant for the code as
// consent. Main thread only; outlives the loop's last event.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "agent/rpc/event_loop.h"
#include "agent/workspace/permission.h"
#include "lsp/editor/client.h"

namespace bodkin::lsp {

// "once", "session", "workspace" or "reject"; "always" is an older name of "session". Nullopt: none
// of these.
std::optional<Decision::Choice> choice_named(std::string_view name);

class Questions {
 public:
  // Without an answer within this time, permission is refused.
  static constexpr std::chrono::minutes kPatience{10};

  struct Question {
    std::string id;  // "q1"
    Permission permission;
  };

  Questions(EventLoop& loop, Connection& connection, Client& client, const Capabilities& can,
            std::chrono::milliseconds patience = kPatience)
      : loop_(loop), connection_(connection), client_(client), can_(can), patience_(patience) {}

  // Returns the question's id. `decided` is called once, later, unless it is withdrawn before.
  std::string ask(Permission permission, std::function<void(Decision)> decided);
  // A permission for longer than the question offers is shortened to what it offers. Error:
  // not_found (it was answered, or its ask has ended), for the user.
  Result<void> answer(const std::string& id, Decision decision);
  // The answer is no longer needed.
  void withdraw(const std::string& id);
  // Error: not_found, for the user.
  Result<Permission> about(const std::string& id);

  std::vector<Question> open() const;  // oldest first; none if the client shows them itself

 private:
  struct Waiting {
    Question question;
    std::function<void(Decision)> decided;
    int64_t request = 0;  // bodkin/permit; 0: the answer comes as a command
  };

  std::vector<Waiting>::iterator find(const std::string& id);

  EventLoop& loop_;
  Connection& connection_;
  Client& client_;
  const Capabilities& can_;
  std::chrono::milliseconds patience_;
  std::vector<Waiting> waiting_;  // oldest first
  uint64_t next_id_ = 1;
};

}  // namespace bodkin::lsp
