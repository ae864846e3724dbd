#include "lsp/editor/client.h"

#include <utility>

#include "agent/support/guarded.h"
#include "agent/support/shown_text.h"
#include "lsp/protocol/extensions.h"
#include "lsp/protocol/protocol.h"

namespace bodkin::lsp {

void Client::say(MessageType type, const std::string& message) {
  connection_.notify("window/showMessage",
                     {{"type", static_cast<int>(type)}, {"message", plain(message)}});
}

void Client::log(MessageType type, const std::string& message) {
  connection_.notify("window/logMessage",
                     {{"type", static_cast<int>(type)}, {"message", visible(message)}});
}

bool Client::show_document(const std::string& uri) {
  if (!can_.show_document) return false;
  connection_.request("window/showDocument", {{"uri", uri}, {"takeFocus", true}},
                      [](const Result<Json>&) {});
  return true;
}

void Client::input(const std::string& prompt, const std::string& placeholder,
                   std::function<void(const std::string&)> given) {
  if (!can_.input) return given("");
  connection_.request(kInput, {{"prompt", plain_line(prompt)}, {"placeholder", placeholder}},
                      [given = std::move(given)](const Result<Json>& answer) {
                        given(answer ? text_member(*answer, "value") : "");
                      });
}

void Client::configuration(std::function<void(const Json&)> given) {
  if (!can_.configuration) return;
  Json items = Json::array({{{"section", "bodkin"}}});
  connection_.request("workspace/configuration", {{"items", std::move(items)}},
                      [given = std::move(given)](const Result<Json>& answer) {
                        if (!answer || !answer->is_array() || answer->empty()) return;
                        if ((*answer)[0].is_object()) given((*answer)[0]);
                      });
}

// Decides: which line applies an edit in the editor.
void Client::apply_edit(const std::string& label, Json edit, Json versions,
                        std::function<void(const Result<Json>&)> answered) {
  Json params = {{"label", plain_line(label)}, {"edit", std::move(edit)}};
  if (can_.proposals) params[kDocumentVersions] = std::move(versions);
  connection_.request("workspace/applyEdit", std::move(params), std::move(answered));
}

void Client::watch_files(const std::vector<std::string>& globs) {
  Json watchers = Json::array();
  for (const std::string& glob : globs) watchers.push_back({{"globPattern", glob}});
  Json registration = {{"id", "bodkin/files"},
                       {"method", "workspace/didChangeWatchedFiles"},
                       {"registerOptions", {{"watchers", std::move(watchers)}}}};
  connection_.request("client/registerCapability",
                      {{"registrations", Json::array({std::move(registration)})}},
                      [](const Result<Json>&) {});
}

ProgressBar Client::progress(const std::string& token, const std::string& title) {
  return can_.progress ? ProgressBar(connection_, token, title) : ProgressBar();
}

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
