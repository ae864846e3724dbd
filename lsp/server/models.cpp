#include "lsp/server/models.h"

#include <algorithm>
#include <iterator>

#include "agent/models/providers/provider_table.h"
#include "agent/models/providers/served_models.h"
#include "agent/support/shown_text.h"
#include "agent/support/url.h"
#include "lsp/editor/setup_check.h"
#include "lsp/protocol/extensions.h"
#include "lsp/workspace/model_settings.h"

namespace bodkin::lsp {

void Models::serve(Router& router) {
  router.on_command(kSelectModel, "provider?, name?, endpoint?",
                    std::bind_front(&Models::select, this));
  router.on_command(kListModels, "provider, endpoint?",
                    std::bind_front(&Models::list_served, this));
  router.on_command(kCheck, "name?", std::bind_front(&Models::check, this));
  router.on_command(kStatusCommand, "", std::bind_front(&Models::status, this));
  router.on_own_request(kStatusRequest, "", std::bind_front(&Models::status, this));
}

namespace {

std::string host_of(const char* url) { return parse_url(url).value_or(Url()).host; }

}  // namespace

void Models::select(const Arguments& arguments, Reply reply) {
  const std::string& provider = arguments.provider;
  const std::string& name = arguments.name;
  if (provider.empty() && name.empty() && arguments.endpoint.empty()) {
    return list(std::move(reply));
  }
  if (provider.empty()) {
    return reply.error(ErrorCode::invalid_params,
                       "Which model? Give {\"provider\":…,\"name\":…}, or set "
                       "bodkin.model.provider and bodkin.model.name.");
  }
  if (const auto known = check_provider(provider); !known) return reply.error(known.error());
  Json model = {{"provider", provider}, {"name", name}};
  if (!arguments.endpoint.empty()) model["endpoint"] = arguments.endpoint;
  configuration_.choose("model", std::move(model));
  look_up([this, reply = std::move(reply)]() mutable {
    reply.result(
        {{"model", status_.answering().model},
         {"host", status_.answering().host},
         {"message",
          "Until the server stops; set bodkin.model.provider and bodkin.model.name to keep it."}});
  });
}

void Models::look_up(MoveOnlyFunction<void()> then) {
  const ModelSettings settings = model_settings(configuration_.settings());
  work_.start([this, settings, then = std::move(then)](const Task& task) mutable {
    ModelChoice choice{settings.provider, settings.name, "", "", "", {}};
    if (auto found = preview_choice(settings, &editor_, task)) choice = *std::move(found);
    loop_.post([this, choice = std::move(choice), then = std::move(then)]() mutable {
      take_choice(choice);
      if (then) then();
    });
  });
}

void Models::take_choice(const ModelChoice& choice) {
  status_.set_answering(
      {plain_line(choice.name.empty() ? choice.provider : choice.name),
       choice.provider == "editor" ? "the editor's own models" : choice.endpoint});
}

// Replies with the models that can be chosen now.
void Models::list(Reply reply) {
  const ModelSettings settings = model_settings(configuration_.settings());
  work_.start([this, settings, reply = std::move(reply)](const Task& task) mutable {
    Json models = Json::array();
    const auto choices = model_choices(settings, &editor_, task);
    // Adds the models of the server in the settings, which is not one of the well-known ones.
    const bool is_known = std::ranges::any_of(
        choices, [&](const ModelChoice& choice) { return choice.provider == settings.provider; });
    if (!is_known && find_provider(settings.provider)) {
      const auto names = served_models(settings, settings.provider, "", &editor_, task);
      for (const std::string& name : names.value_or(std::vector<std::string>())) {
        models.push_back({{"provider", settings.provider},
                          {"name", name},
                          {"title", plain_line(settings.provider + ": " + name)},
                          {"detail", "at the address in your settings"}});
      }
    }
    for (const ModelChoice& choice : choices) {
      Json model = {{"provider", choice.provider},
                    {"name", choice.name},
                    {"title", plain_line(choice.provider + ": " + choice.name)},
                    {"detail", plain_line(choice.reason)}};
      if (!choice.endpoint.empty()) model["detail"] = choice.endpoint + ", " + choice.reason;
      models.push_back(std::move(model));
    }
    Json offered = Json::array();
    for (const Provider& provider : providers()) {
      if (!provider.title) continue;
      const std::string host = host_of(provider.endpoint);
      offered.push_back({{"provider", provider.name},
                         {"title", provider.title},
                         {"place", host.empty()        ? "at your own address"
                                   : provider.is_local ? "on this machine"
                                                       : host},
                         {"variable", key_variable(provider)},
                         {"needsKey", !provider.is_local},
                         {"needsAddress", host.empty()}});
    }
    reply.result({{"current", settings.provider + "/" + settings.name},
                  {"models", models},
                  {"providers", offered}});
  });
}

void Models::list_served(const Arguments& arguments, Reply reply) {
  const ModelSettings settings = model_settings(configuration_.settings());
  work_.start([this, settings, provider = arguments.provider, endpoint = arguments.endpoint,
               reply = std::move(reply)](const Task& task) mutable {
    const auto names = served_models(settings, provider, endpoint, &editor_, task);
    if (!names) return reply.error(names.error());
    reply.result({{"models", *names}, {"default", find_provider(provider)->model}});
  });
}

void Models::check(const Arguments& arguments, Reply reply) {
  const SetupWorkspace workspace{documents_.roots(), status_.is_trusted(),
                                 configuration_.settings().servers()};
  if (arguments.name == "checks")  // without asking a model
    return (void)work_.start([workspace, reply = std::move(reply)](const Task& task) mutable {
      std::string text;
      check_checkers(workspace, task, [&](const std::string& line) { text += line + "\n"; });
      reply.result({{"ok", true}, {"text", visible(text)}});
    });
  if (arguments.name == "model")
    return (void)work_.start([this, settings = model_settings(configuration_.settings()),
                              reply = std::move(reply)](const Task& task) mutable {
      std::string text;
      const bool answers = check_model(settings, &editor_, task,
                                       [&](const std::string& line) { text += line + "\n"; });
      reply.result({{"ok", answers}, {"text", visible(text)}});
    });
  std::string text;
  auto problems = configuration_.settings().problems();
  std::ranges::move(model_problems(configuration_.settings()), std::back_inserter(problems));
  for (const std::string& problem : problems) text += problem + "\n";
  if (problems.empty()) text += "No problems in the settings.\n";
  text += status_.is_trusted() ? "trust      This folder is trusted.\n"
                               : "trust      This folder is not trusted, so every edit waits for "
                                 "you and no command runs. Trust it in the editor (in Neovim: "
                                 ":Bodkin trust).\n";
  const ModelSettings settings = model_settings(configuration_.settings());
  work_.start([this, settings, own = configuration_.settings(),
               mcp = mcp_settings(configuration_.settings().value("agent.mcpServers"),
                                  configuration_.settings().list("model.insecureHosts"))
                         .servers,
               workspace, text, fine = problems.empty(),
               reply = std::move(reply)](const Task& task) mutable {
    const bool answered = check_setup(settings, mcp, workspace, &editor_, task,
                                      [&](const std::string& line) { text += line + "\n"; });
    if (const std::string words = predicting_words(own, &editor_, task); !words.empty())
      text += "next edits " + words + "\n";
    reply.result({{"ok", fine && answered}, {"text", visible(text)}});
  });
}

void Models::status(const Arguments&, Reply reply) {
  look_up([this, reply = std::move(reply)]() mutable { reply.result(status_.json()); });
}

}  // namespace bodkin::lsp
