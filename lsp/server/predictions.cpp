#include "lsp/server/predictions.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/checkers/draft_checker.h"
#include "agent/support/shown_text.h"
#include "agent/support/url.h"
#include "agent/workspace/privacy.h"
#include "agent/workspace/secrets.h"
#include "edits/place/write.h"
#include "edits/plan/diff.h"
#include "grammars/syntax_tree.h"
#include "lsp/workspace/model_settings.h"

namespace bodkin::lsp {

namespace {

constexpr auto kFirstByte = std::chrono::seconds(20);  // a prediction that comes later is of no use

std::string text_of(const ModelReply& reply) {
  std::string text;
  for (const Block& block : reply.message.blocks)
    if (const auto* part = std::get_if<TextBlock>(&block)) text += part->text;
  return text;
}

ModelRequest request_for(const SuggestPrompt& prompt) {
  ModelRequest request;
  request.system = prompt.system;
  request.messages.push_back({Message::Role::user, {TextBlock{prompt.text}}});
  request.max_tokens = prompt.max_tokens;
  request.temperature = 0;
  request.stop = prompt.stop;
  return request;
}

}  // namespace

struct Predictions::Asked {
  std::string uri;
  int64_t version = 0;
  SuggestContext context;
  ModelSettings model;
  const SuggestFormat* format = nullptr;
  std::shared_ptr<Kept> kept;
  EditorModels* editor = nullptr;
  std::shared_ptr<Workspace> workspace;
  std::shared_ptr<DraftChecker> checker;
  std::chrono::milliseconds patience{0};
};

Predictions::Predictions(EventLoop& loop, const Documents& documents, const Settings& settings,
                         const RecentEdits& recent, RunPolicy& policy, BackgroundWork& work,
                         Client& client, EditorModels& editor)
    : loop_(loop),
      documents_(documents),
      settings_(settings),
      recent_(recent),
      policy_(policy),
      work_(work),
      client_(client),
      editor_(editor) {}

void Predictions::settings_changed() {
  const Json& given = settings_.value("suggest.model");
  if (given == chosen_) return;
  chosen_ = given;
  stop_flight();
  told_ = false;
  last_.reset();
  kept_ = std::make_shared<Kept>();
  model_ = suggest_model_settings(settings_);
  if (!model_) return;
  const auto format = suggest_format(text_member(given, "format"), model_->name);
  if (!format) return client_.say(MessageType::warning, format.error().message);
  format_ = *format;
  model_->continues_text = !format_->is_chat;
  model_->idle_seconds = static_cast<int>(kFirstByte.count());
  work_.start([this, model = *model_, format = format_, given](const Task& task) {
    auto choice = preview_choice(model, &editor_, task);
    loop_.post([this, format, given, choice = std::move(choice)] {
      if (given != chosen_) return;
      if (!choice) return client_.say(MessageType::warning, "bodkin: " + choice.error().message);
      const bool is_here = is_loopback(choice->endpoint) || choice->provider == "replay";
      const std::string where = choice->endpoint.empty()
                                    ? choice->provider == "editor" ? " of the editor" : ""
                                    : " at " + choice->endpoint;
      const std::string words = plain_line(
          fmt::format("bodkin: next edits are predicted by {}{} (format \"{}\"); the code around "
                      "the cursor is sent there.",
                      choice->name.empty() ? choice->provider : choice->name, where, format->name));
      is_here ? client_.log(MessageType::information, words)
              : client_.say(MessageType::information, words);
      told_ = true;
    });
  });
}

bool Predictions::is_same_around(const Text& text, size_t ahead, size_t behind) const {
  const Text& before = last_->before;
  return text.substr(0, ahead) == before.substr(0, ahead) &&
         text.substr(text.size() - behind, behind) == before.substr(before.size() - behind, behind);
}

Prediction Predictions::known(const Document& document) const {
  if (!last_ || last_->uri != document.uri || document.lost) return {};
  const Replacement whole = difference(last_->before, last_->goal);
  const Text& text = document.text;
  const size_t behind = last_->before.size() - whole.offset - whole.length;
  if (text.size() < whole.offset + behind) return {};
  // What stands between the ends that stay: the prediction's beginning, then the old text's end.
  const std::string old = last_->before.substr(whole.offset, whole.length),
                    now = text.substr(whole.offset, text.size() - whole.offset - behind);
  const auto typed = std::ranges::mismatch(now, whole.text).in1 - now.begin();
  const auto left =
      std::mismatch(now.rbegin(), now.rend(), old.rbegin(), old.rend()).first - now.rbegin();
  if (typed + left < std::ssize(now) || !is_same_around(text, whole.offset, behind)) return {};
  return {changed_lines(document.text, last_->goal), last_->is_checked};
}

void Predictions::predict(const Document& document, size_t cursor, std::stop_token stop,
                          Done done) {
  if (Prediction known = this->known(document); !known.edits.empty()) return done(std::move(known));
  // Asked at the cursor and elsewhere: that is one request.
  if (flight_ && flight_->uri == document.uri && flight_->version == document.version)
    return flight_->done.push_back(std::move(done));
  stop_flight();
  if (!told_ || document.lost || !documents_.roots().find(document.path)) return done({});
  auto asked = std::make_shared<Asked>();
  asked->uri = document.uri;
  asked->version = document.version;
  asked->context = {document.path, document.text, cursor, recent_.history(document)};
  asked->model = *model_;
  asked->format = format_;
  asked->kept = kept_;
  asked->editor = &editor_;
  asked->workspace = workspace();
  asked->checker = policy_.checker();
  asked->patience = std::chrono::milliseconds(settings_.count("suggest.checkMs"));
  flight_ = std::make_unique<Flight>(asked->uri, asked->version);
  flight_->done.push_back(std::move(done));
  work_.start(
      [this, asked, newest = flight_->stop, stop = std::move(stop)](const Task& task) mutable {
        const auto end = [&newest] { newest.request_stop(); };
        const std::stop_callback by_peer(stop, end), at_exit(task.stop, end);
        Usage used;
        std::string problem;
        Prediction prediction = run(*asked, {newest.get_token(), nullptr}, used, problem);
        loop_.post([this, asked, prediction = std::move(prediction), used, problem, newest] {
          usage_.input += used.input;
          usage_.output += used.output;
          if (!problem.empty() && problem != problem_)
            client_.log(MessageType::warning,
                        plain_line("bodkin: no next edit was predicted: " + problem));
          problem_ = problem;
          if (flight_ && flight_->stop == newest) land(*asked, prediction);
        });
      });
}

// On a thread of its own.
Prediction Predictions::run(const Asked& asked, const Task& task, Usage& usage,
                            std::string& problem) {
  SuggestContext context = asked.context;
  GuardedWorkspace guard(*asked.workspace, task);
  if (guard.is_private(context.path)) return {};
  std::erase_if(context.history, [&](const PastEdit& past) { return guard.is_private(past.path); });
  const SuggestPrompt prompt = asked.format->prompt(context, asked.model.name);
  if (!find_secrets(prompt.text).empty()) return {};
  const std::lock_guard lock(asked.kept->mutex);
  if (task.stop.stop_requested()) return {};
  if (!asked.kept->model) {
    auto made = make_model(asked.model, asked.editor, task);
    if (!made) {
      problem = made.error().message;
      return {};
    }
    asked.kept->model = *std::move(made);
  }
  const auto reply = asked.kept->model->respond(request_for(prompt), task);
  if (!reply) {
    if (!task.stop.stop_requested()) problem = reply.error().message;
    return {};
  }
  usage = reply->usage;
  Prediction out;
  out.edits = asked.format->read(context, prompt, text_of(*reply),
                                 reply->stop_reason == StopReason::max_tokens);
  if (out.edits.empty()) return {};
  const Text after = with_edits(context.text, out.edits);
  if (context.text.size() <= kParsedAtOnce) {
    const auto errors = make_syntax()->new_errors(context.path, context.text, after);
    if (errors && !errors->empty()) return {};
  }
  const auto checked =
      asked.checker->check_soon({{.path = context.path, .before = context.text, .after = after}},
                                guard, asked.patience, task);
  if (checked && checked->state == CheckResult::State::problems) return {};
  out.is_checked = checked && checked->state == CheckResult::State::clean;
  return out;
}

void Predictions::land(const Asked& asked, const Prediction& prediction) {
  if (!prediction.edits.empty())
    last_ = {asked.uri, asked.context.text, with_edits(asked.context.text, prediction.edits),
             prediction.is_checked};
  const Document* const document = documents_.find(asked.uri);
  const bool is_now = document && document->version == asked.version;
  const auto flight = std::move(flight_);
  for (Done& done : flight->done)
    done(prediction.edits.empty() || !document ? Prediction()
         : is_now                              ? prediction
                                               : known(*document));
}

void Predictions::stop_flight() {
  if (!flight_) return;
  flight_->stop.request_stop();
  const auto flight = std::move(flight_);
  for (Done& done : flight->done) done({});
}

}  // namespace bodkin::lsp
