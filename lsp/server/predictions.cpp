#include "lsp/server/predictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "agent/checkers/draft_checker.h"
#include "agent/loop/conversation_messages.h"
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

constexpr auto kLongestWait =
    std::chrono::seconds(20);             // a prediction that comes later is of no use
constexpr size_t kLongestLine = 4'000;    // bytes; nothing is predicted in minified code
constexpr size_t kLookedAround = 16'000;  // bytes around the cursor; more than any format sends

// The texts that past edits refer to, by path; of the document itself, too.
using Texts = std::map<std::string, Text>;

bool has_long_line(const std::vector<std::string>& lines) {
  return std::ranges::any_of(lines,
                             [](const std::string& line) { return line.size() > kLongestLine; });
}

// Whether some of these lines have a piece of a secret. All of the text is looked at, as it is:
// what a prompt does to it may hide one.
bool has_secret(const Text& text, size_t begin, size_t end) {
  const std::vector<SecretPlace> secrets = find_secrets(text.str());
  return std::ranges::any_of(
      secrets, [&](const SecretPlace& place) { return place.begin < end && begin < place.end; });
}

// Whether no part of this edit may be sent.
bool is_withheld(const PastEdit& past, const Texts& texts) {
  const EditedLines& edit = past.edit;
  if (has_long_line(edit.before) || has_long_line(edit.after)) return true;
  for (const auto* lines : {&edit.before, &edit.after}) {
    std::string joined;
    for (const std::string& line : *lines) joined += line + "\n";
    if (!find_secrets(joined).empty()) return true;
  }
  const auto text = texts.find(past.path);
  if (text == texts.end()) return true;
  return has_secret(text->second, text->second.line_begin(edit.first),
                    text->second.line_begin(edit.first + edit.after.size()));
}

// Characters that no editor would type.
bool has_control_characters(const std::vector<Replacement>& edits) {
  return std::ranges::any_of(edits, [](const Replacement& edit) {
    return std::ranges::any_of(edit.text, [](unsigned char c) {
      return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
    });
  });
}

// Whether the syntax is worse than before; if the text is broken already, whether it has more
// errors.
bool breaks_syntax(const std::string& path, const Text& before, const Text& after) {
  if (before.size() > kParsedAtOnce) return false;
  const auto syntax = make_syntax();
  const auto new_ones = syntax->new_errors(path, before, after);
  if (!new_ones || new_ones->empty()) return false;
  const auto were = syntax->new_errors(path, Text(), before),
             are = syntax->new_errors(path, Text(), after);
  return !were || !are || were->empty() || are->size() > were->size();
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
  SuggestContext context;
  Texts texts;
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
  if (told) told("");
  last_.reset();
  kept_ = std::make_shared<Kept>();
  model_ = suggest_model_settings(settings_);
  if (!model_) return;
  const auto format = suggest_format(text_member(given, "format"), model_->name);
  if (!format) return client_.say(MessageType::warning, format.error().message);
  format_ = *format;
  model_->continues_text = !format_->is_chat;
  model_->idle_seconds = static_cast<int>(kLongestWait.count());
  work_.start([this, model = *model_, format = format_, given](const Task& task) {
    auto choice = preview_choice(model, &editor_, task);
    loop_.post([this, format, given, choice = std::move(choice)] {
      if (given != chosen_) return;
      if (!choice) return client_.say(MessageType::warning, "bodkin: " + choice.error().message);
      const bool is_here = is_loopback(choice->endpoint) || choice->provider == "replay";
      const std::string who = plain_line(predicting_model(*choice));
      const std::string words = fmt::format(
          "bodkin: {} predicts next edits (format \"{}\"); the code around the cursor is sent "
          "there.",
          who, format->name);
      if (told) told(who);
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
  if (last_->version != document.version) {
    last_->held = still_holding(document);
    last_->version = document.version;
  }
  return last_->held;
}

Prediction Predictions::still_holding(const Document& document) const {
  const Replacement whole = difference(last_->before, last_->goal);
  const Text& text = document.text;
  const size_t behind = last_->before.size() - whole.offset - whole.length;
  if (text.size() < whole.offset + behind) return {};
  // The text between the ends that stay: the prediction's beginning, then the old text's end.
  const std::string old = last_->before.substr(whole.offset, whole.length),
                    now = text.substr(whole.offset, text.size() - whole.offset - behind);
  const auto typed = std::ranges::mismatch(now, whole.text).in1 - now.begin();
  const auto left =
      std::mismatch(now.rbegin(), now.rend(), old.rbegin(), old.rend()).first - now.rbegin();
  // A person who only removes the old text may not mean the new one.
  if (typed + left < std::ssize(now) || (typed == 0 && now != old) ||
      !is_same_around(text, whole.offset, behind))
    return {};
  return {changed_lines(document.text, last_->goal), last_->is_checked};
}

void Predictions::predict(const Document& document, size_t cursor, std::stop_token stop,
                          Done done) {
  if (Prediction known = this->known(document); !known.edits.empty()) return done(std::move(known));
  // Asked at the cursor and elsewhere: that is one request.
  if (flight_ && flight_->uri == document.uri && flight_->text == document.text &&
      !flight_->stop.stop_requested())
    return flight_->join(std::move(stop), std::move(done));
  stop_flight();
  const auto may_be_sent = [this](const std::string& uri, const std::string& path) {
    return uri.starts_with("file:") && documents_.roots().find(path);
  };
  const size_t line = document.text.line_of(cursor);
  if (!told_ || document.lost || !may_be_sent(document.uri, document.path) ||
      document.text.line_end(line) - document.text.line_begin(line) > kLongestLine)
    return done({});
  auto asked = std::make_shared<Asked>();
  asked->uri = document.uri;
  asked->context = {document.path, document.text, cursor, recent_.history(document)};
  for (const auto& [uri, other] : documents_.all())
    if (may_be_sent(other.uri, other.path)) asked->texts[other.path] = other.text;
  asked->model = *model_;
  asked->format = format_;
  asked->kept = kept_;
  asked->editor = &editor_;
  asked->workspace = workspace();
  asked->checker = policy_.checker();
  asked->patience = std::chrono::milliseconds(settings_.count("suggest.checkMs"));
  flight_ = std::make_unique<Flight>(asked->uri, document.text);
  flight_->join(std::move(stop), std::move(done));
  loop_.post_after(kLongestWait, [this, newest = flight_->stop] {
    if (flight_ && flight_->stop == newest) stop_flight();
  });
  work_.start([this, asked, newest = flight_->stop](const Task& task) mutable {
    const std::stop_callback at_exit(task.stop, [&newest] { newest.request_stop(); });
    Usage usage;
    std::string problem;
    Prediction prediction = run(*asked, {newest.get_token(), nullptr}, usage, problem);
    loop_.post([this, asked, prediction = std::move(prediction), usage, problem, newest] {
      used(usage);
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
  std::erase_if(context.history, [&](const PastEdit& past) {
    return guard.is_private(past.path) || is_withheld(past, asked.texts);
  });
  const size_t ahead = context.cursor - std::min(context.cursor, kLookedAround);
  if (has_secret(context.text, context.text.line_begin(context.text.line_of(ahead)),
                 context.cursor + kLookedAround))
    return {};
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
  out.edits = asked.format->read(context, prompt, text_of(reply->message),
                                 reply->stop_reason == StopReason::max_tokens);
  if (out.edits.empty() || has_control_characters(out.edits)) return {};
  const Text after = with_edits(context.text, out.edits);
  if (breaks_syntax(context.path, context.text, after)) return {};
  const auto checked =
      asked.checker->check_soon({{.path = context.path, .before = context.text, .after = after}},
                                guard, asked.patience, task);
  if (checked && checked->state == CheckResult::State::problems) return {};
  out.is_checked = checked && checked->state == CheckResult::State::clean;
  return out;
}

void Predictions::land(const Asked& asked, const Prediction& prediction) {
  if (!prediction.edits.empty())
    last_ = {asked.uri,
             asked.context.text,
             with_edits(asked.context.text, prediction.edits),
             prediction.is_checked,
             std::nullopt,
             {}};
  const Document* const document = documents_.find(asked.uri);
  const bool is_now = document && document->text == asked.context.text;
  const auto flight = std::move(flight_);
  for (Done& done : flight->done)
    done(prediction.edits.empty() || !document ? Prediction()
         : is_now                              ? prediction
                                               : known(*document));
}

void Predictions::Flight::join(std::stop_token by, Done then) {
  done.push_back(std::move(then));
  ++*askers;
  // It goes on as long as somebody waits for it.
  leaving.push_back(std::make_unique<Leaving>(
      std::move(by), std::function<void()>([askers = askers, stop = stop]() mutable {
        if (--*askers == 0) stop.request_stop();
      })));
}

void Predictions::closed(const std::string& uri) {
  if (flight_ && flight_->uri == uri) stop_flight();
  if (last_ && last_->uri == uri) last_.reset();
}

void Predictions::stop_flight() {
  if (!flight_) return;
  flight_->stop.request_stop();
  const auto flight = std::move(flight_);
  for (Done& done : flight->done) done({});
}

}  // namespace bodkin::lsp
