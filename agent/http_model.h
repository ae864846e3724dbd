// HttpModel: a Model that speaks a dialect over HTTP: retries before the first byte, limits, truth
// about how the reply ended, and no key in any error.
#pragma once

#include <memory>

#include "agent/dialect.h"
#include "agent/http.h"

namespace bodkin {

struct HttpModelOptions {
  const Dialect* dialect = nullptr;
  Wire wire;
  std::string description;
  bool has_tools = true;
  std::chrono::milliseconds first_byte{120'000}, idle{120'000}, progress{300'000};
  int retries = 2;  // as the official SDKs
};

std::unique_ptr<Model> make_http_model(HttpModelOptions options);

// How long a failed request should wait before it is sent again, by the provider's words and the
// SDKs' rules (providers.md, 2); nothing: it should not be sent again. `attempt` counts from 0,
// `jitter` is in 0..1, `now` is seconds of the epoch.
std::optional<std::chrono::milliseconds> retry_delay(const ModelError& error, const HttpHead& head,
                                                     std::string_view body, int attempt,
                                                     double jitter, int64_t now);

}  // namespace bodkin
