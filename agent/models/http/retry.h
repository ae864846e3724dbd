// Retry: when a request that failed is sent again (agent/README.md, "Retries").
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string_view>

#include "agent/models/http/http.h"

namespace bodkin {

// How long a failed request should wait before it is sent again, by the provider's words and the
// SDKs' rules; nothing: it should not be sent again. `attempt` counts from 0, `jitter` is in 0..1,
// `now` is seconds of the epoch.
std::optional<std::chrono::milliseconds> retry_delay(const ModelError& error, const HttpHead& head,
                                                     std::string_view body, int attempt,
                                                     double jitter, int64_t now);

// False: the stop came first.
bool wait_for(std::chrono::milliseconds time, std::stop_token stop);

// Asks for one reply and, where it broke off, once more: nothing of a reply is executed before it
// is whole, so that is safe. What was streamed of the first reply is void; a status line says so.
std::expected<ModelReply, ModelError> respond_whole(Model& model, const ModelRequest& request,
                                                    const Task& task);

}  // namespace bodkin
