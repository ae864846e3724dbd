// The loop. Each round is one request; what the reply asks for decides how it goes on:
//
//   tool calls    each is run and has exactly one result; the results are the next message
//   a command     in a profile whose replies are commands: run, and its output is the next message
//   edit blocks   placed on the draft, or the reasons why not are the next message
//   neither       the model has ended its turn
//
// The conversation is always left in a form that can be continued. One class of more than 350
// lines, because all steps change the same few variables. Around it: what is sent (requests.h),
// what is done with calls, commands and text (call_runner.h, shell_replies.h, text_replies.h), the
// user's own turns in the mode human (user_turn.h), and the end (ending.h).
#include "agent/loop/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "agent/checkers/draft_checker.h"
#include "agent/context/guidance.h"
#include "agent/context/prompt.h"
#include "agent/loop/call_runner.h"
#include "agent/loop/conversation_messages.h"
#include "agent/loop/ending.h"
#include "agent/loop/fallback_advice.h"
#include "agent/loop/opening.h"
#include "agent/loop/requests.h"
#include "agent/loop/shell_replies.h"
#include "agent/loop/tags.h"
#include "agent/loop/text_replies.h"
#include "agent/loop/user_turn.h"
#include "agent/placing/placing.h"
#include "agent/sandbox/shell.h"
#include "agent/tools/command_changes.h"
#include "agent/tools/mcp.h"
#include "agent/tools/tools.h"
#include "edits/text/shortened.h"
#include "grammars/syntax_tree.h"

namespace bodkin {

namespace {

constexpr size_t kMaxPartial = 100'000;           // bytes that are kept of a reply that broke off
constexpr int kMaxFormatErrors = 5;               // in a row
constexpr int kMaxFailedReplies = 5;              // in a row, of which no call succeeds
constexpr std::chrono::seconds kToolPatience{2};  // that a call waits for a check of the draft

bool holds_mcp(const std::vector<std::string>& tools) {
  return std::ranges::find(tools, kMcpTools) != tools.end();
}

std::string edits_in_words(size_t count) {
  return count == 1 ? "1 edit" : fmt::format("{} edits", count);
}

class Loop {
 public:
  Loop(Conversation& conversation, const Ask& ask, const AskContext& context)
      : conversation_(conversation),
        ask_(ask),
        model_(context.model),
        editor_(context.editor),
        limits_(context.limits),
        own_profiles_(context.own_profiles),
        task_(context.task),
        guard_(context.workspace, task_),
        draft_(guard_),
        shown_(draft_, conversation.withheld),
        gate_(limits_, conversation, context.editor),
        syntax_(make_syntax()),
        placer_(
            {draft_, guard_, syntax_.get(), &gate_, ask.selection, &conversation.seen, &unread_}),
        bench_{{draft_, guard_, syntax_.get(), &gate_, ask.selection, &conversation.seen, &unread_},
               shown_,
               context.editor,
               conversation,
               limits_.shell.get(),
               &left_},
        calls_(gate_, draft_, failed_, task_),
        shell_(profile_, bench_, task_),
        texts_(profile_, placer_, draft_, gate_, calls_, conversation, failed_, task_),
        requests_(conversation, ask, model_, context.draft_model, context.limits, limits_, task_),
        ending_(ask, draft_, guard_, shown_, gate_, *syntax_, limits_.checker.get(),
                context.verifier, limits_.max_repairs, left_, unread_, task_) {
    bench_.way_to_trust = limits_.way_to_trust;
    bench_.ask_second = [this](const std::vector<Message>& messages, const Task& task) {
      return requests_.send_second(messages, task);
    };
    if (limits_.checker) {
      bench_.check_soon = [this](const Task& task) {
        return limits_.checker->check_soon(draft_.files(), guard_, kToolPatience, task);
      };
      bench_.report_of = [this](const std::string& path, const Task& task) {
        return limits_.checker->report(path, guard_, task);
      };
    }
    draft_.begin_with(ask.draft);
  }

  Outcome run() {
    outcome_.title = title_of(ask_);
    if (begin()) {
      while (!ended_) turn();
    }
    outcome_.is_plan = outcome_.end == Outcome::End::done && is_plan();
    outcome_.withheld = requests_.withheld();
    if (outcome_.end != Outcome::End::done) follow_editor();
    for (const std::string& sentence : words_of_lost()) {
      outcome_.is_overtaken = true;
      if (!draft_.files().empty()) {
        outcome_.notes.push_back(sentence);
      } else {  // then nobody is shown the notes
        outcome_.answer += (outcome_.answer.empty() ? "" : "\n") + sentence + ".";
      }
    }
    if (!draft_.files().empty())
      std::ranges::move(words_of_unplaced(), std::back_inserter(outcome_.notes));
    outcome_.lacks_edits =
        draft_.files().empty() && (failed_.any_denied || !words_of_unplaced().empty());
    if (!requests_.cut().empty()) outcome_.notes.push_back(requests_.cut());
    ending_.complete(outcome_);
    return std::move(outcome_);
  }

 private:
  // True by the profile, or once the user has switched to the mode plan before anything was
  // drafted.
  bool is_plan() const {
    return profile_.is_plan || (gate_.only_plans() && draft_.files().empty());
  }

  void end(Outcome::End how, std::string reason) {
    ended_ = true;
    outcome_.end = how;
    outcome_.reason = std::move(reason);
  }

  void report(Progress::Kind kind, std::string text) {
    if (task_.report) task_.report({kind, std::move(text)});
  }

  bool begin() {
    messages_before_ = conversation_.messages.size();
    const auto fail = [this](const Error& error) {
      const bool stopped = error.code == Error::Code::cancelled;
      end(stopped ? Outcome::End::cancelled : Outcome::End::failed, error.message);
      return false;
    };
    auto opening = choose_opening(conversation_, ask_, model_, own_profiles_, limits_, editor_);
    if (!opening) return fail(opening.error());
    profile_ = opening->profile;
    bench_.drops_changes = profile_.is_plan;
    if (limits_.shell) gate_.set_confined([this] { return is_confined(*limits_.shell); });
    if (model_.has_tools()) calls_.set_tools(ToolSet(profile_.tools, opening->dialect, bench_));
    if (model_.has_tools() && limits_.mcp && holds_mcp(profile_.tools)) {
      const bool takes_images = model_.facts().has_images.value_or(false);
      calls_.add_tools(limits_.mcp->tools(bench_, takes_images, task_));
    }
    const Shown what = gate_.reads_freely() ? Shown::related : Shown::given;
    if (const auto said = say_request(*opening, conversation_, ask_, model_, guard_, shown_, what,
                                      limits_, requests_.room_beside(calls_.tools()), task_);
        !said)
      return fail(said.error());
    if (!opening->note.empty()) {
      report(Progress::Kind::note, opening->note);
      outcome_.notes.push_back(std::move(opening->note));
    }
    shell_.set_variables(std::move(opening->variables));
    if (opening->dialect) texts_.set_tags(opening->dialect->tags);
    taught_ = profile_.teaches_format ? opening->format : nullptr;
    if (taught_ && taught_->is_whole()) placer_.take_whole_files();
    const bool may_edit =
        !profile_.is_plan && (profile_.edits_in_text || profile_.is_shell ||
                              std::ranges::any_of(profile_.tools, is_editing_tool));
    if (limits_.checker && may_edit) limits_.checker->warm_up(paths_of(ask_), guard_, task_);
    return true;
  }

  // Where the user has typed in lines that the draft changes, the user's text is kept and the
  // draft's changes are dropped.
  void follow_editor() {
    if (!editor_) return;
    const auto followed = draft_.follow([&](const std::string& path) {
      auto now = editor_->text_now(path, task_);
      return now ? std::optional(*std::move(now)) : std::nullopt;
    });
    for (const Draft::Followed& file : followed) {
      say(conversation_,
          fmt::format("The user has changed {} while you worked; {}. Read it again before you edit "
                      "it.",
                      file.path, words_of(file)));
      if (file.dropped.empty()) continue;
      report(Progress::Kind::note,
             "You have changed " + file.path + " where it was edited; your text stays");
      lost_[file.path] = {file.dropped.size(), draft_hash(file.path)};
    }
  }

  // 0: there is no such file.
  uint64_t draft_hash(const std::string& path) {
    const auto file = draft_.read(path, task_);
    return file ? hash_of(file->text) : 0;
  }

  size_t new_files() const {
    return static_cast<size_t>(std::ranges::count_if(
        draft_.files(), [](const ChangedFile& file) { return !file.before; }));
  }

  // The edits of a reply that failed, until the file has another text than after the reply, or what
  // is sent instead is already in it.
  void note_unplaced() {
    const Roots roots = draft_.roots(task_);
    if (failed_.of_reply.empty() && failed_.any_taken) unplaced_.erase("");
    for (const std::string& written : std::exchange(failed_.in_place, {})) {
      const auto place = roots.find(written);
      unplaced_.erase(place ? place->path : written);
    }
    for (const auto& [written, file] : std::exchange(failed_.of_reply, {})) {
      const auto place = roots.find(written);
      const std::string path = place ? place->path : written;
      const uint64_t hash = path.empty() ? 0 : draft_hash(path);
      Failures& failures = unplaced_[hash == 0 ? "" : path];
      const bool is_new = failures.count == 0 || failures.hash != hash;  // not after others of it
      const bool is_of_new_file = !file.is_other_kind && (is_new || failures.new_files);
      failures = {is_new ? file.count : std::max(failures.count, file.count), hash,
                  is_of_new_file ? std::optional(new_files()) : std::nullopt};
    }
  }

  std::vector<std::string> words_of_lost() {
    std::vector<std::string> words;
    for (const auto& [path, failures] : lost_) {
      if (draft_hash(path) != failures.hash) continue;
      words.push_back(fmt::format("{} of {} {} left out: you have changed the text there",
                                  edits_in_words(failures.count), path,
                                  failures.count == 1 ? "was" : "were"));
    }
    return words;
  }

  std::vector<std::string> words_of_unplaced() {
    std::vector<std::string> words;
    for (const auto& [path, failures] : unplaced_) {
      if (!path.empty() && draft_hash(path) != failures.hash) continue;
      if (!failures.new_files || path.empty()) {
        words.push_back(fmt::format("{}{} could not be placed", edits_in_words(failures.count),
                                    path.empty() ? "" : " of " + path));
      } else if (new_files() <= *failures.new_files) {  // else the new file has another name
        words.push_back(path + " was not replaced by a new file: it already exists");
      }
    }
    return words;
  }

  // Decides: when an ask ends.
  void turn() {
    failed_.of_reply.clear();
    failed_.any_taken = false;
    if (task_.stop.stop_requested()) return end(Outcome::End::cancelled, "Cancelled.");
    follow_editor();
    if (limits_.mode && *limits_.mode == Mode::human) {
      gate_.set_acts_for_user(true);
      take_from_user();
      return gate_.set_acts_for_user(false);
    }
    if (auto stop = requests_.reached_limit(editor_)) {
      if (profile_.is_shell && stop->end == Outcome::End::limit)
        say(conversation_, shell_.limits(stop->reason));
      outcome_.met_limit = stop->limit;
      outcome_.cause = stop->cause;
      outcome_.setting = stop->setting;
      return end(stop->end, std::move(stop->reason));
    }
    report(Progress::Kind::status,
           outcome_.turns == 0
               ? "Asking " + model_.description()
               : fmt::format("Asking {} (turn {})", model_.description(), outcome_.turns + 1));
    const bool had_tools = model_.has_tools();
    auto reply = requests_.send(calls_.tools(), {profile_.edits_in_text, texts_.tags()});
    ++outcome_.turns;
    if (!reply && had_tools && !model_.has_tools() && outcome_.turns == 1 && chooses_profile())
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
    if (reply->message.blocks.empty()) reply->message.blocks.push_back(TextBlock{"(nothing)"});
    conversation_.messages.push_back(std::move(reply->message));
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
    } else if (profile_.is_shell) {
      take_command(text, cut);
    } else {
      take_text(text, cut);
    }
    note_unplaced();
    end_if_rejected();
    if (!ended_) take_failures();
    if (!ended_ && failed_replies_ >= kMaxFailedReplies)
      end(Outcome::End::failed,
          fmt::format("All tool calls of {} replies in a row failed. Last reason: {}",
                      failed_replies_, last_error_));
  }

  void take_failures() {
    if (profile_.is_shell) {
      if (failed_.count < kMaxFormatErrors) return;
      return end(
          Outcome::End::failed,
          fmt::format("The model did not answer with exactly one command, {} times in a row.",
                      failed_.count));
    }
    if (!failed_.has_reached_limit()) return;
    if (failed_.before > 0)
      return end(Outcome::End::failed,
                 fmt::format("{} replies of the model in a row could not be used. Last reason: {}",
                             failed_.total(), failed_.last));
    failed_.before = std::exchange(failed_.count, 0);
    // Nothing was misplaced by a reply that was cut off, or an edit that was denied.
    if (!failed_.unplaced.empty() || failed_.unreadable) show_fallback();
  }

  bool chooses_profile() const { return ask_.profile.empty() || ask_.profile == "auto"; }

  // The server has refused them (Model::has_tools): the ask begins again, with edits in text.
  void go_on_without_tools() {
    report(Progress::Kind::note,
           model_.description() + " takes no tool calls; going on with edits in the text");
    conversation_.messages.resize(messages_before_);
    calls_.set_tools(ToolSet());
    begin();
  }

  // The part that came in of a reply that broke off is kept: the user has seen it.
  void take_failure(const ModelError& error) {
    const bool stopped = error.kind == "cancelled";
    if (requests_.streamed().find_first_not_of(" \t\r\n") != std::string::npos) {
      const std::string streamed = shortened_to(requests_.streamed(), kMaxPartial);
      outcome_.partial = without_tags(streamed, texts_.tags());
      conversation_.messages.push_back(
          {Message::Role::assistant,
           {TextBlock{streamed + "\n\n[This reply was cut off here" +
                      (stopped ? " by the user" : "") + kUnusedReply}}});
    } else if (outcome_.turns == 1 && conversation_.messages.size() > messages_before_ &&
               !requests_.has_summarized()) {
      // A request that was never answered is no part of the conversation.
      conversation_.messages.resize(messages_before_);
    }
    if (stopped) return end(Outcome::End::cancelled, "Cancelled.");
    outcome_.cause = error.kind;
    outcome_.setting = error.setting;
    end(Outcome::End::failed, error.message);
  }

  void take_from_user() {
    UserTurn turn = take_user_turn(placer_, bench_, task_);
    using State = UserTurn::State;
    if (turn.state == State::cancelled) end(Outcome::End::cancelled, std::move(turn.reason));
    if (turn.state == State::failed) end(Outcome::End::failed, std::move(turn.reason));
    if (turn.state == State::done) end_unless_repaired();
  }

  void end_if_rejected() {
    if (ended_ || !gate_.was_rejected()) return;
    end(Outcome::End::refused, "Stopped: you denied permission for what the model wanted to do.");
  }

  void show_fallback() {
    FallbackAdvice way =
        fallback_advice(failed_.unplaced, profile_, taught_, calls_, gate_, shown_, task_);
    end_if_rejected();
    if (ended_) return;
    calls_.forget_repetition();
    if (way.taught) taught_ = way.taught;
    if (taught_ && taught_->is_whole()) placer_.take_whole_files();
    for (const ShownFile& file : way.shown) conversation_.seen[file.path] = hash_of(file.text);
    report(Progress::Kind::note, std::move(way.sentence));
    say(conversation_, std::move(way.told));
  }

  // Runs the calls. Returns the words of one that finishes the ask; else empty.
  std::string run_calls(const std::vector<ToolCall>& calls, const std::string& text, bool cut) {
    std::string none;  // why none is run
    if (cut) {
      const bool edits = std::ranges::any_of(
          calls, [this](const ToolCall& call) { return calls_.may_edit(call); });
      edits ? failed_.add(kWasCut) : failed_.add_unusable(kWasCut);
      none = std::string("Not run. ") + kCutReply;
    } else if (profile_.is_shell) {
      failed_.add("The reply contained a tool call.");
      none = shell_.format_error(0);
    }
    const auto seen = conversation_.seen;
    const std::string of_text = none.empty() ? texts_.take_beside_calls(text) : "";
    const bool has_failed = none.empty() && texts_.has_failed_beside_calls();
    CallRunner::Results results = calls_.run_all(calls, none, has_failed);
    if (!of_text.empty()) results.message.blocks.push_back(TextBlock{of_text});
    std::vector<std::string> news;  // files that the calls were the first to read or to edit
    for (const auto& [path, hash] : conversation_.seen)
      if (!seen.contains(path)) news.push_back(path);
    std::string guidance;
    if (!news.empty()) guidance = guidance_text(news, conversation_.guidance, shown_, task_);
    if (!guidance.empty()) results.message.blocks.push_back(TextBlock{std::move(guidance)});
    conversation_.messages.push_back(std::move(results.message));
    finishes_ = results.ends;
    failed_replies_ = results.all_failed && none.empty() ? failed_replies_ + 1 : 0;
    last_error_ = std::move(results.last_error);
    if (!calls_.repetition().empty()) end(Outcome::End::failed, calls_.repetition());
    return std::move(results.says);
  }

  void take_command(const std::string& text, bool cut) {
    if (cut) {
      report(Progress::Kind::note, kDiscardedTruncatedReply);
      failed_.add(kWasCut);
      return say(conversation_, kCutReply);
    }
    ShellReplies::Step step = shell_.take(text);
    if (task_.stop.stop_requested()) return end(Outcome::End::cancelled, "Cancelled.");
    if (!step.format_error.empty()) {
      report(Progress::Kind::note, step.format_error + " Telling the model.");
      failed_.add(std::move(step.format_error));
    } else {
      failed_.count = 0;
    }
    if (step.answer) {
      if (gate_.was_rejected()) return;  // what it submits was refused in part
      outcome_.answer = *std::move(step.answer);
      return end_unless_repaired();
    }
    say(conversation_, std::move(step.message));
    if (!step.repetition.empty()) end(Outcome::End::failed, std::move(step.repetition));
  }

  void take_text(const std::string& text, bool cut) {
    auto answer = texts_.take(text, cut, finishes_, wrong_call_);
    if (task_.stop.stop_requested()) return end(Outcome::End::cancelled, "Cancelled.");
    if (!answer) return;
    outcome_.answer = *std::move(answer);
    if (send_back_for_repair()) return;
    // A denied edit is not the model's fault, and it has answered.
    if (failed_.total() > 0 && failed_.any_edit && !failed_.denied && draft_.files().empty()) {
      return end(Outcome::End::failed,
                 "The model sent no edit that could be placed. Last reason: " + failed_.last);
    }
    if (is_plan()) report(Progress::Kind::plan, outcome_.answer);
    end(Outcome::End::done, "");
  }

  // Sends the findings of the checks back to the model.
  bool send_back_for_repair() {
    follow_editor();
    auto told = ending_.repair(limits_.mode && *limits_.mode == Mode::human);
    if (task_.stop.stop_requested()) return end(Outcome::End::cancelled, "Cancelled."), true;
    if (!told) return false;
    say(conversation_, *std::move(told));
    return true;
  }

  void end_unless_repaired() {
    if (!send_back_for_repair()) end(Outcome::End::done, "");
  }

  Conversation& conversation_;
  const Ask& ask_;
  Model& model_;
  Editor* editor_;
  Limits limits_;
  const std::string& own_profiles_;
  const Task& task_;
  GuardedWorkspace guard_;
  std::set<std::string, std::less<>> unread_;  // replaced as a whole
  Draft draft_;
  RedactedWorkspace shown_;
  Gate gate_;
  std::unique_ptr<Syntax> syntax_;
  Placer placer_;
  CommandFiles left_;
  ToolBench bench_;
  FailedEdits failed_;
  CallRunner calls_;
  Profile profile_;
  const EditFormat* taught_ = nullptr;  // null: none
  ShellReplies shell_;
  TextReplies texts_;
  Outcome outcome_;
  Requests requests_;
  Ending ending_;
  struct Failures {
    size_t count = 0;
    uint64_t hash = 0;  // of the draft's text after them
    // They were new files where there is one: how many others the draft had then.
    std::optional<size_t> new_files = {};
  };
  std::map<std::string, Failures> unplaced_, lost_;  // edits, by path; "": it is not known
  int failed_replies_ = 0;                           // in a row, of which no call succeeded
  std::string last_error_;                           // of a call
  size_t messages_before_ = 0;
  bool ended_ = false;
  TextReplies::WrongCall wrong_call_;  // of the last reply
  bool finishes_ = false;              // the reply called what ends the ask
};

}  // namespace

Outcome run(Conversation& conversation, const Ask& ask, const AskContext& context) {
  return Loop(conversation, ask, context).run();
}

}  // namespace bodkin
