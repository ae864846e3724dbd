// Requests: what an ask sends to models, made to fit, without secrets, and counted for its limits.
// On the ask's thread.
#pragma once

#include <chrono>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "agent/ask/ask.h"
#include "agent/loop/window.h"

namespace bodkin {

struct AskState;

class Requests {
 public:
  explicit Requests(AskState& state);  // outlives this

  // Why no further request may be sent; nothing: it may. When a limit is met, the user is asked
  // whether to go on. `editor` may be null. Blocks.
  struct Stop {
    Outcome::End end;  // limit, or cancelled
    std::string reason;
    MetLimit::Which limit = MetLimit::Which::turns;
    std::string cause = {}, setting = {};  // as in Outcome
  };
  std::optional<Stop> reached_limit(Editor* editor);

  // Sends what the conversation asks for, made to fit; if the provider finds it too long, shortened
  // and once more. Blocks.
  struct Watch {
    bool edits = false;             // each block is reported as soon as it is complete
    std::vector<std::string> tags;  // of the dialect, which are not shown
  };
  std::expected<ModelReply, ModelError> send(const std::vector<ToolSpec>& tools,
                                             const Watch& watch);
  // See Window.
  size_t room_beside(const std::vector<ToolSpec>& tools) const {
    return window_.room_beside(tools);
  }
  // The text of the answer of the model that finishes sketches; it counts towards the ask's limits.
  // Blocks. Error, for the waiting model: cancelled, unavailable (there is none, a limit is
  // reached, the provider failed), invalid_input (it refused, or was cut off).
  Result<std::string> send_second(const std::vector<Message>& messages, const Task& task);

  // The part of the last reply that has come in, also if it broke off.
  const std::string& streamed() const { return streamed_; }
  bool has_summarized() const { return window_.has_summarized(); }
  const Spent& spent() const { return spent_; }
  // One sentence for the user: which secrets were not sent by this ask; or empty.
  const std::string& withheld() const { return withheld_; }
  // One sentence for the user: the server seems to cut prompts; or empty.
  const std::string& cut() const { return cut_; }

 private:
  // Blocks until the reply has ended; none of its edits is used before that. Errors: as
  // respond_whole().
  std::expected<ModelReply, ModelError> respond(const ModelRequest& request, const Watch& watch);
  Result<std::string> side(ModelRequest& request);
  void spend(const ModelRequest& request, const ModelReply& reply);
  // Counts a failed request: nobody reports what it cost.
  void spend(const ModelRequest& request, const ModelError& error);
  void tell_withheld(size_t elsewhere);
  void take_time() { spent_.time = std::chrono::steady_clock::now() - begun_; }

  AskState& state_;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  Spent spent_;
  Window window_;
  std::string streamed_;
  std::string told_withheld_, withheld_;
  std::string cut_;
};

}  // namespace bodkin
