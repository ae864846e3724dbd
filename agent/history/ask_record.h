// AskRecord: hands one ask to the history while it runs: it is between the ask and its model, and
// records what both say. On the ask's thread.
#pragma once

#include <string>
#include <vector>

#include "agent/history/history.h"
#include "agent/models/model.h"

namespace bodkin {

class AskRecord : public Model {
 public:
  // All outlive it. `history` may be null: then nothing is recorded. `start.model` and its time are
  // filled in here.
  AskRecord(History* history, AskStart start, const Conversation& conversation, Model& model);

  std::expected<ModelReply, ModelError> respond(const ModelRequest& request,
                                                const Task& task) override;
  std::string description() const override { return model_.description(); }
  bool has_tools() const override { return model_.has_tools(); }
  void rest() override { model_.rest(); }
  ModelFacts facts() const override { return model_.facts(); }

  void report(const Progress& progress);
  void end(const Outcome& outcome);

 private:
  // Records the changes of the conversation since the last time; call it between requests.
  void catch_up();
  // Records spending and the texts seen, if they have changed: with every step, so that they are as
  // recent as the replies and results.
  void hand_over_state();
  void note_summary(const std::vector<uint64_t>& now);  // the hashes of its messages
  void put(size_t position, const Message& message, const std::string& finish);
  void update_sum(AskSum sum);

  History* history_;
  const AskStart start_;
  const Conversation& conversation_;
  Model& model_;
  const Spent before_;
  struct Kept {
    uint64_t hash = 0;
    std::string finish;
  };
  std::vector<Kept> kept_;  // the messages that the history has
  uint64_t state_ = 0;      // a hash of the session's state that it has
};

}  // namespace bodkin
