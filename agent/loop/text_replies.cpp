#include "agent/loop/text_replies.h"

#include <chrono>
#include <utility>

#include "agent/ask/step.h"
#include "agent/loop/ask_state.h"
#include "agent/loop/conversation_messages.h"
#include "agent/loop/tags.h"
#include "agent/placing/edit_json.h"

namespace bodkin {

namespace {

constexpr std::string_view kInPlace = "The changes are already in place; there is nothing to do.";

ParseOptions options_for(bool cut) {
  ParseOptions options;
  options.truncated = cut;
  options.in_chat = true;
  return options;
}

}  // namespace

PlacedReply TextReplies::place(const std::string& text, bool cut) {
  PlacedReply placed;
  const auto begun = std::chrono::steady_clock::now();
  if (state_.profile.edits_in_text)
    placed = state_.placer.place(text, options_for(cut), state_.task);
  if (placed.state == PlacedReply::State::taken) {
    state_.failed.in_place = placed.in_place;
    report_step(state_.task, "", begun, false, state_.draft.new_changes());
  }
  if (state_.is_stopped() || placed.state != PlacedReply::State::refused) return placed;
  if (!state_.gate.was_rejected())
    state_.report(Progress::Kind::note,
                  cut ? kDiscardedTruncatedReply : placed.reason + " Telling the model.");
  if (!cut && !placed.denied) state_.failed.count_edits(placed.unplaced);
  state_.failed.add(cut ? kWasCut : placed.reason, placed.unplaced, placed.unreadable,
                    placed.denied);
  return placed;
}

std::string TextReplies::take_beside_calls(const std::string& text) {
  beside_calls_ = place(text, false);
  switch (beside_calls_->state) {
    case PlacedReply::State::taken:
      state_.failed.forget();
      return "The edits in your reply's text were placed.\n" + beside_calls_->feedback;
    case PlacedReply::State::refused:
      return "The edits in your reply's text were not placed. " + beside_calls_->feedback;
    case PlacedReply::State::no_edits:
    case PlacedReply::State::doubtful:
      break;
  }
  return "";
}

bool TextReplies::has_failed_beside_calls() const {
  return beside_calls_ && beside_calls_->state == PlacedReply::State::refused;
}

// Decides: what becomes of a reply, also of one that was cut off.
std::optional<std::string> TextReplies::take(const std::string& text, bool cut, bool has_finished,
                                             const WrongCall& wrong) {
  const auto tell = [&](std::string words) {
    say(state_.conversation, std::move(words));
    return std::nullopt;
  };
  const bool had_changes = !state_.draft.files().empty();
  const PlacedReply placed = has_finished && beside_calls_
                                 ? *std::exchange(beside_calls_, std::nullopt)
                                 : place(text, cut);
  if (state_.is_stopped()) return std::nullopt;
  if (placed.state == PlacedReply::State::refused) return tell(placed.feedback);
  // A model that has changed what it should may say nothing.
  const bool says_too_little =
      text.empty() && !has_finished && (state_.failed.total() > 0 || state_.draft.files().empty());
  if (cut || says_too_little) {
    state_.failed.add_unusable(cut ? kWasCut : "The reply was empty.");
    return tell(cut ? kCutReply : "Your reply was empty. Send an answer or an edit.");
  }
  if (!wrong.told.empty() && placed.state != PlacedReply::State::taken) {
    state_.report(Progress::Kind::note, wrong.reason + " Telling the model.");
    state_.failed.add_unusable(wrong.reason);
    return tell(wrong.told);
  }
  // Asked once: a model that has tools, or says the same again, means an answer; except for a
  // sketch, which is an edit of another tool.
  if (placed.state == PlacedReply::State::doubtful &&
      (calls_.tools().empty() || placed.is_sketch) && shown_answer_.empty()) {
    state_.report(Progress::Kind::note, "Asking the model whether it meant an edit");
    shown_answer_ = text;
    return tell(placed.feedback);
  }
  std::string answer = text;
  if (placed.state == PlacedReply::State::taken) {
    state_.failed.forget();
    shown_answer_.clear();
    answer = prose_of_reply(text, options_for(cut), placed.shown);
    if (!had_changes && state_.draft.files().empty()) {
      while (answer.ends_with('\n')) answer.pop_back();
      answer += (answer.empty() ? "" : "\n\n") + std::string(kInPlace);
    }
  } else if (placed.state != PlacedReply::State::doubtful && !shown_answer_.empty()) {
    answer = shown_answer_ + "\n\n" + text;
  }
  answer = without_tags(answer, tags_);
  while (answer.ends_with('\n')) answer.pop_back();
  return answer;
}

}  // namespace bodkin
