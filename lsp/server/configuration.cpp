#include "lsp/server/configuration.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "lsp/protocol/extensions.h"
#include "lsp/workspace/model_settings.h"

namespace bodkin::lsp {

namespace {

constexpr size_t kMaxTold = 1000;  // problems of settings

std::string settings_of_model(const Settings& settings) {
  std::string all;
  for (const Setting& each : all_settings()) {
    if (each.key.starts_with("model.")) all += settings.value(each.key).dump() + "\n";
  }
  return all;
}

}  // namespace

Configuration::Configuration(Client& client, Log& log)
    : client_(client), log_(log), settings_(own_settings()) {}

void Configuration::serve(Router& router) {
  router.on_notification<DidChangeConfigurationParams>(
      "workspace/didChangeConfiguration", [this](const DidChangeConfigurationParams& params) {
        if (params.settings.is_object()) set(Settings::Layer::changed, params.settings);
        pull();
      });
  router.on_command(kSetMode, "mode", [this](const Arguments& arguments, Reply reply) {
    choose("agent.mode", arguments.mode);
    reply.result({{"mode", arguments.mode}});
  });
}

void Configuration::initialize(const Json& given) {
  settings_.set(Settings::Layer::initialization, given);
}

void Configuration::set(Settings::Layer layer, const Json& given) {
  const std::string before = settings_of_model(settings_);
  settings_.set(layer, given);
  const std::string level = settings_.text("log.level");
  log_.most = level == "error"     ? MessageType::error
              : level == "warning" ? MessageType::warning
              : level == "debug"   ? MessageType::log
                                   : MessageType::information;
  if (changed) changed(settings_of_model(settings_) != before);
  report_problems();
}

void Configuration::choose(const std::string& key, Json value) {
  chosen_[key] = std::move(value);
  set(Settings::Layer::chosen, chosen_);
}

void Configuration::report_problems() {
  auto problems = settings_.problems();
  std::ranges::move(model_problems(settings_), std::back_inserter(problems));
  std::erase_if(problems, [&](const std::string& problem) {
    return told_.size() >= kMaxTold || !told_.insert(problem).second;
  });
  if (problems.empty()) return;
  // A problem that forbids everything comes before those that are only ignored.
  std::ranges::stable_partition(problems, [](const std::string& problem) {
    return problem.find("agent.permissions") != problem.npos;
  });
  for (const std::string& problem : problems) log_.add(MessageType::warning, problem);
  // One message: of several, most editors show the last alone.
  const std::string more =
      problems.size() == 1 ? "" : fmt::format(" ({} more in the log)", problems.size() - 1);
  client_.say(MessageType::warning, "bodkin: " + problems[0] + more);
}

void Configuration::pull() {
  client_.configuration([this](const Json& given) { set(Settings::Layer::configuration, given); });
}

}  // namespace bodkin::lsp
