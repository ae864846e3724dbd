// The loop. Each round is one request; what the reply asks for decides how it goes on:
//
//   tool calls      -> each is run and has exactly one result; the results are the next message
//   edit blocks     -> placed on the draft; done, or the reasons why not are the next message
//   neither         -> the model has ended its turn
//
// Before the turn's end is believed, new syntax errors in the draft go back, at most max_repairs
// times. The conversation is always left in a form that can go on.
#include "agent/loop/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "agent/ask/cautions.h"
#include "agent/context/profile.h"
#include "agent/context/prompt.h"
#include "agent/models/http/retry.h"
#include "agent/models/image.h"
#include "agent/placing/edit_json.h"
#include "agent/placing/placing.h"
#include "agent/placing/streamed_edits.h"
#include "agent/tools/tools.h"
#include "grammars/syntax.h"

namespace bodkin {

namespace {

constexpr int kMaxFailedEdits = 3;    // in a row
constexpr int kMaxRepeatedCalls = 3;  // the same call with the same result, in a row
constexpr char kWasCut[] = "The reply was cut off at the length limit.";
constexpr char kCutReply[] =
    "Your reply was cut off at the length limit, and none of it was used. Send it again, in "
    "smaller parts.";

constexpr char kRefine[] =
    "This is about your proposal, which has not been applied yet. Files are shown, and edited, "
    "with the proposal in place.\n\n";

std::string text_of(const Message& message) {
  std::string text;
  for (const Block& block : message.blocks) {
    if (const auto* part = std::get_if<TextBlock>(&block)) text += part->text;
  }
  return text;
}

std::vector<ToolCall> calls_of(const Message& message) {
  std::vector<ToolCall> calls;
  for (const Block& block : message.blocks) {
    if (const auto* call = std::get_if<ToolCall>(&block)) calls.push_back(*call);
  }
  return calls;
}

// Two messages of one side in a row are one message.
void say(Conversation& conversation, Block block) {
  if (conversation.messages.empty() || conversation.messages.back().role != Message::Role::user) {
    conversation.messages.push_back({Message::Role::user, {}});
  }
  conversation.messages.back().blocks.push_back(std::move(block));
}
void say(Conversation& conversation, std::string text) {
  say(conversation, TextBlock{std::move(text)});
}

// The pictures of an ask. Errors, for the user: one that is private or cannot be sent.
Result<std::vector<ImageBlock>> images_of(const Ask& ask, const Model& model,
                                          const GuardedWorkspace& guard) {
  std::vector<ImageBlock> images;
  for (const auto& [path, file] : ask.images) {
    if (model.facts().has_images == false) {
      return fail(Error::Code::invalid_input,
                  model.description() + " does not accept images: ask without " + path +
                      ", or choose a model that does (bodkin.selectModel).");
    }
    if (guard.is_private(path)) {
      return fail(Error::Code::invalid_input, path + " is private and is never sent to a model.");
    }
    auto image = load_image(file);
    if (!image) return std::unexpected(image.error());
    images.push_back(*std::move(image));
  }
  return images;
}

class Loop {
 public:
  Loop(Conversation& conversation, const Ask& ask, Model& model, Workspace& workspace,
       Editor* editor, Verifier* verifier, const Limits& limits, const Task& task)
      : conversation_(conversation),
        ask_(ask),
        model_(model),
        verifier_(verifier),
        limits_(limits),
        task_(task),
        guard_(workspace, task),
        draft_(guard_),
        shown_(draft_, conversation.withheld),
        gate_(limits.permissions, conversation, editor),
        syntax_(make_syntax()),
        placer_(draft_, guard_, syntax_.get(), &gate_, ask.selection),
        bench_{draft_, shown_, guard_, editor, gate_, syntax_.get(), conversation, ask.selection} {
    draft_.begin_with(ask.draft);
    told_withheld_ = words_of(conversation.withheld);  // by an earlier ask
  }

  Outcome run() {
    outcome_.title = title_of(ask_);
    if (begin()) {
      while (!ended_) turn();
    }
    outcome_.files = changed_files();
    outcome_.cautions = cautions(outcome_.files, guard_, task_);
    outcome_.unfit_for_direct = unfit_for_direct(outcome_.files, guard_, task_);
    if (outcome_.end != Outcome::End::done) outcome_.verdict = {};  // of an earlier draft
    SyntaxCheck check = check_syntax(draft_, *syntax_);
    outcome_.syntax_checked = check.of_all_files;
    for (std::string& error : check.errors) outcome_.notes.push_back(std::move(error));
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
    std::string name = ask_.profile;
    if (name == "auto" || name.empty()) {
      name = conversation_.profile == "explain" ? "" : conversation_.profile;
      if (name == "tools" && !model_.has_tools()) name.clear();  // another model was chosen
      if (name.empty()) name = model_.has_tools() ? "tools" : "blocks";
    }
    auto profile = load_profile(name);
    if (!profile) {
      end(Outcome::End::failed, profile.error().message);
      return false;
    }
    profile_ = std::move(*profile);
    auto prompt = user_prompt(ask_, shown_, task_);
    if (!prompt) {
      const bool stopped = prompt.error().code == Error::Code::cancelled;
      end(stopped ? Outcome::End::cancelled : Outcome::End::failed, prompt.error().message);
      return false;
    }
    auto images = images_of(ask_, model_, guard_);
    if (!images) {
      end(Outcome::End::failed, images.error().message);
      return false;
    }
    if (conversation_.system.empty() || conversation_.profile != name) {
      RedactedWorkspace shown(guard_, conversation_.withheld);
      conversation_.system = system_prompt(profile_, ask_, shown, task_);
      conversation_.profile = name;
    }
    Roots roots = guard_.roots(task_);
    if (conversation_.roots != roots && !conversation_.messages.empty()) {
      conversation_.seen.clear();  // a path of before may be another file's now
      prompt->text = "The workspace's folders have changed. They are now: " + words_of(roots) +
                     ". Earlier paths may no longer be valid.\n\n" + prompt->text;
    }
    conversation_.roots = std::move(roots);
    for (const ShownFile& file : prompt->shown) {
      conversation_.seen[file.path] = hash_of(file.text);
    }
    if (model_.has_tools()) tools_ = make_tools(profile_.tools, bench_);
    messages_before_ = conversation_.messages.size();
    for (ImageBlock& image : *images) say(conversation_, std::move(image));
    say(conversation_, (ask_.draft.empty() ? "" : kRefine) + std::move(prompt->text));
    return true;
  }

  void turn() {
    if (task_.stop.stop_requested()) return end(Outcome::End::cancelled, "Cancelled.");
    spent_.time = std::chrono::steady_clock::now() - begun_;
    if (auto met = limit_met(limits_, spent_, model_)) {
      return end(Outcome::End::limit, std::move(*met));
    }
    report(Progress::Kind::status,
           outcome_.turns == 0
               ? "Asking " + model_.description()
               : fmt::format("Asking {} (turn {})", model_.description(), outcome_.turns + 1));
    ModelRequest request;
    request.system = conversation_.system;
    request.messages = conversation_.messages;
    for (const Tool& tool : tools_) request.tools.push_back(tool.spec);
    tell_withheld(redact(request));
    auto reply = respond(request);
    ++outcome_.turns;
    if (!reply) {
      // A request that was never answered is no part of the conversation.
      if (outcome_.turns == 1 && conversation_.messages.size() > messages_before_) {
        conversation_.messages.resize(messages_before_);
      }
      if (reply.error().kind == "cancelled") return end(Outcome::End::cancelled, "Cancelled.");
      return end(Outcome::End::failed, reply.error().message);
    }
    add(spent_, reply->usage, model_.facts());
    add(conversation_.spent, reply->usage, model_.facts());
    // What was called before a filter stopped the reply is neither run nor sent back.
    if (reply->stop_reason == StopReason::refusal)
      std::erase_if(reply->message.blocks,
                    [](const Block& block) { return !std::holds_alternative<TextBlock>(block); });
    const std::vector<ToolCall> calls = calls_of(reply->message);
    const std::string text = text_of(reply->message);
    if (reply->message.blocks.empty()) reply->message.blocks.push_back(TextBlock{"(nothing)"});
    conversation_.messages.push_back(std::move(reply->message));
    const bool cut = reply->stop_reason == StopReason::max_tokens;
    if (!calls.empty()) {
      run_calls(calls, cut);
    } else if (reply->stop_reason == StopReason::refusal) {
      const std::string& words = reply->refusal.empty() ? text : reply->refusal;
      end(Outcome::End::failed,
          words.empty() ? "The model refused to answer." : "The model refused to answer: " + words);
    } else {
      take_text(text, cut);
    }
    if (!ended_ && gate_.was_rejected()) {
      end(Outcome::End::cancelled,
          "Stopped: you refused permission for what the model wanted to do.");
    }
    if (!ended_ && failed_edits_ >= kMaxFailedEdits) {
      end(Outcome::End::failed,
          fmt::format("The model's edits were rejected {} times in a row. Last reason: {}",
                      failed_edits_, last_failure_));
    }
  }

  // Before they leave. `elsewhere`: secrets that stood in no file.
  void tell_withheld(size_t elsewhere) {
    if (elsewhere > 0) conversation_.withheld[""] = elsewhere;
    std::string words = words_of(conversation_.withheld);
    if (words == told_withheld_) return;
    told_withheld_ = outcome_.withheld = std::move(words);
    report(Progress::Kind::status, told_withheld_);
  }

  // While the reply comes in, the user is told of each edit that is complete. None is taken before
  // the reply has ended.
  std::expected<ModelReply, ModelError> respond(const ModelRequest& request) {
    StreamedEdits edits;
    const Task watched{task_.stop, [&](const Progress& progress) {
                         if (task_.report) task_.report(progress);
                         if (progress.kind == Progress::Kind::status) edits = {};  // it begins anew
                         if (progress.kind != Progress::Kind::text) return;
                         if (auto told = edits.add(progress.text)) {
                           report(Progress::Kind::editing, std::move(*told));
                         }
                       }};
    return respond_whole(model_, request, profile_.edits_in_text ? watched : task_);
  }

  // Each call gets exactly one result, in order, whatever happens.
  void run_calls(const std::vector<ToolCall>& calls, bool cut) {
    Message results{Message::Role::user, {}};
    if (cut) ++failed_edits_, last_failure_ = kWasCut;
    for (const ToolCall& call : calls) {
      ToolOutcome outcome;
      if (cut) {
        outcome = {std::string("Not run. ") + kCutReply, true};
      } else if (task_.stop.stop_requested()) {
        outcome = {"Not run: the user cancelled.", true};
      } else if (ended_ || gate_.was_rejected() || failed_edits_ >= kMaxFailedEdits) {
        outcome = {"Not run: the ask has ended.", true};
      } else {
        outcome = run_call(call);
      }
      results.blocks.push_back(
          ToolResult{call.id, call.name, std::move(outcome.content), outcome.is_error});
    }
    conversation_.messages.push_back(std::move(results));
  }

  ToolOutcome run_call(const ToolCall& call) {
    const Tool* tool = nullptr;
    std::string names;
    for (const Tool& one : tools_) {
      if (one.spec.name == call.name) tool = &one;
      names += (names.empty() ? "" : ", ") + one.spec.name;
    }
    ToolOutcome outcome;
    nlohmann::json arguments = call.arguments;
    if (!tool) {
      outcome = {"Unknown tool \"" + call.name + "\"" +
                     (names.empty() ? "; write edit blocks." : "; available tools: " + names + "."),
                 true};
    } else if (!call.malformed.empty()) {
      outcome = {call.name + ": the arguments are not a JSON object; send the call again.", true};
    } else if (auto wrong = mend_arguments(tool->spec, arguments)) {
      outcome = {*wrong, true};
    } else {
      const std::string title = tool->title(arguments);
      report(tool->edits ? Progress::Kind::editing : Progress::Kind::tool, title);
      try {
        // An edit is asked for when its diff is known.
        const auto allowed =
            tool->edits ? Result<void>() : gate_.admit({"read", "", title, ""}, task_);
        outcome =
            allowed ? tool->run(arguments, task_) : ToolOutcome{allowed.error().message, true};
      } catch (const std::exception& e) {  // a tool's own mistake must not end the server
        outcome = {call.name + " failed: " + e.what(), true};
      }
    }
    if (outcome.edited) {
      failed_edits_ = 0;
      last_call_.clear();
      repeated_ = 0;
    } else {
      if (tool && tool->edits && outcome.is_error) {
        ++failed_edits_;
        last_failure_ = outcome.reason.empty()
                            ? outcome.content.substr(0, outcome.content.find('\n'))
                            : outcome.reason;
      }
      std::string key = call.name +
                        arguments.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) +
                        outcome.content;
      repeated_ = key == last_call_ ? repeated_ + 1 : 1;
      last_call_ = std::move(key);
      if (repeated_ >= kMaxRepeatedCalls) {
        end(Outcome::End::failed, "The model is stuck: it made the same call (" + call.name + ") " +
                                      std::to_string(repeated_) + " times with the same result.");
      }
    }
    return outcome;
  }

  void take_text(const std::string& text, bool cut) {
    ParseOptions options;
    options.truncated = cut;
    options.in_talk = true;
    PlacedReply placed;
    if (profile_.edits_in_text) placed = placer_.place(text, options, task_);
    if (task_.stop.stop_requested()) return end(Outcome::End::cancelled, "Cancelled.");
    if (placed.state == PlacedReply::State::refused) {
      report(Progress::Kind::status,
             cut ? "The reply was cut off and is discarded; telling the model"
                 : placed.reason + " Telling the model.");
      ++failed_edits_;
      last_failure_ = placed.reason;
      return say(conversation_, placed.feedback);
    }
    if (cut || text.empty()) {
      ++failed_edits_;
      last_failure_ = cut ? kWasCut : "The reply was empty.";
      return say(conversation_,
                 cut ? kCutReply : "Your reply was empty. Send an answer or an edit.");
    }
    // Asked once: a model that has tools, or says the same again, means an answer.
    if (placed.state == PlacedReply::State::doubtful && tools_.empty() && shown_answer_.empty()) {
      report(Progress::Kind::status, "Asking the model whether it meant an edit");
      shown_answer_ = text;
      return say(conversation_, placed.feedback);
    }
    if (placed.state == PlacedReply::State::taken) {
      failed_edits_ = 0;
      shown_answer_.clear();
      outcome_.answer = prose_of_reply(text, options, placed.shown);
    } else if (placed.state == PlacedReply::State::doubtful || shown_answer_.empty()) {
      outcome_.answer = text;
    } else {
      outcome_.answer = shown_answer_ + "\n\n" + text;
    }
    while (outcome_.answer.ends_with('\n')) outcome_.answer.pop_back();
    if (send_back_syntax_errors() || send_back_failed_check()) return;
    if (failed_edits_ > 0 && draft_.files().empty()) {
      return end(Outcome::End::failed,
                 "The model sent no edit that could be placed. Last reason: " + last_failure_);
    }
    end(Outcome::End::done, "");
  }

  bool send_back_syntax_errors() {
    const std::vector<std::string> errors = check_syntax(draft_, *syntax_).errors;
    if (errors.empty() || repairs_ >= limits_.max_repairs) return false;
    ++repairs_;
    report(Progress::Kind::status, "The draft has new syntax errors; telling the model");
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
    report(Progress::Kind::status, verdict.by + " failed; telling the model");
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
  Verifier* verifier_;
  const Limits& limits_;
  const Task& task_;
  GuardedWorkspace guard_;
  Draft draft_;
  RedactedWorkspace shown_;
  Gate gate_;
  std::unique_ptr<Syntax> syntax_;
  Placer placer_;
  ToolBench bench_;
  Profile profile_;
  std::vector<Tool> tools_;
  Outcome outcome_;
  Spent spent_;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  size_t messages_before_ = 0;
  bool ended_ = false;
  int failed_edits_ = 0, repairs_ = 0, repeated_ = 0;
  std::string last_failure_, last_call_, told_withheld_;
  std::string shown_answer_;  // of which the model was asked whether it is an edit
};

}  // namespace

Outcome run(Conversation& conversation, const Ask& ask, Model& model, Workspace& workspace,
            Editor* editor, Verifier* verifier, const Limits& limits, const Task& task) {
  return Loop(conversation, ask, model, workspace, editor, verifier, limits, task).run();
}

}  // namespace bodkin
