// TextReplies: handles the text of a reply: edits, or the final answer. On the ask's thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agent/loop/call_runner.h"
#include "agent/placing/placing.h"

namespace bodkin {

class TextReplies {
 public:
  // Both outlive this.
  TextReplies(AskState& state, const CallRunner& calls) : state_(state), calls_(calls) {}

  // Sets the dialect's tags, which are not part of an answer.
  void set_tags(std::vector<std::string> tags) { tags_ = std::move(tags); }
  const std::vector<std::string>& tags() const { return tags_; }

  // Places the text's edits of a reply that also calls tools, before these are run. Returns what
  // the model must know of them; empty if there are none. If a call ends the turn, take() goes on
  // from there.
  std::string take_beside_calls(const std::string& text);
  bool has_failed_beside_calls() const;

  // Places the text's edits, if the profile has any there. Returns the answer, for the user;
  // nothing: the model was told in the conversation why it goes on, or the ask is stopped. `cut`:
  // the reply broke off at the length limit. `has_finished`: a call of it has ended the turn.
  // `wrong`: what in it looks like a call (ModelReply::wrong_call).
  struct WrongCall {
    std::string told, reason;
  };
  std::optional<std::string> take(const std::string& text, bool cut, bool has_finished,
                                  const WrongCall& wrong);

 private:
  PlacedReply place(const std::string& text, bool cut);

  AskState& state_;
  const CallRunner& calls_;
  std::vector<std::string> tags_;
  std::optional<PlacedReply> beside_calls_;
  std::string shown_answer_;  // of which the model was asked whether it is an edit
};

}  // namespace bodkin
