// The loop. Each round is one request; what the reply asks for decides how it goes on:
//
//   tool calls    each is run and has exactly one result; the results are the next message
//   a command     in a profile whose replies are commands: run, and its output is the next message
//   edit blocks   placed on the draft, or the reasons why not are the next message
//   neither       the model has ended its turn
//
// The conversation is always left in a form that can be continued. More than 350 lines: one class,
// since all steps change the same few variables. Around it: what is sent (requests.h), what is done
// with calls, commands and text (call_runner.h, shell_replies.h, text_replies.h), the user's own
// turns in the mode human (user_turn.h), and the end (ending.h, missing_edits.h).
#include "agent/loop/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "agent/checkers/draft_checker.h"
#include "agent/context/guidance.h"
#include "agent/context/prompt.h"
#include "agent/loop/ask_state.h"
#include "agent/loop/call_runner.h"
#include "agent/loop/conversation_messages.h"
#include "agent/loop/ending.h"
#include "agent/loop/fallback_advice.h"
#include "agent/loop/missing_edits.h"
#include "agent/loop/now_private.h"
#include "agent/loop/opening.h"
#include "agent/loop/requests.h"
#include "agent/loop/shell_replies.h"
#include "agent/loop/tags.h"
#include "agent/loop/text_replies.h"
#include "agent/loop/user_turn.h"
#include "agent/placing/placing.h"
#include "agent/sandbox/shell.h"
#include "agent/tools/mcp.h"
#include "edits/text/line_keys.h"
#include "edits/text/shortened.h"

namespace bodkin {

namespace {

constexpr size_t kMaxPartial = 100'000;  // bytes that are kept of a reply that broke off
constexpr int kMaxFormatErrors = 5;      // in a row
constexpr int kMaxFailedReplies = 5;     // in a row, of which no call succeeds

bool holds_mcp(const std::vector<std::string>& tools) {
  return std::ranges::find(tools, kMcpTools) != tools.end();
}

class Loop : AskState {
 public:
  Loop(Conversation& conversation, const Ask& ask, const AskContext& context)
      : AskState(conversation, ask, context) {
    bench.ask_second = [this](const std::vector<Message>& messages, const Task& of_call) {
      return requests_.send_second(messages, of_call);
    };
  }

  Outcome run() {
    outcome_.title = title_of(ask);
    if (begin()) {
      while (!ended_) turn();
    }
    outcome_.is_plan = outcome_.end == Outcome::End::done && is_plan();
    outcome_.withheld = requests_.withheld();
    if (outcome_.end != Outcome::End::done) follow_editor();
    missing_.complete(outcome_);
    if (!requests_.cut().empty()) outcome_.notes.push_back(requests_.cut());
    ending_.complete(outcome_);
    return std::move(outcome_);
  }

 private:
  // True by the profile, or once the user has switched to the mode plan before anything was
  // drafted.
  bool is_plan() const { return profile.is_plan || (gate.only_plans() && draft.files().empty()); }

  void end(Outcome::End how, std::string reason) {
    ended_ = true;
    outcome_.end = how;
    outcome_.reason = std::move(reason);
  }

  bool begin() {
    messages_before_ = conversation.messages.size();
    const auto fail = [this](const Error& error) {
      const bool stopped = error.code == Error::Code::cancelled;
      end(stopped ? Outcome::End::cancelled : Outcome::End::failed, error.message);
      return false;
    };
    if (const std::string path = now_private(conversation, guard, task); !path.empty())
      return fail({Error::Code::invalid_input,
                   path + ", which the model has read in this session, is private now "
                          "(.bodkinignore): begin a new session, since this one would send its "
                          "text again."});
    auto opening = choose_opening(conversation, ask, model, context.own_profiles, limits, editor);
    if (!opening) return fail(opening.error());
    profile = opening->profile;
    bench.drops_changes = profile.is_plan;
    if (limits.shell) gate.set_confined([this] { return is_confined(*limits.shell); });
    if (model.has_tools()) calls_.set_tools(ToolSet(profile.tools, opening->dialect, bench));
    if (model.has_tools() && limits.mcp && holds_mcp(profile.tools)) {
      const bool takes_images = model.facts().has_images.value_or(false);
      calls_.add_tools(limits.mcp->tools(bench, takes_images, task));
    }
    const Shown what = gate.reads_freely() ? Shown::related : Shown::given;
    if (const auto said = say_request(*opening, conversation, ask, model, guard, shown, what,
                                      limits, requests_.room_beside(calls_.tools()), task);
        !said)
      return fail(said.error());
    if (!opening->note.empty()) {
      report(Progress::Kind::note, opening->note);
      outcome_.notes.push_back(std::move(opening->note));
    }
    shell_.set_variables(std::move(opening->variables));
    if (opening->dialect) texts_.set_tags(opening->dialect->tags);
    taught_ = profile.teaches_format ? opening->format : nullptr;
    if (taught_ && taught_->is_whole()) placer.take_whole_files();
    const bool may_edit = !profile.is_plan && (profile.edits_in_text || profile.is_shell ||
                                               std::ranges::any_of(profile.tools, is_editing_tool));
    if (limits.checker && may_edit) limits.checker->warm_up(paths_of(ask), guard, task);
    return true;
  }

  // If the user has typed in lines that the draft changes, keeps the user's text and drops the
  // draft's changes.
  void follow_editor() {
    if (!editor) return;
    const auto followed = draft.follow([&](const std::string& path) {
      auto now = editor->text_now(path, task);
      return now ? std::optional(*std::move(now)) : std::nullopt;
    });
    for (const Draft::Followed& file : followed) {
      say(conversation,
          fmt::format("The user has changed {} while you worked; {}. Read it again before you edit "
                      "it.",
                      file.path, words_of(file)));
      if (file.dropped.empty()) continue;
      report(Progress::Kind::note,
             "You have changed " + file.path + " where it was edited; your text stays");
      missing_.add_lost(file);
    }
  }

  // Decides: when an ask ends.
  void turn() {
    failed.of_reply.clear();
    failed.any_taken = false;
    if (is_stopped()) return end(Outcome::End::cancelled, "Cancelled.");
    follow_editor();
    if (limits.mode && *limits.mode == Mode::human) {
      gate.set_acts_for_user(true);
      take_from_user();
      return gate.set_acts_for_user(false);
    }
    if (auto stop = requests_.reached_limit(editor)) {
      if (profile.is_shell && stop->end == Outcome::End::limit)
        say(conversation, shell_.limits(stop->reason));
      outcome_.met_limit = stop->limit;
      outcome_.cause = stop->cause;
      outcome_.setting = stop->setting;
      return end(stop->end, std::move(stop->reason));
    }
    report(Progress::Kind::status,
           outcome_.turns == 0
               ? "Asking " + model.description()
               : fmt::format("Asking {} (turn {})", model.description(), outcome_.turns + 1));
    const bool had_tools = model.has_tools();
    auto reply = requests_.send(calls_.tools(), {profile.edits_in_text, texts_.tags()});
    ++outcome_.turns;
    if (!reply && had_tools && !model.has_tools() && outcome_.turns == 1 && chooses_profile())
      return go_on_without_tools();
    if (!reply) return take_failure(reply.error());
    shell_.set_spent(requests_.spent());
    // A call that came before a filter stopped the reply is neither run nor sent back.
    if (reply->stop_reason == StopReason::refusal)
      std::erase_if(reply->message.blocks,
                    [](const Block& block) { return !std::holds_alternative<TextBlock>(block); });
    const std::vector<ToolCall> calls = calls_of(reply->message);
    const std::string text = text_of(reply->message);
    finishes_ = false;
    wrong_call_ = {std::move(reply->wrong_call), std::move(reply->wrong_call_reason)};
    cuts_edit_ = !reply->cut_call.empty() && calls_.may_edit(reply->cut_call);
    if (reply->message.blocks.empty()) reply->message.blocks.push_back(TextBlock{"(nothing)"});
    conversation.messages.push_back(std::move(reply->message));
    const bool cut = reply->stop_reason == StopReason::max_tokens;
    if (!calls.empty()) {
      const std::string says = run_calls(calls, text, cut);
      const bool says_twice = text.find(says) != std::string::npos;
      if (!ended_ && finishes_)
        take_text(says_twice ? text : text + (text.empty() ? "" : "\n\n") + says, false);
    } else if (reply->stop_reason == StopReason::refusal) {
      const std::string& words = reply->refusal.empty() ? text : reply->refusal;
      end(Outcome::End::failed,
          words.empty() ? "The model refused to answer." : "The model refused to answer: " + words);
    } else if (profile.is_shell) {
      take_command(text, cut);
    } else {
      take_text(text, cut);
    }
    missing_.add_unplaced();
    end_if_rejected();
    if (!ended_) take_failures();
    if (!ended_ && failed_replies_ >= kMaxFailedReplies)
      end(Outcome::End::failed,
          fmt::format("All tool calls of {} replies in a row failed. Last reason: {}",
                      failed_replies_, last_error_));
  }

  void take_failures() {
    if (profile.is_shell) {
      if (failed.count < kMaxFormatErrors) return;
      return end(
          Outcome::End::failed,
          fmt::format("The model did not answer with exactly one command, {} times in a row.",
                      failed.count));
    }
    if (!failed.has_reached_limit()) return;
    if (failed.before > 0)
      return end(Outcome::End::failed,
                 fmt::format("{} replies of the model in a row could not be used. Last reason: {}",
                             failed.total(), failed.last));
    failed.before = std::exchange(failed.count, 0);
    // A reply that was cut off, or an edit that was denied, has misplaced nothing.
    if (!failed.unplaced.empty() || failed.unreadable) show_fallback();
  }

  bool chooses_profile() const { return ask.profile.empty() || ask.profile == "auto"; }

  // The server has refused them (Model::has_tools): the ask begins again, with edits in text.
  void go_on_without_tools() {
    report(Progress::Kind::note,
           model.description() + " takes no tool calls; going on with edits in the text");
    conversation.messages.resize(messages_before_);
    calls_.set_tools(ToolSet());
    begin();
  }

  // The part that came in of a reply that broke off is kept: the user has seen it.
  void take_failure(const ModelError& error) {
    const bool stopped = error.kind == "cancelled";
    if (!is_blank_text(requests_.streamed())) {
      const std::string streamed = shortened_to(requests_.streamed(), kMaxPartial);
      outcome_.partial = without_tags(streamed, texts_.tags());
      conversation.messages.push_back(
          {Message::Role::assistant,
           {TextBlock{streamed + "\n\n[This reply was cut off here" +
                      (stopped ? " by the user" : "") + kUnusedReply}}});
    } else if (outcome_.turns == 1 && conversation.messages.size() > messages_before_ &&
               !requests_.has_summarized()) {
      // A request that was never answered is not part of the conversation.
      conversation.messages.resize(messages_before_);
    }
    if (stopped) return end(Outcome::End::cancelled, "Cancelled.");
    outcome_.cause = error.kind;
    outcome_.setting = error.setting;
    end(Outcome::End::failed, error.message);
  }

  void take_from_user() {
    UserTurn turn = take_user_turn(placer, bench, task);
    using State = UserTurn::State;
    if (turn.state == State::cancelled) end(Outcome::End::cancelled, std::move(turn.reason));
    if (turn.state == State::failed) end(Outcome::End::failed, std::move(turn.reason));
    if (turn.state == State::done) end_unless_repaired();
  }

  void end_if_rejected() {
    if (ended_ || !gate.was_rejected()) return;
    end(Outcome::End::refused, "Stopped: you denied permission for what the model wanted to do.");
  }

  void show_fallback() {
    FallbackAdvice way =
        fallback_advice(failed.unplaced, profile, taught_, calls_, gate, shown, task);
    end_if_rejected();
    if (ended_) return;
    calls_.forget_repetition();
    if (way.taught) taught_ = way.taught;
    if (taught_ && taught_->is_whole()) placer.take_whole_files();
    for (const ShownFile& file : way.shown) conversation.seen[file.path] = hash_of(file.text);
    report(Progress::Kind::note, std::move(way.sentence));
    say(conversation, std::move(way.told));
  }

  // Runs the calls. Returns the words of one that finishes the ask; else empty.
  std::string run_calls(const std::vector<ToolCall>& calls, const std::string& text, bool cut) {
    std::string none;  // why none is run
    if (cut) {
      const bool edits = cuts_edit_ || std::ranges::any_of(calls, [this](const ToolCall& call) {
                           return calls_.may_edit(call);
                         });
      edits ? failed.add(kWasCut) : failed.add_unusable(kWasCut);
      none = std::string("Not run. ") + kCutReply;
    } else if (profile.is_shell) {
      failed.add("The reply contained a tool call.");
      none = shell_.format_error(0);
    }
    const auto seen = conversation.seen;
    const std::string of_text = none.empty() ? texts_.take_beside_calls(text) : "";
    const bool has_failed = none.empty() && texts_.has_failed_beside_calls();
    CallRunner::Results results = calls_.run_all(calls, none, has_failed);
    if (!of_text.empty()) results.message.blocks.push_back(TextBlock{of_text});
    std::vector<std::string> news;  // files that the calls were the first to read or to edit
    for (const auto& [path, hash] : conversation.seen)
      if (!seen.contains(path)) news.push_back(path);
    std::string guidance;
    if (!news.empty()) guidance = guidance_text(news, conversation.guidance, shown, task);
    if (!guidance.empty()) results.message.blocks.push_back(TextBlock{std::move(guidance)});
    conversation.messages.push_back(std::move(results.message));
    finishes_ = results.ends;
    failed_replies_ = results.all_failed && none.empty() ? failed_replies_ + 1 : 0;
    last_error_ = std::move(results.last_error);
    if (!calls_.repetition().empty()) end(Outcome::End::failed, calls_.repetition());
    return std::move(results.says);
  }

  void take_command(const std::string& text, bool cut) {
    if (cut) {
      report(Progress::Kind::note, kDiscardedTruncatedReply);
      failed.add(kWasCut);
      return say(conversation, kCutReply);
    }
    ShellReplies::Step step = shell_.take(text);
    if (is_stopped()) return end(Outcome::End::cancelled, "Cancelled.");
    if (!step.format_error.empty()) {
      report(Progress::Kind::note, step.format_error + " Telling the model.");
      failed.add(std::move(step.format_error));
    } else {
      failed.count = 0;
    }
    if (step.answer) {
      if (gate.was_rejected()) return;  // what it submits was refused in part
      outcome_.answer = *std::move(step.answer);
      return end_unless_repaired();
    }
    say(conversation, std::move(step.message));
    if (!step.repetition.empty()) end(Outcome::End::failed, std::move(step.repetition));
  }

  void take_text(const std::string& text, bool cut) {
    auto answer = texts_.take(text, cut, finishes_, wrong_call_);
    if (is_stopped()) return end(Outcome::End::cancelled, "Cancelled.");
    failed.any_edit |= cut && cuts_edit_;
    if (!answer) return;
    outcome_.answer = *std::move(answer);
    if (send_back_for_repair()) return;
    // A denied edit is not the model's fault, and it has answered.
    if (failed.total() > 0 && failed.any_edit && !failed.denied && draft.files().empty()) {
      return end(Outcome::End::failed,
                 "The model sent no edit that could be placed. Last reason: " + failed.last);
    }
    if (is_plan()) report(Progress::Kind::plan, outcome_.answer);
    end(Outcome::End::done, "");
  }

  // Sends the findings of the checks back to the model.
  bool send_back_for_repair() {
    follow_editor();
    auto told = ending_.repair(limits.mode && *limits.mode == Mode::human);
    if (is_stopped()) return end(Outcome::End::cancelled, "Cancelled."), true;
    if (!told) return false;
    say(conversation, *std::move(told));
    return true;
  }

  void end_unless_repaired() {
    if (!send_back_for_repair()) end(Outcome::End::done, "");
  }

  CallRunner calls_{*this};
  ShellReplies shell_{*this};
  TextReplies texts_{*this, calls_};
  Requests requests_{*this};
  Ending ending_{*this};
  MissingEdits missing_{*this};
  Outcome outcome_;
  const EditFormat* taught_ = nullptr;  // null: none
  int failed_replies_ = 0;              // in a row, of which no call succeeded
  std::string last_error_;              // of a call
  size_t messages_before_ = 0;
  bool ended_ = false;
  TextReplies::WrongCall wrong_call_;  // of the last reply
  bool cuts_edit_ = false;             // it was cut off in a call that edits
  bool finishes_ = false;              // the reply called what ends the ask
};

}  // namespace

Outcome run(Conversation& conversation, const Ask& ask, const AskContext& context) {
  return Loop(conversation, ask, context).run();
}

}  // namespace bodkin
