// bodkin check: what works here.
#include <cstdio>

#include "lsp/check.h"
#include "lsp/commands.h"
#include "lsp/model_settings.h"

namespace bodkin {

int check_command(const CheckCommand& options) {
  ModelSettings settings = lsp::user_model_settings();
  if (!options.provider.empty()) settings.provider = options.provider;
  if (!options.endpoint.empty()) settings.endpoint = options.endpoint;
  if (!options.model.empty()) settings.name = options.model;
  const bool ok = check_setup(settings, nullptr, {}, [](const std::string& line) {
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
  });
  return ok ? 0 : 1;
}

}  // namespace bodkin
