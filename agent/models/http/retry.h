// Retry: when a failed request is sent again (agent/README.md, "Retries").
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string_view>

#include "agent/models/http/http.h"

namespace bodkin {

// How long to wait before retrying a failed request, by the provider's response and the SDKs'
// rules; nothing: do not retry. `attempt` counts from 0, `jitter` is in 0..1, `now` is seconds of
// the epoch.
std::optional<std::chrono::milliseconds> retry_delay(const ModelError& error, const HttpHead& head,
                                                     std::string_view body, int attempt,
                                                     double jitter, int64_t now);

// False: it was stopped first.
bool wait_for(std::chrono::milliseconds time, const std::stop_token& stop);

// Requests a reply and, if it breaks off, once more. This is safe, since nothing of an incomplete
// reply is executed. What was streamed of the first reply is void; a status line says so.
std::expected<ModelReply, ModelError> respond_whole(Model& model, const ModelRequest& request,
                                                    const Task& task);

}  // namespace bodkin
