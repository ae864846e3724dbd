// Commands about models: which one answers, and what works.
#include "agent/provider_table.h"
#include "agent/providers.h"
#include "lsp/check.h"
#include "lsp/extensions.h"
#include "lsp/model_settings.h"
#include "lsp/server.h"

namespace bodkin::lsp {

void Server::select_model(const Json& argument, Reply reply) {
  const std::string provider = text_member(argument, "provider");
  const std::string name = text_member(argument, "name");
  if (provider.empty() && name.empty()) return list_models(std::move(reply));
  if (provider.empty()) {
    return reply.error(ErrorCode::invalid_params,
                       "Which model? Give {\"provider\":…,\"name\":…}, or set "
                       "bodkin.model.provider and bodkin.model.name.");
  }
  Json model = {{"provider", provider}, {"name", name}};
  if (const std::string endpoint = text_member(argument, "endpoint"); !endpoint.empty()) {
    model["endpoint"] = endpoint;
  }
  set_settings(Settings::Layer::chosen, {{"model", std::move(model)}});
  asks_->forget_models();
  show_status();
  reply.result({{"model", name.empty() ? provider : name},
                {"host", settings_.text("model.endpoint")},
                {"message",
                 "For as long as the server runs; bodkin.model.provider and "
                 "bodkin.model.name keep it."}});
}

// What is there to choose from now. It asks the network and the editor: not on the loop's thread.
void Server::list_models(Reply reply) {
  const ModelSettings settings = model_settings(settings_);
  asks_->work([this, settings, reply = std::move(reply)](const Task& task) mutable {
    Json models = Json::array();
    for (const ModelChoice& choice : model_choices(settings, &client_models_, task)) {
      Json model = {{"provider", choice.provider},
                    {"name", choice.name},
                    {"title", choice.provider + ": " + choice.name},
                    {"detail", choice.reason}};
      if (find_provider(choice.provider) && find_provider(choice.provider)->is_local)
        model["detail"] = choice.endpoint + ", " + choice.reason;
      models.push_back(std::move(model));
    }
    reply.result({{"current", settings.provider + "/" + settings.name}, {"models", models}});
  });
}

void Server::check(const Json&, Reply reply) {
  std::string text;
  const auto problems = settings_.problems();
  for (const std::string& problem : problems) text += problem + "\n";
  if (problems.empty()) text += "The settings are fine.\n";
  const ModelSettings settings = model_settings(settings_);
  asks_->work([this, settings, text, fine = problems.empty(),
               reply = std::move(reply)](const Task& task) mutable {
    const bool answered = check_setup(settings, &client_models_, task,
                                      [&](const std::string& line) { text += line + "\n"; });
    reply.result({{"ok", fine && answered}, {"text", text}});
  });
}

}  // namespace bodkin::lsp
