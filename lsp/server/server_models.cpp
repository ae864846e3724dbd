// Commands about models: which one answers, and what works.
#include <algorithm>
#include <iterator>

#include "agent/models/providers/providers.h"
#include "agent/support/shown_text.h"
#include "lsp/editor/setup_check.h"
#include "lsp/protocol/extensions.h"
#include "lsp/server/server.h"
#include "lsp/workspace/model_settings.h"

namespace bodkin::lsp {

void Server::select_model(const Arguments& arguments, Reply reply) {
  const std::string& provider = arguments.provider;
  const std::string& name = arguments.name;
  if (provider.empty() && name.empty() && arguments.endpoint.empty()) {
    return list_models(std::move(reply));
  }
  if (provider.empty()) {
    return reply.error(ErrorCode::invalid_params,
                       "Which model? Give {\"provider\":…,\"name\":…}, or set "
                       "bodkin.model.provider and bodkin.model.name.");
  }
  if (const auto known = check_provider(provider); !known) return reply.error(known.error());
  Json model = {{"provider", provider}, {"name", name}};
  if (!arguments.endpoint.empty()) model["endpoint"] = arguments.endpoint;
  set_settings(Settings::Layer::chosen, {{"model", std::move(model)}});
  look_up_model([this, held = std::make_shared<Reply>(std::move(reply))] {
    held->result(
        {{"model", answering_.name},
         {"host", answering_.host},
         {"message",
          "Until the server stops; set bodkin.model.provider and bodkin.model.name to keep it."}});
  });
}

void Server::look_up_model(std::move_only_function<void()> then) {
  const ModelSettings settings = model_settings(settings_);
  asks_->work([this, settings, then = std::move(then)](const Task& task) mutable {
    ModelChoice choice{settings.provider, settings.name, "", "", "", {}};
    if (auto found = preview_choice(settings, &client_models_, task)) choice = *std::move(found);
    loop_.post([this, choice = std::move(choice), then = std::move(then)]() mutable {
      take_choice(choice);
      if (then) then();
    });
  });
}

void Server::take_choice(const ModelChoice& choice) {
  answering_.name = plain_line(choice.name.empty() ? choice.provider : choice.name);
  answering_.host = choice.provider == "editor" ? "the editor's own models" : choice.endpoint;
  show_status();
}

// What is there to choose from now. It asks the network and the editor: not on the loop's thread.
void Server::list_models(Reply reply) {
  const ModelSettings settings = model_settings(settings_);
  asks_->work([this, settings, reply = std::move(reply)](const Task& task) mutable {
    Json models = Json::array();
    for (const ModelChoice& choice : model_choices(settings, &client_models_, task)) {
      Json model = {{"provider", choice.provider},
                    {"name", choice.name},
                    {"title", plain_line(choice.provider + ": " + choice.name)},
                    {"detail", plain_line(choice.reason)}};
      if (!choice.endpoint.empty()) model["detail"] = choice.endpoint + ", " + choice.reason;
      models.push_back(std::move(model));
    }
    reply.result({{"current", settings.provider + "/" + settings.name}, {"models", models}});
  });
}

void Server::check(const Arguments&, Reply reply) {
  std::string text;
  auto problems = settings_.problems();
  std::ranges::move(model_problems(settings_), std::back_inserter(problems));
  for (const std::string& problem : problems) text += problem + "\n";
  if (problems.empty()) text += "No problems in the settings.\n";
  const ModelSettings settings = model_settings(settings_);
  asks_->work([this, settings, text, fine = problems.empty(),
               reply = std::move(reply)](const Task& task) mutable {
    const bool answered = check_setup(settings, &client_models_, task,
                                      [&](const std::string& line) { text += line + "\n"; });
    reply.result({{"ok", fine && answered}, {"text", visible(text)}});
  });
}

}  // namespace bodkin::lsp
