// The loop. Each round is one request; what the reply asks for decides how it goes on:
//
//   tool calls    each is run and has exactly one result; the results are the next message
//   a command     in a profile whose replies are commands: run, and its output is the next message
//   edit blocks   placed on the draft, or the reasons why not are the next message
//   neither       the model has ended its turn
//
// Before an ask ends, new syntax errors and a failing verify.command go back to the model, together
// at most max_repairs times. The conversation is always left in a form that can be continued. One
// class, and so a long file, because all steps change the same few variables.
#include "agent/loop/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "agent/ask/cautions.h"
#include "agent/ask/step.h"
#include "agent/context/prompt.h"
#include "agent/loop/call_runner.h"
#include "agent/loop/messages.h"
#include "agent/loop/opening.h"
#include "agent/loop/other_way.h"
#include "agent/loop/second_model.h"
#include "agent/loop/shell_replies.h"
#include "agent/loop/tags.h"
#include "agent/loop/watched_reply.h"
#include "agent/loop/window.h"
#include "agent/placing/edit_json.h"
#include "agent/placing/placing.h"
#include "agent/sandbox/shell.h"
#include "agent/tools/command_changes.h"
#include "agent/tools/command_run.h"
#include "agent/tools/mcp.h"
#include "agent/tools/tools.h"
#include "edits/text/shortened.h"
#include "grammars/syntax_tree.h"

namespace bodkin {

namespace {

constexpr size_t kMostOfPartial = 100'000;  // bytes that are kept of a reply that broke off
constexpr int kBeforeOtherWay = 2;   // failed edits in a row, then the model is shown another way
constexpr int kMaxFailedEdits = 3;   // in a row after that, then the ask ends
constexpr int kMaxFormatErrors = 5;  // in a row
constexpr char kWasCut[] = "The reply was cut off at the length limit.";
constexpr char kCutReply[] =
    "Your reply was cut off at the length limit, and none of it was used. Send it again, in "
    "smaller parts.";

bool holds_mcp(const std::vector<std::string>& tools) {
  return std::ranges::find(tools, kMcpTools) != tools.end();
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == text.npos; }

class Loop {
 public:
  Loop(Conversation& conversation, const Ask& ask, const AskContext& context)
      : conversation_(conversation),
        ask_(ask),
        model_(context.model),
        editor_(context.editor),
        verifier_(context.verifier),
        by_(context.limits),
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
        second_(model_, context.draft_model, limits_, spent_, conversation_,
                [this](size_t elsewhere) { tell_withheld(elsewhere); }),
        window_(conversation_, ask_, model_, limits_) {
    bench_.ask_second = [this](const std::vector<Message>& messages, const Task& task) {
      spent_.time = std::chrono::steady_clock::now() - begun_;
      return second_.ask(messages, task);
    };
    draft_.begin_with(ask.draft);
    told_withheld_ = words_of(conversation.withheld);  // by an earlier ask
  }

  Outcome run() {
    outcome_.title = title_of(ask_);
    if (begin()) {
      while (!ended_) turn();
    }
    outcome_.files = changed_files();
    outcome_.takes_back =
        outcome_.end == Outcome::End::done && !ask_.draft.empty() && draft_.files().empty();
    outcome_.cautions = cautions(outcome_.files, guard_, task_);
    outcome_.unfit_for_direct = unfit_for_direct(outcome_.files, guard_, task_);
    if (outcome_.end == Outcome::End::done && is_blank(outcome_.answer))
      outcome_.answer =
          outcome_.takes_back ? "Everything is taken back." : changes_in_words(outcome_.files);
    if (outcome_.end != Outcome::End::done) outcome_.verdict = {};  // of an earlier draft
    SyntaxCheck check = check_syntax(draft_, *syntax_);
    outcome_.syntax_checked = check.of_all_files;
    outcome_.syntax_errors = std::move(check.errors);
    for (std::string& sentence : notes_of(left_, outcome_.files)) {
      if (outcome_.files.empty()) {  // then nobody is shown the notes
        outcome_.answer += (outcome_.answer.empty() ? "" : "\n") + sentence;
      } else {
        outcome_.unfit_for_direct.push_back(sentence);
        outcome_.notes.push_back(std::move(sentence));
      }
    }
    for (const DraftFile& file : outcome_.files) {
      if (!file.base || !file.text || !unread_.contains(file.path)) continue;
      std::string sentence = file.path + ": was replaced as a whole, and the model had not read it";
      outcome_.unfit_for_direct.push_back(sentence);
      outcome_.notes.push_back(std::move(sentence));
    }
    const std::string ignored = words_of_ignored(left_, outcome_.files);
    if (outcome_.end == Outcome::End::done && !ignored.empty())
      outcome_.answer += (outcome_.answer.empty() ? "" : "\n") + ignored;
    return std::move(outcome_);
  }

 private:
  // A refinement that changed nothing has no files: the proposal stays as it is.
  std::vector<DraftFile> changed_files() const {
    std::vector<DraftFile> files = draft_.files();
    const auto same = [](const DraftFile& a, const DraftFile& b) {
      return a.path == b.path && a.text == b.text && a.moved_to == b.moved_to;
    };
    if (std::ranges::is_permutation(files, ask_.draft, same)) files.clear();
    return files;
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
    auto opening = open_ask(conversation_, ask_, model_, own_profiles_, guard_, shown_,
                            limits_.shell.get(), task_);
    if (!opening) {
      const bool stopped = opening.error().code == Error::Code::cancelled;
      end(stopped ? Outcome::End::cancelled : Outcome::End::failed, opening.error().message);
      return false;
    }
    profile_ = std::move(opening->profile);
    bench_.drops_changes = profile_.is_plan;
    const auto edits = std::ranges::find_if(profile_.tools, is_editing_tool);
    if (profile_.is_plan && (profile_.edits_in_text || edits != profile_.tools.end())) {
      end(Outcome::End::failed,
          "The profile \"" + profile_.name + "\" makes a plan, so it cannot have " +
              (profile_.edits_in_text ? "edits in its text" : "the tool \"" + *edits + "\"") + ".");
      return false;
    }
    shell_.set_variables(std::move(opening->variables));
    if (profile_.is_shell && !may_run_commands()) return false;
    if (opening->dialect) tags_ = opening->dialect->tags;
    taught_ = profile_.teaches_format ? opening->format : nullptr;
    if (taught_ && taught_->is_whole()) placer_.take_whole_files();
    if (limits_.shell) gate_.set_confined([this] { return is_confined(*limits_.shell); });
    if (model_.has_tools()) calls_.set_tools(ToolSet(profile_.tools, opening->dialect, bench_));
    if (model_.has_tools() && limits_.mcp && holds_mcp(profile_.tools)) {
      const bool takes_images = model_.facts().has_images.value_or(false);
      calls_.add_tools(limits_.mcp->tools(bench_, takes_images, task_));
    }
    return true;
  }

  bool may_run_commands() {
    if (limits_.shell && can_run_commands(*limits_.shell, bench_.editor)) return true;
    conversation_.messages.resize(messages_before_);
    end(Outcome::End::failed,
        "The profile " + profile_.name + " works by commands, and " +
            (limits_.shell ? "this machine has no sandbox to run them in."
                           : "none may run in a folder that is not trusted."));
    return false;
  }

  void turn() {
    if (task_.stop.stop_requested()) return end(Outcome::End::cancelled, "Cancelled.");
    if (limits_.mode && *limits_.mode == Mode::human) {
      gate_.set_acts_for_user(true);
      take_from_user();
      return gate_.set_acts_for_user(false);
    }
    if (!may_go_on()) return;
    report(Progress::Kind::status,
           outcome_.turns == 0
               ? "Asking " + model_.description()
               : fmt::format("Asking {} (turn {})", model_.description(), outcome_.turns + 1));
    auto reply = respond();
    ++outcome_.turns;
    if (!reply) return take_failure(reply.error());
    shell_.set_spent(spent_);
    // What was called before a filter stopped the reply is neither run nor sent back.
    if (reply->stop_reason == StopReason::refusal)
      std::erase_if(reply->message.blocks,
                    [](const Block& block) { return !std::holds_alternative<TextBlock>(block); });
    const std::vector<ToolCall> calls = calls_of(reply->message);
    const std::string text = text_of(reply->message);
    finishes_ = false;
    if (reply->message.blocks.empty()) reply->message.blocks.push_back(TextBlock{"(nothing)"});
    conversation_.messages.push_back(std::move(reply->message));
    const bool cut = reply->stop_reason == StopReason::max_tokens;
    if (!calls.empty()) {
      run_calls(calls, cut);
      if (!ended_ && finishes_) take_text(text, false);
    } else if (reply->stop_reason == StopReason::refusal) {
      const std::string& words = reply->refusal.empty() ? text : reply->refusal;
      end(Outcome::End::failed,
          words.empty() ? "The model refused to answer." : "The model refused to answer: " + words);
    } else if (profile_.is_shell) {
      take_command(text, cut);
    } else {
      take_text(text, cut);
    }
    end_if_rejected();
    if (ended_ || failed_.count < most_failed()) return;
    if (!profile_.is_shell && failed_.before == 0) {
      failed_.before = std::exchange(failed_.count, 0);
      // Nothing was misplaced by a reply that was cut off, or an edit that was denied.
      if (!failed_.unplaced.empty() || failed_.unreadable) show_other_way();
      return;
    }
    end(Outcome::End::failed,
        profile_.is_shell
            ? fmt::format("The model did not answer with exactly one command, {} times in a row.",
                          failed_.count)
            : fmt::format("The model's edits were rejected {} times in a row. Last reason: {}",
                          failed_.before + failed_.count, failed_.last));
  }

  // False: a limit is met, and the ask has ended.
  bool may_go_on() {
    for (;;) {
      spent_.time = std::chrono::steady_clock::now() - begun_;
      auto met = limit_met(limits_, spent_, model_, by_);
      if (!met) return true;
      if (!met->question.empty() && editor_) {
        report(Progress::Kind::waiting, met->reason + " Go on?");
        const auto decision =
            editor_->permit({"limit", "", met->question, met->reason, "", Decision::once}, task_);
        if (!decision) return end(Outcome::End::cancelled, "Cancelled."), false;
        if (decision->allows()) {
          spent_.time = std::chrono::steady_clock::now() - begun_;
          raise(limits_, met->which, spent_, by_);
          continue;
        }
      }
      if (profile_.is_shell) say(conversation_, shell_.limits(met->reason));
      end(Outcome::End::limit, std::move(met->reason));
      return false;
    }
  }

  // What the conversation asks for, made to fit; if the provider finds it too long, shortened and
  // sent once more.
  std::expected<ModelReply, ModelError> respond() {
    std::optional<ModelError> refused;  // as too long
    for (size_t bytes = 0;;) {
      ModelRequest request;
      request.tools = calls_.tools();
      tell_withheld(window_.fill(
          request, [this](ModelRequest& plain) { return side(plain); }, task_));
      if (task_.stop.stop_requested())
        return std::unexpected(ModelError{"cancelled", "Cancelled.", 0});
      if (refused && bytes_of(request) >= bytes) return std::unexpected(*refused);
      auto reply =
          respond_watched(model_, request, {profile_.edits_in_text, tags_, streamed_}, task_);
      if (reply) {
        window_.count(request, reply->usage);
        spend(reply->usage);
        return reply;
      }
      if (reply.error().kind != "context_length") return reply;
      const bool is_again = refused.has_value();
      refused = reply.error();
      refused->message = window_.too_small(refused->message);
      if (is_again) return std::unexpected(*refused);
      bytes = bytes_of(request);
      window_.was_exceeded(bytes);
      report(Progress::Kind::status, "The conversation is too long for the model; shortening it");
    }
  }

  // A plain request besides the conversation's own: no tools, no stream.
  Result<std::string> side(ModelRequest& request) {
    tell_withheld(redact(request));
    request.stream = false;
    const auto reply = model_.respond(request, {task_.stop, nullptr});
    if (!reply) return fail(Error::Code::unavailable, reply.error().message);
    spend(reply->usage);
    return text_of(reply->message);
  }

  void spend(const Usage& usage) {
    const ModelFacts facts = model_.facts();
    add(spent_, usage, facts);
    add(conversation_.spent, usage, facts);
    add_today(limits_, usage, facts);
  }

  // What came in of a reply that broke off is kept: the user has seen it.
  void take_failure(const ModelError& error) {
    const bool stopped = error.kind == "cancelled";
    if (!is_blank(streamed_)) {
      streamed_ = shortened_to(streamed_, kMostOfPartial);
      outcome_.partial = without_tags(streamed_, tags_);
      conversation_.messages.push_back(
          {Message::Role::assistant,
           {TextBlock{streamed_ + "\n\n[This reply was cut off here" +
                      (stopped ? " by the user" : "") + "; none of it was used.]"}}});
    } else if (outcome_.turns == 1 && conversation_.messages.size() > messages_before_ &&
               !window_.has_summarised()) {
      // A request that was never answered is no part of the conversation.
      conversation_.messages.resize(messages_before_);
    }
    if (stopped) return end(Outcome::End::cancelled, "Cancelled.");
    end(Outcome::End::failed, error.message);
  }

  // In the mode human: the user's edits or command instead of a reply. The model is told later, if
  // it is asked again.
  void take_from_user() {
    if (!editor_) return end(Outcome::End::failed, "In the mode human somebody must be there.");
    report(Progress::Kind::waiting, "Waiting for your command");
    const auto words = editor_->ask_words("Command or edit (empty: done)", task_);
    if (!words) {
      const bool stopped = words.error().code == Error::Code::cancelled;
      return end(stopped ? Outcome::End::cancelled : Outcome::End::failed, words.error().message);
    }
    if (is_blank(*words)) {
      if (send_back_syntax_errors() || send_back_failed_check()) return;
      return end(Outcome::End::done, "");
    }
    const auto begun = std::chrono::steady_clock::now();
    ParseOptions options;
    options.in_chat = true;
    const PlacedReply placed = placer_.place(*words, options, task_);
    if (placed.state == PlacedReply::State::taken) {
      say(conversation_, "The user edited the files:\n" + *words);
      return report_step(task_, "", begun, false, draft_.new_changes());
    }
    if (placed.state == PlacedReply::State::refused)
      return report(Progress::Kind::note, placed.reason);
    if (!bench_.shell) {
      return report(Progress::Kind::note,
                    "This is no edit, and commands cannot run in a folder that is not trusted.");
    }
    const CommandEnd ended =
        run_one(bench_, {.text = *words, .timeout = bench_.shell->timeout}, task_);
    if (task_.stop.stop_requested()) return end(Outcome::End::cancelled, "Cancelled.");
    const bool is_done = ended.state == CommandEnd::State::ended;
    report(Progress::Kind::text, is_done ? ended.output : ended.told + "\n");
    if (is_done) report(Progress::Kind::status, fmt::format("Exit code {}", ended.exit_code));
    say(conversation_, fmt::format("The user ran this command:\n{}\n{}{}", *words,
                                   shown_output(ended.output, "ask for less of it"), ended.told));
    report_step(task_, "run_command", begun, !is_done, draft_.new_changes());
  }

  int most_failed() const {
    if (profile_.is_shell) return kMaxFormatErrors;
    return failed_.before == 0 ? kBeforeOtherWay : kMaxFailedEdits;
  }

  void end_if_rejected() {
    if (ended_ || !gate_.was_rejected()) return;
    end(Outcome::End::cancelled,
        "Stopped: you refused permission for what the model wanted to do.");
  }

  void show_other_way() {
    OtherWay way = other_way(failed_.unplaced, profile_, taught_, calls_, gate_, shown_, task_);
    end_if_rejected();
    if (ended_) return;
    calls_.forget_repetition();
    if (way.taught) taught_ = way.taught;
    if (taught_ && taught_->is_whole()) placer_.take_whole_files();
    for (const ShownFile& file : way.shown) conversation_.seen[file.path] = hash_of(file.text);
    report(Progress::Kind::note, std::move(way.sentence));
    say(conversation_, std::move(way.told));
  }

  // Before they leave. `elsewhere`: secrets that stood in no file.
  void tell_withheld(size_t elsewhere) {
    if (elsewhere > 0) conversation_.withheld[""] = elsewhere;
    std::string words = words_of(conversation_.withheld);
    if (words == told_withheld_) return;
    told_withheld_ = outcome_.withheld = std::move(words);
    report(Progress::Kind::status, told_withheld_);
  }

  // Each call gets exactly one result, in order, whatever happens.
  void run_calls(const std::vector<ToolCall>& calls, bool cut) {
    Message results{Message::Role::user, {}};
    std::vector<ImageBlock> images;
    bool any_failed = false;
    if (cut) failed_.add(kWasCut);
    for (const ToolCall& call : calls) {
      ToolOutcome outcome;
      if (cut) {
        outcome = {std::string("Not run. ") + kCutReply, true};
      } else if (task_.stop.stop_requested()) {
        outcome = {"Not run: the user cancelled.", true};
      } else if (ended_ || gate_.was_rejected() || failed_.count >= most_failed()) {
        const bool has_ended =
            ended_ || gate_.was_rejected() || failed_.before > 0 || profile_.is_shell;
        outcome = {has_ended ? "Not run: the ask has ended."
                             : "Not run: two edits in a row have failed; read why first.",
                   true};
      } else if (profile_.is_shell) {
        failed_.add("The reply contained a tool call.");
        outcome = {shell_.format_error(0), true};
      } else {
        outcome = calls_.run(call);
        // Not if another call of the reply has failed: the model must see that first.
        if (outcome.ends && any_failed)
          outcome = {"Not finished: a call before this one failed.", true};
        finishes_ = outcome.ends;
        if (!calls_.repetition().empty()) end(Outcome::End::failed, calls_.repetition());
      }
      any_failed = any_failed || outcome.is_error;
      std::ranges::move(outcome.images, std::back_inserter(images));
      results.blocks.push_back(
          ToolResult{call.id, call.name, std::move(outcome.content), outcome.is_error});
    }
    for (ImageBlock& image : images) results.blocks.push_back(std::move(image));
    conversation_.messages.push_back(std::move(results));
  }

  void take_command(const std::string& text, bool cut) {
    if (cut) {
      report(Progress::Kind::note, "The reply was cut off and is discarded; telling the model");
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
      if (send_back_syntax_errors() || send_back_failed_check()) return;
      return end(Outcome::End::done, "");
    }
    say(conversation_, std::move(step.message));
    if (!step.repetition.empty()) end(Outcome::End::failed, std::move(step.repetition));
  }

  void take_text(const std::string& text, bool cut) {
    ParseOptions options;
    options.truncated = cut;
    options.in_chat = true;
    PlacedReply placed;
    const auto begun = std::chrono::steady_clock::now();
    if (profile_.edits_in_text) placed = placer_.place(text, options, task_);
    if (placed.state == PlacedReply::State::taken)
      report_step(task_, "", begun, false, draft_.new_changes());
    if (task_.stop.stop_requested()) return end(Outcome::End::cancelled, "Cancelled.");
    if (placed.state == PlacedReply::State::refused) {
      if (!gate_.was_rejected()) {
        report(Progress::Kind::note,
               cut ? "The reply was cut off and is discarded; telling the model"
                   : placed.reason + " Telling the model.");
      }
      failed_.add(placed.reason, std::move(placed.unplaced), placed.unreadable);
      return say(conversation_, placed.feedback);
    }
    // A model that has changed what it should may say nothing.
    const bool says_too_little = text.empty() && !finishes_ &&
                                 (failed_.before + failed_.count > 0 || draft_.files().empty());
    if (cut || says_too_little) {
      failed_.add(cut ? kWasCut : "The reply was empty.");
      return say(conversation_,
                 cut ? kCutReply : "Your reply was empty. Send an answer or an edit.");
    }
    // Asked once: a model that has tools, or says the same again, means an answer.
    if (placed.state == PlacedReply::State::doubtful && calls_.tools().empty() &&
        shown_answer_.empty()) {
      report(Progress::Kind::note, "Asking the model whether it meant an edit");
      shown_answer_ = text;
      return say(conversation_, placed.feedback);
    }
    if (placed.state == PlacedReply::State::taken) {
      failed_.forget();
      shown_answer_.clear();
      outcome_.answer = prose_of_reply(text, options, placed.shown);
    } else if (placed.state == PlacedReply::State::doubtful || shown_answer_.empty()) {
      outcome_.answer = text;
    } else {
      outcome_.answer = shown_answer_ + "\n\n" + text;
    }
    outcome_.answer = without_tags(outcome_.answer, tags_);
    while (outcome_.answer.ends_with('\n')) outcome_.answer.pop_back();
    if (send_back_syntax_errors() || send_back_failed_check()) return;
    if (failed_.before + failed_.count > 0 && draft_.files().empty()) {
      return end(Outcome::End::failed,
                 "The model sent no edit that could be placed. Last reason: " + failed_.last);
    }
    if (profile_.is_plan) report(Progress::Kind::plan, outcome_.answer);
    end(Outcome::End::done, "");
  }

  bool send_back_syntax_errors() {
    const std::vector<std::string> errors = check_syntax(draft_, *syntax_).errors;
    if (errors.empty() || repairs_ >= limits_.max_repairs) return false;
    ++repairs_;
    report(Progress::Kind::note, "The draft has new syntax errors; telling the model");
    say(conversation_,
        fmt::format("Your edits were placed, but the files now have syntax errors that were not "
                    "there before:\n{}\nFix them with another edit. The files now contain your "
                    "earlier edits: match the lines as they are after those edits.",
                    fmt::join(errors, "\n")));
    return true;
  }

  // What the user's own command says of the draft.
  bool send_back_failed_check() {
    if (!verifier_ || changed_files().empty()) return false;
    outcome_.verdict = verifier_->verify(draft_, guard_, task_);
    if (task_.stop.stop_requested()) end(Outcome::End::cancelled, "Cancelled.");
    const Verdict& verdict = outcome_.verdict;
    if (ended_ || verdict.state != Verdict::State::failed) return ended_;
    if (repairs_ >= limits_.max_repairs) return false;
    ++repairs_;
    report(Progress::Kind::note, verdict.by + " failed; telling the model");
    say(conversation_,
        fmt::format("Your edits were placed, but `{}` now fails; without them it does not. Its "
                    "last output:\n{}\nFix what your edits broke with another edit. The files now "
                    "contain your earlier edits: match the lines as they are after those edits.",
                    verdict.by, verdict.output));
    return true;
  }

  Conversation& conversation_;
  const Ask& ask_;
  Model& model_;
  Editor* editor_;
  Verifier* verifier_;
  const Limits& by_;  // as the settings have it, by which a limit is raised
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
  Outcome outcome_;
  Spent spent_;
  SecondModel second_;
  Window window_;
  std::string streamed_;  // of the reply that is coming in
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  size_t messages_before_ = 0;
  bool ended_ = false;
  int repairs_ = 0;
  std::string told_withheld_;
  std::vector<std::string> tags_;  // of the dialect, which are not shown
  bool finishes_ = false;          // the reply called what ends the ask
  std::string shown_answer_;       // of which the model was asked whether it is an edit
};

}  // namespace

Outcome run(Conversation& conversation, const Ask& ask, const AskContext& context) {
  return Loop(conversation, ask, context).run();
}

}  // namespace bodkin
