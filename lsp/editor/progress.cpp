#include "lsp/editor/progress.h"

#include <utility>

#include "agent/support/guarded.h"
#include "agent/support/shown_text.h"

namespace bodkin::lsp {

ProgressBar::ProgressBar(Connection& connection, std::string token, const std::string& title)
    : connection_(&connection), token_(std::move(token)) {
  connection_->request("window/workDoneProgress/create", {{"token", token_}},
                       [](const Result<Json>&) {});
  connection_->notify(
      "$/progress",
      {{"token", token_},
       {"value", {{"kind", "begin"}, {"title", plain_line(title)}, {"cancellable", true}}}});
}

ProgressBar::ProgressBar(ProgressBar&& other) noexcept
    : connection_(std::exchange(other.connection_, nullptr)), token_(std::move(other.token_)) {}

ProgressBar& ProgressBar::operator=(ProgressBar&& other) noexcept {
  if (this == &other) return *this;
  guarded([&] { end(""); });
  connection_ = std::exchange(other.connection_, nullptr);
  token_ = std::move(other.token_);
  return *this;
}

ProgressBar::~ProgressBar() {
  guarded([&] { end(""); });
}

void ProgressBar::report(const std::string& message) {
  if (!connection_) return;
  connection_->notify(
      "$/progress",
      {{"token", token_}, {"value", {{"kind", "report"}, {"message", plain_line(message)}}}});
}

void ProgressBar::end(const std::string& message) {
  if (!connection_) return;
  Json value = {{"kind", "end"}};
  if (!message.empty()) value["message"] = plain_line(message);
  connection_->notify("$/progress", {{"token", token_}, {"value", std::move(value)}});
  connection_ = nullptr;
}

}  // namespace bodkin::lsp
