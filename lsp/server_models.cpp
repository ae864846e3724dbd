// Commands about models: which one answers, and what works.
#include "lsp/extensions.h"
#include "lsp/server.h"

namespace bodkin::lsp {

void Server::select_model(const Json& argument, Reply reply) {
  const std::string provider = text_member(argument, "provider");
  const std::string name = text_member(argument, "name");
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

void Server::check(const Json&, Reply reply) {
  std::string text;
  const auto problems = settings_.problems();
  for (const std::string& problem : problems) text += problem + "\n";
  if (problems.empty()) text += "The settings are fine.\n";
  reply.result({{"ok", problems.empty()}, {"text", text}});
}

}  // namespace bodkin::lsp
