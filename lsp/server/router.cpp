#include "lsp/server/router.h"

namespace bodkin::lsp {

Router::Router(Connection& connection, Log& log) : connection_(connection), log_(log) {
  connection_.on_request("workspace/executeCommand", [this](const Json& params, Reply reply) {
    execute(params, std::move(reply));
  });
}

void Router::on_own_request(const char* method, const char* takes, Run run) {
  connection_.on_request(
      method, [method, takes, run = std::move(run)](const Json& params, Reply reply) {
        const auto arguments = arguments_of(method, takes, params);
        arguments ? run(*arguments, std::move(reply)) : reply.error(arguments.error());
      });
}

void Router::on_command(const char* name, const char* takes, Run run) {
  commands_[name] = {takes, std::move(run)};
}

std::vector<std::string> Router::commands() const {
  std::vector<std::string> names;
  for (const auto& [name, command] : commands_) names.push_back(name);
  return names;
}

void Router::execute(const Json& params, Reply reply) const {
  const std::string name = text_member(params, "command");
  const auto found = commands_.find(name);
  if (found == commands_.end()) {
    return reply.error(ErrorCode::invalid_params, "Unknown command: " + name);
  }
  const auto argument = argument_in(name, params);
  if (!argument) return reply.error(argument.error());
  const auto arguments = arguments_of(name, found->second.takes, *argument);
  if (!arguments) return reply.error(arguments.error());
  found->second.run(*arguments, std::move(reply));
}

void Router::log_error(const char* method, const Error& error) {
  log_.add(MessageType::warning, std::string(method) + ": " + error.message);
}

}  // namespace bodkin::lsp
