#include "lsp/acp/acp_client.h"

#include <memory>
#include <utility>

#include "agent/support/shown_text.h"

namespace bodkin::acp {

void Client::update(const std::string& session, Json update) {
  connection_.notify("session/update", {{"sessionId", session}, {"update", std::move(update)}});
}

uint64_t Client::request(const char* method, Json params, Milliseconds deadline,
                         Answered answered) {
  const uint64_t request = next_++;
  Open& open = open_[request];
  open.answered = std::move(answered);
  open.id = connection_.request(method, std::move(params), [this, request](Result<Json> result) {
    finish(request, std::move(result));
  });
  loop_.post_after(deadline,
                   [this, request] { give_up(request, Error::Code::unavailable, kSilent); });
  return request;
}

void Client::finish(uint64_t request, Result<Json> result) {
  if (!result) result.error().message = plain_line(result.error().message);
  auto open = open_.extract(request);
  if (open) open.mapped().answered(std::move(result));
}

void Client::give_up(uint64_t request, Error::Code code, const char* why) {
  const auto open = open_.find(request);
  if (open == open_.end()) return;
  connection_.cancel_request(open->second.id);
  finish(request, fail(code, why));
}

void Client::cancel(uint64_t request) { give_up(request, Error::Code::cancelled, "Cancelled."); }

Result<Json> Client::wait(const char* method, Json params, Milliseconds deadline,
                          const std::stop_token& stop) {
  const auto sent = std::make_shared<uint64_t>(0);
  auto answer = loop_.wait_for<Result<Json>>(
      stop, [this, sent, method, params = std::move(params), deadline](auto give) mutable {
        *sent = request(method, std::move(params), deadline, std::move(give));
      });
  if (answer) return *std::move(answer);
  loop_.post([this, sent] { cancel(*sent); });
  return std::unexpected(answer.error());
}

}  // namespace bodkin::acp
