// Retry: when a failed request is sent again (agent/README.md, "Retries").
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string_view>

#include "agent/models/http/http.h"

namespace bodkin {

// The wait that the provider's response asks for; nullopt if none. `now`: seconds since the epoch.
std::optional<std::chrono::milliseconds> asked_delay(const HttpHead& head, std::string_view body,
                                                     int64_t now);

// The wait before retrying a failed request, by the provider's response and the SDKs' rules;
// nullopt: do not retry. `attempt` counts from 0, `jitter` is in 0..1, `now` is as above. A
// response that asks for more than `longest` is treated like one that asks for nothing.
std::optional<std::chrono::milliseconds> retry_delay(
    const ModelError& error, const HttpHead& head, std::string_view body, int attempt,
    double jitter, int64_t now, std::chrono::milliseconds longest = std::chrono::minutes(1));

// Whether a server that answers so is likely to work again in a minute.
bool is_passing(const ModelError& error, int status);

// False: it was stopped first.
bool wait_for(std::chrono::milliseconds time, const std::stop_token& stop);

// Requests a reply and, if it breaks off, once more. This is safe, since nothing of an incomplete
// reply is executed. What was streamed of the first reply is void; a status line says so.
std::expected<ModelReply, ModelError> respond_whole(Model& model, const ModelRequest& request,
                                                    const Task& task);

}  // namespace bodkin
